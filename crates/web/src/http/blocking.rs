//! The bridge from async handlers to sync use cases, and to files.
//! Invariant: this is the only place that calls `web::block`.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use ideavault_domain::failure::Failure;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::error::chain;
use crate::app::App;
use crate::courier::Bell;

/// The use cases, callable from async code.
#[derive(Clone)]
pub struct UseCases {
    app: Arc<App>,
    hashing: Arc<Semaphore>,
    imaging: Arc<Semaphore>,
}

/// How long a request waits for the database, its turn there included. Longer
/// than the database's own limits, which say more about what went wrong.
const PATIENCE: Duration = Duration::from_secs(8);
/// How many images are decoded at a time. One takes up to half a gigabyte.
const IMAGES_AT_A_TIME: usize = 1;

impl UseCases {
    /// Wraps the application. At most `hashes` passwords are hashed at a time:
    /// each takes 19 MiB and a processor for a while.
    pub fn new(app: App, hashes: usize) -> Self {
        Self {
            app: Arc::new(app),
            hashing: Arc::new(Semaphore::new(hashes)),
            imaging: Arc::new(Semaphore::new(IMAGES_AT_A_TIME)),
        }
    }

    /// What rings when a mail was queued.
    pub(crate) fn mail_bell(&self) -> Arc<Bell> {
        Arc::clone(&self.app.mail_bell)
    }

    /// Runs a use case where blocking is allowed. A database that takes a
    /// question and never answers keeps nobody waiting longer than
    /// [`PATIENCE`]; what was to be written may or may not be written then.
    ///
    /// # Errors
    /// Those of the use case, or [`Failure::Unavailable`].
    pub async fn run<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        self.run_within(PATIENCE, work).await
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

    /// Runs a use case that takes as long as it takes: it does more than ask
    /// the database.
    ///
    /// # Errors
    /// Those of the use case.
    pub async fn run_long<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        let app = Arc::clone(&self.app);
        blocking(move || work(&app).map_err(Into::into)).await
    }

    /// Runs a use case after the answer, so that nobody can tell from the time
    /// that it takes. Its failure is logged, and nobody else hears of it.
    pub fn run_later<E, F>(&self, what: &'static str, work: F)
    where
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<(), E> + Send + 'static,
    {
        let use_cases = self.clone();
        actix_web::rt::spawn(async move {
            if let Err(error) = use_cases.run(work).await {
                tracing::error!(what, error = chain(&error), "work after an answer failed");
            }
        });
    }

    /// Runs a use case that hashes a password, when its turn comes.
    pub async fn run_hashing<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        let _turn = turn(&self.hashing).await?;
        self.run_long(work).await
    }

    /// Runs a use case that decodes an image, when its turn comes.
    pub async fn run_imaging<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        let _turn = turn(&self.imaging).await?;
        self.run_long(work).await
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

async fn turn(queue: &Semaphore) -> Result<SemaphorePermit<'_>, Failure> {
    queue
        .acquire()
        .await
        .map_err(|error| Failure::Unavailable(Box::new(error)))
}
