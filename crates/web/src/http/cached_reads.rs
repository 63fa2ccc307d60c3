//! Use cases that read, whose results are cached until something is committed.

use std::hash::Hash;
use std::sync::Arc;

use ideavault_application::fresh::Fresh;
use ideavault_crypto::CacheUse;
use ideavault_db::DataVersion;
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::DatabaseError;
use ideavault_domain::token::TokenHash;

use super::blocking::{Executor, in_background, record_version, version_read};
use super::cache::{VersionedCache, Weighed};
use super::cacheable::{CacheableResponse, ResponseKey};
use super::caches::Caches;

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
