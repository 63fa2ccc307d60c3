//! Checks that the file storage, a folder or a bucket, belongs to the database: both hold the
//! same storage id.
//!
//! Invariant: the database holds an id only after the storage holds it. A storage without an
//! id is therefore the wrong one, at any moment.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use ideavault_crypto::SystemRandom;
use ideavault_db::SqlDatabase;
use ideavault_domain::ids::{FileId, StorageId};
use ideavault_domain::ports::{Database as _, DatabaseError, PortError, Random as _, StorageError};
use ideavault_files::Blobs;
use thiserror::Error;

/// Files that are looked up at a time.
const PAGE: i64 = 1_000;
/// Time for which the result of a check is reused.
const CHECK_EVERY: Duration = Duration::from_secs(2);
/// Timeout of a check: a network folder that is gone does not respond.
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);

/// Reasons why a file storage cannot serve a database. Each names the storage.
#[derive(Debug, Error)]
pub enum StorageIdentityError {
    /// The storage has no id, and the database has one.
    #[error(
        "the {0} is not known to be this vault's: it has no file storage-id. All servers on one \
         database have to share one files folder or bucket: give this one the data folder, the \
         mount or the IDEAVAULT_STORAGE of the others. If this is the right one, put back \
         without that file, run `ideavault adopt-files` once with the same settings"
    )]
    Unmarked(String),
    /// The storage has another id than the database.
    #[error(
        "the {0} belongs to another vault: its storage-id is not the one that the database has. \
         All servers on one database have to share one files folder or bucket: give this one \
         the data folder, the mount or the IDEAVAULT_STORAGE of the others. If this is the right \
         one (of a database that was put back, for instance), run `ideavault adopt-files` once \
         with the same settings"
    )]
    Other(String),
    /// The storage holds files of another vault.
    #[error(
        "the {0} holds the files of another vault: give this database a data folder, or a prefix \
         in the bucket, of its own"
    )]
    Taken(String),
    /// Files that the database names are not in the storage.
    #[error(
        "{missing} of the {known} files that the database knows are not in the {storage}: put \
         them back, or add --accept-missing to go on without them. The first one is {first}"
    )]
    Missing {
        /// The storage.
        storage: String,
        /// Number of files that the database names.
        known: usize,
        /// Number of those that are missing.
        missing: usize,
        /// One of the missing files.
        first: FileId,
    },
    /// The storage cannot be read or written.
    #[error("the {storage} cannot be read or written")]
    Storage {
        /// The storage.
        storage: String,
        /// The underlying error.
        #[source]
        source: StorageError,
    },
    /// The database cannot be read or written.
    #[error("the id of the file storage cannot be read from the database, or written to it")]
    Database(#[from] DatabaseError),
    /// No randomness is available for a new id.
    #[error(transparent)]
    Random(#[from] PortError),
}

fn at(blobs: &dyn Blobs) -> impl FnOnce(StorageError) -> StorageIdentityError {
    let storage = blobs.name();
    move |source| StorageIdentityError::Storage { storage, source }
}

pub fn new_id() -> Result<StorageId, PortError> {
    let mut bytes = [0; 16];
    SystemRandom.fill(&mut bytes)?;
    Ok(StorageId::from_random(bytes))
}

/// Ensures that the storage belongs to the database. Gives both an id if the database has
/// none.
///
/// # Errors
/// [`StorageIdentityError`]; nothing has changed then.
pub fn establish(database: &SqlDatabase, blobs: &dyn Blobs) -> Result<(), StorageIdentityError> {
    if check(database, blobs)? {
        return Ok(());
    }
    let new = new_id()?;
    database.write(|tx| {
        // Another server may have been first: a second writer waits here until the first has
        // committed.
        let id = tx.storage_identity().adopt_storage_id(new)?;
        if id != new {
            return compare(id, blobs);
        }
        refuse_foreign(blobs)?;
        blobs.set_storage_id(id).map_err(at(blobs))
    })
}

/// Returns whether the database has an id, after comparing it with the storage's.
pub fn check(database: &SqlDatabase, blobs: &dyn Blobs) -> Result<bool, StorageIdentityError> {
    match database.read(|tx| tx.storage_identity().storage_id())? {
        Some(id) => compare(id, blobs).map(|()| true),
        None => Ok(false),
    }
}

fn compare(id: StorageId, blobs: &dyn Blobs) -> Result<(), StorageIdentityError> {
    match blobs.storage_id().map_err(at(blobs))? {
        Some(found) if found == id => Ok(()),
        Some(_) => Err(StorageIdentityError::Other(blobs.name())),
        None => Err(StorageIdentityError::Unmarked(blobs.name())),
    }
}

/// Fails if the storage holds another vault's files. For a new database, which names none.
fn refuse_foreign(blobs: &dyn Blobs) -> Result<(), StorageIdentityError> {
    // An id without files is left behind by an interrupted start.
    let is_marked = blobs.storage_id().map_err(at(blobs))?.is_some();
    if is_marked && !blobs.list(None, 1).map_err(at(blobs))?.is_empty() {
        return Err(StorageIdentityError::Taken(blobs.name()));
    }
    Ok(())
}

/// Gives the storage the id of a database that is tied to it.
pub fn mark(blobs: &dyn Blobs, id: StorageId) -> Result<(), StorageIdentityError> {
    blobs.set_storage_id(id).map_err(at(blobs))
}

/// Gives database and storage a new id, so that a server with the former storage is refused
/// from now on.
pub fn renew(database: &SqlDatabase, blobs: &dyn Blobs) -> Result<(), StorageIdentityError> {
    let new = new_id()?;
    database.write(|tx| {
        tx.storage_identity().replace_storage_id(new)?;
        blobs.set_storage_id(new).map_err(at(blobs))
    })
}

/// Makes the storage the one of the database. Returns how many files the database names, and
/// how many of them are missing.
///
/// # Errors
/// [`StorageIdentityError`], of which [`StorageIdentityError::Missing`] unless
/// `accept_missing`; then nothing has changed.
pub fn adopt(
    database: &SqlDatabase,
    blobs: &dyn Blobs,
    accept_missing: bool,
) -> Result<(usize, usize), StorageIdentityError> {
    let (mut known, mut missing) = (0, Vec::new());
    let mut last = None;
    loop {
        let page = database.read(|tx| tx.inspection().file_ids_after(last, PAGE))?;
        for id in &page {
            known += 1;
            if !blobs.holds(*id).map_err(at(blobs))? {
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
            storage: blobs.name(),
            known,
            missing: missing.len(),
            first: *first,
        });
    }
    renew(database, blobs)?;
    Ok((known, missing.len()))
}

/// Checks repeatedly that the storage is still the right one.
pub struct StorageWatch {
    database: Arc<SqlDatabase>,
    blobs: Arc<dyn Blobs>,
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
    /// Watches `blobs`, which belong to `database`.
    pub fn new(database: Arc<SqlDatabase>, blobs: Arc<dyn Blobs>) -> Self {
        Self {
            database,
            blobs,
            checking: Mutex::default(),
            found: Mutex::default(),
        }
    }

    /// Returns what is wrong with the storage; none if it is the right one. Blocks.
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
                let late = "the file storage does not answer";
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
        let error = match check(&self.database, self.blobs.as_ref()) {
            Ok(_) => return Ok(None),
            Err(StorageIdentityError::Database(error)) => return Err(error),
            Err(error) => error,
        };
        let problem = match error {
            StorageIdentityError::Unmarked(_) => "the file storage has no storage-id any more",
            StorageIdentityError::Storage { .. } => "the file storage cannot be read",
            _ => "the file storage is not the one of this database",
        };
        if self.found().problem != Some(problem) {
            tracing::error!(error = ideavault_web::chain(&error), "{problem}");
        }
        Ok(Some(problem))
    }
}
