//! Connections to one Postgres database, and the transactions on them.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use diesel::Connection as _;
use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager as _};
use diesel::prelude::{QueryableByName, RunQueryDsl as _};
use diesel::r2d2::{
    ConnectionManager, CustomizeConnection, Error as PoolError, Pool, PooledConnection,
};
use diesel::sql_types::Timestamptz;
#[cfg(feature = "testing")]
use diesel_migrations::MigrationHarness as _;
use diesel_migrations::{EmbeddedMigrations, embed_migrations};

use ideavault_domain::Timestamp;
use ideavault_domain::account::UserSession;
use ideavault_domain::ids::FileId;
use ideavault_domain::ports::{DatabaseError, Encryption, Transaction};
use ideavault_domain::token::TokenHash;

use super::address::{with_parameter, with_parameters};
use super::data_version::DataVersions;
use super::repo::{Effects, applied_migrations, begin, oldest_version, run, run_one, versions};
use super::stall_detector::InFlight;
use super::write_limit::WriteLimit;
use super::{Connection, shared_connections, tools};
use crate::data_version::DataVersion;
use crate::database::{DatabaseKind, DatabaseState, PoolUse};
use crate::error::{
    BackupError, ConnectError, LogErrors, QueryError, QueryResult, busy, failed, late,
    migration_failed, unavailable,
};
use crate::migrations::{can_use, run_pending, schema_state};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

/// How long the server's start waits for a database that may be starting too.
const START_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a request waits for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(1_900);
/// How long a request waits while no connection is open and the request before it
/// timed out. Requests that queue for a thread would otherwise wait one after the other.
const OUTAGE_TIMEOUT: Duration = Duration::from_millis(10);
/// Timeout of a probe in seconds: longer than the stall detector needs.
const PROBE_TIMEOUT: &str = "5";

/// How long a transaction is run again after its first conflict, and a single statement that failed
/// after its start.
const RETRY_FOR: Duration = Duration::from_secs(2);
/// The backoff after the first conflict; each further one is twice as long.
const FIRST_BACKOFF: Duration = Duration::from_millis(5);

/// Timeouts on the server's side: for statements, and for transactions left open. A statement
/// outside of a transaction only reads.
const SETUP: &str = "
    SET statement_timeout = '5s';
    SET idle_in_transaction_session_timeout = '30s';
    SET default_transaction_read_only = on;
";

/// Serializes migrations by several servers. The advisory lock is 'ideavaul' in ASCII.
pub(super) const MIGRATION_LOCK: &str = "
    SET TRANSACTION READ WRITE;
    SET LOCAL statement_timeout = 0;
    SET LOCAL lock_timeout = '60s';
    SELECT pg_advisory_xact_lock(x'696465617661756c'::bigint);
";

/// One snapshot for all queries of a read transaction.
const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// Read committed is enough: races are decided by one conditional statement or by a
/// unique index. Both wait for conflicting transactions and then see their result. Postgres
/// itself then reports conflicts only as deadlocks; databases that speak its protocol report them
/// as serialization failures at any level.
const WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

type Connections = Pool<ConnectionManager<Connection>>;
pub(super) type Pooled = PooledConnection<ConnectionManager<Connection>>;

#[derive(QueryableByName)]
struct ServerTime {
    #[diesel(sql_type = Timestamptz)]
    at: Timestamp,
}

/// A pool of connections to one Postgres database.
#[derive(Clone)]
pub(crate) struct Postgres {
    url: Arc<str>,
    pub(super) connections: Connections,
    writes: WriteLimit,
    in_flight: InFlight,
    /// Whether the last request got no connection while none was open.
    is_out: Arc<AtomicBool>,
    versions: Arc<DataVersions>,
    encryption: Arc<dyn Encryption>,
}

impl Postgres {
    pub(crate) fn connect(
        url: &str,
        size: u32,
        encryption: Arc<dyn Encryption>,
    ) -> Result<Self, ConnectError> {
        // If libpq initialised OpenSSL, OpenSSL would clean up at process exit while
        // the pool's threads may still be connecting.
        openssl_sys::init();
        let connections = Pool::builder()
            .max_size(size)
            .min_idle(Some(1))
            // Would cost a round trip; `begin` replaces dead connections itself.
            .test_on_check_out(false)
            .connection_timeout(START_TIMEOUT)
            .connection_customizer(Box::new(Setup))
            .error_handler(Box::new(LogErrors))
            .build(ConnectionManager::new(with_parameters(url)))
            .map_err(ConnectError::Postgres)?;
        // Not by one of the pool, which would make another one meanwhile: a pooler must not have
        // anything else to do.
        let alone = Connection::establish(&with_parameters(url));
        let mut alone = alone.map_err(|error| ConnectError::Unreadable(error.into()))?;
        shared_connections::refuse(&mut alone, url)?;
        Ok(Self {
            url: url.into(),
            connections,
            writes: WriteLimit::of(size),
            in_flight: InFlight::default(),
            is_out: Arc::default(),
            versions: Arc::default(),
            encryption,
        })
    }

