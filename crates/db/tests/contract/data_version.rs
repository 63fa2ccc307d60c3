//! The version of the data, by which a server knows that nothing has changed.

use std::thread;

use ideavault_db::{DataVersion, SqlDatabase};
use ideavault_domain::account::UserSession;
use ideavault_domain::ports::{Database as _, DatabaseError};
use ideavault_domain::token::TokenHash;

use crate::support::{Fixture, at, on_both_databases, password_hash, user};

on_both_databases!(
    it_stays_while_nothing_is_committed,
    it_changes_with_every_commit_of_any_process,
    it_never_returns,
    it_changes_when_a_transaction_that_was_open_is_committed,
    it_changes_with_each_of_two_transactions_at_once,
    it_is_read_with_the_sessions_that_are_asked_for,
    it_is_the_same_version_with_sessions_and_without,
);

fn version(store: &SqlDatabase) -> DataVersion {
    store.version().unwrap()
}

/// Commits a change as another program would.
fn change(fixture: &Fixture, name: &str) {
    fixture
        .sql(&format!("UPDATE users SET name = '{name}'"))
        .unwrap();
}

fn it_stays_while_nothing_is_committed(fixture: &Fixture) {
    let user = fixture.add_user();
    let stays = || {
        let before = version(&fixture.store);
        let found = fixture.store.read(|tx| tx.users().user(user.id));
        assert!(Result::<_, DatabaseError>::unwrap(found).is_some());
        version(&fixture.store) == before
    };
    // A server of Postgres has one version for all its databases, those of other tests included.
    let tries = if fixture.is_postgres() { 1_000 } else { 1 };
    assert!((0..tries).any(|_| stays()));
}

fn it_changes_with_every_commit_of_any_process(fixture: &Fixture) {
    let first = version(&fixture.store);
    fixture.add_user();
    let second = version(&fixture.store);
    assert_ne!(first, second);
    let other = fixture.database.open();
    other
        .write(|tx| tx.users().add_user(&user(), &password_hash()))
        .unwrap();
    let third = version(&fixture.store);
    assert_ne!(second, third);
    change(fixture, "Grace");
    assert_ne!(third, version(&fixture.store));
}

fn it_never_returns(fixture: &Fixture) {
    fixture.add_user();
    let mut seen = vec![version(&fixture.store)];
    for round in 0..20 {
        // The data itself returns.
        change(fixture, if round % 2 == 0 { "Ada" } else { "Grace" });
        let next = version(&fixture.store);
        assert!(!seen.contains(&next), "{next:?}");
        seen.push(next);
    }
}

fn it_changes_when_a_transaction_that_was_open_is_committed(fixture: &Fixture) {
    let mut during = None;
    fixture.write(|tx| {
        tx.users().add_user(&user(), &password_hash())?;
        during = Some(version(&fixture.store));
        Ok(())
    });
    assert_ne!(during, Some(version(&fixture.store)));
}

fn it_changes_with_each_of_two_transactions_at_once(fixture: &Fixture) {
    if !fixture.is_postgres() {
        // Only one writes at a time.
        return;
    }
    let mut between = None;
    fixture.write(|tx| {
        tx.users().add_user(&user(), &password_hash())?;
        let before = version(&fixture.store);
        thread::scope(|scope| {
            let other = scope.spawn(|| {
                let other = fixture.database.open();
                other.write(|tx| tx.users().add_user(&user(), &password_hash()))
            });
            other.join().unwrap()
        })?;
        let after = version(&fixture.store);
        assert_ne!(before, after);
        between = Some(after);
        Ok(())
    });
    assert_ne!(between, Some(version(&fixture.store)));
}

fn it_is_read_with_the_sessions_that_are_asked_for(fixture: &Fixture) {
    let owner = fixture.add_user();
    let [first, second, absent] = [1, 2, 3].map(|number| UserSession {
        key_hash: TokenHash::from_stored([number; 32]),
        user: (number == 1).then_some(owner.id),
        state: format!("state {number}"),
        created_at: at(i64::from(number)),
        last_seen_at: at(10 + i64::from(number)),
    });
    for session in [&first, &second] {
        fixture.write(|tx| tx.user_sessions().upsert_user_session(session));
    }
    let read = |of: &[&UserSession]| {
        let keys: Vec<_> = of.iter().map(|session| session.key_hash).collect();
        let (version, mut found) = fixture.store.version_with_sessions(&keys).unwrap();
        found.sort_by_key(|session| session.created_at);
        (version, found)
    };
    let (before, found) = read(&[]);
    assert_eq!(found, []);
    assert_eq!(read(&[&absent]).1, []);
    assert_eq!(read(&[&second, &absent]).1, std::slice::from_ref(&second));
    assert_eq!(read(&[&first, &second]).1, [first.clone(), second.clone()]);
    fixture.write(|tx| tx.user_sessions().remove_user_session(&first.key_hash));
    let (after, found) = read(&[&first, &second]);
    assert_eq!(found, [second]);
    assert_ne!(before, after);
}

fn it_is_the_same_version_with_sessions_and_without(fixture: &Fixture) {
    let same = || {
        let (with, _) = fixture.store.version_with_sessions(&[]).unwrap();
        with == version(&fixture.store)
    };
    let tries = if fixture.is_postgres() { 1_000 } else { 1 };
    assert!((0..tries).any(|_| same()));
}
