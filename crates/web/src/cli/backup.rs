//! `ideavault backup`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use chrono::{SecondsFormat, Utc};
use clap::Args;
use ideavault_db::Database;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::StorageError;
use ideavault_files::{Blobs, FolderStorage};

use super::key_lock::KeyLock;
use super::manifest::{self, DATABASE, FILES, Manifest};
use super::{CommandError, write};
use crate::config::DataOptions;
use crate::data::{DataError, files_of};

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
    if target.exists() {
        return Err(CommandError::Exists(target.clone()));
    }
    // A key that was replaced meanwhile would be gone, and open half of the backup.
    let (_lock, opened) = KeyLock::open(&options.data)?;
    let partial = partial_of(target)?;
    let from = files_of(&options.data.data_dir)?;
    let into = FolderStorage::open(&partial.join(FILES)).map_err(CommandError::at(&partial))?;
    let kept = copy(&opened.database, &from, &into, &partial.join(DATABASE))?;
    let manifest = Manifest {
        format: manifest::FORMAT,
        created_at: Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true),
        database: manifest::kind_of(&options.data.database_url()),
        database_sha256: manifest::digest_of(&partial.join(DATABASE))?,
        files: kept.len(),
        secret_key_id: manifest::key_id(opened.current.id().map_err(DataError::from)?),
    };
    manifest.write(&partial)?;
    fs::rename(&partial, target).map_err(CommandError::at(target))?;
    let files = kept.len();
    let key = match opened.keys.len() {
        1 => "The secret key is not: keep it elsewhere.",
        _ => "The secret keys are not: keep all of them elsewhere, since they are being rotated.",
    };
    let text = format!(
        "The database and {files} files are in {}. {key}\n",
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
fn copy(
    database: &Database,
    from: &FolderStorage,
    into: &FolderStorage,
    to: &Path,
) -> Result<BTreeSet<FileId>, CommandError> {
    let mut copied = BTreeSet::new();
    for _ in 0..ATTEMPTS {
        if to.exists() {
            fs::remove_file(to).map_err(CommandError::at(to))?;
        }
        let named: BTreeSet<FileId> = database.back_up(to)?.into_iter().collect();
        let mut complete = true;
        for id in named.difference(&copied.clone()) {
            match from.open(*id, 0..u64::MAX) {
                Ok(mut bytes) => into.put(*id, &mut bytes)?,
                Err(StorageError::Missing { .. }) => {
                    complete = false;
                    continue;
                }
                Err(error) => return Err(error.into()),
            }
            copied.insert(*id);
        }
        if complete {
            copied.difference(&named).for_each(|id| into.discard(*id));
            return Ok(named);
        }
    }
    Err(CommandError::Unsteady)
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
