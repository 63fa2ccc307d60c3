//! Requests that name a share link.
//!
//! Invariant: a link that lets its caller no further is counted and recorded, whichever
//! call or document named it.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use ideavault_application::audit::AccessDenial;
use ideavault_application::share_access::{
    DownloadError, ShareAccessError, SharePreview, ShareReference, ShareView,
};
use ideavault_domain::client_network::ClientNetwork;
use ideavault_domain::failure::Failure;
use ideavault_domain::rate_limit::{CountLimit, RateLimit};
use ideavault_domain::token::Token;

use super::denials::Denials;
use super::error::{ApiError, chain};
use super::params;
use super::rates::Rates;
use super::turns::Work;
use super::use_cases::UseCases;
use crate::app::App;

/// Failures of use cases that a share link leads to.
pub trait LinkFailure: Into<Failure> + Send + 'static {
    /// Returns why the link let its caller no further, if that is what went wrong.
    fn denial(&self) -> Option<AccessDenial>;
}

impl LinkFailure for ShareAccessError {
    fn denial(&self) -> Option<AccessDenial> {
        match self {
            Self::NotFound => Some(AccessDenial::InvalidLink),
            Self::WrongAddress => Some(AccessDenial::WrongAddress),
            _ => None,
        }
    }
}

impl LinkFailure for DownloadError {
    fn denial(&self) -> Option<AccessDenial> {
        match self {
            Self::Gate(error) => error.denial(),
            _ => None,
        }
    }
}

/// Runs use cases for a request that names a link. Who guesses links has to wait.
pub struct LinkGuard {
    use_cases: UseCases,
    rates: Rates,
    denials: Denials,
}

impl LinkGuard {
    /// Fails while the client has named too many dead links.
    pub fn check(&self) -> Result<(), Failure> {
        let client = self.rates.client_key();
        Ok(self.rates.here().check(RateLimit::ShareMiss, &client)?)
    }

    /// Returns the client's network.
    pub fn client(&self) -> ClientNetwork {
        self.rates.client()
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
            self.denials
                .record_access_denial(AccessDenial::InvalidLink, None);
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
        let found = self.for_document(sent, work).await.flatten();
        found.map(|found| found.value)
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

    /// Returns the count of the client's misses.
    pub fn misses(&self) -> ShareMisses {
        ShareMisses(self.rates.clone())
    }

    /// Returns the use case that reads on `link`, perhaps several times, and counts and records if
    /// the link lets its caller no further.
    pub fn watching<T, E, F>(
        &self,
        link: ShareReference,
        work: F,
    ) -> impl Fn(&App) -> Result<T, Failure> + Clone + Send + use<T, E, F>
    where
        E: LinkFailure,
        F: Fn(&App) -> Result<T, E> + Clone + Send + 'static,
    {
        let dead_links = self.dead_links();
        move |app| dead_links.watch(app, link.clone(), &work)
    }

    fn dead_links(&self) -> DeadLinks {
        DeadLinks {
            misses: self.misses(),
            denials: self.denials.clone(),
        }
    }
}

/// Counts and records the links that let one client no further.
#[derive(Clone)]
struct DeadLinks {
    misses: ShareMisses,
    denials: Denials,
}

impl DeadLinks {
    /// Runs `work` on `link`, and counts and records if that lets the client no further.
    fn watch<T, E: LinkFailure>(
        &self,
        app: &App,
        link: ShareReference,
        work: impl FnOnce(&App) -> Result<T, E>,
    ) -> Result<T, Failure> {
        self.misses.check(app)?;
        // Counted where the work is done, since hanging up ends only the handler, and not before
        // it: many readers of one address may come at once. Perhaps twice, if a read is begun
        // again: the trail takes one a minute.
        work(app).map_err(|error| match error.denial() {
            Some(denial) => {
                self.denials.record_access_denial(denial, Some(link));
                self.misses.count(app, error)
            }
            None => error.into(),
        })
    }
}

/// The links that one client named and that were dead or not for it, on all servers together.
#[derive(Clone)]
pub struct ShareMisses(Rates);

impl ShareMisses {
    /// Fails while they are too many.
    ///
    /// # Errors
    /// [`Failure::TooMany`], or [`Failure::Unavailable`].
    pub fn check(&self, app: &App) -> Result<(), Failure> {
        let client = self.0.client_key();
        app.limits.check(RateLimit::ShareMiss, &client)
    }

    /// Returns the limits on them, for a statement that checks them together with something else.
    pub fn limits(&self, app: &App) -> Result<Vec<CountLimit>, Failure> {
        let client = self.0.client_key();
        Ok(app.limits.limits(RateLimit::ShareMiss, &client)?)
    }

    /// Counts one that failed with `error`. Returns the failure for the client, which is not told
    /// whether the link exists if there were too many.
    fn count(&self, app: &App, error: impl Into<Failure>) -> Failure {
        let client = self.0.client_key();
        match app.limits.admit(RateLimit::ShareMiss, &client) {
            Ok(()) => {
                self.0.here().count(RateLimit::ShareMiss, &client);
                error.into()
            }
            Err(refused) => refused,
        }
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
                denials: Denials::from_request(request, payload).into_inner()?,
            })
        };
        ready(guard())
    }
}
