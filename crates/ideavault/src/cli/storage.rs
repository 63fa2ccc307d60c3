//! `ideavault storage copy`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::str::FromStr;
use std::sync::Arc;

use clap::{Args, Subcommand};
use ideavault_application::verification::{FileState, Verification};
use ideavault_db::SqlDatabase;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::Database as _;
use ideavault_files::{Blobs, BucketAddress, BucketError, SealedStorage};

use super::backup::{Copying, Outcome};
use super::manifest::{FileName, LostFile, LostFiles, LostReason};
use super::{CommandError, write};
use crate::config::{DataOptions, StorageOptions};
use crate::data::{self, files_of};
use crate::storage_identity::{self, StorageIdentityError};

/// Files that are listed at a time.
const PAGE: usize = 1_000;

/// Commands about the storage of files.
#[derive(Subcommand, Clone, Debug)]
pub enum StorageCommand {
    /// Copy the files that another storage lacks, while servers run, and say how to move there.
    Copy(CopyOptions),
}

/// Options of `ideavault storage copy`.
#[derive(Args, Clone, Debug)]
pub struct CopyOptions {
    /// s3://BUCKET/PREFIX, with the same endpoint and access key; or `folder`, which is the
    /// one in the data folder.
    #[arg(long)]
    pub to: Destination,

    /// Location of the vault, as the servers have it.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Where files can be copied to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The folder in the data folder.
    Folder,
    /// A bucket.
    Bucket(BucketAddress),
}

impl FromStr for Destination {
    type Err = BucketError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "folder" => Ok(Self::Folder),
            bucket => bucket.parse().map(Self::Bucket),
        }
    }
}

/// Copies every file that the other storage lacks or has damaged, compares each copy, also an
/// earlier one, with the digest on record, and reports it on `out`. The vault stays where it is.
///
/// # Errors
/// [`CommandError`]; [`CommandError::NotCopied`] if files of the vault are lost.
pub fn storage(command: &StorageCommand, out: &mut dyn Write) -> Result<(), CommandError> {
    let StorageCommand::Copy(options) = command;
    let opened = data::open_existing(&options.data)?;
    let from = files_of(&options.data)?;
    if !storage_identity::check(&opened.database, from.as_ref())? {
        return Err(StorageIdentityError::Unmarked(from.name()).into());
    }
    let into = files_of(&options.elsewhere())?;
    if into.name() == from.name() {
        return Err(CommandError::SameStorage(from.name()));
    }
    let database = Arc::new(opened.database.clone());
    let sealed = SealedStorage::new(Arc::clone(&into), Arc::new(opened.ring.clone()))?;
    let copying = Copying {
        from: from.as_ref(),
        into: into.as_ref(),
        key: &opened.current,
        verification: Verification::new(Arc::clone(&database), Arc::new(sealed)),
    };
    let there = files_in(into.as_ref(), &database)?;
    let (mut copied, mut known) = (0_usize, 0_usize);
    let mut lost = BTreeMap::new();
    let mut last = None;
    loop {
        let limit = i64::try_from(PAGE).unwrap_or(i64::MAX);
        let page = database.read(|tx| tx.inspection().file_ids_after(last, limit));
        let page = page.map_err(StorageIdentityError::from)?;
        let Some(end) = page.last() else { break };
        last = Some(*end);
        for id in page {
            if there.contains(&id) {
                match copying.verification.file_state(id)? {
                    FileState::Intact => {
                        known += 1;
                        continue;
                    }
                    FileState::Deleted => continue,
                    // An earlier run ended before it had compared the copy. It may be the last
                    // one, and only unreadable for now.
                    FileState::Damaged if !from.holds(id)? => {}
                    FileState::Damaged => into.discard(id),
                }
            }
            let reason = match copying.file(id)? {
                Outcome::Copied(_) => {
                    copied += 1;
                    continue;
                }
                Outcome::Lost(reason) => reason,
                Outcome::Gone if is_deleted(&copying, id)? => continue,
                Outcome::Gone => LostReason::Missing,
            };
            let ideas = copying.verification.ideas_of(id)?;
            lost.insert(FileName::from(id), LostFile { reason, ideas });
        }
    }
    if !lost.is_empty() {
        // If the whole storage is gone by now, no single file was lost.
        storage_identity::check(&opened.database, from.as_ref())?;
    }
    let setting = match &options.to {
        Destination::Folder => "remove IDEAVAULT_STORAGE from the settings".to_owned(),
        Destination::Bucket(address) => format!("set IDEAVAULT_STORAGE={address}"),
    };
    let text = format!(
        "{copied} files were copied to the {}, {known} were there already. To move the vault \
         there: stop all servers, run this again for what has come meanwhile, {setting}, run \
         `ideavault adopt-files`, and start the servers.\n",
        into.name()
    );
    write(out, &text)?;
    if lost.is_empty() {
        Ok(())
    } else {
        Err(CommandError::NotCopied(LostFiles(lost)))
    }
}

impl CopyOptions {
    /// Returns the location of the vault with the files where they are copied to.
    fn elsewhere(&self) -> DataOptions {
        let storage = match &self.to {
            Destination::Folder => None,
            Destination::Bucket(address) => Some(address.clone()),
        };
        DataOptions {
            storage: StorageOptions {
                storage,
                ..self.data.storage.clone()
            },
            ..self.data.clone()
        }
    }
}

/// Returns the files in a storage. Fails if it has some and the database knows none of them:
/// mixed with those of another vault, either would remove those of the other.
fn files_in(blobs: &dyn Blobs, database: &SqlDatabase) -> Result<BTreeSet<FileId>, CommandError> {
    let mut found = BTreeSet::new();
    let mut any_known = false;
    loop {
        let page = blobs.list(found.last().copied(), PAGE)?;
        if page.is_empty() {
            break;
        }
        let ids: Vec<_> = page.into_iter().map(|blob| blob.id).collect();
        let known = database.read(|tx| tx.files().existing_files(&ids));
        any_known |= !known.map_err(StorageIdentityError::from)?.is_empty();
        found.extend(ids);
    }
    if any_known || found.is_empty() {
        Ok(found)
    } else {
        Err(StorageIdentityError::Taken(blobs.name()).into())
    }
}

fn is_deleted(copying: &Copying<'_>, id: FileId) -> Result<bool, CommandError> {
    let state = copying.verification.file_state(id)?;
    Ok(matches!(state, FileState::Deleted))
}
