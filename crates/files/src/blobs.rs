//! The interface to the raw storage below the encryption.

use std::io::Read;
use std::ops::Range;

use ideavault_domain::Timestamp;
use ideavault_domain::ids::{FileId, StorageId};
use ideavault_domain::ports::{StorageError, StoredBytes};

/// Raw storage of blobs under ids that are used once, such as a folder or an object
/// store. [`crate::SealedStorage`] adds the encryption.
pub trait Blobs: Send + Sync {
    /// Stores all bytes of `content`. On return they are complete and durable; until
    /// then, nothing is visible under that id.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`], also if `content` cannot be read, or
    /// [`StorageError::Full`]. Then nothing is stored.
    fn put(&self, id: FileId, content: &mut dyn Read) -> Result<(), StorageError>;

    /// Opens a byte range of a blob. An open reader stays valid if the blob is
    /// discarded meanwhile.
    fn open(&self, id: FileId, part: Range<u64>) -> Result<Box<dyn Read + Send>, StorageError>;

    /// Removes a blob; see [`BlobStore::discard`](ideavault_domain::ports::BlobStore::discard).
    fn discard(&self, id: FileId);

    /// Lists the blobs; see [`BlobStore::list`](ideavault_domain::ports::BlobStore::list).
    fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError>;

    /// Removes unfinished blobs; see
    /// [`BlobStore::remove_unfinished`](ideavault_domain::ports::BlobStore::remove_unfinished).
    fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError>;

    /// Returns whether there is a blob with that id.
    fn holds(&self, id: FileId) -> Result<bool, StorageError>;

    /// Returns the id that ties the storage to its database, if it has one.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`], also if it is not an id.
    fn storage_id(&self) -> Result<Option<StorageId>, StorageError>;

    /// Sets or replaces that id.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] or [`StorageError::Full`].
    fn set_storage_id(&self, id: StorageId) -> Result<(), StorageError>;

    /// Writes, reads and removes something small, which is no blob.
    ///
    /// # Errors
    /// [`StorageError`] with the operation that is impossible.
    fn probe(&self) -> Result<(), StorageError>;

    /// Removes what is left of a storage without blobs, as far as it is empty.
    fn remove_if_empty(&self);

    /// Returns what kind of storage this is and where, for messages: `files folder PATH`.
    fn name(&self) -> String;
}
