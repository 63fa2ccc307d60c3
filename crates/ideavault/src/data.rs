//! Opens the vault that a command works on: database, keys and files folder.

use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ideavault_crypto::{KeyError, KeyRing, MasterKey, SystemRandom};
use ideavault_db::{ConnectError, PoolSize, SqlDatabase};
use ideavault_domain::Timestamp;
use ideavault_domain::keys::CookieKey;
use ideavault_domain::ports::{
    Database as _, DatabaseError, Encryption as _, PortError, Random as _, StorageError,
};
use ideavault_files::{
    Blobs, BucketError, BucketStorage, CheckpointFile, FolderStorage, Limits, ScratchFolder,
};
use thiserror::Error;

use crate::config::DataOptions;
use crate::keys::{FILE_NAME as KEY_FILE, MasterKeyError, master_keys, stored_master_keys};
use crate::ownership::{ForeignVault, foreign_to_root};
use crate::platform::User;

/// Folder for files, inside the data folder.
pub(crate) const FILES: &str = "files";
/// Folder for what is being received, inside that one.
const INCOMING: &str = "incoming";

/// A database and the keys to decrypt it.
pub struct OpenVault {
    /// Open connection, with a current schema.
    pub database: SqlDatabase,
    /// Master keys, the newest first. More than one during a key rotation.
    pub keys: Vec<MasterKey>,
    /// The master key that the database is encrypted with.
    pub current: MasterKey,
    /// Keys that are derived from the master keys.
    pub ring: KeyRing,
}

/// Reasons why a vault cannot be opened.
#[derive(Debug, Error)]
pub enum DataError {
    /// The configured data folder and database hold no vault.
    #[error(
        "no vault was found with the data folder {}: give the right one with --data-dir or \
         IDEAVAULT_DATA_DIR (and its database with --database-url or IDEAVAULT_DATABASE_URL, if \
         it has one of its own). Only `ideavault serve` makes a new vault",
        .0.display()
    )]
    NoVault(PathBuf),
    /// Root would leave files that the server cannot use.
    #[error(
        "{} belongs to the user {owner}, and this runs as root: what root writes there, the \
         server could not use any more. Run it as that user: `ideavault-admin ...` of deploy/, or \
         `sudo -u '{owner}' ideavault ...` with the settings of the server",
        path.display()
    )]
    Foreign {
        /// The folder that belongs to somebody else.
        path: PathBuf,
        /// Whose vault it is.
        owner: User,
    },
    /// The master key of this vault is missing.
    #[error(
        "the secret key of this vault is not here: put it into {} or into IDEAVAULT_SECRET_KEY",
        .0.join(KEY_FILE).display()
    )]
    KeyMissing(PathBuf),
    /// Storage or checkpoint are those of a vault whose database is missing.
    #[error(
        "the database is missing or empty, but the {0} belongs to a vault that exists: put its \
         database back, correct IDEAVAULT_DATABASE_URL, or restore a backup. For a new vault, choose \
         an empty data folder (and in a bucket, a new prefix)"
    )]
    DatabaseMissing(String),
    /// The storage of files cannot be read.
    #[error("the {storage} cannot be read")]
    Files {
        /// The storage.
        storage: String,
        /// The underlying error.
        #[source]
        source: StorageError,
    },
    /// The data folder cannot be created.
    #[error("the data folder {} cannot be used", path.display())]
    Folder {
        /// Path of the data folder.
        path: PathBuf,
        /// The underlying error.
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
    /// The key of cookies cannot be read or made.
    #[error("the key of cookies cannot be read")]
    CookieKey(#[source] DatabaseError),
    /// The database is encrypted with a key that is not configured.
    #[error(
        "the database is encrypted with another secret key than the configured one: put the right \
         key back"
    )]
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
    /// The bucket for files cannot be used.
    #[error("IDEAVAULT_STORAGE cannot be used")]
    Bucket(#[from] BucketError),
}

impl DataError {
    /// Wraps an I/O error of the data folder at `path`.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Folder {
            path: path.to_owned(),
            source,
        }
    }
}

/// Opens the configured vault for the server. Creates data folder, SQLite file and key file
/// if there are none.
///
/// # Errors
/// [`DataError`]. Nothing is created where there is a vault without its key or its database.
pub fn open_or_create(options: &DataOptions) -> Result<OpenVault, DataError> {
    refuse_foreign_root(options)?;
    let folder = &options.data_dir;
    let url = options.database_url();
    let stored = stored_master_keys(options.secret_key(), folder)?;
    if !SqlDatabase::is_initialised(&url)? {
        let used = used_by_a_vault(options)?;
        // Asked again: another server may have made this vault meanwhile.
        if let Some(used) = used
            && !SqlDatabase::is_initialised(&url)?
        {
            return Err(DataError::DatabaseMissing(used));
        }
    } else if stored.is_empty() {
        // A new key could not decrypt an existing database.
        return Err(DataError::KeyMissing(folder.clone()));
    }
    make(folder)?;
    let keys = master_keys(options.secret_key(), folder)?;
    open(options, keys)
}

