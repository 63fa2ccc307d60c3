//! The requests to authorities and calendars: few, small, and only to the operator's addresses.
//!
//! Invariant: no error text holds an address, because it can contain a password.

use std::fmt;
use std::pin::Pin;
use std::str::FromStr;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, ClientBuilder, Response, redirect};
use thiserror::Error;
use url::Url;

/// Default timeout of an exchange, from connecting to the last byte.
pub const TIMEOUT: Duration = Duration::from_secs(20);
/// Most characters of an address.
const ADDRESS_MAX: usize = 2000;

/// Why an address of the configuration is refused.
#[derive(Clone, Copy, Debug, Error, Eq, PartialEq)]
pub enum EndpointError {
    /// It cannot be parsed, has no host, or is too long.
    #[error("this is not a web address")]
    NotAnAddress,
    /// It is neither `http` nor `https`.
    #[error("the address must begin with http:// or https://")]
    Scheme,
    /// A fragment is never sent.
    #[error("the address must not contain #")]
    Fragment,
}

/// An address that the operator configured. Authorities often offer `http` only: what they send
/// is signed.
#[derive(Clone, Eq, PartialEq)]
pub struct Endpoint(Url);

impl Endpoint {
    /// Returns the host, with the port if there is an unusual one. It holds no password and can
    /// be shown.
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        match self.0.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// Returns the address with this name and password, in place of its own.
    pub(crate) fn with_credentials(&self, name: &str, password: &str) -> Self {
        let mut url = self.0.clone();
        // Cannot fail: an address of the web with a host may have both.
        let _named = url.set_username(name).is_ok() && url.set_password(Some(password)).is_ok();
        Self(url)
    }

    /// Returns the address with path segments appended.
    pub(crate) fn join(&self, segments: &[&str]) -> Self {
        let mut url = self.0.clone();
        // Cannot fail: an address with a host has a path.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        Self(url)
    }
}

impl FromStr for Endpoint {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() > ADDRESS_MAX {
            return Err(EndpointError::NotAnAddress);
        }
        let url = Url::parse(text).map_err(|_| EndpointError::NotAnAddress)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(EndpointError::Scheme);
        }
        // `https:host` would be read as if it had the slashes.
        if !url.has_host() || !text.contains("://") {
            return Err(EndpointError::NotAnAddress);
        }
        if url.fragment().is_some() {
            return Err(EndpointError::Fragment);
        }
        Ok(Self(url))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Endpoint({})", self.host())
    }
}

/// A request.
#[derive(Clone, Debug)]
pub struct HttpRequest<'a> {
    /// Where it is sent.
    pub endpoint: Endpoint,
    /// The media type that the client expects.
    pub accept: &'static str,
    /// Media type and body of a POST; a GET without.
    pub post: Option<(&'static str, &'a [u8])>,
    /// Most bytes of the response's body.
    pub response_max: usize,
}

/// A response of any status.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// The media type in lower case, without parameters.
    pub media_type: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no usable response.
#[derive(Debug, Error)]
pub enum HttpError {
    /// The HTTP library rejects the configuration.
    #[error("the HTTP client cannot be created")]
    Client(#[source] reqwest::Error),
    /// The server cannot be reached, or the connection was lost.
    #[error("the server cannot be reached")]
    Transport(#[source] reqwest::Error),
    /// The exchange did not end in time.
    #[error("the server did not respond in time")]
    TimedOut,
    /// The response exceeds the limit.
    #[error("the response is larger than {0} bytes")]
    TooLarge(usize),
    /// The server returned another status than a success; redirects are not followed.
    #[error("the server responded with status {0}")]
    Status(u16),
}

/// The future of a response.
pub type PendingResponse<'a> =
    Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

/// A client for HTTP.
pub trait HttpClient: Send + Sync {
    /// Sends a request and returns the response, also one that reports an error. Ends within a
    /// bounded time, reads no more than the limit, follows no redirects, and contacts no other
    /// address.
    fn send<'a>(&'a self, request: HttpRequest<'a>) -> PendingResponse<'a>;
}

/// [`HttpClient`] by reqwest.
#[derive(Clone, Debug)]
pub struct WebClient {
    client: Client,
}

impl WebClient {
    /// Creates a client that gives up after `timeout`: [`TIMEOUT`], less in tests.
    pub fn new(timeout: Duration) -> Result<Self, HttpError> {
        Self::build(Client::builder(), timeout)
    }

    /// Creates a client like [`WebClient::new`] that uses no proxy of the environment: for
    /// services of one's own, whose password a proxy must not see.
    pub fn without_proxy(timeout: Duration) -> Result<Self, HttpError> {
        Self::build(Client::builder().no_proxy(), timeout)
    }

    fn build(builder: ClientBuilder, timeout: Duration) -> Result<Self, HttpError> {
        let client = builder
            .timeout(timeout)
            // A redirect would lead to an address that the operator did not choose.
            .redirect(redirect::Policy::none())
            .referer(false)
            // Hours lie between two requests.
            .pool_max_idle_per_host(0)
            .user_agent("IdeaVault")
            .build()
            .map_err(HttpError::Client)?;
        Ok(Self { client })
    }

    async fn exchange(&self, request: HttpRequest<'_>) -> Result<HttpResponse, HttpError> {
        let url = request.endpoint.0;
        let builder = match request.post {
            Some((media_type, body)) => self
                .client
                .post(url)
                .header(CONTENT_TYPE, media_type)
                .body(body.to_vec()),
            None => self.client.get(url),
        };
        let response = builder
            .header(ACCEPT, request.accept)
            .send()
            .await
            .map_err(transport)?;
        Ok(HttpResponse {
            status: response.status().as_u16(),
            media_type: media_type(&response),
            body: bounded(response, request.response_max).await?,
        })
    }
}

impl HttpClient for WebClient {
    fn send<'a>(&'a self, request: HttpRequest<'a>) -> PendingResponse<'a> {
        Box::pin(self.exchange(request))
    }
}

fn media_type(response: &Response) -> Option<String> {
    let value = response.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    let essence = value.split(';').next()?;
    Some(essence.trim().to_ascii_lowercase())
}

async fn bounded(mut response: Response, max: usize) -> Result<Vec<u8>, HttpError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(transport)? {
        if bytes.len() + chunk.len() > max {
            return Err(HttpError::TooLarge(max));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn transport(error: reqwest::Error) -> HttpError {
    if error.is_timeout() {
        HttpError::TimedOut
    } else {
        HttpError::Transport(error.without_url())
    }
}

#[cfg(test)]
pub(crate) mod stub;

#[cfg(test)]
mod tests;
