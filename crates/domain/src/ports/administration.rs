//! Account administration by the operator.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::account::User;
use crate::ids::UserId;

type Result<T> = std::result::Result<T, DatabaseError>;

/// An account with counts of its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountSummary {
    /// The account itself.
    pub user: User,
    /// Number of ideas that are not deleted.
    pub ideas: i64,
    /// How many of these are published.
    pub published: i64,
    /// Number of links that are not revoked.
    pub links: i64,
}

/// Operator access to accounts.
pub trait Administration {
    /// Returns all accounts that are not deleted, oldest first.
    fn accounts(&mut self) -> Result<Vec<AccountSummary>>;

    /// Disables or re-enables an account. Returns `false` and writes nothing when it
    /// already is in that state or deleted.
    fn set_disabled(&mut self, user: UserId, disabled_at: Option<Timestamp>) -> Result<bool>;

    /// Waits for what is being written for an account, and refuses what comes later, until the
    /// transaction ends.
    fn lock_account(&mut self, user: UserId) -> Result<()>;

    /// Erases an account: its drafts and files, the content and comments of its
    /// published ideas, its name, address, password and login credentials; revokes
    /// its links. NDA acceptances and other evidence stay. Returns `false` and writes
    /// nothing when it is already deleted.
    fn delete_account(&mut self, user: UserId, at: Timestamp) -> Result<bool>;
}
