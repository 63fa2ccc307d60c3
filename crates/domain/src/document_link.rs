//! What a person with a confirmed address was shown in this vault, and the mailed links to it
//! (`docs/rules.md#my-documents`).

use chrono::Duration;

use crate::Timestamp;
use crate::email::Email;
use crate::idea::DocumentId;
use crate::ids::RecipientId;
use crate::text::{PersonName, Title};
use crate::token::TokenHash;

/// How long a mailed link works.
pub const DOCUMENT_LINK_LIFETIME: Duration = Duration::minutes(30);

/// How long the browser that used the link is shown the documents.
pub const DOCUMENTS_SHOWN_FOR: Duration = Duration::minutes(30);

/// Most documents that are listed.
pub const DOCUMENTS_LISTED: usize = 500;

/// A mailed link that was not used yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentLink {
    /// Hash of its token.
    pub token_hash: TokenHash,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// When it stops working.
    pub expires_at: Timestamp,
}

/// What a person was shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownDocuments {
    /// The person's address; `None` without documents.
    pub email: Option<Email>,
    /// The newest agreement first, at most [`DOCUMENTS_LISTED`].
    pub documents: Vec<ShownDocument>,
    /// Whether there are more.
    pub has_more: bool,
}

/// An idea that a person was shown under an agreement. Nothing of its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownDocument {
    /// The registration.
    pub recipient: RecipientId,
    /// What the agreement says; `None` once it was erased together with the owner.
    pub agreed: Option<AgreedDocument>,
    /// When it was accepted.
    pub accepted_at: Timestamp,
    /// The versions that were opened, in the order in which they were first.
    pub versions: Vec<i32>,
    /// When one was first opened.
    pub first_opened_at: Option<Timestamp>,
    /// When one was last opened.
    pub last_opened_at: Option<Timestamp>,
    /// Whether its link lets nobody in any more.
    pub link_has_ended: bool,
}

/// An idea, as an agreement names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgreedDocument {
    /// Its title.
    pub title: Title,
    /// Its document id, if it was published.
    pub document_id: Option<DocumentId>,
    /// Who showed it.
    pub sharer: PersonName,
}
