//! The activity on the links of an idea, for its owner.

use crate::Timestamp;
use crate::digest::Digest;
use crate::email::Email;
use crate::ids::{RecipientId, ShareId};
use crate::nda::AgreementVersion;
use crate::recipient::{Identity, Origin};
use crate::share::ShareType;
use crate::text::{DeclineReason, PersonName, Phone, ShareName};

/// Most registrations without further progress that are listed individually per link.
/// Further ones are only counted until the recipient confirms the address, accepts or
/// declines.
pub const LISTED_IDLE_REGISTRATIONS: i64 = 5;

/// An event on a link, with the recipient who caused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// When it happened.
    pub at: Timestamp,
    /// The link concerned.
    pub share: ShareId,
    /// Type of the link.
    pub share_type: ShareType,
    /// Name that the owner gave the link.
    pub share_name: Option<ShareName>,
    /// Id of the recipient.
    pub recipient: RecipientId,
    /// Name of the recipient.
    pub name: PersonName,
    /// Address of the recipient.
    pub email: Email,
    /// Phone number of the recipient.
    pub phone: Option<Phone>,
    /// How far the recipient's identity is confirmed by now.
    pub identity: Identity,
    /// Whether the recipient was erased: name and address are placeholders.
    pub erased: bool,
    /// The kind of event, with its details.
    pub event: ActivityEvent,
}

/// An action of a recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivityEvent {
    /// Entered their details.
    Registered,
    /// Accepted the NDA.
    Agreed {
        /// Version of the wording.
        nda_version: AgreementVersion,
        /// SHA-256 of the accepted text, unless it was erased.
        nda_sha256: Option<Digest>,
        /// The idea's revision at that time.
        revision: i32,
        /// SHA-256 of that revision.
        revision_sha256: Digest,
        /// How far the recipient's identity was confirmed at that time.
        identity: Identity,
        /// Origin of the request, unless the recipient was erased.
        origin: Option<Origin>,
    },
    /// Was shown the content.
    Viewed {
        /// The revision that was shown first.
        revision: i32,
        /// SHA-256 of that revision.
        revision_sha256: Digest,
        /// When it ends, if it does; reloads until then are not counted
        /// ([`view_end`](crate::share::view_end)).
        ends_at: Option<Timestamp>,
    },
    /// Closed the document after viewing it.
    Closed,
    /// Downloaded the document.
    Downloaded,
    /// Declined the agreement.
    Declined {
        /// Why, if the reader said so, unless the reader was erased.
        reason: Option<DeclineReason>,
    },
}
