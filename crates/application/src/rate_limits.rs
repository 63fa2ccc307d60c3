//! Rate limits, in front of the two places that count (`docs/rules.md#rate-limits`): this server,
//! and the database for all servers. [`RateLimit`] says for each limit which it is.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::ports::{
    Clock, Database, DatabaseError, LimitKeyHasher, PortError, RateLimited, Transaction,
};
use ideavault_domain::rate_limit::{CountKey, CountLimit, LimitKey, RateLimit, common_share};

pub use self::windows::RateWindows;

mod windows;

/// Counts events, and says when there were too many.
pub struct RateLimits<S> {
    here: RateWindows,
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    hasher: Arc<dyn LimitKeyHasher>,
    scale: f64,
}

impl<S: Database> RateLimits<S> {
    /// Creates the service. `scale` multiplies every limit; zero turns them off.
    pub fn new(
        database: Arc<S>,
        clock: Arc<dyn Clock>,
        hasher: Arc<dyn LimitKeyHasher>,
        scale: f64,
    ) -> Self {
        Self {
            here: RateWindows::new(Arc::clone(&clock), scale),
            database,
            clock,
            hasher,
            scale,
        }
    }

    /// Creates the service without any limit: for commands, which only the operator calls.
    pub fn off(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self::new(database, clock, Arc::new(NoKeys), 0.0)
    }

    /// Returns what this server counts by itself, which never blocks. Everything else here is
    /// counted in the database.
    #[must_use]
    pub fn here(&self) -> &RateWindows {
        &self.here
    }

    /// Counts an event before it happens, so that concurrent ones do not pass together.
    ///
    /// # Errors
    /// [`RateLimited`] if the limit of `key` is reached; nothing is counted then.
    pub fn admit<E>(&self, limit: RateLimit, key: &LimitKey) -> Result<(), E>
    where
        E: From<DatabaseError> + From<PortError> + From<RateLimited>,
    {
        if self.scale <= 0.0 {
            return Ok(());
        }
        let now = self.clock.now();
        self.database.write(|tx| self.count(tx, limit, key, now))
    }

    /// Counts an event in the transaction of what it belongs to.
    ///
    /// # Errors
    /// [`RateLimited`] if the limit of `key` is reached.
    pub(crate) fn count<E>(
        &self,
        tx: &mut dyn Transaction,
        limit: RateLimit,
        key: &LimitKey,
        now: Timestamp,
    ) -> Result<(), E>
    where
        E: From<DatabaseError> + From<PortError> + From<RateLimited>,
    {
        not_limited(self.counted_or_until::<E>(tx, limit, key, now)?, now)
    }

    /// Counts an event as [`count`](Self::count) does, or returns until when the limit is reached.
    pub(crate) fn counted_or_until<E>(
        &self,
        tx: &mut dyn Transaction,
        limit: RateLimit,
        key: &LimitKey,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, E>
    where
        E: From<DatabaseError> + From<PortError>,
    {
        let limits = self.limits(limit, key)?;
        if limits.is_empty() {
            return Ok(None);
        }
        let ends = limit.rule().window.end(now);
        let mut unused = Vec::new();
        for user in key.users() {
            let user = self.hasher.hash(limit, &user)?;
            let used = tx.limit_counts().count_event(&user, now, ends, 1)?;
            unused.push(used.is_none());
        }
        for CountLimit { key, most } in limits {
            let most = match unused.is_empty() {
                true => most,
                false => common_share(most, &unused),
            };
            let reached = tx.limit_counts().count_event(&key, now, ends, most)?;
            if reached.is_some() {
                return Ok(reached);
            }
        }
        Ok(None)
    }

    /// Returns the limits that `key` is counted by, for a statement that checks them together with
    /// something else; none if they are turned off.
    pub fn limits(&self, limit: RateLimit, key: &LimitKey) -> Result<Vec<CountLimit>, PortError> {
        let limits = key
            .limits(limit, self.scale)
            .into_iter()
            .map(|(name, most)| {
                let key = self.hasher.hash(limit, &name)?;
                Ok(CountLimit { key, most })
            });
        limits.collect()
    }

    /// Checks the limit of `key` without counting: for what turns out to be an event only
    /// afterwards.
    ///
    /// # Errors
    /// [`RateLimited`] if it is reached.
    pub fn check<E>(&self, limit: RateLimit, key: &LimitKey) -> Result<(), E>
    where
        E: From<DatabaseError> + From<PortError> + From<RateLimited>,
    {
        let limits = self.limits(limit, key)?;
        if limits.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        let ends = self
            .database
            .read_one(|tx| tx.limit_counts().limited_until(&limits, now))?;
        not_limited(ends, now)
    }

    /// Resets the count of `key`, after a guess that was right.
    pub fn reset<E>(&self, limit: RateLimit, key: &LimitKey) -> Result<(), E>
    where
        E: From<DatabaseError> + From<PortError>,
    {
        let limits = self.limits(limit, key)?;
        self.database.write(|tx| {
            for CountLimit { key, .. } in &limits {
                tx.limit_counts().reset_count(key)?;
            }
            Ok(())
        })
    }

    /// Refunds an event that was admitted and then did not happen.
    pub fn refund<E>(&self, limit: RateLimit, key: &LimitKey) -> Result<(), E>
    where
        E: From<DatabaseError> + From<PortError>,
    {
        let limits = self.limits(limit, key)?;
        let now = self.clock.now();
        self.database.write(|tx| {
            for CountLimit { key, .. } in &limits {
                tx.limit_counts().refund_event(key, now)?;
            }
            Ok(())
        })
    }
}

/// Hashes nothing, since limits that are off count nothing.
struct NoKeys;

impl LimitKeyHasher for NoKeys {
    fn hash(&self, _: RateLimit, _: &str) -> Result<CountKey, PortError> {
        Err(PortError {
            operation: "hashing the key of a limit",
            source: "limits are off".into(),
        })
    }
}

/// Counts here the events of one call, once. After a conflict its transaction is run again, and
/// would be refused because of what it had counted itself.
pub(crate) struct AdmitOnce<'l> {
    here: &'l RateWindows,
    is_admitted: bool,
}

impl<'l> AdmitOnce<'l> {
    pub(crate) fn new(here: &'l RateWindows) -> Self {
        Self {
            here,
            is_admitted: false,
        }
    }

    /// See [`RateWindows::admit`]. Does nothing once it has succeeded.
    pub(crate) fn admit(&mut self, events: &[(RateLimit, LimitKey)]) -> Result<(), RateLimited> {
        if !self.is_admitted {
            self.here.admit(events)?;
            self.is_admitted = true;
        }
        Ok(())
    }
}

fn not_limited<E: From<RateLimited>>(ends: Option<Timestamp>, now: Timestamp) -> Result<(), E> {
    match ends {
        None => Ok(()),
        Some(ends) => Err(RateLimited::until(ends, now).into()),
    }
}
