//! Settings that are refused.

use std::io;
use std::path::PathBuf;

use ideavault_anchors::http::{EndpointError, HttpError};
use ideavault_anchors::rfc3161::RootsError;
use ideavault_domain::operator::BadVaultName;
use ideavault_evidence::cosignature::CosignatureError;
use ideavault_web::LogoError;
use ipnet::IpNet;
use thiserror::Error;
use url::Url;

/// An invalid configuration.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The public URL cannot be the base of links.
    #[error("IDEAVAULT_PUBLIC_URL, {0}, must be http:// or https:// with a host, and no path")]
    PublicUrl(Url),
    /// Clients could not be told apart by address.
    #[error(
        "with an https public URL there is a proxy before this server, and every client would \
         look like that proxy: set IDEAVAULT_TRUSTED_PROXIES to its address (127.0.0.1 if it runs \
         on this machine), or to none if clients connect directly. docs/operations.md shows how \
         for Caddy and nginx"
    )]
    ProxiesUnknown,
    /// `none` was given together with proxies.
    #[error("IDEAVAULT_TRUSTED_PROXIES has to be either none or a list of addresses")]
    ProxiesAndNone,
    /// Every address was declared a proxy.
    #[error(
        "IDEAVAULT_TRUSTED_PROXIES must not be {0}, which is every address: all clients could \
         choose the address that they are recorded and limited by. Name the address of the proxy \
         or its network"
    )]
    ProxiesEverywhere(IpNet),
    /// The public URL has a user name or a password. The message does not repeat it.
    #[error(
        "IDEAVAULT_PUBLIC_URL must not have a user name or a password before its host: it is part \
         of every link that is sent. Write it like https://vault.example.org"
    )]
    PublicUrlUserInfo,
    /// The name of the vault is invalid.
    #[error("IDEAVAULT_NAME cannot be used: {0}")]
    Name(BadVaultName),
    /// The contact is neither a mail address nor an https address.
    #[error("IDEAVAULT_CONTACT must be a mail address or an address that begins with https://")]
    Contact,
    /// The terms are not at an https address.
    #[error("IDEAVAULT_TERMS must be an address that begins with https://")]
    Terms,
    /// The logo cannot be shown.
    #[error("IDEAVAULT_LOGO cannot be used: {}", path.display())]
    Logo {
        /// Path of the logo.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: LogoError,
    },
    /// A font of documents cannot be read.
    #[error("IDEAVAULT_DOCUMENT_FONTS cannot be used: {}: {source}", path.display())]
    DocumentFont {
        /// Path of the font.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The view window is zero or too long.
    #[error("IDEAVAULT_VIEW_WINDOW must be between 1 second and 365 days")]
    ViewWindow,
    /// PDFs would be too small, or too large.
    #[error("IDEAVAULT_PDF_SIZE must be between 1MiB and 100MiB")]
    PdfSize,
    /// The audit trail would be kept for too short, or too long.
    #[error("{0} must be between 7 days and 100 years")]
    Retention(&'static str),
    /// The drain time is too long.
    #[error("IDEAVAULT_DRAIN_TIME must not be longer than 5 minutes")]
    DrainTime,
    /// The language model's address cannot be used.
    #[error("the language model cannot be used")]
    LanguageModel(#[from] ideavault_llm::ChatError),
    /// An authority or calendar cannot be contacted. The message does not repeat the address.
    #[error("address {number} of {setting} cannot be used: {source}")]
    Outsider {
        /// The setting.
        setting: &'static str,
        /// Which of its addresses, from 1.
        number: usize,
        /// The underlying error.
        source: EndpointError,
    },
    /// Two addresses have the same host, which names what it confirms.
    #[error("{0} must not name the same host twice")]
    OutsiderTwice(&'static str),
    /// There are too many addresses.
    #[error("{setting} must not have more than {max} addresses")]
    TooManyOutsiders {
        /// The setting.
        setting: &'static str,
        /// Most addresses.
        max: usize,
    },
    /// There is one calendar.
    #[error("IDEAVAULT_OTS_CALENDARS must name at least two calendars, or none")]
    OneCalendar,
    /// A witness is not given as key and address.
    #[error("IDEAVAULT_WITNESSES, number {0}: give each witness as KEY@ADDRESS")]
    WitnessForm(usize),
    /// The part before the `@` is not the key of a witness.
    #[error("IDEAVAULT_WITNESSES, number {number}")]
    WitnessKey {
        /// Which one, from 1.
        number: usize,
        /// The underlying error.
        source: CosignatureError,
    },
    /// Two witnesses have the same name.
    #[error("IDEAVAULT_WITNESSES must not name the same witness twice")]
    WitnessTwice,
    /// The value of `IDEAVAULT_BITCOIN_NODE` is not an address.
    #[error("IDEAVAULT_BITCOIN_NODE is not the address of a node")]
    BitcoinNode(#[source] EndpointError),
    /// There is a cookie file, but no node.
    #[error("IDEAVAULT_BITCOIN_COOKIE needs IDEAVAULT_BITCOIN_NODE")]
    CookieWithoutNode,
    /// There are authorities, but nothing to verify their answers with.
    #[error(
        "IDEAVAULT_TSA needs IDEAVAULT_TSA_ROOTS: a PEM file with the root certificates of \
         these authorities"
    )]
    TsaWithoutRoots,
    /// The program's own list of roots cannot be used.
    #[error("IDEAVAULT_ANCHORS: the roots of the recommended authorities cannot be used")]
    RecommendedRoots(#[source] RootsError),
    /// There are roots, but no authorities.
    #[error(
        "IDEAVAULT_TSA_ROOTS is of no use without IDEAVAULT_TSA: the recommended authorities bring \
         their own roots"
    )]
    RootsWithoutTsa,
    /// The file with roots cannot be read.
    #[error("IDEAVAULT_TSA_ROOTS cannot be read: {}", path.display())]
    TsaRootsFile {
        /// Path of the file.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: io::Error,
    },
    /// The file with roots is no list of certificates.
    #[error("IDEAVAULT_TSA_ROOTS is larger than 1 MB: {}", .0.display())]
    TsaRootsSize(PathBuf),
    /// The file with roots cannot be used.
    #[error("IDEAVAULT_TSA_ROOTS cannot be used: {}", path.display())]
    TsaRoots {
        /// Path of the file.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: RootsError,
    },
    /// The HTTP client of authorities, calendars and witnesses cannot be created.
    #[error("IDEAVAULT_TSA, IDEAVAULT_OTS_CALENDARS and IDEAVAULT_WITNESSES cannot be used")]
    OutsideClient(#[source] HttpError),
}
