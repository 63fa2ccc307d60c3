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

/// Options of `ideavault backup`.
#[derive(Args, Clone, Debug)]
pub struct BackupOptions {
    /// Folder of the backup. It is created, and must not exist yet.
    pub folder: PathBuf,

    /// Make no backup: check that the one in that folder is complete and unchanged. Needs
    /// only the secret key.
    #[arg(long)]
    pub verify: bool,

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
    let Copies { files, lost } = copy(&opened, from.as_ref(), &Arc::new(into), &database)?;
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
    let text = format!(
        "The database and {count} files are in {}. {key}\n",
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
}

/// Copies the database, and then the files that the copy names. A file may be deleted
/// meanwhile, with its row: then the database is copied again. Files that this copy still
/// names and that are still missing are lost.
fn copy(
    opened: &OpenVault,
    from: &dyn Blobs,
    into: &Arc<FolderStorage>,
    to: &Path,
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
        let files = copied.into_iter().map(|(id, hash)| (id.into(), hash));
        let describe = |(id, reason): (FileId, LostReason)| {
            let ideas = copying.verification.ideas_of(id)?;
            Ok::<_, CommandError>((FileName::from(id), LostFile { reason, ideas }))
        };
        return Ok(Copies {
            files: files.collect(),
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
