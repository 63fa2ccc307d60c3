//! The caches of a server, and how the version of its data is read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ideavault_db::DataVersion;
use ideavault_domain::account::UserSession;
use ideavault_domain::ports::Clock;
use ideavault_domain::token::TokenHash;
use tokio::sync::oneshot;

use super::cache::VersionedCache;
use super::cacheable::{CacheableResponse, ResponseKey};

/// Most memory for responses, in bytes.
const RESPONSES_MAX_BYTES: usize = 8 * 1024 * 1024;
/// Most memory for sessions, in bytes.
const SESSIONS_MAX_BYTES: usize = 1024 * 1024;

/// The caches of a server.
pub(super) struct Caches {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) versions: Arc<SharedRead<TokenHash, ReadVersion>>,
    pub(super) responses: VersionedCache<ResponseKey, CacheableResponse>,
    /// States of sessions by their keys.
    pub(super) sessions: VersionedCache<TokenHash, Option<String>>,
}

impl Caches {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            versions: Arc::default(),
            responses: VersionedCache::new(RESPONSES_MAX_BYTES),
            sessions: VersionedCache::new(SESSIONS_MAX_BYTES),
        }
    }
}

/// A version of the data, and the sessions for which somebody asked that exist at it.
#[derive(Clone)]
pub(super) struct ReadVersion {
    pub(super) version: DataVersion,
    pub(super) sessions: Arc<[UserSession]>,
}

/// Single-flight: shares one read between all requests that wait for it, where a read takes a
/// round trip. Each of them may ask for the value of a key.
///
/// Invariant: a request gets what is read after it has joined.
pub(super) struct SharedRead<K, T>(Mutex<Readers<K, T>>);

struct Readers<K, T> {
    /// Those who joined since the last read began.
    waiting: Vec<oneshot::Sender<Option<T>>>,
    /// The keys that they asked for.
    keys: Vec<K>,
    /// Whether there is a [`Service`].
    are_served: bool,
}

impl<K, T> Default for Readers<K, T> {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            keys: Vec::new(),
            are_served: false,
        }
    }
}

impl<K, T> Default for SharedRead<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// Where what is read arrives, and the service if nobody runs one.
type Joined<K, T> = (oneshot::Receiver<Option<T>>, Option<Service<K, T>>);

impl<K, T> SharedRead<K, T> {
    /// Asks for `key` too. Returns where the next value arrives. The caller has to run the service
    /// that it gets, if it gets one.
    pub(super) fn join(self: &Arc<Self>, key: Option<K>) -> Joined<K, T> {
        let (sender, receiver) = oneshot::channel();
        let mut readers = self.readers();
        readers.waiting.push(sender);
        readers.keys.extend(key);
        let was_served = std::mem::replace(&mut readers.are_served, true);
        let service = (!was_served).then(|| Service {
            shared: Arc::clone(self),
            has_ended: false,
        });
        (receiver, service)
    }

    fn readers(&self) -> MutexGuard<'_, Readers<K, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads for all who have joined. If it is dropped before its end, because reading panicked or the
/// server stops, those who wait get nothing.
pub(super) struct Service<K, T> {
    shared: Arc<SharedRead<K, T>>,
    has_ended: bool,
}

impl<K, T: Clone> Service<K, T> {
    /// Reads by `read`, which gets the keys that are asked for, until nobody waits.
    pub(super) fn run(mut self, read: impl Fn(&[K]) -> Option<T>) {
        while !self.has_ended {
            let (waiting, keys) = {
                let mut readers = self.shared.readers();
                let readers = &mut *readers;
                (
                    std::mem::take(&mut readers.waiting),
                    std::mem::take(&mut readers.keys),
                )
            };
            let value = read(&keys);
            for waiting in waiting {
                // A request that has given up needs none.
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

impl<K, T> Drop for Service<K, T> {
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
        let shared = Arc::new(SharedRead::<char, u32>::default());
        let (first, service) = shared.join(Some('a'));
        let (second, none) = shared.join(None);
        assert!(none.is_none());
        let late = Mutex::new(Vec::new());
        let reads = Mutex::new(0);
        service.unwrap().run(|keys| {
            let mut reads = reads.lock().unwrap();
            *reads += 1;
            if *reads == 1 {
                assert_eq!(keys, ['a']);
                let (receiver, service) = shared.join(Some('b'));
                assert!(service.is_none());
                late.lock().unwrap().push(receiver);
            } else {
                assert_eq!(keys, ['b']);
            }
            Some(*reads)
        });
        assert_eq!([first, second].map(arrived), [Some(1), Some(1)]);
        let late = late.into_inner().unwrap().pop().unwrap();
        assert_eq!(arrived(late), Some(2));
        assert_eq!(*reads.lock().unwrap(), 2);
        // The next one has to be served anew.
        assert!(shared.join(None).1.is_some());
    }

    #[test]
    fn a_service_that_ends_early_leaves_nobody_waiting() {
        let shared = Arc::new(SharedRead::<char, u32>::default());
        let (mut waiting, service) = shared.join(Some('a'));
        let run = AssertUnwindSafe(|| service.unwrap().run(|_| panic!("on purpose")));
        assert!(catch_unwind(run).is_err());
        assert!(waiting.try_recv().is_err());
        let (mut waiting, service) = shared.join(None);
        drop(service.unwrap());
        assert!(waiting.try_recv().is_err());
        assert!(shared.join(None).1.is_some());
    }
}
