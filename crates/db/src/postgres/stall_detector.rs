//! Detects a server that has stopped responding.
//!
//! Every transaction begins with a statement that a working server completes at once,
//! however long the later ones take. If such a statement stays pending, the server
//! has stalled and waiting for anything else is useless.
//!
//! Invariant: a statement that was pending when the transactions were abandoned never
//! counts as complete, so that nothing is written for a caller who was told of a failure.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a statement may stay pending. A working server takes a millisecond; the
/// rest is allowance for overloaded machines.
const STALL_TIMEOUT: Duration = Duration::from_secs(2);

/// The pending statements of one server.
#[derive(Clone, Debug, Default)]
pub(super) struct InFlight(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    next: u64,
    sent: BTreeMap<u64, Instant>,
    /// The number of the first statement after those that were abandoned.
    valid_from: u64,
}

impl Open {
    fn is_stalled(&self, now: Instant) -> bool {
        // The keys are in the order in which the statements were sent.
        let oldest = self.sent.values().next();
        oldest.is_some_and(|sent| now.duration_since(*sent) >= STALL_TIMEOUT)
    }
}

/// A statement without a response; pending until it is dropped.
#[derive(Debug)]
pub(super) struct PendingStatement {
    number: u64,
    in_flight: InFlight,
}

impl InFlight {
    /// Records a statement that is sent at `now`.
    pub(super) fn begin(&self, now: Instant) -> PendingStatement {
        let mut open = self.open();
        let number = open.next;
        open.next += 1;
        open.sent.insert(number, now);
        PendingStatement {
            number,
            in_flight: self.clone(),
        }
    }

    /// Returns whether a statement is pending for [`STALL_TIMEOUT`] at `now`.
    pub(super) fn is_stalled(&self, now: Instant) -> bool {
        self.open().is_stalled(now)
    }

    /// If a statement is pending for [`STALL_TIMEOUT`] at `now`, abandons all that are
    /// pending and returns `true`.
    pub(super) fn abandon_if_stalled(&self, now: Instant) -> bool {
        let mut open = self.open();
        let is_stalled = open.is_stalled(now);
        if is_stalled {
            open.valid_from = open.next;
        }
        is_stalled
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingStatement {
    /// Records the response. Returns `false` if the statement was abandoned meanwhile.
    pub(super) fn complete(self) -> bool {
        self.in_flight.open().valid_from <= self.number
    }
}

impl Drop for PendingStatement {
    fn drop(&mut self) {
        self.in_flight.open().sent.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_stalled_when_its_oldest_statement_is_overdue() {
        let in_flight = InFlight::default();
        let start = Instant::now();
        assert!(!in_flight.is_stalled(start + STALL_TIMEOUT));
        let first = in_flight.begin(start);
        let second = in_flight.begin(start + STALL_TIMEOUT / 2);
        assert!(!in_flight.is_stalled(start + STALL_TIMEOUT / 2));
        assert!(in_flight.is_stalled(start + STALL_TIMEOUT));
        drop(first);
        assert!(!in_flight.is_stalled(start + STALL_TIMEOUT));
        drop(second);
        assert!(!in_flight.is_stalled(start + STALL_TIMEOUT * 2));
    }

    #[test]
    fn a_late_response_counts_unless_its_statement_was_abandoned() {
        let in_flight = InFlight::default();
        let start = Instant::now();
        let statement = in_flight.begin(start);
        assert!(!in_flight.abandon_if_stalled(start + STALL_TIMEOUT / 2));
        assert!(in_flight.is_stalled(start + STALL_TIMEOUT));
        assert!(statement.complete());

        let late = in_flight.begin(start);
        let beside = in_flight.begin(start + STALL_TIMEOUT / 2);
        assert!(in_flight.abandon_if_stalled(start + STALL_TIMEOUT));
        // The caller of this one, too, may have been told of a failure.
        assert!(!beside.complete());
        let next = in_flight.begin(start + STALL_TIMEOUT);
        assert!(!late.complete());
        assert!(next.complete());
    }
}
