//! Bounded queues for CPU-bound work, one for each kind (docs/rules.md#heavy-work).
//!
//! Invariant: each kind has its own fixed number of threads. An account has one piece of
//! work running and a few waiting, so that neither a kind nor an account delays others by
//! more than one piece of work.

use std::collections::HashMap;
use std::future::{Ready, ready};
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use ideavault_domain::failure::Failure;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::blocking::Executor;
use super::client::ClientOrigin;
use super::error::ApiError;
use super::sessions;
use crate::app::App;

/// Largest content that is checked outside the queues: it takes milliseconds.
pub const SHORT_TEXT: usize = 32 * 1024;
/// Time that a request waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(30);
/// `Retry-After` for an account with too much waiting work.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Limits of one kind of work.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    threads: usize,
    /// Running and waiting for one account.
    per_account: usize,
    /// Running and waiting in total.
    in_all: usize,
}

/// Each waiting request holds up to 8 MiB of text in memory.
const TEXTS: Bounds = Bounds {
    threads: 1,
    per_account: 4,
    in_all: 32,
};
/// Decoding an image takes up to 500 MB of memory. Waiting images are on the disk, and
/// pasting a document uploads many at once.
const IMAGES: Bounds = Bounds {
    threads: 1,
    per_account: 32,
    in_all: 128,
};
const PDFS: Bounds = Bounds {
    threads: 1,
    per_account: 4,
    in_all: 32,
};
/// A page contains up to 32 MiB of images, written as text. Recipients count by client
/// address, which an office shares.
const PAGES: Bounds = Bounds {
    threads: 1,
    per_account: 16,
    in_all: 64,
};
/// A hash takes 19 MiB of memory. Logins count by client address, which an office shares.
const PASSWORDS: Bounds = Bounds {
    threads: 2,
    per_account: 64,
    in_all: 256,
};

/// The queue is full, or no turn came in time.
#[derive(Debug, Error)]
#[error("too much of this work is waiting already")]
struct Busy;

/// The queues of one server.
#[derive(Clone)]
pub(super) struct Queues {
    texts: Queue,
    images: Queue,
    pdfs: Queue,
    pages: Queue,
    passwords: Queue,
}

impl Default for Queues {
    fn default() -> Self {
        Self {
            texts: Queue::new(TEXTS),
            images: Queue::new(IMAGES),
            pdfs: Queue::new(PDFS),
            pages: Queue::new(PAGES),
            passwords: Queue::new(PASSWORDS),
        }
    }
}

/// Use cases on behalf of a caller. Heavy work counts for the account, or for the client's
/// address if nobody is signed in.
pub struct Cases<A = App> {
    use_cases: Executor<A>,
    payer: String,
}

impl<A> Clone for Cases<A> {
    fn clone(&self) -> Self {
        Self {
            use_cases: self.use_cases.clone(),
            payer: self.payer.clone(),
        }
    }
}

impl<A> Deref for Cases<A> {
    type Target = Executor<A>;

    fn deref(&self) -> &Executor<A> {
        &self.use_cases
    }
}

impl FromRequest for Cases {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let use_cases = request
            .app_data::<web::Data<Executor>>()
            .ok_or_else(|| Failure::Internal("the use cases are not set up".into()));
        let payer = match sessions::signed_in(request) {
            Some(user) => user.to_string(),
            None => ClientOrigin::of(request).0.network(),
        };
        ready(use_cases.map_err(ApiError::from).map(|use_cases| Self {
            use_cases: use_cases.as_ref().clone(),
            payer,
        }))
    }
}

