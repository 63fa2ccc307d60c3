//! Headers that every answer carries (design section 4, Headers).

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web;

use super::origin::PublicOrigin;

/// First segments of pages that a token leads to, or that tell who has one;
/// search engines must not keep them.
const TOKEN_PAGES: [&str; 7] = [
    "view",
    "collect",
    "nda",
    "document",
    "reset-password",
    "confirm-email",
    "share",
];

/// What an API answer may do in a browser that was led to it: nothing.
const API_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/// Adds what is missing; a handler that sets one of them knows better.
pub async fn secure<B: MessageBody>(
    origin: web::Data<PublicOrigin>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let path = request.path();
    let is_api = path == "/api" || path.starts_with("/api/");
    let has_token = leads_to_token_page(path) || is_invitation(path, request.query_string());
    let mut response = next.call(request).await?;
    // What is missing here now can be there soon, as during an update.
    let is_refusal = response.status().is_client_error() || response.status().is_server_error();
    let mut set = |name: HeaderName, value: &'static str| {
        if !response.headers().contains_key(&name) {
            response
                .headers_mut()
                .insert(name, HeaderValue::from_static(value));
        }
    };
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    if is_api || is_refusal {
        set(header::CACHE_CONTROL, "no-store");
    }
    if is_api {
        set(header::CONTENT_SECURITY_POLICY, API_POLICY);
    }
    if has_token {
        set(HeaderName::from_static("x-robots-tag"), "noindex, nofollow");
    }
    if origin.is_https() {
        set(
            header::STRICT_TRANSPORT_SECURITY,
            "max-age=31536000; includeSubDomains",
        );
    }
    Ok(response)
}

/// The app's router finds these pages in letters of either case, and some of
/// them take their token from the query as well.
fn leads_to_token_page(path: &str) -> bool {
    path.split('/')
        .find(|segment| !segment.is_empty())
        .is_some_and(|first| {
            TOKEN_PAGES
                .iter()
                .any(|page| page.eq_ignore_ascii_case(first))
        })
}

/// The page to register is public, but for who brings an invitation.
fn is_invitation(path: &str, query: &str) -> bool {
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    segments
        .next()
        .is_some_and(|first| first.eq_ignore_ascii_case("register"))
        && !query.is_empty()
}
