//! Limits on guesses of secrets, which hold across instances and restarts
//! (`docs/rules.md#rate-limits`).

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::daily_caps::scaled;
use ideavault_domain::failure::Failure;
use ideavault_domain::guesses::GuessLimit;
use ideavault_domain::ports::{
    Clock, Database, DatabaseError, GuessKeyHasher, PortError, RateLimited,
};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use thiserror::Error;

/// The reason why a guess is not admitted.
#[derive(Debug, Error)]
pub enum GuessError {
    /// The limit is reached.
    #[error(transparent)]
    Limited(#[from] RateLimited),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A key could not be hashed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<GuessError> for Failure {
    fn from(error: GuessError) -> Self {
        match error {
            GuessError::Limited(limited) => limited.into(),
            GuessError::Database(error) => error.into(),
            GuessError::Port(error) => error.into(),
        }
    }
}

/// Counts of guesses, kept in the database.
pub struct Guesses<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    hasher: Arc<dyn GuessKeyHasher>,
    scale: f64,
}

impl<S: Database> Guesses<S> {
    /// Creates the service. `scale` multiplies every limit; zero turns them off.
    pub fn new(
        database: Arc<S>,
        clock: Arc<dyn Clock>,
        hasher: Arc<dyn GuessKeyHasher>,
        scale: f64,
    ) -> Self {
        Self {
            database,
            clock,
            hasher,
            scale,
        }
    }

    /// Counts a guess before it is made, so that concurrent ones do not pass together.
    ///
    /// # Errors
    /// [`GuessError::Limited`] if the limit of `key` is reached.
    pub fn admit(&self, limit: RateLimit, key: &LimitKey) -> Result<(), GuessError> {
        let (_, window) = limit.quota();
        let limits = self.limits(limit, key)?;
        if limits.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        // A refusal by one of them rolls back what the others counted.
        self.database.write(|tx| {
            for GuessLimit { key, most } in &limits {
                refused_until(tx.guess_counts().count_guess(key, now, window, *most)?, now)?;
            }
            Ok(())
        })
    }

    /// Returns the limits that `key` is counted by, for a statement that checks them together with
    /// something else; none if they are turned off.
    pub fn limits(&self, limit: RateLimit, key: &LimitKey) -> Result<Vec<GuessLimit>, GuessError> {
        let (most, _) = limit.quota();
        let limits = key.counts().into_iter().filter_map(|(key, quotas)| {
            let most = scaled(most.saturating_mul(quotas), self.scale)?;
            Some((key, most))
        });
        let limits = limits.map(|(key, most)| {
            let key = self.hasher.hash(&format!("{limit:?}"), &key)?;
            Ok(GuessLimit { key, most })
        });
        limits.collect()
    }

    /// Checks the limit of `key` without counting a guess: for what turns out to be one only
    /// afterwards.
    ///
    /// # Errors
    /// [`GuessError::Limited`] if it is reached.
    pub fn check(&self, limit: RateLimit, key: &LimitKey) -> Result<(), GuessError> {
        let limits = self.limits(limit, key)?;
        if limits.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        let ends = self
            .database
            .read_one(|tx| tx.guess_counts().guesses_refused_until(&limits, now))?;
        refused_until(ends, now)
    }

    /// Resets the count of `key`, after a guess that was right.
    pub fn reset(&self, limit: RateLimit, key: &LimitKey) -> Result<(), GuessError> {
        let limits = self.limits(limit, key)?;
        self.database.write(|tx| {
            for GuessLimit { key, .. } in &limits {
                tx.guess_counts().reset_guesses(key)?;
            }
            Ok(())
        })
    }

    /// Refunds a guess that was admitted and then could not be checked.
    pub fn refund(&self, limit: RateLimit, key: &LimitKey) -> Result<(), GuessError> {
        let limits = self.limits(limit, key)?;
        let now = self.clock.now();
        self.database.write(|tx| {
            for GuessLimit { key, .. } in &limits {
                tx.guess_counts().refund_guess(key, now)?;
            }
            Ok(())
        })
    }
}

fn refused_until(ends: Option<Timestamp>, now: Timestamp) -> Result<(), GuessError> {
    match ends {
        None => Ok(()),
        Some(ends) => Err(RateLimited::until(ends, now).into()),
    }
}
