//! A vault for each test, whose clock is set and whose transactions can be disturbed.

use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use chrono::Duration;
use ideavault_application::actor::Actor;
use ideavault_application::deps::Deps;
use ideavault_application::email_composer::EmailComposer;
use ideavault_application::emails::Links;
use ideavault_application::event_log::EventLog;
use ideavault_application::rate_limits::RateLimits;
use ideavault_crypto::{KeyRing, KeyedLimits, MasterKey, SystemRandom};
use ideavault_domain::Timestamp;
use ideavault_domain::account::{Password, PasswordHash, User, UserSession};
use ideavault_domain::audit::AuditKind;
use ideavault_domain::code::OneTimeCode;
use ideavault_domain::evidence::StoredEvent;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::{IdeaId, MailId};
use ideavault_domain::mail::{Mail, MailClaim, QueuedMail};
use ideavault_domain::ports::{
    Clock, Database, DatabaseError, KnownCheckpoint, PasswordHasher, PortError, TotpCodes,
    Transaction,
};
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::Token;
use ideavault_domain::two_factor::{Step, TotpSecret};

use crate::support::{Fixture, at, bytes, user};

/// The password of every account.
pub(crate) const PASSWORD: &str = "secret";

/// The time at which tests begin: 8:10 UTC.
pub(crate) fn now() -> Timestamp {
    at(10)
}

pub(crate) fn origin() -> Origin {
    Origin {
        ip: [203, 0, 113, 9].into(),
        user_agent: Some("Browser/1".into()),
    }
}

pub(crate) fn ring() -> KeyRing {
    KeyRing::new(&[MasterKey::from_random([7; 32])]).unwrap()
}

/// Something that happens to the next transaction that writes.
pub(crate) enum Disturbance {
    /// Something else is done before it.
    Overtaken(Box<dyn FnOnce(&Vault) + Send>),
    /// It conflicts with another at its commit, and is run again.
    Conflict,
    /// It commits, but the answer is lost.
    LostCommit,
    /// The disk is full.
    Full,
}

/// A vault with its own database.
pub(crate) struct Vault {
    fixture: Fixture,
    /// Shows [`now`], unless it is set.
    pub(crate) clock: Arc<SetClock>,
    pub(crate) hasher: Arc<PlainPasswords>,
    pub(crate) known_checkpoint: Arc<KeptOutside>,
    disturbances: Mutex<VecDeque<Disturbance>>,
    writes: AtomicUsize,
}

impl Deref for Vault {
    type Target = Fixture;

    fn deref(&self) -> &Fixture {
        &self.fixture
    }
}

impl Vault {
    pub(crate) fn new() -> Arc<Self> {
        let vault = Arc::new(Self {
            fixture: Fixture::sqlite(),
            clock: Arc::new(SetClock(Mutex::new(now()))),
            hasher: Arc::default(),
            known_checkpoint: Arc::default(),
            disturbances: Mutex::default(),
            writes: AtomicUsize::new(0),
        });
        vault.event_log().begin().unwrap();
        vault
    }

    /// Returns dependencies with the ordinary limits; those of one server begin anew.
    pub(crate) fn deps(self: &Arc<Self>) -> Deps<Self> {
        self.deps_limited(1.0)
    }

    /// Returns dependencies with limits that are so many times the ordinary ones.
    pub(crate) fn deps_limited(self: &Arc<Self>, scale: f64) -> Deps<Self> {
        let (database, keys) = (Arc::clone(self), Arc::new(KeyedLimits::new(ring())));
        Deps {
            limits: Arc::new(RateLimits::new(database, self.clock(), keys, scale)),
            database: Arc::clone(self),
            clock: self.clock(),
            random: Arc::new(SystemRandom),
        }
    }

