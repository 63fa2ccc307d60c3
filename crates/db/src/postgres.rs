//! Postgres: a pool of connections for reading and writing.
//!
//! Invariant: a read transaction cannot write.

mod address;
mod copy;
mod data_version;
mod pool;
mod presence;
#[path = "repo/mod.rs"]
mod repo;
mod rotation;
mod shared_connections;
mod stall_detector;
pub(crate) mod tools;
mod write_limit;

use diesel::pg::PgConnection as Connection;
use diesel::sql_types::Timestamptz as SqlTimestamp;

/// Reads the current master key's row and locks it until the transaction ends.
const MASTER_KEY_UNTIL_COMMIT: &str = "SELECT id FROM master_key FOR SHARE";

/// Reads whether a recipient is erased, and delays an erasure until the transaction ends.
const PROTECT_RECIPIENT: &str =
    "SELECT erased_at IS NOT NULL AS erased FROM recipients WHERE id = $1 FOR SHARE";

/// The same, and delays [`PROTECT_RECIPIENT`] as well. Rows that only refer to it may
/// be added meanwhile: waiting for those could deadlock.
const LOCK_RECIPIENT: &str =
    "SELECT erased_at IS NOT NULL AS erased FROM recipients WHERE id = $1 FOR NO KEY UPDATE";

/// Reads whether an account is deleted or disabled, and delays both until the transaction
/// ends.
const PROTECT_ACCOUNT: &str =
    "SELECT disabled_at IS NOT NULL AS erased FROM users WHERE id = $1 FOR SHARE";

/// The same, and delays [`PROTECT_ACCOUNT`] as well.
const LOCK_ACCOUNT: &str =
    "SELECT disabled_at IS NOT NULL AS erased FROM users WHERE id = $1 FOR NO KEY UPDATE";

/// Ends a query that reads other tables as well, and protects the accounts as
/// [`PROTECT_ACCOUNT`] does.
const PROTECTING_ACCOUNTS: &str = " FOR SHARE OF users";

/// Ends a query that reads ideas, and delays what would change them until the transaction ends.
const PROTECTING_IDEAS: &str = " FOR SHARE OF ideas";

/// Ends a query that locks the notices it reads until the transaction ends.
const LOCKING_NOTICES: &str = " FOR NO KEY UPDATE OF notices";

/// Reads the origin of the current log, and takes the next row number of an event.
const NEXT_EVENT: &str = "SELECT (SELECT origin FROM evidence_logs ORDER BY number DESC LIMIT 1) \
     AS origin, nextval(pg_get_serial_sequence('evidence_events', 'seq')) AS seq";

/// Gives only numbers after $1 to new ideas.
const SKIP_IDEA_NUMBERS: &[&str] = &["SELECT setval('ideas_id_seq', $1) FROM ideas_id_seq \
     WHERE last_value < $1 OR last_value = $1 AND NOT is_called"];

/// Takes the advisory lock 'ideplace' (in ASCII) until the transaction ends, unless another
/// server has it.
const TRY_LOCK_PLACES: &str =
    "SELECT pg_try_advisory_xact_lock(x'696465706c616365'::bigint) AS locked";

pub(crate) use address::is_encoded;
pub(crate) use copy::PostgresTables;
pub(crate) use pool::Postgres;
pub(crate) use presence::is_initialised;
pub(crate) use rotation::RotationLock;
