//! What happened on the links of an idea, for its owner.

use crate::Timestamp;
use crate::digest::Digest;
use crate::email::Email;
use crate::ids::{RecipientId, ShareId};
use crate::recipient::{Identity, Origin};
use crate::share::ShareType;
use crate::text::{PersonName, Phone, ShareName};

/// How many registrations of a link that led to nothing yet are listed one by one. Those
/// beyond are only counted, until their recipient confirms the address, agrees or declines.
pub const LISTED_IDLE_REGISTRATIONS: i64 = 5;

/// One thing that a recipient did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// When.
    pub at: Timestamp,
    /// On which link.
    pub share: ShareId,
    /// What kind of link that is.
    pub share_type: ShareType,
    /// What its owner calls it.
    pub share_name: Option<ShareName>,
    /// Who: identity.
    pub recipient: RecipientId,
    /// Who: name.
    pub name: PersonName,
    /// Who: address.
    pub email: Email,
    /// Who: number.
    pub phone: Option<Phone>,
    /// How far it is certain by now who that is.
    pub identity: Identity,
    /// What.
    pub event: ActivityEvent,
}

/// What a recipient did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityEvent {
    /// Gave their details.
    Registered,
    /// Accepted the NDA.
    Agreed {
        /// The wording's version.
        nda_version: String,
        /// SHA-256 of the text agreed to.
        nda_sha256: Digest,
        /// SHA-256 of the idea's revision at that time.
        revision_sha256: Digest,
        /// How far it was certain by then who agreed.
        identity: Identity,
        /// From where.
        origin: Origin,
    },
    /// Was shown the content.
    Viewed {
        /// SHA-256 of the revision that was shown first.
        revision_sha256: Digest,
        /// Until when reloads were free.
        ends_at: Timestamp,
    },
    /// Closed the document, after it was shown.
    Closed,
    /// Downloaded the document.
    Downloaded,
    /// Declined the agreement.
    Declined,
}
