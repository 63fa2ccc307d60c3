//! Who sent a request: the signed-in account, or the client's network if nobody is signed in.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::failure::Failure;

use super::callers::Caller;
use super::client::ClientOrigin;
use super::error::ApiError;
use super::executor::Executor;
use super::sessions;
use super::use_cases::UseCases;

impl FromRequest for UseCases {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request).map_err(ApiError::from))
    }
}

impl UseCases {
    /// Returns the use cases for who sent `request`.
    pub fn of(request: &HttpRequest) -> Result<Self, Failure> {
        let executor = request
            .app_data::<web::Data<Executor>>()
            .ok_or_else(|| Failure::Internal("the use cases are not set up".into()))?;
        Ok(executor.for_caller(caller(request)))
    }
}

/// Returns who sent a request.
pub(super) fn caller(request: &HttpRequest) -> Caller {
    let network = ClientOrigin::of(request).0.network();
    match sessions::signed_in(request) {
        Some(user) => Caller::account(user, network),
        None => Caller::network(network),
    }
}
