//! Connections to one SQLite file, and the transactions on them.

use std::error::Error;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use diesel::connection::{Connection as _, SimpleConnection};
use diesel::prelude::{QueryResult, QueryableByName, RunQueryDsl};
use diesel::r2d2::{ConnectionManager, CustomizeConnection, Error as PoolError, Pool};
use diesel::sql_types::Integer;
#[cfg(feature = "testing")]
use diesel_migrations::MigrationHarness as _;
use diesel_migrations::{EmbeddedMigrations, embed_migrations};

use ideavault_domain::ports::{DatabaseError, Encryption, Transaction};

use super::Connection;
use super::data_version::DataVersions;
use super::group_commit::{Connections, Pooled, Writer};
use super::repo::{Effects, applied_migrations, begin, oldest_version, run, run_one, versions};
use crate::at_once;
use crate::data_version::DataVersion;
use crate::database::{DatabaseKind, DatabaseState, PoolUse};
use crate::error::{ConnectError, LogErrors, RolledBack, failed, migration_failed, unavailable};
use crate::migrations::{can_use, run_pending, schema_state};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");

/// How long to wait for a pooled connection. For another process that writes, half as long
/// (`busy_timeout`): a request that waits for both is answered before it is given up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
const BUSY_RETRY: Duration = Duration::from_millis(20);
const PING_TIMEOUT: Duration = Duration::from_secs(2);

// FULL, because WAL alone loses the last commits in a power failure. Deleted content
// is overwritten. No mmap: an I/O error on mapped pages would kill the process.
const WRITER: &str = "
    PRAGMA busy_timeout = 2500;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA cache_size = -4096;
    PRAGMA journal_size_limit = 16777216;
";
const READER: &str = "
    PRAGMA busy_timeout = 2500;
    PRAGMA query_only = ON;
    PRAGMA cache_size = -2048;
";

/// The writer's own `busy_timeout`, where another one was set.
const WAIT_FOR_WRITERS: &str = "PRAGMA busy_timeout = 2500";
/// Several servers may start on one new file, and one of them runs all migrations.
const WAIT_FOR_MIGRATIONS: &str = "PRAGMA busy_timeout = 60000";

// Another process can lock readers out for moments. Short reads need few pages.
const AT_ONCE_READER: &str = "
    PRAGMA busy_timeout = 0;
    PRAGMA query_only = ON;
    PRAGMA cache_size = -512;
";

/// The connections to one SQLite file.
#[derive(Clone)]
pub(crate) struct Sqlite {
    path: Arc<str>,
    writer: Arc<Writer>,
    readers: Connections,
    /// For reads that must not wait.
    at_once: Connections,
    versions: Arc<DataVersions>,
    encryption: Arc<dyn Encryption>,
    /// Whether the write-ahead log may still contain data erased from the file.
    wal_dirty: Arc<AtomicBool>,
}

/// Returns the absolute path of a file, so that no name can look like one of SQLite's URIs.
pub(super) fn absolute(path: &Path) -> Result<String, ConnectError> {
    let not_a_name = |_| io::ErrorKind::InvalidFilename.into();
    std::path::absolute(path)
        .and_then(|full| full.into_os_string().into_string().map_err(not_a_name))
        .map_err(|source| ConnectError::File {
            path: path.to_owned(),
            source,
        })
}

impl Sqlite {
    /// Opens the file, or creates one that only its owner may read.
    pub(crate) fn connect(
        path: &Path,
        readers: u32,
        encryption: Arc<dyn Encryption>,
    ) -> Result<Self, ConnectError> {
        let full = &absolute(path)?;
        create_private(full.as_ref()).map_err(|source| ConnectError::File {
            path: path.to_owned(),
            source,
        })?;
        let refused = |source| ConnectError::Sqlite {
            path: path.to_owned(),
            source,
        };
        // A pool would retry a damaged file until its timeout.
        try_out(full).map_err(refused)?;
        let open = |size, setup| pool(full, size, setup).map_err(|error| refused(error.into()));
        Ok(Self {
            path: full.as_str().into(),
            writer: Arc::new(Writer::new(open(1, WRITER)?, BUSY_TIMEOUT)),
            readers: open(readers, READER)?,
            at_once: open(readers, AT_ONCE_READER)?,
            versions: Arc::new(DataVersions::of(full).map_err(refused)?),
            encryption,
            // A process that was killed may have left what it erased.
            wal_dirty: Arc::new(AtomicBool::new(true)),
        })
    }

