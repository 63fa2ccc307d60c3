//! Metrics for Prometheus, in the text format of OpenMetrics or the one before it, on a listener of
//! their own (docs/operations.md#metrics).
//!
//! Invariant: every label is one of a bounded set that this program has: patterns of routes,
//! methods, classes of statuses, names of queues, jobs and limits. Nothing that a request, a
//! person or an idea brings becomes one.

use std::fmt;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{Server, ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode, header};
use actix_web::middleware::Next;
use actix_web::{App, Error, HttpRequest, HttpResponse, HttpServer, web};
use ideavault_crypto::CacheUse;
use ideavault_db::PoolUse;
use ideavault_domain::Timestamp;
use ideavault_domain::job::JobState;
use ideavault_domain::ports::DatabaseError;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::http::callers::Caller;
use crate::http::executor::Executor;
use crate::http::turns::Work;

/// Path of the metrics on their listener.
const PATH: &str = "/metrics";
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const CLASSIC: &str = "text/plain; version=0.0.4; charset=utf-8";
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
    /// Mails that were given up, of which the audit trail still tells.
    pub given_up_mails: i64,
    /// When the last backup was made; none if never.
    pub last_backup: Option<Timestamp>,
    /// Outsiders that confirm nothing.
    pub failing_anchors: i64,
    /// Scheduled jobs that have run.
    pub jobs: Vec<JobState>,
    /// Bytes that accounts have stored.
    pub stored_bytes: i64,
    /// Free bytes for the data folder; none if unknown.
    pub free_bytes: Option<i64>,
    /// Whether this server records events.
    pub is_recording: bool,
}

/// A figure of the process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessFigure {
    /// The metric, without the `_total` of a counter.
    pub name: &'static str,
    /// Its source of figures.
    pub help: &'static str,
    /// Whether it only grows.
    pub is_counter: bool,
    /// The value.
    pub value: f64,
}

/// The state of the vault.
pub trait MetricsSource: Send + Sync {
    /// Returns the commit that the program is built from.
    fn commit(&self) -> &'static str;

    /// Returns figures of the process.
    fn process(&self) -> Vec<ProcessFigure>;

    /// Returns whether `/readyz` is 200, but for a stop. Blocks.
    ///
    /// # Errors
    /// [`DatabaseError`] if the database cannot be reached.
    fn is_ready(&self) -> Result<bool, DatabaseError>;

