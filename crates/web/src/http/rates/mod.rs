//! Rate limits: who asks too often is told to wait (429 with `Retry-After`).

mod table;
mod windows;

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpRequest, ResponseError as _, web};
use ideavault_domain::failure::Failure;

use super::client::ClientOrigin;
use super::error::ApiError;
use super::sessions;
use table::Counted;

pub use table::Limit;
pub use windows::Windows;

/// The limits, as a handler applies them to what only it knows.
#[derive(Clone)]
pub struct Rates {
    windows: Arc<Windows>,
    client: String,
}

impl Rates {
    /// Counts an event, unless the limit of `key` is reached.
    ///
    /// # Errors
    /// [`Failure::TooMany`].
    pub fn admit(&self, limit: Limit, key: &str) -> Result<(), Failure> {
        self.windows.admit(limit, key)
    }

    /// Refuses when the limit of `key` is reached, and counts nothing.
    ///
    /// # Errors
    /// [`Failure::TooMany`].
    pub fn check(&self, limit: Limit, key: &str) -> Result<(), Failure> {
        self.windows.check(limit, key)
    }

    /// Counts what was done already; the next check sees it.
    pub fn note(&self, limit: Limit, key: &str) {
        self.windows.note(limit, key);
    }

    /// Forgets what was counted for `key`.
    pub fn forget(&self, limit: Limit, key: &str) {
        self.windows.forget(limit, key);
    }

    /// The client, as limits count it.
    #[must_use]
    pub fn client(&self) -> &str {
        &self.client
    }
}

impl FromRequest for Rates {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(rates(request).map_err(ApiError::from))
    }
}

/// Applies the limit that a route has, before anything else is done for it.
pub async fn limit<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    if let Err(failure) = admit(&request) {
        let response = ApiError::from(failure).error_response();
        return Ok(request.into_response(response).map_into_right_body());
    }
    next.call(request)
        .await
        .map(ServiceResponse::map_into_left_body)
}

fn admit(request: &ServiceRequest) -> Result<(), Failure> {
    let pattern = request.match_pattern().unwrap_or_default();
    let Some((limit, counted)) = Limit::of_route(request.method().as_str(), &pattern) else {
        return Ok(());
    };
    let rates = rates(request.request())?;
    match counted {
        Counted::PerAddress => rates.admit(limit, rates.client()),
        // Nobody is signed in: the handler will say so.
        Counted::PerUser => sessions::signed_in(request.request())
            .map_or(Ok(()), |user| rates.admit(limit, &user.to_string())),
    }
}

fn rates(request: &HttpRequest) -> Result<Rates, Failure> {
    let windows = request
        .app_data::<web::Data<Windows>>()
        .ok_or_else(|| Failure::Internal("rate limits are not set up".into()))?;
    Ok(Rates {
        windows: Arc::clone(windows),
        client: network(ClientOrigin::of(request).0.ip),
    })
}

/// One client has one IPv4 address, and a whole /64 of IPv6.
fn network(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let prefix = Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX));
            format!("{prefix}/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_address_or_a_whole_ipv6_network() {
        let network = |text: &str| network(text.parse().unwrap());
        assert_eq!(network("203.0.113.7"), "203.0.113.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("2001:db8:1:2::"), network("2001:db8:1:2:ffff::1"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    }
}
