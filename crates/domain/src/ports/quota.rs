//! Storage usage.

use super::error::DatabaseError;
use crate::ids::UserId;
use crate::quota::{AccountStorage, ByteSize};

type Result<T> = std::result::Result<T, DatabaseError>;

/// Bytes stored by accounts: revision contents and files, before encryption. The
/// database counts them in the transaction that writes them.
pub trait StorageUse {
    /// Returns an account's usage. In a transaction that has stored something for the
    /// account, no other transaction changes it meanwhile.
    fn storage_of(&mut self, user: UserId) -> Result<AccountStorage>;

    /// Returns the total usage of all accounts, in bytes, without a lock.
    fn vault_storage(&mut self) -> Result<u64>;

    /// Returns the total usage of all accounts, in bytes. Holds a lock until the end
    /// of the transaction, so that concurrent writers cannot both pass the check;
    /// call it last.
    fn lock_vault_storage(&mut self) -> Result<u64>;

    /// Sets an account's quota; `None` means the server's default. The account must
    /// exist.
    fn set_storage_quota(&mut self, user: UserId, quota: Option<ByteSize>) -> Result<()>;
}
