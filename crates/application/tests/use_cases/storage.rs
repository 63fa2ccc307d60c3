//! A mocked storage of files.

use std::io::Read;
use std::ops::Range;

use ideavault_domain::Timestamp;
use ideavault_domain::file::StoredFile;
use ideavault_domain::ids::FileId;
use ideavault_domain::keys::WrappedKey;
use ideavault_domain::ports::{BlobStore, StorageError, StoredBytes};
use mockall::mock;

mock! {
    pub(crate) Storage {}

    impl BlobStore for Storage {
        fn put(&self, id: FileId, content: &mut dyn Read) -> Result<WrappedKey, StorageError>;
        fn open(&self, file: &StoredFile, part: Range<u64>) -> Result<Box<dyn Read + Send>, StorageError>;
        fn discard(&self, id: FileId);
        fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError>;
        fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError>;
    }
}

/// Returns the failure of a storage that has lost the file.
pub(crate) fn missing(file: &StoredFile) -> StorageError {
    StorageError::Missing {
        operation: "open",
        id: file.id,
    }
}
