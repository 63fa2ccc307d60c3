//! Turns: the only way from async code to a thread where blocking is allowed.
//!
//! Invariant: each kind of work has a fixed number of threads. A caller has one or two pieces of a
//! kind at work and a bounded number waiting, and callers take turns, so that neither a kind nor a
//! caller delays others by more than that, whatever is asked for. The second half of the places is
//! for accounts and networks that have none.

mod work;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ideavault_domain::failure::Failure;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::callers::{Amounts, Caller, Refused};
use super::error::Busy;

pub use work::Work;
pub(super) use work::{Bounds, Time};

/// `Retry-After` for a caller with too much waiting work.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// The work panicked, or the server is stopping.
#[derive(Debug, Error)]
#[error("the work ended without a result")]
struct NoResult;

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
    pub(super) fn enter(&self, work: Work, caller: &Caller) -> Result<Place, Failure> {
        let mut queues = self.queues.iter();
        let found = queues.find_map(|(of, queue)| (*of == work).then_some(queue));
        let queue = found.ok_or_else(|| Failure::Internal("a kind of work has no queue".into()))?;
        Ok(Place {
            taken: queue.take(caller)?,
            runtime: self.runtime.clone(),
        })
    }

    /// Runs `work`, which one thread does for all who wait for it.
    pub(super) fn share(&self, work: impl FnOnce() + Send + 'static) {
        drop(self.runtime.spawn_blocking(work));
    }

    /// Returns the name of each queue, and how much is at work or waits there.
    pub(super) fn taken(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let queues = self.queues.iter();
        queues.map(|(work, queue)| (work.queue(), queue.0.places().taken.in_all()))
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
    taken: Amounts,
    /// Of callers that have places: so many of those may wait for a thread, or have one.
    turns: HashMap<Arc<str>, Arc<Semaphore>>,
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

    fn take(&self, caller: &Caller) -> Result<Taken, Failure> {
        let bounds = self.0.bounds;
        let too_many = Failure::TooMany {
            retry_after: RETRY_AFTER,
        };
        let mut places = self.0.places();
        if places.taken.of(caller) >= bounds.per_caller {
            return Err(too_many);
        }
        let taken = places.taken.add(caller, 1, bounds.in_all);
        taken.map_err(|refused| match refused {
            Refused::HasSome => too_many,
            Refused::AllTaken => Failure::Unavailable(Box::new(Busy)),
        })?;
        let turns = places.turns.entry(Arc::clone(caller.name()));
        let turns = turns.or_insert_with(|| Arc::new(Semaphore::new(bounds.at_work)));
        Ok(Taken {
            turns: Arc::clone(turns),
            queue: Arc::clone(&self.0),
            caller: caller.clone(),
        })
    }
}

/// A taken place.
struct Taken {
    queue: Arc<QueueState>,
    caller: Caller,
    turns: Arc<Semaphore>,
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut places = self.queue.places();
        places.taken.subtract(&self.caller, 1);
        if places.taken.of(&self.caller) == 0 {
            places.turns.remove(self.caller.name());
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
        // The caller's own turn first: no more of each caller's places wait for a thread than may
        // be at work.
        let own = Arc::clone(&self.taken.turns).acquire_owned().await;
        let own = own.map_err(closed)?;
        let threads = Arc::clone(&self.taken.queue.threads);
        let thread = threads.acquire_owned().await.map_err(closed)?;
        Ok(Turn {
            runtime: self.runtime,
            right: Right {
                _place: self.taken,
                _own: own,
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
    _own: OwnedSemaphorePermit,
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