impl<A: Send + Sync + 'static> Cases<A> {
    /// Runs a use case that parses content of `length` bytes.
    ///
    /// # Errors
    /// Those of the use case; [`Failure::TooMany`] if the account has too much waiting;
    /// [`Failure::Unavailable`] if the queue is full or the turn does not come in time.
    pub async fn run_parsing<T, E, F>(&self, length: usize, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        if length <= SHORT_TEXT {
            return self.run(work).await;
        }
        self.run_in(&self.queues.texts, work).await
    }

    /// Runs a use case that decodes an image.
    ///
    /// # Errors
    /// Those of [`Cases::run_parsing`].
    pub async fn run_imaging<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.images, work).await
    }

    /// Runs a use case that reads a PDF.
    ///
    /// # Errors
    /// Those of [`Cases::run_parsing`].
    pub async fn run_pdf<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.pdfs, work).await
    }

    /// Runs a use case that builds a page for a recipient to save.
    ///
    /// # Errors
    /// Those of [`Cases::run_parsing`].
    pub async fn run_page<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.pages, work).await
    }

    /// Runs a use case that hashes a password.
    ///
    /// # Errors
    /// Those of [`Cases::run_parsing`].
    pub async fn run_hashing<T, E, F>(&self, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        self.run_in(&self.queues.passwords, work).await
    }

    async fn run_in<T, E, F>(&self, queue: &Queue, work: F) -> Result<T, Failure>
    where
        T: Send + 'static,
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<T, E> + Send + 'static,
    {
        let place = queue.enter(&self.payer)?;
        self.while_answered(async {
            let turn = tokio::time::timeout(TURN_TIMEOUT, place.turn())
                .await
                .map_err(|elapsed| Failure::Unavailable(Box::new(elapsed)))??;
            let app = Arc::clone(&self.app);
            turn.run(move || work(&app).map_err(Into::into)).await
        })
        .await
    }
}

/// The queue of one kind of work.
#[derive(Clone)]
struct Queue(Arc<QueueState>);

struct QueueState {
    bounds: Bounds,
    threads: Arc<Semaphore>,
    /// Work of each account.
    accounts: Mutex<HashMap<String, AccountWork>>,
}

struct AccountWork {
    /// One piece of work at a time, so that accounts take turns.
    turn: Arc<Semaphore>,
    places: usize,
}

impl Queue {
    fn new(bounds: Bounds) -> Self {
        Self(Arc::new(QueueState {
            bounds,
            threads: Arc::new(Semaphore::new(bounds.threads)),
            accounts: Mutex::default(),
        }))
    }

    /// Takes a place in the queue, which is free again when dropped.
    fn enter(&self, payer: &str) -> Result<Place, Failure> {
        let QueueState {
            bounds, accounts, ..
        } = self.0.as_ref();
        let mut accounts = accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let taken: usize = accounts.values().map(|entry| entry.places).sum();
        let own = accounts.get(payer).map_or(0, |entry| entry.places);
        if own >= bounds.per_account {
            return Err(Failure::TooMany {
                retry_after: RETRY_AFTER,
            });
        }
        if taken >= bounds.in_all {
            return Err(Failure::Unavailable(Box::new(Busy)));
        }
        let entry = accounts
            .entry(payer.to_owned())
            .or_insert_with(|| AccountWork {
                turn: Arc::new(Semaphore::new(1)),
                places: 0,
            });
        entry.places += 1;
        Ok(Place {
            queue: Arc::clone(&self.0),
            payer: payer.to_owned(),
            turn: Arc::clone(&entry.turn),
        })
    }
}

/// A place in a queue.
struct Place {
    queue: Arc<QueueState>,
    payer: String,
    turn: Arc<Semaphore>,
}

impl Place {
    async fn turn(self) -> Result<Turn, Failure> {
        let closed = |error| Failure::Unavailable(Box::new(error));
        // The account's own turn first: at most one request of each account waits for a
        // thread.
        let account = Arc::clone(&self.turn).acquire_owned().await;
        let account = account.map_err(closed)?;
        let thread = Arc::clone(&self.queue.threads).acquire_owned().await;
        Ok(Turn {
            _thread: thread.map_err(closed)?,
            _account: account,
            _place: self,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let accounts = self.queue.accounts.lock();
        let mut accounts = accounts.unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = accounts.get_mut(&self.payer) {
            entry.places -= 1;
            if entry.places == 0 {
                accounts.remove(&self.payer);
            }
        }
    }
}

/// The right to use one thread. It is released when the work ends, not when the client
/// disconnects.
struct Turn {
    _thread: OwnedSemaphorePermit,
    _account: OwnedSemaphorePermit,
    _place: Place,
}

impl Turn {
    /// Runs `work` on a new thread, unless the client has disconnected.
    async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let (sender, done) = oneshot::channel();
        std::thread::Builder::new()
            .name("heavy".into())
            .spawn(move || {
                let turn = self;
                if !sender.is_closed() {
                    let done = work();
                    // Released before the response, so that the client finds a free place
                    // again.
                    drop(turn);
                    drop(sender.send(done));
                }
            })
            .map_err(|error| Failure::Unavailable(Box::new(error)))?;
        done.await
            .map_err(|error| Failure::Unavailable(Box::new(error)))?
    }
}

#[cfg(test)]
mod tests;
