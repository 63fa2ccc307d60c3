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
use ideavault_domain::rate_limit::RateLimit;
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
    pub fn admit(&self, limit: RateLimit, key: &str) -> Result<(), GuessError> {
        let (most, window) = limit.quota();
        let Some(most) = scaled(most, self.scale) else {
            return Ok(());
        };
        let key = self.hasher.hash(limit, key)?;
        let now = self.clock.now();
        let ends = self
            .database
            .write(|tx| tx.guess_counts().count_guess(&key, now, window, most))?;
        refused_until(ends, now)
    }

    /// Returns the limit of `key`, for a statement that checks it together with something else;
    /// `None` if it is turned off.
    ///
    /// # Errors
    /// [`GuessError::Port`].
    pub fn limit(&self, limit: RateLimit, key: &str) -> Result<Option<GuessLimit>, GuessError> {
        let (most, _) = limit.quota();
        let Some(most) = scaled(most, self.scale) else {
            return Ok(None);
        };
        let key = self.hasher.hash(limit, key)?;
        Ok(Some(GuessLimit { key, most }))
    }

    /// Checks the limit of `key` without counting a guess: for what turns out to be one only
    /// afterwards.
    ///
    /// # Errors
    /// [`GuessError::Limited`] if it is reached.
    pub fn check(&self, limit: RateLimit, key: &str) -> Result<(), GuessError> {
        let Some(GuessLimit { key, most }) = self.limit(limit, key)? else {
            return Ok(());
        };
        let now = self.clock.now();
        let ends = self
            .database
            .read_one(|tx| tx.guess_counts().guesses_refused_until(&key, now, most))?;
        refused_until(ends, now)
    }

    /// Resets the count of `key`, after a guess that was right.
    ///
    /// # Errors
    /// [`GuessError::Database`].
    pub fn reset(&self, limit: RateLimit, key: &str) -> Result<(), GuessError> {
        let key = self.hasher.hash(limit, key)?;
        Ok(self
            .database
            .write(|tx| tx.guess_counts().reset_guesses(&key))?)
    }

    /// Refunds a guess that was admitted and then could not be checked.
    ///
    /// # Errors
    /// [`GuessError::Database`].
    pub fn refund(&self, limit: RateLimit, key: &str) -> Result<(), GuessError> {
        let key = self.hasher.hash(limit, key)?;
        let now = self.clock.now();
        Ok(self
            .database
            .write(|tx| tx.guess_counts().refund_guess(&key, now))?)
    }
}

fn refused_until(ends: Option<Timestamp>, now: Timestamp) -> Result<(), GuessError> {
    match ends {
        None => Ok(()),
        Some(ends) => Err(RateLimited::until(ends, now).into()),
    }
}
