//! Where a bucket is, and how requests to it are signed.

use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::{HttpClient, HttpConnector};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use reqwest::redirect;
use thiserror::Error;
use url::{Host, Url};

use super::crypto::Sha256Provider;

/// The region that servers take which have none.
const REGION: &str = "us-east-1";
/// Repetitions of a request that was refused for the moment, or not answered.
const RETRIES: usize = 2;
/// No repetition begins after that time.
const RETRY_TIMEOUT: Duration = Duration::from_secs(4);
const FIRST_BACKOFF: Duration = Duration::from_millis(100);
const MAX_BACKOFF: Duration = Duration::from_secs(1);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Proxies forget connections that are idle for longer, without saying so.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);

/// A bucket, and the part of its keys that all objects have in common:
/// `s3://BUCKET/PREFIX`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketAddress {
    bucket: String,
    pub(super) prefix: Path,
}

impl fmt::Display for BucketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3://{}", self.bucket)?;
        match self.prefix.as_ref() {
            "" => Ok(()),
            prefix => write!(f, "/{prefix}"),
        }
    }
}

impl FromStr for BucketAddress {
    type Err = BucketError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || BucketError::Address(text.to_owned());
        let rest = text.strip_prefix("s3://").ok_or_else(refused)?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let is_name = !bucket.is_empty() && bucket.chars().all(is_allowed);
        let is_prefix = prefix.chars().all(|c| is_allowed(c) || c == '/');
        if !is_name || !is_prefix {
            return Err(refused());
        }
        Ok(Self {
            bucket: bucket.to_owned(),
            prefix: Path::parse(prefix).map_err(|_| refused())?,
        })
    }
}

/// Everything that is needed to use a bucket.
#[derive(Clone)]
pub struct BucketSettings {
    /// The bucket.
    pub address: BucketAddress,
    /// Address of the server; that of Amazon in the region without one.
    pub endpoint: Option<String>,
    /// Region of the bucket.
    pub region: Option<String>,
    /// Id of the key that signs requests.
    pub access_key_id: Option<String>,
    /// That key.
    pub secret_access_key: Option<String>,
    /// The session token of a temporary key.
    pub session_token: Option<String>,
    /// Whether the server may be on another machine and speak HTTP without TLS.
    pub allow_http: bool,
}

/// Why a bucket cannot be used.
#[derive(Debug, Error)]
pub enum BucketError {
    /// It is no address of a bucket.
    #[error(
        "{0} is not a bucket: write s3://BUCKET or s3://BUCKET/PREFIX, with letters, digits and \
         -._"
    )]
    Address(String),
    /// The value of `AWS_ENDPOINT_URL` is not an address.
    #[error("AWS_ENDPOINT_URL is not the address of a server, such as https://s3.example.org")]
    Endpoint,
    /// Requests would pass the network in the clear.
    #[error(
        "AWS_ENDPOINT_URL is http:// on another machine: use https://, or set \
         AWS_ALLOW_HTTP=true if the network between is yours alone"
    )]
    PlainHttp,
    /// There is no key to sign requests with.
    #[error("the bucket needs its key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")]
    NoKey,
    /// The client cannot be built.
    #[error("the client of the bucket cannot be built")]
    Client(#[from] object_store::Error),
    /// The thread for requests cannot be started.
    #[error("the thread for requests to the bucket cannot be started")]
    Thread(#[source] io::Error),
}

impl BucketSettings {
    /// Builds the client.
    pub(super) fn client(&self) -> Result<AmazonS3, BucketError> {
        let (Some(key_id), Some(key)) = (&self.access_key_id, &self.secret_access_key) else {
            return Err(BucketError::NoKey);
        };
        let options = ClientOptions::new().with_allow_http(self.is_http()?);
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&self.address.bucket)
            .with_region(self.region.as_deref().unwrap_or(REGION))
            .with_access_key_id(key_id)
            .with_secret_access_key(key)
            .with_crypto_provider(Arc::new(Sha256Provider))
            .with_http_connector(WithoutRedirects {
                is_http: self.is_http()?,
            })
            .with_client_options(options)
            // Many servers lack the request that deletes several.
            .with_disable_bulk_delete(true)
            .with_retry(RetryConfig {
                backoff: BackoffConfig {
                    init_backoff: FIRST_BACKOFF,
                    max_backoff: MAX_BACKOFF,
                    ..BackoffConfig::default()
                },
                max_retries: RETRIES,
                retry_timeout: RETRY_TIMEOUT,
            });
        if let Some(token) = &self.session_token {
            builder = builder.with_token(token);
        }
        if let Some(endpoint) = &self.endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        Ok(builder.build()?)
    }

    /// Returns whether the server is to be reached without TLS.
    fn is_http(&self) -> Result<bool, BucketError> {
        let Some(endpoint) = &self.endpoint else {
            return Ok(false);
        };
        let url = Url::parse(endpoint).map_err(|_| BucketError::Endpoint)?;
        let is_plain = url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        let is_loopback = match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => return Err(BucketError::Endpoint),
        };
        match url.scheme() {
            _ if !is_plain => Err(BucketError::Endpoint),
            "https" => Ok(false),
            "http" if is_loopback || self.allow_http => Ok(true),
            "http" => Err(BucketError::PlainHttp),
            _ => Err(BucketError::Endpoint),
        }
    }
}

