//! Everything that IdeaVault remembers, in SQLite or in Postgres.
//!
//! Invariant: both databases run the same repositories, compiled from the same
//! files (`repo/`) once for each, and hold the same schema; whatever differs is
//! in `sqlite` and `postgres`, and in `error`, which tells their errors apart.

#![expect(
    clippy::duplicate_mod,
    reason = "the repositories are compiled once for each database"
)]

mod backup;
mod database;
mod error;
mod migrations;
mod postgres;
mod rotation;
mod sqlite;
mod stored;
#[cfg(feature = "testing")]
pub mod testing;

pub use backup::BackupError;
pub use database::{DatabaseKind, DatabaseState, PoolSize, SqlDatabase};
pub use error::ConnectError;
pub use migrations::SchemaState;
pub use rotation::RotationLock;
