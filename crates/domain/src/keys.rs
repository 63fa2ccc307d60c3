//! Keys that belong to one idea or one file, and what the master key seals.

use std::fmt;

use crate::ids::{MailId, ShareId, UserId};

/// The length of a key, in bytes.
pub const DATA_KEY_LENGTH: usize = 32;

/// What one idea or one file is encrypted with. It exists in memory only; the
/// store keeps it as a [`WrappedKey`].
#[derive(Clone)]
pub struct DataKey([u8; DATA_KEY_LENGTH]);

impl DataKey {
    /// A key of bytes from a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; DATA_KEY_LENGTH]) -> Self {
        Self(bytes)
    }

    /// The key itself, for the cipher.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; DATA_KEY_LENGTH] {
        &self.0
    }
}

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DataKey(..)")
    }
}

/// A [`DataKey`] that the master key has encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrappedKey(Vec<u8>);

impl WrappedKey {
    /// What [`WrappedKey::as_bytes`] was.
    #[must_use]
    pub fn from_stored(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The form that is stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Tells master keys apart without telling anything about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MasterKeyId([u8; 8]);

impl MasterKeyId {
    /// Wraps the bytes that a master key derives for this.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    /// The bytes, with which everything begins that the master key has sealed.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 8] {
        &self.0
    }
}

/// Whatever is sealed with the master key itself, and where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MasterSealed<'a> {
    /// A [`DataKey`], at its place.
    DataKey(&'a str),
    /// The token of the share with that id.
    ShareToken(ShareId),
    /// The waiting mail with that id.
    Mail(MailId),
    /// The secret that the account with that id shares with an authenticator app.
    TotpSecret(UserId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_does_not_show_itself() {
        assert_eq!(
            format!("{:?}", DataKey::from_random([7; 32])),
            "DataKey(..)"
        );
    }
}
