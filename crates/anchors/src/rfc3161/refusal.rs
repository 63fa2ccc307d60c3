//! The reasons for which an answer of an authority is refused.

use chrono::{DateTime, Utc};
use thiserror::Error;

/// Why a response or a stored token confirms nothing.
#[derive(Clone, Debug, Error, Eq, PartialEq)]
pub enum Refusal {
    /// The response exceeds [`RESPONSE_MAX`](super::RESPONSE_MAX).
    #[error("the response is larger than 64 KiB")]
    TooLarge,
    /// The response is not DER, or not the structure that RFC 3161 prescribes.
    #[error("{0} is malformed")]
    Malformed(&'static str),
    /// The response continues after its end.
    #[error("bytes follow the response")]
    TrailingBytes,
    /// The authority did not grant the request; the numbers of RFC 3161 section 2.4.2.
    #[error("the authority refused the request (status {status})")]
    NotGranted {
        /// `PKIStatus`.
        status: u8,
    },
    /// The request was granted, but nothing was sent.
    #[error("the response holds no token")]
    NoToken,
    /// The token is signed data of another type.
    #[error("the token is not a time-stamp")]
    NotATimeStamp,
    /// The imprint is not by SHA-256.
    #[error("the time-stamp does not use SHA-256")]
    ImprintAlgorithm,
    /// The imprint is another one.
    #[error("the time-stamp is of other data")]
    OtherData,
    /// The nonce is missing or another one: the answer to an earlier request.
    #[error("the time-stamp answers another request")]
    OtherNonce,
    /// The time lies before the data existed, or in the future.
    #[error("the time-stamp names the time {0}, which is not possible")]
    TimeOutsideWindow(DateTime<Utc>),
    /// The time-stamp has an extension that must not be ignored.
    #[error("the time-stamp has an unknown critical extension")]
    UnknownExtension,
    /// There is not exactly one signature.
    #[error("the token does not have exactly one signer")]
    Signers,
    /// The token has too many certificates.
    #[error("the token holds too many certificates")]
    TooManyCertificates,
    /// The token lacks the certificate of its signer.
    #[error("the token does not hold the certificate of its signer")]
    SignerMissing,
    /// A signed attribute is missing, doubled, or has not exactly one value.
    #[error("the signed attribute {0} is missing or ambiguous")]
    SignedAttribute(&'static str),
    /// The signed content type is not that of a time-stamp.
    #[error("the signed content type is not that of a time-stamp")]
    ContentType,
    /// The signed digest is not that of the time-stamp.
    #[error("the signed digest is not that of the time-stamp")]
    MessageDigest,
    /// The signed identifier is that of another certificate.
    #[error("the signature names another certificate")]
    OtherSigner,
    /// The signature uses an algorithm that is unknown or too weak.
    #[error("the signature of {0} uses an unsupported algorithm or key")]
    UnsupportedAlgorithm(&'static str),
    /// The signer is named by its key, or signed with RSA-PSS: `openssl ts -verify`, by which
    /// strangers check what is stored, knows neither in a token.
    #[error("the token has a form that openssl cannot verify")]
    NotForOpenSsl,
    /// The signature of the token does not verify.
    #[error("the signature of the token is wrong")]
    WrongSignature,
    /// The certificate has no extended key usage, another one, or more than time-stamping.
    #[error("the certificate of the authority is not for time-stamping alone")]
    NotForTimeStamping,
    /// The extended key usage is not critical, as RFC 3161 section 2.3 demands.
    #[error("the certificate of the authority does not mark its purpose as critical")]
    PurposeNotCritical,
    /// The key usage does not allow signatures, or allows something else.
    #[error("the key of the authority is not for signatures alone")]
    KeyUsage,
    /// A certificate was expired, or not yet valid, at the time that the token names.
    #[error("the certificate of {0} was not valid at that time")]
    NotValidThen(String),
    /// A certificate has an extension that must not be ignored.
    #[error("the certificate of {0} has an unknown critical extension")]
    CertificateExtension(String),
    /// The issuer may not issue certificates, or not for this purpose.
    #[error("{0} may not issue this certificate")]
    NotAnIssuer(String),
    /// The signature of a certificate does not verify.
    #[error("the certificate of {0} has a wrong signature")]
    CertificateSignature(String),
    /// No path leads to a configured root.
    #[error("no chain of certificates leads to a configured root")]
    NoChain,
    /// The nearest path to a configured root is broken, for this reason. Another root may
    /// vouch for the authority.
    #[error("no chain of certificates leads to a configured root: {0}")]
    BrokenChain(Box<Refusal>),
}
