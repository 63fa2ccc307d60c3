//! Recipients: who opened a link, what they accepted, and what they viewed.

use std::net::IpAddr;

use crate::Timestamp;
use crate::client_network::ClientNetwork;
use crate::digest::Digest;
use crate::email::Email;
use crate::idea::Idea;
use crate::ids::{RecipientId, ShareId, ViewGrantId, ViewerSessionId};
use crate::nda::{Agreement, AgreementVersion};
use crate::text::{PersonName, Phone};
use crate::token::TokenHash;

/// One browser of a recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewerSession {
    /// Unique id.
    pub id: ViewerSessionId,
    /// Hash of the key in the browser's cookie.
    pub key_hash: TokenHash,
    /// When it began.
    pub created_at: Timestamp,
    /// The session that this one replaces, until it is first used: the response with
    /// the new key may have been lost.
    pub replaces: Option<ViewerSessionId>,
    /// The first session of the same browser, which tells a browser's sessions from
    /// those of others. Grants nothing.
    pub browser: ViewerSessionId,
}

/// Time for which a recipient's browser is kept, and has its agreements and receipts.
pub const VIEWER_SESSION_LIFETIME: chrono::Duration = chrono::Duration::days(30);

impl ViewerSession {
    /// Returns whether it is valid at `now`.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.ends_at()
    }

    /// Returns when it expires.
    #[must_use]
    pub fn ends_at(&self) -> Timestamp {
        self.created_at + VIEWER_SESSION_LIFETIME
    }
}

/// How a registration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The reader closed the document.
    Closed,
    /// The reader declined the NDA.
    Declined,
    /// The same browser registered again.
    Replaced,
}

impl Ending {
    /// Returns the name used in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Declined => "declined",
            Self::Replaced => "replaced",
        }
    }
}

/// How far a recipient's identity is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Name and address are self-declared.
    SelfDeclared,
    /// A code mailed to the address was entered.
    EmailConfirmed {
        /// When the address was confirmed.
        at: Timestamp,
    },
}

impl Identity {
    /// Converts a stored confirmation time.
    #[must_use]
    pub fn from_confirmation(at: Option<Timestamp>) -> Self {
        at.map_or(Self::SelfDeclared, |at| Self::EmailConfirmed { at })
    }

    /// Returns when the address was confirmed, if it was.
    #[must_use]
    pub fn confirmed_at(self) -> Option<Timestamp> {
        match self {
            Self::SelfDeclared => None,
            Self::EmailConfirmed { at } => Some(at),
        }
    }
}

/// The name in place of that of a person who was erased.
pub const ERASED_NAME: &str = "An erased person";

/// The address in place of that of a person who was erased. Nobody has it (RFC 2606).
pub const ERASED_EMAIL: &str = "erased@erased.invalid";

/// The erased parts of a registration. Ids, times and placeholders remain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Erasure {
    /// When the person was erased: name, address, phone number, and where requests came
    /// from.
    pub person_at: Option<Timestamp>,
    /// Whether the agreement can no longer be produced, because a person whom it names was
    /// erased.
    pub agreement: bool,
}

impl Erasure {
    /// Returns whether the person was erased.
    #[must_use]
    pub fn is_of_person(self) -> bool {
        self.person_at.is_some()
    }
}

/// A person who registered on a share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// Unique id; not a credential.
    pub id: RecipientId,
    /// The browser used to register.
    pub viewer_session: ViewerSessionId,
    /// The link registered on.
    pub share: ShareId,
    /// Self-declared name.
    pub name: PersonName,
    /// Self-declared address.
    pub email: Email,
    /// Self-declared phone number.
    pub phone: Option<Phone>,
    /// The agreement offered.
    pub agreement: Agreement,
    /// Time of registration.
    pub created_at: Timestamp,
    /// How far the identity is confirmed.
    pub identity: Identity,
    /// When it ended: closed, declined, replaced or erased.
    pub closed_at: Option<Timestamp>,
    /// The erased parts.
    pub erasure: Erasure,
}

/// The origin of a request, as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// IP address of the client.
    pub ip: IpAddr,
    /// User agent, cut to [`USER_AGENT_MAX`] characters.
    pub user_agent: Option<String>,
}

impl Origin {
    /// Returns the client's network, by which limits count.
    #[must_use]
    pub fn network(&self) -> ClientNetwork {
        ClientNetwork::of(self.ip)
    }
}

/// Longest recorded user agent, in characters.
pub const USER_AGENT_MAX: usize = 512;

/// The acceptance of an agreement. Written once, never changed, never deleted. Of an erased
/// person, digest and origin are placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NdaAcceptance {
    /// The accepting recipient.
    pub recipient: RecipientId,
    /// The link used.
    pub share: ShareId,
    /// Version of the wording.
    pub nda_version: AgreementVersion,
    /// SHA-256 of the accepted text.
    pub nda_sha256: Digest,
    /// The idea's current revision at that time.
    pub revision: i32,
    /// SHA-256 of that revision.
    pub revision_sha256: Digest,
    /// How far the identity was confirmed at that time.
    pub identity: Identity,
    /// Time of acceptance.
    pub accepted_at: Timestamp,
    /// Origin of the request; `None` once the recipient was erased.
    pub origin: Option<Origin>,
}

/// A counted view: the right to read until it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewGrant {
    /// Unique id.
    pub id: ViewGrantId,
    /// The link whose limit it counts against.
    pub share: ShareId,
    /// The recipient who may read.
    pub recipient: RecipientId,
    /// The revision that was shown first.
    pub revision: i32,
    /// SHA-256 of that revision.
    pub revision_sha256: Digest,
    /// When it was counted.
    pub granted_at: Timestamp,
    /// When it ends; reloads until then are not counted.
    pub ends_at: Timestamp,
}

impl ViewGrant {
    /// Creates a view of `idea`, in its current revision, that begins at `at` and
    /// lasts `window`.
    #[must_use]
    pub fn begin(
        id: ViewGrantId,
        recipient: &Recipient,
        idea: &Idea,
        at: Timestamp,
        window: chrono::Duration,
    ) -> Self {
        Self {
            id,
            share: recipient.share,
            recipient: recipient.id,
            revision: idea.revision,
            revision_sha256: idea.sha256,
            granted_at: at,
            ends_at: at + window,
        }
    }
}
