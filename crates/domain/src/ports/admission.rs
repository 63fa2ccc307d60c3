//! Who asked to be let in, and who may.

use super::database::DatabaseError;
use crate::Timestamp;
use crate::admission::WaitlistEntry;
use crate::email::Email;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// People who wait for an account.
pub trait Waitlist {
    /// Adds somebody. Answers `false`, and keeps the first entry, when the
    /// address is on the list.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn join_waitlist(&mut self, entry: &WaitlistEntry) -> Result<bool>;

    /// Everybody, in the order in which they joined.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn waitlist(&mut self) -> Result<Vec<WaitlistEntry>>;
}

/// People who may register.
pub trait Invitations {
    /// Invites an address. Once more asks for another mail, and ends the token of
    /// the one before.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn invite(&mut self, email: &Email, at: Timestamp) -> Result<()>;

    /// Whether [`Invitations::take_invitation`] would answer `true`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn invitation_is_live(
        &mut self,
        token: &TokenHash,
        email: &Email,
        now: Timestamp,
    ) -> Result<bool>;

    /// Uses an invitation up. Answers `false` when none that is live at `now` has
    /// that token and that address. Of racing callers one gets it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn take_invitation(&mut self, token: &TokenHash, email: &Email, now: Timestamp)
    -> Result<bool>;

    /// Invitations that no mail tells of yet, oldest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn unannounced_invitations(&mut self) -> Result<Vec<Email>>;

    /// Notes that a mail tells of an invitation, with a token that works until
    /// `expires_at`. Answers `false` when one does already: of racing servers one
    /// announces it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn announce_invitation(
        &mut self,
        email: &Email,
        token: &TokenHash,
        at: Timestamp,
        expires_at: Timestamp,
    ) -> Result<bool>;

    /// Forgets the invitations that had expired by then, and answers how many.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn sweep_invitations(&mut self, now: Timestamp) -> Result<usize>;
}
