//! Test doubles for use cases: a mocked transaction, and a database that hands it
//! out.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use chrono::DateTime;
use ideavault_domain::Timestamp;
use ideavault_domain::account::{Password, PasswordHash, User};
use ideavault_domain::code::{CodeHash, OneTimeCode};
use ideavault_domain::content::ContentKind;
use ideavault_domain::digest::Digest;
use ideavault_domain::document::Attachment;
use ideavault_domain::email::Email;
use ideavault_domain::gate::{GateContext, RecipientProgress};
use ideavault_domain::idea::{DisclosedIdea, DocumentId, Idea, IdeaStatus, Publication};
use ideavault_domain::ids::{RecipientId, ShareId, UserId, ViewerSessionId};
use ideavault_domain::nda::{Agreement, AgreementVersion};
use ideavault_domain::notice::{Notice, NoticeKind};
use ideavault_domain::page::Page;
use ideavault_domain::ports::{
    BrowserRegistrations, Clock, CodeHasher, Database, DatabaseError, LimitKeyHasher,
    PasswordHasher, PortError, Random, RequestHasher, Transaction,
};
use ideavault_domain::quota::AccountStorage;
use ideavault_domain::rate_limit::{CountKey, RateLimit};
use ideavault_domain::recipient::{
    Erasure, Identity, NdaAcceptance, Origin, Recipient, ViewerSession,
};
use ideavault_domain::share::{Share, ShareOptions, ShareTerms};
use ideavault_domain::text::{PersonName, Title};
use ideavault_domain::token::Token;
use mockall::mock;

use crate::deps::Deps;
use crate::documents::DocumentError;
use crate::email_composer::EmailComposer;
use crate::emails::Links;
use crate::outbox_worker::Receipts;
use crate::rate_limits::RateLimits;

mod signed_in;
mod storage;
mod transaction;
mod two_factor;

pub(crate) use signed_in::{actor, after_sign_out, has as has_sessions, own_session, signed_in};
pub(crate) use storage::{MockStorage, stored_file};
pub(crate) use transaction::{MockTransaction, has_idea, has_owner, owner_of, records};
pub(crate) use two_factor::{has_secret, shown, totp, totp_secret, two_factor};

mock! {
    pub(crate) Passwords {}

    impl PasswordHasher for Passwords {
        fn hash(&self, password: &Password) -> Result<PasswordHash, PortError>;
        fn verify<'a>(
            &self,
            password: &Password,
            hash: Option<&'a PasswordHash>,
        ) -> Result<bool, PortError>;
    }
}

/// Hashes codes without a key.
pub(crate) struct UnkeyedCodeHasher;

impl CodeHasher for UnkeyedCodeHasher {
    fn hash(&self, recipient: RecipientId, code: &OneTimeCode) -> Result<CodeHash, PortError> {
        let text = format!("{recipient} {}", code.reveal());
        Ok(CodeHash::from_bytes(
            *Digest::of(text.as_bytes()).as_bytes(),
        ))
    }

    fn matches(
        &self,
        recipient: RecipientId,
        code: &OneTimeCode,
        hash: &CodeHash,
    ) -> Result<bool, PortError> {
        Ok(self.hash(recipient, code)? == *hash)
    }
}

/// Hashes requests without a key.
pub(crate) struct UnkeyedRequestHasher;

impl RequestHasher for UnkeyedRequestHasher {
    fn hash(&self, parts: &[&[u8]]) -> Result<[u8; 32], PortError> {
        Ok(*Digest::of(&parts.join(&b' ')).as_bytes())
    }
}

/// A composer with predictable randomness.
pub(crate) fn email_composer() -> Arc<EmailComposer> {
    Arc::new(EmailComposer::new(
        Arc::new(FixedRandom),
        Links::new("https://vault.example.org"),
    ))
}

/// Receipts that are all gone.
pub(crate) struct NoReceipts;

impl Receipts for NoReceipts {
    fn receipt(&self, _: RecipientId) -> Result<Option<Attachment>, DocumentError> {
        Ok(None)
    }
}

/// A database whose only transaction is a mock. Reads and writes are separate, so
/// that a test notices a write where none is allowed.
pub(crate) struct MockDatabase {
    reading: Mutex<MockTransaction>,
    writing: Mutex<MockTransaction>,
    writes_conflict: bool,
}

impl MockDatabase {
    /// Creates a database with the expectations of the closures for reads and writes.
    pub(crate) fn new(
        reads: impl FnOnce(&mut MockTransaction),
        writes: impl FnOnce(&mut MockTransaction),
    ) -> Arc<Self> {
        Arc::new(Self::of(reads, writes))
    }

