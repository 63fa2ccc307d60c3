//! Encryption of what is stored.

use super::database::DatabaseError;
use super::platform::PortError;
use crate::keys::{DataKey, MasterKeyId, MasterSealed, WrappedKey};

/// Encrypts what is stored with keys that the master key protects, so that a
/// copy of the database and the files shows nothing without it.
///
/// Every ciphertext is bound to its *place*, a name for where it belongs: moved
/// elsewhere, it does not open. Within one [`DataKey`] a place need only be
/// unique there.
pub trait Vault: Send + Sync {
    /// Which master key seals now.
    ///
    /// # Errors
    /// When there is none.
    fn master_key(&self) -> Result<MasterKeyId, PortError>;

    /// From now on that master key seals; the others still open.
    ///
    /// # Errors
    /// When it is not known, and cannot be found where master keys come from.
    fn activate(&self, id: MasterKeyId) -> Result<(), PortError>;

    /// Seals with the current master key what a former one has sealed.
    ///
    /// # Errors
    /// When the former one is unknown, the place another, or the bytes changed.
    fn rewrap(&self, what: MasterSealed<'_>, sealed: &[u8]) -> Result<Vec<u8>, PortError>;

    /// A new random key.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    fn new_key(&self) -> Result<DataKey, PortError>;

    /// Encrypts a key with the current master key.
    ///
    /// # Errors
    /// When encryption fails.
    fn wrap(&self, aad: &str, key: &DataKey) -> Result<WrappedKey, PortError>;

    /// Decrypts what [`Vault::wrap`] returned for the same place.
    ///
    /// # Errors
    /// When the master key is unknown, the place another, or the bytes changed.
    fn unwrap(&self, aad: &str, wrapped: &WrappedKey) -> Result<DataKey, PortError>;

    /// Encrypts with one idea's or file's key.
    ///
    /// # Errors
    /// When encryption fails.
    fn seal(&self, key: &DataKey, aad: &str, plaintext: &[u8]) -> Result<Vec<u8>, PortError>;

    /// Decrypts what [`Vault::seal`] returned for the same key and place.
    ///
    /// # Errors
    /// When the key or the place is another, or the bytes changed.
    fn open(&self, key: &DataKey, aad: &str, sealed: &[u8]) -> Result<Vec<u8>, PortError>;
}

/// Which master key the store is sealed with. Once a key is current here, the
/// store adds nothing that another one has sealed, whoever adds it: it has the
/// [`Vault`] adopt the current key and renew the value. Where the [`Vault`] cannot
/// find the current key, the store is unavailable.
pub trait MasterKeys {
    /// Makes that key current, unless there is one. Answers the current one.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn adopt_master_key(&mut self, id: MasterKeyId) -> Result<MasterKeyId, DatabaseError>;

    /// Makes that key current.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn replace_master_key(&mut self, id: MasterKeyId) -> Result<(), DatabaseError>;

    /// Seals with the current key up to `limit` of the values that a former one
    /// has sealed. Answers how many it took on: 0 when none is left. What others
    /// change meanwhile stays as they leave it, and is taken on again if need be.
    ///
    /// # Errors
    /// [`DatabaseError`], also when the current or a former key is unknown.
    fn renew_sealed(&mut self, limit: usize) -> Result<usize, DatabaseError>;
}