    /// See [`crate::SqlDatabase::try_backup`].
    pub(crate) fn try_backup(&self) -> Result<String, BackupError> {
        tools::try_out(&self.url)
    }

    /// See [`crate::SqlDatabase::back_up`].
    pub(crate) fn back_up(&self, to: &Path) -> Result<Vec<FileId>, BackupError> {
        tools::back_up(&self.url, to)
    }

    /// See [`crate::SqlDatabase::pools`].
    pub(crate) fn pools(&self) -> Vec<(&'static str, PoolUse)> {
        vec![("all", self.connections.state().into())]
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
        let mut connection = self.connections.get().map_err(unavailable("migrate"))?;
        connection
            .transaction(|connection| {
                connection.batch_execute(MIGRATION_LOCK)?;
                change(connection)
            })
            .map_err(migration_failed)
    }

    /// See [`crate::SqlDatabase::is_stalled`].
    pub(crate) fn is_stalled(&self) -> bool {
        self.in_flight.is_stalled(Instant::now())
    }

    /// See [`crate::SqlDatabase::abandon_if_stalled`].
    pub(crate) fn abandon_if_stalled(&self) -> bool {
        self.in_flight.abandon_if_stalled(Instant::now())
    }

    pub(crate) fn can_use_schema(&self) -> Result<bool, DatabaseError> {
        let operation = "ask for the schema";
        let mut connection = self.begin(operation, READ)?;
        let oldest = oldest_version(&mut connection)
            .and_then(|oldest| {
                // By diesel, which else takes the transaction for an open one, and the
                // connection for broken.
                AnsiTransactionManager::commit_transaction(&mut *connection)?;
                Ok(oldest)
            })
            .map_err(failed(operation))?;
        can_use::<diesel::pg::Pg>(&MIGRATIONS, &oldest).map_err(migration_failed)
    }

    pub(crate) fn state(&self) -> Result<DatabaseState, DatabaseError> {
        let operation = "inspect the database";
        let mut connection = self.begin(operation, READ)?;
        let (version, applied) = versions(&mut connection, "current_setting('server_version')")
            .map_err(failed(operation))?;
        Ok(DatabaseState {
            kind: DatabaseKind::Postgres,
            version,
            schema: schema_state::<diesel::pg::Pg>(&MIGRATIONS, &applied)
                .map_err(migration_failed)?,
        })
    }

    /// See [`crate::SqlDatabase::server_time`].
    pub(crate) fn server_time(&self) -> Result<Timestamp, DatabaseError> {
        let operation = "read the database's clock";
        let mut connection = self.begin(operation, READ)?;
        let now = diesel::sql_query("SELECT clock_timestamp() AS at");
        now.get_result::<ServerTime>(&mut *connection)
            .and_then(|now| {
                AnsiTransactionManager::commit_transaction(&mut *connection)?;
                Ok(now.at)
            })
            .map_err(failed(operation))
    }

    /// See [`crate::SqlDatabase::version`].
    pub(crate) fn version(&self) -> Result<DataVersion, DatabaseError> {
        self.read_version(DataVersions::current)
    }

    /// See [`crate::SqlDatabase::version_with_sessions`].
    pub(crate) fn version_with_sessions(
        &self,
        keys: &[TokenHash],
    ) -> Result<(DataVersion, Vec<UserSession>), DatabaseError> {
        self.read_version(|versions, connection| versions.current_with_sessions(connection, keys))
    }

    fn read_version<T>(
        &self,
        read: impl Fn(&DataVersions, &mut Connection) -> QueryResult<T>,
    ) -> Result<T, DatabaseError> {
        let operation = "read the version of the data";
        let mut connection = self.connection(operation, self.deadline())?;
        let current = read(&self.versions, &mut connection);
        let Err(QueryError::Database(error)) = current else {
            return current.map_err(failed(operation));
        };
        // `begin` replaces a dead connection.
        tracing::debug!(%error, "read the version of the data again");
        drop(connection);
        let mut connection = self.begin(operation, READ)?;
        let current = read(&self.versions, &mut connection);
        AnsiTransactionManager::commit_transaction(&mut *connection).map_err(failed(operation))?;
        current.map_err(failed(operation))
    }

