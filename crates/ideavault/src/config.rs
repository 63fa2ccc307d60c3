//! Settings, by flag or environment variable (docs/operations.md#settings).

mod anchors;
mod data;
mod error;
mod language_model;
mod mail;
mod operator;
mod secret_file;
mod storage;
mod unknown;

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ideavault_application::accounts::Admission;
use ideavault_crypto::HashingCost;
use ideavault_domain::admission::{AddressConfirmation, RegistrationMode};
use ideavault_domain::audit::AuditRetention;
use ideavault_domain::file::UploadLimit;
use ideavault_domain::quota::{ByteSize, Quotas};
use ideavault_web::PersonalContentTimeout;
use ipnet::IpNet;
use url::Url;

pub use anchors::AnchorOptions;
pub use data::DataOptions;
pub use error::ConfigError;
pub use language_model::LanguageModelOptions;
pub use mail::MailOptions;
pub use operator::OperatorOptions;
pub use secret_file::SecretFile;
pub use storage::StorageOptions;
pub use unknown::unknown_variables;

/// Bounds of what is set for PDFs, in bytes. One is in memory as a whole while it is looked at, and
/// once more while it is sent to a bucket.
const PDF_SIZE_MIN: u64 = 1 << 20;
const PDF_SIZE_MAX: u64 = 100 << 20;
/// Longest time that the audit trail is kept, if it is not kept for good: a hundred years.
const RETENTION_DAYS_MAX: i64 = 36_525;
/// Longest time that a server is not ready before it stops.
const DRAIN_TIME_MAX: Duration = Duration::from_secs(5 * 60);

/// Options of `ideavault serve`.
#[derive(Args, Clone, Debug)]
pub struct ServeOptions {
    /// Address to listen on.
    #[arg(long, env = "IDEAVAULT_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Address for metrics, at /metrics, such as 127.0.0.1:9464; none by default. Everybody who
    /// reaches it can read them.
    #[arg(long, env = "IDEAVAULT_METRICS_ADDRESS")]
    pub metrics_address: Option<SocketAddr>,

    /// Base of every link that is sent or shown, and the allowed Origin; by default http://
    /// and the listen address.
    #[arg(long, env = "IDEAVAULT_PUBLIC_URL")]
    pub public_url: Option<Url>,

    /// Location of the data.
    #[command(flatten)]
    pub data: DataOptions,

    /// Registration of new accounts: open, by invitation, or closed.
    #[arg(long, env = "IDEAVAULT_REGISTRATION", value_enum, default_value_t = RegistrationSetting::Open)]
    pub registration: RegistrationSetting,

    /// Whether new accounts have to confirm their address by a mailed link before
    /// they share anything or turn on two-step sign-in.
    #[arg(long, env = "IDEAVAULT_CONFIRM_ADDRESSES", value_enum, default_value_t = ConfirmAddresses::Auto)]
    pub confirm_addresses: ConfirmAddresses,

    /// Cost of hashing new passwords; another one only in tests.
    #[arg(skip)]
    pub hashing_cost: HashingCost,

    /// How long a document waits for what it shows to one browser; longer only in tests.
    #[arg(skip)]
    pub personal_content_timeout: PersonalContentTimeout,

    /// Length of a counted view of a shared idea.
    #[arg(long, env = "IDEAVAULT_VIEW_WINDOW", default_value = "30m", value_parser = parse_duration)]
    pub view_window: Duration,

    /// Storage for each account, such as 500MB, unless set with `ideavault user quota`.
    #[arg(long, env = "IDEAVAULT_ACCOUNT_QUOTA", default_value = "2GB")]
    pub account_quota: ByteSize,

    /// Storage for all accounts together; unlimited by default.
    #[arg(long, env = "IDEAVAULT_VAULT_QUOTA")]
    pub vault_quota: Option<ByteSize>,

    /// The largest PDF that can be imported, such as 25MB, up to 100MiB.
    #[arg(long, env = "IDEAVAULT_PDF_SIZE", default_value = "10MiB")]
    pub pdf_size: ByteSize,

    /// How long entries of the audit trail are kept, such as 400days; for good by default.
    #[arg(long, env = "IDEAVAULT_AUDIT_RETENTION", value_parser = parse_duration)]
    pub audit_retention: Option<Duration>,

    /// How long network addresses and browsers are kept in the audit trail, such as 90days; as long
    /// as the entries by default.
    #[arg(long, env = "IDEAVAULT_ADDRESS_RETENTION", value_parser = parse_duration)]
    pub address_retention: Option<Duration>,

    /// How long the server says that it is not ready, and serves all the same, before it stops:
    /// as long as a load balancer needs to notice, such as 15s.
    #[arg(long, env = "IDEAVAULT_DRAIN_TIME", default_value = "0s", value_parser = parse_duration)]
    pub drain_time: Duration,

