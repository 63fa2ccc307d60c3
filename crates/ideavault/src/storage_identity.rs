//! Checks that the files folder belongs to the database: both hold the same storage id.
//!
//! Invariant: the database holds an id only after the folder holds it. A folder without an
//! id is therefore the wrong one, at any moment.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use ideavault_crypto::SystemRandom;
use ideavault_db::SqlDatabase;
use ideavault_domain::ids::{FileId, StorageId};
use ideavault_domain::ports::{
    Database as _, DatabaseError, PortError, Random as _, StorageError, Transaction,
};
use ideavault_files::{Blobs as _, FolderStorage};
use thiserror::Error;

/// Number of files that are looked up to recognize a folder.
const SAMPLE: usize = 100;
/// Files that are looked up at a time.
const PAGE: i64 = 1_000;
/// Time for which the result of a check is reused.
const CHECK_EVERY: Duration = Duration::from_secs(2);
/// Timeout of a check: a network folder that is gone does not respond.
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);

/// Reasons why a folder cannot serve a database.
#[derive(Debug, Error)]
pub enum StorageIdentityError {
    /// The folder has no id, and the database has one.
    #[error(
        "the files folder {} is not known to be this vault's: it has no file storage-id. All \
         servers on one database have to share one files folder: give this one the data folder, \
         or the mount, of the others. If this is the vault's folder, put back without that \
         file, run `ideavault adopt-files` once with the same data folder and database",
        .0.display()
    )]
    Unmarked(PathBuf),
    /// The folder has another id than the database.
    #[error(
        "the files folder {} belongs to another vault: its storage-id is not the one that the \
         database has. All servers on one database have to share one files folder: give this \
         one the data folder, or the mount, of the others. If this is the right folder (of a \
         database that was put back, for instance), run `ideavault adopt-files` once with the \
         same data folder and database",
        .0.display()
    )]
    Other(PathBuf),
    /// The folder holds none of the files that the database names.
    #[error(
        "the files folder {} holds none of the files that the database knows: give this server \
         the data folder, or the mount, that has them. If they are lost, run `ideavault \
         adopt-files --accept-missing` once with the same data folder and database",
        .0.display()
    )]
    Empty(PathBuf),
    /// The folder holds files of another vault.
    #[error(
        "the files folder {} holds the files of another vault: give this database a data folder \
         of its own",
        .0.display()
    )]
    Taken(PathBuf),
    /// Files that the database names are not in the folder.
    #[error(
        "{missing} of the {known} files that the database knows are not in {}: put them back, \
         or add --accept-missing to go on without them. The first one is {first}",
        folder.display()
    )]
    Missing {
        /// Path of the files folder.
        folder: PathBuf,
        /// Number of files that the database names.
        known: usize,
        /// Number of those that are missing.
        missing: usize,
        /// One of the missing files.
        first: FileId,
    },
    /// The folder cannot be read or written.
    #[error("the id of the files folder {} cannot be read or written", path.display())]
    Folder {
        /// Path of the files folder.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: io::Error,
    },
    /// The files cannot be listed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The database cannot be read or written.
    #[error("the id of the files folder cannot be read from the database, or written to it")]
    Database(#[from] DatabaseError),
    /// No randomness is available for a new id.
    #[error(transparent)]
    Random(#[from] PortError),
}

fn at(folder: &FolderStorage) -> impl FnOnce(io::Error) -> StorageIdentityError {
    let path = folder.path().to_owned();
    move |source| StorageIdentityError::Folder { path, source }
}

fn new_id() -> Result<StorageId, PortError> {
    let mut bytes = [0; 16];
    SystemRandom.fill(&mut bytes)?;
    Ok(StorageId::from_random(bytes))
}

/// Ensures that the folder belongs to the database. Gives both an id if the database has
/// none.
///
/// # Errors
/// [`StorageIdentityError`]; nothing has changed then.
pub fn establish(
    database: &SqlDatabase,
    folder: &FolderStorage,
) -> Result<(), StorageIdentityError> {
    if check(database, folder)? {
        return Ok(());
    }
    let new = new_id()?;
    database.write(|tx| {
        // Another server may have been first: a second writer waits here until the first has
        // committed.
        let id = tx.storage_identity().adopt_storage_id(new)?;
        if id != new {
            return compare(id, folder);
        }
        refuse_foreign(tx, folder)?;
        folder.set_storage_id(id).map_err(at(folder))
    })
}

/// Returns whether the database has an id, after comparing it with the folder's.
///
/// # Errors
/// [`StorageIdentityError`].
pub fn check(database: &SqlDatabase, folder: &FolderStorage) -> Result<bool, StorageIdentityError> {
    match database.read(|tx| tx.storage_identity().storage_id())? {
        Some(id) => compare(id, folder).map(|()| true),
        None => Ok(false),
    }
}

fn compare(id: StorageId, folder: &FolderStorage) -> Result<(), StorageIdentityError> {
    match folder.storage_id().map_err(at(folder))? {
        Some(found) if found == id => Ok(()),
        Some(_) => Err(StorageIdentityError::Other(folder.path().to_owned())),
        None => Err(StorageIdentityError::Unmarked(folder.path().to_owned())),
    }
}

/// Fails if the folder holds another vault's files. For a database without an id: a new one,
/// or one from before ids were introduced.
fn refuse_foreign(
    tx: &mut dyn Transaction,
    folder: &FolderStorage,
) -> Result<(), StorageIdentityError> {
    let limit = i64::try_from(SAMPLE).unwrap_or(PAGE);
    let known = tx.inspection().file_ids_after(None, limit)?;
    for id in &known {
        if folder.holds(*id).map_err(at(folder))? {
            return Ok(());
        }
    }
    if !known.is_empty() {
        return Err(StorageIdentityError::Empty(folder.path().to_owned()));
    }
    // An id without files is left behind by an interrupted start.
    let is_marked = folder.storage_id().map_err(at(folder))?.is_some();
    if is_marked && !folder.list(None, 1)?.is_empty() {
        return Err(StorageIdentityError::Taken(folder.path().to_owned()));
    }
    Ok(())
}

/// Gives database and folder a new id, so that a server with the former folder is refused
/// from now on.
///
/// # Errors
/// [`StorageIdentityError`].
pub fn renew(database: &SqlDatabase, folder: &FolderStorage) -> Result<(), StorageIdentityError> {
    let new = new_id()?;
    database.write(|tx| {
        tx.storage_identity().replace_storage_id(new)?;
        folder.set_storage_id(new).map_err(at(folder))
    })
}

/// Makes the folder the one of the database. Returns how many files the database names, and
/// how many of them are missing.
///
/// # Errors
/// [`StorageIdentityError`], of which [`StorageIdentityError::Missing`] unless
/// `accept_missing`; then nothing has changed.
pub fn adopt(
    database: &SqlDatabase,
    folder: &FolderStorage,
    accept_missing: bool,
) -> Result<(usize, usize), StorageIdentityError> {
    let (mut known, mut missing) = (0, Vec::new());
    let mut last = None;
    loop {
        let page = database.read(|tx| tx.inspection().file_ids_after(last, PAGE))?;
        for id in &page {
            known += 1;
            if !folder.holds(*id).map_err(at(folder))? {
                missing.push(*id);
            }
        }
        match page.last() {
            Some(id) => last = Some(*id),
            None => break,
        }
    }
    if let Some(first) = missing.first().filter(|_| !accept_missing) {
        return Err(StorageIdentityError::Missing {
            folder: folder.path().to_owned(),
            known,
            missing: missing.len(),
            first: *first,
        });
    }
    renew(database, folder)?;
    Ok((known, missing.len()))
}

/// Checks repeatedly that the folder is still the right one.
pub struct StorageWatch {
    database: Arc<SqlDatabase>,
    folder: Arc<FolderStorage>,
    /// Held by the thread that checks. Others use the last result meanwhile.
    checking: Mutex<()>,
    found: Mutex<Found>,
}

#[derive(Clone, Copy, Default)]
struct Found {
    since: Option<Instant>,
    problem: Option<&'static str>,
}

impl StorageWatch {
    /// Watches `folder`, which belongs to `database`.
    pub fn new(database: Arc<SqlDatabase>, folder: Arc<FolderStorage>) -> Self {
        Self {
            database,
            folder,
            checking: Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// Returns what is wrong with the folder; none if it is the right one. Blocks.
    ///
    /// # Errors
    /// [`DatabaseError`] if the database cannot be read.
    pub fn problem(&self) -> Result<Option<&'static str>, DatabaseError> {
        let found = self.found();
        let age = found.since.map(|since| since.elapsed());
        if age.is_some_and(|age| age < CHECK_EVERY) {
            return Ok(found.problem);
        }
        let _checking = match self.checking.try_lock() {
            Ok(checking) => checking,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let is_late = age.is_some_and(|age| age > CHECK_TIMEOUT);
                let late = "the files folder does not answer";
                return Ok(found.problem.or(is_late.then_some(late)));
            }
        };
        let problem = self.look()?;
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Found {
            since: Some(Instant::now()),
            problem,
        };
        Ok(problem)
    }

    fn found(&self) -> Found {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self) -> Result<Option<&'static str>, DatabaseError> {
        let error = match check(&self.database, &self.folder) {
            Ok(_) => return Ok(None),
            Err(StorageIdentityError::Database(error)) => return Err(error),
            Err(error) => error,
        };
        let problem = match error {
            StorageIdentityError::Unmarked(_) => "the files folder has no storage-id any more",
            StorageIdentityError::Folder { .. } => "the files folder cannot be read",
            _ => "the files folder is not the one of this database",
        };
        if self.found().problem != Some(problem) {
            tracing::error!(error = ideavault_web::chain(&error), "{problem}");
        }
        Ok(Some(problem))
    }
}
