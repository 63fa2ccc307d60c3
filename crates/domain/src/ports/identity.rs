//! The id of the file storage that belongs to the database.

use super::error::DatabaseError;
use crate::ids::StorageId;

type Result<T> = std::result::Result<T, DatabaseError>;

/// The id of the file storage, which the storage also records. Servers that share a
/// database but not the storage detect the mistake by it.
pub trait StorageIdentity {
    /// Returns the recorded id.
    fn storage_id(&mut self) -> Result<Option<StorageId>>;

    /// Records an id unless there is one, and returns the recorded id. Waits for
    /// concurrent transactions that do the same.
    fn adopt_storage_id(&mut self, id: StorageId) -> Result<StorageId>;

    /// Records an id, replacing any other.
    fn replace_storage_id(&mut self, id: StorageId) -> Result<()>;
}