    /// The vault's name and the operator.
    #[command(flatten)]
    pub operator: OperatorOptions,

    /// Sending of mail.
    #[command(flatten)]
    pub mail: MailOptions,

    /// Addresses or networks of proxies whose X-Forwarded-For is trusted; `none` if clients
    /// connect directly. Required with an https public URL.
    #[arg(long, env = "IDEAVAULT_TRUSTED_PROXIES", value_delimiter = ',', value_parser = parse_proxy)]
    pub trusted_proxies: Vec<Proxy>,

    /// Format of the log on standard error.
    #[arg(long, env = "IDEAVAULT_LOG", value_enum, default_value_t = LogFormat::Text)]
    pub log: LogFormat,

    /// Factor for every rate limit; 0 turns the limits off.
    #[arg(long, env = "IDEAVAULT_RATE_LIMIT_SCALE", default_value = "1", value_parser = parse_scale)]
    pub rate_limit_scale: f64,

    /// The language model.
    #[command(flatten)]
    pub language_model: LanguageModelOptions,

    /// Whether everybody may read the log of events below /log1, which has fingerprints only;
    /// without it, those who are signed in.
    #[arg(long, env = "IDEAVAULT_PUBLIC_LOG", value_parser = clap::builder::BoolishValueParser::new(),
        num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    pub public_log: bool,

    /// Outsiders that confirm times.
    #[command(flatten)]
    pub anchors: AnchorOptions,
}

/// A value of `--trusted-proxies`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proxy {
    /// The operator has stated that there are no proxies.
    None,
    /// Proxies in a network.
    Network(IpNet),
}

/// Format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Plain text.
    Text,
    /// A JSON object on each line.
    Json,
}

/// Registration of new accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RegistrationSetting {
    /// Registration is open to everybody.
    Open,
    /// People who were invited with `ideavault invite EMAIL`.
    Invite,
    /// Registration is closed.
    Closed,
}

impl From<RegistrationSetting> for RegistrationMode {
    fn from(registration: RegistrationSetting) -> Self {
        match registration {
            RegistrationSetting::Open => Self::Open,
            RegistrationSetting::Invite => Self::Invite,
            RegistrationSetting::Closed => Self::Closed,
        }
    }
}

/// Whether new accounts have to confirm their address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConfirmAddresses {
    /// Required if a mail server is configured, else optional.
    Auto,
    /// Required.
    Always,
    /// Not required, and nobody is asked to confirm.
    Never,
}

impl ServeOptions {
    /// Returns how people get accounts.
    #[must_use]
    pub fn admission(&self) -> Admission {
        let has_server = self.mail.smtp_url().is_some();
        Admission {
            registration: self.registration.into(),
            confirmation: match self.confirm_addresses {
                ConfirmAddresses::Always => AddressConfirmation::Required,
                ConfirmAddresses::Auto if has_server => AddressConfirmation::Required,
                ConfirmAddresses::Auto => AddressConfirmation::Offered,
                ConfirmAddresses::Never => AddressConfirmation::OnRequest,
            },
        }
    }

    /// Returns the view window in the domain's type.
    pub fn view_window(&self) -> Result<chrono::Duration, ConfigError> {
        chrono::Duration::from_std(self.view_window)
            .ok()
            .filter(|window| (1..=365 * 86_400).contains(&window.num_seconds()))
            .ok_or(ConfigError::ViewWindow)
    }

    /// Returns the limit for PDFs.
    pub fn pdf_limit(&self) -> Result<UploadLimit, ConfigError> {
        let bytes = self.pdf_size.bytes();
        match (PDF_SIZE_MIN..=PDF_SIZE_MAX).contains(&bytes) {
            true => Ok(UploadLimit::of_pdfs(bytes)),
            false => Err(ConfigError::PdfSize),
        }
    }

    /// Returns how long the audit trail is kept.
    ///
    /// # Errors
    /// [`ConfigError::Retention`] if that is shorter than sessions are, or longer than times reach.
    pub fn audit_retention(&self) -> Result<AuditRetention, ConfigError> {
        let kept = |setting, kept: Option<Duration>| {
            let days =
                |kept: &chrono::Duration| (7..=RETENTION_DAYS_MAX).contains(&kept.num_days());
            let parsed = kept.map(|kept| {
                let kept = chrono::Duration::from_std(kept).ok().filter(days);
                kept.ok_or(ConfigError::Retention(setting))
            });
            parsed.transpose()
        };
        Ok(AuditRetention {
            entries: kept("IDEAVAULT_AUDIT_RETENTION", self.audit_retention)?,
            addresses: kept("IDEAVAULT_ADDRESS_RETENTION", self.address_retention)?,
        })
    }

