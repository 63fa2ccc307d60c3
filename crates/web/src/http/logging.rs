//! Request log: one line for each API call, with the client's address and a request id.
//! Pages and files of the application are logged at `debug` only.
//!
//! Invariant: a path is logged as its route's pattern, because paths contain share tokens.
//! Headers, bodies and queries are never logged.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{Error, HttpMessage as _};
use tracing::Span;
use tracing_actix_web::{RequestId, RootSpanBuilder};

use super::client::ClientOrigin;

/// Builds spans that hold the method, the route and the request id, and nothing else.
pub struct RouteSpans;

/// Start time and client of a request.
struct RequestStart {
    at: Instant,
    client: IpAddr,
    is_api: bool,
}

impl RootSpanBuilder for RouteSpans {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = request.extensions().get::<RequestId>().copied();
        let start = RequestStart {
            at: Instant::now(),
            client: ClientOrigin::of(request.request()).0.ip,
            is_api: request.path().starts_with("/api/"),
        };
        request.extensions_mut().insert(start);
        tracing::info_span!(
            "request",
            id = id.map(|id| id.to_string()),
            method = %request.method(),
            route = request.match_pattern().unwrap_or_else(|| "(page)".into()),
        )
    }

    fn on_request_end<B: MessageBody>(_: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        match outcome {
            Ok(response) => {
                let extensions = response.request().extensions();
                let Some(start) = extensions.get::<RequestStart>() else {
                    return;
                };
                let status = response.status().as_u16();
                let took_seconds = rounded(start.at.elapsed());
                let client = start.client;
                if start.is_api {
                    tracing::info!(status, took_seconds, %client, "answered");
                } else {
                    tracing::debug!(status, took_seconds, %client, "answered");
                }
            }
            Err(error) => {
                let status = error.as_response_error().status_code();
                tracing::info!(status = status.as_u16(), "refused");
            }
        }
    }
}

/// Returns seconds, to the microsecond: programs that read the log can calculate with a number.
fn rounded(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e6
}
