//! Records denials in the audit trail, apart from the response: its duration must not reveal
//! anything.

use std::future::{Ready, ready};

use actix_web::body::MessageBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpRequest};
use ideavault_application::actor::Caller;
use ideavault_application::audit::{AccessDenial, Refused};
use ideavault_application::share_access::ShareReference;
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

/// Records the denials of one request. Few a minute are recorded for each client, so that a
/// denial costs less than a success.
#[derive(Clone)]
pub struct Denials {
    use_cases: UseCases,
    rates: Rates,
    origin: Origin,
}

impl Denials {
    /// Records that a link denied access. `link` is none if the request had no valid
    /// token.
    pub fn record_access_denial(&self, denial: AccessDenial, link: Option<ShareReference>) {
        let Some(origin) = self.admitted() else {
            return;
        };
        self.use_cases.run_later("recording a denial", move |app| {
            app.audit.gate_denied(denial, link.as_ref(), origin)
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
        let denials = self.clone();
        let watched = move |app: &App| {
            let answer = work(app, &caller).map_err(Into::into);
            if let Err(failure) = &answer {
                denials.refused(failure, refused, caller);
            }
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
        let denials = self.clone();
        move |app| {
            let answer = work(app, &caller).map_err(Into::into);
            if let Err(failure) = &answer {
                denials.refused(failure, refused, caller.clone());
            }
            answer
        }
    }

    /// Records that `caller` was refused `refused`, if `failure` is a denial of access.
    fn refused(&self, failure: &Failure, refused: Refused, caller: Caller) {
        if !matches!(failure, Failure::NotFound | Failure::Forbidden(_)) {
            return;
        }
        let Some(origin) = self.admitted() else {
            return;
        };
        self.use_cases.run_later("recording a denial", move |app| {
            app.audit.refused(&refused, &caller, origin)
        });
    }

    /// Returns the client, unless enough of its denials are recorded.
    fn admitted(&self) -> Option<Origin> {
        let client = self.rates.client();
        // Nobody fills the trail so that the denials of others are not in it.
        let admitted = self.rates.here().admit(&[
            (RateLimit::RecordedDenials, LimitKey::client(client)),
            (
                RateLimit::RecordedDenialsOfAll,
                LimitKey::common("", client),
            ),
        ]);
        admitted.ok().map(|()| self.origin.clone())
    }
}

impl FromRequest for Denials {
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

/// Middleware that records exceeded rate limits, once a minute for each client, so that a
/// refusal costs less than what it refuses.
pub async fn record_limits<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let response = next.call(request).await?;
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        limit_reached(response.request());
    }
    Ok(response)
}

fn limit_reached(request: &HttpRequest) {
    let Ok(rates) = Rates::extract(request).into_inner() else {
        return;
    };
    let (Ok(use_cases), Ok(())) = (
        UseCases::of(request),
        rates.admit(RateLimit::RecordedRefusals, rates.client_key()),
    ) else {
        return;
    };
    let pattern = request.match_pattern().unwrap_or_default();
    let route = format!("{} {pattern}", request.method());
    let account = sessions::signed_in(request);
    let origin = ClientOrigin::of(request).0;
    use_cases.run_later("recording a limit", move |app| {
        app.audit.limit_reached(route, account, origin)
    });
}
