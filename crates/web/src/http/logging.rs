//! One log line per request, with a request id.
//! Invariant: a path is logged as its route's pattern, because paths carry
//! share tokens; headers, bodies and queries are never logged.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{Error, HttpMessage as _};
use tracing::Span;
use tracing_actix_web::{RequestId, RootSpanBuilder};

/// Spans that name the method, the route and the request, and nothing else.
pub struct RouteSpans;

/// When a request came in.
struct Arrival(Instant);

impl RootSpanBuilder for RouteSpans {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = request.extensions().get::<RequestId>().copied();
        request.extensions_mut().insert(Arrival(Instant::now()));
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
                let took = response
                    .request()
                    .extensions()
                    .get::<Arrival>()
                    .map(|arrival| arrival.0.elapsed());
                tracing::info!(status = response.status().as_u16(), ?took, "answered");
            }
            Err(error) => {
                let status = error.as_response_error().status_code();
                tracing::info!(status = status.as_u16(), "refused");
            }
        }
    }
}
