//! Data keys of ideas and files, the cookie key, and values encrypted with the master key.

use std::fmt;

use crate::ids::{MailId, ShareId, UserId};

/// Length of a data key, in bytes.
pub const DATA_KEY_LENGTH: usize = 32;

/// The key that one idea or file is encrypted with. Exists in memory only; stored as
/// a [`WrappedKey`].
#[derive(Clone)]
pub struct DataKey([u8; DATA_KEY_LENGTH]);

impl DataKey {
    /// Makes a key from bytes of a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; DATA_KEY_LENGTH]) -> Self {
        Self(bytes)
    }

    /// Returns the key bytes, for the cipher.
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

/// The key from which all servers of a vault derive the keys of cookies.
#[derive(Clone, PartialEq, Eq)]
pub struct CookieKey([u8; 32]);

impl CookieKey {
    /// Makes a key from bytes of a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the key bytes, for derivation.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for CookieKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CookieKey(..)")
    }
}

/// A [`DataKey`] encrypted with the master key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrappedKey(Vec<u8>);

impl WrappedKey {
    /// Wraps stored bytes of [`WrappedKey::as_bytes`].
    #[must_use]
    pub fn from_stored(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Returns the bytes to store.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Identifies a master key without revealing anything about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MasterKeyId([u8; 8]);

impl MasterKeyId {
    /// Wraps the bytes derived from a master key.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, which are the prefix of everything encrypted with that
    /// master key.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 8] {
        &self.0
    }
}

/// The kinds of values encrypted with the master key itself, with what binds each to
/// its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MasterSealed<'a> {
    /// A [`DataKey`], with its associated data.
    DataKey(&'a str),
    /// The token of the share with that id.
    ShareToken(ShareId),
    /// The queued mail with that id.
    Mail(MailId),
    /// The TOTP secret of the account with that id.
    TotpSecret(UserId),
    /// The seed of the evidence log's key with that `vkey`.
    LogSeed(&'a str),
    /// Nothing: it proves that a server of this vault wrote the row of the log with these values.
    Row(&'a str),
    /// The [`CookieKey`], of which there is one.
    CookieKey,
}

/// A stored value that no available master key decrypts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedValue {
    /// The kind of value, and of what.
    pub area: &'static str,
    /// The id of what it belongs to.
    pub id: String,
}

impl fmt::Display for DamagedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.area, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_the_key() {
        assert_eq!(
            format!("{:?}", DataKey::from_random([7; 32])),
            "DataKey(..)"
        );
        assert_eq!(
            format!("{:?}", CookieKey::from_random([7; 32])),
            "CookieKey(..)"
        );
    }
}
