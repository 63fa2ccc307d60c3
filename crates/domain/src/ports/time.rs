//! The newest time that a server has told.

use chrono::Duration;

use super::database::DatabaseError;
use crate::Timestamp;

type Result<T> = std::result::Result<T, DatabaseError>;

/// A clock that was set back by more than this was wrong before: to go on from
/// its times would stamp everything with them, for as long as it was ahead.
pub const SET_BACK_MAX: Duration = Duration::hours(24);

/// What was time already. It does not become less when a clock is set back.
pub trait NewestTime {
    /// The time on record.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn newest_time(&mut self) -> Result<Option<Timestamp>>;

    /// Puts a time on record, unless a later one is. One after `wrong_after` does not
    /// count: the clock that told it was wrong.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn record_time(&mut self, at: Timestamp, wrong_after: Timestamp) -> Result<()>;
}
