//! Starts, runs and stops the server.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ideavault_application::assistance::Assistance;
use ideavault_application::event_log::{EventLog, EventLogError};
use ideavault_application::status::Status;
use ideavault_crypto::{CacheUse, KeyRing, derive_cookie_key};
use ideavault_db::{PoolUse, SqlDatabase};
use ideavault_domain::Timestamp;
use ideavault_domain::evidence::AnchorService;
use ideavault_domain::ports::{Clock, Database as _, DatabaseError, Encryption as _};
use ideavault_files::{CheckpointFile, DiskSpace};
use ideavault_web::{
    CookieKeys, Executor, Figures, MetricsSource, ProcessFigure, PublicSettings, Readiness,
    ShellsError, Signals, UseCases, WebServer, WebServerDeps,
};
use sd_notify::NotifyState;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::config::{ConfigError, ServeOptions, unknown_variables};
use crate::data::{self, DataError, OpenVault, files_of, scratch_of};
use crate::jobs::{Jobs, QueueWaker};
use crate::listener::{keep, listen, take_or_listen};
use crate::mailer::{MailError, mailer};
use crate::platform::{SteadyClock, SystemClock, process_figures};
use crate::status::{Recording, VaultStatus, database_name, failing_outsiders, names};
use crate::storage_identity::{self, StorageIdentityError, StorageWatch};
use crate::version::{COMMIT, VERSION};
use crate::wiring::{Adapters, Background, Services, WiringError};

/// Time for the work that follows responses, after the last request. With the web server's
/// own timeout, and the time that the process then leaves to jobs, a stop takes 30 seconds at
/// most.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(4);

