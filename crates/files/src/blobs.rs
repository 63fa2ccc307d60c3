//! Where bytes lie, whatever they are.

use std::io::Read;
use std::ops::Range;

use ideavault_domain::Timestamp;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::{StorageError, StoredBytes};

/// Bytes, each under an id that is used once. What [`crate::SealedStorage`]
/// stands on: a folder, or an object store.
pub trait Blobs: Send + Sync {
    /// Stores all that `content` gives. When it answers, the bytes are durable
    /// and complete; until then, nothing can be seen of them under that id.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] also when `content` cannot be read, or
    /// [`StorageError::Full`]. Then nothing is stored.
    fn put(&self, id: FileId, content: &mut dyn Read) -> Result<(), StorageError>;

    /// Opens a part of what is stored. A reader that is open stays good when
    /// the file is discarded meanwhile.
    ///
    /// # Errors
    /// [`StorageError`].
    fn open(&self, id: FileId, part: Range<u64>) -> Result<Box<dyn Read + Send>, StorageError>;

    /// Removes bytes; see [`BlobStore::discard`](ideavault_domain::ports::BlobStore::discard).
    fn discard(&self, id: FileId);

    /// What is stored; see [`BlobStore::list`](ideavault_domain::ports::BlobStore::list).
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError>;

    /// Removes what was left unfinished; see
    /// [`BlobStore::remove_unfinished`](ideavault_domain::ports::BlobStore::remove_unfinished).
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError>;
}