    /// Returns how long the server is not ready before it stops.
    pub fn drain_time(&self) -> Result<Duration, ConfigError> {
        Some(self.drain_time)
            .filter(|time| *time <= DRAIN_TIME_MAX)
            .ok_or(ConfigError::DrainTime)
    }

    /// Returns the limits on stored bytes.
    #[must_use]
    pub fn quotas(&self) -> Quotas {
        Quotas {
            account: self.account_quota,
            vault: self.vault_quota,
        }
    }

    /// Returns the networks of trusted proxies.
    ///
    /// # Errors
    /// [`ConfigError::ProxiesUnknown`] if nothing was configured for an https public URL:
    /// the server does not speak TLS itself, so there has to be a proxy.
    /// [`ConfigError::ProxiesAndNone`]; [`ConfigError::ProxiesEverywhere`].
    pub fn proxies(&self) -> Result<Vec<IpNet>, ConfigError> {
        let is_https = self
            .public_url
            .as_ref()
            .is_some_and(|url| url.scheme() == "https");
        if is_https && self.trusted_proxies.is_empty() {
            return Err(ConfigError::ProxiesUnknown);
        }
        let networks: Vec<_> = self
            .trusted_proxies
            .iter()
            .filter_map(|proxy| match proxy {
                Proxy::None => None,
                Proxy::Network(network) => Some(*network),
            })
            .collect();
        if !networks.is_empty() && networks.len() < self.trusted_proxies.len() {
            return Err(ConfigError::ProxiesAndNone);
        }
        match networks.iter().find(|network| network.prefix_len() == 0) {
            Some(everywhere) => Err(ConfigError::ProxiesEverywhere(*everywhere)),
            None => Ok(networks),
        }
    }

    /// Returns the origin of every link, without a trailing slash. `bound` is the address
    /// that the server listens on.
    ///
    /// # Errors
    /// [`ConfigError::PublicUrl`]; [`ConfigError::PublicUrlUserInfo`].
    pub fn origin(&self, bound: SocketAddr) -> Result<String, ConfigError> {
        let Some(url) = &self.public_url else {
            return Ok(format!("http://{bound}"));
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ConfigError::PublicUrlUserInfo);
        }
        let usable = matches!(url.scheme(), "http" | "https")
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none();
        if usable {
            Ok(url.origin().ascii_serialization())
        } else {
            Err(ConfigError::PublicUrl(url.clone()))
        }
    }

    /// Returns the host of the public address, without a port.
    #[must_use]
    pub fn host(&self, bound: SocketAddr) -> String {
        let configured = self.public_url.as_ref().and_then(Url::host_str);
        configured.map_or_else(|| bound.ip().to_string(), str::to_owned)
    }
}

fn parse_proxy(text: &str) -> Result<Proxy, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Proxy::None);
    }
    text.parse::<IpNet>()
        .or_else(|_| text.parse::<std::net::IpAddr>().map(IpNet::from))
        .map(Proxy::Network)
        .map_err(|_| format!("{text} is neither an IP address nor a network such as 10.0.0.0/8"))
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .map_err(|error| format!("{error}: write a number and its unit, such as 90s, 30m or 2h"))
}

