//! The newest recorded time, a guard against clocks that are set back.

use chrono::Duration;

use super::error::DatabaseError;
use crate::Timestamp;

type Result<T> = std::result::Result<T, DatabaseError>;

/// A clock set back by more than this was wrong before: going on from its times would
/// stamp everything with them for as long as it was ahead.
pub const SET_BACK_MAX: Duration = Duration::hours(24);

/// The newest time that any server has recorded. Does not decrease when a clock is
/// set back.
pub trait NewestTime {
    /// Returns the recorded time.
    fn newest_time(&mut self) -> Result<Option<Timestamp>>;

    /// Records a time unless a later one is recorded. A recorded time after
    /// `wrong_after` is ignored: it came from a wrong clock.
    fn record_time(&mut self, at: Timestamp, wrong_after: Timestamp) -> Result<()>;
}
