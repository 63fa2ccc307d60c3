//! Postgres: a pool of equal connections.
//!
//! Invariant: a transaction that reads cannot write.

mod pool;
mod presence;
#[path = "repo/mod.rs"]
mod repo;
mod rotation;
mod stall_detector;
pub(crate) mod tools;

use diesel::pg::PgConnection as Connection;
use diesel::sql_types::Timestamptz as SqlTimestamp;

/// Reads which master key is current, and keeps it so until the transaction ends.
const MASTER_KEY_UNTIL_COMMIT: &str = "SELECT id FROM master_key FOR SHARE";

pub(crate) use pool::Postgres;
pub(crate) use presence::holds_vault;
pub(crate) use rotation::RotationLock;
