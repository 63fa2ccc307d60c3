use std::sync::mpsc;
use std::thread;

use chrono::DateTime;
use diesel::prelude::{QueryableByName, RunQueryDsl as _};
use diesel::sql_types::BigInt;
use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_domain::account::{PasswordHash, User, UserSession};
use ideavault_domain::email::Email;
use ideavault_domain::ids::UserId;
use ideavault_domain::text::PersonName;
use ideavault_domain::token::Token;

use super::*;
use crate::sqlite::pool::open_writer;
use crate::testing::TestDatabase;

/// A writer whose groups may grow for as long as a test takes.
struct Fixture {
    writer: Writer,
    encryption: Arc<dyn Encryption>,
    database: TestDatabase,
}

type Work<'w> = Box<dyn FnOnce(&mut dyn Transaction) -> Result<(), DatabaseError> + Send + 'w>;

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

impl Fixture {
    fn new(longest_wait: Duration) -> Self {
        let ring = KeyRing::new(&[MasterKey::from_random([7; 32])]).unwrap();
        let encryption: Arc<dyn Encryption> = Arc::new(ring);
        let database = TestDatabase::sqlite(Arc::clone(&encryption));
        let path = database.url().strip_prefix("sqlite://").unwrap();
        let mut writer = Writer::new(open_writer(path).unwrap(), longest_wait);
        writer.join_window = Duration::MAX;
        Self {
            writer,
            encryption,
            database,
        }
    }

    fn patient() -> Self {
        Self::new(Duration::from_secs(60))
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, DatabaseError>,
    ) -> Result<T, DatabaseError> {
        let written = self.writer.write(self.encryption.as_ref(), work, |_, _| {});
        written.map(|(answer, _)| answer)
    }

    /// Runs these, one after the other, while each waits for those before it. Returns how each
    /// ended.
    fn run_together(&self, works: Vec<Work<'_>>) -> Vec<thread::Result<Result<(), DatabaseError>>> {
        let others = works.len() - 1;
        thread::scope(|scope| {
            let mut running = Vec::new();
            for (position, work) in works.into_iter().enumerate() {
                running.push(scope.spawn(move || {
                    let written = self.write(|tx| {
                        if position == 0 {
                            self.until(|queue| queue.waiting.len() == others);
                        }
                        work(tx)
                    });
                    let is_answered =
                        matches!(written, Ok(()) | Err(DatabaseError::AccountGone { .. }));
                    assert!(!is_answered || self.committed() > 0, "not committed");
                    written
                }));
                match position {
                    0 => self.until(|queue| queue.is_busy),
                    // The first goes on when the last one waits.
                    _ if position == others => {}
                    _ => self.until(|queue| queue.waiting.len() == position),
                }
            }
            running.into_iter().map(|running| running.join()).collect()
        })
    }

    fn until(&self, is_so: impl Fn(&Queue) -> bool) {
        while !is_so(&lock(&self.writer.queue)) {
            thread::yield_now();
        }
    }

    /// Returns how many accounts are committed.
    fn committed(&self) -> i64 {
        let path = self.database.url().strip_prefix("sqlite://").unwrap();
        let mut connection = <Connection as diesel::Connection>::establish(path).unwrap();
        diesel::sql_query("SELECT count(*) AS count FROM users")
            .get_result::<Count>(&mut connection)
            .unwrap()
            .count
    }
}

fn add_user(tx: &mut dyn Transaction, number: u8) -> Result<(), DatabaseError> {
    let user = User {
        id: UserId::from_random([number; 16]),
        name: PersonName::parse_creator("Ada Lovelace").unwrap(),
        email: Email::parse(&format!("ada{number}@example.org")).unwrap(),
        profile_image: None,
        created_at: DateTime::UNIX_EPOCH,
        email_confirmed_at: None,
        disabled_at: None,
    };
    let hash = PasswordHash::new("$argon2id$v=19$stored".into());
    assert!(tx.users().add_user(&user, &hash)?);
    Ok(())
}

fn adding<'w>(number: u8) -> Work<'w> {
    Box::new(move |tx| add_user(tx, number))
}

fn refused<'w>() -> Work<'w> {
    Box::new(|_| Err(DatabaseError::AccountGone { operation: "test" }))
}

#[test]
fn transactions_that_wait_are_committed_together_and_return_then() {
    let fixture = &Fixture::patient();
    let (go_on, may_go_on) = mpsc::channel();
    let (begun, has_begun) = mpsc::channel();
    thread::scope(|scope| {
        let running = scope.spawn(move || {
            let second: Work<'_> = Box::new(move |tx| {
                begun.send(()).unwrap();
                may_go_on.recv().unwrap();
                add_user(tx, 2)
            });
            fixture.run_together(vec![adding(1), second])
        });
        has_begun.recv().unwrap();
        // The first has written, and nothing is committed.
        assert_eq!(fixture.committed(), 0);
        go_on.send(()).unwrap();
        for ended in running.join().unwrap() {
            ended.unwrap().unwrap();
        }
    });
    assert_eq!(fixture.committed(), 2);
}

