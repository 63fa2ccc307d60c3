//! On whose account a request is served: that of the signed-in account, or of the client's network
//! if nobody is signed in.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::failure::Failure;

use super::client::ClientOrigin;
use super::error::ApiError;
use super::executor::Executor;
use super::sessions;
use super::turns::Payer;
use super::use_cases::UseCases;

impl FromRequest for UseCases {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request).map_err(ApiError::from))
    }
}

impl UseCases {
    /// Returns the use cases on the account of who sent `request`.
    ///
    /// # Errors
    /// [`Failure::Internal`].
    pub fn of(request: &HttpRequest) -> Result<Self, Failure> {
        let executor = request
            .app_data::<web::Data<Executor>>()
            .ok_or_else(|| Failure::Internal("the use cases are not set up".into()))?;
        Ok(executor.for_payer(payer(request)))
    }
}

/// Returns on whose account a request is served.
pub(super) fn payer(request: &HttpRequest) -> Payer {
    match sessions::signed_in(request) {
        Some(user) => Payer::account(user),
        None => Payer::network(&ClientOrigin::of(request).0.network().to_string()),
    }
}
