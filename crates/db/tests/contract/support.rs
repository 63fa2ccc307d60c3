//! A fresh database for each test, and short ways to fill it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use chrono::{DateTime, Duration};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use ideavault_db::Database;
use ideavault_db::testing::TestDatabase;
use ideavault_domain::Timestamp;
use ideavault_domain::account::{PasswordHash, User};
use ideavault_domain::comment::{Comment, CommentText};
use ideavault_domain::content::Content;
use ideavault_domain::email::Email;
use ideavault_domain::idea::{DocumentId, Draft, Idea, Publication};
use ideavault_domain::ids::{IdeaId, RecipientId, ShareId, UserId, ViewerSessionId};
use ideavault_domain::nda::{Agreement, CURRENT_VERSION};
use ideavault_domain::ports::{NewIdea, Session, Store, StoreError};
use ideavault_domain::recipient::{NdaAcceptance, Origin, Recipient, ViewGrant, ViewerSession};
use ideavault_domain::share::{Share, ShareTerms, ShareType};
use ideavault_domain::text::{PersonName, Title};
use ideavault_domain::token::{Token, TokenHash};

/// Runs each of the functions on a fresh SQLite and on a fresh Postgres database.
macro_rules! on_both_databases {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(
                #[test]
                fn $test() {
                    super::$test(&$crate::support::Fixture::sqlite());
                }
            )*
        }

        mod postgres {
            $(
                #[test]
                fn $test() {
                    super::$test(&$crate::support::Fixture::postgres());
                }
            )*
        }
    };
}
pub(crate) use on_both_databases;

/// A database of this test alone. The pools close before it is removed.
pub(crate) struct Fixture {
    pub(crate) store: Database,
    pub(crate) database: TestDatabase,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

impl Fixture {
    pub(crate) fn sqlite() -> Self {
        Self::of(TestDatabase::sqlite())
    }

    pub(crate) fn postgres() -> Self {
        Self::of(TestDatabase::postgres())
    }

    fn of(database: TestDatabase) -> Self {
        Self {
            store: database.open(),
            database,
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        self.sqlite_path().is_none()
    }

    pub(crate) fn sqlite_path(&self) -> Option<&str> {
        self.database.url().strip_prefix("sqlite://")
    }

    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&mut dyn Session) -> Result<T, StoreError>,
    ) -> T {
        self.store.read(work).unwrap()
    }

    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&mut dyn Session) -> Result<T, StoreError>,
    ) -> T {
        self.store.write(work).unwrap()
    }

    /// Runs SQL as somebody would who bypasses the server.
    pub(crate) fn sql(&self, sql: &str) -> QueryResult<()> {
        match self.sqlite_path() {
            Some(path) => {
                let mut connection = SqliteConnection::establish(path).unwrap();
                connection
                    .batch_execute("PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000")
                    .unwrap();
                connection.batch_execute(sql)
            }
            None => PgConnection::establish(self.database.url())
                .unwrap()
                .batch_execute(sql),
        }
    }

    /// Asserts that the database itself refuses each of the statements, with `reason`.
    pub(crate) fn refuses(&self, reason: &str, statements: &[&str]) {
        for statement in statements {
            let error = self.sql(statement).expect_err(statement);
            assert!(error.to_string().contains(reason), "{statement}: {error}");
        }
    }

    pub(crate) fn count(&self, table: &str) -> i64 {
        let query = diesel::sql_query(format!("SELECT count(*) AS count FROM {table}"));
        let answer: QueryResult<Count> = match self.sqlite_path() {
            Some(path) => query.get_result(&mut SqliteConnection::establish(path).unwrap()),
            None => query.get_result(&mut PgConnection::establish(self.database.url()).unwrap()),
        };
        answer.unwrap().count
    }

    pub(crate) fn add_user(&self) -> User {
        let user = user();
        assert!(self.write(|session| session.add_user(&user, &password_hash())));
        user
    }

    pub(crate) fn add_idea(&self, owner: UserId) -> Idea {
        self.write(|session| session.add_idea(&new_idea(owner, "<p>first</p>", at(0))))
    }

    /// A draft of a new user.
    pub(crate) fn add_draft(&self) -> Idea {
        let owner = self.add_user();
        self.add_idea(owner.id)
    }

    /// A published idea of a new user.
    pub(crate) fn add_published(&self) -> Idea {
        let idea = self.add_draft();
        assert!(self.write(|session| session.publish_idea(idea.id, &publication(at(1)))));
        self.idea(idea.id)
    }

    pub(crate) fn idea(&self, id: IdeaId) -> Idea {
        self.read(|session| session.idea(id)).unwrap()
    }

    pub(crate) fn add_share(&self, idea: IdeaId, terms: ShareTerms) -> Share {
        let share = share(idea, terms, at(2));
        self.write(|session| session.add_share(&share));
        share
    }

    pub(crate) fn share(&self, id: ShareId) -> Share {
        self.read(|session| session.share(id)).unwrap()
    }

    pub(crate) fn add_viewer(&self) -> ViewerSession {
        let viewer = viewer(at(3));
        self.write(|session| session.add_viewer_session(&viewer));
        viewer
    }

    pub(crate) fn add_recipient(&self, viewer: ViewerSessionId, share: &Share) -> Recipient {
        let recipient = recipient(viewer, share, at(4));
        self.write(|session| session.add_recipient(&recipient));
        recipient
    }

    /// A new browser that registers on the link and agrees.
    pub(crate) fn add_guest(&self, share: &Share) -> Recipient {
        let recipient = self.add_recipient(self.add_viewer().id, share);
        assert!(self.write(|session| session.add_acceptance(&acceptance(&recipient, at(5)))));
        recipient
    }
}

