//! Copies of a whole database, taken while it is in use.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use diesel::result::Error as DieselError;
use ideavault_domain::ids::FileId;
use thiserror::Error;

use crate::database::{Backend, SqlDatabase};
use crate::postgres::tools;
use crate::sqlite::restore_file;

/// Why a copy was not taken, or not put back.
#[derive(Debug, Error)]
pub enum BackupError {
    /// The database refused.
    #[error("the database cannot be copied")]
    SqlDatabase(#[source] Box<dyn Error + Send + Sync>),
    /// What is to be restored would be written over something.
    #[error("the database is not empty: restore into a new one")]
    NotEmpty,
    /// A database that is gone has left a file that would be taken for a part of
    /// the restored one.
    #[error("{} is left over from another database: move it away first", .0.display())]
    LeftOver(PathBuf),
    /// A file cannot be read or written.
    #[error("{} cannot be read or written", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// One of Postgres's own programs is not there.
    #[error("{program} is needed, one of PostgreSQL's client programs")]
    Program {
        /// Which program.
        program: &'static str,
        /// Why it did not start.
        #[source]
        source: io::Error,
    },
    /// One of Postgres's own programs failed.
    #[error("{program} failed: {complaint}")]
    Failed {
        /// Which program.
        program: &'static str,
        /// What it said.
        complaint: String,
    },
    /// The address of the database does not say what it has to.
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
    /// Copies the database as it is at one moment to the file `to`, which must
    /// not exist, while others read and write. Answers the files that the copy
    /// knows of.
    ///
    /// # Errors
    /// [`BackupError`].
    pub fn back_up(&self, to: &Path) -> Result<Vec<FileId>, BackupError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.back_up(to),
            Backend::Postgres(postgres) => postgres.back_up(to),
        }
    }

    /// Puts a copy back that was taken of the same kind of database. There must
    /// be nothing yet at `url`, nor beside it what SQLite keeps there, but on
    /// Postgres an empty database.
    ///
    /// # Errors
    /// [`BackupError`]; then there is still nothing.
    pub fn restore(url: &str, from: &Path) -> Result<(), BackupError> {
        match url.split_once("://") {
            Some(("sqlite", path)) => restore_file(from, path.as_ref()),
            Some(("postgres" | "postgresql", _)) => tools::restore(url, from),
            _ => Err(BackupError::Address),
        }
    }
}
