//! Postgres: a pool of equal connections.
//!
//! Invariant: a transaction that reads cannot write.

mod pool;
#[path = "repo/mod.rs"]
mod repo;

use diesel::pg::PgConnection as Connection;
use diesel::sql_types::Timestamptz as SqlTimestamp;

pub(crate) use pool::Postgres;
