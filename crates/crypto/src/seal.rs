//! Secrets, sealed for the database: XChaCha20-Poly1305 with a random nonce,
//! the id of what the secret belongs to as associated data. Layout: nonce (24
//! bytes), then ciphertext with tag.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use ideavault_domain::ports::{PortError, Random, Sealer};
use uuid::Uuid;

use crate::port_error;
use crate::random::SystemRandom;

const NONCE_LENGTH: usize = 24;

/// [`Sealer`] with one key. What differs in kind gets a key of its own, so
/// that no id of one kind opens anything of another.
pub struct KeyedSealer {
    cipher: XChaCha20Poly1305,
}

impl KeyedSealer {
    /// Seals with `key`; see [`crate::MasterKey::derive`].
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self {
            cipher: XChaCha20Poly1305::new(&key.into()),
        }
    }
}

impl Sealer for KeyedSealer {
    fn seal(&self, id: Uuid, plaintext: &[u8]) -> Result<Vec<u8>, PortError> {
        let mut nonce = [0_u8; NONCE_LENGTH];
        SystemRandom.fill(&mut nonce)?;
        let payload = Payload {
            msg: plaintext,
            aad: id.as_bytes(),
        };
        let ciphertext = self
            .cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|error| port_error("sealing a secret", error.to_string()))?;
        Ok([nonce.as_slice(), &ciphertext].concat())
    }

    fn open(&self, id: Uuid, sealed: &[u8]) -> Result<Vec<u8>, PortError> {
        let damaged = |why: &str| port_error("opening a sealed secret", why);
        let (nonce, ciphertext) = sealed
            .split_first_chunk::<NONCE_LENGTH>()
            .ok_or_else(|| damaged("it is too short"))?;
        let payload = Payload {
            msg: ciphertext,
            aad: id.as_bytes(),
        };
        self.cipher
            .decrypt(&XNonce::from(*nonce), payload)
            .map_err(|_| damaged("the key, the id or the bytes do not match"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"a secret of some length";

    fn id(byte: u8) -> Uuid {
        Uuid::from_bytes([byte; 16])
    }

    #[test]
    fn what_was_sealed_opens_for_the_same_id_and_key_only() {
        let sealer = KeyedSealer::new([1; 32]);
        let sealed = sealer.seal(id(1), SECRET).unwrap();
        assert_eq!(sealer.open(id(1), &sealed).unwrap(), SECRET);
        assert!(sealer.open(id(2), &sealed).is_err());
        assert!(KeyedSealer::new([9; 32]).open(id(1), &sealed).is_err());
    }

    #[test]
    fn a_changed_or_cut_byte_is_noticed() {
        let sealer = KeyedSealer::new([1; 32]);
        let sealed = sealer.seal(id(1), SECRET).unwrap();
        for position in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[position] ^= 1;
            assert!(sealer.open(id(1), &changed).is_err());
        }
        assert!(sealer.open(id(1), &sealed[..10]).is_err());
    }

    #[test]
    fn the_same_secret_looks_different_each_time() {
        let sealer = KeyedSealer::new([1; 32]);
        let one = sealer.seal(id(1), SECRET).unwrap();
        assert_ne!(one, sealer.seal(id(1), SECRET).unwrap());
        assert!(!one.windows(SECRET.len()).any(|window| window == SECRET));
    }
}
