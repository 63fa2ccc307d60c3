//! Classifies database errors. Nothing else in the crate inspects them.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use thiserror::Error;

use ideavault_domain::evidence::NotCanonical;
use ideavault_domain::ports::{DatabaseError, PortError};

/// Why a database could not be opened. Never contains a Postgres address, which can
/// hold a password.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// The address is neither a SQLite nor a Postgres one.
    #[error(
        "the database address must be sqlite://PATH (a file) or \
         postgres://USER:PASSWORD@HOST:PORT/DATABASE, with / as %2F, ? as %3F, # as %23 and @ as \
         %40 in the password"
    )]
    UnknownAddress,
    /// The file cannot be opened or created.
    #[error("cannot open or create the SQLite database {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// SQLite cannot use the file.
    #[error("cannot open the SQLite database {}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// No connection was established in time.
    #[error("cannot connect to the Postgres database")]
    Postgres(#[source] r2d2::Error),
    /// Settings of one connection are seen on another, or lost: a pooler hands the server's
    /// connections to others after each transaction.
    #[error(
        "the database address leads to a connection pooler that shares connections between \
         transactions, such as PgBouncer with pool_mode = transaction: set pool_mode = session, or \
         give the address of the Postgres server itself"
    )]
    SharedConnections,
    /// The Postgres database cannot be read.
    #[error("cannot read the Postgres database")]
    Unreadable(#[source] Box<dyn Error + Send + Sync>),
}

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
    #[error(
        "this database address cannot be used for backups: give sqlite://PATH (a file) or \
         postgres://USER:PASSWORD@HOST:PORT/DATABASE"
    )]
    Address,
}

