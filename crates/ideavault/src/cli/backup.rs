//! `ideavault backup`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{SecondsFormat, Utc};
use clap::Args;
use ideavault_application::audit::Audit;
use ideavault_application::verification::{FileState, Verification};
use ideavault_crypto::{KeyedHash, MasterKey};
use ideavault_db::SqlDatabase;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::StorageError;
use ideavault_files::{Blobs, FolderStorage, SealedStorage};

use super::key_lock::KeyLock;
use super::manifest::{
    self, DATABASE, FILES, FileName, LostFile, LostFiles, LostReason, Manifest, content_hash,
};
use super::{CommandError, integrity, write};
use crate::config::DataOptions;
use crate::data::{DataError, OpenVault, files_of};
use crate::platform::SystemClock;
use crate::storage_identity;

/// Largest number of further copies of the database. One is made when a file that it names
/// was deleted while the files were copied.
const ATTEMPTS: usize = 5;
/// Files that are listed at a time.
const PAGE: usize = 1_000;

/// Bytes that are read at a time.
const BUFFER: usize = 64 * 1024;

/// Options of `ideavault backup`.
#[derive(Args, Clone, Debug)]
pub struct BackupOptions {
    /// Folder of the backup. It is created, and must not exist yet.
    pub folder: PathBuf,

    /// Make no backup: check that the one in that folder is complete and unchanged. Needs
    /// only the secret key.
    #[arg(long)]
    pub verify: bool,

    /// A backup on the same disk: files that it has already are linked, and take no further space.
    #[arg(long, value_name = "FOLDER", conflicts_with = "verify")]
    pub link: Option<PathBuf>,

    /// Location of the vault.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Copies database and files as they are at one moment, with or without running servers, and
/// reports it on `out`. The folder appears once it is complete.
///
/// # Errors
/// [`CommandError`]; [`CommandError::LostFiles`] if the backup was made without files that
/// are lost.
pub fn back_up(options: &BackupOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let target = &options.folder;
    if options.verify {
        return integrity::verify(target, &options.data, out);
    }
    if target.exists() {
        return Err(CommandError::Exists {
            path: target.clone(),
            kind: "folder",
        });
    }
    let former = options.link.as_deref().map(files_of_backup).transpose()?;
    // A rotation during the backup would make it unreadable in part, and remove the former
    // key.
    let (_lock, opened) = KeyLock::open(&options.data)?;
    let partial = partial_of(target)?;
    let from = files_of(&options.data)?;
    // A wrong storage would make all files appear lost.
    storage_identity::check(&opened.database, from.as_ref())?;
    let into = FolderStorage::open(&partial.join(FILES)).map_err(CommandError::at(&partial))?;
    let database = partial.join(DATABASE);
    let key = &opened.current;
    let into = Arc::new(into);
    let Copies {
        files,
        linked,
        lost,
    } = copy(&opened, from.as_ref(), &into, &database, former.as_ref())?;
    make_private(&database)?;
    let count = files.len();
    let manifest = Manifest {
        format: manifest::FORMAT,
        created_at: Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true),
        database: manifest::kind_of(&options.data.database_url()),
        database_hash: manifest::hash_of(&database, key)?,
        files,
        lost: lost.clone(),
        secret_key_id: manifest::key_id(key.id().map_err(DataError::from)?),
    };
    manifest.write(&partial, key)?;
    fs::rename(&partial, target).map_err(CommandError::at(target))?;
    // Without what is lost, too: otherwise a file that never comes back would hide from `status`
    // whether backups are made.
    Audit::new(Arc::new(opened.database), Arc::new(SystemClock)).backed_up()?;
    let key = match opened.keys.len() {
        1 => "The secret key is not: keep it elsewhere.",
        _ => "The secret keys are not: keep all of them elsewhere, since they are being rotated.",
    };
    let shared = match &options.link {
        Some(former) => format!(" {linked} of them are shared with {}.", former.display()),
        None => String::new(),
    };
    let text = format!(
        "The database and {count} files are in {}.{shared} {key}\n",
        target.display()
    );
    write(out, &text)?;
    if lost.is_empty() {
        Ok(())
    } else {
        Err(CommandError::LostFiles(LostFiles(lost)))
    }
}