/// The HTTP client. A redirect would take the files, and the signature of the request, to an
/// address that the operator did not choose.
#[derive(Debug)]
struct WithoutRedirects {
    is_http: bool,
}

impl HttpConnector for WithoutRedirects {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .https_only(!self.is_http)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .http1_only()
            .user_agent("IdeaVault")
            // A body arrives as fast as it is wanted: each caller has its own limit.
            .build()
            .map_err(|error| object_store::Error::Generic {
                store: "S3",
                source: Box::new(error),
            })?;
        Ok(HttpClient::new(client))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> BucketSettings {
        BucketSettings {
            address: "s3://vault/files".parse().unwrap(),
            endpoint: None,
            region: None,
            access_key_id: Some("id".into()),
            secret_access_key: Some("hush".into()),
            session_token: None,
            allow_http: false,
        }
    }

    fn with_endpoint(endpoint: &str) -> BucketSettings {
        BucketSettings {
            endpoint: Some(endpoint.to_owned()),
            ..settings()
        }
    }

    #[test]
    fn an_address_names_a_bucket_and_perhaps_a_prefix() {
        for (text, shown) in [
            ("s3://vault", "s3://vault"),
            ("s3://vault/", "s3://vault"),
            ("s3://my.vault-1/a/b_c", "s3://my.vault-1/a/b_c"),
            ("s3://vault/files/", "s3://vault/files"),
        ] {
            let address: BucketAddress = text.parse().unwrap();
            assert_eq!(address.to_string(), shown);
        }
        for text in [
            "",
            "vault",
            "/data/files",
            "s3://",
            "s3:///files",
            "https://vault/files",
            "s3://vault/a//b",
            "s3://vault/../b",
            "s3://vault/a?b",
            "s3://va ult",
        ] {
            assert!(text.parse::<BucketAddress>().is_err(), "{text}");
        }
    }

    #[test]
    fn http_is_for_the_machine_itself_unless_it_is_allowed() {
        for endpoint in [
            "https://s3.example.org",
            "http://127.0.0.1:9000",
            "http://[::1]:9000/",
            "http://localhost:9000",
        ] {
            assert!(with_endpoint(endpoint).client().is_ok(), "{endpoint}");
        }
        let elsewhere = with_endpoint("http://10.0.0.7:9000");
        assert!(matches!(elsewhere.client(), Err(BucketError::PlainHttp)));
        let allowed = BucketSettings {
            allow_http: true,
            ..elsewhere
        };
        assert!(allowed.client().is_ok());
    }

    #[test]
    fn an_unusable_endpoint_is_refused_without_being_shown() {
        for endpoint in ["hush", "ftp://hush", "https://id:hush@s3.example.org"] {
            let refused = with_endpoint(endpoint).client().unwrap_err();
            assert!(matches!(refused, BucketError::Endpoint), "{endpoint}");
            assert!(!refused.to_string().contains("hush"));
        }
    }

    #[test]
    fn a_bucket_needs_both_parts_of_its_key() {
        let mut keyless = settings();
        keyless.secret_access_key = None;
        assert!(matches!(keyless.client(), Err(BucketError::NoKey)));
    }
}
