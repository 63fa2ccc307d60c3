//! The database adapter: SQLite or Postgres.
//!
//! Invariant: both databases run the same repositories, compiled from the same
//! files (`repo/`) once for each, and have the same schema. The differences are
//! in `sqlite` and `postgres`, and in `error`, which classifies their errors.

#![expect(
    clippy::duplicate_mod,
    reason = "the repositories are compiled once for each database"
)]

mod at_once;
mod backup;
mod copy;
mod data_version;
mod database;
mod error;
mod holding;
mod migrations;
mod postgres;
mod rotation;
mod sqlite;
mod stored;
#[cfg(feature = "testing")]
pub mod testing;

pub use copy::{CopyError, CopyProgress, DatabaseCopy};
pub use data_version::DataVersion;
pub use database::{DatabaseKind, DatabaseState, PoolSize, PoolUse, SqlDatabase};
pub use error::{BackupError, ConnectError};
pub use holding::holding;
pub use migrations::SchemaState;
pub use rotation::RotationLock;
