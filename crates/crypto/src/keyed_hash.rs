//! HMAC-SHA256 of bytes that leave the server and come back, such as a backup.

use std::io;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::keys::{KeyError, MasterKey};

/// A keyed hash that takes its bytes piece by piece. Without the master key nobody
/// can compute it, and so nobody can confirm a guess of the bytes or replace them.
#[derive(Clone)]
pub struct KeyedHash(Hmac<Sha256>);

impl KeyedHash {
    /// A hash with the key that `master` has for one purpose.
    ///
    /// # Errors
    /// [`KeyError::Length`], which cannot happen for this length.
    pub fn new(master: &MasterKey, purpose: &str) -> Result<Self, KeyError> {
        let key: [u8; 32] = master.derive(purpose)?;
        Hmac::new_from_slice(&key)
            .map(Self)
            .map_err(|_| KeyError::Length)
    }

    /// Takes the next bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all that was taken in, in hex.
    #[must_use]
    pub fn finish(self) -> String {
        let hash = self.0.finalize().into_bytes();
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// So that [`io::copy`] takes in all that a reader gives.
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
    fn another_key_purpose_or_byte_gives_another_hash() {
        let one = hash(1, "backup", b"idea");
        assert_eq!(one.len(), 64);
        assert_eq!(one, hash(1, "backup", b"idea"));
        assert_ne!(one, hash(2, "backup", b"idea"));
        assert_ne!(one, hash(1, "other", b"idea"));
        assert_ne!(one, hash(1, "backup", b"ideas"));
    }
}
