//! Counters of the clients.

use std::time::Duration;

/// The time from which on an answer counts as late.
const LATE: Duration = Duration::from_secs(1);

/// Answered requests, and how long they took with all repetitions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Answered requests.
    pub(super) answered: u32,
    /// Those that took longer than a second.
    pub(super) late: u32,
    /// The longest.
    pub(super) longest: Duration,
}

impl Tally {
    /// Counts a request that was answered after `waited`.
    pub(super) fn add_request(&mut self, waited: Duration) {
        self.answered += 1;
        self.late += u32::from(waited > LATE);
        self.longest = self.longest.max(waited);
    }

    /// Adds what another client counted.
    pub(super) fn add(&mut self, other: Self) {
        self.answered += other.answered;
        self.late += other.late;
        self.longest = self.longest.max(other.longest);
    }

    /// Returns the answers per second.
    pub(super) fn per_second(&self, duration: Duration) -> f64 {
        f64::from(self.answered) / duration.as_secs_f64()
    }
}
