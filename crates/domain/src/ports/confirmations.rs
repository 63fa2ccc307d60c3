//! Addresses of accounts, and who has shown that mails to them arrive.

use super::store::StoreError;
use crate::Timestamp;
use crate::account::{ConfirmationAttempt, EmailConfirmation};
use crate::ids::UserId;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, StoreError>;

/// Links that confirm the address of an account, at most one of each account.
pub trait EmailConfirmations {
    /// Keeps a link instead of the account's one before.
    ///
    /// # Errors
    /// [`StoreError`].
    fn put_email_confirmation(&mut self, confirmation: &EmailConfirmation) -> Result<()>;

    /// Uses a link up, if it is live at `now`. Of racing callers one gets it.
    ///
    /// # Errors
    /// [`StoreError`].
    fn take_email_confirmation(
        &mut self,
        token: &TokenHash,
        now: Timestamp,
    ) -> Result<ConfirmationAttempt>;

    /// Forgets the links that had expired by then, and answers how many.
    ///
    /// # Errors
    /// [`StoreError`].
    fn sweep_email_confirmations(&mut self, now: Timestamp) -> Result<usize>;

    /// Records that the address of an account is confirmed. Answers `false`, and
    /// keeps the first time, when it is already, or the account is gone.
    ///
    /// # Errors
    /// [`StoreError`].
    fn confirm_address(&mut self, user: UserId, at: Timestamp) -> Result<bool>;

    /// Notes that the owner is told of a registration with the address. Answers
    /// `false` when one was told of since `last`. Of racing callers one gets `true`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn note_registration_notice(
        &mut self,
        user: UserId,
        at: Timestamp,
        last: Timestamp,
    ) -> Result<bool>;
}
