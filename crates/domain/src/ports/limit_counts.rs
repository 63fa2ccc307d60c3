//! Counts of what is limited, where neither a restart nor another server begins anew.

use std::time::Duration;

use thiserror::Error;

use super::error::DatabaseError;
use super::platform::PortError;
use crate::Timestamp;
use crate::failure::Failure;
use crate::rate_limit::{CountKey, CountLimit, RateLimit};

/// A limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("too often; again in {retry_after:?}")]
pub struct RateLimited {
    /// Time until the next attempt is admitted.
    pub retry_after: Duration,
}

impl RateLimited {
    /// Creates the refusal by a limit that is reached until `end`. The wait is rounded up to whole
    /// seconds, so that a retry after it is admitted.
    #[must_use]
    pub fn until(end: Timestamp, now: Timestamp) -> Self {
        let wait = (end - now).to_std().unwrap_or_default();
        Self {
            retry_after: Duration::from_secs(wait.as_secs() + 1),
        }
    }
}

impl From<RateLimited> for Failure {
    fn from(limited: RateLimited) -> Self {
        Self::TooMany {
            retry_after: limited.retry_after,
        }
    }
}

/// Computes keyed hashes of what is counted, so that the database does not show who tried to sign
/// in from where.
pub trait LimitKeyHasher: Send + Sync {
    /// Hashes the name of a count. The same name hashes differently for another limit.
    ///
    /// # Errors
    /// When hashing fails, never because of the name.
    fn hash(&self, limit: RateLimit, name: &str) -> Result<CountKey, PortError>;
}

/// Counts of events, each in a window that begins with its first event.
pub trait LimitCounts {
    /// Counts an event, in a window until `ends` if it begins one, and returns `None`; or returns
    /// the end of the window if `most` are counted in it. Concurrent calls never count more.
    fn count_event(
        &mut self,
        key: &CountKey,
        now: Timestamp,
        ends: Timestamp,
        most: u32,
    ) -> Result<Option<Timestamp>, DatabaseError>;

    /// Returns the end of the window of `now` in which one of the limits is reached.
    fn limited_until(
        &mut self,
        limits: &[CountLimit],
        now: Timestamp,
    ) -> Result<Option<Timestamp>, DatabaseError>;

    /// Resets the count.
    fn reset_count(&mut self, key: &CountKey) -> Result<(), DatabaseError>;

    /// Refunds an event that was counted and then did not happen, if its window has not ended.
    fn refund_event(&mut self, key: &CountKey, now: Timestamp) -> Result<(), DatabaseError>;

    /// Deletes the counts of windows that have ended, and returns how many.
    fn delete_ended_counts(&mut self, now: Timestamp) -> Result<usize, DatabaseError>;
}
