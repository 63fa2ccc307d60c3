//! System clock, test clock and users.

mod process;
mod steady;
#[cfg(debug_assertions)]
mod test_clock;
mod user;

use std::sync::Arc;

use chrono::{SubsecRound as _, Utc};
use ideavault_domain::Timestamp;
use ideavault_domain::ports::Clock;

pub use process::process_figures;
pub use steady::SteadyClock;
pub use user::{User, may_use};

/// [`Clock`] of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Utc::now().trunc_subsecs(6)
    }
}

/// Returns the clock of the `ideavault` binary: the system's. Debug builds let tests set it;
/// release builds do not.
#[must_use]
pub fn clock() -> Arc<dyn Clock> {
    #[cfg(debug_assertions)]
    if let Some(clock) = test_clock::TestClock::of_environment() {
        return Arc::new(clock);
    }
    Arc::new(SystemClock)
}
