//! [`Blobs`] in a folder:
//!
//! ```text
//! files/storage-id          whose files these are
//! files/incoming/…          being written; never read
//! files/0b/0b9f1c1e-7d7b-…  complete, never changed, in one of 256 shards
//! ```

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, SubsecRound as _, Utc};
use ideavault_domain::Timestamp;
use ideavault_domain::ids::{FileId, StorageId};
use ideavault_domain::ports::{StorageError, StoredBytes};
use tempfile::NamedTempFile;

use crate::blobs::Blobs;
use crate::scratch::Scratch;

const INCOMING: &str = "incoming";
const MARKER: &str = "storage-id";
/// Letters of an id that name its shard.
const SHARD_LETTERS: usize = 2;

/// [`Blobs`] in a folder of a local (or shared) disk.
#[derive(Debug)]
pub struct FolderStorage {
    root: PathBuf,
    incoming: PathBuf,
}

impl FolderStorage {
    /// Opens a folder, or makes one that only its owner may read.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(root: &Path) -> io::Result<Self> {
        let incoming = root.join(INCOMING);
        for folder in [root, &incoming] {
            make_private(folder)?;
        }
        Ok(Self {
            root: root.to_owned(),
            incoming,
        })
    }

    /// Something to keep an upload in while it arrives. It is on the storage's
    /// disk, because a folder for temporary files may be memory.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] or [`StorageError::Full`].
    pub fn scratch(&self) -> Result<Scratch, StorageError> {
        Scratch::new_in(&self.incoming)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The id that the folder was given, in its file `storage-id`.
    ///
    /// # Errors
    /// When it cannot be read, or is no id.
    pub fn storage_id(&self) -> io::Result<Option<StorageId>> {
        match fs::read_to_string(self.root.join(MARKER)) {
            Ok(text) => text.trim().parse().map(Some).map_err(io::Error::other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Gives the folder an id, in place of any other.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_storage_id(&self, id: StorageId) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.incoming)?;
        writeln!(file, "{id}")?;
        file.as_file().sync_all()?;
        file.persist(self.root.join(MARKER))
            .map_err(|error| error.error)?;
        sync_folder(&self.root)
    }

    /// Whether bytes are stored under that id.
    ///
    /// # Errors
    /// When that cannot be told.
    pub fn holds(&self, id: FileId) -> io::Result<bool> {
        self.path_of(id).try_exists()
    }

    fn shard(&self, id: FileId) -> PathBuf {
        let id = id.to_string();
        let (shard, _) = id.split_at_checked(SHARD_LETTERS).unwrap_or((&id, ""));
        self.root.join(shard)
    }

    fn path_of(&self, id: FileId) -> PathBuf {
        self.shard(id).join(id.to_string())
    }

    fn write(&self, id: FileId, content: &mut dyn Read) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.incoming)?;
        io::copy(content, file.as_file_mut())?;
        file.as_file().sync_all()?;
        let shard = self.shard(id);
        make_private(&shard)?;
        sync_folder(&self.root)?;
        // Never over another file: an id is used once.
        file.persist_noclobber(self.path_of(id))
            .map_err(|error| error.error)?;
        sync_folder(&shard)
    }

    fn list_all(&self, after: Option<FileId>, limit: usize) -> io::Result<Vec<StoredBytes>> {
        let mut shards: Vec<PathBuf> = fs::read_dir(&self.root)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<_>>()?;
        shards.sort_unstable();
        let first = after.map(|id| self.shard(id));
        let mut found = Vec::new();
        for shard in shards {
            // The folder of unfinished files holds no name that is an id.
            if first.as_ref().is_some_and(|first| shard < *first) || !shard.is_dir() {
                continue;
            }
            let mut files = list_shard(&shard)?;
            files.retain(|file| after.is_none_or(|after| file.id > after));
            files.sort_unstable_by_key(|file| file.id);
            found.extend(files);
            if found.len() >= limit {
                found.truncate(limit);
                break;
            }
        }
        Ok(found)
    }

    fn remove_all_unfinished(&self, before: Timestamp) -> io::Result<usize> {
        let mut removed = 0;
        for entry in fs::read_dir(&self.incoming)? {
            let entry = entry?;
            let Some(since) = modified(&entry)? else {
                continue;
            };
            if since < before && remove_if_exists(&entry.path())? {
                removed += 1;
            }
        }
        Ok(removed)
    }
}

impl Blobs for FolderStorage {
    fn put(&self, id: FileId, content: &mut dyn Read) -> Result<(), StorageError> {
        self.write(id, content).map_err(failed("store a file"))
    }

    fn open(&self, id: FileId, part: Range<u64>) -> Result<Box<dyn Read + Send>, StorageError> {
        let operation = "open a file";
        let mut file = File::open(self.path_of(id)).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                tracing::warn!(%id, "the bytes of a file are missing");
                StorageError::Missing { operation, id }
            } else {
                failed(operation)(error)
            }
        })?;
        file.seek(SeekFrom::Start(part.start))
            .map_err(failed(operation))?;
        Ok(Box::new(file.take(part.end.saturating_sub(part.start))))
    }

    fn discard(&self, id: FileId) {
        match remove_if_exists(&self.path_of(id)) {
            Ok(_) => {}
            Err(error) => tracing::warn!(%id, %error, "a file was not removed"),
        }
    }

    fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError> {
        self.list_all(after, limit).map_err(failed("list files"))
    }

    fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError> {
        self.remove_all_unfinished(before)
            .map_err(failed("remove unfinished files"))
    }
}

pub(crate) fn failed(operation: &'static str) -> impl FnOnce(io::Error) -> StorageError {
    move |error| {
        let is_full = matches!(
            error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        );
        let source = Box::new(error);
        if is_full {
            StorageError::Full { operation, source }
        } else {
            StorageError::Unavailable { operation, source }
        }
    }
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes the names in a folder durable; elsewhere than on Unix, renaming does.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn list_shard(shard: &Path) -> io::Result<Vec<StoredBytes>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(shard)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(id) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        if let Some(since) = modified(&entry)? {
            found.push(StoredBytes { id, since });
        }
    }
    Ok(found)
}

/// When a file was last written; none when it is gone meanwhile.
fn modified(entry: &fs::DirEntry) -> io::Result<Option<Timestamp>> {
    match entry.metadata().and_then(|metadata| metadata.modified()) {
        Ok(at) => Ok(Some(timestamp(at))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn timestamp(at: SystemTime) -> Timestamp {
    DateTime::<Utc>::from(at).trunc_subsecs(6)
}

/// Removes a file; answers `false` when there is none.
fn remove_if_exists(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
