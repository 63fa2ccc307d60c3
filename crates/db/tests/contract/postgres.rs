//! Tests for a database across a network.

use std::sync::RwLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;

use ideavault_db::testing::POSTGRES_URL;
use ideavault_db::{ConnectError, PoolSize, SqlDatabase};
use ideavault_domain::ports::{Database as _, DatabaseError};

use crate::support::{Fixture, encryption, password_hash, user};

fn admin(sql: &str) {
    let url = std::env::var(POSTGRES_URL).unwrap();
    PgConnection::establish(&url)
        .unwrap()
        .batch_execute(sql)
        .unwrap();
}

/// Returns the name of the test's database.
fn name(fixture: &Fixture) -> &str {
    let address = fixture.database.url().split('?').next().unwrap();
    address.rsplit('/').next().unwrap()
}

fn end_all_connections(fixture: &Fixture) {
    admin(&format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'",
        name(fixture)
    ));
}

#[test]
fn an_unreachable_server_at_startup_fails_without_showing_the_password() {
    let error = SqlDatabase::connect(
        "postgres://ideavault:hush@127.0.0.1:1/ideavault",
        encryption(),
    )
    .err()
    .unwrap();
    assert!(matches!(error, ConnectError::Postgres(_)), "{error:?}");
    assert!(!format!("{error:?} {error}").contains("hush"));
}

#[test]
fn requests_succeed_after_the_server_ends_all_connections() {
    let fixture = Fixture::postgres();
    let user = fixture.add_user();
    for _ in 0..3 {
        end_all_connections(&fixture);
        assert!(fixture.read(|tx| tx.users().user(user.id)).is_some());
        end_all_connections(&fixture);
        fixture.add_user();
        end_all_connections(&fixture);
        let found = fixture.store.read_one(|tx| tx.users().user(user.id));
        assert!(found.unwrap().is_some());
        end_all_connections(&fixture);
        assert!(fixture.store.can_use_schema().unwrap());
        end_all_connections(&fixture);
        fixture.store.version().unwrap();
    }
}

#[test]
fn a_connection_lost_in_a_transaction_fails_it_without_writing() {
    let fixture = Fixture::postgres();
    let lost = fixture.store.write(|tx| {
        tx.users().add_user(&user(), &password_hash())?;
        end_all_connections(&fixture);
        tx.users().add_user(&user(), &password_hash())
    });
    assert!(
        matches!(lost, Err(DatabaseError::Unavailable { .. })),
        "{lost:?}"
    );
    let lost = fixture.store.write(|tx| {
        tx.users().add_user(&user(), &password_hash())?;
        end_all_connections(&fixture);
        Ok(())
    });
    assert!(
        matches!(lost, Err(DatabaseError::Unavailable { .. })),
        "{lost:?}"
    );
    assert_eq!(fixture.count("users"), 0);
}

#[test]
fn an_unreachable_database_fails_soon() {
    let fixture = Fixture::postgres();
    fixture.add_user();
    admin(&format!(
        "ALTER DATABASE {} ALLOW_CONNECTIONS false",
        name(&fixture)
    ));
    end_all_connections(&fixture);
    let unavailable = |answer: Result<(), DatabaseError>| {
        assert!(
            matches!(answer, Err(DatabaseError::Unavailable { .. })),
            "{answer:?}"
        );
    };
    // The first request waits for 1.9 seconds, those after it do not: all of these would take over
    // a minute, however fast the machine is.
    let began = Instant::now();
    unavailable(fixture.store.can_use_schema().map(|_| ()));
    for _ in 0..20 {
        unavailable(
            fixture
                .store
                .read(|tx| tx.users().user(user().id).map(|_| ())),
        );
        unavailable(
            fixture
                .store
                .write(|tx| tx.users().add_user(&user(), &password_hash()).map(|_| ())),
        );
    }
    assert!(began.elapsed() < Duration::from_secs(40));
}

#[derive(QueryableByName)]
struct Backend {
    #[diesel(sql_type = diesel::sql_types::Integer)]
    pid: i32,
}

#[test]
fn asking_for_the_schema_returns_the_connection_to_the_pool() {
    let fixture = Fixture::postgres();
    assert!(fixture.store.can_use_schema().unwrap());
    let open = || {
        let sql = format!(
            "SELECT pid FROM pg_stat_activity WHERE datname = '{}' AND pid <> pg_backend_pid()",
            name(&fixture)
        );
        let mut connection = PgConnection::establish(fixture.database.url()).unwrap();
        let backends: Vec<Backend> = diesel::sql_query(sql).load(&mut connection).unwrap();
        backends.into_iter().map(|backend| backend.pid)
    };
    let before: Vec<_> = open().collect();
    assert!(!before.is_empty());
    for _ in 0..10 {
        assert!(fixture.store.can_use_schema().unwrap());
    }
    let after: Vec<_> = open().collect();
    assert!(
        before.iter().all(|pid| after.contains(pid)),
        "{before:?} {after:?}"
    );
}

#[test]
fn a_blocked_statement_times_out() {
    let fixture = Fixture::postgres();
    let holder = fixture.add_user();
    let mut connection = PgConnection::establish(fixture.database.url()).unwrap();
    connection
        .batch_execute("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
        .unwrap();
    // Otherwise it would wait for ever.
    let answer = fixture.store.read(|tx| tx.users().user(holder.id));
    assert!(
        matches!(answer, Err(DatabaseError::Unavailable { .. })),
        "{answer:?}"
    );
}

/// Repeats what a busy machine takes too long for.
fn patiently<T>(mut ask: impl FnMut() -> Result<T, DatabaseError>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match ask() {
            Err(DatabaseError::Unavailable { .. }) if Instant::now() < deadline => {}
            done => return done.unwrap(),
        }
    }
}

const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until `count` has become `expected`.
fn wait_for(count: &AtomicU32, expected: u32) {
    let deadline = Instant::now() + PATIENCE;
    while count.load(Ordering::SeqCst) < expected {
        assert!(Instant::now() < deadline, "{count:?} of {expected}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Opens as many connections: on a busy machine, that can take longer than requests wait.
fn open_connections(fixture: &Fixture, connections: u32) {
    let open = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..connections {
            scope.spawn(|| {
                patiently(|| {
                    fixture.store.read(|_| {
                        open.fetch_add(1, Ordering::SeqCst);
                        wait_for(&open, connections);
                        Ok(())
                    })
                });
            });
        }
    });
}

/// Writes keep their connections while they wait for locks and for the disk.
#[test]
fn reads_have_connections_while_as_many_write_as_may() {
    let fixture = Fixture::postgres();
    let user = fixture.add_user();
    let connections = PoolSize::default().postgres;
    let writers = connections - connections / 4;
    open_connections(&fixture, connections);
    let (entered, held) = (AtomicU32::new(0), RwLock::new(()));
    thread::scope(|scope| {
        let hold = held.write().unwrap();
        let all: Vec<_> = (0..writers + 2)
            .map(|_| {
                scope.spawn(|| {
                    patiently(|| {
                        fixture.store.write(|tx| {
                            entered.fetch_add(1, Ordering::SeqCst);
                            drop(held.read().unwrap());
                            tx.users().user(user.id)
                        })
                    })
                })
            })
            .collect();
        wait_for(&entered, writers);
        assert!(fixture.read(|tx| tx.users().user(user.id)).is_some());
        assert_eq!(entered.load(Ordering::SeqCst), writers);
        drop(hold);
        for writer in all {
            assert!(writer.join().unwrap().is_some());
        }
    });
}
