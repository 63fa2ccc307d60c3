//! How much is stored.

use super::database::DatabaseError;
use crate::ids::UserId;
use crate::quota::{AccountStorage, ByteSize};

type Result<T> = std::result::Result<T, DatabaseError>;

/// What accounts store: contents of revisions and files, in bytes before encryption.
/// The store itself counts them, in the transaction that writes them.
pub trait StorageUse {
    /// What an account stores by now. In a transaction that has stored something for
    /// that account, nobody else has meanwhile.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn storage_of(&mut self, user: UserId) -> Result<AccountStorage>;

    /// What all accounts store together, in bytes. Waits for other transactions that
    /// have asked, so that no two of them pass each other; ask last.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn lock_vault_storage(&mut self) -> Result<u64>;

    /// Sets what an account may store; none: the server's default. The account has to
    /// exist.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn set_storage_quota(&mut self, user: UserId, quota: Option<ByteSize>) -> Result<()>;
}
