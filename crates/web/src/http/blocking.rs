//! The bridge from async handlers to synchronous use cases, and to files.
//!
//! Invariant: this is the only place that calls `web::block`. CPU-bound work runs on other
//! threads: see [`super::cpu_bound`]. Only reads that never wait run on the threads that serve
//! requests.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use actix_web::web;
use ideavault_db::{DataVersion, SqlDatabase};
use ideavault_domain::account::UserSession;
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::{Clock, DatabaseError};
use ideavault_domain::token::TokenHash;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use super::REQUEST_TIMEOUT;
use super::caches::Caches;
use super::error::chain;
use super::queue::Queues;
use super::request_state::{add_to_waited, waited};
use crate::app::App;

/// The database, as far as no use case reaches it: its connections, and the version of its data.
pub trait DatabaseHandle: Send + Sync {
    /// Sends a query, which shows whether the database responds. Blocks.
    fn probe(&self);

    /// Returns whether queries were sent and none is responded to.
    fn is_stalled(&self) -> bool;

    /// Closes the connections if the database is stalled. Returns whether it is.
    fn abandon_if_stalled(&self) -> bool;

    /// Runs `work`, which reads, without any wait. Returns `false` if it would have had to wait;
    /// part of it may have run then.
    fn at_once(&self, work: &mut dyn FnMut()) -> bool;

    /// Returns which state of the data a read that begins now sees, or a later one. Blocks.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn version(&self) -> Result<DataVersion, DatabaseError>;

    /// Returns the version as [`version`](Self::version) does, and those sessions that have one of
    /// these keys then, or later. Blocks.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn version_with_sessions(
        &self,
        keys: &[TokenHash],
    ) -> Result<(DataVersion, Vec<UserSession>), DatabaseError>;
}

impl DatabaseHandle for SqlDatabase {
    fn probe(&self) {
        self.probe();
    }

    fn is_stalled(&self) -> bool {
        self.is_stalled()
    }

    fn abandon_if_stalled(&self) -> bool {
        self.abandon_if_stalled()
    }

    fn at_once(&self, work: &mut dyn FnMut()) -> bool {
        self.at_once(work)
    }

    fn version(&self) -> Result<DataVersion, DatabaseError> {
        self.version()
    }

    fn version_with_sessions(
        &self,
        keys: &[TokenHash],
    ) -> Result<(DataVersion, Vec<UserSession>), DatabaseError> {
        self.version_with_sessions(keys)
    }
}

/// Runs use cases from async code.
pub struct Executor<A = App> {
    pub(super) app: Arc<A>,
    pub(super) database: Arc<dyn DatabaseHandle>,
    pub(super) caches: Arc<Caches>,
    pub(super) queues: Queues,
    is_probing: Arc<AtomicBool>,
    later: Later,
}

impl<A> Clone for Executor<A> {
    fn clone(&self) -> Self {
        Self {
            app: Arc::clone(&self.app),
            database: Arc::clone(&self.database),
            caches: Arc::clone(&self.caches),
            queues: self.queues.clone(),
            is_probing: Arc::clone(&self.is_probing),
            later: self.later.clone(),
        }
    }
}

/// Time before the database is probed: all threads and connections may wait in the middle of
/// a query, so that only a separate probe shows whether the server still responds.
const PROBE_AFTER: Duration = Duration::from_millis(500);
/// Time before a request checks whether the database has stopped responding. A query that
/// the database works on may take longer; a server that does not respond at all is down.
const STALL_CHECK_AFTER: Duration = Duration::from_millis(2_250);
/// Interval of further checks.
const STALL_CHECK_EVERY: Duration = Duration::from_millis(250);

/// The database accepts queries and does not respond.
#[derive(Debug, thiserror::Error)]
#[error("the database does not answer")]
struct DatabaseStalled;

/// The caller gave up before the work began: the client disconnected, or a timeout passed.
#[derive(Debug, thiserror::Error)]
#[error("nobody waits for the result any more")]
struct Abandoned;

impl Executor {
    /// Returns whether people have to confirm their address.
    #[must_use]
    pub fn confirmation(&self) -> AddressConfirmation {
        self.app.accounts.confirmation()
    }
}

