//! The key of a request that a client may repeat.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use ideavault_domain::idempotency::IdempotencyKey;

use super::error::ApiError;

/// Name of the header (draft-ietf-httpapi-idempotency-key-header).
const HEADER: &str = "idempotency-key";

/// The request's key, if it has one. A key that cannot be one is refused with 400.
pub struct RequestKey(pub Option<IdempotencyKey>);

impl FromRequest for RequestKey {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let key = request.headers().get(HEADER).map(|value| {
            // Bytes that are no text are no key either.
            IdempotencyKey::parse(value.to_str().unwrap_or_default())
        });
        ready(
            key.transpose()
                .map(Self)
                .map_err(|invalid| ApiError::from(invalid).into()),
        )
    }
}
