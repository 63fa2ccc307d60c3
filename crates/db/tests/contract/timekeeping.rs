//! The latest time that a server has recorded.

use ideavault_domain::Timestamp;
use ideavault_domain::ports::Database as _;

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    the_time_on_record_only_grows,
    a_time_that_cannot_be_right_is_replaced,
    of_racing_servers_the_latest_counts,
);

const DAY: i64 = 24 * 60;

/// Records that minute like a server that trusts no clock that is a day ahead.
fn record(fixture: &Fixture, minute: i64) {
    fixture.write(|tx| tx.newest_time().record_time(at(minute), at(minute + DAY)));
}

fn newest(fixture: &Fixture) -> Option<Timestamp> {
    fixture.read(|tx| tx.newest_time().newest_time())
}

fn the_time_on_record_only_grows(fixture: &Fixture) {
    assert_eq!(newest(fixture), None);
    for (minute, expected) in [(10, 10), (12, 12), (11, 12), (12 - DAY, 12), (13, 13)] {
        record(fixture, minute);
        assert_eq!(newest(fixture), Some(at(expected)));
    }
}

fn a_time_that_cannot_be_right_is_replaced(fixture: &Fixture) {
    record(fixture, 400 * DAY);
    record(fixture, 10);
    assert_eq!(newest(fixture), Some(at(10)));
}

fn of_racing_servers_the_latest_counts(fixture: &Fixture) {
    race(8, |index| {
        let minute = i64::try_from(index).unwrap();
        let store = fixture.database.open();
        let recorded = store.write(|tx| tx.newest_time().record_time(at(minute), at(minute + DAY)));
        recorded.unwrap();
    });
    assert_eq!(newest(fixture), Some(at(7)));
}
