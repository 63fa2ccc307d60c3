//! Files: their rows, where their bytes are kept, and how images are made harmless.

use std::error::Error;
use std::io::Read;
use std::ops::Range;

use thiserror::Error;

use super::database::DatabaseError;
use crate::Timestamp;
use crate::failure::Failure;
use crate::file::{MediaType, StoredFile};
use crate::ids::{FileId, IdeaId, UserId};
use crate::keys::WrappedKey;

/// Files, without their bytes.
pub trait Files {
    /// Adds a file, whose bytes are stored already.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_file(&mut self, file: &StoredFile) -> Result<(), DatabaseError>;

    /// The file with that id.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn file(&mut self, id: FileId) -> Result<Option<StoredFile>, DatabaseError>;

    /// The owner's images, newest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn images_of(&mut self, owner: UserId) -> Result<Vec<StoredFile>, DatabaseError>;

    /// The ideas whose current revision shows a file, in the order of their numbers.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn ideas_showing(&mut self, file: FileId) -> Result<Vec<IdeaId>, DatabaseError>;

    /// The ideas of which a revision whose content is kept shows a file, in the order of
    /// their numbers.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn ideas_with_revisions_showing(&mut self, file: FileId) -> Result<Vec<IdeaId>, DatabaseError>;

    /// Removes a file that no revision shows whose content is kept. Answers `false`, and
    /// removes nothing, when there is none, or a revision shows it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn remove_file(&mut self, id: FileId) -> Result<bool, DatabaseError>;

    /// Which of these files exist, in any order.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn existing_files(&mut self, ids: &[FileId]) -> Result<Vec<FileId>, DatabaseError>;
}

/// Why the storage could not do its work.
#[derive(Debug, Error)]
pub enum StorageError {
    /// It holds nothing under that id.
    #[error("{operation}: no bytes are stored under {id}")]
    Missing {
        /// What was attempted.
        operation: &'static str,
        /// For which file.
        id: FileId,
    },
    /// It cannot be reached; it may work later.
    #[error("{operation}: the file storage is unavailable")]
    Unavailable {
        /// What was attempted.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// No space is left.
    #[error("{operation}: the file storage is full")]
    Full {
        /// What was attempted.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        match error {
            // Deleted a moment ago; an adapter logs what should be there.
            StorageError::Missing { .. } => Self::NotFound,
            StorageError::Unavailable { .. } => Self::Unavailable(Box::new(error)),
            StorageError::Full { .. } => Self::StorageFull(Box::new(error)),
        }
    }
}

/// Bytes that the storage holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBytes {
    /// Under which id.
    pub id: FileId,
    /// Since when.
    pub since: Timestamp,
}

/// The bytes of files, each under an id that is used once, encrypted with a key
/// of its own.
pub trait BlobStore: Send + Sync {
    /// Stores all that `content` gives, and answers the key that opens it. When it answers, the bytes are durable
    /// and complete; until then, nothing can be seen of them under that id.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] also when `content` cannot be read, or
    /// [`StorageError::Full`]. Then nothing is stored.
    fn put(&self, id: FileId, content: &mut dyn Read) -> Result<WrappedKey, StorageError>;

    /// Opens a part of a file. A reader that is open stays good when
    /// the file is discarded meanwhile.
    ///
    /// # Errors
    /// [`StorageError`]. Reading fails at what was changed since it was stored.
    fn open(
        &self,
        file: &StoredFile,
        part: Range<u64>,
    ) -> Result<Box<dyn Read + Send>, StorageError>;

    /// Removes what no row names (any more); what is gone already is fine. A
    /// failure is logged, and hurts nobody: [`BlobStore::list`] will show the
    /// bytes again.
    fn discard(&self, id: FileId);

    /// What is stored, in the order of ids, beginning after `after`: at most `limit`.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError>;

    /// Removes what a [`BlobStore::put`] that began before then has left
    /// unfinished, because its process ended. Answers how many there were.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError>;
}

/// An image that holds pixels and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanImage {
    /// What it is now.
    pub media_type: MediaType,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Why an image is not accepted.
#[derive(Debug, Error)]
pub enum ImageRefused {
    /// It is none of the formats that are accepted, whatever it is called.
    #[error("not a PNG, JPEG, GIF or WebP image")]
    Format,
    /// It would unpack to more than [`IMAGE_PIXELS_MAX`](crate::file::IMAGE_PIXELS_MAX) pixels.
    #[error("the image has too many pixels")]
    TooManyPixels,
    /// Without metadata, but also without its former compression, it is too large to be kept.
    #[error("the image is too large to be stored")]
    TooDetailed,
    /// It is damaged, or incomplete.
    #[error("the image is damaged")]
    Damaged(#[source] Box<dyn Error + Send + Sync>),
}

/// Why a PDF is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PdfRefused {
    /// No page can be found in it.
    #[error("the PDF has no page")]
    Damaged,
    /// It opens with a password only.
    #[error("the PDF is protected with a password")]
    Protected,
}

/// Checks whether readers will be able to open a PDF.
pub trait PdfChecker: Send + Sync {
    /// Looks for a page, and for a password that it takes to open the file. One
    /// that only restricts what may be done with it is none.
    ///
    /// # Errors
    /// [`PdfRefused`].
    fn check(&self, file: &[u8]) -> Result<(), PdfRefused>;
}

/// Makes images harmless.
pub trait ImageCleaner: Send + Sync {
    /// Decodes an image and encodes its pixels anew, upright: nothing that was
    /// in the file beside them survives, no place, no name, no script. The
    /// number of pixels is checked before any is decoded.
    ///
    /// # Errors
    /// [`ImageRefused`].
    fn clean(&self, file: &[u8]) -> Result<CleanImage, ImageRefused>;
}
