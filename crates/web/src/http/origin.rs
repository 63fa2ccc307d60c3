//! Protection against cross-site request forgery (docs/security.md#threats-and-answers).

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, ORIGIN};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError as _, web};

use super::error::ApiError;

/// The origin of our own pages.
#[derive(Clone, Debug)]
pub struct PublicOrigin(pub String);

impl PublicOrigin {
    /// Returns whether browsers use TLS, so that cookies must be `Secure`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

/// Middleware that refuses unsafe methods from other sites. Clients that are not browsers
/// send neither header and pass: they do not carry another person's cookies.
pub async fn refuse_cross_site<B: MessageBody>(
    own: web::Data<PublicOrigin>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    if request.method().is_safe() || is_own(request.headers(), &own.0) {
        return next
            .call(request)
            .await
            .map(ServiceResponse::map_into_left_body);
    }
    let response = ApiError::CrossOrigin.error_response();
    Ok(request.into_response(response).map_into_right_body())
}

fn is_own(headers: &HeaderMap, own_origin: &str) -> bool {
    match (headers.get("sec-fetch-site"), headers.get(ORIGIN)) {
        (Some(site), _) => site.as_bytes() == b"same-origin",
        (None, Some(origin)) => origin.as_bytes() == own_origin.as_bytes(),
        (None, None) => true,
    }
}
