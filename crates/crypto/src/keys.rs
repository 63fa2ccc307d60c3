//! The master key, and the keys derived from it and from the cookie key.

use hkdf::Hkdf;
use ideavault_domain::keys::{CookieKey, MasterKeyId};
use ideavault_domain::token::Token;
use sha2::Sha256;
use thiserror::Error;

/// The one secret of an installation. With it and the database everything can be
/// decrypted; keep it apart from backups of the database.
#[derive(Clone)]
pub struct MasterKey(Token);

/// Why a master key cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    /// The text is not 32 bytes in base64url.
    #[error("the secret key must be 32 random bytes in base64url without padding (43 characters)")]
    Malformed,
    /// The key derivation refused the length, which cannot happen for the lengths in use.
    #[error("a key of that length cannot be derived")]
    Length,
}

impl MasterKey {
    /// Wraps 32 bytes from a cryptographic random source.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(Token::from_random(bytes))
    }

    /// Parses the text form.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        text.trim()
            .parse()
            .map(Self)
            .map_err(|_| KeyError::Malformed)
    }

    /// Returns the text form, to be written to a file that only the server can read.
    #[must_use]
    pub fn reveal(&self) -> String {
        self.0.reveal()
    }

    /// Returns the id that identifies the key without disclosing it.
    ///
    /// # Errors
    /// [`KeyError::Length`], which cannot happen for this length.
    pub fn id(&self) -> Result<MasterKeyId, KeyError> {
        self.derive("master key id").map(MasterKeyId::from_bytes)
    }

    /// Derives a key for one purpose (HKDF-SHA256 with the purpose as `info`), so that a
    /// leaked key decrypts nothing else.
    ///
    /// # Errors
    /// [`KeyError::Length`] if `N` exceeds 8160 bytes.
    pub fn derive<const N: usize>(&self, purpose: &str) -> Result<[u8; N], KeyError> {
        derive(self.0.as_bytes(), purpose)
    }
}

/// Derives the key of one kind of cookie, as [`MasterKey::derive`] does.
///
/// # Errors
/// [`KeyError::Length`] if `N` exceeds 8160 bytes.
pub fn derive_cookie_key<const N: usize>(
    key: &CookieKey,
    purpose: &str,
) -> Result<[u8; N], KeyError> {
    derive(key.as_bytes(), purpose)
}

fn derive<const N: usize>(secret: &[u8; 32], purpose: &str) -> Result<[u8; N], KeyError> {
    let mut key = [0_u8; N];
    Hkdf::<Sha256>::new(None, secret)
        .expand(purpose.as_bytes(), &mut key)
        .map_err(|_| KeyError::Length)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_purpose_derives_its_own_stable_key() {
        let master = MasterKey::from_random([1; 32]);
        let tokens: [u8; 32] = master.derive("share tokens").unwrap();
        assert_eq!(tokens, master.derive("share tokens").unwrap());
        assert_ne!(tokens, master.derive("cookies").unwrap());
        let other = MasterKey::from_random([2; 32]);
        assert_ne!(tokens, other.derive("share tokens").unwrap());
    }

    #[test]
    fn the_text_form_round_trips_and_other_texts_are_refused() {
        let master = MasterKey::from_random([3; 32]);
        let read = MasterKey::parse(&format!(" {}\n", master.reveal())).unwrap();
        assert_eq!(read.reveal(), master.reveal());
        assert!(MasterKey::parse("hunter2").is_err());
    }
}
