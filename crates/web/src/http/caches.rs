//! The caches of a server, and how the version of its data is read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ideavault_db::DataVersion;
use ideavault_domain::ports::Clock;
use ideavault_domain::token::TokenHash;
use tokio::sync::oneshot;

use super::cache::VersionedCache;
use super::cacheable::{CacheableResponse, ResponseKey};

/// Most memory for responses, in bytes.
const RESPONSES: usize = 8 * 1024 * 1024;
/// Most memory for sessions, in bytes.
const SESSIONS: usize = 1024 * 1024;

/// The caches of a server.
pub(super) struct Caches {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) versions: Arc<SharedRead<DataVersion>>,
    pub(super) responses: VersionedCache<ResponseKey, CacheableResponse>,
    /// States of sessions by their keys.
    pub(super) sessions: VersionedCache<TokenHash, Option<String>>,
}

impl Caches {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            versions: Arc::default(),
            responses: VersionedCache::new(RESPONSES),
            sessions: VersionedCache::new(SESSIONS),
        }
    }
}

/// Reads something once for all who wait for it, where a read takes a round trip.
///
/// Invariant: whoever joins gets what is read after that.
pub(super) struct SharedRead<T>(Mutex<Readers<T>>);

struct Readers<T> {
    /// Those who joined since the last read began.
    waiting: Vec<oneshot::Sender<Option<T>>>,
    /// Whether there is a [`Service`].
    are_served: bool,
}

impl<T> Default for Readers<T> {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            are_served: false,
        }
    }
}

impl<T> Default for SharedRead<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> SharedRead<T> {
    /// Returns where the next value arrives. Whoever gets the service has to run it.
    pub(super) fn join(self: &Arc<Self>) -> (oneshot::Receiver<Option<T>>, Option<Service<T>>) {
        let (sender, receiver) = oneshot::channel();
        let mut readers = self.readers();
        readers.waiting.push(sender);
        let was_served = std::mem::replace(&mut readers.are_served, true);
        let service = (!was_served).then(|| Service {
            shared: Arc::clone(self),
            has_ended: false,
        });
        (receiver, service)
    }

    fn readers(&self) -> MutexGuard<'_, Readers<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads for all who have joined. If it is dropped before its end, because reading panicked or the
/// server stops, those who wait get nothing.
pub(super) struct Service<T> {
    shared: Arc<SharedRead<T>>,
    has_ended: bool,
}

impl<T: Clone> Service<T> {
    /// Reads by `read` until nobody waits.
    pub(super) fn run(mut self, read: impl Fn() -> Option<T>) {
        while !self.has_ended {
            let waiting = std::mem::take(&mut self.shared.readers().waiting);
            let value = read();
            for waiting in waiting {
                // Whoever has given up needs none.
                drop(waiting.send(value.clone()));
            }
            let mut readers = self.shared.readers();
            if readers.waiting.is_empty() {
                readers.are_served = false;
                self.has_ended = true;
            }
        }
    }
}

impl<T> Drop for Service<T> {
    fn drop(&mut self) {
        if !self.has_ended {
            *self.shared.readers() = Readers::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn arrived(mut receiver: oneshot::Receiver<Option<u32>>) -> Option<u32> {
        receiver.try_recv().unwrap()
    }

    #[test]
    fn whoever_joins_during_a_read_gets_the_next_one() {
        let shared = Arc::new(SharedRead::<u32>::default());
        let (first, service) = shared.join();
        let (second, none) = shared.join();
        assert!(none.is_none());
        let late = Mutex::new(Vec::new());
        let reads = Mutex::new(0);
        service.unwrap().run(|| {
            let mut reads = reads.lock().unwrap();
            *reads += 1;
            if *reads == 1 {
                let (receiver, service) = shared.join();
                assert!(service.is_none());
                late.lock().unwrap().push(receiver);
            }
            Some(*reads)
        });
        assert_eq!([first, second].map(arrived), [Some(1), Some(1)]);
        let late = late.into_inner().unwrap().pop().unwrap();
        assert_eq!(arrived(late), Some(2));
        assert_eq!(*reads.lock().unwrap(), 2);
        // The next one has to be served anew.
        assert!(shared.join().1.is_some());
    }

    #[test]
    fn a_service_that_ends_early_leaves_nobody_waiting() {
        let shared = Arc::new(SharedRead::<u32>::default());
        let (mut waiting, service) = shared.join();
        let run = AssertUnwindSafe(|| service.unwrap().run(|| panic!("on purpose")));
        assert!(catch_unwind(run).is_err());
        assert!(waiting.try_recv().is_err());
        let (mut waiting, service) = shared.join();
        drop(service.unwrap());
        assert!(waiting.try_recv().is_err());
        assert!(shared.join().1.is_some());
    }
}
