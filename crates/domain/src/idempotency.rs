//! Requests that a client may repeat.

use crate::digest::{Digest, Digester};
use crate::failure::Invalid;

/// The name that a client gives to a request: repeated with the same key, it changes nothing more.
/// Each user's keys are their own (draft-ietf-httpapi-idempotency-key-header). Only its SHA-256 is
/// kept, because clients may choose keys that say something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(Digest);

impl IdempotencyKey {
    /// Longest key, in bytes.
    pub const MAX_BYTES: usize = 64;
    /// Shortest key that counts as a secret, in bytes.
    pub const SECRET_MIN_BYTES: usize = 22;

    /// Parses a key: 1 to 64 visible ASCII characters.
    ///
    /// # Errors
    /// [`Invalid`], for the field `idempotencyKey`.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let is_valid = (1..=Self::MAX_BYTES).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_valid {
            Ok(Self(Digest::of(text.as_bytes())))
        } else {
            let message = "The Idempotency-Key must be 1 to 64 visible ASCII characters";
            Err(Invalid::new("idempotencyKey", message))
        }
    }

    /// Parses a key that has to be a secret, because whoever repeats the request with it gets the
    /// key of a browser: at least 22 characters, which 128 random bits have in base64.
    ///
    /// # Errors
    /// [`Invalid`], for the field `idempotencyKey`.
    pub fn parse_secret(text: &str) -> Result<Self, Invalid> {
        if text.len() < Self::SECRET_MIN_BYTES {
            let message =
                "The Idempotency-Key of this request must be at least 22 random characters";
            return Err(Invalid::new("idempotencyKey", message));
        }
        Self::parse(text)
    }

    /// Returns the id of what `maker` makes of `subject` with this request: the same each time.
    #[must_use]
    pub fn id_of(&self, maker: &str, subject: &str) -> [u8; 16] {
        let mut digester = Digester::default();
        for part in [maker, "\n", subject, "\n"] {
            digester.update(part.as_bytes());
        }
        digester.update(self.as_bytes());
        let mut id = [0; 16];
        id.iter_mut()
            .zip(digester.finish().as_bytes())
            .for_each(|(id, byte)| *id = *byte);
        id
    }

    /// Returns the SHA-256 of the key.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_key_is_long() {
        assert!(IdempotencyKey::parse_secret(&"k".repeat(22)).is_ok());
        for key in ["k".repeat(21), "k".repeat(65), " ".repeat(22)] {
            let refused = IdempotencyKey::parse_secret(&key).unwrap_err();
            assert_eq!(refused.field, "idempotencyKey", "{key:?}");
        }
    }

    #[test]
    fn the_same_request_makes_the_same_id() {
        let [one, two] = ["one", "two"].map(|key| IdempotencyKey::parse(key).unwrap());
        let id = one.id_of("ada", "comment");
        assert_eq!(one.id_of("ada", "comment"), id);
        for other in [
            two.id_of("ada", "comment"),
            one.id_of("bob", "comment"),
            one.id_of("ada", "link"),
        ] {
            assert_ne!(other, id);
        }
    }

    #[test]
    fn a_key_is_short_visible_ascii() {
        for key in [
            "1",
            "0b2f2c36-7d3e-4a52-9a35-0d8b0a1f6d27",
            "\"quoted\"",
            &"k".repeat(64),
        ] {
            let digest = Digest::of(key.as_bytes());
            assert_eq!(
                IdempotencyKey::parse(key).unwrap().as_bytes(),
                digest.as_bytes()
            );
        }
        for key in ["", " ", "two words", "clé", "line\n", &"k".repeat(65)] {
            let refused = IdempotencyKey::parse(key).unwrap_err();
            assert_eq!(refused.field, "idempotencyKey", "{key:?}");
        }
    }
}
