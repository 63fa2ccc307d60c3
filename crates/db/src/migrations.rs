//! Comparing and running the embedded migrations.

use std::collections::BTreeSet;
use std::error::Error;

use diesel::backend::Backend;
use diesel::migration::{Migration as _, MigrationSource as _, MigrationVersion};
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
    /// The version of a migration in the database that this program does not know.
    Unknown(String),
}

/// Compares the migrations of a database with the known ones.
///
/// # Errors
/// If the embedded migrations cannot be read.
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

/// Runs the pending migrations, unless the database has one that this program
/// does not know.
///
/// # Errors
/// If there is such a migration, or a pending one fails.
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
