//! Until when what was read holds by itself. Statements that compare with the time say so here; any
//! other change gives the data another version.

use std::cell::Cell;

use ideavault_domain::Timestamp;

thread_local! {
    /// The end for the running work.
    static UNTIL: Cell<Timestamp> = const { Cell::new(Timestamp::MAX_UTC) };
}

/// Runs `work`, which reads, and returns until when reading again would find the same and record
/// nothing, unless something is committed meanwhile.
pub fn holding<T>(work: impl FnOnce() -> T) -> (T, Timestamp) {
    UNTIL.set(Timestamp::MAX_UTC);
    let done = work();
    (done, UNTIL.get())
}

/// Says that something that was read may be otherwise from `end` on.
pub(crate) fn holds_until(end: Timestamp) {
    UNTIL.set(UNTIL.get().min(end));
}

/// Says that something was written.
pub(crate) fn holds_no_longer() {
    holds_until(Timestamp::MIN_UTC);
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    #[test]
    fn the_first_end_counts_for_the_work_that_read_it() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).unwrap();
        let read = |ends: &[i64]| {
            let ((), until) = holding(|| ends.iter().for_each(|end| holds_until(at(*end))));
            until
        };
        assert_eq!(read(&[9, 7, 8]), at(7));
        assert_eq!(read(&[]), Timestamp::MAX_UTC);
        let ((), written) = holding(holds_no_longer);
        assert_eq!(written, Timestamp::MIN_UTC);
    }
}
