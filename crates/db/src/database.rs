//! The database that the address names, behind one type.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::account::UserSession;
use ideavault_domain::ports::{CommitHook, Database, DatabaseError, Encryption, Transaction};
use ideavault_domain::token::TokenHash;

use crate::at_once;
use crate::data_version::DataVersion;
use crate::error::ConnectError;
use crate::holding;
use crate::migrations::SchemaState;
use crate::postgres::{self, Postgres, is_encoded};
use crate::sqlite::{self, Sqlite};

/// How many connections a database may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolSize {
    /// SQLite connections for reading, besides the one that writes.
    pub sqlite_readers: u32,
    /// Postgres connections. A quarter of them, rounded down, is kept for reads.
    pub postgres: u32,
}

impl Default for PoolSize {
    /// One SQLite reader for each processor, at least four, so that a long read
    /// does not block short ones, and at most eight; 13 connections to Postgres.
    fn default() -> Self {
        let processors = std::thread::available_parallelism()
            .ok()
            .and_then(|count| u32::try_from(count.get()).ok())
            .unwrap_or(1);
        Self {
            sqlite_readers: processors.clamp(4, 8),
            postgres: 13,
        }
    }
}

/// The supported kinds of databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    /// A file.
    Sqlite,
    /// A server.
    Postgres,
}

/// The connections of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    /// Connections that somebody uses.
    pub in_use: u32,
    /// Open connections that nobody uses.
    pub idle: u32,
}

impl From<r2d2::State> for PoolUse {
    fn from(state: r2d2::State) -> Self {
        Self {
            in_use: state.connections.saturating_sub(state.idle_connections),
            idle: state.idle_connections,
        }
    }
}

/// The state of a database, for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseState {
    /// SQLite or Postgres.
    pub kind: DatabaseKind,
    /// The version of SQLite, or of the Postgres server.
    pub version: String,
    /// Whether its schema matches this program.
    pub schema: SchemaState,
}

/// An open database. Clones share its connections.
#[derive(Clone)]
pub struct SqlDatabase {
    pub(crate) backend: Backend,
    commit_hook: Option<Arc<dyn CommitHook>>,
}

