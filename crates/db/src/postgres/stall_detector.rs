//! Whether the server still answers.
//!
//! Every transaction begins with a question that costs a living server nothing,
//! however long the rest takes it. When such a question stays open for long,
//! nobody needs to wait for anything else.
//!
//! Invariant: a question that was open when somebody gave up is never taken for
//! answered, so that nothing is written for whoever was told so.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a question may stay open. A living server takes a millisecond; the
/// rest is for machines that are overwhelmed.
const SILENCE: Duration = Duration::from_secs(2);

/// The questions that one server has not answered yet.
#[derive(Clone, Debug, Default)]
pub(super) struct InFlight(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    next: u64,
    asked: BTreeMap<u64, Instant>,
    /// The first question that was asked after the last time somebody gave up.
    wanted_from: u64,
}

impl Open {
    fn is_too_old(&self, now: Instant) -> bool {
        // The questions are in the order in which they were asked.
        let oldest = self.asked.values().next();
        oldest.is_some_and(|asked| now.duration_since(*asked) >= SILENCE)
    }
}

/// A question that is open, until it is answered or given up.
#[derive(Debug)]
pub(super) struct Question {
    number: u64,
    questions: InFlight,
}

impl InFlight {
    /// Notes that something is asked at `now`.
    pub(super) fn ask(&self, now: Instant) -> Question {
        let mut open = self.open();
        let number = open.next;
        open.next += 1;
        open.asked.insert(number, now);
        Question {
            number,
            questions: self.clone(),
        }
    }

    /// Whether one is open for too long at `now`.
    pub(super) fn are_too_old(&self, now: Instant) -> bool {
        self.open().is_too_old(now)
    }

    /// If one is open for too long at `now`, gives up all that are open, and answers
    /// that it did.
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
    /// Notes that it was answered. Answers whether anybody still wants that: it was
    /// not given up meanwhile.
    pub(super) fn answered(self) -> bool {
        self.questions.open().wanted_from <= self.number
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        self.questions.open().asked.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_silent_while_its_oldest_question_is_open_for_too_long() {
        let questions = InFlight::default();
        let start = Instant::now();
        assert!(!questions.are_too_old(start + SILENCE));
        let first = questions.ask(start);
        let second = questions.ask(start + SILENCE / 2);
        assert!(!questions.are_too_old(start + SILENCE / 2));
        assert!(questions.are_too_old(start + SILENCE));
        drop(first);
        assert!(!questions.are_too_old(start + SILENCE));
        drop(second);
        assert!(!questions.are_too_old(start + SILENCE * 2));
    }

    #[test]
    fn an_answer_counts_however_late_unless_its_question_was_given_up() {
        let questions = InFlight::default();
        let start = Instant::now();
        let question = questions.ask(start);
        assert!(!questions.give_up_if_too_old(start + SILENCE / 2));
        assert!(questions.are_too_old(start + SILENCE));
        assert!(question.answered());

        let late = questions.ask(start);
        let beside = questions.ask(start + SILENCE / 2);
        assert!(questions.give_up_if_too_old(start + SILENCE));
        // Somebody who waited for this one, too, may have been told that nothing came of it.
        assert!(!beside.answered());
        let next = questions.ask(start + SILENCE);
        assert!(!late.answered());
        assert!(next.answered());
    }
}