/// Creates an empty folder beside `target`, without leftovers of an interruption.
fn partial_of(target: &Path) -> Result<PathBuf, CommandError> {
    let mut name = target.as_os_str().to_owned();
    name.push(".partial");
    let partial = PathBuf::from(name);
    if partial.exists() {
        fs::remove_dir_all(&partial).map_err(CommandError::at(&partial))?;
    }
    Ok(partial)
}

/// The copied files and the lost ones.
struct Copies {
    files: BTreeMap<FileName, String>,
    /// How many of them are those of the former backup.
    linked: usize,
    lost: BTreeMap<FileName, LostFile>,
}

/// Everything needed to copy a file.
pub(super) struct Copying<'a> {
    pub(super) from: &'a dyn Blobs,
    pub(super) into: &'a dyn Blobs,
    /// Key of the keyed hashes of the copies.
    pub(super) key: &'a MasterKey,
    /// Reads the copies.
    pub(super) verification: Verification<SqlDatabase>,
}

/// Result of copying a file.
pub(super) enum Outcome {
    /// Copied, with this keyed hash.
    Copied(String),
    /// Present but unusable.
    Lost(LostReason),
    /// Missing. Perhaps deleted meanwhile, together with its row.
    Gone,
}

impl Copying<'_> {
    /// Copies a file in its encrypted form, and compares the copy with the digest on record.
    /// A copy that differs is removed.
    ///
    /// # Errors
    /// [`CommandError`] if it cannot be written.
    pub(super) fn file(&self, id: FileId) -> Result<Outcome, CommandError> {
        let bytes = match self.from.open(id, 0..u64::MAX) {
            Ok(bytes) => bytes,
            Err(StorageError::Missing { .. }) => return Ok(Outcome::Gone),
            Err(_) => return Ok(Outcome::Lost(LostReason::Unreadable)),
        };
        let mut hashed = Hashed {
            bytes,
            hash: content_hash(self.key)?,
            failed: false,
        };
        match self.into.put(id, &mut hashed) {
            Ok(()) => {}
            Err(_) if hashed.failed => return Ok(Outcome::Lost(LostReason::Unreadable)),
            Err(error) => return Err(error.into()),
        }
        let outcome = match self.verification.file_state(id)? {
            FileState::Intact => return Ok(Outcome::Copied(hashed.hash.finish())),
            FileState::Damaged => Outcome::Lost(LostReason::Damaged),
            FileState::Deleted => Outcome::Gone,
        };
        self.into.discard(id);
        Ok(outcome)
    }

    /// Shares the file with a former backup, if that has the same bytes as the vault has now, and
    /// they are intact. Returns their keyed hash; none if the file has to be copied.
    fn link(
        &self,
        id: FileId,
        into: &FolderStorage,
        former: &FolderStorage,
    ) -> Result<Option<String>, CommandError> {
        // A lost or unreadable file must be noticed here, and not be replaced from the last backup.
        let Some(hash) = self.hash_of(self.from, id)? else {
            return Ok(None);
        };
        if self.hash_of(former, id)?.as_ref() != Some(&hash) || !into.link(id, former) {
            return Ok(None);
        }
        match self.verification.file_state(id)? {
            FileState::Intact => Ok(Some(hash)),
            FileState::Damaged | FileState::Deleted => {
                self.into.discard(id);
                Ok(None)
            }
        }
    }

    /// Returns the keyed hash of a file; none if it cannot be read.
    fn hash_of(&self, blobs: &dyn Blobs, id: FileId) -> Result<Option<String>, CommandError> {
        let mut hash = content_hash(self.key)?;
        if !blobs.holds(id).unwrap_or(false) {
            return Ok(None);
        }
        let Ok(mut bytes) = blobs.open(id, 0..u64::MAX) else {
            return Ok(None);
        };
        let mut buffer = vec![0; BUFFER];
        loop {
            match bytes.read(&mut buffer) {
                Ok(0) => return Ok(Some(hash.finish())),
                Ok(length) => hash.update(buffer.get(..length).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Ok(None),
            }
        }
    }
}

/// Opens the files of a backup that was made before.
fn files_of_backup(folder: &Path) -> Result<FolderStorage, CommandError> {
    if !folder.join(manifest::NAME).is_file() {
        return Err(CommandError::NotABackup(folder.to_owned()));
    }
    let files = folder.join(FILES);
    FolderStorage::open_existing(&files).map_err(CommandError::at(&files))
}