/// Runs `work` on `threads` threads that start together, and collects the answers.
pub(crate) fn race<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let start = std::sync::Barrier::new(threads);
    let (start, work) = (&start, &work);
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|index| {
                scope.spawn(move || {
                    start.wait();
                    work(index)
                })
            })
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}

/// A time, with microseconds, `minutes` after the tests' beginning.
pub(crate) fn at(minutes: i64) -> Timestamp {
    DateTime::from_timestamp(1_800_000_000, 123_456_000).unwrap() + Duration::minutes(minutes)
}

fn unique() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

/// Bytes that no other call has.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    bytes[..8].copy_from_slice(&unique().to_be_bytes());
    bytes
}

pub(crate) fn token() -> TokenHash {
    Token::from_random(bytes()).hash()
}

pub(crate) fn user() -> User {
    User {
        id: UserId::from_random(bytes()),
        name: PersonName::parse_creator("Ada Lovelace").unwrap(),
        email: Email::parse(&format!("ada{}@example.org", unique())).unwrap(),
        profile_image: None,
        created_at: at(0),
    }
}

pub(crate) fn password_hash() -> PasswordHash {
    PasswordHash::new("$argon2id$v=19$stored".into())
}

pub(crate) fn draft(html: &str) -> Draft {
    Draft {
        title: Title::parse("A kettle that waits").unwrap(),
        content: Content::Html(html.into()),
    }
}

pub(crate) fn new_idea(owner: UserId, html: &str, created_at: Timestamp) -> NewIdea {
    NewIdea {
        owner,
        draft: draft(html),
        created_at,
    }
}

pub(crate) fn publication(at: Timestamp) -> Publication {
    let mut letters = [0; 12];
    for (place, letter) in letters.iter_mut().zip(unique().to_string().bytes().rev()) {
        *place = letter;
    }
    Publication {
        document_id: DocumentId::from_random(letters),
        at,
    }
}

pub(crate) fn full_access() -> ShareTerms {
    ShareTerms {
        share_type: ShareType::FullAccess,
        expires_at: None,
        max_views: None,
        recipient_email: None,
    }
}

pub(crate) fn one_time(max_views: i32) -> ShareTerms {
    ShareTerms {
        share_type: ShareType::OneTime,
        max_views: Some(max_views),
        ..full_access()
    }
}

pub(crate) fn time_dependent(expires_at: Timestamp, max_views: Option<i32>) -> ShareTerms {
    ShareTerms {
        share_type: ShareType::TimeDependent,
        expires_at: Some(expires_at),
        max_views,
        ..full_access()
    }
}

pub(crate) fn share(idea: IdeaId, terms: ShareTerms, created_at: Timestamp) -> Share {
    Share {
        id: ShareId::from_random(bytes()),
        idea,
        terms,
        token_hash: token(),
        token_sealed: vec![0, 255, 7],
        view_count: 0,
        revoked_at: None,
        created_at,
    }
}

pub(crate) fn viewer(created_at: Timestamp) -> ViewerSession {
    ViewerSession {
        id: ViewerSessionId::from_random(bytes()),
        key_hash: token(),
        created_at,
    }
}

pub(crate) fn recipient(
    viewer: ViewerSessionId,
    share: &Share,
    created_at: Timestamp,
) -> Recipient {
    let name = PersonName::parse_recipient("Grace Hopper").unwrap();
    let email = Email::parse("grace@example.org").unwrap();
    Recipient {
        id: RecipientId::from_random(bytes()),
        viewer_session: viewer,
        share: share.id,
        name: name.clone(),
        email: email.clone(),
        phone: None,
        agreement: Agreement {
            version: CURRENT_VERSION.into(),
            idea: share.idea,
            idea_title: Title::parse("A kettle that waits").unwrap(),
            document_id: None,
            sharer: PersonName::parse_creator("Ada Lovelace").unwrap(),
            recipient: name,
            recipient_email: email,
            offered_at: created_at,
        },
        created_at,
        closed_at: None,
    }
}

pub(crate) fn acceptance(recipient: &Recipient, accepted_at: Timestamp) -> NdaAcceptance {
    NdaAcceptance {
        recipient: recipient.id,
        share: recipient.share,
        nda_version: recipient.agreement.version.clone(),
        nda_sha256: recipient.agreement.digest(),
        revision: 1,
        revision_sha256: draft("<p>first</p>").content.digest(),
        accepted_at,
        origin: Origin {
            ip: "2001:db8::7".parse().unwrap(),
            user_agent: Some("Mozilla/5.0 (Tester's \"own\" browser)".into()),
        },
    }
}

pub(crate) fn grant(recipient: &Recipient, granted_at: Timestamp) -> ViewGrant {
    ViewGrant {
        id: bytes_id(),
        share: recipient.share,
        recipient: recipient.id,
        revision: 1,
        revision_sha256: draft("<p>first</p>").content.digest(),
        granted_at,
        ends_at: granted_at + Duration::minutes(30),
    }
}

fn bytes_id() -> ideavault_domain::ids::ViewGrantId {
    ideavault_domain::ids::ViewGrantId::from_random(bytes())
}

pub(crate) fn comment(
    idea: IdeaId,
    recipient: Option<RecipientId>,
    text: &str,
    created_at: Timestamp,
) -> Comment {
    Comment {
        id: ideavault_domain::ids::CommentId::from_random(bytes()),
        idea,
        recipient,
        author: PersonName::parse_recipient("Grace Hopper").unwrap(),
        text: CommentText::parse(text).unwrap(),
        created_at,
    }
}
