//! Requests that a client may repeat.

use crate::digest::Digest;
use crate::failure::Invalid;

/// The name that a client gives to a request: repeated with the same key, it changes nothing more.
/// Each user's keys are their own (draft-ietf-httpapi-idempotency-key-header). Only its SHA-256 is
/// kept, because clients may choose keys that say something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(Digest);

impl IdempotencyKey {
    /// Longest key, in bytes.
    pub const MAX_BYTES: usize = 64;

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