    /// Creates a database whose write transactions conflict with others at their first commit, so
    /// that each is run again.
    pub(crate) fn conflicting(writes: impl FnOnce(&mut MockTransaction)) -> Arc<Self> {
        Arc::new(Self {
            writes_conflict: true,
            ..Self::of(|_| {}, writes)
        })
    }

    fn of(
        reads: impl FnOnce(&mut MockTransaction),
        writes: impl FnOnce(&mut MockTransaction),
    ) -> Self {
        let (mut reading, mut writing) = (MockTransaction::new(), MockTransaction::new());
        // Quotas are tested separately.
        writing
            .expect_storage_of()
            .returning(|_| Ok(AccountStorage::default()));
        reads(&mut reading);
        // A gate that one statement does not find is looked for in a transaction.
        reading
            .expect_comments_on_own()
            .returning(|_, _, _| Ok(Page::default()));
        // A browser's key is always looked up, even where nothing else is read.
        reading.expect_viewer_session().returning(|_| Ok(None));
        reading
            .expect_browser_registrations()
            .returning(|_, _| Ok(None));
        writes(&mut writing);
        reading
            .expect_share_notification_modes()
            .returning(|_| Ok(Vec::new()));
        // Most browsers bring no key.
        writing.expect_browser_of().returning(|_| Ok(None));
        // Notices are tested separately; the first matching expectation is used.
        writing.expect_add_notice().returning(|_| Ok(()));
        writing.expect_take_back_notice().returning(|_| Ok(()));
        // So are recorded events (`crates/ideavault/tests/http/evidence`).
        writing.expect_append_event().returning(|_| Ok(true));
        let recorded = |_: &str| Ok(Some(Digest::of(b"event")));
        writing.expect_digest_by_once_key().returning(recorded);
        reading.expect_digest_by_once_key().returning(recorded);
        // So are limits.
        writing
            .expect_count_event()
            .returning(|_, _, _, _| Ok(None));
        Self {
            reading: Mutex::new(reading),
            writing: Mutex::new(writing),
            writes_conflict: false,
        }
    }
}

fn open(tx: &Mutex<MockTransaction>) -> MutexGuard<'_, MockTransaction> {
    tx.lock()
        .expect("no test panics while it holds a transaction")
}

impl Database for MockDatabase {
    fn read<T, E: From<DatabaseError>>(
        &self,
        mut work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        work(&mut *open(&self.reading))
    }

    fn read_one<T, E: From<DatabaseError>>(
        &self,
        mut work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        work(&mut *open(&self.reading))
    }

    fn write<T, E: From<DatabaseError>>(
        &self,
        mut work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut tx = open(&self.writing);
        if self.writes_conflict {
            work(&mut *tx)?;
        }
        work(&mut *tx)
    }
}

/// A clock that always shows [`NOW`].
pub(crate) struct StoppedClock;

/// The time of every use case test, in seconds since the epoch.
pub(crate) const NOW: i64 = 1_800_000_000;

impl Clock for StoppedClock {
    fn now(&self) -> Timestamp {
        at(0)
    }
}

/// A clock that is a minute later each time it is read, as if each transaction had waited.
#[derive(Default)]
pub(crate) struct MinuteClock(AtomicI64);

