//! Values for tests that need no database.

use chrono::DateTime;
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::content::ContentKind;
use ideavault_domain::digest::Digest;
use ideavault_domain::email::Email;
use ideavault_domain::idea::{Idea, IdeaStatus};
use ideavault_domain::ids::{RecipientId, ShareId, UserId, ViewerSessionId};
use ideavault_domain::nda::{Agreement, AgreementVersion};
use ideavault_domain::notice::{Notice, NoticeKind};
use ideavault_domain::recipient::{Erasure, Identity, Origin, Recipient};
use ideavault_domain::share::{Share, ShareSettings, ShareTerms};
use ideavault_domain::text::{PersonName, Title};
use ideavault_domain::token::Token;

/// The time of every test, in seconds since the epoch.
const NOW: i64 = 1_800_000_000;

/// `seconds` after [`NOW`].
pub(crate) fn at(seconds: i64) -> Timestamp {
    DateTime::from_timestamp(NOW + seconds, 0).expect("a valid time")
}

fn owner() -> UserId {
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

pub(crate) fn share(terms: ShareTerms) -> Share {
    Share {
        id: ShareId::from_random([5; 16]),
        idea: 7.into(),
        name: None,
        terms,
        token_hash: Token::from_random([6; 32]).hash(),
        view_count: 0,
        settings: ShareSettings::default(),
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

/// A registration on [`share`].
pub(crate) fn recipient() -> Recipient {
    let name = PersonName::parse_recipient("Grace Hopper").expect("a name");
    let email = Email::parse("grace@example.org").expect("an address");
    Recipient {
        id: RecipientId::from_random([4; 16]),
        viewer_session: ViewerSessionId::from_random([8; 16]),
        share: ShareId::from_random([5; 16]),
        name: name.clone(),
        email: email.clone(),
        phone: None,
        agreement: Agreement {
            version: AgreementVersion::CURRENT,
            idea: 7.into(),
            idea_title: draft_idea().title,
            document_id: None,
            sharer: ada().name,
            recipient: name,
            recipient_email: email,
            offered_at: at(-20),
        },
        created_at: at(-20),
        identity: Identity::SelfDeclared,
        closed_at: None,
        erasure: Erasure::default(),
    }
}

pub(crate) fn origin() -> Origin {
    Origin {
        ip: [203, 0, 113, 9].into(),
        user_agent: Some("Browser/1".into()),
    }
}
