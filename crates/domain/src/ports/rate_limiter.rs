//! Rate limits.

use std::time::Duration;

use thiserror::Error;

use crate::Timestamp;
use crate::failure::Failure;
use crate::rate_limit::{LimitKey, RateLimit};

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

/// Counts events, and says when there were too many. Never blocks, so that it may be called
/// inside a transaction: who acts is certain only there. What it has counted stays counted when
/// the transaction is rolled back, so that one that is run again must not count a second time.
pub trait RateLimiter: Send + Sync {
    /// Counts one event under each limit and key, or none if one of the limits is reached.
    ///
    /// # Errors
    /// [`RateLimited`] by the first limit that is reached.
    fn admit(&self, events: &[(RateLimit, LimitKey)]) -> Result<(), RateLimited>;
}