impl From<QueryError> for BackupError {
    fn from(error: QueryError) -> Self {
        Self::SqlDatabase(Box::new(error))
    }
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

/// Why an operation of a repository failed.
#[derive(Debug, Error)]
pub(crate) enum QueryError {
    /// The database refused or could not run a statement.
    #[error(transparent)]
    Database(#[from] DieselError),
    /// A value cannot be encrypted.
    #[error(transparent)]
    Encryption(PortError),
    /// A stored value cannot be decrypted.
    #[error(transparent)]
    Decryption(PortError),
    /// The wrapped key of an idea cannot be unwrapped.
    #[error(
        "the key of idea {idea} cannot be decrypted: the row or the owner of the idea was \
         changed, or it belongs to another vault"
    )]
    ForeignKey {
        /// The idea.
        idea: i64,
        /// The cause.
        #[source]
        source: PortError,
    },
    /// The current master key is not on this machine (yet).
    #[error("the master key was replaced, and this server does not have the new one")]
    MasterKeyMissing(#[source] PortError),
    /// A stored value is not one that this server writes. Never contains the value,
    /// which may be confidential.
    #[error("the stored {what} is damaged")]
    Damaged {
        /// The kind of value.
        what: &'static str,
        /// The cause, if known.
        #[source]
        source: Option<Box<dyn Error + Send + Sync>>,
    },
    /// An event on record is not one that this server writes.
    #[error("event {row} is damaged")]
    DamagedEvent {
        /// The row, as `evidence check` names it.
        row: i64,
        /// The cause.
        #[source]
        source: Box<QueryError>,
    },
    /// A value cannot be stored in a form from which it could be read back.
    #[error(transparent)]
    NotStorable(Box<dyn Error + Send + Sync>),
    /// The account that something is written for was deleted or disabled meanwhile.
    #[error("the account is deleted or disabled")]
    AccountGone,
    /// A transaction that was to be committed with others could not be undone alone.
    #[error("the transaction was rolled back together with others of its group")]
    GroupRolledBack,
    /// Other transactions used the connection until the wait timed out.
    #[error("timed out waiting to write")]
    WriteQueueTimeout,
    /// The work must not wait, and would have had to.
    #[error("it would have had to wait")]
    MustWait,
    /// A concurrent transaction has added the same row, for the same request.
    #[error("a concurrent repetition of the request has added it")]
    AddedMeanwhile,
    /// The server does not number all transactions of the database.
    #[error("the database does not tell whether its data has changed")]
    NoVersions,
    /// An event was recorded before the first log began.
    #[error("the log of events has not begun: start the server once")]
    NoLog,
}

impl From<NotCanonical> for QueryError {
    fn from(error: NotCanonical) -> Self {
        Self::NotStorable(Box::new(error))
    }
}

/// Why a transaction was rolled back, or a statement without one was not run.
pub(crate) struct RolledBack<E> {
    /// The error for the caller.
    pub(crate) error: E,
    /// Whether a statement failed: not where only the caller refuses what it read.
    pub(crate) has_failed: bool,
    /// Whether the transaction conflicted with another, so that the same work may succeed in a
    /// new one.
    pub(crate) is_conflict: bool,
    /// Whether what it wrote is undone for certain, and nothing else.
    pub(crate) is_undone: bool,
}

/// The result of the queries of an operation.
pub(crate) type QueryResult<T> = Result<T, QueryError>;

/// Fails with a conflict unless one row was `added`. The id or key of what a request with an
/// `Idempotency-Key` adds follows from that key, so that only its own repetition adds the same; run
/// again, the transaction finds it.
pub(crate) fn added_once(added: usize) -> QueryResult<()> {
    if added == 1 {
        Ok(())
    } else {
        Err(QueryError::AddedMeanwhile)
    }
}

/// Converts an error during `operation` into the port's error.
pub(crate) fn failed<E: Into<QueryError>>(
    operation: &'static str,
) -> impl FnOnce(E) -> DatabaseError {
    move |error| {
        let error = error.into();
        error.condition().into_error(operation, Box::new(error))
    }
}

/// Converts the error of several operations at once, of which `operation` is one, into the port's
/// error.
pub(crate) fn failed_together(operation: &'static str, error: Arc<QueryError>) -> DatabaseError {
    error.condition().into_error(operation, Box::new(error))
}

/// Converts the failure to get a connection for `operation` into the port's error.
pub(crate) fn unavailable(operation: &'static str) -> impl FnOnce(r2d2::Error) -> DatabaseError {
    move |error| DatabaseError::Unavailable {
        operation,
        source: Box::new(error),
    }
}

/// Returns the error of an `operation` that found too many others at work.
pub(crate) fn busy(operation: &'static str) -> DatabaseError {
    DatabaseError::Unavailable {
        operation,
        source: Box::new(Busy),
    }
}

#[derive(Debug, Error)]
#[error("too many transactions write at a time")]
struct Busy;

/// Returns the error of an `operation` that was answered after it was abandoned.
pub(crate) fn late(operation: &'static str) -> DatabaseError {
    DatabaseError::Unavailable {
        operation,
        source: Box::new(Late),
    }
}

#[derive(Debug, Error)]
#[error("the database answered too late")]
struct Late;

/// Converts a migration's failure into the port's error.
pub(crate) fn migration_failed(source: Box<dyn Error + Send + Sync>) -> DatabaseError {
    let operation = "migrate the database";
    match source.downcast::<DieselError>() {
        Ok(error) => failed(operation)(*error),
        Err(source) => DatabaseError::Internal { operation, source },
    }
}

/// Logs why a pool could not open a connection; the caller only gets a timeout.
#[derive(Debug)]
pub(crate) struct LogErrors;

impl<E: Error> r2d2::HandleError<E> for LogErrors {
    fn handle_error(&self, error: E) {
        tracing::warn!(%error, "no connection to the database");
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Condition {
    Unavailable,
    Full,
    Damaged,
    Broken,
    AccountGone,
}

impl Condition {
    fn into_error(
        self,
        operation: &'static str,
        source: Box<dyn Error + Send + Sync>,
    ) -> DatabaseError {
        match self {
            Self::Unavailable => DatabaseError::Unavailable { operation, source },
            Self::Full => DatabaseError::Full { operation, source },
            Self::AccountGone => DatabaseError::AccountGone { operation },
            Self::Damaged => DatabaseError::Damaged { operation, source },
            Self::Broken => DatabaseError::Internal { operation, source },
        }
    }
}

impl QueryError {
    /// Returns whether a stored value is damaged. No statement has failed then.
    pub(crate) fn is_damage(&self) -> bool {
        self.condition() == Condition::Damaged
    }

    /// Returns whether the transaction conflicted with another, so that the same work may succeed
    /// in a new one.
    pub(crate) fn is_conflict(&self) -> bool {
        match self {
            Self::Database(error) => is_conflict(error),
            Self::AddedMeanwhile => true,
            _ => false,
        }
    }

    fn condition(&self) -> Condition {
        match self {
            Self::Database(error) => condition(error),
            // The operator puts the key there, or another server answers the retry.
            Self::MasterKeyMissing(_) => Condition::Unavailable,
            Self::GroupRolledBack
            | Self::WriteQueueTimeout
            | Self::MustWait
            | Self::AddedMeanwhile => Condition::Unavailable,
            Self::AccountGone => Condition::AccountGone,
            Self::Decryption(_)
            | Self::ForeignKey { .. }
            | Self::Damaged { .. }
            | Self::DamagedEvent { .. } => Condition::Damaged,
            Self::Encryption(_) | Self::NotStorable(_) | Self::NoVersions | Self::NoLog => {
                Condition::Broken
            }
        }
    }
}

fn is_conflict(error: &DieselError) -> bool {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _) => true,
        DieselError::DatabaseError(DatabaseErrorKind::Unknown, information) => {
            information.message().contains(DEADLOCK)
        }
        DieselError::RollbackErrorOnCommit { commit_error, .. } => is_conflict(commit_error),
        _ => false,
    }
}

/// Returns whether somebody else has kept a lock for too long that a statement needs.
pub(crate) fn is_locked(error: &DieselError) -> bool {
    match error {
        DieselError::DatabaseError(_, information) => {
            // SQLITE_BUSY; 55P03.
            let message = information.message();
            message.contains("database is locked") || message.contains("due to lock timeout")
        }
        _ => false,
    }
}

/// Returns the table of which a row refers to another one that is missing.
pub(crate) fn table_with_dangling_reference(error: &DieselError) -> Option<&str> {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, information) => {
            information.table_name()
        }
        _ => None,
    }
}

