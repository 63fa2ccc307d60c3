//! What is limited is counted in windows, exactly.

use std::time::Duration;

use ideavault_domain::Timestamp;
use ideavault_domain::ports::{Database as _, DatabaseError};
use ideavault_domain::rate_limit::{CountKey, CountLimit};

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    events_are_counted_up_to_the_limit_until_their_window_ends,
    keys_are_counted_separately,
    reset_and_refunded_events_leave_room,
    a_rolled_back_transaction_does_not_count,
    concurrent_servers_do_not_exceed_the_limit,
    counts_of_ended_windows_are_deleted,
);

const MINUTE: Duration = Duration::from_secs(60);

fn key(number: u8) -> CountKey {
    CountKey::from_bytes([number; 32])
}

fn limit(number: u8, most: u32) -> CountLimit {
    CountLimit {
        key: key(number),
        most,
    }
}

/// Counts an event of at most two; returns the end of the window if there were too many.
fn count(fixture: &Fixture, number: u8, now: Timestamp) -> Option<Timestamp> {
    fixture.write(|tx| tx.limit_counts().count_event(&key(number), now, now + MINUTE, 2))
}

fn events_are_counted_up_to_the_limit_until_their_window_ends(fixture: &Fixture) {
    let ends = at(0) + MINUTE;
    let last = ends - Duration::from_micros(1);
    assert_eq!(count(fixture, 1, at(0)), None);
    assert_eq!(count(fixture, 1, last), None);
    assert_eq!(count(fixture, 1, last), Some(ends));
    assert_eq!(count(fixture, 1, at(0)), Some(ends));
    let refused = |now, most| {
        let limits = [limit(2, 1), limit(1, most), limit(3, 1)];
        fixture.read(|tx| tx.limit_counts().limited_until(&limits, now))
    };
    assert_eq!(refused(last, 2), Some(ends));
    assert_eq!(refused(last, 3), None);
    assert_eq!(refused(ends, 2), None);
    // The next window begins with the next event.
    assert_eq!(count(fixture, 1, ends), None);
    assert_eq!(count(fixture, 1, ends), None);
    assert_eq!(count(fixture, 1, ends), Some(ends + MINUTE));
}

fn keys_are_counted_separately(fixture: &Fixture) {
    for number in 1..4 {
        let counted = [(); 3].map(|()| count(fixture, number, at(0)).is_none());
        assert_eq!(counted, [true, true, false]);
    }
}

fn reset_and_refunded_events_leave_room(fixture: &Fixture) {
    let full = || while count(fixture, 1, at(0)).is_none() {};
    full();
    fixture.write(|tx| tx.limit_counts().refund_event(&key(1), at(0)));
    assert_eq!(count(fixture, 1, at(0)), None);
    assert!(count(fixture, 1, at(0)).is_some());
    fixture.write(|tx| tx.limit_counts().reset_count(&key(1)));
    let counted = [(); 3].map(|()| count(fixture, 1, at(0)).is_none());
    assert_eq!(counted, [true, true, false]);
    // Nothing is taken back from a window that has ended, or that nobody began.
    let later = at(0) + MINUTE;
    fixture.write(|tx| tx.limit_counts().refund_event(&key(1), later));
    fixture.write(|tx| tx.limit_counts().refund_event(&key(2), later));
    assert!(count(fixture, 1, at(0)).is_some());
    assert_eq!(fixture.count("limit_counts"), 1);
}

fn a_rolled_back_transaction_does_not_count(fixture: &Fixture) {
    for _ in 0..3 {
        let undone = fixture.store.write(|tx| {
            let counted = tx.limit_counts().count_event(&key(1), at(0), at(60), 2)?;
            assert_eq!(counted, None);
            Err::<(), _>(DatabaseError::Internal {
                operation: "test",
                source: "on purpose".into(),
            })
        });
        undone.unwrap_err();
    }
    assert_eq!(count(fixture, 1, at(0)), None);
}

fn concurrent_servers_do_not_exceed_the_limit(fixture: &Fixture) {
    let counted = race(8, |_| {
        let store = fixture.database.open();
        let counted = store.write(|tx| tx.limit_counts().count_event(&key(1), at(0), at(60), 3));
        counted.unwrap().is_none()
    });
    assert_eq!(counted.into_iter().filter(|counted| *counted).count(), 3);
}

fn counts_of_ended_windows_are_deleted(fixture: &Fixture) {
    for number in 0..3 {
        count(fixture, number, at(0));
    }
    let ends = at(0) + MINUTE;
    count(fixture, 3, ends);
    let delete = |now| fixture.write(|tx| tx.limit_counts().delete_ended_counts(now));
    assert_eq!(delete(ends - Duration::from_micros(1)), 0);
    assert_eq!(delete(ends), 3);
    assert_eq!(fixture.count("limit_counts"), 1);
}
