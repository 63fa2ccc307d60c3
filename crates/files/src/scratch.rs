//! Temporary files for uploads.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::Path;

use ideavault_domain::ports::StorageError;

use crate::error::failed;

/// A file without a name: the system removes it when it is closed or the process ends.
#[derive(Debug)]
pub struct Scratch {
    file: File,
    size: u64,
}

impl Scratch {
    pub(crate) fn new_in(folder: &Path) -> Result<Self, StorageError> {
        let file = tempfile::tempfile_in(folder).map_err(failed("create a temporary file"))?;
        Ok(Self { file, size: 0 })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] or [`StorageError::Full`].
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        let written = self.file.write_all(bytes);
        written.map_err(failed("write to a temporary file"))?;
        self.size += bytes.len() as u64;
        Ok(())
    }

    /// Returns the number of bytes written.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns a reader of the content from the beginning.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    pub fn into_reader(mut self) -> Result<File, StorageError> {
        let rewound = self.file.rewind();
        rewound.map_err(failed("read a temporary file"))?;
        Ok(self.file)
    }
}
