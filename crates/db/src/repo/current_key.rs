//! The current master key of the database.

use diesel::prelude::{OptionalExtension, QueryableByName, RunQueryDsl};
use diesel::sql_types::Binary;

use ideavault_domain::keys::{MasterKeyId, MasterSealed};
use ideavault_domain::ports::Encryption;

use super::{Connection, MASTER_KEY_UNTIL_COMMIT};
use crate::error::{QueryError, QueryResult};
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
    encryption: &dyn Encryption,
    what: MasterSealed<'_>,
    sealed: &[u8],
) -> QueryResult<Vec<u8>> {
    match current(connection)? {
        Some(current) if !sealed.starts_with(current.as_bytes()) => {
            encryption
                .activate(current)
                .map_err(QueryError::MasterKeyMissing)?;
            rewrapped(encryption, what, sealed)
        }
        _ => Ok(sealed.to_vec()),
    }
}

/// Encrypts a new secret with the current master key itself.
pub(super) fn sealed_under_current(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    what: MasterSealed<'_>,
    plaintext: &[u8],
) -> QueryResult<Vec<u8>> {
    let sealed = encryption
        .seal_with_master(what, plaintext)
        .map_err(QueryError::Encryption)?;
    under_current(connection, encryption, what, &sealed)
}

/// Returns a value under the present master key of `encryption`.
pub(super) fn rewrapped(
    encryption: &dyn Encryption,
    what: MasterSealed<'_>,
    sealed: &[u8],
) -> QueryResult<Vec<u8>> {
    encryption
        .rewrap(what, sealed)
        .map_err(QueryError::Encryption)
}
