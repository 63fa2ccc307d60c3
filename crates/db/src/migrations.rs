//! Which migrations a database has had.

use std::collections::BTreeSet;
use std::error::Error;

use diesel::backend::Backend;
use diesel::migration::{Migration as _, MigrationSource as _, MigrationVersion};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};
use thiserror::Error;

/// A database that this program does not understand.
#[derive(Debug, Error)]
#[error(
    "the database was made by another version of IdeaVault: this one does not know its \
     migration {0}"
)]
struct UnknownMigration(String);

/// Whether this program and the schema of a database fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// They do.
    Current,
    /// So many migrations have not been run yet.
    Pending(usize),
    /// The database has had a migration that this program does not know.
    Unknown(String),
}

/// Compares what a database has had with what there is.
///
/// # Errors
/// When the migrations in this program cannot be read.
pub(crate) fn schema_state<DB: Backend>(
    known: &EmbeddedMigrations,
    applied: &BTreeSet<String>,
) -> Result<SchemaState, Box<dyn Error + Send + Sync>>
where
    EmbeddedMigrations: diesel::migration::MigrationSource<DB>,
{
    let known: BTreeSet<String> = known
        .migrations()?
        .iter()
        .map(|migration| migration.name().version().to_string())
        .collect();
    let unknown = applied.difference(&known).next();
    let pending = known.difference(applied).count();
    Ok(match (unknown, pending) {
        (Some(unknown), _) => SchemaState::Unknown(unknown.clone()),
        (None, 0) => SchemaState::Current,
        (None, pending) => SchemaState::Pending(pending),
    })
}

/// Runs what is pending, unless the database has had a migration that this
/// program does not know.
///
/// # Errors
/// When there is such a migration, or one that is pending fails.
pub(crate) fn run_pending<DB: Backend>(
    connection: &mut impl MigrationHarness<DB>,
    known: EmbeddedMigrations,
) -> Result<(), Box<dyn Error + Send + Sync>>
where
    EmbeddedMigrations: diesel::migration::MigrationSource<DB>,
{
    let migrations = known.migrations()?;
    let versions: BTreeSet<MigrationVersion<'static>> = migrations
        .iter()
        .map(|migration| migration.name().version().as_owned())
        .collect();
    let applied = connection.applied_migrations()?;
    if let Some(version) = applied.iter().find(|version| !versions.contains(*version)) {
        return Err(Box::new(UnknownMigration(version.to_string())));
    }
    connection.run_pending_migrations(known)?;
    Ok(())
}
