//! Verification of a backup against its manifest.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use ideavault_crypto::MasterKey;
use ideavault_files::{Blobs as _, FolderStorage};

use super::manifest::{DATABASE, FILES, FileName, LostFiles, Manifest, content_hash, hash_of};
use super::{CommandError, write};
use crate::config::DataOptions;
use crate::keys::{former_master_keys, stored_master_keys};

/// Files that are listed at a time.
const PAGE: usize = 1_000;
/// Largest number of differences that are reported.
const REPORTED_MAX: usize = 20;

/// Differences between a backup and its manifest.
#[derive(Debug, Default)]
pub struct Differences(Vec<String>);

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in self.0.iter().take(REPORTED_MAX) {
            write!(f, "\n  {difference}")?;
        }
        match self.0.len().checked_sub(REPORTED_MAX) {
            Some(more) if more > 0 => write!(f, "\n  and {more} more"),
            _ => Ok(()),
        }
    }
}

/// Checks a backup without restoring it, and reports the result on `out`.
pub(super) fn verify(
    folder: &Path,
    data: &DataOptions,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let mut keys = stored_master_keys(data.secret_key(), &data.data_dir)?;
    keys.extend(former_master_keys(&data.data_dir)?);
    let (manifest, key) = Manifest::read(folder, &keys)?;
    check(folder, &manifest, key)?;
    let Manifest {
        created_at,
        files,
        lost,
        secret_key_id,
        ..
    } = manifest;
    let state = match lost.len() {
        0 => "is complete and unchanged",
        _ => "is unchanged, but not complete",
    };
    let text = format!(
        "The backup of {created_at} {state}: the database and {} files. It opens with the \
         secret key {secret_key_id}.\n",
        files.len(),
    );
    write(out, &text)?;
    if lost.is_empty() {
        Ok(())
    } else {
        Err(CommandError::WithoutFiles(LostFiles(lost)))
    }
}

/// Compares the parts of the backup with its manifest.
///
/// # Errors
/// [`CommandError::Changed`] with the differences.
pub(super) fn check(
    folder: &Path,
    manifest: &Manifest,
    key: &MasterKey,
) -> Result<(), CommandError> {
    let mut differences = Vec::new();
    let database = folder.join(DATABASE);
    if !database.exists() {
        differences.push(format!("{DATABASE} is missing"));
    } else if hash_of(&database, key)? != manifest.database_hash {
        differences.push(format!("{DATABASE} was changed"));
    }
    let path = folder.join(FILES);
    let files = FolderStorage::open(&path).map_err(CommandError::at(&path))?;
    let mut present = BTreeSet::new();
    let mut last = None;
    loop {
        let page = files.list(last, PAGE)?;
        for file in &page {
            let name = FileName::from(file.id);
            let mut hash = content_hash(key)?;
            let mut bytes = files.open(file.id, 0..u64::MAX)?;
            io::copy(&mut bytes, &mut hash).map_err(CommandError::at(&path))?;
            match manifest.files.get(&name) {
                None => differences.push(format!("file {} does not belong to it", name.0)),
                Some(expected) if *expected != hash.finish() => {
                    differences.push(format!("file {} was changed", name.0));
                }
                Some(_) => {}
            }
            present.insert(name);
        }
        match page.last() {
            Some(file) => last = Some(file.id),
            None => break,
        }
    }
    let missing = manifest.files.keys().filter(|name| !present.contains(name));
    differences.extend(missing.map(|name| format!("file {} is missing", name.0)));
    if differences.is_empty() {
        Ok(())
    } else {
        Err(CommandError::Changed(Differences(differences)))
    }
}
