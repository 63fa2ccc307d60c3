//! Metrics in the text format of OpenMetrics, which Prometheus reads, on a listener of their
//! own (docs/operations.md#metrics).
//!
//! Invariant: every label is one of a bounded set that this program has: patterns of routes,
//! methods, classes of statuses, names of queues, jobs and limits. Nothing that a request, a
//! person or an idea brings becomes one.

use std::fmt;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{Server, ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{App, Error, HttpResponse, HttpServer, web};
use ideavault_crypto::CacheUse;
use ideavault_db::PoolUse;
use ideavault_domain::job::JobState;
use ideavault_domain::ports::DatabaseError;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::http::blocking::Executor;
use crate::http::rates::RateWindows;

/// Path of the metrics on their listener.
const PATH: &str = "/metrics";
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// Time for what is read from the database. Prometheus waits for ten seconds by default.
const FIGURES_TIMEOUT: Duration = Duration::from_millis(2_500);
/// Upper bounds of the latencies, in seconds.
const BUCKETS: [f64; 10] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// Label of pages and of files of the application, whose addresses are many.
const PAGE: &str = "(page)";

/// Names and values of labels.
type Labels<const N: usize> = [(&'static str, String); N];

/// Values that are read for each request of the metrics.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Mails that wait for delivery.
    pub mails: i64,
    /// Age of the oldest of them, in seconds; 0 without any.
    pub oldest_mail_seconds: i64,
    /// Events without a place in the log, at most as many as get places at once.
    pub unplaced_events: i64,
    /// Scheduled jobs that have run.
    pub jobs: Vec<JobState>,
    /// Bytes that accounts have stored.
    pub stored_bytes: i64,
    /// Free bytes for the data folder; none if unknown.
    pub free_bytes: Option<i64>,
    /// Whether this server records events.
    pub is_recording: bool,
}

/// The state of the vault.
pub trait MetricsSource: Send + Sync {
    /// Returns the commit that the program is built from.
    fn commit(&self) -> &'static str;

    /// Reads the figures. Blocks.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn figures(&self) -> Result<Figures, DatabaseError>;

    /// Returns how many connections each pool has, by its name.
    fn pools(&self) -> Vec<(&'static str, PoolUse)>;

    /// Returns how often each cache was of use, by its name.
    fn caches(&self) -> Vec<(&'static str, CacheUse)>;
}

/// Counts requests.
pub struct RequestMetrics {
    registry: Registry,
    requests: Family<Labels<3>, Counter>,
    latency: Family<Labels<2>, Histogram, fn() -> Histogram>,
}

impl RequestMetrics {
    /// Creates metrics of no request, of a program that is built from this commit.
    #[must_use]
    pub fn new(commit: &'static str) -> Self {
        let requests = Family::<Labels<3>, Counter>::default();
        let latency: Family<_, _, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(BUCKETS));
        let mut registry = Registry::default();
        let version = ("version", env!("CARGO_PKG_VERSION"));
        let build = Info::new([version, ("commit", commit)]);
        registry.register("ideavault_build", "The running version", build);
        registry.register(
            "ideavault_http_requests",
            "Requests by route, method and class of status",
            requests.clone(),
        );
        registry.register_with_unit(
            "ideavault_http_request_duration",
            "Time until a response begins",
            Unit::Seconds,
            latency.clone(),
        );
        Self {
            registry,
            requests,
            latency,
        }
    }

    fn count(&self, route: String, method: &'static str, status: StatusCode, took: Duration) {
        let class = match status.as_u16() / 100 {
            1 => "1xx",
            2 => "2xx",
            3 => "3xx",
            4 => "4xx",
            _ => "5xx",
        };
        let route = ("route", route);
        let method = ("method", method.to_owned());
        let labels = [route.clone(), method.clone(), ("status", class.to_owned())];
        self.requests.get_or_create(&labels).inc();
        let latency = self.latency.get_or_create(&[route, method]);
        latency.observe(took.as_secs_f64());
    }
}

/// Middleware that counts a request, if the server has metrics.
///
/// # Errors
/// Those of the request.
pub async fn measure<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let Some(metrics) = request.app_data::<web::Data<RequestMetrics>>().cloned() else {
        return next.call(request).await;
    };
    let route = request.match_pattern().unwrap_or_else(|| PAGE.to_owned());
    let method = name_of(request.method());
    let began = Instant::now();
    let outcome = next.call(request).await;
    let status = match &outcome {
        Ok(response) => response.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    metrics.count(route, method, status, began.elapsed());
    outcome
}

/// Returns the name of a known method: clients may make up others.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Everything that the listener of the metrics shows.
pub(crate) struct MetricsDeps {
    pub(crate) requests: web::Data<RequestMetrics>,
    pub(crate) rates: web::Data<RateWindows>,
    pub(crate) use_cases: Executor,
    pub(crate) source: Arc<dyn MetricsSource>,
}

/// Serves the metrics at [`PATH`], and nothing else.
///
/// # Errors
/// [`std::io::Error`] if the socket fails.
pub(crate) fn server(listener: TcpListener, deps: MetricsDeps) -> std::io::Result<Server> {
    let deps = web::Data::new(deps);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(deps.clone())
            .route(PATH, web::get().to(show))
    });
    let server = server.workers(1).disable_signals().listen(listener)?;
    Ok(server.run())
}

async fn show(deps: web::Data<MetricsDeps>) -> HttpResponse {
    let source = Arc::clone(&deps.source);
    let figures = deps
        .use_cases
        .run_within(FIGURES_TIMEOUT, move |_| source.figures());
    let figures = figures
        .await
        .inspect_err(|error| tracing::warn!(%error, "could not read the figures of the metrics"))
        .ok();
    match text(&deps, figures.as_ref()) {
        Ok(text) => HttpResponse::Ok().content_type(CONTENT_TYPE).body(text),
        Err(error) => {
            tracing::error!(%error, "could not write the metrics");
            HttpResponse::InternalServerError().finish()
        }
    }
}

fn text(deps: &MetricsDeps, figures: Option<&Figures>) -> Result<String, fmt::Error> {
    let mut text = String::new();
    encode_registry(&mut text, &deps.requests.registry)?;
    encode_registry(&mut text, &present(deps, figures))?;
    encode_eof(&mut text)?;
    Ok(text)
}

/// Returns the metrics of this moment.
fn present(deps: &MetricsDeps, figures: Option<&Figures>) -> Registry {
    let mut registry = Registry::default();
    let connections = Family::<Labels<2>, Gauge>::default();
    for (pool, PoolUse { in_use, idle }) in deps.source.pools() {
        for (state, count) in [("in_use", in_use), ("idle", idle)] {
            let labels = [("pool", pool.to_owned()), ("state", state.to_owned())];
            connections.get_or_create(&labels).set(count.into());
        }
    }
    let name = "ideavault_database_connections";
    registry.register(name, "Connections to the database", connections);
    let lookups = Family::<Labels<2>, Counter>::default();
    let caches = deps.source.caches().into_iter();
    for (cache, CacheUse { hits, misses }) in caches.chain(deps.use_cases.caches()) {
        for (result, count) in [("hit", hits), ("miss", misses)] {
            let labels = [("cache", cache.to_owned()), ("result", result.to_owned())];
            lookups.get_or_create(&labels).inc_by(count);
        }
    }
    registry.register("ideavault_cache_lookups", "Lookups in caches", lookups);
    let work = Family::<Labels<1>, Gauge>::default();
    for (queue, taken) in deps.use_cases.taken_places() {
        let labels = [("queue", queue.to_owned())];
        let taken = i64::try_from(taken).unwrap_or(i64::MAX);
        work.get_or_create(&labels).set(taken);
    }
    let help = "Pieces of heavy work that run or wait";
    registry.register("ideavault_heavy_work", help, work);
    let refused = Family::<Labels<1>, Counter>::default();
    for (limit, count) in deps.rates.refused() {
        let labels = [("limit", format!("{limit:?}"))];
        refused.get_or_create(&labels).inc_by(count);
    }
    let name = "ideavault_rate_limit_refusals";
    registry.register(name, "Refusals by rate limit", refused);
    let is_up = i64::from(figures.is_some());
    let help = "Whether the database answered";
    gauge(&mut registry, "ideavault_database_up", help, is_up);
    if let Some(figures) = figures {
        of_vault(&mut registry, figures);
    }
    registry
}

fn of_vault(registry: &mut Registry, figures: &Figures) {
    for (name, help, value) in [
        (
            "ideavault_mails_waiting",
            "Mails that wait for delivery",
            figures.mails,
        ),
        (
            "ideavault_mails_oldest_seconds",
            "Age of the oldest waiting mail",
            figures.oldest_mail_seconds,
        ),
        (
            "ideavault_events_without_place",
            "Events without a place in the log, at most 1000",
            figures.unplaced_events,
        ),
        (
            "ideavault_recording",
            "Whether events are recorded",
            figures.is_recording.into(),
        ),
        (
            "ideavault_stored_bytes",
            "Bytes that accounts have stored",
            figures.stored_bytes,
        ),
    ] {
        gauge(registry, name, help, value);
    }
    if let Some(free) = figures.free_bytes {
        let help = "Free bytes for the data folder";
        gauge(registry, "ideavault_free_bytes", help, free);
    }
    let succeeded = Family::<Labels<1>, Gauge>::default();
    let failures = Family::<Labels<1>, Gauge>::default();
    for state in &figures.jobs {
        let job = [("job", state.job.to_string())];
        if let Some(at) = state.last_success {
            succeeded.get_or_create(&job).set(at.timestamp());
        }
        failures.get_or_create(&job).set(state.failures.into());
    }
    let help = "When a job last succeeded, in seconds since 1970";
    registry.register(
        "ideavault_job_last_success_timestamp_seconds",
        help,
        succeeded,
    );
    let help = "Failures of a job in a row";
    registry.register("ideavault_job_failures", help, failures);
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: i64) {
    let gauge: Gauge = Gauge::default();
    gauge.set(value);
    registry.register(name, help, gauge);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_methods_have_one_name() {
        assert_eq!(name_of(&Method::GET), "GET");
        assert_eq!(name_of(&Method::TRACE), "other");
        assert_eq!(name_of(&Method::from_bytes(b"TOKEN").unwrap()), "other");
    }

    #[test]
    fn requests_are_counted_by_route_method_and_class() {
        let metrics = RequestMetrics::new("0123456789ab");
        for (status, milliseconds) in [(200, 3), (204, 30), (404, 3)] {
            let status = StatusCode::from_u16(status).unwrap();
            let took = Duration::from_millis(milliseconds);
            metrics.count("/api/ideas/{id}".into(), "GET", status, took);
        }
        let mut text = String::new();
        encode_registry(&mut text, &metrics.registry).unwrap();
        let route = r#"route="/api/ideas/{id}",method="GET""#;
        for line in [
            format!(r#"ideavault_http_requests_total{{{route},status="2xx"}} 2"#),
            format!(r#"ideavault_http_requests_total{{{route},status="4xx"}} 1"#),
            format!("ideavault_http_request_duration_seconds_count{{{route}}} 3"),
            format!(r#"ideavault_http_request_duration_seconds_bucket{{le="0.005",{route}}} 2"#),
            format!(r#"ideavault_http_request_duration_seconds_bucket{{le="+Inf",{route}}} 3"#),
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
    }
}
