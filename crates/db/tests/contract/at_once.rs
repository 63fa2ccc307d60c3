//! Reads that must not wait.

use std::sync::Barrier;
use std::thread;

use ideavault_db::{PoolSize, SqlDatabase};
use ideavault_domain::account::User;
use ideavault_domain::content::Content;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Database as _, DatabaseError};

use crate::support::{Fixture, at, encryption, new_idea, on_both_databases, password_hash, user};

on_both_databases!(
    a_short_read_runs_at_once_where_no_network_is_between,
    it_cannot_write,
    it_decrypts_no_long_content,
);

/// Runs a read at once, if that is possible.
fn at_once<T>(store: &SqlDatabase, work: impl Fn(&SqlDatabase) -> T) -> Option<T> {
    let mut done = None;
    let was_possible = store.at_once(&mut || done = Some(work(store)));
    done.filter(|_| was_possible)
}

fn found(store: &SqlDatabase, id: UserId) -> Option<Result<Option<User>, DatabaseError>> {
    at_once(store, |store| store.read_one(|tx| tx.users().user(id)))
}

fn a_short_read_runs_at_once_where_no_network_is_between(fixture: &Fixture) {
    let user = fixture.add_user();
    let mut begun = false;
    let was_possible = fixture.store.at_once(&mut || begun = true);
    assert_eq!(was_possible, !fixture.is_postgres());
    assert_eq!(begun, was_possible);
    if let Some(found) = found(&fixture.store, user.id) {
        assert_eq!(found.unwrap(), Some(user));
    } else {
        assert!(fixture.is_postgres());
    }
}

#[test]
fn it_sees_what_is_committed() {
    let fixture = Fixture::sqlite();
    let user = user();
    fixture.write(|tx| {
        tx.users().add_user(&user, &password_hash())?;
        // Not what is not committed yet, nor does it wait for that.
        let before = thread::scope(|scope| {
            let reading = scope.spawn(|| found(&fixture.store, user.id));
            reading.join().unwrap()
        });
        assert_eq!(before.unwrap().unwrap(), None);
        Ok(())
    });
    let after = found(&fixture.store, user.id);
    assert_eq!(after.unwrap().unwrap(), Some(user));
}

#[test]
fn it_sees_what_another_process_commits() {
    let fixture = Fixture::sqlite();
    let user = fixture.add_user();
    let other = fixture.database.open();
    assert!(found(&other, user.id).unwrap().unwrap().is_some());
    for name in ["Ada", "Grace"] {
        fixture
            .sql(&format!("UPDATE users SET name = '{name}'"))
            .unwrap();
        let found = found(&other, user.id).unwrap().unwrap().unwrap();
        assert_eq!(found.name.as_str(), name);
    }
}

fn it_cannot_write(fixture: &Fixture) {
    let written = at_once(&fixture.store, |store| {
        let added = store.write(|tx| tx.users().add_user(&user(), &password_hash()));
        assert!(matches!(added, Err(DatabaseError::Unavailable { .. })));
    });
    assert!(written.is_none());
    let written = at_once(&fixture.store, |store| {
        let added = store.read(|tx| tx.users().add_user(&user(), &password_hash()));
        assert!(added.is_err());
    });
    assert!(written.is_none());
    assert_eq!(fixture.count("users"), 0);
    fixture.add_user();
}

fn it_decrypts_no_long_content(fixture: &Fixture) {
    let owner = fixture.add_user();
    for (length, is_short) in [(10_000, true), (100_000, false)] {
        let text = "x".repeat(length);
        let idea = fixture
            .write(|tx| tx.ideas().add_idea(&new_idea(owner.id, &text, at(0))))
            .unwrap();
        let content = Content::Html(text);
        let read = |store: &SqlDatabase| store.read(|tx| tx.ideas().revision_content(idea.id, 1));
        let at_once = at_once(&fixture.store, read);
        assert_eq!(at_once.is_some(), is_short && !fixture.is_postgres());
        for found in at_once.into_iter().chain([read(&fixture.store)]) {
            assert_eq!(found.unwrap().as_ref(), Some(&content));
        }
    }
}

/// While all connections are taken.
#[test]
fn what_fails_at_once_may_succeed_later() {
    let fixture = Fixture::sqlite();
    let user = fixture.add_user();
    let size = PoolSize {
        sqlite_readers: 1,
        ..PoolSize::default()
    };
    let store = SqlDatabase::connect_with(fixture.database.url(), encryption(), size).unwrap();
    let (taken, tried) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            at_once(&store, |store| {
                store.read(|tx| {
                    taken.wait();
                    tried.wait();
                    tx.users().user(user.id)
                })
            })
        });
        taken.wait();
        assert!(found(&store, user.id).is_none());
        // Others wait on connections of their own.
        assert!(store.read_one(|tx| tx.users().user(user.id)).is_ok());
        tried.wait();
    });
    assert!(found(&store, user.id).is_some());
}