impl<A: Send + Sync + 'static> Executor<A> {
    /// Runs the use cases of `app`, all of which use `database`. Work after responses runs
    /// on the runtime of the caller, which outlives the server's workers.
    pub fn new(app: A, database: Arc<dyn DatabaseHandle>, clock: Arc<dyn Clock>) -> Self {
        Self {
            app: Arc::new(app),
            database,
            caches: Arc::new(Caches::new(clock)),
            queues: Queues::default(),
            is_probing: Arc::default(),
            later: Later::default(),
        }
    }

    /// Runs a use case on a blocking thread. A slow database delays a request by at most
    /// [`REQUEST_TIMEOUT`], however many use cases it runs, and one that has stopped responding by little more than
    /// [`STALL_CHECK_AFTER`]. After a timeout, work that had not begun does not happen; the
    /// outcome of work that had begun is unknown.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn run<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.in_time(self.work(work)).await
    }

    /// Waits for `work` of a request as long as the database responds and the request has time.
    pub(super) async fn in_time<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let left = REQUEST_TIMEOUT.saturating_sub(waited());
        let began = Instant::now();
        let done = within(left, self.while_answered(work)).await;
        add_to_waited(began.elapsed());
        done
    }

    /// Runs a use case that reads a few rows by their keys, on this thread if the database never
    /// makes it wait (which saves more than such a read takes), else as [`run`](Self::run) does.
    /// It may run twice.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: Fn(&A) -> Result<T, E> + Send + 'static,
    {
        match self.at_once(&work) {
            Some(done) => done.map_err(Into::into),
            None => self.run(work).await,
        }
    }

    /// Runs a use case that reads, on this thread. Returns `None` if it would have had to wait or
    /// to write, such as always on Postgres; part of it may have run then.
    pub fn at_once<T>(&self, work: impl FnOnce(&A) -> T) -> Option<T> {
        let mut work = Some(work);
        let mut done = None;
        let was_possible = self.database.at_once(&mut || {
            done = work.take().map(|work| work(&self.app));
        });
        done.filter(|_| was_possible)
    }

    /// Returns the name of each queue of heavy work, and how much runs or waits there.
    #[must_use]
    pub fn taken_places(&self) -> [(&'static str, usize); 7] {
        self.queues.taken()
    }

    /// Runs a use case with a timeout.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn run_within<T, E, F>(&self, timeout: Duration, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        within(timeout, self.run_long(work)).await
    }

    /// Runs a use case without a timeout, because it does more than query the database.
    /// Fails if the database stops responding.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn run_long<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.while_answered(self.work(work)).await
    }

    /// Runs `work` on a blocking thread, unless the caller gives up before it begins.
    async fn work<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        let app = Arc::clone(&self.app);
        let waiting = Arc::new(());
        let asked = Arc::downgrade(&waiting);
        let done = blocking(move || {
            if asked.strong_count() == 0 {
                return Err(Failure::Unavailable(Box::new(Abandoned)));
            }
            work(&app).map_err(Into::into)
        })
        .await;
        drop(waiting);
        done
    }

    /// Waits for `work` as long as the database responds. Gives up only at the second check:
    /// if this machine itself was suspended, the responses have arrived by then.
    pub(super) async fn while_answered<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let mut work = pin!(work);
        if let Ok(done) = tokio::time::timeout(PROBE_AFTER, work.as_mut()).await {
            return done;
        }
        self.probe();
        let mut wait = STALL_CHECK_AFTER.saturating_sub(PROBE_AFTER);
        let mut suspected = false;
        loop {
            if let Ok(done) = tokio::time::timeout(wait, work.as_mut()).await {
                return done;
            }
            if suspected && self.database.abandon_if_stalled() {
                return Err(Failure::Unavailable(Box::new(DatabaseStalled)));
            }
            suspected = self.database.is_stalled();
            wait = STALL_CHECK_EVERY;
        }
    }

    /// Probes the database. Only one probe runs at a time.
    fn probe(&self) {
        let Some(probing) = Probing::begin(&self.is_probing) else {
            return;
        };
        let database = Arc::clone(&self.database);
        let started = std::thread::Builder::new()
            .name("probe".into())
            .spawn(move || {
                database.probe();
                drop(probing);
            });
        if let Err(error) = started {
            tracing::warn!(%error, "could not start a probe of the database");
        }
    }

    /// Runs a use case after the response, so that the duration of a request does not reveal
    /// it. Failures are only logged. A server that stops waits for it: see
    /// [`Executor::drain`].
    pub fn run_later<E, F>(&self, what: &'static str, work: F)
    where
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<(), E> + Send + 'static,
    {
        let use_cases = self.clone();
        let pending = self.later.add();
        self.later.runtime.spawn(async move {
            let turn = use_cases.later.turns.acquire().await;
            if let Err(error) = use_cases.run(work).await {
                tracing::error!(what, error = chain(&error), "work after a response failed");
            }
            drop(turn);
            drop(pending);
        });
    }

    /// Waits until all work after responses is done.
    pub async fn drain(&self) {
        let mut pending = self.later.pending.subscribe();
        // Cannot fail: `self` owns the sender.
        drop(pending.wait_for(|pending| *pending == 0).await);
    }
}

/// The probe that runs. Permits the next one when it is dropped: also if its thread panics, or does
/// not start.
struct Probing(Arc<AtomicBool>);

impl Probing {
    /// Returns `None` while another probe runs.
    fn begin(is_probing: &Arc<AtomicBool>) -> Option<Self> {
        let was_probing = is_probing.swap(true, Ordering::Relaxed);
        (!was_probing).then(|| Self(Arc::clone(is_probing)))
    }
}

impl Drop for Probing {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Number of use cases that run after responses at a time.
const LATER_CONCURRENCY: usize = 4;

/// Work after responses.
#[derive(Clone)]
struct Later {
    /// The main runtime. That of a worker ends with its last response.
    runtime: Handle,
    turns: Arc<Semaphore>,
    pending: Arc<watch::Sender<usize>>,
}

impl Default for Later {
    fn default() -> Self {
        Self {
            runtime: Handle::current(),
            turns: Arc::new(Semaphore::new(LATER_CONCURRENCY)),
            pending: Arc::new(watch::Sender::new(0)),
        }
    }
}

impl Later {
    fn add(&self) -> Pending {
        self.pending.send_modify(|pending| *pending += 1);
        Pending(Arc::clone(&self.pending))
    }
}

/// Counts as pending until it is dropped.
struct Pending(Arc<watch::Sender<usize>>);

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.send_modify(|pending| *pending -= 1);
    }
}

async fn within<T>(
    timeout: Duration,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::time::timeout(timeout, work)
        .await
        .map_err(|elapsed| Failure::Unavailable(Box::new(elapsed)))?
}

/// Runs `work` on a blocking thread, and waits for nothing.
pub(super) fn in_background(work: impl FnOnce() + Send + 'static) {
    drop(web::block(work));
}

/// Runs file I/O on a blocking thread.
pub async fn blocking<T, F>(work: F) -> Result<T, Failure>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Failure> + Send + 'static,
{
    web::block(work)
        .await
        .map_err(|error| Failure::Unavailable(Box::new(error)))?
}

#[cfg(test)]
mod tests;
