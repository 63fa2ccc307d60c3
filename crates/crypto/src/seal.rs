//! Share tokens, sealed for the database: XChaCha20-Poly1305 with a random
//! nonce, the share's id as associated data. Layout: nonce (24 bytes), then
//! ciphertext with tag.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use ideavault_domain::ids::ShareId;
use ideavault_domain::ports::{PortError, Random, TokenSealer};
use ideavault_domain::token::Token;

use crate::port_error;
use crate::random::SystemRandom;

const NONCE_LENGTH: usize = 24;

/// [`TokenSealer`] with one key.
pub struct SealedTokens {
    cipher: XChaCha20Poly1305,
}

impl SealedTokens {
    /// Seals with `key`; see [`crate::MasterKey::derive`].
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self {
            cipher: XChaCha20Poly1305::new(&key.into()),
        }
    }
}

impl TokenSealer for SealedTokens {
    fn seal(&self, share: ShareId, token: &Token) -> Result<Vec<u8>, PortError> {
        let mut nonce = [0_u8; NONCE_LENGTH];
        SystemRandom.fill(&mut nonce)?;
        let share = share.as_uuid();
        let payload = Payload {
            msg: token.as_bytes(),
            aad: share.as_bytes(),
        };
        let ciphertext = self
            .cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|error| port_error("sealing a share token", error.to_string()))?;
        Ok([nonce.as_slice(), &ciphertext].concat())
    }

    fn open(&self, share: ShareId, sealed: &[u8]) -> Result<Token, PortError> {
        let damaged = |why: &str| port_error("opening a sealed share token", why);
        let (nonce, ciphertext) = sealed
            .split_first_chunk::<NONCE_LENGTH>()
            .ok_or_else(|| damaged("it is too short"))?;
        let share = share.as_uuid();
        let payload = Payload {
            msg: ciphertext,
            aad: share.as_bytes(),
        };
        let opened = self
            .cipher
            .decrypt(&XNonce::from(*nonce), payload)
            .map_err(|_| damaged("the key, the share or the bytes do not match"))?;
        opened
            .try_into()
            .map(Token::from_random)
            .map_err(|_| damaged("it does not hold a token"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(byte: u8) -> ShareId {
        ShareId::from_random([byte; 16])
    }

    #[test]
    fn what_was_sealed_opens_for_the_same_share_and_key_only() {
        let (tokens, token) = (SealedTokens::new([1; 32]), Token::from_random([2; 32]));
        let sealed = tokens.seal(share(1), &token).unwrap();
        assert_eq!(tokens.open(share(1), &sealed).unwrap(), token);
        assert!(tokens.open(share(2), &sealed).is_err());
        assert!(SealedTokens::new([9; 32]).open(share(1), &sealed).is_err());
    }

    #[test]
    fn a_changed_or_cut_byte_is_noticed() {
        let tokens = SealedTokens::new([1; 32]);
        let sealed = tokens.seal(share(1), &Token::from_random([2; 32])).unwrap();
        for position in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[position] ^= 1;
            assert!(tokens.open(share(1), &changed).is_err());
        }
        assert!(tokens.open(share(1), &sealed[..10]).is_err());
    }

    #[test]
    fn the_same_token_looks_different_each_time() {
        let (tokens, token) = (SealedTokens::new([1; 32]), Token::from_random([2; 32]));
        let one = tokens.seal(share(1), &token).unwrap();
        assert_ne!(one, tokens.seal(share(1), &token).unwrap());
        assert!(!one.windows(32).any(|window| window == token.as_bytes()));
    }
}