    /// Returns the log of events, as the server of this vault knows it after a restart.
    pub(crate) fn event_log(self: &Arc<Self>) -> Arc<EventLog<Self>> {
        Arc::new(EventLog::new(
            self.deps(),
            Arc::clone(&self.known_checkpoint) as Arc<dyn KnownCheckpoint>,
            "vault.example.org".to_owned(),
        ))
    }

    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock) as Arc<dyn Clock>
    }

    pub(crate) fn hasher(&self) -> Arc<dyn PasswordHasher> {
        Arc::clone(&self.hasher) as Arc<dyn PasswordHasher>
    }

    /// The next writes are disturbed, one after the other.
    pub(crate) fn disturb(&self, disturbance: Disturbance) {
        self.disturbances.lock().unwrap().push_back(disturbance);
    }

    /// Something else happens right before the next write.
    pub(crate) fn overtake(&self, happens: impl FnOnce(&Vault) + Send + 'static) {
        self.disturb(Disturbance::Overtaken(Box::new(happens)));
    }

    /// Returns how many transactions have written.
    pub(crate) fn writes(&self) -> usize {
        self.writes.load(Ordering::Relaxed)
    }

    pub(crate) fn add_account(&self, user: User) -> User {
        assert!(
            self.fixture
                .write(|tx| tx.users().add_user(&user, &hash_of(PASSWORD)))
        );
        user
    }

    /// Adds an account whose address is confirmed.
    pub(crate) fn add_confirmed(&self) -> User {
        self.add_account(User {
            email_confirmed_at: Some(at(0)),
            ..user()
        })
    }

    /// Adds an account that is signed in.
    pub(crate) fn signed_in(&self) -> (User, Actor) {
        let user = self.add_confirmed();
        let actor = self.sign_in(&user, now());
        (user, actor)
    }

    /// Begins another session, which was used last at that time.
    pub(crate) fn sign_in(&self, user: &User, last_seen_at: Timestamp) -> Actor {
        let session = UserSession {
            key_hash: Token::from_random(bytes()).hash(),
            user: Some(user.id),
            state: "{}".into(),
            created_at: at(0),
            last_seen_at,
        };
        self.fixture
            .write(|tx| tx.user_sessions().upsert_user_session(&session));
        Actor {
            user: user.id,
            session: session.id(),
        }
    }

    pub(crate) fn disable(&self, user: &User) {
        let at = Some(self.clock.now());
        assert!(
            self.fixture
                .write(|tx| tx.administration().set_disabled(user.id, at))
        );
    }

    /// Takes all mails out of the outbox, the oldest first.
    pub(crate) fn mails(&self) -> Vec<(MailClaim, Mail)> {
        let later = now() + Duration::days(1_000);
        self.fixture.write(|tx| {
            let mut mails = Vec::new();
            while let Some(found) = tx.outbox().claim_mail(later, later)? {
                tx.outbox().remove_mail(&found.claim)?;
                mails.push((found.claim, found.mail.unwrap()));
            }
            Ok(mails)
        })
    }

    /// Takes the only mail out of the outbox.
    #[track_caller]
    pub(crate) fn mail(&self) -> Mail {
        let mut mails = self.mails();
        assert_eq!(mails.len(), 1, "{mails:?}");
        mails.remove(0).1
    }

    /// Returns the events that were recorded, oldest first.
    pub(crate) fn events(&self) -> Vec<StoredEvent> {
        self.fixture.read(|tx| {
            let rows = tx.evidence_log().event_rows_after(None, 0, 1_000)?;
            tx.evidence_log().events_in(&rows)
        })
    }

    /// Returns what the audit trail has, oldest first.
    pub(crate) fn audited(&self) -> Vec<AuditKind> {
        let entries = self.fixture.read(|tx| tx.audit().audit(None, 1_000));
        entries.into_iter().map(|entry| entry.kind).collect()
    }
}

/// Returns a mail that can be delivered for a day.
pub(crate) fn queued(mail: Mail) -> QueuedMail {
    QueuedMail {
        id: MailId::from_random(bytes()),
        mail,
        queued_at: now(),
        expires_at: now() + Duration::days(1),
        first_attempt_at: now(),
        reader: None,
    }
}

/// Returns the token at the end of a link in a mail.
#[track_caller]
pub(crate) fn token_in(mail: &Mail, path: &str) -> Token {
    let start = format!("https://vault.example.org/{path}");
    let mut lines = mail.body().lines();
    let token = lines.find_map(|line| line.strip_prefix(&start));
    token
        .unwrap_or_else(|| panic!("{}", mail.body()))
        .parse()
        .unwrap()
}

