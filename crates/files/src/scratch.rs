//! Bytes that are on their way.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::Path;

use ideavault_domain::ports::StorageError;

use crate::folder::failed;

/// A file without a name: it is gone when it is closed, however its process ends.
#[derive(Debug)]
pub struct Scratch {
    file: File,
    size: u64,
}

impl Scratch {
    pub(crate) fn new_in(folder: &Path) -> Result<Self, StorageError> {
        let file = tempfile::tempfile_in(folder).map_err(failed("make a scratch file"))?;
        Ok(Self { file, size: 0 })
    }

    /// Adds to its end.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] or [`StorageError::Full`].
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        let written = self.file.write_all(bytes);
        written.map_err(failed("write to a scratch file"))?;
        self.size += bytes.len() as u64;
        Ok(())
    }

    /// How many bytes it holds.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// All that it holds, from the beginning.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    pub fn into_reader(mut self) -> Result<File, StorageError> {
        let rewound = self.file.rewind();
        rewound.map_err(failed("read a scratch file"))?;
        Ok(self.file)
    }
}
