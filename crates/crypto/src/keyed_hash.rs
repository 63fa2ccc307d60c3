//! HMAC-SHA256 of data that leaves the server and comes back, such as a backup.

use std::io;

use hmac::{Hmac, KeyInit as _, Mac as _};
use ideavault_domain::hex;
use sha2::Sha256;

use crate::keys::{KeyError, MasterKey};

/// An incremental keyed hash. Without the master key nobody can compute it, and so
/// nobody can confirm a guess of the data or replace it.
#[derive(Clone)]
pub struct KeyedHash(Hmac<Sha256>);

impl KeyedHash {
    /// Creates a hash with the key that is derived from `master` for `purpose`.
    ///
    /// # Errors
    /// [`KeyError::Length`], which cannot happen for this length.
    pub fn new(master: &MasterKey, purpose: &str) -> Result<Self, KeyError> {
        let key: [u8; 32] = master.derive(purpose)?;
        Hmac::new_from_slice(&key)
            .map(Self)
            .map_err(|_| KeyError::Length)
    }

    /// Hashes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the hash of all bytes so far, in hex.
    #[must_use]
    pub fn finish(self) -> String {
        hex::encode(&self.0.finalize().into_bytes())
    }
}

/// Allows [`io::copy`] to hash what a reader returns.
impl io::Write for KeyedHash {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(key: u8, purpose: &str, bytes: &[u8]) -> String {
        let master = MasterKey::from_random([key; 32]);
        let mut hash = KeyedHash::new(&master, purpose).unwrap();
        io::copy(&mut &*bytes, &mut hash).unwrap();
        hash.finish()
    }

    #[test]
    fn a_different_key_purpose_or_byte_gives_a_different_hash() {
        let one = hash(1, "backup", b"idea");
        assert_eq!(one.len(), 64);
        assert_eq!(one, hash(1, "backup", b"idea"));
        assert_ne!(one, hash(2, "backup", b"idea"));
        assert_ne!(one, hash(1, "other", b"idea"));
        assert_ne!(one, hash(1, "backup", b"ideas"));
    }
}
