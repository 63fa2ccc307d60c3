//! Stored values that cannot be read, which must not take others with them.
//!
//! Invariant: a value counts as damaged only on a server that has the current master key.
//! One without it is unavailable, until it gets the key or another server takes its place.

use diesel::prelude::{OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::keys::MasterKeyId;
use ideavault_domain::ports::Vault;

use super::Connection;
use super::schema::master_key;
use crate::error::{QueryError, QueryResult};

/// Returns `error`, or [`QueryError::MasterKeyMissing`] where that explains it.
pub(super) fn explained(
    connection: &mut Connection,
    vault: &dyn Vault,
    error: QueryError,
) -> QueryError {
    match error {
        QueryError::Decryption(source) | QueryError::ForeignKey { source, .. }
            if lacks_current_key(connection, vault) =>
        {
            QueryError::MasterKeyMissing(source)
        }
        error => error,
    }
}

/// Returns a value that was read; `None`, and logs it, if it is damaged.
///
/// # Errors
/// Every other failure.
pub(super) fn unless_damaged<T>(
    connection: &mut Connection,
    vault: &dyn Vault,
    (what, id): (&'static str, &str),
    read: QueryResult<T>,
) -> QueryResult<Option<T>> {
    let error = match read {
        Ok(value) => return Ok(Some(value)),
        Err(error) => explained(connection, vault, error),
    };
    match error {
        QueryError::Decryption(_) | QueryError::ForeignKey { .. } | QueryError::Damaged { .. } => {
            tracing::error!(what, id, %error, "went on without a damaged value");
            Ok(None)
        }
        error => Err(error),
    }
}

/// Returns whether this server misses the key that the database was last encrypted with.
/// Without an answer, the database has failed in another way.
fn lacks_current_key(connection: &mut Connection, vault: &dyn Vault) -> bool {
    // Not locked: a transaction that only reads may not.
    let current: Option<Vec<u8>> = master_key::table
        .select(master_key::id)
        .first(connection)
        .optional()
        .ok()
        .flatten();
    current
        .and_then(|id| id.try_into().ok())
        .is_some_and(|id| vault.activate(MasterKeyId::from_bytes(id)).is_err())
}