    /// Returns the file's absolute path.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// See [`crate::SqlDatabase::pools`].
    pub(crate) fn pools(&self) -> Vec<(&'static str, PoolUse)> {
        vec![
            ("readers", self.readers.state().into()),
            ("at_once", self.at_once.state().into()),
            ("writer", self.writer.pool_use()),
        ]
    }

    /// See [`crate::SqlDatabase::version`].
    pub(crate) fn version(&self) -> Result<DataVersion, DatabaseError> {
        self.versions.current()
    }

    pub(crate) fn migrate(&self) -> Result<(), DatabaseError> {
        self.change_schema(run_migrations)
    }

    #[cfg(feature = "testing")]
    pub(crate) fn revert_all_migrations(&self) -> Result<(), DatabaseError> {
        self.change_schema(|connection| {
            connection.revert_all_migrations(MIGRATIONS)?;
            Ok(())
        })
    }

    fn change_schema(
        &self,
        change: impl FnOnce(&mut Connection) -> Result<(), Box<dyn Error + Send + Sync>>,
    ) -> Result<(), DatabaseError> {
        let mut connection = self.writer.connection("migrate")?;
        let changed = connection
            .batch_execute(WAIT_FOR_MIGRATIONS)
            .map_err(Into::into)
            .and_then(|()| connection.immediate_transaction(change));
        let reset = connection.batch_execute(WAIT_FOR_WRITERS);
        changed
            .and(reset.map_err(Into::into))
            .map_err(migration_failed)
    }

    pub(crate) fn can_use_schema(&self) -> Result<bool, DatabaseError> {
        let operation = "ask for the schema";
        let mut connection = self
            .readers
            .get_timeout(PING_TIMEOUT)
            .map_err(unavailable(operation))?;
        let oldest = oldest_version(&mut connection).map_err(failed(operation))?;
        can_use::<diesel::sqlite::Sqlite>(&MIGRATIONS, &oldest).map_err(migration_failed)
    }

    pub(crate) fn state(&self) -> Result<DatabaseState, DatabaseError> {
        let operation = "inspect the database";
        let mut connection = self
            .readers
            .get_timeout(PING_TIMEOUT)
            .map_err(unavailable(operation))?;
        begin(&mut connection, "BEGIN").map_err(failed(operation))?;
        let (version, applied) =
            versions(&mut connection, "sqlite_version()").map_err(failed(operation))?;
        Ok(DatabaseState {
            kind: DatabaseKind::Sqlite,
            version,
            schema: schema_state::<diesel::sqlite::Sqlite>(&MIGRATIONS, &applied)
                .map_err(migration_failed)?,
        })
    }

    /// Runs a deferred transaction: its first query fixes the snapshot.
    pub(crate) fn read<T, E: From<DatabaseError>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let operation = "read";
        let mut connection = self.reader(operation)?;
        begin(&mut connection, "BEGIN")
            .inspect_err(|_| at_once::give_up())
            .map_err(failed(operation))?;
        run(&mut connection, self.encryption.as_ref(), operation, work)
            .map(|(answer, _)| answer)
            .map_err(|failure| unless_at_once(failure))
    }

    /// Runs one statement, which is a transaction of its own.
    pub(crate) fn read_one<T, E: From<DatabaseError>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let operation = "read";
        let mut connection = self.reader(operation)?;
        run_one(&mut connection, self.encryption.as_ref(), operation, work)
            .map_err(|failure| unless_at_once(failure))
    }

    /// Returns a connection for reading; at once, if the running work must not wait.
    fn reader(&self, operation: &'static str) -> Result<Pooled, DatabaseError> {
        if at_once::is_required() {
            let free = self.at_once.try_get();
            return free.ok_or_else(|| at_once::declined(operation));
        }
        self.readers.get().map_err(unavailable(operation))
    }

    /// Runs a transaction that may be committed together with others.
    pub(crate) fn write<T, E: From<DatabaseError>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<(T, Effects), E> {
        if at_once::is_required() {
            return Err(at_once::declined("write").into());
        }
        self.writer
            .write(self.encryption.as_ref(), work, |connection, has_erased| {
                if has_erased {
                    self.wal_dirty.store(true, Ordering::Relaxed);
                }
                if self.wal_dirty.load(Ordering::Relaxed) {
                    self.truncate_wal(connection);
                }
            })
    }

    /// Empties the write-ahead log. If a reader still needs it, the next write retries.
    fn truncate_wal(&self, connection: &mut Connection) {
        match checkpoint_wal(connection) {
            Ok(emptied) => self.wal_dirty.store(!emptied, Ordering::Relaxed),
            Err(error) => tracing::warn!(%error, "could not truncate the write-ahead log"),
        }
    }
}

