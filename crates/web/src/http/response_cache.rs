//! Responses that are cached as long as nothing is committed.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::Uri;
use actix_web::http::header::Encoding;
use actix_web::http::uri::PathAndQuery;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use ideavault_domain::client_network::ClientNetwork;
use ideavault_domain::digest::Digest;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::page::Page;
use ideavault_domain::token::Token;
use serde::Serialize;

use super::cacheable::{CacheableResponse, ResponseKey};
use super::compression::accepts;
use super::error::ApiError;
use super::paging::Paged;
use super::use_cases::UseCases;
use crate::app::App;

/// Responds to one GET request, if possible with the response to an earlier one.
pub struct ResponseCache {
    use_cases: UseCases,
    uri: Uri,
    client: Option<ClientNetwork>,
    accepts_gzip: bool,
}

impl ResponseCache {
    /// Returns the same cache, in which each client's network finds only what was sent to itself:
    /// for what it may get only so often.
    #[must_use]
    pub fn for_client(self, client: ClientNetwork) -> Self {
        let client = Some(client);
        Self { client, ..self }
    }

    /// Returns the earlier response to the caller; else what `work` finds, which reads, perhaps
    /// several times.
    ///
    /// # Errors
    /// Those of `work`, or [`Failure::Unavailable`].
    pub async fn find<E, F>(
        &self,
        user: Option<UserId>,
        viewer: Option<&Token>,
        work: F,
    ) -> Result<HttpResponse, Failure>
    where
        E: Into<Failure> + Send + 'static,
        F: Fn(&App) -> Result<CacheableResponse, E> + Clone + Send + 'static,
    {
        self.find_by_key(user, viewer, |_| None, work).await
    }

    /// Returns the earlier response to the caller; else what `fast_path` finds by keys without a
    /// wait; else what `work` finds. All of them read, perhaps several times.
    ///
    /// # Errors
    /// Those of `work`, or [`Failure::Unavailable`].
    pub async fn find_by_key<E, F>(
        &self,
        user: Option<UserId>,
        viewer: Option<&Token>,
        fast_path: impl FnOnce(&App) -> Option<CacheableResponse>,
        work: F,
    ) -> Result<HttpResponse, Failure>
    where
        E: Into<Failure> + Send + 'static,
        F: Fn(&App) -> Result<CacheableResponse, E> + Clone + Send + 'static,
    {
        let accepts_gzip = self.accepts_gzip;
        let fast_path = move |app: &App| fast_path(app)?.compressed(accepts_gzip).ok();
        let work = move |app: &App| {
            let found = work(app).map_err(Into::<Failure>::into)?;
            found.compressed(accepts_gzip)
        };
        let target = self.uri.path_and_query().map_or("", PathAndQuery::as_str);
        let key = ResponseKey {
            user,
            viewer: viewer.map(Token::hash),
            target: match &self.client {
                // No address has a space.
                Some(client) => Digest::of(format!("{target} {client}").as_bytes()),
                None => Digest::of(target.as_bytes()),
            },
            accepts_gzip,
        };
        Ok(self.use_cases.response(key, fast_path, work).await?.into())
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
        F: Fn(&App) -> Result<Page<T>, E> + Clone + Send + 'static,
    {
        let uri = self.uri.clone();
        let write = move |app: &App| {
            let found = work(app).map_err(Into::<Failure>::into)?;
            Paged::<V>::from(found).response(&uri)
        };
        self.find(user, viewer, write).await
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
            accepts_gzip: accepts(request, &Encoding::gzip()),
        }))
    }
}
