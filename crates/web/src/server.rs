//! Starts, runs and stops the server.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::cookie::Key;
use actix_web::middleware::from_fn;
use actix_web::{App as ActixApp, HttpResponse, HttpServer, web};
use ideavault_application::assistance::Assistance;
use ideavault_application::cleanup::CleanupReport;
use ideavault_domain::ports::Clock;
use thiserror::Error;
use tracing_actix_web::TracingLogger;
use utoipa_actix_web::{AppExt as _, scope};

use crate::app::{App, Parts, WiringError};
use crate::config::{ConfigError, ServeOptions};
use crate::data::{self, DataError, Opened, files_of};
use crate::embedded::PublicSettings;
use crate::http::blocking::Executor;
use crate::http::client::TrustedProxies;
use crate::http::cookies::{OverTls, RecipientCookies};
use crate::http::logging::RouteSpans;
use crate::http::origin::{PublicOrigin, refuse_cross_site};
use crate::http::rates::{self, Windows};
use crate::http::{denials, headers, params, sessions};
use crate::outbox_job::{self, MailError};
use crate::platform::SteadyClock;
use crate::routes::health::DataDir;
use crate::shells::{Shells, ShellsError};
use crate::storage_identity::StorageIdentityError;
use crate::{embedded, openapi, routes, storage_identity};

/// Blocking threads for each worker. More would only wait for each other at the database,
/// and cost context switches.
const BLOCKING_THREADS: usize = 4;
/// Time for running requests after SIGTERM. [`DRAIN_TIMEOUT`] for the work that follows their
/// responses comes on top: 30 seconds in all.
const SHUTDOWN_TIMEOUT_SECONDS: u64 = 25;
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval at which the time is recorded.
const RECORD_TIME_INTERVAL: Duration = Duration::from_secs(60);
/// Interval of the cleanup.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(3600);

