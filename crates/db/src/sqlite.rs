//! SQLite: one file, one connection that writes, several that read.
//!
//! Invariant: only the writer's connection can write; the others refuse to.

mod pool;
#[path = "repo/mod.rs"]
mod repo;

use diesel::sql_types::TimestamptzSqlite as SqlTimestamp;
use diesel::sqlite::SqliteConnection as Connection;

pub(crate) use pool::Sqlite;
