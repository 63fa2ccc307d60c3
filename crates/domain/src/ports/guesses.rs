//! Guesses of secrets, counted where neither a restart nor another instance begins anew.

use std::time::Duration;

use super::error::DatabaseError;
use super::platform::PortError;
use crate::Timestamp;
use crate::guesses::{GuessKey, GuessLimit};

/// Computes keyed hashes of what guesses are counted by, so that the database does not show
/// who tried to sign in from where.
pub trait GuessKeyHasher: Send + Sync {
    /// Hashes the key of what is counted, which has a name without spaces. The same key hashes
    /// differently for something else.
    ///
    /// # Errors
    /// When hashing fails, never because of the key.
    fn hash(&self, counted: &str, key: &str) -> Result<GuessKey, PortError>;
}

/// Counts of guesses, each in a window that begins with its first guess.
pub trait GuessCounts {
    /// Counts a guess and returns `None`, or returns the end of the window if `most` are
    /// counted in it. Concurrent calls never count more.
    fn count_guess(
        &mut self,
        key: &GuessKey,
        now: Timestamp,
        window: Duration,
        most: u32,
    ) -> Result<Option<Timestamp>, DatabaseError>;

    /// Returns the end of the window of `now` in which one of the limits is reached.
    fn guesses_refused_until(
        &mut self,
        limits: &[GuessLimit],
        now: Timestamp,
    ) -> Result<Option<Timestamp>, DatabaseError>;

    /// Resets the count.
    fn reset_guesses(&mut self, key: &GuessKey) -> Result<(), DatabaseError>;

    /// Refunds a guess that was counted and then not made, if its window has not ended.
    fn refund_guess(&mut self, key: &GuessKey, now: Timestamp) -> Result<(), DatabaseError>;

    /// Deletes the counts of windows that have ended, and returns how many.
    fn delete_ended_guesses(&mut self, now: Timestamp) -> Result<usize, DatabaseError>;
}
