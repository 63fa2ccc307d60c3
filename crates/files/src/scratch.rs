//! Temporary files for uploads.

use std::fs::{DirBuilder, File};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use ideavault_domain::ports::StorageError;

use crate::disk::DiskSpace;
use crate::error::failed;

/// A folder for temporary files, on a disk, because the system's folder for them may be in
/// memory.
#[derive(Debug)]
pub struct ScratchFolder {
    path: PathBuf,
    space: fn(&Path) -> io::Result<DiskSpace>,
}

impl ScratchFolder {
    /// Opens a folder, or creates one that only its owner may read.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn open(folder: &Path) -> io::Result<Self> {
        make_private(folder)?;
        Ok(Self {
            path: folder.to_owned(),
            space: DiskSpace::of,
        })
    }

    /// Makes as if the disk had no space to spare.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn without_space(self) -> Self {
        Self {
            space: |_| Ok(DiskSpace { free: 0, size: 0 }),
            ..self
        }
    }

    /// Creates a temporary file.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] or [`StorageError::Full`].
    pub fn create(&self) -> Result<Scratch, StorageError> {
        Scratch::new_in(&self.path)
    }

    /// Creates a temporary file of what can be made again: it takes nothing of the space that the
    /// disk keeps free for what cannot.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] or [`StorageError::Full`].
    pub fn create_sparing(&self) -> Result<Scratch, StorageError> {
        Ok(Scratch {
            spares: Some(Spares {
                folder: self.path.clone(),
                space: self.space,
                checked_at: None,
            }),
            ..self.create()?
        })
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
    spares: Option<Spares>,
}

/// How often the space of the disk is looked at.
const CHECKED_EVERY: u64 = 1 << 20;

/// Looks now and then whether the disk has space to spare.
#[derive(Debug)]
struct Spares {
    folder: PathBuf,
    space: fn(&Path) -> io::Result<DiskSpace>,
    /// The size of the file at that time.
    checked_at: Option<u64>,
}

impl Spares {
    fn check(&mut self, size: u64) -> io::Result<()> {
        let is_due = |at| size >= CHECKED_EVERY.saturating_add(at);
        if !self.checked_at.is_none_or(is_due) {
            return Ok(());
        }
        self.checked_at = Some(size);
        match (self.space)(&self.folder) {
            Ok(space) if !space.has_to_spare() => Err(io::ErrorKind::StorageFull.into()),
            Ok(_) => Ok(()),
            // Not known on every system: writing fails in the end.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl Scratch {
    pub(crate) fn new_in(folder: &Path) -> Result<Self, StorageError> {
        let file = tempfile::tempfile_in(folder).map_err(failed("create a temporary file"))?;
        Ok(Self {
            file,
            size: 0,
            spares: None,
        })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] or [`StorageError::Full`].
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), StorageError> {
        let spared = match &mut self.spares {
            Some(spares) => spares.check(self.size),
            None => Ok(()),
        };
        let written = spared.and_then(|()| self.file.write_all(bytes));
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

    #[test]
    fn what_can_be_made_again_leaves_the_disk_to_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let scratches = ScratchFolder::open(folder.path()).unwrap().without_space();
        let mut sparing = scratches.create_sparing().unwrap();
        let refused = sparing.append(b"archive");
        assert!(
            matches!(refused, Err(StorageError::Full { .. })),
            "{refused:?}"
        );
        scratches.create().unwrap().append(b"upload").unwrap();
    }

    #[test]
    fn the_space_of_the_disk_is_looked_at_again_and_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut spares = Spares {
            folder: folder.path().to_owned(),
            space: |_| Ok(DiskSpace { free: 0, size: 0 }),
            checked_at: Some(0),
        };
        spares.check(CHECKED_EVERY - 1).unwrap();
        spares.check(CHECKED_EVERY).unwrap_err();
        spares.check(2 * CHECKED_EVERY - 1).unwrap();
        spares.check(2 * CHECKED_EVERY).unwrap_err();
    }
}
