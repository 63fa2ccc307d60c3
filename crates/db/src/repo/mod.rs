//! The repositories, on one transaction.
//!
//! Compiled once for each database: `super` defines the types of connections and
//! times. Invariant: only `begin`, `versions` and `run` begin or end a transaction.

mod account_changes;
mod activity;
mod addresses;
mod administration;
mod admission;
mod anchors;
mod audit;
mod cipher;
mod codes;
mod comments;
mod cookie_key;
mod current_key;
mod damage;
mod document_links;
mod email_confirmations;
mod erased;
mod erasures;
mod evidence_log;
mod facts;
mod files;
mod folding;
mod gate_query;
mod idea_rows;
mod ideas;
mod identity;
mod inspection;
mod jobs;
mod known_devices;
mod limit_counts;
mod locking;
mod master_keys;
mod notices;
mod outbox;
mod public_records;
mod readers;
mod recipients;
mod revisions;
mod rows;
pub(super) mod schema;
mod sealed;
mod seals;
mod shares;
mod storage_use;
mod thinning;
mod time;
mod two_factors;
pub(super) mod user_sessions;
mod users;
mod working_copies;

use diesel::connection::{AnsiTransactionManager, TransactionManager as _};
use diesel::prelude::{QueryableByName, RunQueryDsl as _};
use diesel::result::QueryResult;
use diesel::sql_types::Text;
use thiserror::Error;

use ideavault_domain::ports::{DatabaseError, Encryption, Transaction};

use self::damage::{LeftOut, Readable};
use super::{
    Connection, LOCK_ACCOUNT, LOCK_RECIPIENT, LOCKING_NOTICES, MASTER_KEY_UNTIL_COMMIT, NEXT_EVENT,
    PROTECT_ACCOUNT, PROTECT_RECIPIENT, PROTECTING_ACCOUNTS, PROTECTING_IDEAS, SKIP_IDEA_NUMBERS,
    SqlTimestamp, TRY_LOCK_PLACES,
};
use crate::error::{QueryError, RolledBack, failed};
use crate::migrations::Applied;

/// Follow-up work after the commit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effects {
    /// Content was erased, so that the write-ahead log must be truncated.
    pub(super) erased: bool,
    /// An email or an event was queued, so that the queues must be woken.
    pub(crate) queued: bool,
}

/// Implements the repositories on an open transaction.
struct Repository<'c> {
    connection: &'c mut Connection,
    encryption: &'c dyn Encryption,
    effects: Effects,
    failed: bool,
    conflicted: bool,
    left_out: LeftOut,
    operations: Operations,
}

/// How many operations may run on a connection: those outside of a transaction see different
/// snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operations {
    Unlimited,
    One,
    None,
}

impl<'c> Repository<'c> {
    fn new(
        connection: &'c mut Connection,
        encryption: &'c dyn Encryption,
        operations: Operations,
    ) -> Self {
        Self {
            connection,
            encryption,
            effects: Effects::default(),
            failed: false,
            conflicted: false,
            left_out: LeftOut::default(),
            operations,
        }
    }

    /// Returns what reads values that may be damaged.
    fn readable(&self) -> Readable<'c> {
        Readable::new(self.encryption, &self.left_out)
    }

    /// Runs the queries of one operation.
    fn run<T>(
        &mut self,
        operation: &'static str,
        queries: impl FnOnce(&mut Connection) -> Result<T, QueryError>,
    ) -> Result<T, DatabaseError> {
        match self.operations {
            Operations::Unlimited => {}
            Operations::One => self.operations = Operations::None,
            Operations::None => {
                return Err(DatabaseError::Internal {
                    operation,
                    source: Box::new(SecondOperation),
                });
            }
        }
        queries(self.connection).map_err(|error| {
            let error = damage::explained(self.connection, self.encryption, error);
            self.failed |= !error.is_damage();
            self.conflicted |= error.is_conflict();
            failed(operation)(error)
        })
    }
}

#[derive(Debug, Error)]
#[error("the transaction continued after a failed statement")]
struct FailureIgnored;

#[derive(Debug, Error)]
#[error("a second operation needs a transaction")]
struct SecondOperation;

