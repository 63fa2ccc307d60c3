//! How the visit of a reader ends (`docs/rules.md#visit-ended`).

use crate::Timestamp;
use crate::ids::RecipientId;

/// Why a visit is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitEnding {
    /// Its reader closed the document, and may open it again.
    Closed,
    /// The link has expired.
    Expired,
    /// The link was revoked.
    Revoked,
    /// No view is left.
    Exhausted,
}

/// The visit of a browser that had accepted the agreement, and may not read now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedVisit {
    /// Whose visit it was.
    pub recipient: RecipientId,
    /// Why it is over.
    pub ending: VisitEnding,
    /// Since when, if that is known: others may have taken the last view.
    pub at: Option<Timestamp>,
}
