//! Records what is refused in the audit trail, apart from the response: its duration must not reveal
//! anything.

use std::future::{Ready, ready};

use actix_web::body::MessageBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpRequest};
use ideavault_application::actor::Caller;
use ideavault_application::audit::Refused;
use ideavault_domain::failure::Failure;
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::Origin;

use super::client::ClientOrigin;
use super::error::ApiError;
use super::rates::Rates;
use super::sessions;
use super::turns::Work;
use super::use_cases::UseCases;
use crate::app::App;

/// Records what one request is refused.
#[derive(Clone)]
pub struct Refusals {
    use_cases: UseCases,
    rates: Rates,
    origin: Origin,
}

impl Refusals {
    /// Records that `caller` was refused something. Of what a client can provoke without end only a
    /// few a minute are recorded, so that a refusal costs less than what it refuses, and nobody fills
    /// the trail so that the refusals of others are not in it.
    pub fn record(&self, refused: Refused, caller: Caller) {
        let (client, network) = (self.rates.client_key(), self.rates.client());
        let limits = match &refused {
            // The login has limits of its own.
            Refused::Login(_) => Vec::new(),
            Refused::Limit(_) => vec![(RateLimit::RecordedRefusals, client)],
            Refused::Link(_)
            | Refused::Address(_)
            | Refused::File(_)
            | Refused::Comments { .. } => vec![
                (RateLimit::RecordedDenials, client),
                (
                    RateLimit::RecordedDenialsOfAll,
                    LimitKey::common("", network),
                ),
            ],
        };
        if self.rates.here().admit(&limits).is_err() {
            return;
        }
        let origin = self.origin.clone();
        self.use_cases.run_later("recording a refusal", move |app| {
            app.audit.refused(&refused, &caller, origin)
        });
    }

    /// Runs a use case for `caller`, and records if `refused` was refused: where the work is
    /// done, since hanging up ends only the handler.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn run<T, E, F>(
        &self,
        refused: Refused,
        caller: Caller,
        work: F,
    ) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App, &Caller) -> Result<T, E> + Send + 'static,
    {
        let refusals = self.clone();
        let watched = move |app: &App| {
            let answer = work(app, &caller).map_err(Into::into);
            refusals.watch(&answer, &refused, &caller);
            answer
        };
        self.use_cases.run(Work::Query, watched).await
    }

    /// Returns the use case that reads for `caller`, perhaps several times, and records if
    /// `refused` was refused.
    pub fn watching<T, E, F>(
        &self,
        refused: Refused,
        caller: Caller,
        work: F,
    ) -> impl Fn(&App) -> Result<T, Failure> + Clone + Send + use<T, E, F>
    where
        E: Into<Failure> + 'static,
        F: Fn(&App, &Caller) -> Result<T, E> + Clone + Send + 'static,
    {
        let refusals = self.clone();
        move |app| {
            let answer = work(app, &caller).map_err(Into::into);
            refusals.watch(&answer, &refused, &caller);
            answer
        }
    }

    fn watch<T>(&self, answer: &Result<T, Failure>, refused: &Refused, caller: &Caller) {
        if let Err(Failure::NotFound | Failure::Forbidden(_)) = answer {
            self.record(refused.clone(), caller.clone());
        }
    }
}

impl FromRequest for Refusals {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let use_cases = UseCases::of(request);
        let rates = Rates::from_request(request, payload).into_inner();
        ready(rates.and_then(|rates| {
            Ok(Self {
                use_cases: use_cases?,
                rates,
                origin: ClientOrigin::of(request).0,
            })
        }))
    }
}

/// Middleware that records exceeded rate limits.
pub async fn record_limits<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let response = next.call(request).await?;
    let request = response.request();
    if response.status() == StatusCode::TOO_MANY_REQUESTS
        && let Ok(refusals) = Refusals::extract(request).into_inner()
    {
        let pattern = request.match_pattern().unwrap_or_default();
        let caller = Caller {
            user: sessions::signed_in(request),
            viewer: None,
        };
        let route = format!("{} {pattern}", request.method());
        refusals.record(Refused::Limit(route), caller);
    }
    Ok(response)
}
