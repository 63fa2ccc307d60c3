//! The bridge from async handlers to sync use cases, and to files.
//! Invariant: this is the only place that calls `web::block`.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::failure::Failure;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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
/// How long anything takes before it is asked whether the database still
/// answers at all, and how often it is asked from then on. What it has begun to
/// work on may take longer; a server that does not even begin is down.
const DOUBT: Duration = Duration::from_millis(2_250);
const DOUBT_AGAIN: Duration = Duration::from_millis(250);
/// How many images are decoded at a time. One takes up to half a gigabyte.
const IMAGES_AT_A_TIME: usize = 1;

/// The database takes questions and answers none.
#[derive(Debug, Error)]
#[error("the database does not answer")]
struct Silent;

/// Nobody waits for what was to be done.
#[derive(Debug, Error)]
#[error("whoever asked has been answered already")]
struct Unwanted;

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

    /// Whether people have to confirm their address.
    #[must_use]
    pub fn confirmation(&self) -> AddressConfirmation {
        self.app.accounts.confirmation()
    }

    /// Runs a use case where blocking is allowed. A database that is slow keeps
    /// nobody waiting longer than [`PATIENCE`], and one that is silent not
    /// much longer than [`DOUBT`]. What was to be written is not written then, if it
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
    async fn while_answered<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let mut work = pin!(work);
        let mut patience = DOUBT;
        let mut doubted = false;
        loop {
            if let Ok(done) = tokio::time::timeout(patience, work.as_mut()).await {
                return done;
            }
            if doubted && self.app.database.give_up_if_silent() {
                return Err(Failure::Unavailable(Box::new(Silent)));
            }
            doubted = self.app.database.is_silent();
            patience = DOUBT_AGAIN;
        }
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
        self.in_turn(&self.hashing, work).await
    }

    /// Runs a use case that decodes an image, when its turn comes.
    pub async fn run_imaging<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        self.in_turn(&self.imaging, work).await
    }

    /// Runs a use case when its turn comes. The turn ends with the work, not with
    /// whoever waits for it: a client that hangs up stops neither.
    async fn in_turn<T, E, F>(&self, queue: &Arc<Semaphore>, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&App) -> Result<T, E> + Send + 'static,
    {
        self.while_answered(async {
            let turn = turn(queue).await?;
            self.work(move |app| {
                let _turn = turn;
                work(app)
            })
            .await
        })
        .await
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

async fn turn(queue: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Failure> {
    Arc::clone(queue)
        .acquire_owned()
        .await
        .map_err(|error| Failure::Unavailable(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tempfile::TempDir;

    use super::*;
    use crate::config::MailOptions;
    use crate::courier::mailer;
    use crate::testing::use_cases;

    #[actix_web::test]
    async fn who_hangs_up_frees_no_turn_before_the_work_is_done() {
        let folder = TempDir::new().unwrap();
        let mailer = mailer(&MailOptions::default(), folder.path()).unwrap();
        let (cases, _) = use_cases(folder.path(), mailer);
        let (begin, mut begun) = tokio::sync::mpsc::unbounded_channel();
        let (finish, finished) = mpsc::channel::<()>();
        let asked = tokio::task::spawn_local({
            let cases = cases.clone();
            async move {
                cases
                    .run_imaging(move |_| {
                        begin.send(()).unwrap();
                        finished.recv().unwrap();
                        Ok::<_, Failure>(())
                    })
                    .await
            }
        });
        begun.recv().await.unwrap();
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
        assert_eq!(cases.imaging.available_permits(), 0);
        finish.send(()).unwrap();
        assert!(cases.run_imaging(|_| Ok::<_, Failure>(())).await.is_ok());
    }
}
