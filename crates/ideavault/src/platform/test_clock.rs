//! A clock that tests of the real binary can set. Debug builds only.

use std::fs;
use std::path::PathBuf;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::ports::Clock;

use super::SystemClock;

/// Variable that names a file with the number of seconds by which this clock is ahead of the
/// system's. The file may change at any time; without it, the offset is zero.
const FILE: &str = "IDEAVAULT_TEST_CLOCK";

/// The system clock with an offset.
pub struct TestClock(PathBuf);

impl TestClock {
    /// Returns the clock that the environment asks for.
    pub fn of_environment() -> Option<Self> {
        std::env::var_os(FILE).map(|path| Self(path.into()))
    }

    fn ahead(&self) -> Duration {
        let seconds = fs::read_to_string(&self.0)
            .ok()
            .and_then(|text| text.trim().parse().ok());
        Duration::seconds(seconds.unwrap_or_default())
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        SystemClock.now() + self.ahead()
    }
}
