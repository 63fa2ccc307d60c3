//! Health checks: liveness and readiness.
//!
//! Two methods stand in `routes`: `route` puts them in an order by chance, so that two builds of the
//! same source would differ.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, routes, web};
use ideavault_domain::ports::DatabaseError;
use serde_json::{Map, Value, json};

use super::{UseCases, Work};
use crate::http::client::{ClientOrigin, TrustedProxies};
use crate::http::error::ApiError;

/// Liveness: always responds with 200.
#[routes]
#[get("/healthz")]
#[head("/healthz")]
pub async fn alive() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain").body("ok\n")
}

/// Readiness: responds with 200 if the database can be reached and the files folder belongs
/// to it, else with 503. Callers on this machine get the state of the vault. Callers in
/// private networks are told which untrusted proxy was noticed.
#[routes]
#[get("/readyz")]
#[head("/readyz")]
pub async fn ready(
    request: HttpRequest,
    use_cases: UseCases,
    client: ClientOrigin,
    proxies: web::Data<TrustedProxies>,
    readiness: web::Data<dyn Readiness>,
    draining: web::Data<Draining>,
) -> Result<HttpResponse, ApiError> {
    if draining.has_begun() {
        return Ok(unready("the server is about to stop"));
    }
    let readiness = readiness.into_inner();
    let asked = Arc::clone(&readiness);
    let problem = use_cases
        .run(Work::Health, move |_| asked.problem())
        .await?;
    if let Some(problem) = problem {
        return Ok(unready(problem));
    }
    let mut told = Map::new();
    told.insert("ready".to_owned(), Value::Bool(true));
    if let Some(peer) = proxies.ignored().filter(|_| is_near(client.0.ip)) {
        told.insert("untrustedProxy".to_owned(), json!(peer.to_string()));
    }
    if is_from_here(&request) {
        let figures = use_cases.run(Work::Health, move |_| readiness.figures());
        match figures.await {
            Ok(figures) => told.extend(figures),
            // Without figures, the server is still ready.
            Err(error) => tracing::warn!(%error, "could not read the state of the vault"),
        }
    }
    Ok(HttpResponse::Ok().json(told))
}

fn unready(reason: &str) -> HttpResponse {
    HttpResponse::ServiceUnavailable().json(json!({ "ready": false, "reason": reason }))
}

/// Whether the server is about to stop, and a load balancer should send nothing more.
#[derive(Debug, Default)]
pub struct Draining(AtomicBool);

impl Draining {
    /// Makes the server not ready.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The state of the vault. Both calls block.
pub trait Readiness: Send + Sync {
    /// Returns why this server cannot serve; none if it can.
    ///
    /// # Errors
    /// [`DatabaseError`] if the database cannot be reached.
    fn problem(&self) -> Result<Option<&'static str>, DatabaseError>;

    /// Returns names and values for the operator.
    ///
    /// # Errors
    /// [`DatabaseError`] if the database cannot be read.
    fn figures(&self) -> Result<Map<String, Value>, DatabaseError>;
}

/// Headers that a proxy adds to requests of others.
const PROXY_HEADERS: [&str; 9] = [
    "cf-connecting-ip",
    "forwarded",
    "true-client-ip",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-server",
    "x-real-ip",
];

/// Returns whether a request comes from this machine and not through a proxy.
fn is_from_here(request: &HttpRequest) -> bool {
    let is_loopback = request
        .peer_addr()
        .is_some_and(|peer| peer.ip().to_canonical().is_loopback());
    let headers = request.headers();
    // A proxy that adds no header usually keeps the name that its client asked for.
    let asks_here = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .is_some_and(names_this_machine);
    is_loopback && asks_here && !PROXY_HEADERS.iter().any(|name| headers.contains_key(*name))
}

/// Returns whether a `Host` header names this machine.
fn names_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || address
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Returns whether an address is this machine's or a private one.
fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn only_a_local_request_without_a_proxy_is_local() {
        let request = |peer: &str, header: Option<&'static str>| {
            let mut request = TestRequest::get()
                .peer_addr(peer.parse().unwrap())
                .insert_header(("host", "localhost:8080"));
            if let Some(name) = header {
                request = request.insert_header((name, "127.0.0.1"));
            }
            is_from_here(&request.to_http_request())
        };
        for peer in ["127.0.0.1:9", "[::1]:9", "[::ffff:127.0.0.1]:9"] {
            assert!(request(peer, None), "{peer}");
            for name in PROXY_HEADERS {
                assert!(!request(peer, Some(name)), "{name}");
            }
        }
        for (host, is_here) in [
            ("localhost", true),
            ("127.0.0.1:8080", true),
            ("[::1]:8080", true),
            ("[::1]", true),
            ("vault.example.org", false),
            ("localhost.example.org", false),
            ("10.1.2.3:8080", false),
            ("", false),
        ] {
            let request = TestRequest::get()
                .peer_addr("127.0.0.1:9".parse().unwrap())
                .insert_header(("host", host));
            assert_eq!(is_from_here(&request.to_http_request()), is_here, "{host}");
        }
        for peer in ["10.1.2.3:9", "192.168.0.9:9", "203.0.113.1:9"] {
            assert!(!request(peer, None), "{peer}");
        }
    }

    #[test]
    fn only_private_networks_are_near() {
        let near = |address: &str| is_near(address.parse().unwrap());
        assert!(["127.0.0.1", "10.1.2.3", "192.168.0.9", "::1", "fd00::1"].map(near) == [true; 5]);
        assert!(["203.0.113.1", "8.8.8.8", "2001:db8::1"].map(near) == [false; 3]);
    }
}
