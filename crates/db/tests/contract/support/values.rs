//! Test values, distinct where they have to be.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Duration};

use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_domain::Timestamp;
use ideavault_domain::account::{PasswordHash, User};
use ideavault_domain::comment::{Comment, CommentText};
use ideavault_domain::content::Content;
use ideavault_domain::digest::Digest;
use ideavault_domain::email::Email;
use ideavault_domain::file::{MediaType, StoredFile, key_aad};
use ideavault_domain::file_name::FileName;
use ideavault_domain::idea::{DocumentId, Draft, Publication};
use ideavault_domain::ids::{
    CommentId, FileId, IdeaId, RecipientId, ShareId, UserId, ViewGrantId, ViewerSessionId,
};
use ideavault_domain::mail::Mail;
use ideavault_domain::nda::{Agreement, AgreementVersion};
use ideavault_domain::ports::{Encryption, NewIdea};
use ideavault_domain::recipient::{
    Erasure, Identity, NdaAcceptance, Origin, Recipient, ViewGrant, ViewerSession,
};
use ideavault_domain::share::{Share, ShareSettings, ShareTerms};
use ideavault_domain::text::{PersonName, Title};
use ideavault_domain::token::{Token, TokenHash};

/// Returns a time, with microseconds, `minutes` after the start of the tests.
pub(crate) fn at(minutes: i64) -> Timestamp {
    DateTime::from_timestamp(1_800_000_000, 123_456_000).unwrap() + Duration::minutes(minutes)
}

fn unique() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

/// Returns bytes that differ from call to call.
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
        email_confirmed_at: None,
        disabled_at: None,
    }
}

pub(crate) fn password_hash() -> PasswordHash {
    PasswordHash::new("$argon2id$v=19$stored".into())
}

pub(crate) fn draft(html: &str) -> Draft {
    Draft::new(
        Title::parse("A kettle that waits").unwrap(),
        Content::Html(html.into()),
    )
}

pub(crate) fn new_idea(owner: UserId, html: &str, created_at: Timestamp) -> NewIdea {
    NewIdea {
        owner,
        draft: draft(html),
        created_at,
        key: None,
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

/// Returns the encryption of every test's database.
pub(crate) fn encryption() -> Arc<dyn Encryption> {
    let ring = KeyRing::new(&[MasterKey::from_random([7; 32])]);
    Arc::new(ring.unwrap())
}

pub(crate) fn file(owner: UserId, media_type: MediaType, created_at: Timestamp) -> StoredFile {
    let id = FileId::from_random(bytes());
    let encryption = encryption();
    let key = encryption.new_key().unwrap();
    StoredFile {
        id,
        key: encryption.wrap(&key_aad(id), &key).unwrap(),
        owner,
        media_type,
        name: FileName::clean("Größe \"1\".pdf", "file"),
        size: 10_485_760,
        sha256: Digest::of(&bytes::<16>()),
        created_at,
    }
}

pub(crate) fn full_access() -> ShareTerms {
    ShareTerms::FullAccess
}

pub(crate) fn one_time(max_views: i32) -> ShareTerms {
    ShareTerms::OneTime { max_views }
}

pub(crate) fn time_dependent(expires_at: Timestamp, max_views: Option<i32>) -> ShareTerms {
    ShareTerms::TimeDependent {
        expires_at,
        max_views,
    }
}

pub(crate) fn by_email(address: &str) -> ShareTerms {
    let recipient = Email::parse(address).unwrap();
    ShareTerms::Email { recipient }
}

pub(crate) fn share(idea: IdeaId, terms: ShareTerms, created_at: Timestamp) -> Share {
    let id = ShareId::from_random(bytes());
    Share {
        id,
        idea,
        name: None,
        terms,
        token_hash: token_of(id).hash(),
        view_count: 0,
        settings: ShareSettings::default(),
        revoked_at: None,
        created_at,
    }
}

/// Returns the token of the link with that id.
pub(crate) fn token_of(share: ShareId) -> Token {
    let [half, other] = [*share.as_uuid().as_bytes(); 2];
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&half);
    bytes[16..].copy_from_slice(&other);
    Token::from_random(bytes)
}

/// Returns an email for the outbox.
pub(crate) fn hello() -> Mail {
    let to = Email::parse("grace@example.org").unwrap();
    Mail::new(to, "Hello", "You there?\n".into())
}

/// Returns the key of the viewer session with that id.
pub(crate) fn viewer_key(session: ViewerSessionId) -> Token {
    let [half, other] = [*session.as_uuid().as_bytes(); 2];
    let mut bytes = [1; 32];
    bytes[..16].copy_from_slice(&half);
    bytes[16..].copy_from_slice(&other);
    Token::from_random(bytes)
}

pub(crate) fn key_of(session: ViewerSessionId) -> TokenHash {
    viewer_key(session).hash()
}

pub(crate) fn viewer(created_at: Timestamp) -> ViewerSession {
    let id = ViewerSessionId::from_random(bytes());
    ViewerSession {
        id,
        key_hash: key_of(id),
        created_at,
        replaces: None,
        browser: id,
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
            version: AgreementVersion::CURRENT,
            idea: share.idea,
            idea_title: Title::parse("A kettle that waits").unwrap(),
            document_id: None,
            sharer: PersonName::parse_creator("Ada Lovelace").unwrap(),
            recipient: name,
            recipient_email: email,
            offered_at: created_at,
        },
        created_at,
        identity: Identity::SelfDeclared,
        closed_at: None,
        erasure: Erasure::default(),
    }
}

pub(crate) fn acceptance(recipient: &Recipient, accepted_at: Timestamp) -> NdaAcceptance {
    NdaAcceptance {
        recipient: recipient.id,
        share: recipient.share,
        nda_version: recipient.agreement.version,
        nda_sha256: recipient.agreement.digest(),
        revision: 1,
        revision_sha256: draft("<p>first</p>").content.digest(),
        identity: recipient.identity,
        accepted_at,
        origin: Some(Origin {
            ip: "2001:db8::7".parse().unwrap(),
            user_agent: Some("Mozilla/5.0 (Tester's \"own\" browser)".into()),
        }),
    }
}

pub(crate) fn grant(recipient: &Recipient, granted_at: Timestamp) -> ViewGrant {
    ViewGrant {
        id: ViewGrantId::from_random(bytes()),
        share: recipient.share,
        recipient: recipient.id,
        revision: 1,
        revision_sha256: draft("<p>first</p>").content.digest(),
        granted_at,
        ends_at: granted_at + Duration::minutes(30),
    }
}

pub(crate) fn comment(
    idea: IdeaId,
    recipient: Option<RecipientId>,
    text: &str,
    created_at: Timestamp,
) -> Comment {
    Comment {
        id: CommentId::from_random(bytes()),
        idea,
        recipient,
        author: PersonName::parse_recipient("Grace Hopper").unwrap(),
        text: CommentText::parse(text).unwrap(),
        reply_to: None,
        share: None,
        created_at,
        edited_at: None,
        withdrawn_at: None,
    }
}
