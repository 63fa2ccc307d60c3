//! Recipients: who opened a link, what they agreed to, and what they saw.

use std::net::{IpAddr, Ipv6Addr};

use crate::Timestamp;
use crate::digest::Digest;
use crate::email::Email;
use crate::idea::Idea;
use crate::ids::{RecipientId, ShareId, ViewGrantId, ViewerSessionId};
use crate::nda::Agreement;
use crate::text::{PersonName, Phone};
use crate::token::TokenHash;

/// One browser of a recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewerSession {
    /// Identity.
    pub id: ViewerSessionId,
    /// Hash of the key in the browser's cookie.
    pub key_hash: TokenHash,
    /// When it began.
    pub created_at: Timestamp,
    /// The session of the key that the browser had before, as long as this one was
    /// not used: its answer may never have arrived.
    pub replaces: Option<ViewerSessionId>,
}

/// Days after which a recipient's browser is forgotten.
pub const VIEWER_SESSION_LIFETIME: chrono::Duration = chrono::Duration::days(7);

impl ViewerSession {
    /// Whether it still counts at `now`.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.created_at + VIEWER_SESSION_LIFETIME
    }
}

/// How a registration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its reader closed the document.
    Closed,
    /// Its reader declined the agreement.
    Declined,
    /// The same browser registered again.
    Replaced,
}

impl Ending {
    /// The name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Declined => "declined",
            Self::Replaced => "replaced",
        }
    }
}

/// How far it is certain who a recipient is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Name and address are as they were typed.
    SelfDeclared,
    /// A code that was mailed to the address came back.
    EmailConfirmed {
        /// When.
        at: Timestamp,
    },
}

impl Identity {
    /// What a stored time of confirmation says.
    #[must_use]
    pub fn from_confirmation(at: Option<Timestamp>) -> Self {
        at.map_or(Self::SelfDeclared, |at| Self::EmailConfirmed { at })
    }

    /// When the address was confirmed, if it was.
    #[must_use]
    pub fn confirmed_at(self) -> Option<Timestamp> {
        match self {
            Self::SelfDeclared => None,
            Self::EmailConfirmed { at } => Some(at),
        }
    }
}

/// A person who registered on a share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// Identity; not a credential.
    pub id: RecipientId,
    /// The browser that registered.
    pub viewer_session: ViewerSessionId,
    /// The link that it registered on.
    pub share: ShareId,
    /// Self-declared name.
    pub name: PersonName,
    /// Self-declared address.
    pub email: Email,
    /// Self-declared number.
    pub phone: Option<Phone>,
    /// What it was offered to agree to.
    pub agreement: Agreement,
    /// When it registered.
    pub created_at: Timestamp,
    /// How far it is certain who that is.
    pub identity: Identity,
    /// When it ended: closed, declined or replaced.
    pub closed_at: Option<Timestamp>,
}

/// Where a request came from, for the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The client's address.
    pub ip: IpAddr,
    /// What the browser calls itself, cut to [`USER_AGENT_MAX`] characters.
    pub user_agent: Option<String>,
}

impl Origin {
    /// The client, as far as addresses tell clients apart: one has one IPv4
    /// address, and a whole /64 of IPv6.
    #[must_use]
    pub fn network(&self) -> String {
        match self.ip {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let prefix = Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX));
                format!("{prefix}/64")
            }
        }
    }
}

/// Longest user agent that the record keeps, in characters.
pub const USER_AGENT_MAX: usize = 512;

/// The acceptance of an agreement. Written once, never changed, never deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NdaAcceptance {
    /// Who agreed.
    pub recipient: RecipientId,
    /// On which link.
    pub share: ShareId,
    /// The wording's version.
    pub nda_version: String,
    /// SHA-256 of the text agreed to.
    pub nda_sha256: Digest,
    /// The idea's current revision at that time.
    pub revision: i32,
    /// SHA-256 of that revision.
    pub revision_sha256: Digest,
    /// How far it was certain by then who agreed.
    pub identity: Identity,
    /// When.
    pub accepted_at: Timestamp,
    /// From where.
    pub origin: Origin,
}

/// A counted view: the right to read until it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewGrant {
    /// Identity.
    pub id: ViewGrantId,
    /// The link that it was counted on.
    pub share: ShareId,
    /// Who may read.
    pub recipient: RecipientId,
    /// The revision that was shown first.
    pub revision: i32,
    /// SHA-256 of that revision.
    pub revision_sha256: Digest,
    /// When it was counted.
    pub granted_at: Timestamp,
    /// Until when reloads are free.
    pub ends_at: Timestamp,
}

impl ViewGrant {
    /// The view of `idea`, as it is now, that begins `at` and lasts `window`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_address_or_a_whole_ipv6_network() {
        let network = |text: &str| {
            let origin = Origin {
                ip: text.parse().unwrap(),
                user_agent: None,
            };
            origin.network()
        };
        assert_eq!(network("203.0.113.7"), "203.0.113.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("2001:db8:1:2::"), network("2001:db8:1:2:ffff::1"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    }
}
