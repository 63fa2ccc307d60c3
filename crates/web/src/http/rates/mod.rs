//! Rate limits: 429 with `Retry-After` beyond them (docs/rules.md#rate-limits).

mod table;

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpRequest, ResponseError as _};
use ideavault_application::rate_limits::{RateLimits, RateWindows};
use ideavault_db::SqlDatabase;
use ideavault_domain::client_network::ClientNetwork;
use ideavault_domain::failure::Failure;
use ideavault_domain::rate_limit::{Counted, LimitKey, RateLimit};

use super::client::ClientOrigin;
use super::error::ApiError;
use super::sessions;
use super::turns::Work;
use super::use_cases::UseCases;
use crate::app::App;
use table::CountedFor;

pub use table::PUBLIC_LOG;

/// The limits for one request. Handlers apply those that depend on what the request is
/// about.
#[derive(Clone)]
pub struct Rates {
    limits: Arc<RateLimits<SqlDatabase>>,
    client: ClientNetwork,
}

impl Rates {
    /// Counts an event here unless the limit of `key` is reached.
    pub fn admit(&self, limit: RateLimit, key: LimitKey) -> Result<(), Failure> {
        Ok(self.here().admit(&[(limit, key)])?)
    }

    /// Returns what this server counts by itself.
    #[must_use]
    pub fn here(&self) -> &RateWindows {
        self.limits.here()
    }

    /// Returns the client's network.
    #[must_use]
    pub fn client(&self) -> ClientNetwork {
        self.client
    }

    /// Returns the key of limits by client.
    #[must_use]
    pub fn client_key(&self) -> LimitKey {
        LimitKey::client(self.client)
    }
}

impl FromRequest for Rates {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(rates(request).map_err(ApiError::from))
    }
}

/// Middleware that applies the limit of the route before anything else.
pub async fn limit<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    if let Err(failure) = admit(&request).await {
        let response = ApiError::from(failure).error_response();
        return Ok(request.into_response(response).map_into_right_body());
    }
    next.call(request)
        .await
        .map(ServiceResponse::map_into_left_body)
}

/// Returns whether every request to a route is limited.
#[cfg(test)]
pub fn has_limit(method: &str, pattern: &str) -> bool {
    table::of_route(method, pattern).is_some()
}

async fn admit(request: &ServiceRequest) -> Result<(), Failure> {
    let pattern = request.match_pattern().unwrap_or_default();
    let Some((limit, counted)) = table::of_route(request.method().as_str(), &pattern) else {
        return Ok(());
    };
    let rates = rates(request.request())?;
    let key = match counted {
        CountedFor::Address => rates.client_key(),
        CountedFor::User => match sessions::signed_in(request.request()) {
            Some(user) => LimitKey::of(user),
            // Not signed in: the handler responds with 401.
            None => return Ok(()),
        },
    };
    rates.admit(limit, key.clone())?;
    match limit.rule().counted {
        Counted::Here | Counted::WithMail => Ok(()),
        Counted::Everywhere => {
            UseCases::of(request.request())?
                .run(Work::Query, move |app: &App| {
                    app.limits.admit::<Failure>(limit, &key)
                })
                .await
        }
    }
}

fn rates(request: &HttpRequest) -> Result<Rates, Failure> {
    Ok(Rates {
        limits: UseCases::of(request)?.limits(),
        client: ClientOrigin::of(request).0.network(),
    })
}
