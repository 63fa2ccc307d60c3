//! Opens what every command works on.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ideavault_crypto::{KeyError, KeyRing, MasterKey};
use ideavault_db::{ConnectError, SqlDatabase};
use ideavault_domain::Timestamp;
use ideavault_domain::ports::{Database as _, DatabaseError, PortError, Vault as _};
use ideavault_files::FolderStorage;
use thiserror::Error;

use crate::config::DataOptions;
use crate::keys::{FILE_NAME as KEY_FILE, MasterKeyError, master_keys, stored_master_keys};

/// Where files are, in the data folder.
const FILES: &str = "files";

/// A database, and the keys that open what is in it.
pub struct Opened {
    /// The database.
    pub database: SqlDatabase,
    /// The master keys, the newest first. More than one while they are rotated.
    pub keys: Vec<MasterKey>,
    /// The one that seals what is in the database.
    pub current: MasterKey,
    /// What opens the sealed.
    pub ring: KeyRing,
}

/// Why there is no database to work on.
#[derive(Debug, Error)]
pub enum DataError {
    /// Nothing is where a command was told to look.
    #[error(
        "no vault was found with the data folder {}: give the right one with --data-dir or \
         IDEAVAULT_DATA_DIR (and its database with --database-url or IDEAVAULT_DATABASE_URL, if \
         it has one of its own). Only `ideavault serve` makes a new vault",
        .0.display()
    )]
    NoVault(PathBuf),
    /// The vault's key is not where it was told to be.
    #[error(
        "the secret key of this vault is not here: put it into {} or into IDEAVAULT_SECRET_KEY",
        .0.join(KEY_FILE).display()
    )]
    KeyMissing(PathBuf),
    /// The data folder cannot be made.
    #[error("the data folder {} cannot be used", path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// There is no usable master key.
    #[error(transparent)]
    MasterKey(#[from] MasterKeyError),
    /// A key cannot be derived.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// There is no key.
    #[error(transparent)]
    NoKey(#[from] PortError),
    /// The database is sealed with a key that is not here.
    #[error("the database is sealed with another secret key than the one that is configured")]
    OtherKey,
    /// The database cannot be opened.
    #[error("the database cannot be opened")]
    Connect(#[from] ConnectError),
    /// The database cannot be migrated.
    #[error("the database cannot be brought up to date")]
    Migrate(#[from] DatabaseError),
    /// The database cannot be read.
    #[error("the database cannot be read")]
    Read(#[source] DatabaseError),
}

impl DataError {
    /// What went wrong in the data folder.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Folder {
            path: path.to_owned(),
            source,
        }
    }
}

/// The vault that is configured, for the server: makes the data folder, the SQLite
/// file and the key file when there is none yet.
///
/// # Errors
/// [`DataError`]; then nothing was made where there was a vault without its key.
pub fn open_or_create(options: &DataOptions) -> Result<Opened, DataError> {
    let folder = &options.data_dir;
    let stored = stored_master_keys(options.secret_key.as_deref(), folder)?;
    // A new key would be of no use there.
    if stored.is_empty() && SqlDatabase::holds_vault(&options.database_url())? {
        return Err(DataError::KeyMissing(folder.clone()));
    }
    make(folder)?;
    let keys = master_keys(options.secret_key.as_deref(), folder)?;
    open(options, keys)
}

/// The vault that is configured, for every other command: makes nothing.
///
/// # Errors
/// [`DataError::NoVault`] and [`DataError::KeyMissing`] when it is not there, and
/// the others.
pub fn open_existing(options: &DataOptions) -> Result<Opened, DataError> {
    open(options, existing_keys(options)?)
}

/// The database of the vault that is configured, with the schema that it has.
///
/// # Errors
/// Those of [`open_existing`].
pub fn open_unchanged(options: &DataOptions) -> Result<SqlDatabase, DataError> {
    let ring = KeyRing::new(&existing_keys(options)?)?;
    Ok(SqlDatabase::connect(
        &options.database_url(),
        Arc::new(ring),
    )?)
}

/// The keys of a vault that is there.
fn existing_keys(options: &DataOptions) -> Result<Vec<MasterKey>, DataError> {
    let folder = &options.data_dir;
    let is_there = folder.is_dir() && SqlDatabase::holds_vault(&options.database_url())?;
    if !is_there {
        return Err(DataError::NoVault(folder.clone()));
    }
    let keys = stored_master_keys(options.secret_key.as_deref(), folder)?;
    if keys.is_empty() {
        return Err(DataError::KeyMissing(folder.clone()));
    }
    Ok(keys)
}

/// The database with a current schema, and its keys.
fn open(options: &DataOptions, keys: Vec<MasterKey>) -> Result<Opened, DataError> {
    let ring = KeyRing::new(&keys)?.with_source(source(options));
    let database = SqlDatabase::connect(&options.database_url(), Arc::new(ring.clone()))?;
    database.migrate()?;
    let newest = ring.master_key()?;
    let current = database.write(|session| session.master_keys().adopt_master_key(newest))?;
    let ids: Vec<_> = keys.iter().map(MasterKey::id).collect::<Result<_, _>>()?;
    let mut known = keys.iter().zip(ids);
    let (key, id) = known
        .find(|(_, id)| *id == current)
        .ok_or(DataError::OtherKey)?;
    ring.activate(id)?;
    let current = key.clone();
    Ok(Opened {
        database,
        keys,
        current,
        ring,
    })
}

/// Makes the data folder, unless there is one.
///
/// # Errors
/// [`DataError::Folder`].
fn make(folder: &Path) -> Result<(), DataError> {
    std::fs::create_dir_all(folder).map_err(DataError::at(folder))
}

/// The newest times that are on record, which the clock was at already.
///
/// # Errors
/// [`DataError::Read`].
pub fn newest_records(database: &SqlDatabase) -> Result<Vec<Timestamp>, DataError> {
    let newest = database.read(|session| {
        let told = session.newest_time().newest_time()?;
        let audited = session.audit().audit(None, 1)?;
        let audited = audited.first().map(|entry| entry.at);
        Ok::<_, DatabaseError>(told.into_iter().chain(audited).collect())
    });
    newest.map_err(DataError::Read)
}

/// Where the bytes of files are, in the data folder.
///
/// # Errors
/// [`DataError::Folder`].
pub fn files_of(data_dir: &Path) -> Result<FolderStorage, DataError> {
    let folder = data_dir.join(FILES);
    FolderStorage::open(&folder).map_err(DataError::at(&folder))
}

/// Reads the keys again when one is wanted that was not there at the start.
fn source(options: &DataOptions) -> impl Fn() -> Vec<MasterKey> + Send + Sync + 'static {
    let configured = options.secret_key.clone();
    let folder = options.data_dir.clone();
    move || {
        stored_master_keys(configured.as_deref(), &folder).unwrap_or_else(|error| {
            tracing::error!(%error, "the master keys cannot be read again");
            Vec::new()
        })
    }
}