/// Reasons why the server does not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The vault cannot be opened.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The files folder is not the one of the database.
    #[error(transparent)]
    StorageIdentity(#[from] StorageIdentityError),
    /// The mail configuration is invalid.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The application cannot be built.
    #[error(transparent)]
    Wiring(#[from] WiringError),
    /// The embedded frontend is incomplete.
    #[error(transparent)]
    Shells(#[from] ShellsError),
    /// The listen address cannot be bound.
    #[error("cannot listen on {address}")]
    Listen {
        /// The configured address.
        address: SocketAddr,
        /// The underlying error.
        #[source]
        source: io::Error,
    },
}

/// A server that is bound to its address and ready to run.
pub struct Server {
    listener: TcpListener,
    origin: PublicOrigin,
    use_cases: Executor,
    assistance: web::Data<Assistance>,
    session_key: Key,
    recipient_cookies: RecipientCookies,
    proxies: TrustedProxies,
    rates: web::Data<Windows>,
    shells: web::Data<Shells>,
    settings: web::Data<PublicSettings>,
    data_dir: web::Data<DataDir>,
}

impl Server {
    /// Prepares everything: data folder, key, database with its migrations, use cases, and
    /// the listening socket.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn bind(options: ServeOptions, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        let shells = embedded::shells()?;
        let proxies = TrustedProxies::new(options.proxies()?);
        let operator = options.operator.operator()?;
        let settings = PublicSettings {
            registration: options.registration,
            operator: operator.clone(),
            terms: options.operator.terms()?,
            logo: options.operator.logo()?,
        };
        let opened = data::open_or_create(&options.data)?;
        let cookie_key = |purpose| {
            let key = opened.current.derive::<64>(purpose)?;
            Ok::<_, DataError>(Key::from(&key))
        };
        let session_key = cookie_key("session cookie")?;
        let share_key = cookie_key("share cookie")?;
        let Opened { database, ring, .. } = opened;
        let record = data::newest_records(&database)?;
        let clock: Arc<dyn Clock> = Arc::new(SteadyClock::new(clock, record));
        let data_dir = options.data.data_dir.as_path();
        let folder = files_of(data_dir)?;
        storage_identity::establish(&database, &folder)?;
        let address = options.listen;
        let listen = |source| StartError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(listen)?;
        let origin = PublicOrigin(options.origin(listener.local_addr().map_err(listen)?)?);
        let rates = Windows::new(Arc::clone(&clock), options.rate_limit_scale);
        let app = App::new(Parts {
            database,
            folder,
            ring: &ring,
            clock,
            mailer: outbox_job::mailer(&options.mail, &operator.vault, data_dir)?,
            origin: &origin.0,
            operator,
            admission: options.admission(),
            view_window: options.view_window()?,
            quotas: options.quotas(),
        })?;
        Ok(Self {
            session_key,
            recipient_cookies: RecipientCookies::new(share_key, origin.is_https()),
            listener,
            origin,
            use_cases: Executor::new(app),
            assistance: web::Data::new(Assistance::new(options.language_model.model()?)),
            proxies,
            rates: web::Data::new(rates),
            shells: web::Data::new(shells),
            settings: web::Data::new(settings),
            data_dir: web::Data::new(DataDir(data_dir.to_owned())),
        })
    }

    /// Returns the base of every link, without a trailing slash.
    #[must_use]
    pub fn public_url(&self) -> &str {
        &self.origin.0
    }

    /// Returns the bound address, with the port that the system chose for port 0.
    ///
    /// # Errors
    /// [`io::Error`] if the socket is closed.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until SIGTERM or SIGINT. Running requests finish first.
    ///
    /// # Errors
    /// [`io::Error`] if the socket fails.
    pub async fn run(self) -> io::Result<()> {
        let openapi = openapi::document()
            .to_json()
            .map(web::Bytes::from)
            .map_err(io::Error::other)?;
        let cleanup = actix_web::rt::spawn(clean_up(self.use_cases.clone()));
        let outbox_job = actix_web::rt::spawn(outbox_job::deliver(
            self.use_cases.clone(),
            outbox_job::LOOK_EVERY,
        ));
        let timekeeper = actix_web::rt::spawn(keep_time(self.use_cases.clone()));
        let use_cases = self.use_cases.clone();
        let secure = self.origin.is_https();
        let server = HttpServer::new(move || {
            let openapi = openapi.clone();
            let (bad_path, bad_query) = params::refusals();
            let describe = move || {
                let body = HttpResponse::Ok()
                    .content_type("application/json")
                    .body(openapi.clone());
                async { body }
            };
            let (api, _) = ActixApp::new()
                .into_utoipa_app()
                .map(|app| {
                    app.app_data(web::Data::new(self.use_cases.clone()))
                        .app_data(self.assistance.clone())
                        .app_data(web::Data::new(self.origin.clone()))
                        .app_data(web::Data::new(self.recipient_cookies.clone()))
                        .app_data(web::Data::new(OverTls(secure)))
                        .app_data(web::Data::new(self.proxies.clone()))
                        .app_data(self.rates.clone())
                        .app_data(self.shells.clone())
                        .app_data(self.settings.clone())
                        .app_data(self.data_dir.clone())
                        .app_data(bad_path)
                        .app_data(bad_query)
                        .wrap(from_fn(headers::secure))
                        .wrap(TracingLogger::<RouteSpans>::new())
                        .service(routes::health::alive)
                        .service(routes::health::ready)
                        .route("/api/openapi.json", web::get().to(describe))
                })
                .service(
                    scope::scope("/api")
                        .wrap(from_fn(rates::limit))
                        .wrap(from_fn(denials::record_limits))
                        .wrap(sessions::middleware(
                            self.use_cases.clone(),
                            self.session_key.clone(),
                            secure,
                        ))
                        .wrap(from_fn(sessions::unavailable_not_broken))
                        .wrap(from_fn(refuse_cross_site))
                        .configure(routes::api)
                        .default_service(web::to(routes::no_route)),
                )
                .split_for_parts();
            api.default_service(web::to(embedded::page))
        })
        .worker_max_blocking_threads(BLOCKING_THREADS)
        .shutdown_timeout(SHUTDOWN_TIMEOUT_SECONDS)
        .listen(self.listener)?;
        let outcome = server.run().await;
        cleanup.abort();
        outbox_job.abort();
        timekeeper.abort();
        finish(&use_cases).await;
        outcome
    }
}

/// Completes the work that follows responses, and records the time.
async fn finish(use_cases: &Executor) {
    let finishing = async {
        use_cases.drain().await;
        record_time(use_cases).await;
    };
    if tokio::time::timeout(DRAIN_TIMEOUT, finishing)
        .await
        .is_err()
    {
        tracing::error!("stopped before the work after responses was done");
    }
}

/// Records the time at the start and at each interval.
async fn keep_time(use_cases: Executor) {
    let mut ticks = tokio::time::interval(RECORD_TIME_INTERVAL);
    loop {
        ticks.tick().await;
        record_time(&use_cases).await;
    }
}

async fn record_time(use_cases: &Executor) {
    if let Err(error) = use_cases.run(|app| app.timekeeping.record()).await {
        tracing::warn!(%error, "could not record the time");
    }
}

/// Cleans up at the start and every hour: ended sessions, unused devices, expired secrets,
/// old revisions and notices, and files that no row names.
async fn clean_up(use_cases: Executor) {
    let mut ticks = tokio::time::interval(CLEANUP_INTERVAL);
    loop {
        ticks.tick().await;
        match use_cases.run(|app| app.sessions.sweep()).await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "removed expired sessions"),
            Err(error) => tracing::warn!(%error, "could not remove expired sessions"),
        }
        match use_cases
            .run(|app| app.logins.delete_unused_devices())
            .await
        {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "removed unused devices"),
            Err(error) => tracing::warn!(%error, "could not remove unused devices"),
        }
        match use_cases.run(|app| app.cleanup.forget_expired()).await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "removed expired codes and links"),
            Err(error) => tracing::warn!(%error, "could not remove expired codes and links"),
        }
        match use_cases.run_long(|app| app.cleanup.thin_drafts()).await {
            Ok(0) => {}
            Ok(erased) => tracing::info!(erased, "erased old revisions of drafts"),
            Err(error) => tracing::warn!(%error, "could not erase old revisions"),
        }
        match use_cases.run(|app| app.notice_mailer.sweep()).await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "removed old notices"),
            Err(error) => tracing::warn!(%error, "could not remove old notices"),
        }
        match use_cases.run_long(|app| app.cleanup.sweep()).await {
            Ok(report) => log_cleanup(report),
            Err(error) => tracing::warn!(%error, "could not clean up the files"),
        }
    }
}

fn log_cleanup(report: CleanupReport) {
    let CleanupReport {
        unfinished,
        orphans,
        spared,
    } = report;
    if spared > 0 {
        tracing::warn!(
            spared,
            "no stored file is known to the database: is it the right one? Nothing was removed"
        );
    }
    if unfinished + orphans > 0 {
        tracing::info!(unfinished, orphans, "removed orphaned files");
    }
}
