//! The system's clock.

use chrono::{SubsecRound as _, Utc};
use ideavault_domain::Timestamp;
use ideavault_domain::ports::Clock;

/// [`Clock`] of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Utc::now().trunc_subsecs(6)
    }
}
