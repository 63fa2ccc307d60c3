//! The current master key of the database.

use diesel::prelude::{OptionalExtension, QueryResult, QueryableByName, RunQueryDsl};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel::sql_types::Binary;

use ideavault_domain::keys::{MasterKeyId, MasterSealed};
use ideavault_domain::ports::{PortError, Vault};

use super::{Connection, MASTER_KEY_UNTIL_COMMIT};
use crate::stored;

#[derive(QueryableByName)]
struct CurrentRow {
    #[diesel(sql_type = Binary)]
    id: Vec<u8>,
}

/// Returns the id of the current master key.
pub(super) fn current(connection: &mut Connection) -> QueryResult<Option<MasterKeyId>> {
    diesel::sql_query(MASTER_KEY_UNTIL_COMMIT)
        .get_result::<CurrentRow>(connection)
        .optional()?
        .map(|row| {
            let bytes = row.id.try_into().ok();
            stored::required("master key id", bytes).map(MasterKeyId::from_bytes)
        })
        .transpose()
}

/// Returns a new value under the current master key, rewrapped if necessary: a rotation
/// would not find a value that is added under a former one. A server that missed a
/// rotation activates the new key here.
pub(super) fn under_current(
    connection: &mut Connection,
    vault: &dyn Vault,
    what: MasterSealed<'_>,
    sealed: &[u8],
) -> QueryResult<Vec<u8>> {
    match current(connection)? {
        Some(current) if !sealed.starts_with(current.as_bytes()) => {
            vault.activate(current).map_err(not_here)?;
            rewrapped(vault, what, sealed)
        }
        _ => Ok(sealed.to_vec()),
    }
}

/// Encrypts a new secret with the current master key itself.
pub(super) fn sealed_under_current(
    connection: &mut Connection,
    vault: &dyn Vault,
    what: MasterSealed<'_>,
    plaintext: &[u8],
) -> QueryResult<Vec<u8>> {
    let sealed = vault
        .seal_with_master(what, plaintext)
        .map_err(not_sealed)?;
    under_current(connection, vault, what, &sealed)
}

/// The error if the current master key is not on this machine (yet).
pub(super) fn not_here(error: PortError) -> DieselError {
    tracing::error!(%error, "the master key was replaced, and this server does not have the new one");
    DieselError::DatabaseError(
        DatabaseErrorKind::SerializationFailure,
        Box::new("the master key was replaced".to_owned()),
    )
}

/// Returns a value under the present master key of `vault`.
pub(super) fn rewrapped(
    vault: &dyn Vault,
    what: MasterSealed<'_>,
    sealed: &[u8],
) -> QueryResult<Vec<u8>> {
    vault.rewrap(what, sealed).map_err(not_sealed)
}

/// Returns the error for a value that cannot be encrypted.
pub(super) fn not_sealed(error: PortError) -> DieselError {
    DieselError::SerializationError(Box::new(error))
}