    /// Reads the figures. Blocks.
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

async fn show(request: HttpRequest, deps: web::Data<MetricsDeps>) -> HttpResponse {
    let accepted = request.headers().get_all(header::ACCEPT);
    let is_open = accepted
        .filter_map(|accepted| accepted.to_str().ok())
        .any(|accepted| accepted.contains("application/openmetrics-text"));
    let source = Arc::clone(&deps.source);
    let use_cases = deps.use_cases.for_server();
    let figures = use_cases.run(Work::Health, move |_| source.figures());
    let figures = figures
        .await
        .inspect_err(|error| tracing::warn!(%error, "could not read the figures of the metrics"))
        .ok();
    let source = Arc::clone(&deps.source);
    // By another caller: a storage that hangs must not hide what the database tells.
    let readiness = deps.use_cases.for_caller(Caller::named("readiness"));
    let is_ready = readiness.run(Work::Health, move |_| source.is_ready());
    let is_ready = is_ready
        .await
        .inspect_err(|error| tracing::warn!(%error, "could not tell whether the server is ready"))
        .unwrap_or_default();
    match text(&deps, is_ready, figures.as_ref()) {
        Ok(text) if is_open => HttpResponse::Ok().content_type(OPEN_METRICS).body(text),
        Ok(text) => HttpResponse::Ok()
            .content_type(CLASSIC)
            .body(classic(&text)),
        Err(error) => {
            tracing::error!(%error, "could not write the metrics");
            HttpResponse::InternalServerError().finish()
        }
    }
}

fn text(
    deps: &MetricsDeps,
    is_ready: bool,
    figures: Option<&Figures>,
) -> Result<String, fmt::Error> {
    let mut text = String::new();
    encode_registry(&mut text, &deps.requests.registry)?;
    encode_registry(&mut text, &present(deps, is_ready, figures))?;
    encode_eof(&mut text)?;
    Ok(text)
}

/// Converts to the text format that Prometheus had first: there a counter is described by the name
/// of its series, and there are neither units nor an end.
fn classic(text: &str) -> String {
    let mut converted = String::new();
    // The description of a metric, up to its first series or the next metric.
    let mut described: Vec<&str> = Vec::new();
    for line in text.lines() {
        let comment = line.strip_prefix("# ");
        if comment.is_some_and(|comment| comment.starts_with("UNIT ") || comment == "EOF") {
            continue;
        }
        if comment.is_none_or(|comment| comment.starts_with("HELP ")) {
            describe(&mut converted, &described);
            described.clear();
        }
        match comment {
            Some(comment) => described.push(comment),
            None => {
                converted.push_str(line);
                converted.push('\n');
            }
        }
    }
    describe(&mut converted, &described);
    converted
}

fn describe(converted: &mut String, comments: &[&str]) {
    let of_type = |kind| {
        let mut types = comments
            .iter()
            .filter(|comment| comment.starts_with("TYPE "));
        types.any(|comment| comment.ends_with(kind))
    };
    let suffix = match (of_type(" counter"), of_type(" info")) {
        (true, _) => "_total",
        (_, true) => "_info",
        _ => "",
    };
    for comment in comments {
        let mut words = comment.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (what, name, rest) = (word(), word(), word());
        let rest = match (what, rest) {
            ("TYPE", "info") => "gauge",
            ("TYPE", "unknown") => "untyped",
            _ => rest,
        };
        converted.push_str(&format!("# {what} {name}{suffix} {rest}\n"));
    }
}

/// Returns the metrics of this moment.
fn present(deps: &MetricsDeps, is_ready: bool, figures: Option<&Figures>) -> Registry {
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
        let taken = i64::from(taken);
        work.get_or_create(&labels).set(taken);
    }
    let help = "Pieces of work that run or wait";
    registry.register("ideavault_heavy_work", help, work);
    let refused = Family::<Labels<1>, Counter>::default();
    for (limit, count) in deps.use_cases.for_server().limits().here().refused() {
        let labels = [("limit", format!("{limit:?}"))];
        refused.get_or_create(&labels).inc_by(count);
    }
    let name = "ideavault_rate_limit_refusals";
    registry.register(name, "Refusals by rate limit", refused);
    for figure in deps.source.process() {
        if figure.is_counter {
            let counter = Counter::<f64, AtomicU64>::default();
            counter.inc_by(figure.value);
            registry.register(figure.name, figure.help, counter);
        } else {
            let gauge = Gauge::<f64, AtomicU64>::default();
            gauge.set(figure.value);
            registry.register(figure.name, figure.help, gauge);
        }
    }
    let help = "Whether the server can serve";
    gauge(&mut registry, "ideavault_ready", help, is_ready.into());
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
            "ideavault_last_backup_timestamp_seconds",
            "When the last backup was made, in seconds since 1970; 0 if never",
            figures.last_backup.map_or(0, |at| at.timestamp()),
        ),
        (
            "ideavault_anchors_failing",
            "Outsiders that confirm nothing",
            figures.failing_anchors,
        ),
        (
            "ideavault_events_without_place",
            "Events without a place in the log, at most 1000",
            figures.unplaced_events,
        ),
        (
            "ideavault_mails_given_up",
            "Mails that were given up, of which the audit trail still tells",
            figures.given_up_mails,
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
    fn older_readers_get_counters_by_the_names_of_their_series() {
        let text = "# HELP a Requests.\n# TYPE a counter\na_total{x=\"y\"} 2\n\
                    # HELP b Build.\n# TYPE b info\nb_info{v=\"1\"} 1\n\
                    # HELP c_seconds Time.\n# TYPE c_seconds histogram\n# UNIT c_seconds seconds\n\
                    c_seconds_sum 1.5\n# HELP d Nothing yet.\n# TYPE d counter\n\
                    # HELP e Free.\n# TYPE e gauge\ne 7\n# EOF\n";
        let expected = "# HELP a_total Requests.\n# TYPE a_total counter\na_total{x=\"y\"} 2\n\
                        # HELP b_info Build.\n# TYPE b_info gauge\nb_info{v=\"1\"} 1\n\
                        # HELP c_seconds Time.\n# TYPE c_seconds histogram\nc_seconds_sum 1.5\n\
                        # HELP d_total Nothing yet.\n# TYPE d_total counter\n\
                        # HELP e Free.\n# TYPE e gauge\ne 7\n";
        assert_eq!(classic(text), expected);
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