/// Reasons why the server does not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The vault cannot be opened.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The file storage is not the one of the database.
    #[error(transparent)]
    StorageIdentity(#[from] StorageIdentityError),
    /// The mail configuration is invalid.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The application cannot be built.
    #[error(transparent)]
    Wiring(#[from] WiringError),
    /// The log of events cannot be begun.
    #[error("the log of events cannot be begun")]
    EventLog(#[from] EventLogError),
    /// The embedded frontend is incomplete.
    #[error(transparent)]
    Shells(#[from] ShellsError),
    /// The signals that stop it cannot be listened for.
    #[error("cannot listen for signals")]
    Signals(#[source] io::Error),
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
    web: WebServer,
    public_url: String,
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    use_cases: Executor,
    background: UseCases<Background>,
    waker: Arc<QueueWaker>,
    /// Its database, storage and mail, for the log.
    parts: Parts,
}

/// Names of the services that a server uses.
struct Parts {
    database: String,
    storage: String,
    mail: &'static str,
    witnesses: String,
}

impl Server {
    /// Prepares everything: data folder, key, database with its migrations, use cases, and
    /// the listening socket.
    pub async fn bind(options: ServeOptions, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        for name in unknown_variables() {
            tracing::warn!("{name} is not a setting: see `ideavault serve --help`");
        }
        let proxies = options.proxies()?;
        let outsiders = options.anchors.outsiders()?;
        let witnesses = options.anchors.services()?;
        let blocks = options.anchors.blocks()?;
        let operator = options.operator.operator()?;
        let documents = options.operator.documents()?;
        let settings = PublicSettings {
            registration: options.registration.into(),
            operator: operator.clone(),
            terms: options.operator.terms()?,
            logo: options.operator.logo()?,
            pdf_limit: options.pdf_limit()?,
            view_window: options.view_window()?,
        };
        let model = options.language_model.model()?;
        let audit_retention = options.audit_retention()?;
        let drain_time = options.drain_time()?;
        let data_dir = options.data.data_dir.as_path();
        let mailer = mailer(&options.mail, &operator.vault, data_dir)?;
        options.origin(options.listen)?;
        // With all settings checked, so that a wrong one leaves nothing behind.
        let opened = data::open_or_create(&options.data)?;
        let cookie_key = data::cookie_key(&opened.database)?;
        let derived =
            |purpose| derive_cookie_key::<64>(&cookie_key, purpose).map_err(DataError::from);
        let keys = CookieKeys {
            session: derived("session cookie")?,
            share: derived("share cookie")?,
        };
        let OpenVault { database, ring, .. } = opened;
        let record = data::newest_records(&database)?;
        let clock: Arc<dyn Clock> = Arc::new(SteadyClock::new(clock, record));
        let scratch = scratch_of(data_dir)?;
        let blobs = files_of(&options.data)?;
        storage_identity::establish(&database, blobs.as_ref())?;
        let (listener, address) =
            take_or_listen(options.listen).map_err(cannot_listen(options.listen))?;
        let metrics = options
            .metrics_address
            .map(|address| listen(address).map_err(cannot_listen(address)))
            .transpose()?;
        let metrics_address = metrics.as_ref().map(|(_, address)| *address);
        let public_url = options.origin(address)?;
        let waker = Arc::new(QueueWaker::default());
        let wired = Services::new(Adapters {
            database: database.with_commit_hook(Arc::clone(&waker) as _),
            blobs,
            scratch,
            ring: &ring,
            clock: Arc::clone(&clock),
            mailer,
            origin: &public_url,
            host: options.host(address),
            known_checkpoint: Arc::new(CheckpointFile::new(data_dir)),
            public_log: options.public_log,
            documents: Arc::new(documents),
            outsiders,
            blocks,
            operator,
            admission: options.admission(),
            hashing_cost: options.hashing_cost,
            view_window: settings.view_window,
            quotas: options.quotas(),
            pdf_limit: settings.pdf_limit,
            audit_retention,
            rate_limit_scale: options.rate_limit_scale,
        })?;
        wired.event_log.begin()?;
        if let Some(name) = data::log_named_after_this_machine(&wired.database)? {
            tracing::warn!(name, "{}", data::LOG_NAME_ADVICE);
        }
        let database = wired.database;
        let state = database.state().map_err(DataError::Read)?;
        let parts = Parts {
            database: database_name(&state),
            storage: wired.blobs.name(),
            mail: match options.mail.smtp_url() {
                Some(_) => "mail server",
                None => "folder outbox: no mail server is set",
            },
            witnesses: names(&witnesses),
        };
        let use_cases = Executor::new(wired.app, Arc::clone(&database) as _, Arc::clone(&clock));
        let background = Executor::new(
            wired.background,
            Arc::clone(&database) as _,
            Arc::clone(&clock),
        )
        .for_server();
        let readiness = Arc::new(VaultReadiness {
            storage_watch: StorageWatch::new(Arc::clone(&database), wired.blobs),
            status: Status::new(Arc::clone(&database), Arc::clone(&clock)),
            database,
            ring,
            event_log: wired.event_log,
            data_dir: data_dir.to_owned(),
            witnesses,
            started_at: SystemClock.now(),
            has_logged_key: AtomicBool::new(false),
        });
        let metrics = metrics.map(|(listener, _)| (listener, Arc::clone(&readiness) as _));
        keep(&listener);
        let web = WebServer::new(WebServerDeps {
            listener,
            origin: public_url.clone(),
            use_cases: use_cases.clone(),
            assistance: Assistance::new(model),
            keys,
            proxies,
            settings,
            personal_content_timeout: options.personal_content_timeout,
            readiness,
            metrics,
            drain_time,
            signals: Signals::new().map_err(StartError::Signals)?,
        })?;
        Ok(Self {
            web,
            public_url,
            address,
            metrics_address,
            use_cases,
            background,
            waker,
            parts,
        })
    }

    /// Says in the log what runs, and tells the service manager that it is ready.
    pub fn announce(&self) {
        let Parts {
            database,
            storage,
            mail,
            witnesses,
        } = &self.parts;
        tracing::info!(
            url = self.public_url,
            address = %self.address,
            version = VERSION,
            commit = COMMIT,
            database,
            storage,
            mail,
            witnesses,
            "listening"
        );
        notify(NotifyState::Ready);
    }

    /// Returns the base of every link, without a trailing slash.
    #[must_use]
    pub fn public_url(&self) -> &str {
        &self.public_url
    }

    /// Returns the bound address, with the port that the system chose for port 0.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the bound address of the metrics; none without metrics.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Serves until SIGTERM or SIGINT. Running requests finish first.
    ///
    /// # Errors
    /// [`io::Error`] if the socket fails.
    pub async fn run(self) -> io::Result<()> {
        let jobs = Jobs::start(self.background, &self.waker);
        let outcome = self.web.run(|| notify(NotifyState::Stopping)).await;
        let finishing = async {
            self.use_cases.drain().await;
            jobs.stop().await;
        };
        if tokio::time::timeout(DRAIN_TIMEOUT, finishing)
            .await
            .is_err()
        {
            tracing::error!("stopped before the work after responses was done");
        }
        outcome
    }
}

/// Tells systemd, if it has started the server and waits for word.
fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "could not tell systemd about the state of the server");
    }
}

/// Says which address cannot be bound.
fn cannot_listen(address: SocketAddr) -> impl FnOnce(io::Error) -> StartError {
    move |source| StartError::Listen { address, source }
}

/// The reason in `/readyz` after a newer program has migrated the database.
const MIGRATED_AWAY: &str = "a newer version of IdeaVault has migrated the database, and this one \
                             cannot work with it: replace the binary";

/// The reason in `/readyz` when the master key was replaced and this server lacks the new one.
const KEY_MISSING: &str = "the master key was replaced, and this server does not have the new \
                           one: put it into IDEAVAULT_SECRET_KEY, or into secret.key in its data \
                           folder, and restart it";

/// The state of the vault, for `/readyz` and metrics.
struct VaultReadiness {
    database: Arc<SqlDatabase>,
    ring: KeyRing,
    storage_watch: StorageWatch,
    status: Status<SqlDatabase>,
    event_log: Arc<EventLog<SqlDatabase>>,
    witnesses: Vec<AnchorService>,
    data_dir: PathBuf,
    started_at: Timestamp,
    /// Whether the missing key is in the log of the server already.
    has_logged_key: AtomicBool,
}

impl VaultReadiness {
    /// Returns whether this server has the master key of the database.
    fn has_key(&self) -> Result<bool, DatabaseError> {
        let current = self.database.read_one(|tx| tx.master_keys().master_key())?;
        let activated = current.map_or(Ok(()), |current| self.ring.activate(current));
        let has_key = activated.is_ok();
        if !self.has_logged_key.swap(!has_key, Ordering::Relaxed)
            && let Err(error) = activated
        {
            tracing::error!(error = ideavault_web::chain(&error), "{KEY_MISSING}");
        }
        Ok(has_key)
    }
}

impl Readiness for VaultReadiness {
    fn problem(&self) -> Result<Option<&'static str>, DatabaseError> {
        if !self.database.can_use_schema()? {
            return Ok(Some(MIGRATED_AWAY));
        }
        if !self.has_key()? {
            return Ok(Some(KEY_MISSING));
        }
        self.storage_watch.problem()
    }

    fn figures(&self) -> Result<Map<String, Value>, DatabaseError> {
        let (database, report) = (self.database.state()?, self.status.report()?);
        let recording = Recording::of(self.event_log.stopped());
        let witnesses = self.witnesses.clone();
        let status = VaultStatus::new(
            database,
            Some(report),
            Some(recording),
            witnesses,
            &self.data_dir,
        );
        Ok(status.facts())
    }
}

