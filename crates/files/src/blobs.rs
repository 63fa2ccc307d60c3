//! The interface to the raw storage below the encryption.

use std::io::Read;
use std::ops::Range;

use ideavault_domain::Timestamp;
use ideavault_domain::ids::FileId;
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
    ///
    /// # Errors
    /// [`StorageError`].
    fn open(&self, id: FileId, part: Range<u64>) -> Result<Box<dyn Read + Send>, StorageError>;

    /// Removes a blob; see [`BlobStore::discard`](ideavault_domain::ports::BlobStore::discard).
    fn discard(&self, id: FileId);

    /// Lists the blobs; see [`BlobStore::list`](ideavault_domain::ports::BlobStore::list).
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError>;

    /// Removes unfinished blobs; see
    /// [`BlobStore::remove_unfinished`](ideavault_domain::ports::BlobStore::remove_unfinished).
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError>;
}
