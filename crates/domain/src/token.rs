//! Bearer secrets: share links, session keys, viewer keys. Invariant: the database
//! stores only a [`TokenHash`] (and, for share links, an encrypted copy for their
//! owner), so that a stolen database grants no access.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use thiserror::Error;

use crate::digest::Digest;

/// A 256-bit secret; its text form is base64url without padding, 43 characters.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

/// Error: not a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a token")]
pub struct NotAToken;

impl Token {
    /// Wraps 32 bytes from a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the text used in a link or a cookie. Never log it.
    #[must_use]
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Returns the secret bytes, to be encrypted.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the hash used for lookups. A plain hash suffices: 256 random bits
    /// cannot be guessed, so a slow hash would gain nothing.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash(*Digest::of(&self.0).as_bytes())
    }
}

impl TryFrom<&[u8]> for Token {
    type Error = NotAToken;

    /// Reads back the secret bytes.
    fn try_from(bytes: &[u8]) -> Result<Self, Self::Error> {
        bytes.try_into().map(Self).map_err(|_| NotAToken)
    }
}

impl FromStr for Token {
    type Err = NotAToken;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| NotAToken)?;
        bytes.as_slice().try_into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(secret)")
    }
}

/// The SHA-256 of a [`Token`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Wraps a stored hash.
    #[must_use]
    pub fn from_stored(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the 32 bytes, as stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips_and_has_43_characters() {
        let token = Token::from_random([7; 32]);
        assert_eq!(token.reveal().len(), 43);
        assert_eq!(token.reveal().parse(), Ok(token));
    }

    #[test]
    fn debug_output_hides_the_secret() {
        let token = Token::from_random([7; 32]);
        assert!(!format!("{token:?}").contains(&token.reveal()));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "abc",
            "../../etc/passwd",
            &"A".repeat(44),
            &"=".repeat(43),
        ] {
            assert_eq!(text.parse::<Token>(), Err(NotAToken), "{text:?}");
        }
    }
}
