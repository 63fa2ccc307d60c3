//! `ideavault restore`.

use std::collections::BTreeSet;
use std::error::Error as _;
use std::io::Write;
use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use ideavault_application::verification::{Defect, Verification, Verified};
use ideavault_db::SqlDatabase;
use ideavault_domain::ids::FileId;
use ideavault_files::{Blobs, CheckpointFile, FolderStorage, SealedStorage};

use super::backup::copy_back;
use super::manifest::{DATABASE, FILES, FileName, LostFiles, Manifest, kind_of};
use super::{CommandError, Listed, integrity, write};
use crate::config::DataOptions;
use crate::data::{self, files_of};
use crate::keys::stored_master_keys;
use crate::platform::User;
use crate::storage_identity;

/// Options of `ideavault restore`.
#[derive(Args, Clone, Debug)]
pub struct RestoreOptions {
    /// Folder that `ideavault backup` made.
    pub folder: PathBuf,

    /// Where to restore to: a data folder without files, and an empty database.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Printed where nothing tells how far the log of events had been signed.
const WITHOUT_CHECKPOINT: &str = "Before you start the server, copy the newest log-checkpoint and \
    newest-idea that you have into the data folder. Without them, the server does not notice that \
    events are missing which it had signed after this backup.\n";

/// Restores a complete and unchanged backup, reads all of it, compares it with the recorded
/// digests, and reports it on `out`. The secret key has to be in place already.
pub fn restore(options: &RestoreOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let RestoreOptions { folder, data } = options;
    data::refuse_foreign_root(data)?;
    let manifest = authentic(options)?;
    // Before the files folder is touched, which a running server may be using.
    SqlDatabase::require_empty(&data.database_url())?;
    let files = files_of(data)?;
    if !files.list(None, 1)?.is_empty() {
        return Err(CommandError::HasFiles(files.name()));
    }
    let backup = folder.join(FILES);
    let backup = FolderStorage::open(&backup).map_err(CommandError::at(&backup))?;
    let copied =
        copy_all(options, &backup, files.as_ref()).inspect_err(|_| files.remove_if_empty())?;
    let lost = manifest.lost.keys().map(FileName::id);
    let verified = verify(data, files, lost.collect::<Result<_, _>>()?)?;
    let count = manifest.files.len();
    let damaged_files = verified.defects.iter().filter(|defect| defect.is_of_file());
    let is_whole = copied.len() == count && verified.files + damaged_files.count() == count;
    if !is_whole || verified.lost != manifest.lost.len() {
        return Err(CommandError::Incomplete);
    }
    let Verified {
        ideas,
        revisions,
        comments,
        evidence,
        files,
        defects,
        ..
    } = verified;
    let text = format!(
        "Restored and compared: ideas: {ideas}, versions: {revisions}, comments: {comments}, \
         entries of evidence: {evidence}, files: {files}. All are as they were saved.\n"
    );
    write(out, &text)?;
    if !manifest.lost.is_empty() {
        let lost = LostFiles(manifest.lost);
        let text =
            format!("These files were lost before the backup was made, and are missing:{lost}\n");
        write(out, &text)?;
    }
    let checkpoint = CheckpointFile::new(&data.data_dir);
    if !checkpoint
        .exists()
        .map_err(CommandError::at(&data.data_dir))?
    {
        write(out, WITHOUT_CHECKPOINT)?;
    }
    if User::current() == Some(User::ROOT) {
        let folder = data.data_dir.display();
        let text = format!(
            "All of it belongs to root, who ran this. If the server runs as another user, such as \
             ideavault, give it that user before you start it: chown -R ideavault: {folder}\n"
        );
        write(out, &text)?;
    }
    if defects.is_empty() {
        Ok(())
    } else {
        Err(CommandError::Damaged(Listed::of(
            defects.iter().map(described),
        )))
    }
}

/// Restores files and database. Returns the files; after a failure, none is left.
fn copy_all(
    options: &RestoreOptions,
    backup: &FolderStorage,
    files: &dyn Blobs,
) -> Result<Vec<FileId>, CommandError> {
    let copied = copy_back(backup, files)?;
    let database = options.folder.join(DATABASE);
    SqlDatabase::restore(&options.data.database_url(), &database)
        .inspect_err(|_| copied.iter().for_each(|id| files.discard(*id)))?;
    Ok(copied)
}

/// Returns a defect with its causes.
fn described(defect: &Defect) -> String {
    let causes = iter::successors(defect.source(), |cause| (*cause).source());
    iter::once(defect.to_string())
        .chain(causes.map(ToString::to_string))
        .collect::<Vec<_>>()
        .join(": ")
}

/// Returns the manifest of the backup after checking all parts, before anything is written.
fn authentic(options: &RestoreOptions) -> Result<Manifest, CommandError> {
    let RestoreOptions { folder, data } = options;
    let keys = stored_master_keys(data.secret_key(), &data.data_dir)?;
    let (manifest, key) = Manifest::read(folder, &keys)?;
    if manifest.database != kind_of(&data.database_url()) {
        return Err(CommandError::OtherDatabase);
    }
    integrity::check(folder, &manifest, key)?;
    Ok(manifest)
}

/// Verifies everything that was restored, and binds the files folder to the database.
fn verify(
    data: &DataOptions,
    files: Arc<dyn Blobs>,
    lost: BTreeSet<FileId>,
) -> Result<Verified, CommandError> {
    let opened = data::open_existing(data)?;
    let storage = SealedStorage::new(Arc::clone(&files), Arc::new(opened.ring))?;
    let database = Arc::new(opened.database);
    let verification = Verification::new(Arc::clone(&database), Arc::new(storage));
    let verified = verification.without(lost).verify()?;
    // A new id, because the vault that the backup was made of may continue with its own
    // folder.
    storage_identity::renew(&database, files.as_ref())?;
    Ok(verified)
}