/// Returns what shows that a vault has used this data folder or storage; none for a new one.
fn used_by_a_vault(options: &DataOptions) -> Result<Option<String>, DataError> {
    let folder = &options.data_dir;
    let checkpoint = CheckpointFile::new(folder);
    if checkpoint.exists().map_err(DataError::at(folder))? {
        return Ok(Some(format!("data folder {}", folder.display())));
    }
    let Ok(files) = existing_files_of(options) else {
        // Their faults are reported when they are opened.
        return Ok(None);
    };
    let unreadable = |source| DataError::Files {
        storage: files.name(),
        source,
    };
    // An id without files is left behind by an interrupted start.
    let is_used = files.storage_id().map_err(unreadable)?.is_some()
        && !files.list(None, 1).map_err(unreadable)?.is_empty();
    Ok(is_used.then(|| files.name()))
}

/// Opens the configured vault for every other command. Creates nothing.
///
/// # Errors
/// [`DataError::NoVault`] and [`DataError::KeyMissing`] if there is none, or another
/// [`DataError`].
pub fn open_existing(options: &DataOptions) -> Result<OpenVault, DataError> {
    refuse_foreign_root(options)?;
    open(options, existing_keys(options)?)
}

/// Refuses to write as root into the vault of another user.
pub fn refuse_foreign_root(options: &DataOptions) -> Result<(), DataError> {
    match foreign_to_root(&options.data_dir, FILES) {
        Some(ForeignVault { path, owner }) => Err(DataError::Foreign { path, owner }),
        None => Ok(()),
    }
}

/// Opens the database of the configured vault without migrating it.
///
/// # Errors
/// Those of [`open_existing`].
pub fn open_unchanged(options: &DataOptions) -> Result<SqlDatabase, DataError> {
    let ring = KeyRing::new(&existing_keys(options)?)?;
    Ok(SqlDatabase::connect_with(
        &options.database_url(),
        Arc::new(ring),
        // No connection is still being made when the program ends, and none leaves files of
        // SQLite behind.
        PoolSize {
            sqlite_readers: 1,
            postgres: 1,
        },
    )?)
}

/// Returns the keys of an existing vault.
///
/// # Errors
/// [`DataError::NoVault`], [`DataError::DatabaseMissing`] and [`DataError::KeyMissing`] if there is
/// none, or another [`DataError`].
pub fn existing_keys(options: &DataOptions) -> Result<Vec<MasterKey>, DataError> {
    let folder = &options.data_dir;
    let is_there = folder.is_dir() && SqlDatabase::is_initialised(&options.database_url())?;
    if !is_there {
        return Err(match used_by_a_vault(options)? {
            Some(used) => DataError::DatabaseMissing(used),
            None => DataError::NoVault(folder.clone()),
        });
    }
    let keys = stored_master_keys(options.secret_key(), folder)?;
    if keys.is_empty() {
        return Err(DataError::KeyMissing(folder.clone()));
    }
    Ok(keys)
}

/// Opens and migrates the database, and finds the key that it is encrypted with.
fn open(options: &DataOptions, keys: Vec<MasterKey>) -> Result<OpenVault, DataError> {
    let ring = KeyRing::new(&keys)?.with_source(source(options));
    let database = SqlDatabase::connect(&options.database_url(), Arc::new(ring.clone()))?;
    database.migrate()?;
    let newest = ring.master_key()?;
    let current = database.write(|tx| tx.master_keys().init_master_key(newest))?;
    let ids: Vec<_> = keys.iter().map(MasterKey::id).collect::<Result<_, _>>()?;
    let mut known = keys.iter().zip(ids);
    let (key, id) = known
        .find(|(_, id)| *id == current)
        .ok_or(DataError::OtherKey)?;
    ring.activate(id)?;
    let current = key.clone();
    Ok(OpenVault {
        database,
        keys,
        current,
        ring,
    })
}

/// Creates the data folder if there is none.
fn make(folder: &Path) -> Result<(), DataError> {
    std::fs::create_dir_all(folder).map_err(DataError::at(folder))
}

