//! Turns: the only way from async code to a thread where blocking is allowed.
//!
//! Invariant: each kind of work has a fixed number of threads. A caller has one or two pieces of a
//! kind at work and a bounded number waiting, and callers take turns, so that neither a kind nor a
//! caller delays others by more than that, whatever is asked for. The second half of the places is
//! for callers that have none.

mod work;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

pub use work::Work;
pub(super) use work::{Bounds, Time};

/// `Retry-After` for a caller with too much waiting work.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// The queue is full.
#[derive(Debug, Error)]
#[error("too much of this work is waiting already")]
struct Busy;

/// The work panicked, or the server is stopping.
#[derive(Debug, Error)]
#[error("the work ended without a result")]
struct NoResult;

/// On whose account work is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Payer(Arc<str>);

impl Payer {
    /// Returns an account.
    #[must_use]
    pub fn account(user: UserId) -> Self {
        Self(user.to_string().into())
    }

    /// Returns a client's network, for who is not signed in.
    #[must_use]
    pub fn network(network: &str) -> Self {
        Self(network.into())
    }

    /// Returns the server itself.
    #[must_use]
    pub fn server() -> Self {
        Self("server".into())
    }
}

/// The queues and threads of one server.
#[derive(Clone)]
pub(super) struct Turns {
    queues: Arc<[(Work, Queue)]>,
    /// The main runtime. That of a worker ends with its last response.
    runtime: Handle,
}

impl Turns {
    /// Creates empty queues. Their threads are those of `runtime`.
    pub(super) fn new(runtime: Handle) -> Self {
        let queues = Work::ALL.map(|work| (work, Queue::new(work.bounds())));
        Self {
            queues: Arc::new(queues),
            runtime,
        }
    }

    pub(super) fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Takes a place in the queue of a kind of work, which is free again when dropped.
    pub(super) fn enter(&self, work: Work, payer: &Payer) -> Result<Place, Failure> {
        let mut queues = self.queues.iter();
        let found = queues.find_map(|(of, queue)| (*of == work).then_some(queue));
        let queue = found.ok_or_else(|| Failure::Internal("a kind of work has no queue".into()))?;
        Ok(Place {
            taken: queue.take(payer)?,
            runtime: self.runtime.clone(),
        })
    }

    /// Runs `work`, which one thread does for all who wait for it.
    pub(super) fn share(&self, work: impl FnOnce() + Send + 'static) {
        drop(self.runtime.spawn_blocking(work));
    }

    /// Returns the name of each queue, and how much is at work or waits there.
    pub(super) fn taken(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let queues = self.queues.iter();
        queues.map(|(work, queue)| (work.queue(), queue.0.places().taken))
    }
}

/// The queue of one kind of work.
#[derive(Clone)]
struct Queue(Arc<QueueState>);

struct QueueState {
    bounds: Bounds,
    threads: Arc<Semaphore>,
    places: Mutex<Places>,
}

#[derive(Default)]
struct Places {
    taken: usize,
    payers: HashMap<Payer, PayerWork>,
}

struct PayerWork {
    /// So many of the payer's places may wait for a thread, or have one.
    turns: Arc<Semaphore>,
    places: usize,
}

impl QueueState {
    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn new(bounds: Bounds) -> Self {
        Self(Arc::new(QueueState {
            bounds,
            threads: Arc::new(Semaphore::new(bounds.threads)),
            places: Mutex::default(),
        }))
    }

    fn take(&self, payer: &Payer) -> Result<Taken, Failure> {
        let bounds = self.0.bounds;
        let mut places = self.0.places();
        let taken = places.taken;
        let own = places.payers.get(payer).map_or(0, |work| work.places);
        if own >= bounds.per_caller || (own > 0 && taken >= bounds.in_all / 2) {
            return Err(Failure::TooMany {
                retry_after: RETRY_AFTER,
            });
        }
        if taken >= bounds.in_all {
            return Err(Failure::Unavailable(Box::new(Busy)));
        }
        places.taken += 1;
        let work = places
            .payers
            .entry(payer.clone())
            .or_insert_with(|| PayerWork {
                turns: Arc::new(Semaphore::new(bounds.at_work)),
                places: 0,
            });
        work.places += 1;
        Ok(Taken {
            queue: Arc::clone(&self.0),
            payer: payer.clone(),
            turns: Arc::clone(&work.turns),
        })
    }
}

/// A taken place.
struct Taken {
    queue: Arc<QueueState>,
    payer: Payer,
    turns: Arc<Semaphore>,
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut places = self.queue.places();
        places.taken -= 1;
        if let Some(work) = places.payers.get_mut(&self.payer) {
            work.places -= 1;
            if work.places == 0 {
                places.payers.remove(&self.payer);
            }
        }
    }
}

/// A place in a queue.
pub(super) struct Place {
    taken: Taken,
    runtime: Handle,
}

impl Place {
    /// Waits for the turn.
    pub(super) async fn turn(self) -> Result<Turn, Failure> {
        let closed = |error| Failure::Unavailable(Box::new(error));
        // The payer's own turn first: no more of each payer's places wait for a thread than may be
        // at work.
        let payer = Arc::clone(&self.taken.turns).acquire_owned().await;
        let payer = payer.map_err(closed)?;
        let threads = Arc::clone(&self.taken.queue.threads);
        let thread = threads.acquire_owned().await.map_err(closed)?;
        Ok(Turn {
            runtime: self.runtime,
            right: Right {
                _place: self.taken,
                _payer: payer,
                _thread: thread,
            },
        })
    }
}

/// Returns whether somebody still waits for the result of a piece of work.
pub type IsAwaited<'w> = &'w dyn Fn() -> bool;

/// The right to use one thread. It is released when the work ends, not when the client
/// disconnects.
struct Right {
    // Dropped in this order, so that who gets the thread next finds the place free.
    _place: Taken,
    _payer: OwnedSemaphorePermit,
    _thread: OwnedSemaphorePermit,
}

/// A turn that has come.
pub(super) struct Turn {
    runtime: Handle,
    right: Right,
}

impl Turn {
    /// Runs `work` on a thread, unless the client has disconnected. Work that takes long asks
    /// whether somebody still waits for its result.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(IsAwaited<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let (sender, done) = oneshot::channel();
        let right = self.right;
        drop(self.runtime.spawn_blocking(move || {
            if sender.is_closed() {
                return;
            }
            let done = work(&|| !sender.is_closed());
            // Released before the response, so that the client finds a free place again.
            drop(right);
            drop(sender.send(done));
        }));
        let no_result = |_| Failure::Unavailable(Box::new(NoResult));
        done.await.map_err(no_result)?
    }
}