impl MetricsSource for VaultReadiness {
    fn commit(&self) -> &'static str {
        COMMIT
    }

    fn process(&self) -> Vec<ProcessFigure> {
        process_figures(self.started_at)
    }

    fn is_ready(&self) -> Result<bool, DatabaseError> {
        Ok(self.problem()?.is_none())
    }

    fn figures(&self) -> Result<Figures, DatabaseError> {
        let report = self.status.report()?;
        let figures = self.status.figures()?;
        let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        Ok(Figures {
            mails: report.mails.count,
            oldest_mail_seconds: report.oldest_mail_age().map_or(0, |age| age.num_seconds()),
            unplaced_events: count(figures.unplaced_events),
            given_up_mails: report.given_up.count,
            last_backup: report.last_backup,
            failing_anchors: failing_outsiders(&report)
                .len()
                .try_into()
                .unwrap_or(i64::MAX),
            jobs: report.jobs,
            stored_bytes: count(figures.stored_bytes),
            free_bytes: DiskSpace::of(&self.data_dir)
                .ok()
                .map(|space| count(space.free)),
            is_recording: self.event_log.stopped().is_none(),
        })
    }

    fn pools(&self) -> Vec<(&'static str, PoolUse)> {
        self.database.pools()
    }

    fn caches(&self) -> Vec<(&'static str, CacheUse)> {
        vec![("data_keys", self.ring.cache_use())]
    }
}
