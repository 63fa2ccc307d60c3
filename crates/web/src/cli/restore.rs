//! `ideavault restore`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use ideavault_application::verification::{Verification, Verified};
use ideavault_db::Database;
use ideavault_files::{Blobs, FolderStorage, SealedStorage};

use super::backup::copy_back;
use super::manifest::{DATABASE, FILES, Manifest, digest_of, key_id, kind_of};
use super::{CommandError, write};
use crate::config::DataOptions;
use crate::data::{self, DataError, files_of};
use crate::keys::stored_master_keys;

/// Options of `ideavault restore`.
#[derive(Args, Clone, Debug)]
pub struct RestoreOptions {
    /// Folder that `ideavault backup` has made.
    pub folder: PathBuf,

    /// Where to restore it: a data folder without files, and an empty database.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Puts a backup back, reads all of it, compares it with the digests on record,
/// and says so on `out`. The secret key has to be there already.
///
/// # Errors
/// [`CommandError`].
pub fn restore(options: &RestoreOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let RestoreOptions { folder, data } = options;
    let manifest = Manifest::read(folder)?;
    check(&manifest, options)?;
    let files = files_of(&data.data_dir)?;
    if !files.list(None, 1)?.is_empty() {
        return Err(CommandError::Exists(data.data_dir.clone()));
    }
    let backup = folder.join(FILES);
    let backup = FolderStorage::open(&backup).map_err(CommandError::at(&backup))?;
    let copied = copy_back(&backup, &files)?;
    Database::restore(&data.database_url(), &folder.join(DATABASE))
        .inspect_err(|_| copied.iter().for_each(|id| files.discard(*id)))?;
    let verified = verify(data, files)?;
    if copied.len() != manifest.files || verified.files != manifest.files {
        return Err(CommandError::Incomplete);
    }
    let Verified {
        ideas,
        revisions,
        comments,
        evidence,
        files,
    } = verified;
    let text = format!(
        "Restored and read: {ideas} ideas, {revisions} revisions, {comments} comments, \
         {evidence} entries of evidence, {files} files. All are as they were saved.\n"
    );
    write(out, &text)
}

/// What can be known before anything is written.
fn check(manifest: &Manifest, options: &RestoreOptions) -> Result<(), CommandError> {
    let RestoreOptions { folder, data } = options;
    if manifest.database != kind_of(&data.database_url()) {
        return Err(CommandError::OtherDatabase);
    }
    let keys = stored_master_keys(data.secret_key.as_deref(), &data.data_dir)?;
    let mut ids = Vec::new();
    for key in keys {
        ids.push(key_id(key.id().map_err(DataError::from)?));
    }
    if !ids.contains(&manifest.secret_key_id) {
        return Err(CommandError::KeyOfBackup);
    }
    if digest_of(&folder.join(DATABASE))? == manifest.database_sha256 {
        Ok(())
    } else {
        Err(CommandError::Incomplete)
    }
}

fn verify(data: &DataOptions, files: FolderStorage) -> Result<Verified, CommandError> {
    let opened = data::open_existing(data)?;
    let storage = SealedStorage::new(Arc::new(files), Arc::new(opened.ring))?;
    let verification = Verification::new(Arc::new(opened.database), Arc::new(storage));
    Ok(verification.verify()?)
}
