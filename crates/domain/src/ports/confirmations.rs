//! Addresses of accounts, and who has shown that mails to them arrive.

use super::database::DatabaseError;
use crate::Timestamp;
use crate::account::{ConfirmationAttempt, EmailConfirmation};
use crate::ids::UserId;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Links that confirm the address of an account, at most one of each account.
pub trait EmailConfirmations {
    /// Keeps a link instead of the account's one before.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn put_email_confirmation(&mut self, confirmation: &EmailConfirmation) -> Result<()>;

    /// Uses a link up, if it is live at `now`. Of racing callers one gets it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn take_email_confirmation(
        &mut self,
        token: &TokenHash,
        now: Timestamp,
    ) -> Result<ConfirmationAttempt>;

    /// Forgets the links that had expired by then, and answers how many.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn sweep_email_confirmations(&mut self, now: Timestamp) -> Result<usize>;

    /// Records that the address of an account is confirmed. Answers `false`, and
    /// keeps the first time, when it is already, or the account is gone.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn confirm_address(&mut self, user: UserId, at: Timestamp) -> Result<bool>;

    /// Notes that the owner is told of a registration with the address. Answers
    /// `false` when one was told of since `last`. Of racing callers one gets `true`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn note_registration_notice(
        &mut self,
        user: UserId,
        at: Timestamp,
        last: Timestamp,
    ) -> Result<bool>;
}
