//! Opens what every command works on.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ideavault_crypto::{KeyError, KeyRing, MasterKey};
use ideavault_db::{ConnectError, Database};
use ideavault_domain::ports::StoreError;
use thiserror::Error;

use crate::config::DataOptions;
use crate::keys::{MasterKeyError, master_key};

/// A database, and the keys that open what is in it.
pub struct Opened {
    /// The database.
    pub database: Database,
    /// What other keys are derived from.
    pub master_key: MasterKey,
    /// What opens the sealed.
    pub ring: KeyRing,
}

/// Why there is no database to work on.
#[derive(Debug, Error)]
pub enum DataError {
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
    /// The database cannot be opened.
    #[error("the database cannot be opened")]
    Connect(#[from] ConnectError),
    /// The database cannot be migrated.
    #[error("the database cannot be brought up to date")]
    Migrate(#[from] StoreError),
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

/// The configured database, with a current schema, and its keys. Makes the data
/// folder, the SQLite file and the key file when there are none.
///
/// # Errors
/// [`DataError`].
pub fn open(options: &DataOptions) -> Result<Opened, DataError> {
    let folder = &options.data_dir;
    std::fs::create_dir_all(folder).map_err(DataError::at(folder))?;
    let master_key = master_key(options.secret_key.as_deref(), folder)?;
    let ring = KeyRing::new([&master_key])?;
    let database = Database::connect(&options.database_url(), Arc::new(ring.clone()))?;
    database.migrate()?;
    Ok(Opened {
        database,
        master_key,
        ring,
    })
}