/// Copies the database, and then the files that the copy names. A file may be deleted
/// meanwhile, with its row: then the database is copied again. Files that this copy still
/// names and that are still missing are lost.
fn copy(
    opened: &OpenVault,
    from: &dyn Blobs,
    into: &Arc<FolderStorage>,
    to: &Path,
    former: Option<&FolderStorage>,
) -> Result<Copies, CommandError> {
    let database = Arc::new(opened.database.clone());
    let storage = SealedStorage::new(Arc::clone(into) as _, Arc::new(opened.ring.clone()))?;
    let copying = Copying {
        from,
        into: into.as_ref(),
        key: &opened.current,
        verification: Verification::new(Arc::clone(&database), Arc::new(storage)),
    };
    let mut copied = BTreeMap::new();
    let mut linked = BTreeSet::new();
    let mut lost = BTreeMap::new();
    let mut gone = BTreeSet::new();
    for _ in 0..ATTEMPTS {
        if to.exists() {
            fs::remove_file(to).map_err(CommandError::at(to))?;
        }
        let named: BTreeSet<FileId> = database.back_up(to)?.into_iter().collect();
        let mut complete = true;
        for id in &named {
            if copied.contains_key(id) || lost.contains_key(id) {
                continue;
            }
            if let Some(former) = former
                && let Some(hash) = copying.link(*id, into, former)?
            {
                copied.insert(*id, hash);
                linked.insert(*id);
                continue;
            }
            match copying.file(*id)? {
                Outcome::Copied(hash) => {
                    copied.insert(*id, hash);
                }
                Outcome::Lost(reason) => {
                    lost.insert(*id, reason);
                }
                Outcome::Gone if gone.contains(id) => {
                    lost.insert(*id, LostReason::Missing);
                }
                Outcome::Gone => {
                    gone.insert(*id);
                    complete = false;
                }
            }
        }
        if !complete {
            continue;
        }
        copied.retain(|id, _| {
            let is_named = named.contains(id);
            if !is_named {
                into.discard(*id);
            }
            is_named
        });
        lost.retain(|id, _| named.contains(id));
        // If the whole storage is gone by now, no single file was lost.
        storage_identity::check(&database, from)?;
        linked.retain(|id| copied.contains_key(id));
        let linked = linked.len();
        let files = copied.into_iter().map(|(id, hash)| (id.into(), hash));
        let describe = |(id, reason): (FileId, LostReason)| {
            let ideas = copying.verification.ideas_of(id)?;
            Ok::<_, CommandError>((FileName::from(id), LostFile { reason, ideas }))
        };
        return Ok(Copies {
            files: files.collect(),
            linked,
            lost: lost.into_iter().map(describe).collect::<Result<_, _>>()?,
        });
    }
    Err(CommandError::Unsteady)
}

/// A reader that hashes the bytes that pass through.
struct Hashed<R> {
    bytes: R,
    hash: KeyedHash,
    /// Set if reading failed before the end.
    failed: bool,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer);
        self.failed |= read
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        let length = read?;
        self.hash.update(buffer.get(..length).unwrap_or_default());
        Ok(length)
    }
}

/// Makes a file readable to its owner only, regardless of how it was created.
fn make_private(path: &Path) -> Result<(), CommandError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(path, private).map_err(CommandError::at(path))?;
    }
    Ok(())
}

/// Copies every file of a backup. Returns their ids.
///
/// # Errors
/// [`CommandError`]; no copy is left then.
pub(super) fn copy_back(
    from: &FolderStorage,
    into: &dyn Blobs,
) -> Result<Vec<FileId>, CommandError> {
    let mut copied = Vec::new();
    let copying = copy_all(from, into, &mut copied);
    if copying.is_err() {
        copied.iter().for_each(|id| into.discard(*id));
    }
    copying.map(|()| copied)
}

fn copy_all(
    from: &FolderStorage,
    into: &dyn Blobs,
    copied: &mut Vec<FileId>,
) -> Result<(), CommandError> {
    loop {
        let page = from.list(copied.last().copied(), PAGE)?;
        if page.is_empty() {
            return Ok(());
        }
        for file in page {
            into.put(file.id, &mut from.open(file.id, 0..u64::MAX)?)?;
            copied.push(file.id);
        }
    }
}
