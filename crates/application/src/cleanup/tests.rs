use ideavault_domain::ports::StoredBytes;

use super::*;
use crate::testing::{MockDatabase, MockStorage, StoppedClock, at};

fn id(byte: u8) -> FileId {
    FileId::from_random([byte; 16])
}

/// A storage with these files, each as old as it says, in seconds.
fn holding(files: &[(u8, i64)]) -> MockStorage {
    let mut storage = MockStorage::new();
    storage
        .expect_remove_unfinished()
        .withf(|before| *before == at(-90_000))
        .times(1)
        .returning(|_| Ok(2));
    let all: Vec<StoredBytes> = files
        .iter()
        .map(|(byte, age)| StoredBytes {
            id: id(*byte),
            since: at(-age),
        })
        .collect();
    // Two at a time, so that there are pages.
    storage.expect_list().returning(move |after, _| {
        let rest = all
            .iter()
            .filter(|file| after.is_none_or(|id| file.id > id));
        Ok(rest.take(2).copied().collect())
    });
    storage
}

fn cleanup(known: &'static [u8], storage: MockStorage) -> Cleanup<MockDatabase> {
    let reads = |tx: &mut crate::testing::MockTransaction| {
        tx.expect_existing_files().returning(|asked| {
            let known = known.iter().map(|byte| id(*byte));
            Ok(known.filter(|id| asked.contains(id)).collect())
        });
    };
    Cleanup::new(
        MockDatabase::new(reads, |_| {}),
        Arc::new(StoppedClock),
        Arc::new(storage),
    )
}

#[test]
fn only_old_files_without_a_row_are_discarded() {
    let mut storage = holding(&[(1, 99_999), (2, 99_999), (3, 90_000), (4, 90_001), (5, 0)]);
    for orphan in [2, 4] {
        storage
            .expect_discard()
            .withf(move |discarded| *discarded == id(orphan))
            .times(1)
            .returning(|_| ());
    }
    let report = cleanup(&[1, 5], storage).remove_orphans(true).unwrap();
    let expected = CleanupReport {
        unfinished: 2,
        orphans: 2,
        spared: 0,
    };
    assert_eq!(report, expected);
}

#[test]
fn no_file_is_discarded_when_the_database_lists_none() {
    let storage = holding(&[(1, 99_999), (2, 99_999), (3, 99_999), (4, 0)]);
    let report = cleanup(&[], storage).remove_orphans(true).unwrap();
    assert_eq!((report.orphans, report.spared), (0, 3));
}

#[test]
fn no_file_is_discarded_while_an_older_database_is_attached() {
    let storage = holding(&[(1, 99_999), (2, 99_999), (3, 0)]);
    let report = cleanup(&[1], storage).remove_orphans(false).unwrap();
    assert_eq!((report.orphans, report.spared), (0, 1));
}

#[test]
fn expired_rows_are_deleted() {
    let writes = |tx: &mut crate::testing::MockTransaction| {
        let is_now = |now: &ideavault_domain::Timestamp| *now == at(0);
        tx.expect_delete_expired_codes()
            .withf(is_now)
            .returning(|_| Ok(2));
        let resets = tx.expect_delete_expired_password_resets();
        resets.withf(is_now).returning(|_| Ok(3));
        let links = tx.expect_delete_expired_email_confirmations();
        links.withf(is_now).returning(|_| Ok(4));
        let invitations = tx.expect_delete_expired_invitations();
        invitations.withf(is_now).returning(|_| Ok(5));
        let counts = tx.expect_delete_ended_counts();
        counts.withf(is_now).returning(|_| Ok(6));
    };
    let database = MockDatabase::new(|_| {}, writes);
    let cleanup = Cleanup::new(
        database,
        Arc::new(StoppedClock),
        Arc::new(MockStorage::new()),
    );
    assert_eq!(cleanup.delete_expired().unwrap(), 20);
}

#[test]
fn cleanup_accepts_an_empty_storage() {
    let report = cleanup(&[], holding(&[])).remove_orphans(true).unwrap();
    assert_eq!((report.orphans, report.spared), (0, 0));
}

fn cleanup_of(database: Arc<MockDatabase>) -> Cleanup<MockDatabase> {
    Cleanup::new(
        database,
        Arc::new(StoppedClock),
        Arc::new(MockStorage::new()),
    )
}

#[test]
fn devices_are_deleted_after_half_a_year_without_use() {
    let database = MockDatabase::new(
        |_| {},
        |writes| {
            writes
                .expect_delete_unused_devices()
                .withf(|since| *since == at(-180 * 86_400))
                .times(1)
                .returning(|_| Ok(2));
        },
    );
    assert_eq!(cleanup_of(database).delete_unused_devices().unwrap(), 2);
}

#[test]
fn sessions_are_deleted_after_twelve_idle_hours_or_a_week() {
    let database = MockDatabase::new(
        |_| {},
        |writes| {
            writes
                .expect_delete_expired_user_sessions()
                .withf(|idle, begun| *idle == at(-12 * 3_600) && *begun == at(-7 * 86_400))
                .times(1)
                .returning(|_, _| Ok(3));
        },
    );
    assert_eq!(cleanup_of(database).delete_expired_sessions().unwrap(), 3);
}

#[test]
fn notices_are_deleted_after_ninety_days() {
    let database = MockDatabase::new(
        |_| {},
        |writes| {
            writes
                .expect_delete_old_notices()
                .withf(|before| *before == at(-90 * 86_400))
                .times(1)
                .returning(|_| Ok(4));
        },
    );
    assert_eq!(cleanup_of(database).delete_old_notices().unwrap(), 4);
}
