//! Accounts.

use super::error::DatabaseError;
use crate::account::{PasswordHash, SessionEpoch, User};
use crate::email::Email;
use crate::ids::UserId;

type Result<T> = std::result::Result<T, DatabaseError>;

/// The data a login is checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The account.
    pub user: User,
    /// Hash of the current password.
    pub password_hash: PasswordHash,
    /// The epoch in which new sessions begin, unless all are ended meanwhile.
    pub epoch: SessionEpoch,
}

/// Accounts.
pub trait Users {
    /// Adds an account. Returns `false` and adds nothing when the address is taken.
    fn add_user(&mut self, user: &User, password_hash: &PasswordHash) -> Result<bool>;

    /// Returns the credentials of the account with that address.
    fn credentials(&mut self, email: &Email) -> Result<Option<Credentials>>;

    /// Returns the account with that id.
    fn user(&mut self, id: UserId) -> Result<Option<User>>;

    /// Sets the path of an account's photo. Returns `false` and writes nothing when
    /// there is no such account.
    fn set_profile_image(&mut self, id: UserId, path: &str) -> Result<bool>;
}
