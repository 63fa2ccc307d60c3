//! Hashes of what limits count by: HMAC-SHA256 with a key that is not in the database,
//! so that a copy of it does not tell who tried to sign in.

use hmac::{Hmac, KeyInit as _, Mac as _};
use ideavault_domain::ports::{LimitKeyHasher, PortError};
use ideavault_domain::rate_limit::{CountKey, RateLimit};
use sha2::Sha256;

use crate::port_error;
use crate::ring::KeyRing;

/// [`LimitKeyHasher`] with the current key of a key ring. A rotation begins all counts anew.
pub struct KeyedLimits(KeyRing);

impl KeyedLimits {
    /// Creates a hasher with the keys of `ring`.
    #[must_use]
    pub fn new(ring: KeyRing) -> Self {
        Self(ring)
    }
}

impl LimitKeyHasher for KeyedLimits {
    fn hash(&self, limit: RateLimit, name: &str) -> Result<CountKey, PortError> {
        let operation = "hashing the key of a limit";
        let secret = self.0.limit_key()?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret)
            .map_err(|error| port_error(operation, error))?;
        // No limit has a space, so that the concatenation is unambiguous.
        mac.update(format!("{limit:?} {name}").as_bytes());
        Ok(CountKey::from_bytes(mac.finalize().into_bytes().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::MasterKey;

    fn hash(master: u8, limit: RateLimit, name: &str) -> CountKey {
        let ring = KeyRing::new([&MasterKey::from_random([master; 32])]).unwrap();
        KeyedLimits::new(ring).hash(limit, name).unwrap()
    }

    #[test]
    fn hashes_depend_on_the_master_key_the_limit_and_the_key() {
        let known = hash(1, RateLimit::FailedLogin, "ada");
        assert_eq!(hash(1, RateLimit::FailedLogin, "ada"), known);
        for other in [
            hash(2, RateLimit::FailedLogin, "ada"),
            hash(1, RateLimit::Credentials, "ada"),
            hash(1, RateLimit::FailedLogin, "bob"),
        ] {
            assert_ne!(other, known);
        }
    }
}