impl Database for Vault {
    fn read<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.fixture.store.read(work)
    }

    fn read_one<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.fixture.store.read_one(work)
    }

    fn write<T, E: From<DatabaseError>>(
        &self,
        mut work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        let disturbance = self.disturbances.lock().unwrap().pop_front();
        let lost = || DatabaseError::Unavailable {
            operation: "commit",
            source: "down".into(),
        };
        match disturbance {
            None => {}
            Some(Disturbance::Overtaken(happens)) => happens(self),
            Some(Disturbance::Conflict) => {
                let undone = self.fixture.store.write(|tx| {
                    work(tx)?;
                    Err::<T, E>(lost().into())
                });
                assert!(undone.is_err());
            }
            Some(Disturbance::LostCommit) => {
                self.fixture.store.write(work)?;
                return Err(lost().into());
            }
            Some(Disturbance::Full) => {
                return Err(E::from(DatabaseError::Full {
                    operation: "write",
                    source: "no space".into(),
                }));
            }
        }
        self.fixture.store.write(work)
    }
}

/// A clock that stands still until it is set.
pub(crate) struct SetClock(Mutex<Timestamp>);

impl SetClock {
    pub(crate) fn set(&self, to: Timestamp) {
        *self.0.lock().unwrap() = to;
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

/// What a server keeps of the log outside of the database.
#[derive(Default)]
pub(crate) struct KeptOutside {
    note: Mutex<Option<String>>,
    newest_idea: Mutex<Option<IdeaId>>,
}

impl KnownCheckpoint for KeptOutside {
    fn load(&self) -> Result<Option<String>, PortError> {
        Ok(self.note.lock().unwrap().clone())
    }

    fn store(&self, note: &str) -> Result<(), PortError> {
        *self.note.lock().unwrap() = Some(note.to_owned());
        Ok(())
    }

    fn newest_idea(&self) -> Result<Option<IdeaId>, PortError> {
        Ok(*self.newest_idea.lock().unwrap())
    }

    fn store_newest_idea(&self, newest: IdeaId) -> Result<(), PortError> {
        *self.newest_idea.lock().unwrap() = Some(newest);
        Ok(())
    }
}

/// Hashes of passwords that take no time, counted.
#[derive(Default)]
pub(crate) struct PlainPasswords(AtomicUsize);

impl PlainPasswords {
    /// Returns how often a password was hashed.
    pub(crate) fn calls(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) fn hash_of(password: &str) -> PasswordHash {
    PasswordHash::new(format!("hash of {password}"))
}

impl PasswordHasher for PlainPasswords {
    fn hash(&self, password: &Password) -> Result<PasswordHash, PortError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(hash_of(password.reveal()))
    }

    fn verify(&self, password: &Password, hash: Option<&PasswordHash>) -> Result<bool, PortError> {
        Ok(hash == Some(&self.hash(password)?))
    }
}

/// An authenticator app that shows the last digits of the step's number.
pub(crate) struct NumberedSteps;

impl TotpCodes for NumberedSteps {
    fn matches(&self, _: &TotpSecret, step: Step, code: &OneTimeCode) -> Result<bool, PortError> {
        Ok(code.reveal() == digits(step))
    }
}

fn digits(step: Step) -> String {
    format!("{:06}", step.number() % 1_000_000)
}

/// Returns what the app shows at that time.
pub(crate) fn shown(at: Timestamp) -> String {
    digits(Step::at(at))
}

pub(crate) fn composer() -> Arc<EmailComposer> {
    let links = Links::new("https://vault.example.org");
    Arc::new(EmailComposer::new(Arc::new(SystemRandom), links))
}

/// Returns the refusal of a field, with its message.
#[track_caller]
pub(crate) fn invalid<T>(result: Result<T, impl Into<Failure>>) -> Invalid {
    match result.map(drop).map_err(Into::into) {
        Err(Failure::Invalid(invalid)) => invalid,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
pub(crate) fn failure<T>(result: Result<T, impl Into<Failure>>) -> Failure {
    match result {
        Ok(_) => panic!("nothing was refused"),
        Err(error) => error.into(),
    }
}