/// Returns the key of cookies, which all servers of the vault share. The first one makes it.
///
/// # Errors
/// [`DataError::CookieKey`], or [`DataError::NoKey`] without randomness.
pub fn cookie_key(database: &SqlDatabase) -> Result<CookieKey, DataError> {
    let new = new_cookie_key()?;
    let stored = database.write(|tx| tx.cookie_key().init_cookie_key(&new));
    stored.map_err(DataError::CookieKey)
}

/// Generates a key of cookies.
pub fn new_cookie_key() -> Result<CookieKey, PortError> {
    let mut bytes = [0_u8; 32];
    SystemRandom.fill(&mut bytes)?;
    Ok(CookieKey::from_random(bytes))
}

/// Returns the newest recorded times, which the clock must not fall behind.
pub fn newest_records(database: &SqlDatabase) -> Result<Vec<Timestamp>, DataError> {
    let newest = database.read(|tx| {
        let recorded = tx.newest_time().newest_time()?;
        let audited = tx.audit().audit(None, 1)?;
        let audited = audited.first().map(|entry| entry.at);
        Ok::<_, DatabaseError>(recorded.into_iter().chain(audited).collect())
    });
    newest.map_err(DataError::Read)
}

/// Advice about a log that [`log_named_after_this_machine`] finds.
pub const LOG_NAME_ADVICE: &str = "the log of events has the name of this machine alone, from the address at its first start, and \
     keeps it: evidence would name it so to others. For a vault that others use, begin a new one with \
     an empty data folder, and IDEAVAULT_PUBLIC_URL set before its first start";

/// Returns the name of the log of events, if it is that of a machine to itself.
pub fn log_named_after_this_machine(database: &SqlDatabase) -> Result<Option<String>, DataError> {
    let origins = database.read(|tx| tx.evidence_log().log_origins());
    let newest = origins.map_err(DataError::Read)?.into_iter().next_back();
    let origin = newest.map(|(_, origin)| origin);
    Ok(origin.filter(|origin| {
        let host = origin
            .rsplit_once("/log")
            .map_or(origin.as_str(), |(host, _)| host);
        // Where it listens on all of its addresses.
        is_this_machine(host) || matches!(host, "0.0.0.0" | "::")
    }))
}

/// Returns whether a host is a name or an address by which a machine reaches itself alone.
#[must_use]
pub fn is_this_machine(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost"
        || host.ends_with(".localhost")
        || address.is_ok_and(|address| address.is_loopback())
}

/// Opens the configured storage of files. Creates the files folder if there is none.
///
/// # Errors
/// [`DataError::Folder`]; [`DataError::Bucket`].
pub fn files_of(options: &DataOptions) -> Result<Arc<dyn Blobs>, DataError> {
    if let Some(bucket) = bucket_of(options)? {
        return Ok(bucket);
    }
    let folder = options.data_dir.join(FILES);
    let opened = FolderStorage::open(&folder).map_err(DataError::at(&folder))?;
    Ok(Arc::new(opened))
}

/// Opens the configured storage of files. Creates nothing.
///
/// # Errors
/// [`DataError::Folder`]; [`DataError::Bucket`].
pub fn existing_files_of(options: &DataOptions) -> Result<Arc<dyn Blobs>, DataError> {
    if let Some(bucket) = bucket_of(options)? {
        return Ok(bucket);
    }
    let folder = options.data_dir.join(FILES);
    let opened = FolderStorage::open_existing(&folder).map_err(DataError::at(&folder))?;
    Ok(Arc::new(opened))
}

fn bucket_of(options: &DataOptions) -> Result<Option<Arc<dyn Blobs>>, DataError> {
    let Some(settings) = options.storage.bucket() else {
        return Ok(None);
    };
    let bucket = BucketStorage::new(&settings, Limits::default())?;
    Ok(Some(Arc::new(bucket)))
}

/// Opens the folder that receives uploads, or creates it.
pub fn scratch_of(data_dir: &Path) -> Result<ScratchFolder, DataError> {
    let folder = data_dir.join(FILES).join(INCOMING);
    ScratchFolder::open(&folder).map_err(DataError::at(&folder))
}

/// Reads the keys again when one is needed that was missing at the start.
fn source(options: &DataOptions) -> impl Fn() -> Vec<MasterKey> + Send + Sync + 'static {
    let configured = options.secret_key().map(str::to_owned);
    let folder = options.data_dir.clone();
    move || {
        stored_master_keys(configured.as_deref(), &folder).unwrap_or_else(|error| {
            tracing::error!(%error, "could not read the master keys again");
            Vec::new()
        })
    }
}
