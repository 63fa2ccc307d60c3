//! The latest time that a server has recorded.

use ideavault_domain::Timestamp;
use ideavault_domain::ports::Database as _;

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    the_recorded_time_only_increases,
    an_implausible_recorded_time_is_replaced,
    concurrent_servers_record_the_latest_time,
);

const DAY: i64 = 24 * 60;

/// Records that minute like a server that trusts no clock that is a day ahead.
fn record(fixture: &Fixture, minute: i64) {
    fixture.write(|tx| tx.newest_time().record_time(at(minute), at(minute + DAY)));
}

fn newest(fixture: &Fixture) -> Option<Timestamp> {
    fixture.read(|tx| tx.newest_time().newest_time())
}

fn the_recorded_time_only_increases(fixture: &Fixture) {
    assert_eq!(newest(fixture), None);
    for (minute, expected) in [(10, 10), (12, 12), (11, 12), (12 - DAY, 12), (13, 13)] {
        record(fixture, minute);
        assert_eq!(newest(fixture), Some(at(expected)));
    }
}

fn an_implausible_recorded_time_is_replaced(fixture: &Fixture) {
    record(fixture, 400 * DAY);
    record(fixture, 10);
    assert_eq!(newest(fixture), Some(at(10)));
}

fn concurrent_servers_record_the_latest_time(fixture: &Fixture) {
    race(8, |index| {
        let minute = i64::try_from(index).unwrap();
        let store = fixture.database.open();
        let recorded = store.write(|tx| tx.newest_time().record_time(at(minute), at(minute + DAY)));
        recorded.unwrap();
    });
    assert_eq!(newest(fixture), Some(at(7)));
}
