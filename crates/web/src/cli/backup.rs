//! `ideavault backup`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{SecondsFormat, Utc};
use clap::Args;
use ideavault_application::audit::Audit;
use ideavault_crypto::{KeyedHash, MasterKey};
use ideavault_db::Database;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::StorageError;
use ideavault_files::{Blobs, FolderStorage};

use super::key_lock::KeyLock;
use super::manifest::{self, DATABASE, FILES, FileName, Manifest, content_hash};
use super::{CommandError, integrity, write};
use crate::config::DataOptions;
use crate::data::{DataError, files_of};
use crate::platform::SystemClock;

/// How often the database is copied again because a file that it names was
/// deleted while the files were copied.
const ATTEMPTS: usize = 5;
/// Files that are listed at a time.
const PAGE: usize = 1_000;

/// Options of `ideavault backup`.
#[derive(Args, Clone, Debug)]
pub struct BackupOptions {
    /// Folder to make, with the backup in it.
    pub folder: PathBuf,

    /// Make none: check that the backup in that folder is complete, and that
    /// nobody has changed it. Needs the secret key alone.
    #[arg(long)]
    pub verify: bool,

    /// What to back up.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Copies the database and the files, as they are at one moment, while servers
/// run or not, and says so on `out`. The folder appears when it is complete.
///
/// # Errors
/// [`CommandError`].
pub fn back_up(options: &BackupOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let target = &options.folder;
    if options.verify {
        return integrity::verify(target, &options.data, out);
    }
    if target.exists() {
        return Err(CommandError::Exists(target.clone()));
    }
    // A key that was replaced meanwhile would be gone, and open half of the backup.
    let (_lock, opened) = KeyLock::open(&options.data)?;
    let partial = partial_of(target)?;
    let from = files_of(&options.data.data_dir)?;
    let into = FolderStorage::open(&partial.join(FILES)).map_err(CommandError::at(&partial))?;
    let database = partial.join(DATABASE);
    let key = &opened.current;
    let files = copy(&opened.database, &from, &into, &database, key)?;
    make_private(&database)?;
    let count = files.len();
    let manifest = Manifest {
        format: manifest::FORMAT,
        created_at: Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true),
        database: manifest::kind_of(&options.data.database_url()),
        database_hash: manifest::hash_of(&database, key)?,
        files,
        secret_key_id: manifest::key_id(key.id().map_err(DataError::from)?),
    };
    manifest.write(&partial, key)?;
    fs::rename(&partial, target).map_err(CommandError::at(target))?;
    Audit::new(Arc::new(opened.database), Arc::new(SystemClock)).backed_up()?;
    let key = match opened.keys.len() {
        1 => "The secret key is not: keep it elsewhere.",
        _ => "The secret keys are not: keep all of them elsewhere, since they are being rotated.",
    };
    let text = format!(
        "The database and {count} files are in {}. {key}\n",
        target.display()
    );
    write(out, &text)
}

/// A new folder beside `target`, without what an interruption has left there.
fn partial_of(target: &Path) -> Result<PathBuf, CommandError> {
    let mut name = target.as_os_str().to_owned();
    name.push(".partial");
    let partial = PathBuf::from(name);
    if partial.exists() {
        fs::remove_dir_all(&partial).map_err(CommandError::at(&partial))?;
    }
    Ok(partial)
}

/// Copies the database, and then the files that the copy names. One that is
/// gone meanwhile has lost its row too: then the database is copied again.
/// Answers the keyed hash of each file.
fn copy(
    database: &Database,
    from: &FolderStorage,
    into: &FolderStorage,
    to: &Path,
    key: &MasterKey,
) -> Result<BTreeMap<FileName, String>, CommandError> {
    let mut copied = BTreeMap::new();
    for _ in 0..ATTEMPTS {
        if to.exists() {
            fs::remove_file(to).map_err(CommandError::at(to))?;
        }
        let named: BTreeSet<FileId> = database.back_up(to)?.into_iter().collect();
        let mut complete = true;
        for id in &named {
            if copied.contains_key(id) {
                continue;
            }
            match from.open(*id, 0..u64::MAX) {
                Ok(bytes) => {
                    let mut hashed = Hashed {
                        bytes,
                        hash: content_hash(key)?,
                    };
                    into.put(*id, &mut hashed)?;
                    copied.insert(*id, hashed.hash.finish());
                }
                Err(StorageError::Missing { .. }) => complete = false,
                Err(error) => return Err(error.into()),
            }
        }
        if complete {
            copied.retain(|id, _| {
                let is_named = named.contains(id);
                if !is_named {
                    into.discard(*id);
                }
                is_named
            });
            let files = copied.into_iter();
            return Ok(files.map(|(id, hash)| (id.into(), hash)).collect());
        }
    }
    Err(CommandError::Unsteady)
}

/// Bytes that are hashed as they are read.
struct Hashed<R> {
    bytes: R,
    hash: KeyedHash,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        self.hash.update(buffer.get(..length).unwrap_or_default());
        Ok(length)
    }
}

/// Lets only its owner read a file, whatever made it.
fn make_private(path: &Path) -> Result<(), CommandError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let private = fs::Permissions::from_mode(0o600);
        fs::set_permissions(path, private).map_err(CommandError::at(path))?;
    }
    Ok(())
}

/// Copies every file of a backup; answers which.
///
/// # Errors
/// [`CommandError`]; then none is left.
pub(super) fn copy_back(
    from: &FolderStorage,
    into: &FolderStorage,
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
    into: &FolderStorage,
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

/// Makes a file durable.
pub(super) fn sync(path: &Path) -> Result<(), CommandError> {
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(CommandError::at(path))
}
