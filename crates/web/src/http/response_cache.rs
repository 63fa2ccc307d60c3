//! Responses that are cached as long as nothing is committed.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::Uri;
use actix_web::http::header::{self, ContentEncoding, ContentType, HeaderName, HeaderValue};
use actix_web::http::uri::PathAndQuery;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use ideavault_application::fresh::Fresh;
use ideavault_domain::digest::Digest;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::page::Page;
use ideavault_domain::token::{Token, TokenHash};
use serde::Serialize;

use super::cache::Weighed;
use super::compression::gzip;
use super::cpu_bound::UseCases;
use super::error::ApiError;
use super::paging::Paged;
use crate::app::App;

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

    /// Compresses the body if the browser accepts that. See [`gzip`] for what must not be in it.
    ///
    /// # Errors
    /// [`Failure::Internal`] if it cannot be compressed.
    pub fn compressed(mut self, is_accepted: bool) -> Result<Self, Failure> {
        self.encoding = Some(ContentEncoding::Identity);
        if is_accepted && self.body.len() >= COMPRESSED_MIN {
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

impl From<CacheableResponse> for HttpResponse {
    fn from(cached: CacheableResponse) -> Self {
        let mut response = Self::Ok();
        if let Some(header) = cached.header {
            response.insert_header(header);
        }
        if let Some(encoding) = cached.encoding {
            response.insert_header((header::VARY, "Accept-Encoding"));
            if encoding != ContentEncoding::Identity {
                response.insert_header(encoding);
            }
        }
        response.content_type(ContentType::json()).body(cached.body)
    }
}

/// Everything that the response to a GET depends on, besides the data and the time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResponseKey {
    user: Option<UserId>,
    viewer: Option<TokenHash>,
    /// Digest of path and query, which may hold a secret, and of the client's network where the
    /// response depends on that.
    target: Digest,
    accepts_gzip: bool,
}

/// Responds to one GET request, if possible with the response to an earlier one.
pub struct ResponseCache {
    use_cases: UseCases,
    uri: Uri,
    client: Option<String>,
    accepts_gzip: bool,
}

impl ResponseCache {
    /// Returns the same cache, in which browsers that accept compressed responses, or not, find
    /// only those of their kind.
    #[must_use]
    pub fn for_encoding(self, accepts_gzip: bool) -> Self {
        Self {
            accepts_gzip,
            ..self
        }
    }

    /// Returns the same cache, in which each client's network finds only what was sent to itself:
    /// for what it may get only so often.
    #[must_use]
    pub fn for_client(self, client: &str) -> Self {
        let client = Some(client.to_owned());
        Self { client, ..self }
    }

    /// Returns the earlier response to the caller; else what `soon` finds without a wait; else
    /// what `work` finds. All of them read.
    ///
    /// # Errors
    /// Those of `work`, or [`Failure::Unavailable`].
    pub async fn find<E, F>(
        &self,
        user: Option<UserId>,
        viewer: Option<&Token>,
        soon: impl FnOnce(&App) -> Option<Fresh<CacheableResponse>>,
        work: F,
    ) -> Result<HttpResponse, Failure>
    where
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<Fresh<CacheableResponse>, E> + Send + 'static,
    {
        let target = self.uri.path_and_query().map_or("", PathAndQuery::as_str);
        let key = ResponseKey {
            user,
            viewer: viewer.map(Token::hash),
            target: match &self.client {
                // No address has a space.
                Some(client) => Digest::of(format!("{target} {client}").as_bytes()),
                None => Digest::of(target.as_bytes()),
            },
            accepts_gzip: self.accepts_gzip,
        };
        Ok(self.use_cases.response(key, soon, work).await?.into())
    }

    /// Returns the earlier response to the caller, or the page of a list that `work` reads.
    ///
    /// # Errors
    /// Those of [`find`](Self::find).
    pub async fn page<V, T, E, F>(
        &self,
        user: Option<UserId>,
        viewer: Option<&Token>,
        work: F,
    ) -> Result<HttpResponse, Failure>
    where
        V: From<T> + Serialize,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<Fresh<Page<T>>, E> + Send + 'static,
    {
        let uri = self.uri.clone();
        let write = move |app: &App| {
            let Fresh { value, until } = work(app).map_err(Into::into)?;
            let value = Paged::<V>::from(value).response(&uri)?;
            Ok::<_, Failure>(Fresh { value, until })
        };
        self.find(user, viewer, |_| None, write).await
    }
}

impl FromRequest for ResponseCache {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let uri = request.uri().clone();
        let use_cases = UseCases::from_request(request, payload).into_inner();
        ready(use_cases.map(|use_cases| Self {
            use_cases,
            uri,
            client: None,
            accepts_gzip: false,
        }))
    }
}
