//! Assembles the routes and their middleware, and serves them.

use std::future::ready;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol};
use actix_server::Server;
use actix_service::{IntoServiceFactory as _, ServiceFactoryExt as _, fn_service, map_config};
use actix_web::cookie::Key;
use actix_web::dev::AppConfig;
use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::{App as ActixApp, Error, HttpResponse, web};
use ideavault_application::assistance::Assistance;
use ipnet::IpNet;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_actix_web::TracingLogger;

use crate::embedded::{Documents, PublicSettings};
use crate::http::archives::OpenArchives;
use crate::http::client::TrustedProxies;
use crate::http::connection::Connection;
use crate::http::cookies::{OverTls, RecipientCookies};
use crate::http::executor::Executor;
use crate::http::logging::RouteSpans;
use crate::http::origin::{PublicOrigin, refuse_cross_site};
use crate::http::rates::{self, PUBLIC_LOG};
use crate::http::request_state::with_one_timeout;
use crate::http::sessions::SessionCookie;
use crate::http::under_way::{UnderWay, bound_answers};
use crate::http::{headers, params, refusals, sessions};
use crate::metrics::{self, MetricsDeps, MetricsSource, RequestMetrics};
use crate::personal_content::PersonalContentTimeout;
use crate::routes::health::{Draining, Readiness};
use crate::shells::{Shells, ShellsError};
use crate::{embedded, openapi, routes};

/// Time for running requests after SIGTERM.
const SHUTDOWN_TIMEOUT_SECONDS: u64 = 25;
/// Time for the head of a connection's first request. Browsers connect before they ask; one that is
/// busy meanwhile would take the 408 for the answer to what it asks then.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Time for a client to take leave, once nothing more is expected of it.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Keys of the cookies, 64 bytes each.
pub struct CookieKeys {
    /// Signs and encrypts the cookie of a signed-in user.
    pub session: [u8; 64],
    /// Signs the cookie that names a share.
    pub share: [u8; 64],
}

/// How long what was erased may stay in the memory of a server, if no request comes.
const DISCARD_INTERVAL: Duration = Duration::from_secs(1);

/// Everything that a server is built from.
pub struct WebServerDeps {
    /// Socket to accept connections from.
    pub listener: TcpListener,
    /// Base of every link, without a trailing slash.
    pub origin: String,
    /// The use cases.
    pub use_cases: Executor,
    /// The assistant of the editor.
    pub assistance: Assistance,
    /// Keys of the cookies.
    pub keys: CookieKeys,
    /// Networks of proxies whose `X-Forwarded-For` counts.
    pub proxies: Vec<IpNet>,
    /// The part of the configuration that pages show.
    pub settings: PublicSettings,
    /// How long a document waits for what it shows to one browser alone.
    pub personal_content_timeout: PersonalContentTimeout,
    /// Answers `/readyz`.
    pub readiness: Arc<dyn Readiness>,
    /// Socket for metrics and what they show; none without metrics.
    pub metrics: Option<(TcpListener, Arc<dyn MetricsSource>)>,
    /// How long the server is not ready, and serves all the same, before it stops.
    pub drain_time: Duration,
    /// Stop it, also before it runs.
    pub signals: Signals,
}

/// An HTTP server that is ready to run.
pub struct WebServer {
    listener: TcpListener,
    origin: PublicOrigin,
    use_cases: Executor,
    assistance: web::Data<Assistance>,
    session_cookie: SessionCookie,
    recipient_cookies: RecipientCookies,
    proxies: TrustedProxies,
    archives: web::Data<OpenArchives>,
    shells: web::Data<Shells>,
    settings: web::Data<PublicSettings>,
    personal_content_timeout: web::Data<PersonalContentTimeout>,
    readiness: web::Data<dyn Readiness>,
    metrics: Option<(TcpListener, Arc<dyn MetricsSource>)>,
    drain_time: Duration,
    signals: Signals,
}

impl WebServer {
    /// Prepares the server.
    ///
    /// # Errors
    /// [`ShellsError`] if the embedded frontend is incomplete.
    pub fn new(deps: WebServerDeps) -> Result<Self, ShellsError> {
        let origin = PublicOrigin(deps.origin);
        let share_key = Key::from(&deps.keys.share);
        let secure = origin.is_https();
        Ok(Self {
            session_cookie: SessionCookie::new(Key::from(&deps.keys.session), secure),
            recipient_cookies: RecipientCookies::new(share_key, secure),
            listener: deps.listener,
            origin,
            use_cases: deps.use_cases,
            assistance: web::Data::new(deps.assistance),
            proxies: TrustedProxies::new(deps.proxies),
            archives: web::Data::new(OpenArchives::default()),
            shells: web::Data::new(embedded::shells()?),
            settings: web::Data::new(deps.settings),
            personal_content_timeout: web::Data::new(deps.personal_content_timeout),
            readiness: web::Data::from(deps.readiness),
            metrics: deps.metrics,
            drain_time: deps.drain_time,
            signals: deps.signals,
        })
    }

