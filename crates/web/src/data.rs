//! Opens what every command works on.

use std::io;
use std::path::{Path, PathBuf};

use ideavault_db::{ConnectError, Database};
use ideavault_domain::ports::StoreError;
use thiserror::Error;

use crate::config::DataOptions;

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

/// The configured database, with a current schema. Makes the data folder and
/// the SQLite file when there are none.
///
/// # Errors
/// [`DataError`].
pub fn open(options: &DataOptions) -> Result<Database, DataError> {
    let folder = &options.data_dir;
    std::fs::create_dir_all(folder).map_err(DataError::at(folder))?;
    let database = Database::connect(&options.database_url())?;
    database.migrate()?;
    Ok(database)
}
