//! Requests that name a share link.
//!
//! Invariant: a link that lets its caller no further is counted and recorded, whichever
//! call or document named it.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use ideavault_application::actor::Caller;
use ideavault_application::audit::Refused;
use ideavault_application::share_access::{
    DownloadError, ShareAccessError, SharePreview, ShareReference, ShareView,
};
use ideavault_domain::failure::Failure;
use ideavault_domain::rate_limit::{CountLimit, RateLimit};
use ideavault_domain::token::Token;
use ideavault_domain::visit::VisitEnding;

use super::cacheable::CacheableResponse;
use super::error::{ApiError, chain};
use super::params;
use super::rates::Rates;
use super::refusals::Refusals;
use super::response_cache::ResponseCache;
use super::turns::Work;
use super::use_cases::UseCases;
use crate::app::App;

/// Failures of use cases that a share link leads to.
pub trait LinkFailure: Into<Failure> + Send + 'static {
    /// Returns what is recorded if `link` let its caller no further, and that is what went wrong.
    fn refused(&self, link: ShareReference) -> Option<Refused>;
}

impl LinkFailure for ShareAccessError {
    fn refused(&self, link: ShareReference) -> Option<Refused> {
        match self {
            Self::NotFound => Some(Refused::Link(Some(link))),
            // Who closed the document can open it again.
            Self::Ended(visit) if visit.ending != VisitEnding::Closed => {
                Some(Refused::Link(Some(link)))
            }
            Self::WrongAddress => Some(Refused::Address(link)),
            _ => None,
        }
    }
}

impl LinkFailure for DownloadError {
    fn refused(&self, link: ShareReference) -> Option<Refused> {
        match self {
            Self::Gate(error) => error.refused(link),
            _ => None,
        }
    }
}

/// Runs use cases for a request that names a link. Who guesses links has to wait.
pub struct LinkGuard {
    use_cases: UseCases,
    rates: Rates,
    refusals: Refusals,
}

impl LinkGuard {
    /// Fails while the client has named too many dead links.
    pub fn check(&self) -> Result<(), Failure> {
        let client = self.rates.client_key();
        Ok(self.rates.here().check(RateLimit::ShareMiss, &client)?)
    }

    /// Returns the token that was sent.
    ///
    /// # Errors
    /// [`Failure::TooMany`] as [`check`](Self::check) does, and
    /// [`Failure::NotFound`] for what is no token.
    pub fn token(&self, sent: &str) -> Result<Token, Failure> {
        self.check()?;
        params::token(sent).inspect_err(|_| {
            let client = self.rates.client_key();
            self.rates.here().count(RateLimit::ShareMiss, &client);
            self.refusals.record(Refused::Link(None), Caller::default());
        })
    }

    /// Returns what the link shows to a newcomer, for the document of its page; none while the
    /// client names too many links.
    pub async fn preview(&self, sent: &str) -> Option<SharePreview> {
        self.for_document(sent, |app, token| app.share_access.preview(token))
            .await
    }

    /// Returns what the link shows again to a browser with that key, for the document of its
    /// page; none where that would be counted or recorded, and as [`preview`](Self::preview) does.
    pub async fn open_again(&self, sent: &str, viewer: Token) -> Option<ShareView> {
        let work =
            move |app: &App, token: &Token| app.share_access.open_again(token, Some(&viewer), &[]);
        self.for_document(sent, work).await.flatten()
    }