#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl SqlDatabase {
    /// Opens `sqlite://PATH` (creates the file if it does not exist) or
    /// `postgres://...`, also written `postgresql://...`. Confidential values are
    /// encrypted with `encryption`.
    ///
    /// # Errors
    /// [`ConnectError`] if the address is none of these, the file cannot be
    /// opened, or no connection is established within five seconds.
    pub fn connect(url: &str, encryption: Arc<dyn Encryption>) -> Result<Self, ConnectError> {
        Self::connect_with(url, encryption, PoolSize::default())
    }

    /// Like [`SqlDatabase::connect`], with the given pool size.
    ///
    /// # Errors
    /// Those of [`SqlDatabase::connect`].
    pub fn connect_with(
        url: &str,
        encryption: Arc<dyn Encryption>,
        size: PoolSize,
    ) -> Result<Self, ConnectError> {
        match url.split_once("://") {
            Some(("sqlite", path)) if !path.is_empty() && path != ":memory:" => {
                Sqlite::connect(path.as_ref(), size.sqlite_readers, encryption).map(Backend::Sqlite)
            }
            Some(("postgres" | "postgresql", rest)) if !rest.is_empty() && is_encoded(url) => {
                Postgres::connect(url, size.postgres, encryption).map(Backend::Postgres)
            }
            _ => Err(ConnectError::UnknownAddress),
        }
        .map(|backend| Self {
            backend,
            commit_hook: None,
        })
    }

    /// Returns whether a server has initialised the database at `url`. Creates
    /// nothing.
    ///
    /// # Errors
    /// [`ConnectError`] if the address is neither SQLite nor Postgres, or the
    /// database cannot be read.
    pub fn is_initialised(url: &str) -> Result<bool, ConnectError> {
        match url.split_once("://") {
            Some(("sqlite", path)) => sqlite::is_initialised(path.as_ref()),
            Some(("postgres" | "postgresql", _)) if is_encoded(url) => {
                postgres::is_initialised(url)
            }
            _ => Err(ConnectError::UnknownAddress),
        }
    }

    /// Returns the same database, which calls `commit_hook` after each committed
    /// transaction that queued an email or recorded an event.
    #[must_use]
    pub fn with_commit_hook(self, commit_hook: Arc<dyn CommitHook>) -> Self {
        Self {
            commit_hook: Some(commit_hook),
            ..self
        }
    }

    /// Runs the pending migrations in one transaction. Servers that start at the
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

    /// Reverts all migrations, which deletes all data.
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

    /// Returns whether this program can work with the schema: not, once a newer program has
    /// migrated it to one that only newer ones can work with.
    ///
    /// # Errors
    /// [`DatabaseError`] if there is no schema, and within two seconds if the database does not
    /// answer.
    pub fn can_use_schema(&self) -> Result<bool, DatabaseError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.can_use_schema(),
            Backend::Postgres(postgres) => postgres.can_use_schema(),
        }
    }

    /// Returns the kind, the version and the state of the schema, without changes.
    ///
    /// # Errors
    /// [`DatabaseError`], also if there is no schema at all.
    pub fn state(&self) -> Result<DatabaseState, DatabaseError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.state(),
            Backend::Postgres(postgres) => postgres.state(),
        }
    }

    /// Runs `work`, which reads, in such a way that it never waits: for a connection, for another
    /// process, or for a network. Returns `false` if it would have had to, or wanted to write:
    /// what it returned then counts for nothing. On Postgres it is not even begun.
    pub fn at_once(&self, work: &mut dyn FnMut()) -> bool {
        match &self.backend {
            Backend::Sqlite(_) => at_once::run(work),
            Backend::Postgres(_) => false,
        }
    }

    /// Runs `work`, which reads, as long as it decrypts no more than others should wait for. Returns
    /// `false` if it would have had to: what it returned then counts for nothing.
    pub fn within_bounds(&self, work: &mut dyn FnMut()) -> bool {
        at_once::run_within_bounds(work)
    }

    /// Returns which state of the data a read that begins now sees, or a later one. On SQLite it
    /// does not wait; on Postgres it takes a round trip.
    pub fn version(&self) -> Result<DataVersion, DatabaseError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.version(),
            Backend::Postgres(postgres) => postgres.version(),
        }
    }

    /// Returns the version as [`version`](Self::version) does, and those sessions that have one of
    /// these keys then, or later. On Postgres both take one round trip.
    pub fn version_with_sessions(
        &self,
        keys: &[TokenHash],
    ) -> Result<(DataVersion, Vec<UserSession>), DatabaseError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let version = sqlite.version()?;
                let sessions = sqlite.read(|tx| {
                    let found = keys.iter().map(|key| tx.user_sessions().user_session(key));
                    found.filter_map(Result::transpose).collect()
                });
                sessions.map(|sessions| (version, sessions))
            }
            Backend::Postgres(postgres) => postgres.version_with_sessions(keys),
        }
    }

    /// Returns the name and the connections of each pool: `readers`, `at_once` and `writer` of SQLite,
    /// `all` of Postgres.
    #[must_use]
    pub fn pools(&self) -> Vec<(&'static str, PoolUse)> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.pools(),
            Backend::Postgres(postgres) => postgres.pools(),
        }
    }

    /// Returns the time of the database server's clock; `None` for SQLite, which has the
    /// clock of this machine.
    pub fn server_time(&self) -> Result<Option<Timestamp>, DatabaseError> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(None),
            Backend::Postgres(postgres) => postgres.server_time().map(Some),
        }
    }

    /// Returns whether the start of a transaction has been unanswered for about two
    /// seconds.
    #[must_use]
    pub fn is_stalled(&self) -> bool {
        match &self.backend {
            // A file does not stall.
            Backend::Sqlite(_) => false,
            Backend::Postgres(postgres) => postgres.is_stalled(),
        }
    }

    /// Sends a probe, so that [`SqlDatabase::is_stalled`] can tell whether the
    /// database still answers. Blocks until it does, possibly for ever.
    pub fn probe(&self) {
        if let Backend::Postgres(postgres) = &self.backend {
            postgres.probe();
        }
    }

    /// If [`SqlDatabase::is_stalled`], abandons all transactions that are being begun
    /// and returns `true`. They fail even if the database answers later.
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
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(work),
            Backend::Postgres(postgres) => postgres.read(work),
        }
    }

    fn read_one<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read_one(work),
            Backend::Postgres(postgres) => postgres.read_one(work),
        }
    }

    fn write<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        holding::holds_no_longer();
        let (answer, queued) = match &self.backend {
            Backend::Sqlite(sqlite) => {
                let (answer, effects) = sqlite.write(work)?;
                (answer, effects.queued)
            }
            Backend::Postgres(postgres) => {
                let (answer, effects) = postgres.write(work)?;
                (answer, effects.queued)
            }
        };
        if let Some(commit_hook) = self.commit_hook.as_ref().filter(|_| queued) {
            commit_hook.notify();
        }
        Ok(answer)
    }
}
