//! One-time email codes: their keyed hashes and their storage. The database never has
//! the key.

use super::error::DatabaseError;
use super::platform::PortError;
use crate::Timestamp;
use crate::code::{CodeHash, EmailCode, OneTimeCode};
use crate::ids::RecipientId;

/// Computes keyed hashes of codes.
pub trait CodeHasher: Send + Sync {
    /// Hashes a recipient's code. The same digits hash differently for another
    /// recipient.
    ///
    /// # Errors
    /// When hashing fails, never because of the code.
    fn hash(&self, recipient: RecipientId, code: &OneTimeCode) -> Result<CodeHash, PortError>;

    /// Returns whether `hash` is the hash of that code for that recipient. Runs in
    /// constant time.
    ///
    /// # Errors
    /// When hashing fails.
    fn matches(
        &self,
        recipient: RecipientId,
        code: &OneTimeCode,
        hash: &CodeHash,
    ) -> Result<bool, PortError>;
}

/// Sent codes, only the newest of each recipient.
pub trait Codes {
    /// Stores a code, replacing the recipient's previous one.
    fn replace_code(&mut self, code: &EmailCode) -> Result<(), DatabaseError>;

    /// Uses up one attempt and returns the code with that attempt counted; `None`
    /// when the code is not valid at `now`. One conditional update, so that a race
    /// cannot gain attempts.
    fn try_code(
        &mut self,
        recipient: RecipientId,
        now: Timestamp,
    ) -> Result<Option<EmailCode>, DatabaseError>;

    /// Deletes expired codes and returns how many.
    fn delete_expired_codes(&mut self, now: Timestamp) -> Result<usize, DatabaseError>;

    /// Marks the recipient's address as confirmed and deletes the code. An earlier
    /// confirmation time is kept.
    fn confirm_email(&mut self, recipient: RecipientId, at: Timestamp)
    -> Result<(), DatabaseError>;
}
