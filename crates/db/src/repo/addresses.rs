//! Keyed hashes of addresses that readers have confirmed, by which a person's registrations are
//! found. Addresses are encrypted, each with the key of an idea.

use diesel::prelude::{ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::email::Email;
use ideavault_domain::keys::{DataKey, MasterSealed, WrappedKey};
use ideavault_domain::ports::Encryption;

use super::Connection;
use super::cipher::evidence_cipher;
use super::current_key::under_current;
use super::damage::Readable;
use super::erased::lock_recipient;
use super::schema::{address_key, recipients, shares};
use super::sealed::{RecipientDetails, Sealable as _};
use crate::error::{QueryError, QueryResult};

/// The associated data of the wrapped key.
pub(super) const KEY_AAD: &str = "hashes of addresses";

/// A keyed hash, as it is stored.
pub(super) type AddressHash = Vec<u8>;

/// Returns the hash of an address, and makes the key for the first one.
pub(super) fn address_hash(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    email: &Email,
) -> QueryResult<AddressHash> {
    if let Some(known) = known_address_hash(connection, encryption, email)? {
        return Ok(known);
    }
    let key = encryption.new_key().map_err(QueryError::Encryption)?;
    let wrapped = encryption.wrap(KEY_AAD, &key);
    let wrapped = wrapped.map_err(QueryError::Encryption)?;
    let what = MasterSealed::DataKey(KEY_AAD);
    let wrapped = under_current(connection, encryption, what, wrapped.as_bytes())?;
    diesel::insert_into(address_key::table)
        .values((address_key::one.eq(1), address_key::sealed.eq(wrapped)))
        .on_conflict_do_nothing()
        .execute(connection)?;
    // Of several servers, one has made it, and the others take that one.
    let key = stored_key(connection, encryption)?.unwrap_or(key);
    hash(encryption, &key, email)
}

/// Returns the hash of an address; `None` as long as nobody has confirmed any.
pub(super) fn known_address_hash(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    email: &Email,
) -> QueryResult<Option<AddressHash>> {
    let key = stored_key(connection, encryption)?;
    key.map(|key| hash(encryption, &key, email)).transpose()
}

/// Returns the hash of a registration's address, unless its person was erased or it is damaged.
/// Nobody erases the person before this transaction ends.
pub(super) fn address_of(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    recipient: &str,
) -> QueryResult<Option<AddressHash>> {
    if lock_recipient(connection, recipient)? {
        return Ok(None);
    }
    let (idea, sealed): (i64, Vec<u8>) = recipients::table
        .inner_join(shares::table.on(shares::id.eq(recipients::share_id)))
        .filter(recipients::id.eq(recipient))
        .select((shares::idea_id, recipients::details))
        .first(connection)?;
    let details = evidence_cipher(connection, encryption, idea)
        .and_then(|cipher| RecipientDetails::open(&cipher, recipient, &sealed));
    let details = readable.unless_damaged(connection, ("registration", recipient), details)?;
    let email = details.map(|details| Email::from_stored(details.email));
    email
        .map(|email| address_hash(connection, encryption, &email))
        .transpose()
}

fn stored_key(
    connection: &mut Connection,
    encryption: &dyn Encryption,
) -> QueryResult<Option<DataKey>> {
    let sealed: Option<Vec<u8>> = address_key::table
        .select(address_key::sealed)
        .first(connection)
        .optional()?;
    let key = sealed.map(|sealed| encryption.unwrap(KEY_AAD, &WrappedKey::from_stored(sealed)));
    key.transpose().map_err(QueryError::Decryption)
}

fn hash(encryption: &dyn Encryption, key: &DataKey, email: &Email) -> QueryResult<AddressHash> {
    let hash = encryption.hash(key, email.as_str());
    Ok(hash.map_err(QueryError::Encryption)?.to_vec())
}
