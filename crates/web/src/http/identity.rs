//! Extractors for the caller's identity.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_application::actor::Caller;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::token::Token;

use super::cookies::RecipientCookies;
use super::error::ApiError;
use super::sessions;

/// The signed-in creator. Responds with 401 without one.
#[derive(Clone, Copy, Debug)]
pub struct SignedIn(pub UserId);

impl FromRequest for SignedIn {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(
            sessions::signed_in(request)
                .map(Self)
                .ok_or_else(|| Failure::Unauthenticated("Please sign in".into()).into()),
        )
    }
}

/// The key of the recipient's browser, if it has one.
#[derive(Clone, Debug)]
pub struct Viewer(pub Option<Token>);

impl FromRequest for Viewer {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let viewer = request
            .app_data::<web::Data<RecipientCookies>>()
            .and_then(|cookies| cookies.viewer(request));
        ready(Ok(Self(viewer)))
    }
}

/// The caller: creator, recipient, both or neither.
pub struct Anyone(pub Caller);

impl FromRequest for Anyone {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let user = sessions::signed_in(request);
        let viewer = Viewer::from_request(request, payload).into_inner();
        ready(viewer.map(|Viewer(viewer)| Self(Caller { user, viewer })))
    }
}
