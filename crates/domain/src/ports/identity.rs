//! Which storage holds the bytes of the files that the store knows.

use super::database::DatabaseError;
use crate::ids::{FileId, StorageId};

type Result<T> = std::result::Result<T, DatabaseError>;

/// The id of the storage, which the storage itself has too. Servers that share a
/// store, but not the storage, tell by it that something is wrong.
pub trait StorageIdentity {
    /// The id on record.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn storage_id(&mut self) -> Result<Option<StorageId>>;

    /// Puts an id on record, unless there is one. Answers the one on record. Waits for
    /// other transactions that do the same.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn adopt_storage_id(&mut self, id: StorageId) -> Result<StorageId>;

    /// Puts an id on record in place of any other.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn replace_storage_id(&mut self, id: StorageId) -> Result<()>;

    /// The ids of files, in their order, beginning after `after`: at most `limit`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn file_ids_after(&mut self, after: Option<FileId>, limit: i64) -> Result<Vec<FileId>>;
}
