//! [`Blobs`] in a folder:
//!
//! ```text
//! files/storage-id          id that ties the folder to its database
//! files/incoming/…          being written; never read
//! files/0b/0b9f1c1e-7d7b-…  complete, never changed, in one of 256 shards
//! ```

use std::fs::{self, File};
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
use crate::error::failed;
use crate::scratch::{Scratch, make_private};

const INCOMING: &str = "incoming";
/// Name of the file, or object, with the id of a storage.
pub(crate) const MARKER: &str = "storage-id";
/// The content of the file that tests whether a storage accepts writes.
pub(crate) const PROBE: &[u8] = &[0; 4_096];
/// Number of leading letters of an id that name its shard.
const SHARD_LETTERS: usize = 2;

/// [`Blobs`] in a folder of a local (or shared) disk.
#[derive(Debug)]
pub struct FolderStorage {
    root: PathBuf,
    incoming: PathBuf,
}

impl FolderStorage {
    /// Opens a folder, or creates one that only its owner may read.
    ///
    /// # Errors
    /// If the folder cannot be created.
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

    /// Opens an existing folder. Creates nothing.
    ///
    /// # Errors
    /// If it is none that [`FolderStorage::open`] has made.
    pub fn open_existing(root: &Path) -> io::Result<Self> {
        let incoming = root.join(INCOMING);
        fs::read_dir(&incoming)?;
        Ok(Self {
            root: root.to_owned(),
            incoming,
        })
    }

    /// Makes a file of another folder on the same disk one of this folder as well. Returns `false` if
    /// that does not work: then it has to be copied.
    #[must_use]
    pub fn link(&self, id: FileId, other: &Self) -> bool {
        let shard = self.shard(id);
        let linked = make_private(&shard)
            .and_then(|()| sync_folder(&self.root))
            .and_then(|()| fs::hard_link(other.path_of(id), self.path_of(id)))
            .and_then(|()| sync_folder(&shard));
        linked
            .inspect_err(|error| tracing::debug!(%id, %error, "a file is copied, not linked"))
            .is_ok()
    }

    fn read_storage_id(&self) -> io::Result<Option<StorageId>> {
        match fs::read_to_string(self.root.join(MARKER)) {
            Ok(text) => text.trim().parse().map(Some).map_err(io::Error::other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write_storage_id(&self, id: StorageId) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.incoming)?;
        writeln!(file, "{id}")?;
        file.as_file().sync_all()?;
        file.persist(self.root.join(MARKER))
            .map_err(|error| error.error)?;
        sync_folder(&self.root)
    }

    fn shard(&self, id: FileId) -> PathBuf {
        let id = id.to_string();
        self.root.join(shard_of(&id))
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
        // Never overwrites: an id is used once.
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
            // Names in the folder of unfinished files are no ids.
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
            Err(error) => tracing::warn!(%id, %error, "could not remove a file"),
        }
    }

    fn list(&self, after: Option<FileId>, limit: usize) -> Result<Vec<StoredBytes>, StorageError> {
        self.list_all(after, limit).map_err(failed("list files"))
    }

    fn remove_unfinished(&self, before: Timestamp) -> Result<usize, StorageError> {
        self.remove_all_unfinished(before)
            .map_err(failed("remove unfinished files"))
    }

    fn holds(&self, id: FileId) -> Result<bool, StorageError> {
        let found = self.path_of(id).try_exists();
        found.map_err(failed("look for a file"))
    }

    fn storage_id(&self) -> Result<Option<StorageId>, StorageError> {
        self.read_storage_id().map_err(failed("read storage-id"))
    }

    fn set_storage_id(&self, id: StorageId) -> Result<(), StorageError> {
        self.write_storage_id(id)
            .map_err(failed("write storage-id"))
    }

    fn probe(&self) -> Result<(), StorageError> {
        Scratch::new_in(&self.incoming)?.append(PROBE)
    }

    fn remove_if_empty(&self) {
        let shards = fs::read_dir(&self.root).into_iter().flatten().flatten();
        for folder in shards.map(|entry| entry.path()).chain([self.root.clone()]) {
            // Files, and folders with something in them, stay.
            if let Err(error) = fs::remove_dir(&folder) {
                tracing::debug!(folder = %folder.display(), %error, "kept");
            }
        }
    }

    fn name(&self) -> String {
        format!("files folder {}", self.root.display())
    }
}

/// Returns the leading letters of an id, which name its shard.
pub(crate) fn shard_of(id: &str) -> &str {
    id.get(..SHARD_LETTERS).unwrap_or(id)
}

/// Makes the names in a folder durable; on other systems than Unix, renaming does so.
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

/// Returns when a file was last written; `None` if it was removed meanwhile.
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

/// Removes a file; returns `false` if there is none.
fn remove_if_exists(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
