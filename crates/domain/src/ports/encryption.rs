//! Encryption of stored data.

use super::error::DatabaseError;
use super::platform::PortError;
use crate::evidence::Salt;
use crate::keys::{CookieKey, DamagedValue, DataKey, MasterKeyId, MasterSealed, WrappedKey};

/// Encrypts stored data with keys that are wrapped with the master key, so that a
/// copy of the database and the files reveals nothing without it.
///
/// Every ciphertext is bound to associated data (`aad`) that names where it belongs:
/// moved elsewhere, it cannot be decrypted. Under one [`DataKey`], the associated
/// data need only be unique within that key.
pub trait Encryption: Send + Sync {
    /// Returns the id of the current master key.
    ///
    /// # Errors
    /// When there is none.
    fn master_key(&self) -> Result<MasterKeyId, PortError>;

    /// Makes that master key current; data encrypted with earlier ones can still be
    /// decrypted.
    ///
    /// # Errors
    /// When the key is unknown and cannot be loaded.
    fn activate(&self, id: MasterKeyId) -> Result<(), PortError>;

    /// Re-encrypts with the current master key a value that an earlier one has
    /// encrypted.
    ///
    /// # Errors
    /// When the earlier key is unknown, the associated data differs, or the bytes
    /// were changed.
    fn rewrap(&self, what: MasterSealed<'_>, sealed: &[u8]) -> Result<Vec<u8>, PortError>;

    /// Encrypts a secret with the current master key.
    ///
    /// # Errors
    /// When encryption fails.
    fn seal_with_master(
        &self,
        what: MasterSealed<'_>,
        plaintext: &[u8],
    ) -> Result<Vec<u8>, PortError>;

    /// Decrypts bytes from [`Encryption::seal_with_master`] of the same kind and owner.
    ///
    /// # Errors
    /// When the master key is unknown, the bytes belong elsewhere, or they were changed.
    fn open_with_master(&self, what: MasterSealed<'_>, sealed: &[u8])
    -> Result<Vec<u8>, PortError>;

    /// Creates a random data key.
    ///
    /// # Errors
    /// When the operating system's random source fails.
    fn new_key(&self) -> Result<DataKey, PortError>;

    /// Creates a random salt, which hides what a digest is of.
    ///
    /// # Errors
    /// When the operating system's random source fails.
    fn new_salt(&self) -> Result<Salt, PortError>;

    /// Encrypts a data key with the current master key.
    ///
    /// # Errors
    /// When encryption fails.
    fn wrap(&self, aad: &str, key: &DataKey) -> Result<WrappedKey, PortError>;

    /// Decrypts a key from [`Encryption::wrap`], given the same associated data.
    ///
    /// # Errors
    /// When the master key is unknown, the associated data differs, or the bytes were
    /// changed.
    fn unwrap(&self, aad: &str, wrapped: &WrappedKey) -> Result<DataKey, PortError>;

    /// Encrypts with the data key of one idea or file.
    ///
    /// # Errors
    /// When encryption fails.
    fn seal(&self, key: &DataKey, aad: &str, plaintext: &[u8]) -> Result<Vec<u8>, PortError>;

    /// Decrypts bytes from [`Encryption::seal`], given the same key and associated data.
    ///
    /// # Errors
    /// When the key or the associated data differs, or the bytes were changed.
    fn open(&self, key: &DataKey, aad: &str, sealed: &[u8]) -> Result<Vec<u8>, PortError>;

    /// Returns a keyed hash of a text, by which an encrypted one is found: always the same, and
    /// nobody without the key can check a guess.
    ///
    /// # Errors
    /// When hashing fails.
    fn hash(&self, key: &DataKey, text: &str) -> Result<[u8; 32], PortError>;
}

/// The master key that the database uses. Once a key is current, the database accepts no
/// value encrypted with another one: it has the [`Encryption`] activate the current key
/// and rewrap the value. When the [`Encryption`] cannot load the current key, the database
/// is unavailable.
pub trait MasterKeys {
    /// Returns the current key; `None` before the first start of a server.
    fn master_key(&mut self) -> Result<Option<MasterKeyId>, DatabaseError>;

    /// Makes that key current unless there is one. Returns the current key.
    fn init_master_key(&mut self, id: MasterKeyId) -> Result<MasterKeyId, DatabaseError>;

    /// Makes that key current, replacing any other.
    fn replace_master_key(&mut self, id: MasterKeyId) -> Result<(), DatabaseError>;

    /// Rewraps up to `limit` values that an earlier key has encrypted. Returns how
    /// many it processed: 0 when none is left. Values changed concurrently keep the
    /// concurrent change and are processed again if needed. Adds those that cannot be
    /// decrypted to `damaged`, and leaves out those that are there.
    ///
    /// # Errors
    /// [`DatabaseError`], also when the current key is unknown.
    fn rewrap_batch(
        &mut self,
        limit: usize,
        damaged: &mut Vec<DamagedValue>,
    ) -> Result<usize, DatabaseError>;
}

/// The cookie key, encrypted with the master key.
pub trait StoredCookieKey {
    /// Stores a key unless there is one, and returns the stored one: concurrent servers get the
    /// same. Replaces one that no available master key decrypts, and logs it.
    fn init_cookie_key(&mut self, new: &CookieKey) -> Result<CookieKey, DatabaseError>;

    /// Stores a key, replacing any other. Servers that run keep theirs.
    fn replace_cookie_key(&mut self, new: &CookieKey) -> Result<(), DatabaseError>;
}
