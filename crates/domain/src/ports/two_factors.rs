//! Two-step sign-in: TOTP codes and what the database keeps.

use super::error::DatabaseError;
use super::platform::PortError;
use crate::Timestamp;
use crate::code::OneTimeCode;
use crate::digest::Digest;
use crate::ids::UserId;
use crate::two_factor::{CodeAttempt, Step, TotpSecret, TwoFactor};

type Result<T> = std::result::Result<T, DatabaseError>;

/// TOTP codes of authenticator apps: RFC 6238 with SHA-1, six digits.
pub trait TotpCodes: Send + Sync {
    /// Returns whether `code` is the code of that secret in that step. Runs in
    /// constant time.
    ///
    /// # Errors
    /// When computing a code fails, never because of `code`.
    fn matches(
        &self,
        secret: &TotpSecret,
        step: Step,
        code: &OneTimeCode,
    ) -> std::result::Result<bool, PortError>;
}

/// Setups of two-step sign-in, at most one per account, and their recovery codes.
pub trait TwoFactors {
    /// Returns the account's setup of two-step sign-in, pending or active.
    fn two_factor(&mut self, user: UserId) -> Result<Option<TwoFactor>>;

    /// Returns the secret of the account's setup of two-step sign-in, pending or active.
    ///
    /// # Errors
    /// [`DatabaseError`], also when it cannot be decrypted.
    fn totp_secret(&mut self, user: UserId) -> Result<Option<TotpSecret>>;

    /// Starts a setup with that secret, replacing a pending one. Returns `false` and
    /// writes nothing when one is active.
    fn begin_two_factor(&mut self, user: UserId, secret: &TotpSecret) -> Result<bool>;

    /// Activates the pending setup with that secret, with the step whose code confirmed
    /// it. Returns `false` and writes nothing when it is already active or was restarted.
    ///
    /// # Errors
    /// [`DatabaseError`], also when the stored secret cannot be decrypted.
    fn confirm_two_factor(
        &mut self,
        user: UserId,
        secret: &TotpSecret,
        step: Step,
        at: Timestamp,
    ) -> Result<bool>;

    /// Uses up a step. Returns `false` when that or a later one was accepted before,
    /// or none is active. Of concurrent callers, exactly one succeeds.
    fn accept_step(&mut self, user: UserId, step: Step) -> Result<bool>;

    /// Counts an attempt as a failure in advance, unless codes are locked at `now`;
    /// [`TwoFactors::reset_wrong_codes`] resets the count. Concurrent callers are
    /// serialized, so each gets a distinct count.
    ///
    /// # Errors
    /// [`DatabaseError`], also when two-step sign-in is off.
    fn count_code(&mut self, user: UserId, now: Timestamp) -> Result<CodeAttempt>;

    /// Rejects all codes before `until`.
    fn lock_codes(&mut self, user: UserId, until: Timestamp) -> Result<()>;

    /// Resets the count of wrong codes and lifts the lock.
    fn reset_wrong_codes(&mut self, user: UserId) -> Result<()>;

    /// Removes the account's setup of two-step sign-in and recovery codes. Returns whether it
    /// was active.
    fn remove_two_factor(&mut self, user: UserId) -> Result<bool>;

    /// Adds hashes of recovery codes to the account's setup of two-step sign-in.
    fn add_recovery_codes(&mut self, user: UserId, hashes: &[Digest]) -> Result<()>;

    /// Replaces the account's recovery codes by the given hashes. Returns `false` and
    /// writes nothing when two-step sign-in is off. Of concurrent
    /// callers, the last one's codes count.
    fn replace_recovery_codes(&mut self, user: UserId, hashes: &[Digest]) -> Result<bool>;

    /// Returns how many recovery codes are unused.
    fn recovery_codes_left(&mut self, user: UserId) -> Result<i64>;

    /// Consumes a recovery code. Returns `false` when the account has none with that
    /// hash. Of concurrent callers, exactly one succeeds.
    fn consume_recovery_code(&mut self, user: UserId, hash: &Digest) -> Result<bool>;
}
