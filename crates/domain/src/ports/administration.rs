//! What whoever runs the server does to accounts.

use super::database::DatabaseError;
use crate::Timestamp;
use crate::account::User;
use crate::ids::UserId;

type Result<T> = std::result::Result<T, DatabaseError>;

/// An account, and how much there is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountSummary {
    /// The account.
    pub user: User,
    /// Ideas that are not deleted.
    pub ideas: i64,
    /// Of these, the published ones.
    pub published: i64,
    /// Links that are not revoked.
    pub links: i64,
}

/// Accounts, for the operator.
pub trait Administration {
    /// All accounts that are not deleted, the oldest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn accounts(&mut self) -> Result<Vec<AccountSummary>>;

    /// Closes an account, or opens it again. Answers `false`, and writes nothing,
    /// when it is so already, or deleted.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn set_disabled(&mut self, user: UserId, disabled_at: Option<Timestamp>) -> Result<bool>;

    /// Erases an account: its drafts and files, the content of its published ideas
    /// and what was said of them, its name, address and password, and whatever it is
    /// signed in with; revokes its links. Acceptances and other evidence stay. Answers
    /// `false`, and writes nothing, when it is deleted already.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn delete_account(&mut self, user: UserId, at: Timestamp) -> Result<bool>;
}
