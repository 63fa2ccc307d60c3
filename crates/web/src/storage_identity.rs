//! Whether the files folder is the one of the database: both have the id of the
//! storage.
//!
//! Invariant: an id is in the database only once it is in a folder. So a folder
//! without it is another one, however soon it is looked at.

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

/// How many files tell whether a folder is the right one.
const SAMPLE: usize = 100;
/// Files that are looked up at a time.
const PAGE: i64 = 1_000;
/// How long what was found is believed.
const CHECK_EVERY: Duration = Duration::from_secs(2);
/// How long a check may take: a network that is gone answers nothing.
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a folder does not serve a database.
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
    /// The folder holds nothing of what the database knows.
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
    /// Files that the database knows are not in the folder.
    #[error(
        "{missing} of the {known} files that the database knows are not in {}: put them back, \
         or add --accept-missing to go on without them. The first one is {first}",
        folder.display()
    )]
    Missing {
        /// Which folder.
        folder: PathBuf,
        /// How many files the database knows.
        known: usize,
        /// How many of them are not there.
        missing: usize,
        /// One of them.
        first: FileId,
    },
    /// The folder cannot be read or written.
    #[error("the id of the files folder {} cannot be read or written", path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The files cannot be listed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The database cannot be read or written.
    #[error("the id of the files folder cannot be read from the database, or written to it")]
    Database(#[from] DatabaseError),
    /// There is no new id.
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

/// Makes sure that the folder is the one of the database. A database without an id
/// gets one, and its folder too.
///
/// # Errors
/// [`StorageIdentityError`]; then nothing has changed.
pub fn establish(
    database: &SqlDatabase,
    folder: &FolderStorage,
) -> Result<(), StorageIdentityError> {
    if check(database, folder)? {
        return Ok(());
    }
    let new = new_id()?;
    database.write(|session| {
        // Another server may have been first. Whoever else is about to do this waits
        // here, until it is done.
        let id = session.storage_identity().adopt_storage_id(new)?;
        if id != new {
            return compare(id, folder);
        }
        refuse_foreign(session, folder)?;
        folder.set_storage_id(id).map_err(at(folder))
    })
}

/// Whether the database has an id, which the folder has then too.
///
/// # Errors
/// [`StorageIdentityError`].
pub fn check(database: &SqlDatabase, folder: &FolderStorage) -> Result<bool, StorageIdentityError> {
    match database.read(|session| session.storage_identity().storage_id())? {
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

/// For a database that has no id, since it is new, or older than ids are.
fn refuse_foreign(
    session: &mut dyn Transaction,
    folder: &FolderStorage,
) -> Result<(), StorageIdentityError> {
    let limit = i64::try_from(SAMPLE).unwrap_or(PAGE);
    let known = session.storage_identity().file_ids_after(None, limit)?;
    for id in &known {
        if folder.holds(*id).map_err(at(folder))? {
            return Ok(());
        }
    }
    if !known.is_empty() {
        return Err(StorageIdentityError::Empty(folder.path().to_owned()));
    }
    // An id without files is what a start has left that was interrupted.
    let is_marked = folder.storage_id().map_err(at(folder))?.is_some();
    if is_marked && !folder.list(None, 1)?.is_empty() {
        return Err(StorageIdentityError::Taken(folder.path().to_owned()));
    }
    Ok(())
}

/// Gives both a new id: whoever serves the database with another folder is told apart
/// from now on.
///
/// # Errors
/// [`StorageIdentityError`].
pub fn renew(database: &SqlDatabase, folder: &FolderStorage) -> Result<(), StorageIdentityError> {
    let new = new_id()?;
    database.write(|session| {
        session.storage_identity().replace_storage_id(new)?;
        folder.set_storage_id(new).map_err(at(folder))
    })
}

/// Makes the folder the one of the database, although it was not; answers how many
/// files the database knows, and how many of these are missing.
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
        let page =
            database.read(|session| session.storage_identity().file_ids_after(last, PAGE))?;
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

/// Looks now and then whether the folder is still the right one.
pub struct StorageWatch {
    database: Arc<SqlDatabase>,
    folder: Arc<FolderStorage>,
    /// Whoever has it checks; the others go by what was found before.
    checking: Mutex<()>,
    found: Mutex<Found>,
}

#[derive(Clone, Copy, Default)]
struct Found {
    since: Option<Instant>,
    problem: Option<&'static str>,
}

impl StorageWatch {
    /// Watches that folder of that database.
    pub fn new(database: Arc<SqlDatabase>, folder: Arc<FolderStorage>) -> Self {
        Self {
            database,
            folder,
            checking: Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// What is wrong with the folder, if anything is. Blocks.
    ///
    /// # Errors
    /// When the database does not answer.
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
            tracing::error!(error = crate::http::error::chain(&error), "{problem}");
        }
        Ok(Some(problem))
    }
}
