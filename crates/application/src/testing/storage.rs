//! A mocked file storage, and a file in it.

use std::io::Read;
use std::ops::Range;

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::file::{MediaType, StoredFile};
use ideavault_domain::file_name::FileName;
use ideavault_domain::ids::FileId;
use ideavault_domain::keys::WrappedKey;
use ideavault_domain::ports::{BlobStore, StorageError, StoredBytes};
use mockall::mock;

use super::{at, owner};

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

/// A file of [`owner`].
pub(crate) fn stored_file(media_type: MediaType) -> StoredFile {
    StoredFile {
        id: FileId::from_random([3; 16]),
        owner: owner(),
        media_type,
        name: FileName::clean("Kettle.pdf", "file"),
        size: 1_000,
        sha256: Digest::of(b"%PDF-1.7"),
        created_at: at(-60),
        key: WrappedKey::from_stored(vec![7]),
    }
}
