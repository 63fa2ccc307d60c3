//! Email confirmation of accounts.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::account::{ConfirmationLink, EmailConfirmation};
use crate::ids::UserId;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Confirmation links, at most one per account.
pub trait EmailConfirmations {
    /// Stores a link, replacing the account's previous one.
    fn replace_email_confirmation(&mut self, confirmation: &EmailConfirmation) -> Result<()>;

    /// Returns the state of a link at `now`, and changes nothing.
    fn email_confirmation(&mut self, token: &TokenHash, now: Timestamp)
    -> Result<ConfirmationLink>;

    /// Consumes a link if it is valid at `now`, and returns its state before. Of concurrent
    /// callers, exactly one finds it valid.
    fn consume_email_confirmation(
        &mut self,
        token: &TokenHash,
        now: Timestamp,
    ) -> Result<ConfirmationLink>;

    /// Deletes expired links and returns how many.
    fn delete_expired_email_confirmations(&mut self, now: Timestamp) -> Result<usize>;

    /// Marks an account's address as confirmed. Returns `false` and keeps the earlier
    /// time when it already is, or when the account no longer exists.
    fn confirm_address(&mut self, user: UserId, at: Timestamp) -> Result<bool>;

    /// Records that the owner is notified of a registration attempt with the address.
    /// Returns `false` when there was a notification since `last`. Of concurrent
    /// callers, exactly one gets `true`.
    fn try_record_registration_notice(
        &mut self,
        user: UserId,
        at: Timestamp,
        last: Timestamp,
    ) -> Result<bool>;
}
