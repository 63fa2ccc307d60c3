//! Files: their rows, the storage of their bytes, and the cleaning of images.

use std::error::Error;
use std::io::{self, Read};
use std::ops::Range;

use thiserror::Error;

use super::error::DatabaseError;
use crate::Timestamp;
use crate::failure::Failure;
use crate::file::{MediaType, StoredFile};
use crate::idempotency::IdempotencyKey;
use crate::ids::{FileId, IdeaId, UserId};
use crate::keys::WrappedKey;

/// File rows, without the bytes.
pub trait Files {
    /// Adds a file whose bytes are already stored.
    fn add_file(&mut self, file: &StoredFile) -> Result<(), DatabaseError>;

    /// Adds a file as [`add_file`](Self::add_file) does, unless its owner has added one with the
    /// same key before: then returns `false`.
    fn add_file_of_request(
        &mut self,
        file: &StoredFile,
        key: &IdempotencyKey,
    ) -> Result<bool, DatabaseError>;

    /// Returns the file that its owner has added with that key.
    fn file_of_request(
        &mut self,
        owner: UserId,
        key: &IdempotencyKey,
    ) -> Result<Option<StoredFile>, DatabaseError>;

    /// Returns the file with that id.
    fn file(&mut self, id: FileId) -> Result<Option<StoredFile>, DatabaseError>;

    /// Returns the owner's images, newest first.
    fn images_of(&mut self, owner: UserId) -> Result<Vec<StoredFile>, DatabaseError>;

    /// Returns the ideas whose current revision shows a file, ordered by id.
    fn ideas_showing(&mut self, file: FileId) -> Result<Vec<IdeaId>, DatabaseError>;

    /// Returns the ideas with any kept revision that shows a file, ordered by id.
    fn ideas_with_revisions_showing(&mut self, file: FileId) -> Result<Vec<IdeaId>, DatabaseError>;

    /// Returns the file of a PDF idea. Reads nothing encrypted.
    fn pdf_of(&mut self, idea: IdeaId) -> Result<Option<FileId>, DatabaseError>;

    /// Removes a file that no kept revision shows. Returns `false` and removes
    /// nothing when a revision shows it or it does not exist.
    fn remove_file(&mut self, id: FileId) -> Result<bool, DatabaseError>;

    /// Returns which of these files exist, in any order.
    fn existing_files(&mut self, ids: &[FileId]) -> Result<Vec<FileId>, DatabaseError>;
}

/// The reason why a storage operation failed.
#[derive(Debug, Error)]
pub enum StorageError {
    /// Nothing is stored under that id.
    #[error("{operation}: no bytes are stored under {id}")]
    Missing {
        /// The operation that failed.
        operation: &'static str,
        /// The file in question.
        id: FileId,
    },
    /// The stored bytes were damaged or changed.
    #[error("{operation}: the bytes stored under {id} are damaged")]
    Damaged {
        /// The operation that failed.
        operation: &'static str,
        /// The file in question.
        id: FileId,
        /// The underlying error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The storage is unreachable; a retry may succeed.
    #[error("{operation}: the file storage is unavailable")]
    Unavailable {
        /// The operation that failed.
        operation: &'static str,
        /// The underlying error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The storage is full.
    #[error("{operation}: the file storage is full")]
    Full {
        /// The operation that failed.
        operation: &'static str,
        /// The underlying error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl StorageError {
    /// Wraps a failure to read from [`BlobStore::open`].
    pub fn reading(operation: &'static str, id: FileId) -> impl FnOnce(io::Error) -> Self {
        move |error| match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Self::Damaged {
                operation,
                id,
                source: Box::new(error),
            },
            _ => Self::Unavailable {
                operation,
                source: Box::new(error),
            },
        }
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        match error {
            // Deleted a moment ago; adapters log a file that should exist.
            StorageError::Missing { .. } => Self::NotFound,
            StorageError::Damaged { .. } | StorageError::Unavailable { .. } => {
                Self::Unavailable(Box::new(error))
            }
            StorageError::Full { .. } => Self::StorageFull(Box::new(error)),
        }
    }
}

/// An entry in the storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBytes {
    /// The id it is stored under.
    pub id: FileId,
    /// When it was stored.
    pub since: Timestamp,
}

/// Storage for the bytes of files. Ids are never reused; each file is encrypted with
/// its own key.
pub trait BlobStore: Send + Sync {
    /// Stores all of `content` and returns the wrapped file key. On return the bytes
    /// are durable and complete; before, nothing is visible under that id.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`], also when `content` cannot be read, or
    /// [`StorageError::Full`]. Nothing is stored then.
    fn put(&self, id: FileId, content: &mut dyn Read) -> Result<WrappedKey, StorageError>;

    /// Opens part of a file. An open reader stays valid when the file is discarded.
    ///
    /// # Errors
    /// [`StorageError`]. Reading fails with [`io::ErrorKind::InvalidData`] or
    /// [`io::ErrorKind::UnexpectedEof`] where the bytes were changed after they were stored,
    /// and with other kinds where they cannot be read at the moment.
    fn open(
        &self,
        file: &StoredFile,
        part: Range<u64>,
    ) -> Result<Box<dyn Read + Send>, StorageError>;

    /// Removes bytes that no row refers to; missing ones are not an error. A failure
    /// is logged only: [`BlobStore::list`] will return the bytes again.
    fn discard(&self, id: FileId);

    /// Returns up to `limit` entries with ids after `after`, ordered by id.
    fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError>;

    /// Removes what an interrupted [`BlobStore::put`] that started before `before`
    /// left behind. Returns how many there were.
    fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError>;
}

/// An image reduced to its pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanImage {
    /// The type after re-encoding.
    pub media_type: MediaType,
    /// The encoded file.
    pub bytes: Vec<u8>,
}

/// The reason why an image is rejected.
#[derive(Debug, Error)]
pub enum ImageRefused {
    /// Not an accepted format, whatever its name says.
    #[error("not a PNG, JPEG, GIF or WebP image")]
    Format,
    /// Would decode to more than [`IMAGE_PIXELS_MAX`](crate::file::IMAGE_PIXELS_MAX)
    /// pixels.
    #[error("the image has too many pixels")]
    TooManyPixels,
    /// Too large after re-encoding, which drops metadata and the original
    /// compression.
    #[error("the image is too large to be stored")]
    TooDetailed,
    /// Damaged or incomplete.
    #[error("the image is damaged")]
    Damaged(#[source] Box<dyn Error + Send + Sync>),
}

/// The reason why a PDF is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PdfRefused {
    /// No page was found in it.
    #[error("the PDF has no page")]
    Damaged,
    /// Opening it requires a password.
    #[error("the PDF is protected with a password")]
    Protected,
}

/// Checks that readers will be able to open a PDF.
pub trait PdfChecker: Send + Sync {
    /// Looks for a page and for a password needed to open the file. A password that
    /// only restricts permissions is accepted.
    fn check(&self, file: &[u8]) -> Result<(), PdfRefused>;
}

/// Strips everything but pixels from images.
pub trait ImageCleaner: Send + Sync {
    /// Decodes an image and re-encodes its pixels, upright: no other data of the file
    /// survives (location, names, scripts). The number of pixels is checked before
    /// decoding.
    fn clean(&self, file: &[u8]) -> Result<CleanImage, ImageRefused>;
}
