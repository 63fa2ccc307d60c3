//! Comparing and running the embedded migrations.
//!
//! The database says which programs can work with its schema: those that know the migration
//! `schema_compatibility.oldest_version`, or a newer one. So a program serves beside its successor,
//! which has migrated already, unless that says otherwise.

use std::collections::BTreeSet;
use std::error::Error;

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::migration::{Migration as _, MigrationSource};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};
use thiserror::Error;

/// The database has a migration that this program does not know.
#[derive(Debug, Error)]
#[error(
    "the database was made by another version of IdeaVault: this one does not know its \
     migration {0}"
)]
struct UnknownMigration(String);

/// How the schema of a database compares to the migrations of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// All migrations were run.
    Current,
    /// The number of migrations that were not run yet.
    Pending(usize),
    /// The newest migration in the database, made by a newer program that this one can work
    /// beside.
    Newer(String),
    /// The version of a migration in the database that this program cannot work with.
    Unknown(String),
}

/// The migrations of a database.
pub(crate) struct Applied {
    pub(crate) versions: BTreeSet<String>,
    /// The newest migration that the oldest program knows which can work with the schema; none
    /// in a new database.
    pub(crate) oldest: Option<String>,
}

/// Compares the migrations of a database with the known ones.
///
/// # Errors
/// If the embedded migrations cannot be read.
pub(crate) fn schema_state<DB: Backend>(
    known: &EmbeddedMigrations,
    applied: &Applied,
) -> Result<SchemaState, Box<dyn Error + Send + Sync>>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known = versions(known)?;
    let pending = known.difference(&applied.versions).count();
    let mut unknown = applied.versions.difference(&known);
    let Some(first) = unknown.next() else {
        return Ok(match pending {
            0 => SchemaState::Current,
            pending => SchemaState::Pending(pending),
        });
    };
    let oldest = applied.oldest.as_deref();
    if pending == 0 && oldest.is_some_and(|oldest| knows(&known, oldest)) {
        return Ok(SchemaState::Newer(unknown.last().unwrap_or(first).clone()));
    }
    Ok(SchemaState::Unknown(first.clone()))
}

/// Returns whether this program can work with a schema that a program with the migration `oldest`
/// can work with.
///
/// # Errors
/// If the embedded migrations cannot be read.
pub(crate) fn can_use<DB: Backend>(
    known: &EmbeddedMigrations,
    oldest: &str,
) -> Result<bool, Box<dyn Error + Send + Sync>>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    Ok(knows(&versions(known)?, oldest))
}

/// Versions are times, all of the same length.
fn knows(known: &BTreeSet<String>, oldest: &str) -> bool {
    known.last().is_some_and(|newest| oldest <= newest.as_str())
}

fn versions<DB: Backend>(
    migrations: &impl MigrationSource<DB>,
) -> Result<BTreeSet<String>, Box<dyn Error + Send + Sync>> {
    let migrations = migrations.migrations()?.into_iter();
    Ok(migrations
        .map(|migration| migration.name().version().to_string())
        .collect())
}

/// Runs the pending migrations. Changes nothing in a database that a newer program has migrated,
/// if this one can work with it. `read` reads what was run.
///
/// # Errors
/// If it cannot work with it, or a pending migration fails.
pub(crate) fn run_pending<DB: Backend, C: MigrationHarness<DB>>(
    connection: &mut C,
    known: EmbeddedMigrations,
    read: impl FnOnce(&mut C) -> QueryResult<Applied>,
) -> Result<(), Box<dyn Error + Send + Sync>>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    // Makes the table of migrations in a new database.
    connection.applied_migrations()?;
    match schema_state::<DB>(&known, &read(connection)?)? {
        SchemaState::Unknown(version) => return Err(Box::new(UnknownMigration(version))),
        SchemaState::Newer(version) => {
            tracing::info!(version, "a newer program has migrated the database");
        }
        SchemaState::Current | SchemaState::Pending(_) => {
            connection.run_pending_migrations(known)?;
        }
    }
    Ok(())
}
