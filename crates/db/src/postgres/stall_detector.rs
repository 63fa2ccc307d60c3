//! Detects a server that has stopped answering.
//!
//! Every transaction begins with a statement that a working server answers at once,
//! however long the later ones take. If such a statement stays unanswered, the server
//! has stalled and waiting for anything else is useless.
//!
//! Invariant: a statement that was in flight when the transactions were abandoned never
//! counts as answered, so that nothing is written for a caller who was told of a failure.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a statement may stay unanswered. A working server takes a millisecond; the
/// rest is allowance for overloaded machines.
const STALL_TIMEOUT: Duration = Duration::from_secs(2);

/// The statements that one server has not answered yet.
#[derive(Clone, Debug, Default)]
pub(super) struct InFlight(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    next: u64,
    asked: BTreeMap<u64, Instant>,
    /// The number of the first statement after those that were abandoned.
    wanted_from: u64,
}

impl Open {
    fn is_too_old(&self, now: Instant) -> bool {
        // The keys are in the order in which the statements were sent.
        let oldest = self.asked.values().next();
        oldest.is_some_and(|asked| now.duration_since(*asked) >= STALL_TIMEOUT)
    }
}

/// A statement in flight, until it is answered or dropped.
#[derive(Debug)]
pub(super) struct Question {
    number: u64,
    in_flight: InFlight,
}

impl InFlight {
    /// Records a statement that is sent at `now`.
    pub(super) fn ask(&self, now: Instant) -> Question {
        let mut open = self.open();
        let number = open.next;
        open.next += 1;
        open.asked.insert(number, now);
        Question {
            number,
            in_flight: self.clone(),
        }
    }

    /// Returns whether a statement is unanswered for too long at `now`.
    pub(super) fn are_too_old(&self, now: Instant) -> bool {
        self.open().is_too_old(now)
    }

    /// If a statement is unanswered for too long at `now`, abandons all that are in
    /// flight and returns `true`.
    pub(super) fn give_up_if_too_old(&self, now: Instant) -> bool {
        let mut open = self.open();
        let too_old = open.is_too_old(now);
        if too_old {
            open.wanted_from = open.next;
        }
        too_old
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Question {
    /// Records the answer. Returns `false` if the statement was abandoned meanwhile.
    pub(super) fn answered(self) -> bool {
        self.in_flight.open().wanted_from <= self.number
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        self.in_flight.open().asked.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_stalled_when_its_oldest_statement_is_overdue() {
        let in_flight = InFlight::default();
        let start = Instant::now();
        assert!(!in_flight.are_too_old(start + STALL_TIMEOUT));
        let first = in_flight.ask(start);
        let second = in_flight.ask(start + STALL_TIMEOUT / 2);
        assert!(!in_flight.are_too_old(start + STALL_TIMEOUT / 2));
        assert!(in_flight.are_too_old(start + STALL_TIMEOUT));
        drop(first);
        assert!(!in_flight.are_too_old(start + STALL_TIMEOUT));
        drop(second);
        assert!(!in_flight.are_too_old(start + STALL_TIMEOUT * 2));
    }

    #[test]
    fn a_late_response_counts_unless_its_statement_was_abandoned() {
        let in_flight = InFlight::default();
        let start = Instant::now();
        let question = in_flight.ask(start);
        assert!(!in_flight.give_up_if_too_old(start + STALL_TIMEOUT / 2));
        assert!(in_flight.are_too_old(start + STALL_TIMEOUT));
        assert!(question.answered());

        let late = in_flight.ask(start);
        let beside = in_flight.ask(start + STALL_TIMEOUT / 2);
        assert!(in_flight.give_up_if_too_old(start + STALL_TIMEOUT));
        // The caller of this one, too, may have been told of a failure.
        assert!(!beside.answered());
        let next = in_flight.ask(start + STALL_TIMEOUT);
        assert!(!late.answered());
        assert!(next.answered());
    }
}
