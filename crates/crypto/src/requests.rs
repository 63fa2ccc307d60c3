//! Hashes of requests: HMAC-SHA256 with a key that is not in the database, so that a request grants
//! something only where the server says so, whoever knows it.

use hmac::{Hmac, KeyInit as _, Mac as _};
use ideavault_domain::ports::{PortError, RequestHasher};
use sha2::Sha256;

use crate::port_error;
use crate::ring::KeyRing;

/// [`RequestHasher`] with the current key of a key ring. After a rotation, what was sent before it
/// counts as another request.
pub struct KeyedRequests(KeyRing);

impl KeyedRequests {
    /// Creates a hasher with the keys of `ring`.
    #[must_use]
    pub fn new(ring: KeyRing) -> Self {
        Self(ring)
    }
}

impl RequestHasher for KeyedRequests {
    fn hash(&self, parts: &[&[u8]]) -> Result<[u8; 32], PortError> {
        let operation = "hashing a request";
        let secret = self.0.request_key()?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret)
            .map_err(|error| port_error(operation, error))?;
        for part in parts {
            // With their lengths, so that the concatenation is unambiguous.
            let length = u64::try_from(part.len()).map_err(|error| port_error(operation, error))?;
            mac.update(&length.to_be_bytes());
            mac.update(part);
        }
        Ok(mac.finalize().into_bytes().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::MasterKey;

    fn hash(master: u8, parts: &[&[u8]]) -> [u8; 32] {
        let ring = KeyRing::new([&MasterKey::from_random([master; 32])]).unwrap();
        KeyedRequests::new(ring).hash(parts).unwrap()
    }

    #[test]
    fn hashes_depend_on_the_master_key_and_on_each_part() {
        let known = hash(1, &[b"agree", b"vera"]);
        assert_eq!(hash(1, &[b"agree", b"vera"]), known);
        for other in [
            hash(2, &[b"agree", b"vera"]),
            hash(1, &[b"agreev", b"era"]),
            hash(1, &[b"agree", b"vera", b""]),
            hash(1, &[b"vera", b"agree"]),
        ] {
            assert_ne!(other, known);
        }
    }
}
