//! The newest signed checkpoint of the evidence log, in a file beside the database.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ideavault_domain::ports::{KnownCheckpoint, PortError};
use tempfile::NamedTempFile;

/// Name of the file.
const FILE_NAME: &str = "log-checkpoint";

/// The file `log-checkpoint` in a folder.
#[derive(Debug)]
pub struct CheckpointFile {
    folder: PathBuf,
}

impl CheckpointFile {
    /// Uses the file in that folder, which need not exist yet.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Returns whether there is a file.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn exists(&self) -> io::Result<bool> {
        self.folder.join(FILE_NAME).try_exists()
    }

    fn write(&self, note: &str) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.folder)?;
        file.write_all(note.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(self.folder.join(FILE_NAME))
            .map_err(|error| error.error)?;
        File::open(&self.folder)?.sync_all()
    }
}

fn failed(operation: &'static str) -> impl FnOnce(io::Error) -> PortError {
    move |error| PortError {
        operation,
        source: Box::<dyn Error + Send + Sync>::from(error),
    }
}

impl KnownCheckpoint for CheckpointFile {
    fn load(&self) -> Result<Option<String>, PortError> {
        match fs::read_to_string(self.folder.join(FILE_NAME)) {
            Ok(note) => Ok(Some(note)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("read the last checkpoint")(error)),
        }
    }

    fn store(&self, note: &str) -> Result<(), PortError> {
        self.write(note).map_err(failed("keep a checkpoint"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_note_replaces_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::new(folder.path());
        assert_eq!(file.load().unwrap(), None);
        file.store("first\n").unwrap();
        file.store("second\n").unwrap();
        assert_eq!(file.load().unwrap().as_deref(), Some("second\n"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_note_that_cannot_be_kept_or_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::new(&folder.path().join("absent"));
        assert!(file.store("note").is_err());
        fs::create_dir(folder.path().join(FILE_NAME)).unwrap();
        assert!(CheckpointFile::new(folder.path()).load().is_err());
    }
}
