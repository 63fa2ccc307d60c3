//! Mailed links that show persons what they were shown.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::document_link::{DocumentLink, ShownDocuments};
use crate::email::Email;
use crate::ids::RecipientId;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Mailed links, and what they show: the registrations whose address was confirmed with a code and
/// whose agreement was accepted, without those of erased persons.
pub trait DocumentLinks {
    /// Returns whether a person with that address was shown anything.
    fn has_documents(&mut self, email: &Email) -> Result<bool>;

    /// Stores a link for that address, beside earlier ones. Without anything to show it stores
    /// nothing, and returns `false`.
    fn add_document_link(&mut self, email: &Email, link: &DocumentLink) -> Result<bool>;

    /// Uses up a link that is valid at `now`: from then on, `key` shows the documents until
    /// `ends_at`. Returns whether `key` does; also if it was used with the same key before.
    fn use_document_link(
        &mut self,
        token: &TokenHash,
        key: &TokenHash,
        now: Timestamp,
        ends_at: Timestamp,
    ) -> Result<bool>;

    /// Returns what `key` shows at `now`; `None` if it shows nothing any more. Leaves out damaged
    /// registrations, and logs them.
    fn shown_documents(
        &mut self,
        key: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<ShownDocuments>>;

    /// Returns whether that registration is among what `key` shows at `now`; `None` if it shows
    /// nothing any more.
    fn shows_document(
        &mut self,
        key: &TokenHash,
        recipient: RecipientId,
        now: Timestamp,
    ) -> Result<Option<bool>>;

    /// Ends what `key` shows.
    fn end_document_link(&mut self, key: &TokenHash) -> Result<()>;

    /// Deletes links and keys that have expired, and returns how many.
    fn delete_expired_document_links(&mut self, now: Timestamp) -> Result<usize>;
}
