//! The guarantees of transactions.

use std::error::Error as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use chrono::{DateTime, Duration, Timelike as _};

use ideavault_domain::account::User;
use ideavault_domain::organization::Archived;
use ideavault_domain::ports::{Database as _, DatabaseError};

use crate::support::{
    Fixture, at, draft, full_access, new_idea, on_both_databases, password_hash, race, share,
    token_of, user,
};

on_both_databases!(
    an_error_rolls_everything_back,
    a_panic_rolls_everything_back,
    a_failed_statement_fails_the_transaction,
    a_read_cannot_write,
    a_read_sees_one_snapshot,
    one_statement_is_read_without_a_transaction,
    one_statement_cannot_write,
    a_second_operation_needs_a_transaction,
    nothing_is_visible_before_the_commit,
    many_threads_read_and_write_concurrently,
    times_keep_their_microseconds,
    a_clone_is_the_same_database,
);

/// An error of the caller.
#[derive(Debug)]
struct Refused;

impl From<DatabaseError> for Refused {
    fn from(error: DatabaseError) -> Self {
        panic!("{error}: {:?}", error.source())
    }
}

fn an_error_rolls_everything_back(fixture: &Fixture) {
    let user = user();
    let refused: Result<(), Refused> = fixture.store.write(|tx| {
        tx.users().add_user(&user, &password_hash())?;
        tx.ideas().add_idea(&new_idea(user.id, "<p>1</p>", at(0)))?;
        Err(Refused)
    });
    assert!(matches!(refused, Err(Refused)), "{refused:?}");
    assert_eq!(fixture.count("users"), 0);
    assert_eq!(fixture.count("ideas"), 0);
    fixture.add_user();
}

fn a_panic_rolls_everything_back(fixture: &Fixture) {
    for _ in 0..20 {
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            fixture.write(|tx| -> Result<(), DatabaseError> {
                tx.users().add_user(&user(), &password_hash())?;
                panic!("on purpose");
            });
        }));
        assert!(panicked.is_err());
    }
    assert_eq!(fixture.count("users"), 0);
    fixture.add_user();
}

fn a_failed_statement_fails_the_transaction(fixture: &Fixture) {
    let user = user();
    let answer = fixture.store.write(|tx| {
        tx.users().add_user(&user, &password_hash())?;
        let orphan = share(4711.into(), full_access(), at(0));
        assert!(
            tx.shares()
                .add_share(&orphan, &token_of(orphan.id))
                .is_err()
        );
        Ok::<(), DatabaseError>(())
    });
    assert!(
        matches!(answer, Err(DatabaseError::Internal { .. })),
        "{answer:?}"
    );
    assert_eq!(fixture.count("users"), 0);
}

fn a_read_cannot_write(fixture: &Fixture) {
    for _ in 0..20 {
        let refused = fixture
            .store
            .read(|tx| tx.users().add_user(&user(), &password_hash()));
        assert!(
            matches!(refused, Err(DatabaseError::Internal { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(fixture.count("users"), 0);
    fixture.add_user();
}

fn a_read_sees_one_snapshot(fixture: &Fixture) {
    let idea = fixture.add_draft();
    fixture.read(|tx| {
        let before = tx.ideas().idea(idea.id)?;
        fixture.write(|other| other.ideas().add_revision(&idea, &draft("<p>2</p>"), at(1)));
        assert_eq!(tx.ideas().idea(idea.id)?, before);
        assert_eq!(tx.ideas().revision_content(idea.id, 2)?, None);
        Ok(())
    });
    assert_eq!(fixture.idea(idea.id).revision, 2);
}

fn one_statement_is_read_without_a_transaction(fixture: &Fixture) {
    let user = fixture.add_user();
    for _ in 0..20 {
        let found = fixture.store.read_one(|tx| tx.users().user(user.id));
        assert_eq!(found.unwrap().unwrap().id, user.id);
    }
    // An error of the caller alone is returned as it is.
    let mut runs = 0;
    let refused: Result<(), Refused> = fixture.store.read_one(|tx| {
        runs += 1;
        tx.users().user(user.id)?;
        Err(Refused)
    });
    assert!(refused.is_err());
    assert_eq!(runs, 1);
}

fn one_statement_cannot_write(fixture: &Fixture) {
    for _ in 0..20 {
        let refused = fixture
            .store
            .read_one(|tx| tx.users().add_user(&user(), &password_hash()));
        assert!(
            matches!(refused, Err(DatabaseError::Internal { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(fixture.count("users"), 0);
    fixture.add_user();
}

fn a_second_operation_needs_a_transaction(fixture: &Fixture) {
    let user = fixture.add_user();
    let refused = fixture.store.read_one(|tx| {
        tx.users().user(user.id)?;
        tx.users().user(user.id)
    });
    let Err(DatabaseError::Internal { source, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(source.to_string(), "a second operation needs a transaction");
}

fn nothing_is_visible_before_the_commit(fixture: &Fixture) {
    let user = user();
    fixture.write(|tx| {
        tx.users().add_user(&user, &password_hash())?;
        assert_eq!(fixture.read(|other| other.users().user(user.id)), None);
        Ok(())
    });
    assert!(fixture.read(|tx| tx.users().user(user.id)).is_some());
}

fn many_threads_read_and_write_concurrently(fixture: &Fixture) {
    let owner = fixture.add_user();
    race(32, |_| {
        for _ in 0..5 {
            let idea = fixture.add_idea(owner.id);
            assert_eq!(fixture.idea(idea.id), idea);
        }
    });
    let listed =
        fixture.listed(|tx, paging| tx.ideas().ideas_of(owner.id, Archived::LeftOut, paging));
    assert_eq!(listed.len(), 160);
}

fn times_keep_their_microseconds(fixture: &Fixture) {
    let second = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
    for created_at in [
        second,
        second + Duration::microseconds(1),
        second + Duration::microseconds(999_999),
        second + Duration::milliseconds(500),
        DateTime::from_timestamp(0, 0).unwrap(),
        DateTime::from_timestamp(253_402_300_799, 999_999_000).unwrap(),
    ] {
        assert_eq!(created_at.nanosecond() % 1_000, 0);
        let user = User {
            created_at,
            ..user()
        };
        assert!(fixture.write(|tx| tx.users().add_user(&user, &password_hash())));
        assert_eq!(fixture.read(|tx| tx.users().user(user.id)), Some(user));
    }
}

fn a_clone_is_the_same_database(fixture: &Fixture) {
    let user = fixture.add_user();
    let clone = fixture.store.clone();
    let found = clone.read(|tx| tx.users().user(user.id)).unwrap();
    assert_eq!(found, Some(user));
}
