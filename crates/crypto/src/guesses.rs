//! Hashes of what guesses are counted by: HMAC-SHA256 with a key that is not in the database,
//! so that a copy of it does not tell who tried to sign in.

use hmac::{Hmac, KeyInit as _, Mac as _};
use ideavault_domain::guesses::GuessKey;
use ideavault_domain::ports::{GuessKeyHasher, PortError};
use sha2::Sha256;

use crate::port_error;
use crate::ring::KeyRing;

/// [`GuessKeyHasher`] with the current key of a key ring. A rotation begins all counts anew.
pub struct KeyedGuesses(KeyRing);

impl KeyedGuesses {
    /// Creates a hasher with the keys of `ring`.
    #[must_use]
    pub fn new(ring: KeyRing) -> Self {
        Self(ring)
    }
}

impl GuessKeyHasher for KeyedGuesses {
    fn hash(&self, counted: &str, key: &str) -> Result<GuessKey, PortError> {
        let operation = "hashing the key of a limit";
        let secret = self.0.guess_key()?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret)
            .map_err(|error| port_error(operation, error))?;
        // No name has a space, so that the concatenation is unambiguous.
        mac.update(format!("{counted} {key}").as_bytes());
        Ok(GuessKey::from_bytes(mac.finalize().into_bytes().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::MasterKey;

    fn hash(master: u8, counted: &str, key: &str) -> GuessKey {
        let ring = KeyRing::new([&MasterKey::from_random([master; 32])]).unwrap();
        KeyedGuesses::new(ring).hash(counted, key).unwrap()
    }

    #[test]
    fn hashes_depend_on_the_master_key_the_limit_and_the_key() {
        let known = hash(1, "FailedLogin", "ada");
        assert_eq!(hash(1, "FailedLogin", "ada"), known);
        for other in [
            hash(2, "FailedLogin", "ada"),
            hash(1, "Credentials", "ada"),
            hash(1, "FailedLogin", "bob"),
        ] {
            assert_ne!(other, known);
        }
    }
}
