//! Time, chance, and the cryptography that use cases need.

use thiserror::Error;
use uuid::Uuid;

use crate::Timestamp;
use crate::account::{Password, PasswordHash};

/// An adapter could not do its work.
#[derive(Debug, Error)]
#[error("{operation} failed")]
pub struct PortError {
    /// What was attempted.
    pub operation: &'static str,
    /// Why it failed.
    #[source]
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

/// The time.
pub trait Clock: Send + Sync {
    /// Now, in UTC, truncated to microseconds: finer times would differ
    /// between databases.
    fn now(&self) -> Timestamp;
}

/// A cryptographic random source.
pub trait Random: Send + Sync {
    /// Fills `bytes` with unpredictable values.
    ///
    /// # Errors
    /// When the operating system has none to give.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError>;
}

/// Slow, salted hashing of passwords.
pub trait PasswordHasher: Send + Sync {
    /// Hashes with a fresh salt.
    ///
    /// # Errors
    /// When hashing itself fails, never because of the password.
    fn hash(&self, password: &Password) -> Result<PasswordHash, PortError>;

    /// Whether `password` is the one that `hash` was made of. With no hash to
    /// compare, does the same work and answers `false`, so that the time does
    /// not tell whether an account exists.
    ///
    /// # Errors
    /// When the stored hash is damaged.
    fn verify(&self, password: &Password, hash: Option<&PasswordHash>) -> Result<bool, PortError>;
}

/// Keeps secrets readable for the server, and for nobody with only the database.
pub trait Sealer: Send + Sync {
    /// Encrypts `plaintext`, bound to the thing with that id.
    ///
    /// # Errors
    /// When encryption fails.
    fn seal(&self, id: Uuid, plaintext: &[u8]) -> Result<Vec<u8>, PortError>;

    /// Decrypts what [`Sealer::seal`] returned for the same id.
    ///
    /// # Errors
    /// When `sealed` was made for another id, with another key, or was changed.
    fn open(&self, id: Uuid, sealed: &[u8]) -> Result<Vec<u8>, PortError>;
}

/// The allow-list for an idea's HTML.
pub trait HtmlSanitizer: Send + Sync {
    /// Removes whatever is not on the allow-list. What the editor emits comes
    /// back byte for byte; the result is stable under another pass.
    fn sanitize(&self, html: &str) -> String;
}
