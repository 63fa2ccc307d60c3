//! SQLite: one file, one connection that writes, several that read.
//!
//! Invariant: only the writer's connection can write; the others are query-only.

mod backup;
mod copy;
mod data_version;
mod group_commit;
mod pool;
mod presence;
#[path = "repo/mod.rs"]
mod repo;

use diesel::sql_types::TimestamptzSqlite as SqlTimestamp;
use diesel::sqlite::SqliteConnection as Connection;

/// Reads the current master key's row. It cannot change until the transaction ends,
/// since nothing else can write meanwhile.
const MASTER_KEY_UNTIL_COMMIT: &str = "SELECT id FROM master_key";

/// Reads whether a recipient is erased. There is only one writer.
const PROTECT_RECIPIENT: &str =
    "SELECT erased_at IS NOT NULL AS erased FROM recipients WHERE id = $1";

/// The same.
const LOCK_RECIPIENT: &str = PROTECT_RECIPIENT;

/// Reads whether an account is deleted or disabled. There is only one writer.
const PROTECT_ACCOUNT: &str = "SELECT disabled_at IS NOT NULL AS erased FROM users WHERE id = $1";

/// The same.
const LOCK_ACCOUNT: &str = PROTECT_ACCOUNT;

/// Ends a query that protects the accounts that it reads. There is only one writer.
const PROTECTING_ACCOUNTS: &str = "";

/// Ends a query that protects the ideas that it reads. There is only one writer.
const PROTECTING_IDEAS: &str = "";

/// Ends a query that locks the notices it reads. There is only one writer.
const LOCKING_NOTICES: &str = "";

/// Reads the origin of the current log, and the next row number of an event, which nobody else
/// can use until the transaction ends.
const NEXT_EVENT: &str = "SELECT (SELECT origin FROM evidence_logs ORDER BY number DESC LIMIT 1) \
     AS origin, max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'evidence_events'), 0), \
     coalesce((SELECT max(seq) FROM evidence_events), 0)) + 1 AS seq";

/// Gives only numbers after $1 to new ideas.
const SKIP_IDEA_NUMBERS: &[&str] = &[
    "INSERT INTO sqlite_sequence (name, seq) SELECT 'ideas', $1 \
     WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'ideas')",
    "UPDATE sqlite_sequence SET seq = $1 WHERE name = 'ideas' AND seq < $1",
];

/// Nothing else can write until the transaction ends.
const TRY_LOCK_PLACES: &str = "SELECT 1 AS locked";

pub(crate) use backup::{in_new_file, require_no_file, restore_file};
pub(crate) use copy::SqliteTables;
pub(crate) use pool::Sqlite;
pub(crate) use presence::is_initialised;
