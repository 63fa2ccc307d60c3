//! Queues with a bounded number of threads, for CPU-bound work (docs/rules.md#heavy-work).
//!
//! Invariant: each kind of work has its own fixed number of threads. An account has one piece
//! of work running and a few waiting, so that neither a kind nor an account delays others by
//! more than one piece of work. The second half of the places is for accounts that have none.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ideavault_domain::failure::Failure;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::REQUEST_TIMEOUT;

/// `Retry-After` for an account with too much waiting work.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Limits of one kind of work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) threads: usize,
    /// Running and waiting for one account.
    pub(super) per_account: usize,
    /// Running and waiting in total.
    pub(super) in_all: usize,
    /// Time that a request waits for its turn and its work together.
    pub(super) timeout: Duration,
}

/// Checking a large text or image takes seconds on a small machine, and so does waiting for
/// those of others.
const LONG: Duration = Duration::from_secs(60);

/// Each waiting request holds up to 8 MiB of text in memory.
pub(super) const TEXTS: Bounds = Bounds {
    threads: 1,
    per_account: 4,
    in_all: 32,
    timeout: LONG,
};
/// Decoding an image takes up to 500 MB of memory. Waiting images are on the disk, and
/// pasting a document uploads many at once.
const IMAGES: Bounds = Bounds {
    threads: 1,
    per_account: 32,
    in_all: 128,
    timeout: LONG,
};
const PDFS: Bounds = Bounds {
    threads: 1,
    per_account: 4,
    in_all: 32,
    timeout: LONG,
};
/// A page contains up to 32 MiB of images, written as text. Recipients count by client
/// address, which an office shares.
const PAGES: Bounds = Bounds {
    threads: 1,
    per_account: 16,
    in_all: 64,
    timeout: LONG,
};
/// An evidence bundle holds all files of an idea, which may be gigabytes.
const BUNDLES: Bounds = Bounds {
    threads: 1,
    per_account: 2,
    in_all: 32,
    timeout: Duration::from_secs(600),
};
/// An export reads everything of an account, and waits on the disk meanwhile.
const EXPORTS: Bounds = Bounds {
    threads: 1,
    per_account: 1,
    in_all: 16,
    timeout: Duration::from_secs(600),
};
/// A hash takes 19 MiB of memory. Logins count by client address, which an office shares. They
/// wait no longer than other requests: a database that is locked holds those whose turn it is.
const PASSWORDS: Bounds = Bounds {
    threads: 2,
    per_account: 64,
    in_all: 256,
    timeout: REQUEST_TIMEOUT,
};

/// The queue is full, or no turn came in time.
#[derive(Debug, Error)]
#[error("too much of this work is waiting already")]
struct Busy;

/// The queues of one server.
#[derive(Clone)]
pub(super) struct Queues {
    pub(super) texts: Queue,
    pub(super) images: Queue,
    pub(super) pdfs: Queue,
    pub(super) pages: Queue,
    pub(super) bundles: Queue,
    pub(super) exports: Queue,
    pub(super) passwords: Queue,
}

impl Default for Queues {
    fn default() -> Self {
        Self {
            texts: Queue::new(TEXTS),
            images: Queue::new(IMAGES),
            pdfs: Queue::new(PDFS),
            pages: Queue::new(PAGES),
            bundles: Queue::new(BUNDLES),
            exports: Queue::new(EXPORTS),
            passwords: Queue::new(PASSWORDS),
        }
    }
}

impl Queues {
    /// Returns the name of each queue, and how much runs or waits there.
    pub(super) fn taken(&self) -> [(&'static str, usize); 7] {
        [
            ("texts", self.texts.taken()),
            ("images", self.images.taken()),
            ("pdfs", self.pdfs.taken()),
            ("pages", self.pages.taken()),
            ("bundles", self.bundles.taken()),
            ("exports", self.exports.taken()),
            ("passwords", self.passwords.taken()),
        ]
    }
}

/// The queue of one kind of work.
#[derive(Clone)]
pub(super) struct Queue(pub(super) Arc<QueueState>);

pub(super) struct QueueState {
    bounds: Bounds,
    pub(super) threads: Arc<Semaphore>,
    /// Work of each account.
    pub(super) accounts: Mutex<HashMap<String, AccountWork>>,
}

pub(super) struct AccountWork {
    /// One piece of work at a time, so that accounts take turns.
    turn: Arc<Semaphore>,
    places: usize,
}

impl Queue {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self(Arc::new(QueueState {
            bounds,
            threads: Arc::new(Semaphore::new(bounds.threads)),
            accounts: Mutex::default(),
        }))
    }

    /// Returns the time for turn and work together.
    pub(super) fn timeout(&self) -> Duration {
        self.0.bounds.timeout
    }

    /// Returns how much runs or waits.
    fn taken(&self) -> usize {
        let accounts = &self.0.accounts;
        let accounts = accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.values().map(|entry| entry.places).sum()
    }

    /// Takes a place in the queue, which is free again when dropped.
    pub(super) fn enter(&self, quota_key: &str) -> Result<Place, Failure> {
        let QueueState {
            bounds, accounts, ..
        } = self.0.as_ref();
        let mut accounts = accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let taken: usize = accounts.values().map(|entry| entry.places).sum();
        let own = accounts.get(quota_key).map_or(0, |entry| entry.places);
        if own >= bounds.per_account || (own > 0 && taken >= bounds.in_all / 2) {
            return Err(Failure::TooMany {
                retry_after: RETRY_AFTER,
            });
        }
        if taken >= bounds.in_all {
            return Err(Failure::Unavailable(Box::new(Busy)));
        }
        let entry = accounts
            .entry(quota_key.to_owned())
            .or_insert_with(|| AccountWork {
                turn: Arc::new(Semaphore::new(1)),
                places: 0,
            });
        entry.places += 1;
        Ok(Place {
            queue: Arc::clone(&self.0),
            quota_key: quota_key.to_owned(),
            turn: Arc::clone(&entry.turn),
        })
    }
}

/// A place in a queue.
pub(super) struct Place {
    queue: Arc<QueueState>,
    quota_key: String,
    turn: Arc<Semaphore>,
}

impl Place {
    pub(super) async fn turn(self) -> Result<Turn, Failure> {
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
        if let Some(entry) = accounts.get_mut(&self.quota_key) {
            entry.places -= 1;
            if entry.places == 0 {
                accounts.remove(&self.quota_key);
            }
        }
    }
}

/// Returns whether somebody still waits for the result of a piece of work.
pub type IsAwaited<'w> = &'w dyn Fn() -> bool;

/// The right to use one thread. It is released when the work ends, not when the client
/// disconnects.
pub(super) struct Turn {
    _thread: OwnedSemaphorePermit,
    _account: OwnedSemaphorePermit,
    _place: Place,
}

impl Turn {
    /// Runs `work` on a new thread, unless the client has disconnected. Work that takes long
    /// asks whether somebody still waits for its result.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(IsAwaited<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let (sender, done) = oneshot::channel();
        std::thread::Builder::new()
            .name("heavy".into())
            .spawn(move || {
                let turn = self;
                if !sender.is_closed() {
                    let done = work(&|| !sender.is_closed());
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