    pub(crate) fn read<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.transaction("read", READ, || Ok(()), work)
            .map(|(answer, _)| answer)
    }

    /// Runs one statement, which is a transaction of its own. If it fails, it is run again in one
    /// that is begun: the connection may be dead.
    pub(crate) fn read_one<T, E: From<DatabaseError>>(
        &self,
        mut work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let operation = "read";
        let began = Instant::now();
        let mut connection = self.connection(operation, self.deadline())?;
        let done = run_one(
            &mut connection,
            self.encryption.as_ref(),
            operation,
            &mut work,
        );
        match done {
            Err(failure) if failure.has_failed && began.elapsed() < RETRY_FOR => {
                drop(connection);
                self.read(work)
            }
            Ok(answer) => {
                self.is_out.store(false, Ordering::Relaxed);
                Ok(answer)
            }
            Err(failure) => Err(failure.error),
        }
    }

    pub(crate) fn write<T, E: From<DatabaseError>>(
        &self,
        work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<(T, Effects), E> {
        let operation = "write";
        let enter = || {
            let place = self.writes.enter(self.deadline());
            place.ok_or_else(|| busy(operation))
        };
        self.transaction(operation, WRITE, enter, work)
    }

    /// Runs `work` in a transaction that begins with the statement `sql`, and again as long as it
    /// conflicts with others, but for no longer than [`RETRY_FOR`] after the first conflict: Postgres
    /// takes a second to notice a deadlock. Each time, `enter` permits it.
    fn transaction<T, E: From<DatabaseError>, P>(
        &self,
        operation: &'static str,
        sql: &str,
        enter: impl Fn() -> Result<P, DatabaseError>,
        mut work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<(T, Effects), E> {
        let mut give_up_at = None;
        let mut backoff = FIRST_BACKOFF;
        loop {
            let permit = enter()?;
            let mut connection = self.begin(operation, sql)?;
            let done = run(
                &mut connection,
                self.encryption.as_ref(),
                operation,
                &mut work,
            );
            match done {
                Err(failure)
                    if failure.is_conflict
                        && Instant::now()
                            < *give_up_at.get_or_insert_with(|| Instant::now() + RETRY_FOR) =>
                {
                    tracing::debug!(operation, "a transaction conflicted with another");
                }
                done => return done.map_err(|failure| failure.error),
            }
            // The others need the connection meanwhile.
            drop(connection);
            drop(permit);
            std::thread::sleep(backoff);
            backoff *= 2;
        }
    }

    /// Records an outage if no connection is open; the pool itself retries to open one.
    /// If all are merely busy, waiting helps.
    fn note_outage(&self) {
        let is_out = self.connections.state().connections == 0;
        self.is_out.store(is_out, Ordering::Relaxed);
    }

    /// Opens a new connection, since all threads and pooled connections may be waiting
    /// for responses. [`Postgres::is_stalled`] tells whether the server responded.
    pub(crate) fn probe(&self) {
        let url = with_parameter(self.url.to_string(), "connect_timeout", PROBE_TIMEOUT);
        let _probe = self.in_flight.begin(Instant::now());
        if let Err(error) = Connection::establish(&with_parameters(&url)) {
            tracing::debug!(%error, "the database did not answer a probe");
        }
    }

    /// Begins a transaction. Replaces a connection that turns out to be dead (after
    /// a restart of the database, all are), since nothing was done on it yet. Fails
    /// if the answer comes after the transaction was abandoned: the caller may have
    /// reported a failure already.
    fn begin(&self, operation: &'static str, sql: &str) -> Result<Pooled, DatabaseError> {
        let deadline = self.deadline();
        loop {
            let is_last = Instant::now() >= deadline;
            let mut connection = self.connection(operation, deadline)?;
            let start = self.in_flight.begin(Instant::now());
            match begin(&mut connection, sql) {
                Ok(()) if start.complete() => {
                    self.is_out.store(false, Ordering::Relaxed);
                    return Ok(connection);
                }
                Ok(()) => return Err(late(operation)),
                Err(error) if is_last => return Err(failed(operation)(error)),
                Err(error) => tracing::debug!(%error, "discarded a dead database connection"),
            }
        }
    }

    /// Returns until when a request waits for a connection.
    fn deadline(&self) -> Instant {
        let is_out = self.is_out.load(Ordering::Relaxed);
        let timeout = if is_out {
            OUTAGE_TIMEOUT
        } else {
            CONNECT_TIMEOUT
        };
        Instant::now() + timeout
    }

    /// Takes a connection from the pool, which may be dead.
    fn connection(
        &self,
        operation: &'static str,
        deadline: Instant,
    ) -> Result<Pooled, DatabaseError> {
        self.connections
            .get_timeout(deadline.saturating_duration_since(Instant::now()))
            .inspect_err(|_| self.note_outage())
            .map_err(unavailable(operation))
    }
}

/// Runs the pending migrations in the open transaction.
pub(super) fn run_migrations(
    connection: &mut Connection,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    run_pending(connection, MIGRATIONS, applied_migrations)
}

#[derive(Debug)]
struct Setup;

impl CustomizeConnection<Connection, PoolError> for Setup {
    fn on_acquire(&self, connection: &mut Connection) -> Result<(), PoolError> {
        connection.batch_execute(SETUP).map_err(PoolError::from)
    }
}
