//! The database that the address names, as one store.

use std::sync::Arc;

use ideavault_domain::ports::{CommitHook, Database, DatabaseError, Transaction, Vault};

use crate::error::ConnectError;
use crate::migrations::SchemaState;
use crate::postgres::{self, Postgres};
use crate::sqlite::{self, Sqlite};

/// How many connections a database may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolSize {
    /// To SQLite for reading, besides the one that writes.
    pub sqlite_readers: u32,
    /// To Postgres.
    pub postgres: u32,
}

impl Default for PoolSize {
    /// One SQLite reader for each processor, and never fewer than four, so that a
    /// long read keeps no short one waiting; ten connections to Postgres.
    fn default() -> Self {
        let processors = std::thread::available_parallelism()
            .ok()
            .and_then(|count| u32::try_from(count.get()).ok())
            .unwrap_or(1);
        Self {
            sqlite_readers: processors.clamp(4, 8),
            postgres: 10,
        }
    }
}

/// The kinds of databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    /// A file of its own.
    Sqlite,
    /// A server.
    Postgres,
}

/// What an operator wants to know of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseState {
    /// Its kind.
    pub kind: DatabaseKind,
    /// The version of SQLite, or of the Postgres server.
    pub version: String,
    /// Whether its schema is that of this program.
    pub schema: SchemaState,
}

/// An open database. Clones share its connections.
#[derive(Clone)]
pub struct SqlDatabase {
    pub(crate) backend: Backend,
    bell: Option<Arc<dyn CommitHook>>,
}

#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl SqlDatabase {
    /// Opens `sqlite://PATH` (the file is made when there is none) or
    /// `postgres://...`, also written `postgresql://...`. What is confidential is
    /// stored as `vault` encrypts it.
    ///
    /// # Errors
    /// [`ConnectError`] when the address is none of these, the file cannot be
    /// opened, or no connection comes about within five seconds.
    pub fn connect(url: &str, vault: Arc<dyn Vault>) -> Result<Self, ConnectError> {
        Self::connect_with(url, vault, PoolSize::default())
    }

    /// Like [`Database::connect`], with as many connections as `size` says.
    ///
    /// # Errors
    /// Those of [`Database::connect`].
    pub fn connect_with(
        url: &str,
        vault: Arc<dyn Vault>,
        size: PoolSize,
    ) -> Result<Self, ConnectError> {
        match url.split_once("://") {
            Some(("sqlite", path)) if !path.is_empty() && path != ":memory:" => {
                Sqlite::connect(path.as_ref(), size.sqlite_readers, vault).map(Backend::Sqlite)
            }
            Some(("postgres" | "postgresql", rest)) if !rest.is_empty() => {
                Postgres::connect(url, size.postgres, vault).map(Backend::Postgres)
            }
            _ => Err(ConnectError::UnknownAddress),
        }
        .map(|backend| Self {
            backend,
            bell: None,
        })
    }

    /// Whether there is a database at `url` that a server has made. Makes nothing.
    ///
    /// # Errors
    /// [`ConnectError`] when the address is none of these, or the database cannot
    /// be read.
    pub fn holds_vault(url: &str) -> Result<bool, ConnectError> {
        match url.split_once("://") {
            Some(("sqlite", path)) => sqlite::holds_vault(path.as_ref()),
            Some(("postgres" | "postgresql", _)) => postgres::holds_vault(url),
            _ => Err(ConnectError::UnknownAddress),
        }
    }

    /// The same database, which rings `bell` after each transaction that has
    /// queued mails.
    #[must_use]
    pub fn with_bell(self, bell: Arc<dyn CommitHook>) -> Self {
        Self {
            bell: Some(bell),
            ..self
        }
    }

    /// Brings the schema up to date, all or nothing. Servers that start at the
    /// same time wait for each other.
    ///
    /// # Errors
    /// [`DatabaseError`]; then nothing has changed.
    pub fn migrate(&self) -> Result<(), DatabaseError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.migrate(),
            Backend::Postgres(postgres) => postgres.migrate(),
        }
    }

    /// Takes the whole schema down again, with everything in it.
    ///
    /// # Errors
    /// [`DatabaseError`]; then nothing has changed.
    #[cfg(feature = "testing")]
    pub fn revert_all_migrations(&self) -> Result<(), DatabaseError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.revert_all_migrations(),
            Backend::Postgres(postgres) => postgres.revert_all_migrations(),
        }
    }

    /// Whether requests can be served: the database answers, and it has a schema.
    ///
    /// # Errors
    /// [`DatabaseError`], after two seconds at the latest when nothing answers.
    pub fn ping(&self) -> Result<(), DatabaseError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.ping(),
            Backend::Postgres(postgres) => postgres.ping(),
        }
    }

    /// Tells its kind, its version and the state of its schema, and changes nothing.
    ///
    /// # Errors
    /// [`DatabaseError`], also when there is no schema at all.
    pub fn state(&self) -> Result<DatabaseState, DatabaseError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.state(),
            Backend::Postgres(postgres) => postgres.state(),
        }
    }

    /// Whether the database has taken questions and left them unanswered for
    /// about two seconds.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        match &self.backend {
            // A file is there or not.
            Backend::Sqlite(_) => false,
            Backend::Postgres(postgres) => postgres.is_silent(),
        }
    }

    /// Asks the database something, so that [`Database::is_silent`] can tell whether
    /// it still answers. Blocks until it does, or for ever.
    pub fn probe(&self) {
        if let Backend::Postgres(postgres) = &self.backend {
            postgres.probe();
        }
    }

    /// If it is silent, gives up all questions that are open, and answers that it
    /// did: what was to be begun with them fails, even if they are answered in the
    /// end.
    #[must_use]
    pub fn abandon_if_stalled(&self) -> bool {
        match &self.backend {
            Backend::Sqlite(_) => false,
            Backend::Postgres(postgres) => postgres.abandon_if_stalled(),
        }
    }
}

impl Database for SqlDatabase {
    fn read<T, E: From<DatabaseError>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(work),
            Backend::Postgres(postgres) => postgres.read(work),
        }
    }

    fn write<T, E: From<DatabaseError>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let (answer, queued_mail) = match &self.backend {
            Backend::Sqlite(sqlite) => {
                let (answer, effects) = sqlite.write(work)?;
                (answer, effects.queued_mail)
            }
            Backend::Postgres(postgres) => {
                let (answer, effects) = postgres.write(work)?;
                (answer, effects.queued_mail)
            }
        };
        if let Some(bell) = self.bell.as_ref().filter(|_| queued_mail) {
            bell.ring();
        }
        Ok(answer)
    }
}
