//! What people change about their accounts.

use super::database::DatabaseError;
use crate::Timestamp;
use crate::account::{PasswordHash, PasswordReset, SessionEpoch, User};
use crate::ids::UserId;
use crate::text::PersonName;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// Names and passwords of accounts, and requests to reset the latter.
pub trait AccountChanges {
    /// Gives an account another name and answers the account; none when it is gone.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn rename_user(&mut self, id: UserId, name: &PersonName) -> Result<Option<User>>;

    /// Gives an account another password, whatever it had. Answers `false`
    /// when it is gone.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn set_password(&mut self, id: UserId, hash: &PasswordHash) -> Result<bool>;

    /// Gives an account another password if it still has the `known` one.
    /// Otherwise answers `false` and writes nothing.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn replace_password(
        &mut self,
        id: UserId,
        known: &PasswordHash,
        hash: &PasswordHash,
    ) -> Result<bool>;

    /// Ends every session of an account, those too that are about to begin, and
    /// answers the epoch of those after. None when the account is gone.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn end_sessions_of(&mut self, id: UserId) -> Result<Option<SessionEpoch>>;

    /// Keeps a request instead of the account's one before.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn put_password_reset(&mut self, reset: &PasswordReset) -> Result<()>;

    /// Whether [`AccountChanges::take_password_reset`] would find one.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn password_reset_is_live(&mut self, token: &TokenHash, now: Timestamp) -> Result<bool>;

    /// Uses a request up and answers whose it is; none when no request that
    /// is live at `now` has the token. Of racing callers one gets it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn take_password_reset(&mut self, token: &TokenHash, now: Timestamp) -> Result<Option<UserId>>;

    /// Forgets the requests that had expired by then, and answers how many.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn sweep_password_resets(&mut self, now: Timestamp) -> Result<usize>;

    /// Forgets an account's request, if there is one.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn remove_password_reset(&mut self, user: UserId) -> Result<()>;
}