/// Begins a transaction with the statement `sql`.
pub(super) fn begin(connection: &mut Connection, sql: &str) -> QueryResult<()> {
    AnsiTransactionManager::begin_transaction_sql(connection, sql)
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    version: String,
}

/// Reads the database's version (the SQL expression `version`) and the applied
/// migrations in the open transaction on `connection`, and ends it.
pub(super) fn versions(
    connection: &mut Connection,
    version: &str,
) -> QueryResult<(String, Applied)> {
    let answer = read_versions(connection, version);
    if answer.is_ok() {
        AnsiTransactionManager::commit_transaction(connection)?;
    } else if let Err(error) = AnsiTransactionManager::rollback_transaction(connection) {
        tracing::debug!(%error, "could not roll back a transaction");
    }
    answer
}

fn read_versions(connection: &mut Connection, version: &str) -> QueryResult<(String, Applied)> {
    let version = diesel::sql_query(format!("SELECT {version} AS version"));
    let version: Version = version.get_result(connection)?;
    Ok((version.version, applied_migrations(connection)?))
}

/// Reads which migrations were run.
pub(super) fn applied_migrations(connection: &mut Connection) -> QueryResult<Applied> {
    let applied = diesel::sql_query("SELECT version FROM __diesel_schema_migrations");
    let applied: Vec<Version> = applied.get_results(connection)?;
    let oldest = match applied.is_empty() {
        true => None,
        false => Some(oldest_version(connection)?),
    };
    let versions = applied.into_iter().map(|row| row.version).collect();
    Ok(Applied { versions, oldest })
}

/// Reads which migration a program has to know at least that works with the schema.
pub(super) fn oldest_version(connection: &mut Connection) -> QueryResult<String> {
    let oldest = "SELECT oldest_version AS version FROM schema_compatibility";
    let oldest: Version = diesel::sql_query(oldest).get_result(connection)?;
    Ok(oldest.version)
}

/// Runs `work` in the open transaction (or savepoint) on `connection`, and ends it. If `work`
/// panics, it stays open, and the pool discards the connection.
pub(super) fn run<T, E: From<DatabaseError>>(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    operation: &'static str,
    work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
) -> Result<(T, Effects), RolledBack<E>> {
    let mut repository = Repository::new(connection, encryption, Operations::Unlimited);
    let mut answer = work(&mut repository);
    // After a failed statement, Postgres would silently turn the commit into a
    // rollback, and SQLite would commit the other statements.
    if repository.failed && answer.is_ok() {
        answer = Err(failure_ignored(operation));
    }
    let (effects, has_failed) = (repository.effects, repository.failed);
    let is_conflict = repository.conflicted;
    match answer {
        Ok(answer) => AnsiTransactionManager::commit_transaction(connection)
            .map(|()| (answer, effects))
            .map_err(QueryError::from)
            .map_err(|error| RolledBack {
                has_failed: true,
                is_conflict: error.is_conflict(),
                is_undone: false,
                error: failed(operation)(error).into(),
            }),
        Err(error) => {
            let undone = AnsiTransactionManager::rollback_transaction(connection);
            if let Err(error) = &undone {
                tracing::debug!(%error, "could not roll back a transaction");
            }
            Err(RolledBack {
                error,
                has_failed,
                is_conflict,
                is_undone: undone.is_ok(),
            })
        }
    }
}

/// Runs `work`, one operation of one statement, on `connection` without a transaction.
pub(super) fn run_one<T, E: From<DatabaseError>>(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    operation: &'static str,
    work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
) -> Result<T, RolledBack<E>> {
    let mut repository = Repository::new(connection, encryption, Operations::One);
    let answer = work(&mut repository);
    let (has_failed, is_conflict) = (repository.failed, repository.conflicted);
    let answer = match answer {
        Ok(_) if has_failed => Err(failure_ignored(operation)),
        answer => answer,
    };
    answer.map_err(|error| RolledBack {
        error,
        has_failed,
        is_conflict,
        is_undone: true,
    })
}

fn failure_ignored<E: From<DatabaseError>>(operation: &'static str) -> E {
    E::from(DatabaseError::Internal {
        operation,
        source: Box::new(FailureIgnored),
    })
}
