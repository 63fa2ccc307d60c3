//! Whether the server still answers.
//!
//! Every transaction begins with a question that costs a living server nothing,
//! however long the rest takes it. When such a question stays open for long,
//! nobody needs to wait for anything else.
//!
//! Invariant: a question that was open while the server counted as silent is
//! never taken for answered, so that whoever gave up has not written anything.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a question may stay open. A living server takes a millisecond; the
/// rest is for machines that are overwhelmed.
const SILENCE: Duration = Duration::from_secs(2);

/// The questions that one server has not answered yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Questions(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    next: u64,
    asked: BTreeMap<u64, Instant>,
    /// When it was last seen to be silent.
    silent_at: Option<Instant>,
}

impl Open {
    fn is_silent(&mut self, now: Instant) -> bool {
        // The questions are in the order in which they were asked.
        let oldest = self.asked.values().next();
        let silent = oldest.is_some_and(|asked| now.duration_since(*asked) >= SILENCE);
        if silent {
            self.silent_at = Some(now);
        }
        silent
    }
}

/// A question that is open, until it is answered or given up.
#[derive(Debug)]
pub(super) struct Question {
    number: u64,
    asked: Instant,
    questions: Questions,
}

impl Questions {
    /// Notes that something is asked at `now`.
    pub(super) fn ask(&self, now: Instant) -> Question {
        let mut open = self.open();
        let number = open.next;
        open.next += 1;
        open.asked.insert(number, now);
        Question {
            number,
            asked: now,
            questions: self.clone(),
        }
    }

    /// Whether a question is open for too long at `now`.
    pub(super) fn is_silent(&self, now: Instant) -> bool {
        self.open().is_silent(now)
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Question {
    /// Notes that it was answered at `now`. Answers whether that was in time:
    /// before anybody can have taken the server for silent.
    pub(super) fn answered(self, now: Instant) -> bool {
        let mut open = self.questions.open();
        let silent = open.is_silent(now);
        !silent && open.silent_at.is_none_or(|at| at < self.asked)
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
        let questions = Questions::default();
        let start = Instant::now();
        assert!(!questions.is_silent(start + SILENCE));
        let first = questions.ask(start);
        let second = questions.ask(start + SILENCE / 2);
        assert!(!questions.is_silent(start + SILENCE / 2));
        assert!(questions.is_silent(start + SILENCE));
        drop(first);
        assert!(!questions.is_silent(start + SILENCE));
        drop(second);
        assert!(!questions.is_silent(start + SILENCE * 2));
    }

    #[test]
    fn an_answer_is_in_time_unless_the_server_was_silent_meanwhile() {
        let questions = Questions::default();
        let start = Instant::now();
        let soon = Duration::from_millis(1);
        assert!(questions.ask(start).answered(start + soon));

        let late = questions.ask(start);
        let beside = questions.ask(start + SILENCE / 2);
        let after_it = questions.ask(start + SILENCE / 2);
        assert!(!late.answered(start + SILENCE));
        // Somebody who waited for these may have been told that nothing came of it.
        assert!(!beside.answered(start + SILENCE + soon));
        assert!(!after_it.answered(start + SILENCE + soon));
        let again = start + SILENCE + soon;
        assert!(questions.ask(again).answered(again + soon));
    }
}
