//! Reads that are short: they decrypt a bounded number of bytes. Those on the thread that serves
//! requests must never wait besides: for a connection, a lock or a network. Handing a short read to
//! another thread costs more than the read itself.
//!
//! Invariant: while such work runs, nothing in this crate decrypts more, or waits if it must not.
//! It fails instead, and its caller repeats the work where it may.

use std::cell::Cell;

use ideavault_domain::ports::DatabaseError;

use crate::error::{QueryError, QueryResult, failed};

/// Most bytes that a short read may decrypt: others wait for the thread meanwhile.
const MOST_BYTES: usize = 64 * 1024;

#[derive(Clone, Copy)]
struct Short {
    may_wait: bool,
    bytes_left: usize,
    /// Whether the work has failed because it would have had to wait, or to decrypt more.
    is_declined: bool,
}

thread_local! {
    /// Limits of the running work; none if it may do everything.
    static STATE: Cell<Option<Short>> = const { Cell::new(None) };
}

/// Ends the work, also when it panics.
struct Ending;

impl Drop for Ending {
    fn drop(&mut self) {
        STATE.set(None);
    }
}

/// Runs `work` at once. Returns `false` if it would have had to wait, or to decrypt too much.
pub(crate) fn run(work: &mut dyn FnMut()) -> bool {
    run_short(work, false)
}

/// Runs `work`, which may wait. Returns `false` if it would have had to decrypt too much.
pub(crate) fn run_within_bounds(work: &mut dyn FnMut()) -> bool {
    run_short(work, true)
}

fn run_short(work: &mut dyn FnMut(), may_wait: bool) -> bool {
    let ending = Ending;
    STATE.set(Some(Short {
        may_wait,
        bytes_left: MOST_BYTES,
        is_declined: false,
    }));
    work();
    let is_done = STATE.get().is_some_and(|short| !short.is_declined);
    drop(ending);
    is_done
}

/// Returns whether the running work must not wait.
pub(crate) fn is_required() -> bool {
    STATE.get().is_some_and(|short| !short.may_wait)
}

/// Declines the running work if it must not wait.
pub(crate) fn give_up() {
    if is_required() {
        decline();
    }
}

fn decline() {
    let short = STATE.get();
    STATE.set(short.map(|short| Short {
        is_declined: true,
        ..short
    }));
}

/// Declines the running work, and returns the error that ends it.
pub(crate) fn declined(operation: &'static str) -> DatabaseError {
    give_up();
    failed(operation)(QueryError::MustWait)
}

/// Counts `bytes` to be decrypted.
///
/// # Errors
/// [`QueryError::MustWait`] if they are too many, which declines the running work.
pub(crate) fn spend(bytes: usize) -> QueryResult<()> {
    require_room(bytes)?;
    let short = STATE.get();
    STATE.set(short.map(|short| Short {
        bytes_left: short.bytes_left.saturating_sub(bytes),
        ..short
    }));
    Ok(())
}

/// Returns how many bytes more the running work may decrypt.
pub(crate) fn room() -> usize {
    STATE.get().map_or(usize::MAX, |short| short.bytes_left)
}

/// Declines the running work if it may not decrypt `bytes` more: before they are read, which takes
/// as long.
///
/// # Errors
/// [`QueryError::MustWait`] then.
pub(crate) fn require_room(bytes: usize) -> QueryResult<()> {
    if room() < bytes {
        decline();
        return Err(QueryError::MustWait);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn work_that_declines_counts_for_nothing() {
        assert!(run(&mut || assert!(is_required())));
        assert!(!run(&mut || drop(declined("write"))));
        // Later work may wait again.
        assert!(!is_required());
        assert!(run(&mut || {}));
    }

    #[test]
    fn work_decrypts_a_bounded_number_of_bytes() {
        let half = MOST_BYTES / 2;
        assert!(run(&mut || {
            spend(half).unwrap();
            spend(half).unwrap();
        }));
        assert!(!run(&mut || {
            spend(half).unwrap();
            let refused = spend(half + 1);
            assert!(matches!(refused, Err(QueryError::MustWait)));
        }));
        // Whoever may wait may decrypt anything.
        spend(MOST_BYTES + 1).unwrap();
    }

    #[test]
    fn short_work_may_wait_elsewhere() {
        assert!(run_within_bounds(&mut || assert!(!is_required())));
        assert!(run_within_bounds(&mut || give_up()));
        assert!(!run_within_bounds(&mut || {
            let refused = require_room(MOST_BYTES + 1);
            assert!(matches!(refused, Err(QueryError::MustWait)));
        }));
        assert_eq!(room(), usize::MAX);
    }

    #[test]
    fn a_panic_ends_the_work() {
        let panics = AssertUnwindSafe(|| run(&mut || panic!("on purpose")));
        assert!(catch_unwind(panics).is_err());
        assert!(!is_required());
    }
}
