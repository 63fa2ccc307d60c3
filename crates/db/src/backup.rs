//! Backups of a whole database, taken while it is in use.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use diesel::result::Error as DieselError;
use ideavault_domain::ids::FileId;
use thiserror::Error;

use crate::database::{Backend, SqlDatabase};
use crate::postgres::tools;
use crate::sqlite::restore_file;

/// Why a backup or a restore failed.
#[derive(Debug, Error)]
pub enum BackupError {
    /// A query failed.
    #[error("the database cannot be copied")]
    SqlDatabase(#[source] Box<dyn Error + Send + Sync>),
    /// The restore would overwrite an existing database.
    #[error("the database is not empty: restore into a new one")]
    NotEmpty,
    /// A removed database left a file that SQLite would treat as part of the
    /// restored one.
    #[error("{} is left over from another database: move it away first", .0.display())]
    LeftOver(PathBuf),
    /// A file cannot be read or written.
    #[error("{} cannot be read or written", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A PostgreSQL client program could not be started.
    #[error("{program} is needed, one of PostgreSQL's client programs")]
    Program {
        /// Its file name, such as `pg_dump`.
        program: &'static str,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A PostgreSQL client program failed.
    #[error("{program} failed: {complaint}")]
    Failed {
        /// Its file name, such as `pg_dump`.
        program: &'static str,
        /// Its standard error.
        complaint: String,
    },
    /// The database address is invalid or of an unknown kind.
    #[error("the database address cannot be used for backups")]
    Address,
}

impl From<DieselError> for BackupError {
    fn from(error: DieselError) -> Self {
        Self::SqlDatabase(Box::new(error))
    }
}

impl BackupError {
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            path: path.to_owned(),
            source,
        }
    }
}

impl SqlDatabase {
    /// Copies a consistent snapshot of the database to the file `to`, which must
    /// not exist, while others read and write. Returns the ids of the files that
    /// the snapshot refers to.
    ///
    /// # Errors
    /// [`BackupError`].
    pub fn back_up(&self, to: &Path) -> Result<Vec<FileId>, BackupError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.back_up(to),
            Backend::Postgres(postgres) => postgres.back_up(to),
        }
    }

    /// Restores a backup of the same kind of database. On SQLite, neither the file
    /// at `url` nor its companion files may exist; on Postgres, an empty database
    /// must.
    ///
    /// # Errors
    /// [`BackupError`]; then nothing was restored.
    pub fn restore(url: &str, from: &Path) -> Result<(), BackupError> {
        match url.split_once("://") {
            Some(("sqlite", path)) => restore_file(from, path.as_ref()),
            Some(("postgres" | "postgresql", _)) => tools::restore(url, from),
            _ => Err(BackupError::Address),
        }
    }
}
