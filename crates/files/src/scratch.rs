//! Temporary files for uploads.

use std::fs::{DirBuilder, File};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use ideavault_domain::ports::StorageError;

use crate::error::failed;

/// A folder for temporary files, on a disk, because the system's folder for them may be in
/// memory.
#[derive(Debug)]
pub struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// Opens a folder, or creates one that only its owner may read.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn open(folder: &Path) -> io::Result<Self> {
        make_private(folder)?;
        Ok(Self(folder.to_owned()))
    }

    /// Creates a temporary file.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] or [`StorageError::Full`].
    pub fn create(&self) -> Result<Scratch, StorageError> {
        Scratch::new_in(&self.0)
    }
}

/// Creates a folder that only its owner may read, and those above it.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_scratch_file_has_no_name_and_returns_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let scratches = ScratchFolder::open(&folder.path().join("incoming")).unwrap();
        let mut scratch = scratches.create().unwrap();
        scratch.append(b"arr").unwrap();
        scratch.append(b"iving").unwrap();
        let names = fs::read_dir(folder.path().join("incoming")).unwrap();
        assert_eq!(names.count(), 0);
        assert_eq!(scratch.size(), 8);
        let mut text = String::new();
        let mut reader = scratch.into_reader().unwrap();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "arriving");
    }

    #[test]
    fn a_missing_folder_is_unavailable() {
        let folder = tempfile::tempdir().unwrap();
        let scratches = ScratchFolder::open(folder.path()).unwrap();
        fs::remove_dir_all(folder.path()).unwrap();
        assert!(scratches.create().is_err());
    }
}
