//! The waitlist and invitations.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::admission::WaitlistEntry;
use crate::email::Email;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// People waiting for an account.
pub trait Waitlist {
    /// Adds an entry. Returns `false` and keeps the existing entry when the address
    /// is already on the list.
    fn join_waitlist(&mut self, entry: &WaitlistEntry) -> Result<bool>;

    /// Returns all entries, oldest first.
    fn waitlist(&mut self) -> Result<Vec<WaitlistEntry>>;
}

/// Invitations to register.
pub trait Invitations {
    /// Invites an address. Inviting it again requests another mail and invalidates
    /// the previous token.
    fn invite(&mut self, email: &Email, at: Timestamp) -> Result<()>;

    /// Returns whether [`Invitations::consume_invitation`] would succeed.
    fn invitation_is_live(
        &mut self,
        token: &TokenHash,
        email: &Email,
        now: Timestamp,
    ) -> Result<bool>;

    /// Consumes an invitation. Returns `false` when none with that token and address
    /// is valid at `now`. Of concurrent callers, exactly one succeeds.
    fn consume_invitation(
        &mut self,
        token: &TokenHash,
        email: &Email,
        now: Timestamp,
    ) -> Result<bool>;

    /// Returns the invitations that were not mailed yet, oldest first.
    fn unannounced_invitations(&mut self) -> Result<Vec<Email>>;

    /// Records that an invitation is mailed with a token valid until `expires_at`.
    /// Returns `false` when it was mailed already: of concurrent servers, exactly one
    /// mails it.
    fn announce_invitation(
        &mut self,
        email: &Email,
        token: &TokenHash,
        at: Timestamp,
        expires_at: Timestamp,
    ) -> Result<bool>;

    /// Deletes expired invitations and returns how many.
    fn delete_expired_invitations(&mut self, now: Timestamp) -> Result<usize>;
}