impl Clock for MinuteClock {
    fn now(&self) -> Timestamp {
        at(60 * self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A random source that fills with the byte 9.
pub(crate) struct FixedRandom;

impl Random for FixedRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError> {
        bytes.fill(9);
        Ok(())
    }
}

/// `seconds` after [`NOW`].
pub(crate) fn at(seconds: i64) -> Timestamp {
    DateTime::from_timestamp(NOW + seconds, 0).expect("a valid time")
}

pub(crate) fn owner() -> UserId {
    UserId::from_random([1; 16])
}

/// The account of [`owner`].
pub(crate) fn ada() -> User {
    User {
        id: owner(),
        name: PersonName::parse_creator("Ada Lovelace").expect("a name"),
        email: Email::parse("ada@example.org").expect("an address"),
        profile_image: None,
        created_at: at(-1_000),
        email_confirmed_at: Some(at(-900)),
        disabled_at: None,
    }
}

pub(crate) fn stranger() -> UserId {
    UserId::from_random([2; 16])
}

pub(crate) fn draft_idea() -> Idea {
    Idea {
        id: 7.into(),
        owner: owner(),
        title: Title::parse("Kettle").expect("a title"),
        status: IdeaStatus::Draft,
        content_kind: ContentKind::Html,
        revision: 3,
        sha256: Digest::of(b"<p>Secret</p>"),
        created_at: at(-100),
        updated_at: at(-50),
        deleted_at: None,
    }
}

pub(crate) fn published_idea() -> Idea {
    Idea {
        status: IdeaStatus::Published(Publication {
            document_id: DocumentId::from_random([1; 12]),
            at: at(-10),
        }),
        ..draft_idea()
    }
}

pub(crate) fn disclosed(idea: Idea) -> DisclosedIdea {
    DisclosedIdea {
        idea,
        sharer: PersonName::parse_creator("Ada Lovelace").expect("a name"),
    }
}

pub(crate) fn share(terms: ShareTerms) -> Share {
    Share {
        id: ShareId::from_random([5; 16]),
        idea: 7.into(),
        name: None,
        terms,
        token_hash: share_token().hash(),
        view_count: 0,
        options: ShareOptions::default(),
        revoked_at: None,
        created_at: at(-40),
    }
}

/// A notice about somebody without a name on that link, a minute old.
pub(crate) fn link_notice(kind: NoticeKind, share: &Share) -> Notice {
    Notice {
        seq: 1,
        kind,
        idea: share.idea,
        title: draft_idea().title,
        share: share.id,
        share_type: share.terms.share_type(),
        share_name: share.name.clone(),
        recipient: None,
        name: None,
        count: 1,
        first_at: at(-60),
        last_at: at(-60),
        read: false,
    }
}

pub(crate) fn share_token() -> Token {
    Token::from_random([6; 32])
}

pub(crate) fn viewer_key() -> Token {
    Token::from_random([7; 32])
}

pub(crate) fn viewer() -> ViewerSession {
    ViewerSession {
        id: ViewerSessionId::from_random([8; 16]),
        key_hash: viewer_key().hash(),
        created_at: at(-30),
        replaces: None,
        browser: ViewerSessionId::from_random([3; 16]),
    }
}

/// The browser [`viewer`], registered on these links to ideas that exist.
pub(crate) fn registered(
    on: impl IntoIterator<Item = (Share, RecipientProgress)>,
) -> BrowserRegistrations {
    let open = |(share, progress)| GateContext {
        share,
        idea_exists: true,
        progress: Some(progress),
    };
    BrowserRegistrations {
        viewer: viewer(),
        open: on.into_iter().map(open).collect(),
    }
}

/// A registration on [`share`] from the browser [`viewer`].
pub(crate) fn progress(agreed: bool) -> RecipientProgress {
    let name = PersonName::parse_recipient("Grace Hopper").expect("a name");
    let email = Email::parse("grace@example.org").expect("an address");
    let recipient = Recipient {
        id: RecipientId::from_random([4; 16]),
        viewer_session: viewer().id,
        share: ShareId::from_random([5; 16]),
        name: name.clone(),
        email: email.clone(),
        phone: None,
        agreement: Agreement {
            version: AgreementVersion::CURRENT,
            idea: 7.into(),
            idea_title: draft_idea().title,
            document_id: None,
            sharer: disclosed(draft_idea()).sharer,
            recipient: name,
            recipient_email: email,
            offered_at: at(-20),
        },
        created_at: at(-20),
        identity: Identity::SelfDeclared,
        closed_at: None,
        erasure: Erasure::default(),
    };
    let acceptance = agreed.then(|| NdaAcceptance {
        recipient: recipient.id,
        share: recipient.share,
        nda_version: recipient.agreement.version,
        nda_sha256: recipient.agreement.digest(),
        revision: 3,
        revision_sha256: draft_idea().sha256,
        identity: recipient.identity,
        accepted_at: at(-15),
        origin: Some(origin()),
    });
    RecipientProgress {
        recipient,
        acceptance,
        grant: None,
        browser_had_view: false,
    }
}

pub(crate) fn origin() -> Origin {
    Origin {
        ip: [203, 0, 113, 9].into(),
        user_agent: Some("Browser/1".into()),
    }
}

/// Hashes without a key.
struct PlainKeys;

impl LimitKeyHasher for PlainKeys {
    fn hash(&self, limit: RateLimit, name: &str) -> Result<CountKey, PortError> {
        Ok(count_key(limit, name))
    }
}

/// The key of a count in the database.
pub(crate) fn count_key(limit: RateLimit, name: &str) -> CountKey {
    let hash = Digest::of(format!("{limit:?} {name}").as_bytes());
    CountKey::from_bytes(*hash.as_bytes())
}

/// The shared dependencies, with a stopped clock and the ordinary limits.
pub(crate) fn deps<D: Database>(database: Arc<D>) -> Deps<D> {
    let clock: Arc<dyn Clock> = Arc::new(StoppedClock);
    let (counts, keys) = (Arc::clone(&database), Arc::new(PlainKeys));
    Deps {
        limits: Arc::new(RateLimits::new(counts, Arc::clone(&clock), keys, 1.0)),
        database,
        clock,
        random: Arc::new(FixedRandom),
    }
}
