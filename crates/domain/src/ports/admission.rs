//! Who asked to be let in, and who may.

use super::store::StoreError;
use crate::Timestamp;
use crate::admission::WaitlistEntry;
use crate::email::Email;

type Result<T> = std::result::Result<T, StoreError>;

/// People who wait for an account.
pub trait Waitlist {
    /// Adds somebody. Answers `false`, and keeps the first entry, when the
    /// address is on the list.
    ///
    /// # Errors
    /// [`StoreError`].
    fn join_waitlist(&mut self, entry: &WaitlistEntry) -> Result<bool>;

    /// Everybody, in the order in which they joined.
    ///
    /// # Errors
    /// [`StoreError`].
    fn waitlist(&mut self) -> Result<Vec<WaitlistEntry>>;
}

/// People who may register.
pub trait Invitations {
    /// Invites an address. Once more asks for another mail.
    ///
    /// # Errors
    /// [`StoreError`].
    fn invite(&mut self, email: &Email, at: Timestamp) -> Result<()>;

    /// Whether an address was invited.
    ///
    /// # Errors
    /// [`StoreError`].
    fn is_invited(&mut self, email: &Email) -> Result<bool>;

    /// Invitations that no mail tells of yet, oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn unannounced_invitations(&mut self) -> Result<Vec<Email>>;

    /// Notes that a mail tells of an invitation. Answers `false` when one does
    /// already: of racing servers one announces it.
    ///
    /// # Errors
    /// [`StoreError`].
    fn announce_invitation(&mut self, email: &Email, at: Timestamp) -> Result<bool>;
}