    /// Serves until SIGTERM or SIGINT, and calls `stopping` then. Running requests finish first.
    ///
    /// # Errors
    /// [`io::Error`] if the socket fails.
    pub async fn run(self, stopping: impl FnOnce() + 'static) -> io::Result<()> {
        let drain_time = self.drain_time;
        let mut signals = self.signals;
        let draining = web::Data::new(Draining::default());
        let is_draining = draining.clone();
        let secure = self.origin.is_https();
        let discarding = actix_web::rt::spawn(discard_outdated(self.use_cases.clone()));
        let documents = web::Data::new(Documents::default());
        let under_way = web::Data::new(UnderWay::default());
        let (metrics, measured) = match self.metrics {
            Some((listener, source)) => {
                let requests = web::Data::new(RequestMetrics::new(source.commit()));
                let deps = MetricsDeps {
                    requests: requests.clone(),
                    use_cases: self.use_cases.clone(),
                    source,
                };
                (Some(metrics::server(listener, deps)?), Some(requests))
            }
            None => (None, None),
        };
        let app = move || {
            let measured = measured.clone();
            let (bad_path, bad_query) = params::refusals();
            let sessions = || sessions::middleware(self.use_cases.clone(), &self.session_cookie);
            ActixApp::new()
                .app_data(web::Data::new(self.use_cases.clone()))
                .app_data(self.assistance.clone())
                .app_data(web::Data::new(self.origin.clone()))
                .app_data(web::Data::new(self.session_cookie.clone()))
                .app_data(web::Data::new(self.recipient_cookies.clone()))
                .app_data(web::Data::new(OverTls(secure)))
                .app_data(web::Data::new(self.proxies.clone()))
                .app_data(self.archives.clone())
                .app_data(self.shells.clone())
                .app_data(self.settings.clone())
                .app_data(self.personal_content_timeout.clone())
                .app_data(self.readiness.clone())
                .app_data(draining.clone())
                .app_data(documents.clone())
                .app_data(under_way.clone())
                .app_data(bad_path)
                .app_data(bad_query)
                .configure(|app| {
                    if let Some(requests) = measured {
                        app.app_data(requests);
                    }
                })
                .wrap(from_fn(bound_answers))
                .wrap(from_fn(with_one_timeout))
                .wrap(from_fn(headers::secure))
                .wrap(TracingLogger::<RouteSpans>::new())
                .wrap(from_fn(metrics::measure))
                .service(routes::health::alive)
                .service(routes::health::ready)
                .route("/api/openapi.json", web::get().to(describe))
                .service(
                    web::scope("/api")
                        .wrap(from_fn(rates::limit))
                        .wrap(from_fn(refusals::record_limits))
                        .wrap(sessions())
                        .wrap(from_fn(sessions::unavailable_not_broken))
                        .wrap(from_fn(refuse_cross_site))
                        .configure(routes::api)
                        .default_service(web::to(routes::no_route)),
                )
                .service(
                    web::scope(PUBLIC_LOG)
                        .wrap(from_fn(rates::limit))
                        .wrap(sessions())
                        .wrap(from_fn(sessions::unavailable_not_broken))
                        .service(routes::public_log::get_checkpoint)
                        .service(routes::public_log::get_tile)
                        .default_service(web::to(routes::public_log::no_part)),
                )
                .default_service(web::to(embedded::page))
        };
        let builder = Server::build()
            .shutdown_timeout(SHUTDOWN_TIMEOUT_SECONDS)
            .disable_signals();
        let closing = builder.graceful_shutdown_signal();
        // As `HttpServer` does it, but over our own connections.
        let server = builder.listen("ideavault", self.listener, move || {
            let closing = closing.clone();
            let app = app().into_factory();
            let app = app.map_err(|error: Error| error.error_response());
            let http = HttpService::build()
                .graceful_shutdown_signal(move || {
                    let closing = closing.clone();
                    async move { closing.notified().await }
                })
                .client_request_timeout(HEAD_TIMEOUT)
                .client_disconnect_timeout(DISCONNECT_TIMEOUT)
                .finish(map_config(app, |()| AppConfig::default()));
            fn_service(|stream: TcpStream| {
                let peer = stream.peer_addr().ok();
                ready(Ok::<_, DispatchError>((
                    Connection::new(stream),
                    Protocol::Http1,
                    peer,
                )))
            })
            .and_then(http)
        })?;
        let server = server.run();
        let handle = server.handle();
        let stop = actix_web::rt::spawn(async move {
            signals.next().await;
            stopping();
            is_draining.begin();
            if !drain_time.is_zero() {
                tracing::info!(?drain_time, "not ready any more, and about to stop");
                tokio::select! {
                    () = tokio::time::sleep(drain_time) => {}
                    // Somebody is in a hurry.
                    () = signals.next() => {}
                }
            }
            handle.stop(true).await;
        });
        let Some(metrics) = metrics else {
            let outcome = server.await;
            stop.abort();
            discarding.abort();
            return outcome;
        };
        let handle = metrics.handle();
        let metrics = actix_web::rt::spawn(metrics);
        let outcome = server.await;
        stop.abort();
        discarding.abort();
        handle.stop(false).await;
        match metrics.await {
            Ok(ended) => outcome.and(ended),
            Err(error) => outcome.and(Err(io::Error::other(error))),
        }
    }
}

/// The signals that stop the server, from its creation on: until then they end the process.
pub struct Signals {
    #[cfg(unix)]
    terminate: Signal,
    #[cfg(unix)]
    interrupt: Signal,
}

impl Signals {
    /// Listens for them.
    ///
    /// # Errors
    /// [`io::Error`] if the system refuses.
    #[cfg(unix)]
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next one.
    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Listens for nothing before it waits.
    #[cfg(not(unix))]
    pub fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next one.
    #[cfg(not(unix))]
    async fn next(&mut self) {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "cannot wait for Ctrl+C");
            std::future::pending::<()>().await;
        }
    }
}

/// Serves the description of the API.
async fn describe() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(openapi::JSON)
}

/// Discards what is cached and may be erased, also while no request comes.
async fn discard_outdated(use_cases: Executor) {
    loop {
        tokio::time::sleep(DISCARD_INTERVAL).await;
        if let Err(error) = use_cases.discard_outdated().await {
            tracing::debug!(%error, "could not read whether what is cached is outdated");
        }
    }
}
