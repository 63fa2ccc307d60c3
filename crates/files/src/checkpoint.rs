//! The newest signed checkpoint of the evidence log and the newest number of an idea, in files
//! beside the database.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{KnownCheckpoint, PortError};
use tempfile::NamedTempFile;

/// Name of the file with the checkpoint.
const FILE_NAME: &str = "log-checkpoint";
/// Name of the file with the number.
const NUMBER_FILE_NAME: &str = "newest-idea";

/// The files `log-checkpoint` and `newest-idea` in a folder.
#[derive(Debug)]
pub struct CheckpointFile {
    folder: PathBuf,
}

impl CheckpointFile {
    /// Uses the files in that folder, which need not exist yet.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Returns whether there is a checkpoint.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn exists(&self) -> io::Result<bool> {
        self.folder.join(FILE_NAME).try_exists()
    }

    fn read(&self, name: &str) -> io::Result<Option<String>> {
        match fs::read(self.folder.join(name)) {
            // Damaged bytes stay damaged.
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(self.folder.join(name))
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
        self.read(FILE_NAME)
            .map_err(failed("read the last checkpoint"))
    }

    fn store(&self, note: &str) -> Result<(), PortError> {
        self.write(FILE_NAME, note)
            .map_err(failed("keep a checkpoint"))
    }

    fn newest_idea(&self) -> Result<Option<IdeaId>, PortError> {
        let kept = self.read(NUMBER_FILE_NAME);
        let kept = kept.map_err(failed("read the newest number of an idea"))?;
        let number = kept
            .as_ref()
            .and_then(|kept| kept.trim().parse::<i64>().ok());
        if kept.is_some() && number.is_none() {
            tracing::error!("the file {NUMBER_FILE_NAME} is damaged, and is written anew");
        }
        Ok(number.map(IdeaId::from))
    }

    fn store_newest_idea(&self, newest: IdeaId) -> Result<(), PortError> {
        self.write(NUMBER_FILE_NAME, &format!("{newest}\n"))
            .map_err(failed("keep the newest number of an idea"))
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
    fn the_newest_number_is_kept_and_a_damaged_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::new(folder.path());
        assert_eq!(file.newest_idea().unwrap(), None);
        file.store_newest_idea(7.into()).unwrap();
        assert_eq!(file.newest_idea().unwrap(), Some(7.into()));
        fs::write(folder.path().join(NUMBER_FILE_NAME), [0xFF]).unwrap();
        assert_eq!(file.newest_idea().unwrap(), None);
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