    async fn for_document<T: Send + 'static>(
        &self,
        sent: &str,
        work: impl Fn(&App, &Token) -> Result<T, ShareAccessError> + Clone + Send + 'static,
    ) -> Option<T> {
        let token = params::token(sent).ok()?;
        let client = self.rates.client_key();
        self.check().ok()?;
        self.rates.admit(RateLimit::SharePreview, client).ok()?;
        let dead_links = self.dead_links();
        let work = move |app: &App| {
            let link = ShareReference::Token(token.clone());
            dead_links.watch(app, link, |app| work(app, &token))
        };
        match self.use_cases.read_by_key(Work::Query, work).await {
            Ok(found) => Some(found),
            Err(Failure::NotFound) => None,
            Err(failure) => {
                tracing::debug!(error = chain(&failure), "a document goes without its link");
                None
            }
        }
    }

    /// Runs a use case on the link with the token that was `sent`.
    ///
    /// # Errors
    /// Those of [`token`](Self::token) and of [`run`](Self::run).
    pub async fn run_on<T, E, F>(&self, sent: &str, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: LinkFailure,
        F: FnOnce(&App, &Token) -> Result<T, E> + Send + 'static,
    {
        let token = self.token(sent)?;
        let link = ShareReference::Token(token.clone());
        self.run(link, move |app| work(app, &token)).await
    }

    /// Runs a use case on `link`.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn run<T, E, F>(&self, link: ShareReference, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: LinkFailure,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        let dead_links = self.dead_links();
        let watched = move |app: &App| dead_links.watch(app, link, work);
        self.use_cases.run(Work::Query, watched).await
    }

    /// Responds with what the link shows to a browser with that key, if possible as to it before.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn open(
        &self,
        cache: ResponseCache,
        token: Token,
        viewer: Option<Token>,
        write: impl Fn(ShareView) -> Result<CacheableResponse, Failure> + Clone + Send + 'static,
    ) -> Result<HttpResponse, Failure> {
        let cache = cache.for_client(self.rates.client());
        let key = viewer.clone();
        // Mostly one statement finds what a browser was shown before. Errors are left to `open`.
        let again = {
            let (dead_links, write) = (self.dead_links(), write.clone());
            let (token, viewer) = (token.clone(), viewer.clone());
            move |app: &App| {
                let misses = dead_links.limits(app).ok()?;
                let shown = app
                    .share_access
                    .open_again(&token, viewer.as_ref(), &misses);
                write(shown.ok()??).ok()
            }
        };
        let dead_links = self.dead_links();
        let open = move |app: &App| {
            let misses = dead_links.limits(app)?;
            let opened = app.share_access.open(&token, viewer.as_ref(), &misses);
            let link = ShareReference::Token(token.clone());
            write(dead_links.counted(app, link, opened)?)
        };
        cache.find_by_key(None, key.as_ref(), again, open).await
    }

    fn dead_links(&self) -> DeadLinks {
        DeadLinks {
            rates: self.rates.clone(),
            refusals: self.refusals.clone(),
        }
    }
}

/// Counts and records the links that let one client no further, on all servers together.
#[derive(Clone)]
struct DeadLinks {
    rates: Rates,
    refusals: Refusals,
}

impl DeadLinks {
    /// Runs `work` on `link`, and counts and records if that lets the client no further. Fails while
    /// that has happened too often.
    fn watch<T, E: LinkFailure>(
        &self,
        app: &App,
        link: ShareReference,
        work: impl FnOnce(&App) -> Result<T, E>,
    ) -> Result<T, Failure> {
        let client = self.rates.client_key();
        app.limits.check::<Failure>(RateLimit::ShareMiss, &client)?;
        self.counted(app, link, work(app))
    }

    /// Returns the limit on them, for a statement that checks it together with something else.
    fn limits(&self, app: &App) -> Result<Vec<CountLimit>, Failure> {
        let client = self.rates.client_key();
        Ok(app.limits.limits(RateLimit::ShareMiss, &client)?)
    }

    /// Counts and records if `done` on `link` let the client no further: once for a read that is
    /// begun again, since only what was counted is recorded, and nothing once there were too many.
    /// Where the work is done, since hanging up ends only the handler, and not before it: many
    /// readers of one address may come at once. The client is not told whether the link exists if
    /// there were too many.
    fn counted<T, E: LinkFailure>(
        &self,
        app: &App,
        link: ShareReference,
        done: Result<T, E>,
    ) -> Result<T, Failure> {
        done.or_else(|error| {
            let Some(refused) = error.refused(link) else {
                return Err(error.into());
            };
            let client = self.rates.client_key();
            let counted = app.limits.admit(RateLimit::ShareMiss, &client);
            // What only the database knew to be too much is refused here from now on.
            if matches!(counted, Ok(()) | Err(Failure::TooMany { .. })) {
                self.rates.here().count(RateLimit::ShareMiss, &client);
            }
            counted?;
            self.refusals.record(refused, Caller::default());
            Err(error.into())
        })
    }
}

impl FromRequest for LinkGuard {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let mut guard = || {
            Ok(Self {
                use_cases: UseCases::from_request(request, payload).into_inner()?,
                rates: Rates::from_request(request, payload).into_inner()?,
                refusals: Refusals::from_request(request, payload).into_inner()?,
            })
        };
        ready(guard())
    }
}