fn parse_scale(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|scale| (0.0..=1e6).contains(scale))
        .ok_or_else(|| format!("{text} is not a number from 0 to 1000000"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use ideavault_domain::file::PDF_LIMIT_DEFAULT;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        options: ServeOptions,
    }

    fn options(arguments: &[&str]) -> ServeOptions {
        Cli::parse_from([&["ideavault"], arguments].concat()).options
    }

    fn bound() -> SocketAddr {
        "127.0.0.1:4711".parse().unwrap()
    }

    #[test]
    fn links_start_with_the_bound_address_by_default() {
        assert_eq!(
            options(&[]).origin(bound()).unwrap(),
            "http://127.0.0.1:4711"
        );
        let public = options(&["--public-url", "https://vault.example.org"]);
        assert_eq!(public.origin(bound()).unwrap(), "https://vault.example.org");
    }

    #[test]
    fn a_public_url_with_a_path_or_another_scheme_is_refused() {
        for url in [
            "https://example.org/vault",
            "ftp://example.org",
            "https://example.org/?a",
        ] {
            assert!(
                options(&["--public-url", url]).origin(bound()).is_err(),
                "{url}"
            );
        }
    }

    #[test]
    fn a_public_url_with_a_user_or_a_password_is_refused_without_being_shown() {
        for url in [
            "https://hush@vault.example.org",
            "https://user:hush@vault.example.org",
            "https://:hush@vault.example.org/path",
        ] {
            let refused = options(&["--public-url", url]).origin(bound()).unwrap_err();
            assert!(matches!(refused, ConfigError::PublicUrlUserInfo), "{url}");
            assert!(!refused.to_string().contains("hush"), "{refused}");
        }
    }

    #[test]
    fn trusting_every_address_as_a_proxy_is_refused() {
        for networks in ["0.0.0.0/0", "::/0", "127.0.0.1,10.1.2.3/0"] {
            let refused = options(&["--trusted-proxies", networks]).proxies();
            assert!(
                matches!(refused, Err(ConfigError::ProxiesEverywhere(_))),
                "{networks}"
            );
        }
        assert!(
            options(&["--trusted-proxies", "10.0.0.0/8"])
                .proxies()
                .is_ok()
        );
    }

    #[test]
    fn proxies_are_addresses_or_networks() {
        let parsed = options(&["--trusted-proxies", "10.0.0.1,192.168.0.0/16"]);
        assert_eq!(parsed.proxies().unwrap().len(), 2);
        assert!(parse_proxy("proxy.example.org").is_err());
    }

    #[test]
    fn an_https_url_requires_the_trusted_proxies() {
        let proxies = |arguments: &[&str]| options(arguments).proxies();
        let https = ["--public-url", "https://vault.example.org"];
        let with = |value| [https.as_slice(), &["--trusted-proxies", value]].concat();
        assert!(matches!(proxies(&https), Err(ConfigError::ProxiesUnknown)));
        assert_eq!(proxies(&with("127.0.0.1")).unwrap().len(), 1);
        assert!(proxies(&with("none")).unwrap().is_empty());
        let both = proxies(&with("none,127.0.0.1"));
        assert!(matches!(both, Err(ConfigError::ProxiesAndNone)));
        assert!(proxies(&[]).unwrap().is_empty());
        assert!(
            proxies(&["--public-url", "http://vault.test"])
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn confirmation_is_required_by_default_with_a_mail_server() {
        use AddressConfirmation::{Offered, OnRequest, Required};
        let confirmation = |arguments: &[&str]| options(arguments).admission().confirmation;
        let server = ["--smtp-url", "smtps://mail.example.org"];
        assert_eq!(confirmation(&[]), Offered);
        assert_eq!(confirmation(&server), Required);
        assert_eq!(confirmation(&["--confirm-addresses", "always"]), Required);
        let never = [&server[..], &["--confirm-addresses", "never"]].concat();
        assert_eq!(confirmation(&never), OnRequest);
    }

    #[test]
    fn the_rate_limit_scale_cannot_be_negative() {
        assert_eq!(parse_scale("0.5"), Ok(0.5));
        assert_eq!(parse_scale("0"), Ok(0.0));
        for scale in ["-1", "NaN", "inf", "many", ""] {
            assert!(parse_scale(scale).is_err(), "{scale}");
        }
    }

    #[test]
    fn pdfs_have_ten_mebibytes_unless_another_size_is_set() {
        let limit = |arguments: &[&str]| options(arguments).pdf_limit();
        assert_eq!(limit(&[]).unwrap(), PDF_LIMIT_DEFAULT);
        assert_eq!(limit(&["--pdf-size", "25MB"]).unwrap().bytes, 25_000_000);
        assert!(limit(&["--pdf-size", "100MiB"]).is_ok());
        for wrong in ["0", "1MB", "101MiB"] {
            let error = limit(&["--pdf-size", wrong]).unwrap_err().to_string();
            assert!(error.starts_with("IDEAVAULT_PDF_SIZE"), "{error}");
        }
    }

    #[test]
    fn the_audit_trail_is_kept_for_good_or_for_at_least_a_week() {
        assert_eq!(
            options(&[]).audit_retention().unwrap(),
            AuditRetention::default()
        );
        let both = ["--audit-retention", "400days", "--address-retention", "7d"];
        let expected = AuditRetention {
            entries: Some(chrono::Duration::days(400)),
            addresses: Some(chrono::Duration::days(7)),
        };
        assert_eq!(options(&both).audit_retention().unwrap(), expected);
        for flag in ["--audit-retention", "--address-retention"] {
            for wrong in ["0s", "167h", "101years", "300000000000years"] {
                let refused = options(&[flag, wrong]).audit_retention();
                let setting = flag.trim_start_matches("--").replace('-', "_");
                let setting = format!("IDEAVAULT_{}", setting.to_uppercase());
                let error = refused.unwrap_err().to_string();
                assert!(error.starts_with(&setting), "{error}");
            }
        }
    }

    #[test]
    fn a_duration_without_a_unit_is_refused_with_an_example() {
        let refused = parse_duration("30").unwrap_err();
        assert!(refused.contains("such as 90s"), "{refused}");
    }

    #[test]
    fn an_empty_view_window_is_refused() {
        assert!(options(&["--view-window", "0s"]).view_window().is_err());
        assert_eq!(options(&[]).view_window().unwrap().num_minutes(), 30);
    }
}
