//! A clock that tests set.

use std::sync::Mutex;

use chrono::{DateTime, Duration, Utc};
use ideavault_domain::Timestamp;
use ideavault_domain::ports::Clock;

/// Stands still, except that each look moves it by a microsecond: so no two
/// events share a time, and the newest is the newest.
pub struct TestClock(Mutex<Timestamp>);

impl TestClock {
    /// A clock on the real time: some libraries below us know no other.
    pub fn start() -> Self {
        let now = DateTime::from_timestamp_micros(Utc::now().timestamp_micros());
        Self(Mutex::new(now.unwrap()))
    }

    /// Moves it.
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
