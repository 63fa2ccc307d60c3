//! Reads on the thread that serves requests, which must never wait: for a connection, a lock or a
//! network. Handing a short read to another thread costs more than the read itself.
//!
//! Invariant: while such work runs, nothing in this crate waits. It fails instead, and its caller
//! repeats the work where it may wait.

use std::cell::Cell;

use ideavault_domain::ports::DatabaseError;

use crate::error::{QueryError, QueryResult, failed};

/// Most bytes that such work may decrypt: others wait for the thread meanwhile.
const MOST_BYTES: usize = 64 * 1024;

#[derive(Clone, Copy)]
enum State {
    MayWait,
    AtOnce {
        bytes_left: usize,
    },
    /// The work has failed because it would have had to wait.
    Declined,
}

thread_local! {
    static STATE: Cell<State> = const { Cell::new(State::MayWait) };
}

/// Ends the work, also when it panics.
struct Ending;

impl Drop for Ending {
    fn drop(&mut self) {
        STATE.set(State::MayWait);
    }
}

/// Runs `work` at once. Returns `false` if it would have had to wait.
pub(crate) fn run(work: &mut dyn FnMut()) -> bool {
    let ending = Ending;
    STATE.set(State::AtOnce {
        bytes_left: MOST_BYTES,
    });
    work();
    let is_done = !matches!(STATE.get(), State::Declined);
    drop(ending);
    is_done
}

/// Returns whether the running work must not wait.
pub(crate) fn is_required() -> bool {
    !matches!(STATE.get(), State::MayWait)
}

/// Declines the running work if it must not wait.
pub(crate) fn give_up() {
    if is_required() {
        STATE.set(State::Declined);
    }
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
    if let State::AtOnce { bytes_left } = STATE.get() {
        STATE.set(State::AtOnce {
            bytes_left: bytes_left.saturating_sub(bytes),
        });
    }
    Ok(())
}

/// Returns how many bytes more the running work may decrypt.
pub(crate) fn room() -> usize {
    match STATE.get() {
        State::AtOnce { bytes_left } => bytes_left,
        State::MayWait | State::Declined => usize::MAX,
    }
}

/// Declines the running work if it may not decrypt `bytes` more: before they are read, which takes
/// as long.
///
/// # Errors
/// [`QueryError::MustWait`] then.
pub(crate) fn require_room(bytes: usize) -> QueryResult<()> {
    match STATE.get() {
        State::AtOnce { bytes_left } if bytes_left < bytes => {
            give_up();
            Err(QueryError::MustWait)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn work_that_declines_counts_for_nothing() {
        assert!(run(&mut || assert!(is_required())));
        assert!(!run(&mut || drop(declined("write"))));
        // What follows may wait again.
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
    fn a_panic_ends_the_work() {
        let panics = AssertUnwindSafe(|| run(&mut || panic!("on purpose")));
        assert!(catch_unwind(panics).is_err());
        assert!(!is_required());
    }
}
