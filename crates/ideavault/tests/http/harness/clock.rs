//! A clock that tests control.

use std::sync::Mutex;

use chrono::{DateTime, Duration, Utc};
use ideavault_domain::Timestamp;
use ideavault_domain::ports::Clock;

/// Stands still, except that each call advances it by a microsecond, so that no two events
/// have the same time.
pub struct TestClock(Mutex<Timestamp>);

impl TestClock {
    /// Starts at the real time, because some libraries use the system's clock.
    pub fn start() -> Self {
        let now = DateTime::from_timestamp_micros(Utc::now().timestamp_micros());
        Self(Mutex::new(now.unwrap()))
    }

    /// Advances the clock.
    pub fn advance(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        let mut now = self.0.lock().unwrap();
        *now += Duration::microseconds(1);
        *now
    }
}
