//! Security headers of every response (docs/security.md#headers).

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web;

use super::origin::PublicOrigin;

/// First path segments of pages whose address holds a token, or that only somebody with a
/// token opens. Search engines must not index them.
const TOKEN_PAGES: [&str; 10] = [
    "view",
    "collect",
    "nda",
    "document",
    "reset-password",
    "confirm-email",
    "my-documents",
    "unsubscribe",
    "share",
    "record",
];

/// Content security policy of API responses and refusals that a browser opens as a page:
/// nothing may load or run.
const API_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/// Adds the headers that the handler has not set.
pub async fn secure<B: MessageBody>(
    origin: web::Data<PublicOrigin>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let places = places(request.path());
    let is_api = places.iter().any(|place| place == "api");
    let has_token = places
        .iter()
        .any(|place| TOKEN_PAGES.contains(&place.as_str()))
        || is_invitation(&places, request.query_string());
    let mut response = next.call(request).await?;
    // A missing page may exist soon, for instance during an update.
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
    if is_api || is_refusal {
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

/// How often a path is decoded, at least as often as any proxy or router does.
const DECODINGS: usize = 3;

/// Returns the first segments that a path can lead to: as spelled, and as a browser or a
/// proxy resolves it, in lower case because the frontend's router ignores case.
fn places(path: &str) -> Vec<String> {
    let mut path = path.to_owned();
    for _ in 0..DECODINGS {
        path = decoded(&path);
    }
    let path = path.replace('\\', "/").to_lowercase();
    let mut resolved = Vec::new();
    let mut first = None;
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                resolved.pop();
            }
            segment => {
                first = first.or(Some(segment));
                resolved.push(segment);
            }
        }
    }
    let places = first.into_iter().chain(resolved.first().copied());
    places.map(str::to_owned).collect()
}

/// Replaces `%xx` by the byte that it encodes; malformed sequences stay as they are.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = after.get(..2).filter(|_| *first == b'%');
        let byte = escaped
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = match byte {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns whether the address is the registration page with an invitation. Without one that
/// page is public.
fn is_invitation(places: &[String], query: &str) -> bool {
    places.iter().any(|place| place == "register") && !query.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_recognized_in_every_spelling() {
        for path in [
            "/api",
            "/api/",
            "//api/ideas",
            "/%61pi/ideas",
            "/%2561pi/ideas",
            "/API/ideas",
            "/./api/ideas",
            "/x/../api/ideas",
            "/x/%2e%2E/api",
            "/%2Fapi",
            "\\api\\ideas",
            "/api/../view",
        ] {
            assert!(places(path).contains(&"api".to_owned()), "{path}");
        }
        for path in [
            "/view/t",
            "/%76iew/t",
            "//VIEW/t",
            "/x/../view/t",
            "/view%2Ft",
        ] {
            assert!(places(path).contains(&"view".to_owned()), "{path}");
        }
        for path in ["/", "", "/apis", "/x/api", "/%", "/%zz", "/reviews/view"] {
            let places = places(path);
            assert!(
                !places.iter().any(|place| place == "api" || place == "view"),
                "{path}"
            );
        }
    }
}
