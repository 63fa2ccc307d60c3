//! Encryption of what is stored.

use super::platform::PortError;
use crate::keys::{DataKey, WrappedKey};

/// Encrypts what is stored with keys that the master key protects, so that a
/// copy of the database and the files shows nothing without it.
///
/// Every ciphertext is bound to its *place*, a name for where it belongs: moved
/// elsewhere, it does not open. Within one [`DataKey`] a place need only be
/// unique there.
pub trait Vault: Send + Sync {
    /// A new random key.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    fn new_key(&self) -> Result<DataKey, PortError>;

    /// Encrypts a key with the current master key.
    ///
    /// # Errors
    /// When encryption fails.
    fn wrap(&self, place: &str, key: &DataKey) -> Result<WrappedKey, PortError>;

    /// Decrypts what [`Vault::wrap`] returned for the same place.
    ///
    /// # Errors
    /// When the master key is unknown, the place another, or the bytes changed.
    fn unwrap(&self, place: &str, wrapped: &WrappedKey) -> Result<DataKey, PortError>;

    /// Encrypts with one idea's or file's key.
    ///
    /// # Errors
    /// When encryption fails.
    fn seal(&self, key: &DataKey, place: &str, plaintext: &[u8]) -> Result<Vec<u8>, PortError>;

    /// Decrypts what [`Vault::seal`] returned for the same key and place.
    ///
    /// # Errors
    /// When the key or the place is another, or the bytes changed.
    fn open(&self, key: &DataKey, place: &str, sealed: &[u8]) -> Result<Vec<u8>, PortError>;
}