fn condition(error: &DieselError) -> Condition {
    match error {
        DieselError::DatabaseError(kind, information) => match kind {
            // The work has conflicted again and again; the client may try later.
            DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::SerializationFailure => Condition::Unavailable,
            DatabaseErrorKind::Unknown => condition_named(information.message()),
            _ => Condition::Broken,
        },
        // Only a lost connection leaves a transaction in an unknown state.
        DieselError::BrokenTransactionManager => Condition::Unavailable,
        DieselError::RollbackErrorOnCommit { commit_error, .. } => condition(commit_error),
        _ => Condition::Broken,
    }
}

/// Postgres's message for a deadlock, for which Diesel has no error kind.
const DEADLOCK: &str = "deadlock detected";

/// Classifies by the message, since Diesel passes on neither SQLite's result code
/// nor Postgres's SQLSTATE.
fn condition_named(message: &str) -> Condition {
    const FULL: [&str; 3] = [
        "database or disk is full", // SQLITE_FULL
        "No space left on device",  // 53100, as the system words it
        "Disk quota exceeded",
    ];
    const UNAVAILABLE: [&str; 9] = [
        "database is locked",           // SQLITE_BUSY
        "database table is locked",     // SQLITE_LOCKED
        "disk I/O error",               // SQLITE_IOERR
        "unable to open database file", // SQLITE_CANTOPEN
        "canceling statement due to",   // 57014 and 55P03: timeouts
        DEADLOCK,                       // 40P01
        "terminating connection",       // 57P01
        "the database system is",       // 57P03: starting up, shutting down
        "server closed the connection",
    ];
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| message.contains(phrase));
    if says(&FULL) {
        Condition::Full
    } else if says(&UNAVAILABLE) {
        Condition::Unavailable
    } else {
        Condition::Broken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(kind: DatabaseErrorKind, message: &str) -> Condition {
        condition(&DieselError::DatabaseError(
            kind,
            Box::new(message.to_owned()),
        ))
    }

    #[test]
    fn a_lost_connection_is_an_outage() {
        let kind = DatabaseErrorKind::ClosedConnection;
        assert_eq!(named(kind, ""), Condition::Unavailable);
    }

    #[test]
    fn a_busy_database_is_an_outage() {
        let kind = DatabaseErrorKind::Unknown;
        assert_eq!(named(kind, "database is locked"), Condition::Unavailable);
    }

    #[test]
    fn a_full_disk_is_recognized_on_both_databases() {
        for message in [
            "database or disk is full",
            "could not extend file \"base/5/16\": No space left on device",
        ] {
            let kind = DatabaseErrorKind::Unknown;
            assert_eq!(named(kind, message), Condition::Full, "{message}");
        }
    }

    #[test]
    fn a_missing_master_key_is_an_outage_and_a_value_that_no_key_opens_is_damaged() {
        let cause = || PortError {
            operation: "finding a master key",
            source: "no key has that id".into(),
        };
        let missing = QueryError::MasterKeyMissing(cause());
        assert_eq!(missing.condition(), Condition::Unavailable);
        let source = None;
        assert_eq!(
            QueryError::Encryption(cause()).condition(),
            Condition::Broken
        );
        for damaged in [
            QueryError::Decryption(cause()),
            QueryError::ForeignKey {
                idea: 1,
                source: cause(),
            },
            QueryError::Damaged { what: "id", source },
        ] {
            assert_eq!(damaged.condition(), Condition::Damaged, "{damaged}");
        }
    }

    #[test]
    fn a_violated_constraint_is_an_internal_error() {
        let kind = DatabaseErrorKind::ForeignKeyViolation;
        assert_eq!(named(kind, "database is locked"), Condition::Broken);
        assert_eq!(condition(&DieselError::NotFound), Condition::Broken);
    }
}
