//! One-time codes: what the store remembers of them, and the key that it lacks.

use super::database::DatabaseError;
use super::platform::PortError;
use crate::Timestamp;
use crate::code::{CodeHash, EmailCode, OneTimeCode};
use crate::ids::RecipientId;

/// Keyed hashes of codes.
pub trait CodeHasher: Send + Sync {
    /// The hash of a recipient's code; another recipient's same digits have another.
    ///
    /// # Errors
    /// When hashing itself fails, never because of the code.
    fn hash(&self, recipient: RecipientId, code: &OneTimeCode) -> Result<CodeHash, PortError>;

    /// Whether `hash` was made of that code for that recipient. Takes the same
    /// time wherever the two differ.
    ///
    /// # Errors
    /// When hashing itself fails.
    fn matches(
        &self,
        recipient: RecipientId,
        code: &OneTimeCode,
        hash: &CodeHash,
    ) -> Result<bool, PortError>;
}

/// Codes that were sent, the newest of each recipient.
pub trait Codes {
    /// Keeps a code instead of the recipient's one before.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn put_code(&mut self, code: &EmailCode) -> Result<(), DatabaseError>;

    /// The recipient's code, dead or alive.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn code_of(&mut self, recipient: RecipientId) -> Result<Option<EmailCode>, DatabaseError>;

    /// Uses one try of the recipient's code up and answers the code, that try
    /// counted; none when it is not live at `now`. One conditional update
    /// decides, so that no race gets more tries than there are.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn try_code(
        &mut self,
        recipient: RecipientId,
        now: Timestamp,
    ) -> Result<Option<EmailCode>, DatabaseError>;

    /// Forgets the codes that had expired by then, and answers how many.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn sweep_codes(&mut self, now: Timestamp) -> Result<usize, DatabaseError>;

    /// Records that the recipient's address is confirmed, for good, and
    /// forgets the code. The first time counts.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn confirm_email(&mut self, recipient: RecipientId, at: Timestamp)
    -> Result<(), DatabaseError>;
}
