//! Limits on guesses of secrets, and the keys that guesses are counted by.

/// Keyed hash of what is counted and its key, such as a limit with account and client address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuessKey([u8; 32]);

impl GuessKey {
    /// Wraps a hash.
    #[must_use]
    pub fn from_bytes(hash: [u8; 32]) -> Self {
        Self(hash)
    }

    /// Returns the hash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// How many guesses a key may make in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuessLimit {
    /// The key whose guesses are counted.
    pub key: GuessKey,
    /// Most guesses.
    pub most: u32,
}
