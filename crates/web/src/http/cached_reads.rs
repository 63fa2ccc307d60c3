//! Use cases that read, whose results are cached until something is committed.

use std::hash::Hash;
use std::sync::Arc;

use ideavault_db::{DataVersion, holding};
use ideavault_domain::Timestamp;
use ideavault_domain::account::UserSession;
use ideavault_domain::failure::Failure;
use ideavault_domain::ports::DatabaseError;
use ideavault_domain::token::TokenHash;

use super::cache::{Fresh, VersionedCache, Weighed};
use super::cacheable::{CacheableResponse, ResponseKey};
use super::caches::{Caches, ReadVersion};
use super::executor::Executor;
use super::request_state::{record_version, version_read};
use super::turns::{Time, Work};
use super::use_cases::{UseCases, in_time};

impl<A: Send + Sync + 'static> Executor<A> {
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
        let read = move |_: &A| database.version();
        let version = self.for_server().run(Work::Query, read).await?;
        responses.discard_unless(&version);
        sessions.discard_unless(&version);
        Ok(())
    }
}

impl<A: Send + Sync + 'static> UseCases<A> {
    /// Returns the cached response for `key`; else what `fast_path` finds without a wait; else what
    /// `work` finds in its turn. All of them read, perhaps several times.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub async fn response<E, F>(
        &self,
        key: ResponseKey,
        fast_path: impl FnOnce(&A) -> Option<CacheableResponse>,
        work: F,
    ) -> Result<CacheableResponse, Failure>
    where
        E: Into<Failure> + Send + 'static,
        F: Fn(&A) -> Result<CacheableResponse, E> + Clone + Send + 'static,
    {
        let caches = Arc::clone(&self.executor.caches);
        let version = self.version().await?;
        if let Some(cached) = cached(&caches, &caches.responses, version.as_ref(), &key) {
            return Ok(cached);
        }
        let fast_path = |app: &A| fresh(|| fast_path(app).ok_or(())).ok();
        let work = move |app: &A| fresh(|| work(app));
        let found = match self.at_once(fast_path).flatten() {
            Some(found) => Some(found),
            None => self.read_short(Work::Query, work.clone()).await?,
        };
        if let Some(found) = found {
            let version = version.as_ref();
            return Ok(cache(&caches, &caches.responses, version, key, found));
        }
        let database = Arc::clone(&self.executor.database);
        let read = move |app: &A| {
            // Who has waited may find what another request has written meanwhile.
            let version = database.version().map_err(log).ok();
            let (responses, version) = (&caches.responses, version.as_ref());
            if let Some(cached) = cached(&caches, responses, version, &key) {
                return Ok(cached);
            }
            let found = work(app)?;
            Ok::<_, E>(cache(&caches, responses, version, key, found))
        };
        self.run(Work::Large, read).await
    }

    /// Returns the cached state of the session with that key; else that of the session as it was read
    /// with the version, if there is one that `is_settled`; else of what `work` finds, as
    /// [`read_by_key`](Self::read_by_key) does.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub async fn session<E, F>(
        &self,
        key: TokenHash,
        is_settled: impl FnOnce(&A, Option<&UserSession>) -> bool,
        work: F,
    ) -> Result<Option<String>, Failure>
    where
        E: Into<Failure> + Send + 'static,
        F: Fn(&A) -> Result<Option<UserSession>, E> + Clone + Send + 'static,
    {
        let caches = Arc::clone(&self.executor.caches);
        let (version, sessions) = self.version_with_session(key).await?;
        if let Some(cached) = cached(&caches, &caches.sessions, version.as_ref(), &key) {
            return Ok(cached);
        }
        let settled = sessions.and_then(|sessions| {
            let found = sessions.iter().find(|session| session.key_hash == key);
            is_settled(&self.executor.app, found).then(|| found.cloned())
        });
        let found = match settled {
            Some(found) => found,
            None => self.read_by_key(Work::Session, work).await?,
        };
        let until = found.as_ref().map(UserSession::unchanged_until);
        let found = Fresh {
            value: found.map(|session| session.state),
            // It may be about to begin.
            until: until.unwrap_or(Timestamp::MIN_UTC),
        };
        let version = version.as_ref();
        Ok(cache(&caches, &caches.sessions, version, key, found))
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
        Ok(self.new_version(None).await?.0)
    }

    /// Returns a version as [`version`](Self::version) does, and where reading it takes a round
    /// trip, among others the session with that key, if it exists.
    async fn version_with_session(
        &self,
        key: TokenHash,
    ) -> Result<(Option<DataVersion>, Option<Arc<[UserSession]>>), Failure> {
        match version_read() {
            Some(version) => Ok((Some(version), None)),
            None => self.new_version(Some(key)).await,
        }
    }

    async fn new_version(
        &self,
        key: Option<TokenHash>,
    ) -> Result<(Option<DataVersion>, Option<Arc<[UserSession]>>), Failure> {
        let (version, sessions) = match self.at_once(|_| self.executor.database.version()) {
            Some(read) => (read.map_err(log).ok(), None),
            None => match self.version_read_with_others(key).await? {
                Some(read) => (Some(read.version), Some(read.sessions)),
                None => (None, None),
            },
        };
        if let Some(version) = &version {
            record_version(version.clone());
        }
        Ok((version, sessions))
    }

    /// Returns a version that is read from now on, for all requests that wait for one meanwhile.
    async fn version_read_with_others(
        &self,
        key: Option<TokenHash>,
    ) -> Result<Option<ReadVersion>, Failure> {
        let (version, service) = self.executor.caches.versions.join(key);
        if let Some(service) = service {
            let database = Arc::clone(&self.executor.database);
            self.executor.turns.share(move || {
                service.run(|keys| {
                    let read = database.version_with_sessions(keys).map_err(log).ok();
                    read.map(|(version, sessions)| ReadVersion {
                        version,
                        sessions: sessions.into(),
                    })
                });
            });
        }
        let version = async { Ok(version.await.ok().flatten()) };
        let version = self.executor.stalls.while_answered(version);
        in_time(Time::OfRequest, version).await
    }
}

/// Returns what `work` reads, and until when that holds.
fn fresh<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<Fresh<T>, E> {
    let (done, until) = holding(work);
    done.map(|value| Fresh { value, until })
}

/// Returns what is cached at a version that this request has read.
fn cached<K: Eq + Hash, V: Weighed>(
    caches: &Caches,
    cache: &VersionedCache<K, V>,
    version: Option<&DataVersion>,
    key: &K,
) -> Option<V> {
    cache.get(version?, key, caches.clock.now())
}

/// Caches what was found after the version was read, and returns it.
fn cache<K: Eq + Hash, V: Weighed>(
    caches: &Caches,
    cache: &VersionedCache<K, V>,
    version: Option<&DataVersion>,
    key: K,
    found: Fresh<V>,
) -> V {
    if let Some(version) = version {
        cache.insert(version, key, caches.clock.now(), &found);
    }
    found.value
}

fn log(error: DatabaseError) -> DatabaseError {
    // A database that does not respond fails the work, too.
    tracing::debug!(%error, "read no version of the data");
    error
}
