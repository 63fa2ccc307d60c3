//! The bridge from async handlers to sync use cases, and to files.
//! Invariant: this is the only place that calls `web::block`. What takes a
//! processor for long runs on other threads: see [`super::heavy`].

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::web;
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::failure::Failure;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use super::error::chain;
use super::heavy::Lanes;
use crate::app::App;
use crate::outbox_job::Bell;

/// The use cases, callable from async code.
#[derive(Clone)]
pub struct Executor {
    pub(super) app: Arc<App>,
    pub(super) lanes: Lanes,
    is_probing: Arc<AtomicBool>,
    later: Later,
}

/// How long a request waits for the database, its turn there included. Longer
/// than the database's own limits, which say more about what went wrong.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);
/// How long anything takes before the database is probed: all threads and
/// connections may be waiting for answers in the midst of something, so that
/// nothing else shows whether it still gives any.
const PROBE_AFTER: Duration = Duration::from_millis(500);
/// How long anything takes before it is asked whether the database still
/// answers at all, and how often it is asked from then on. What it has begun to
/// work on may take longer; a server that does not even begin is down.
const STALL_CHECK_AFTER: Duration = Duration::from_millis(2_250);
const DOUBT_AGAIN: Duration = Duration::from_millis(250);

/// The database takes questions and answers none.
#[derive(Debug, Error)]
#[error("the database does not answer")]
struct Silent;

/// Nobody waits for what was to be done.
#[derive(Debug, Error)]
#[error("whoever asked has been answered already")]
struct Unwanted;

impl Executor {
    /// Wraps the application. What runs after answers runs where this was called, in
    /// an async context: there it outlives the server's workers.
    pub fn new(app: App) -> Self {
        Self {
            app: Arc::new(app),
            lanes: Lanes::default(),
            is_probing: Arc::default(),
            later: Later::default(),
        }
    }

    /// What rings when a mail was queued.
    pub(crate) fn mail_bell(&self) -> Arc<Bell> {
        Arc::clone(&self.app.mail_bell)
    }

    /// Whether people have to confirm their address.
    #[must_use]
    pub fn confirmation(&self) -> AddressConfirmation {
        self.app.accounts.confirmation()
    }

    /// Runs a use case where blocking is allowed. A database that is slow keeps
    /// nobody waiting longer than [`REQUEST_TIMEOUT`], and one that is silent not
    /// much longer than [`STALL_CHECK_AFTER`]. What was to be written is not written then, if it
    /// had not been begun; else nobody knows.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn run<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        self.run_within(REQUEST_TIMEOUT, work).await
    }

    /// Runs a use case that may take no longer than `patience`.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn run_within<T, E, F>(&self, patience: Duration, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        tokio::time::timeout(patience, self.run_long(work))
            .await
            .map_err(|elapsed| Failure::Unavailable(Box::new(elapsed)))?
    }

    /// Runs a use case that takes as long as it takes, unless the database is
    /// silent: it does more than ask the database.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn run_long<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        self.while_answered(self.work(work)).await
    }

    /// Does `work` where blocking is allowed, unless whoever asked has given up
    /// before it is begun.
    async fn work<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        let app = Arc::clone(&self.app);
        let waiting = Arc::new(());
        let asked = Arc::downgrade(&waiting);
        let done = blocking(move || {
            if asked.strong_count() == 0 {
                return Err(Failure::Unavailable(Box::new(Unwanted)));
            }
            work(&app).map_err(Into::into)
        })
        .await;
        drop(waiting);
        done
    }

    /// Waits for `work` as long as the database can be expected to answer. It is
    /// given up at the second look only: when this machine stood still itself, the
    /// answers have come by then.
    pub(super) async fn while_answered<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let mut work = pin!(work);
        if let Ok(done) = tokio::time::timeout(PROBE_AFTER, work.as_mut()).await {
            return done;
        }
        self.probe();
        let mut patience = STALL_CHECK_AFTER.saturating_sub(PROBE_AFTER);
        let mut doubted = false;
        loop {
            if let Ok(done) = tokio::time::timeout(patience, work.as_mut()).await {
                return done;
            }
            if doubted && self.app.database.abandon_if_stalled() {
                return Err(Failure::Unavailable(Box::new(Silent)));
            }
            doubted = self.app.database.is_silent();
            patience = DOUBT_AGAIN;
        }
    }

    /// Probes the database, once at a time.
    fn probe(&self) {
        if self.is_probing.swap(true, Ordering::Relaxed) {
            return;
        }
        let (app, is_probing) = (Arc::clone(&self.app), Arc::clone(&self.is_probing));
        let probing = std::thread::Builder::new()
            .name("probe".into())
            .spawn(move || {
                app.database.probe();
                is_probing.store(false, Ordering::Relaxed);
            });
        if let Err(error) = probing {
            self.is_probing.store(false, Ordering::Relaxed);
            tracing::warn!(%error, "the database was not probed");
        }
    }

    /// Runs a use case after the answer, so that nobody can tell from the time
    /// that it takes. Its failure is logged, and nobody else hears of it. A server that
    /// stops waits for it: see [`Executor::drain`].
    pub fn run_later<E, F>(&self, what: &'static str, work: F)
    where
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<(), E> + Send + 'static,
    {
        let use_cases = self.clone();
        let pending = self.later.add();
        self.later.runtime.spawn(async move {
            let turn = use_cases.later.turns.acquire().await;
            if let Err(error) = use_cases.run(work).await {
                tracing::error!(what, error = chain(&error), "work after an answer failed");
            }
            drop(turn);
            drop(pending);
        });
    }

    /// Waits until all that was to run after answers has run.
    pub async fn drain(&self) {
        let mut pending = self.later.pending.subscribe();
        // The sender lives as long as this.
        drop(pending.wait_for(|pending| *pending == 0).await);
    }
}

/// How much runs after answers at a time.
const LATER_THREADS: usize = 4;

/// What runs after answers.
#[derive(Clone)]
struct Later {
    /// Not that of a worker, which ends with its last answer.
    runtime: Handle,
    turns: Arc<Semaphore>,
    pending: Arc<watch::Sender<usize>>,
}

impl Default for Later {
    fn default() -> Self {
        Self {
            runtime: Handle::current(),
            turns: Arc::new(Semaphore::new(LATER_THREADS)),
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

/// Counts as long as it lives.
struct Pending(Arc<watch::Sender<usize>>);

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.send_modify(|pending| *pending -= 1);
    }
}

/// Runs what is slow for other reasons than a use case: reading and writing files.
pub async fn blocking<T, F>(work: F) -> Result<T, Failure>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Failure> + Send + 'static,
{
    web::block(work)
        .await
        .map_err(|error| Failure::Unavailable(Box::new(error)))?
}
