//! Transactions that conflict with others: serialization failures, which databases that speak
//! Postgres's protocol report at any time, and deadlocks.

use std::cell::Cell;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use ideavault_domain::account::User;
use ideavault_domain::ports::{Database as _, DatabaseError};

use crate::support::{Fixture, password_hash, user};

/// Lets the next `count` transactions that add a user fail, as soon as they do or at the commit.
fn provoke(fixture: &Fixture, count: u32, at_commit: bool) {
    provoke_after(fixture, Duration::ZERO, count, at_commit);
}

/// The same, once a transaction has waited for as long.
fn provoke_after(fixture: &Fixture, wait: Duration, count: u32, at_commit: bool) {
    let seconds = wait.as_secs_f64();
    let deferred = if at_commit { "DEFERRED" } else { "IMMEDIATE" };
    fixture
        .sql(&format!(
            "CREATE SEQUENCE conflicts;
             CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN
                 -- A sequence also counts what is rolled back.
                 IF nextval('conflicts') <= {count} THEN
                     PERFORM pg_sleep({seconds});
                     RAISE EXCEPTION 'restart the transaction' USING ERRCODE = '40001';
                 END IF;
                 RETURN NULL;
             END $$;
             CREATE CONSTRAINT TRIGGER conflict AFTER INSERT ON users
                 DEFERRABLE INITIALLY {deferred} FOR EACH ROW EXECUTE FUNCTION conflict();"
        ))
        .unwrap();
}

/// Adds two users in one transaction. Returns how often it ran as well.
fn add(fixture: &Fixture, [first, second]: &[User; 2]) -> (Result<bool, DatabaseError>, u32) {
    let runs = Cell::new(0);
    let added = fixture.store.write(|tx| {
        runs.set(runs.get() + 1);
        Ok(tx.users().add_user(first, &password_hash())?
            && tx.users().add_user(second, &password_hash())?)
    });
    (added, runs.get())
}

#[test]
fn a_transaction_that_conflicts_is_run_again() {
    for at_commit in [false, true] {
        let fixture = Fixture::postgres();
        provoke(&fixture, 3, at_commit);
        let (added, runs) = add(&fixture, &[user(), user()]);
        assert!(added.unwrap());
        assert_eq!(runs, 4);
        assert_eq!(fixture.count("users"), 2);
    }
}

/// A deadlock is noticed late: here, after the time for which transactions are run again. Not
/// long after it, because a statement may take five seconds.
#[test]
fn a_transaction_that_conflicts_late_is_run_again() {
    let fixture = Fixture::postgres();
    provoke_after(&fixture, Duration::from_millis(2_100), 1, false);
    let (added, runs) = add(&fixture, &[user(), user()]);
    assert!(added.unwrap());
    assert_eq!(runs, 2);
}

#[test]
fn a_transaction_that_always_conflicts_fails_without_writing() {
    for at_commit in [false, true] {
        let fixture = Fixture::postgres();
        provoke(&fixture, u32::MAX, at_commit);
        let (added, runs) = add(&fixture, &[user(), user()]);
        assert!(
            matches!(added, Err(DatabaseError::Unavailable { .. })),
            "{added:?}"
        );
        assert!(runs > 3);
        assert_eq!(fixture.count("users"), 0);
    }
}

#[test]
fn a_failure_of_another_kind_is_not_tried_again() {
    let fixture = Fixture::postgres();
    fixture
        .sql("ALTER TABLE users ADD CONSTRAINT nobody CHECK (false)")
        .unwrap();
    let (added, runs) = add(&fixture, &[user(), user()]);
    assert!(
        matches!(added, Err(DatabaseError::Internal { .. })),
        "{added:?}"
    );
    assert_eq!(runs, 1);
}

#[test]
fn of_two_transactions_in_a_deadlock_both_succeed() {
    let fixture = Fixture::postgres();
    let accounts = [fixture.add_user().id, fixture.add_user().id];
    let both_hold_one = Barrier::new(2);
    thread::scope(|scope| {
        let locking = [accounts, [accounts[1], accounts[0]]].map(|[first, second]| {
            let (fixture, both_hold_one) = (&fixture, &both_hold_one);
            scope.spawn(move || {
                let mut is_first_run = true;
                fixture.store.write(|tx| {
                    tx.administration().lock_account(first)?;
                    if std::mem::take(&mut is_first_run) {
                        both_hold_one.wait();
                    }
                    tx.administration().lock_account(second)
                })
            })
        });
        for locked in locking {
            locked.join().unwrap().unwrap();
        }
    });
}
