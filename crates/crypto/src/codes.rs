//! Hashes of one-time codes: HMAC-SHA256 over the recipient's id and the digits, with
//! a key that is not in the database. A plain hash of six digits could be reversed at
//! once by trying all of them.

use hmac::{Hmac, KeyInit, Mac};
use ideavault_domain::code::{CodeHash, OneTimeCode};
use ideavault_domain::ids::RecipientId;
use ideavault_domain::ports::{CodeHasher, PortError};
use sha2::Sha256;

use crate::port_error;
use crate::ring::KeyRing;

/// [`CodeHasher`] with the keys of a key ring. Hashes with the current one; a code that
/// was sent before a rotation still matches.
pub struct KeyedCodes(KeyRing);

impl KeyedCodes {
    /// Creates a hasher with the keys of `ring`.
    #[must_use]
    pub fn new(ring: KeyRing) -> Self {
        Self(ring)
    }
}

fn mac(
    key: &[u8; 32],
    recipient: RecipientId,
    code: &OneTimeCode,
) -> Result<Hmac<Sha256>, PortError> {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(key).map_err(|error| port_error("hashing a code", error))?;
    // The id has a fixed length, so that the concatenation is unambiguous.
    mac.update(recipient.as_uuid().as_bytes());
    mac.update(code.reveal().as_bytes());
    Ok(mac)
}

impl CodeHasher for KeyedCodes {
    fn hash(&self, recipient: RecipientId, code: &OneTimeCode) -> Result<CodeHash, PortError> {
        let keys = self.0.code_keys();
        let current = keys
            .first()
            .ok_or_else(|| port_error("hashing a code", "there is no key on the ring"))?;
        let mac = mac(current, recipient, code)?.finalize();
        Ok(CodeHash::from_bytes(mac.into_bytes().into()))
    }

    fn matches(
        &self,
        recipient: RecipientId,
        code: &OneTimeCode,
        hash: &CodeHash,
    ) -> Result<bool, PortError> {
        let mut matches = false;
        for key in self.0.code_keys() {
            // Compares in constant time.
            let compared = mac(&key, recipient, code)?.verify_slice(hash.as_bytes());
            matches |= compared.is_ok();
        }
        Ok(matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::MasterKey;

    fn codes<const N: usize>(masters: [u8; N]) -> KeyedCodes {
        let masters = masters.map(|byte| MasterKey::from_random([byte; 32]));
        KeyedCodes::new(KeyRing::new(&masters).unwrap())
    }

    fn vera(byte: u8) -> RecipientId {
        RecipientId::from_random([byte; 16])
    }

    fn code(digits: &str) -> OneTimeCode {
        OneTimeCode::parse(digits).unwrap()
    }

    #[test]
    fn a_hash_matches_only_the_same_code_of_the_same_recipient() {
        let hash = codes([1]).hash(vera(1), &code("012345")).unwrap();
        let matches = |codes: KeyedCodes, recipient, digits| {
            codes.matches(recipient, &code(digits), &hash).unwrap()
        };
        assert!(matches(codes([1]), vera(1), "012345"));
        assert!(!matches(codes([1]), vera(1), "012346"));
        assert!(!matches(codes([1]), vera(2), "012345"));
        assert!(!matches(codes([2]), vera(1), "012345"));
        // After a rotation, and on a server that has not noticed it yet.
        assert!(matches(codes([2, 1]), vera(1), "012345"));
        assert!(!matches(codes([2, 1]), vera(1), "012346"));
        assert!(matches(codes([1, 2]), vera(1), "012345"));
    }

    #[test]
    fn the_hash_is_hmac_sha256_of_id_and_digits() {
        let hash = codes([1, 2]).hash(vera(1), &code("012345")).unwrap();
        let key: [u8; 32] = MasterKey::from_random([1; 32])
            .derive("email codes")
            .unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        let id = vera(1).as_uuid();
        mac.update(&[id.as_bytes().as_slice(), b"012345"].concat());
        assert_eq!(hash.as_bytes()[..], mac.finalize().into_bytes()[..]);
    }
}
