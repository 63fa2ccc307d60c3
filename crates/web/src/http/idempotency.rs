//! The key of a request that a client may repeat.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use ideavault_domain::failure::Invalid;
use ideavault_domain::idempotency::IdempotencyKey;

use super::error::ApiError;

/// Name of the header (draft-ietf-httpapi-idempotency-key-header).
const HEADER: &str = "idempotency-key";

/// The request's key, if it has one. A key that cannot be one is refused with 400.
pub struct RequestKey(pub Option<IdempotencyKey>);

/// The key of a request whose answer has a key for a browser: it has to be a secret.
pub struct SecretRequestKey(pub Option<IdempotencyKey>);

impl FromRequest for RequestKey {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(key(request, IdempotencyKey::parse).map(Self))
    }
}

impl FromRequest for SecretRequestKey {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(key(request, IdempotencyKey::parse_secret).map(Self))
    }
}

fn key(
    request: &HttpRequest,
    parse: impl Fn(&str) -> Result<IdempotencyKey, Invalid>,
) -> actix_web::Result<Option<IdempotencyKey>> {
    let header = request.headers().get(HEADER);
    // Bytes that are no text are no key either.
    let key = header.map(|value| parse(value.to_str().unwrap_or_default()));
    key.transpose()
        .map_err(|invalid| ApiError::from(invalid).into())
}
