//! Backups of a whole database, taken while it is in use.

use std::path::Path;

use ideavault_domain::ids::FileId;

use crate::database::{Backend, SqlDatabase};
use crate::error::BackupError;
use crate::postgres::tools;
use crate::sqlite::{require_no_file, restore_file};

impl SqlDatabase {
    /// Copies a consistent snapshot of the database to the file `to`, which must
    /// not exist, while others read and write. Returns the ids of the files that
    /// the snapshot refers to.
    pub fn back_up(&self, to: &Path) -> Result<Vec<FileId>, BackupError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.back_up(to),
            Backend::Postgres(postgres) => postgres.back_up(to),
        }
    }

    /// Tries whether [`back_up`](Self::back_up) can read the database, without making a copy.
    /// Returns the version of the program that it needs; none for SQLite, which needs none.
    pub fn try_backup(&self) -> Result<Option<String>, BackupError> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(None),
            Backend::Postgres(postgres) => postgres.try_backup().map(Some),
        }
    }

    /// Checks that a backup can be restored to `url`. On SQLite, neither the file nor its
    /// companion files may exist; on Postgres, an empty database must.
    pub fn require_empty(url: &str) -> Result<(), BackupError> {
        match url.split_once("://") {
            Some(("sqlite", path)) => require_no_file(path.as_ref()),
            Some(("postgres" | "postgresql", _)) => tools::require_empty(url),
            _ => Err(BackupError::Address),
        }
    }

    /// Restores a backup of the same kind of database.
    ///
    /// # Errors
    /// Those of [`SqlDatabase::require_empty`], or another [`BackupError`]; then nothing was
    /// restored.
    pub fn restore(url: &str, from: &Path) -> Result<(), BackupError> {
        Self::require_empty(url)?;
        match url.split_once("://") {
            Some(("sqlite", path)) => restore_file(from, path.as_ref()),
            Some(("postgres" | "postgresql", _)) => tools::restore(url, from),
            _ => Err(BackupError::Address),
        }
    }
}
