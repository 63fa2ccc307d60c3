//! Requests whose answer grants something.

use super::platform::PortError;

/// Computes keyed hashes of requests, from which follows what they grant: a repetition is granted the
/// same, although nothing secret was kept.
pub trait RequestHasher: Send + Sync {
    /// Hashes the parts of a request, one of which is its secret
    /// [`IdempotencyKey`](crate::idempotency::IdempotencyKey).
    ///
    /// # Errors
    /// When hashing fails, never because of the parts.
    fn hash(&self, parts: &[&[u8]]) -> Result<[u8; 32], PortError>;
}
