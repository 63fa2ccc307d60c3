//! Authenticated encryption: XChaCha20-Poly1305 with a random nonce and associated
//! data. Layout: nonce (24 bytes), then ciphertext with tag.

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use ideavault_domain::ports::{PortError, Random as _};

use crate::port_error;
use crate::random::SystemRandom;

const NONCE_LENGTH: usize = 24;

pub(crate) fn seal(
    cipher: &XChaCha20Poly1305,
    aad: &[u8],
    plaintext: &[u8],
) -> Result<Vec<u8>, PortError> {
    let mut nonce = [0_u8; NONCE_LENGTH];
    SystemRandom.fill(&mut nonce)?;
    let payload = Payload {
        msg: plaintext,
        aad,
    };
    let ciphertext = cipher
        .encrypt(&XNonce::from(nonce), payload)
        .map_err(|error| port_error("encrypting", error.to_string()))?;
    Ok([nonce.as_slice(), &ciphertext].concat())
}

pub(crate) fn open(
    cipher: &XChaCha20Poly1305,
    aad: &[u8],
    sealed: &[u8],
) -> Result<Vec<u8>, PortError> {
    let damaged = |why: &str| port_error("decrypting", why);
    let (nonce, ciphertext) = sealed
        .split_first_chunk::<NONCE_LENGTH>()
        .ok_or_else(|| damaged("it is too short"))?;
    let payload = Payload {
        msg: ciphertext,
        aad,
    };
    cipher
        .decrypt(&XNonce::from(*nonce), payload)
        .map_err(|_| damaged("the key, the associated data or the bytes do not match"))
}

#[cfg(test)]
mod tests {
    use chacha20poly1305::KeyInit as _;

    use super::*;

    const SECRET: &[u8] = b"a secret of some length";

    fn cipher(byte: u8) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&[byte; 32].into())
    }

    #[test]
    fn sealed_data_opens_only_with_the_same_aad_and_key() {
        let sealed = seal(&cipher(1), b"here", SECRET).unwrap();
        assert_eq!(open(&cipher(1), b"here", &sealed).unwrap(), SECRET);
        assert!(open(&cipher(1), b"there", &sealed).is_err());
        assert!(open(&cipher(2), b"here", &sealed).is_err());
    }

    #[test]
    fn a_changed_or_missing_byte_is_detected() {
        let sealed = seal(&cipher(1), b"here", SECRET).unwrap();
        for position in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[position] ^= 1;
            assert!(open(&cipher(1), b"here", &changed).is_err());
        }
        assert!(open(&cipher(1), b"here", &sealed[..10]).is_err());
    }

    #[test]
    fn sealing_the_same_secret_gives_a_different_ciphertext() {
        let one = seal(&cipher(1), b"here", SECRET).unwrap();
        assert_ne!(one, seal(&cipher(1), b"here", SECRET).unwrap());
        assert!(!one.windows(SECRET.len()).any(|window| window == SECRET));
    }
}