#[test]
fn a_failed_transaction_is_undone_alone() {
    let fixture = Fixture::patient();
    let refused: Work<'_> = Box::new(|tx| {
        add_user(tx, 2)?;
        Err(DatabaseError::AccountGone { operation: "test" })
    });
    let broken: Work<'_> = Box::new(|tx| {
        add_user(tx, 3)?;
        // Of an account that does not exist.
        tx.user_sessions().upsert_user_session(&UserSession {
            key_hash: Token::from_random([1; 32]).hash(),
            user: Some(UserId::from_random([9; 16])),
            state: String::new(),
            created_at: DateTime::UNIX_EPOCH,
            last_seen_at: DateTime::UNIX_EPOCH,
        })
    });
    let ended = fixture.run_together(vec![adding(1), refused, broken, adding(4)]);
    let outcomes: Vec<_> = ended.iter().map(|ended| ended.as_ref().unwrap()).collect();
    assert!(outcomes[0].is_ok() && outcomes[3].is_ok(), "{outcomes:?}");
    assert!(outcomes[1].is_err() && outcomes[2].is_err(), "{outcomes:?}");
    assert_eq!(fixture.committed(), 2);
}

#[test]
fn a_refusal_returns_after_the_commit_of_what_it_rests_on() {
    let fixture = Fixture::patient();
    let slow: Work<'_> = Box::new(|tx| {
        thread::sleep(Duration::from_millis(100));
        add_user(tx, 2)
    });
    let ended = fixture.run_together(vec![adding(1), refused(), slow]);
    let outcomes: Vec<_> = ended.iter().map(|ended| ended.as_ref().unwrap()).collect();
    assert!(
        matches!(outcomes[1], Err(DatabaseError::AccountGone { .. })),
        "{outcomes:?}"
    );
    assert_eq!(fixture.committed(), 2);
}

#[test]
fn a_refusal_that_rests_on_what_was_undone_is_a_failure() {
    let fixture = Fixture::patient();
    let panicking: Work<'_> = Box::new(|_| panic!("on purpose"));
    let ended = fixture.run_together(vec![adding(1), refused(), panicking]);
    let refused = ended[1].as_ref().unwrap();
    assert!(
        matches!(refused, Err(DatabaseError::Unavailable { .. })),
        "{refused:?}"
    );
    assert_eq!(fixture.committed(), 0);
}

#[test]
fn a_panic_undoes_all_that_were_to_be_committed_together() {
    let fixture = Fixture::patient();
    let panicking: Work<'_> = Box::new(|tx| {
        add_user(tx, 2)?;
        panic!("on purpose")
    });
    let mut ended = fixture.run_together(vec![adding(1), panicking]);
    assert!(ended.pop().unwrap().is_err());
    let first = ended.pop().unwrap().unwrap();
    assert!(
        matches!(first, Err(DatabaseError::Unavailable { .. })),
        "{first:?}"
    );
    assert_eq!(fixture.committed(), 0);
    // Others may write again.
    fixture.write(|tx| add_user(tx, 1)).unwrap();
    assert_eq!(fixture.committed(), 1);
}

#[test]
fn who_gives_up_waiting_is_passed_over() {
    let fixture = &Fixture::new(Duration::from_millis(20));
    let (go_on, may_go_on) = mpsc::channel();
    thread::scope(|scope| {
        let first = scope.spawn(move || {
            fixture.write(|tx| {
                may_go_on.recv().unwrap();
                add_user(tx, 1)
            })
        });
        fixture.until(|queue| queue.is_busy);
        let late = fixture.write(|tx| add_user(tx, 2));
        assert!(
            matches!(late, Err(DatabaseError::Unavailable { .. })),
            "{late:?}"
        );
        go_on.send(()).unwrap();
        first.join().unwrap().unwrap();
    });
    assert_eq!(fixture.committed(), 1);
    fixture.write(|tx| add_user(tx, 3)).unwrap();
}

#[test]
fn who_waits_while_another_process_writes_does_not_break_the_order() {
    let fixture = Fixture::patient();
    let held = fixture.database.hold("users");
    thread::scope(|scope| {
        let mut writers = Vec::new();
        for number in 1..=4 {
            let fixture = &fixture;
            writers.push(scope.spawn(move || fixture.write(|tx| add_user(tx, number))));
        }
        fixture.until(|queue| queue.waiting.len() == 3);
        drop(held);
        for writer in writers {
            writer.join().unwrap().unwrap();
        }
    });
    assert_eq!(fixture.committed(), 4);
}
