//! Changes to accounts: name, password, password resets.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::account::{PasswordHash, PasswordReset, SessionEpoch, User};
use crate::ids::UserId;
use crate::text::PersonName;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Names, passwords and password reset requests of accounts.
pub trait AccountChanges {
    /// Renames an account and returns it; `None` when it no longer exists.
    fn rename_user(&mut self, id: UserId, name: &PersonName) -> Result<Option<User>>;

    /// Sets an account's password, whatever it was. Returns `false` when the account
    /// no longer exists.
    fn set_password(&mut self, id: UserId, hash: &PasswordHash) -> Result<bool>;

    /// Sets an account's password if the stored hash still is `known`. Otherwise
    /// returns `false` and writes nothing.
    fn replace_password(
        &mut self,
        id: UserId,
        known: &PasswordHash,
        hash: &PasswordHash,
    ) -> Result<bool>;

    /// Ends every session of an account, including logins still in progress, and
    /// returns the new session epoch; `None` when the account no longer exists.
    fn end_sessions_of(&mut self, id: UserId) -> Result<Option<SessionEpoch>>;

    /// Stores a reset request, replacing the account's previous one.
    fn replace_password_reset(&mut self, reset: &PasswordReset) -> Result<()>;

    /// Returns what [`AccountChanges::consume_password_reset`] would return, and changes nothing.
    fn password_reset(&mut self, token: &TokenHash, now: Timestamp) -> Result<Option<UserId>>;

    /// Consumes a reset request and returns its account; `None` when no request with
    /// that token is valid at `now`. Of concurrent callers, exactly one succeeds.
    fn consume_password_reset(
        &mut self,
        token: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<UserId>>;

    /// Deletes expired reset requests and returns how many.
    fn delete_expired_password_resets(&mut self, now: Timestamp) -> Result<usize>;

    /// Deletes the account's reset request, if any.
    fn remove_password_reset(&mut self, user: UserId) -> Result<()>;
}