/// Runs the pending migrations in the open transaction.
pub(super) fn run_migrations(
    connection: &mut Connection,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    run_pending(connection, MIGRATIONS, applied_migrations)
}

/// Returns the error of work that read. Where a statement failed that must not wait, the work is
/// declined: it may succeed where it may wait for the lock.
fn unless_at_once<E>(failure: RolledBack<E>) -> E {
    if failure.has_failed {
        at_once::give_up();
    }
    failure.error
}

#[derive(QueryableByName)]
struct WalCheckpoint {
    #[diesel(sql_type = Integer)]
    busy: i32,
}

/// Checkpoints the write-ahead log and truncates it. Returns `false`, without a long
/// wait, if a reader still needs it.
fn checkpoint_wal(connection: &mut Connection) -> QueryResult<bool> {
    connection.batch_execute("PRAGMA busy_timeout = 100")?;
    let checkpoint = diesel::sql_query("PRAGMA wal_checkpoint(TRUNCATE)")
        .get_result::<WalCheckpoint>(connection);
    connection.batch_execute(WAIT_FOR_WRITERS)?;
    Ok(checkpoint?.busy == 0)
}

/// Creates the file if it does not exist. Does not open an existing one: closing it
/// would release SQLite's locks on it in this process.
fn create_private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn try_out(path: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
    let deadline = Instant::now() + BUSY_TIMEOUT;
    let mut connection = Connection::establish(path)?;
    // Two processes that change a new file to a write-ahead log at once lock each other
    // out, and SQLite then fails without a wait, to prevent a deadlock.
    loop {
        match connection.batch_execute(WRITER) {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                std::thread::sleep(BUSY_RETRY);
            }
            done => return Ok(done?),
        }
    }
}

/// Returns whether this is `SQLITE_BUSY`, which Diesel passes on only as SQLite's text.
fn is_busy(error: &diesel::result::Error) -> bool {
    matches!(
        error,
        diesel::result::Error::DatabaseError(_, information)
            if information.message() == "database is locked"
    )
}

/// Opens the one connection that writes.
#[cfg(test)]
pub(super) fn open_writer(path: &str) -> Result<Connections, r2d2::Error> {
    pool(path, 1, WRITER)
}

fn pool(path: &str, size: u32, setup: &'static str) -> Result<Connections, r2d2::Error> {
    Pool::builder()
        .max_size(size)
        .min_idle(Some(1))
        // Connections to a file stay valid, so that they need no test.
        .test_on_check_out(false)
        .max_lifetime(None)
        .idle_timeout(None)
        .connection_timeout(BUSY_TIMEOUT)
        .connection_customizer(Box::new(Setup(setup)))
        .error_handler(Box::new(LogErrors))
        .build(ConnectionManager::new(path))
}

#[derive(Debug)]
struct Setup(&'static str);

impl CustomizeConnection<Connection, PoolError> for Setup {
    fn on_acquire(&self, connection: &mut Connection) -> Result<(), PoolError> {
        connection.batch_execute(self.0).map_err(PoolError::from)
    }
}

#[cfg(test)]
mod tests {
    use diesel::sql_types::Text;

    use super::*;

    #[derive(QueryableByName)]
    struct Built {
        #[diesel(sql_type = Text)]
        compile_options: String,
    }

    #[test]
    fn a_new_file_can_be_opened_from_several_threads_at_once() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("vault.sqlite");
            let path = path.to_str().unwrap();
            std::thread::scope(|scope| {
                let openings: Vec<_> = (0..8).map(|_| scope.spawn(|| try_out(path))).collect();
                for opening in openings {
                    opening.join().unwrap().unwrap();
                }
            });
        }
    }

    #[test]
    fn sqlite_is_built_with_the_configured_options() {
        let mut connection = Connection::establish(":memory:").unwrap();
        let options: Vec<_> = diesel::sql_query("PRAGMA compile_options")
            .load::<Built>(&mut connection)
            .unwrap()
            .into_iter()
            .map(|built| built.compile_options)
            .collect();
        for set in ["ENABLE_QPSG", "THREADSAFE=2", "DEFAULT_MEMSTATUS=0"] {
            assert!(options.contains(&set.to_owned()), "{set} is not set");
        }
        assert!(!options.contains(&"ENABLE_MEMORY_MANAGEMENT".to_owned()));
    }
}
