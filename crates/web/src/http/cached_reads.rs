//! Use cases that read, whose results are cached until something is committed.

use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ideavault_application::fresh::Fresh;
use ideavault_crypto::CacheUse;
use ideavault_db::DataVersion;
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::{Clock, DatabaseError};
use ideavault_domain::token::TokenHash;
use tokio::sync::oneshot;

use super::blocking::{Executor, in_background, record_version, version_read};
use super::cache::{VersionedCache, Weighed};
use super::response_cache::{CacheableResponse, ResponseKey};

/// Most memory for responses, in bytes.
const RESPONSES: usize = 8 * 1024 * 1024;
/// Most memory for sessions, in bytes.
const SESSIONS: usize = 1024 * 1024;

/// The caches of a server.
pub(super) struct Caches {
    clock: Arc<dyn Clock>,
    versions: Arc<SharedRead<DataVersion>>,
    responses: VersionedCache<ResponseKey, CacheableResponse>,
    /// States of sessions by their keys.
    sessions: VersionedCache<TokenHash, Option<String>>,
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

impl<A: Send + Sync + 'static> Executor<A> {
    /// Returns the cached response for `key`; else what `soon` finds without a wait; else what
    /// `work` finds, as [`run`](Self::run) does. All of them read.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub async fn response<E, F>(
        &self,
        key: ResponseKey,
        soon: impl FnOnce(&A) -> Option<Fresh<CacheableResponse>>,
        work: F,
    ) -> Result<CacheableResponse, Failure>
    where
        E: Into<Failure> + Send + 'static,
        F: FnOnce(&A) -> Result<Fresh<CacheableResponse>, E> + Send + 'static,
    {
        let version = self.version().await?;
        if let Some(cached) = self.cached(&self.caches.responses, version.as_ref(), &key) {
            return Ok(cached);
        }
        let found = match self.at_once(soon).flatten() {
            Some(found) => found,
            None => self.run(work).await?,
        };
        Ok(self.cache(&self.caches.responses, version.as_ref(), key, found))
    }

    /// Returns the cached state of the session with that key, or what `work` finds, as
    /// [`read`](Self::read) does.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub async fn session<E, F>(&self, key: TokenHash, work: F) -> Result<Option<String>, Failure>
    where
        E: Into<Failure> + Send + 'static,
        F: Fn(&A) -> Result<Fresh<Option<String>>, E> + Send + 'static,
    {
        let version = self.version().await?;
        if let Some(cached) = self.cached(&self.caches.sessions, version.as_ref(), &key) {
            return Ok(cached);
        }
        let found = self.read(work).await?;
        Ok(self.cache(&self.caches.sessions, version.as_ref(), key, found))
    }

    /// Discards what was cached before the last commit, which may have erased it.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] if the version of the data cannot be read.
    pub async fn discard_outdated(&self) -> Result<(), Failure> {
        let Caches {
            responses,
            sessions,
            ..
        } = &*self.caches;
        if responses.is_empty() && sessions.is_empty() {
            return Ok(());
        }
        let database = Arc::clone(&self.database);
        let version = self.run(move |_| database.version()).await?;
        responses.discard_unless(&version);
        sessions.discard_unless(&version);
        Ok(())
    }

    /// Returns how often each cache was of use, by its name.
    #[must_use]
    pub fn caches(&self) -> [(&'static str, CacheUse); 2] {
        [
            ("responses", self.caches.responses.use_so_far()),
            ("sessions", self.caches.sessions.use_so_far()),
        ]
    }

    /// Returns a version of the data that was read since the request began; `None` if there is
    /// none, so that nothing can be cached.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] if the database does not respond.
    async fn version(&self) -> Result<Option<DataVersion>, Failure> {
        if let Some(version) = version_read() {
            return Ok(Some(version));
        }
        let read = match self.at_once(|_| self.database.version()) {
            Some(read) => read.map_err(log).ok(),
            None => self.version_read_with_others().await?,
        };
        if let Some(version) = &read {
            record_version(version.clone());
        }
        Ok(read)
    }

    /// Returns a version that is read from now on, for all requests that wait for one meanwhile.
    async fn version_read_with_others(&self) -> Result<Option<DataVersion>, Failure> {
        let (version, service) = self.caches.versions.join();
        if let Some(service) = service {
            let database = Arc::clone(&self.database);
            in_background(move || service.run(|| database.version().map_err(log).ok()));
        }
        let version = async { Ok(version.await.ok().flatten()) };
        self.in_time(version).await
    }

    /// Returns what is cached at a version that this request has read.
    fn cached<K: Eq + Hash, V: Weighed>(
        &self,
        cache: &VersionedCache<K, V>,
        version: Option<&DataVersion>,
        key: &K,
    ) -> Option<V> {
        cache.get(version?, key, self.caches.clock.now())
    }

    /// Caches what was found after the version was read, and returns it.
    fn cache<K: Eq + Hash, V: Weighed>(
        &self,
        cache: &VersionedCache<K, V>,
        version: Option<&DataVersion>,
        key: K,
        found: Fresh<V>,
    ) -> V {
        if let Some(version) = version {
            cache.insert(version, key, self.caches.clock.now(), &found);
        }
        found.value
    }
}

fn log(error: DatabaseError) -> DatabaseError {
    // A database that does not respond fails the work, too.
    tracing::debug!(%error, "read no version of the data");
    error
}

/// Reads something once for all who wait for it, where a read takes a round trip.
///
/// Invariant: whoever joins gets what is read after that.
struct SharedRead<T>(Mutex<Readers<T>>);

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
    fn join(self: &Arc<Self>) -> (oneshot::Receiver<Option<T>>, Option<Service<T>>) {
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
struct Service<T> {
    shared: Arc<SharedRead<T>>,
    has_ended: bool,
}

impl<T: Clone> Service<T> {
    /// Reads by `read` until nobody waits.
    fn run(mut self, read: impl Fn() -> Option<T>) {
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
