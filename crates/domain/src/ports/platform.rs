//! Time, randomness and cryptography.

use thiserror::Error;

use crate::Timestamp;
use crate::account::{Password, PasswordHash};
use crate::failure::Failure;

/// A failed operation of an adapter.
#[derive(Debug, Error)]
#[error("{operation} failed")]
pub struct PortError {
    /// The operation that failed.
    pub operation: &'static str,
    /// The underlying error.
    #[source]
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl From<PortError> for Failure {
    fn from(error: PortError) -> Self {
        Self::Internal(Box::new(error))
    }
}

/// The current time.
pub trait Clock: Send + Sync {
    /// Returns the current UTC time, truncated to microseconds, because databases
    /// differ in finer precision.
    fn now(&self) -> Timestamp;
}

/// A cryptographic random source.
pub trait Random: Send + Sync {
    /// Fills `bytes` with unpredictable values.
    ///
    /// # Errors
    /// When the operating system's random source fails.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), PortError>;
}

/// Slow, salted hashing of passwords.
pub trait PasswordHasher: Send + Sync {
    /// Hashes with a fresh salt.
    ///
    /// # Errors
    /// When hashing fails, never because of the password.
    fn hash(&self, password: &Password) -> Result<PasswordHash, PortError>;

    /// Returns whether `hash` is the hash of `password`. Without a hash, does the
    /// same work and returns `false`, so that the timing does not reveal whether an
    /// account exists.
    ///
    /// # Errors
    /// When the stored hash is damaged.
    fn verify(&self, password: &Password, hash: Option<&PasswordHash>) -> Result<bool, PortError>;
}

/// The allow-list for the HTML of ideas.
pub trait HtmlSanitizer: Send + Sync {
    /// Removes everything that is not on the allow-list. The editor's own output is
    /// returned byte for byte; sanitizing is idempotent.
    fn sanitize(&self, html: &str) -> String;
}
