//! Second factors: the codes of apps, and what the store remembers.

use super::database::DatabaseError;
use super::platform::PortError;
use crate::Timestamp;
use crate::code::OneTimeCode;
use crate::digest::Digest;
use crate::ids::UserId;
use crate::two_factor::{CodeAttempt, Step, TotpSecret, TwoFactor};

type Result<T> = std::result::Result<T, DatabaseError>;

/// The codes that authenticator apps show: RFC 6238 with SHA-1, six digits.
pub trait TotpCodes: Send + Sync {
    /// Whether an app with that secret shows `code` in that step. Takes the same
    /// time wherever the two differ.
    ///
    /// # Errors
    /// When making a code fails, never because of `code`.
    fn matches(
        &self,
        secret: &TotpSecret,
        step: Step,
        code: &OneTimeCode,
    ) -> std::result::Result<bool, PortError>;
}

/// Second factors of accounts, at most one each, and their recovery codes.
pub trait TwoFactors {
    /// The account's, begun or on.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn two_factor(&mut self, user: UserId) -> Result<Option<TwoFactor>>;

    /// Begins one with that sealed secret, instead of one that was only begun.
    /// Answers `false`, and writes nothing, when one is on.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn begin_second_factor(&mut self, user: UserId, secret_sealed: &[u8]) -> Result<bool>;

    /// Turns on what was `begun`, with the step that showed it to work. Answers
    /// `false`, and writes nothing, when it is on or was begun anew.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn confirm_second_factor(
        &mut self,
        begun: &TwoFactor,
        step: Step,
        at: Timestamp,
    ) -> Result<bool>;

    /// Uses a step up. Answers `false` when that or a later one was accepted
    /// before, or nothing is on. Of racing callers one gets it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn accept_step(&mut self, user: UserId, step: Step) -> Result<bool>;

    /// Counts an attempt at the second step as a wrong one, unless none is taken at
    /// `now`; [`TwoFactors::forget_wrong_codes`] takes it back. Of racing callers
    /// each gets a count of its own, and waits for the one before.
    ///
    /// # Errors
    /// [`DatabaseError`], also when nothing is on.
    fn count_code(&mut self, user: UserId, now: Timestamp) -> Result<CodeAttempt>;

    /// Takes no code before `until`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn lock_codes(&mut self, user: UserId, until: Timestamp) -> Result<()>;

    /// Forgets the wrong codes, and opens the lock.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn forget_wrong_codes(&mut self, user: UserId) -> Result<()>;

    /// Removes the account's, with its recovery codes. Answers whether it was on.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn remove_second_factor(&mut self, user: UserId) -> Result<bool>;

    /// Adds hashes of recovery codes for the account's second factor.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_recovery_codes(&mut self, user: UserId, hashes: &[Digest]) -> Result<()>;

    /// Ends the account's recovery codes and adds others by their hashes. Answers
    /// `false`, and writes nothing, when no second factor is on. Of racing
    /// callers the last one's codes count, and no others.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn replace_recovery_codes(&mut self, user: UserId, hashes: &[Digest]) -> Result<bool>;

    /// How many recovery codes were not used yet.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn recovery_codes_left(&mut self, user: UserId) -> Result<i64>;

    /// Uses a recovery code up. Answers `false` when the account has none with
    /// that hash. Of racing callers one gets it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn take_recovery_code(&mut self, user: UserId, hash: &Digest) -> Result<bool>;
}
