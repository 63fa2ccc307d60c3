//! Responses that are written where the work is done, so that they can be cached, and what they are
//! found by there.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, ContentEncoding, ContentType, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use ideavault_domain::digest::Digest;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::token::TokenHash;
use serde::Serialize;

use super::cache::Weighed;
use super::compression::gzip;

/// Smaller bodies are sent as they are: they fill one packet at most.
const COMPRESSED_MIN: usize = 1024;

/// A successful response with JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheableResponse {
    body: Bytes,
    header: Option<(HeaderName, HeaderValue)>,
    /// How the body is encoded, if that depends on the browser.
    encoding: Option<ContentEncoding>,
}

impl CacheableResponse {
    /// Writes the body.
    ///
    /// # Errors
    /// [`Failure::Internal`] if it cannot be written.
    pub fn json(body: &impl Serialize) -> Result<Self, Failure> {
        let body = serde_json::to_vec(body).map_err(|error| Failure::Internal(Box::new(error)))?;
        Ok(Self {
            body: body.into(),
            header: None,
            encoding: None,
        })
    }

    /// Lets it be compressed. See [`gzip`] for what must not be in it.
    #[must_use]
    pub fn compressible(mut self) -> Self {
        self.encoding = Some(ContentEncoding::Identity);
        self
    }

    /// Compresses what may be, if the browser accepts that.
    ///
    /// # Errors
    /// [`Failure::Internal`] if it cannot be compressed.
    pub(super) fn compressed(mut self, is_accepted: bool) -> Result<Self, Failure> {
        if self.encoding.is_some() && is_accepted && self.body.len() >= COMPRESSED_MIN {
            let body = gzip(&self.body).map_err(|error| Failure::Internal(Box::new(error)))?;
            self.body = body.into();
            self.encoding = Some(ContentEncoding::Gzip);
        }
        Ok(self)
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self {
            header: Some((name, value)),
            ..self
        }
    }
}

impl Weighed for CacheableResponse {
    fn bytes(&self) -> usize {
        let header = self.header.as_ref().map_or(0, |(_, value)| value.len());
        self.body.len() + header
    }
}

impl CacheableResponse {
    /// Responds with it.
    #[must_use]
    pub fn respond(self, status: StatusCode) -> HttpResponse {
        let mut response = HttpResponse::build(status);
        if let Some(header) = self.header {
            response.insert_header(header);
        }
        if let Some(encoding) = self.encoding {
            response.insert_header((header::VARY, "Accept-Encoding"));
            if encoding != ContentEncoding::Identity {
                response.insert_header(encoding);
            }
        }
        response.content_type(ContentType::json()).body(self.body)
    }
}

impl From<CacheableResponse> for HttpResponse {
    fn from(cached: CacheableResponse) -> Self {
        cached.respond(StatusCode::OK)
    }
}

/// Everything that the response to a GET depends on, besides the data and the time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResponseKey {
    pub(super) user: Option<UserId>,
    pub(super) viewer: Option<TokenHash>,
    /// Digest of path and query, which may hold a secret, and of the client's network where the
    /// response depends on that.
    pub(super) target: Digest,
    pub(super) accepts_gzip: bool,
}
