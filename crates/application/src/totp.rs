//! Verification of TOTP codes against the encrypted secrets of accounts.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::code::OneTimeCode;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{PortError, Sealer, TotpCodes};
use ideavault_domain::two_factor::{self, Step, TotpSecret, TwoFactor};
use thiserror::Error;

/// Verifies TOTP codes.
pub struct TotpVerifier {
    sealer: Arc<dyn Sealer>,
    codes: Arc<dyn TotpCodes>,
}

#[derive(Debug, Error)]
#[error("the secret has the wrong length")]
struct NotASecret;

impl TotpVerifier {
    /// Creates a verifier whose secrets `sealer` encrypts and decrypts.
    #[must_use]
    pub fn new(sealer: Arc<dyn Sealer>, codes: Arc<dyn TotpCodes>) -> Self {
        Self { sealer, codes }
    }

    /// Encrypts a secret, bound to that account.
    ///
    /// # Errors
    /// When encryption fails.
    pub(crate) fn seal(&self, user: UserId, secret: &TotpSecret) -> Result<Vec<u8>, PortError> {
        self.sealer.seal(user.as_uuid(), secret.as_bytes())
    }

    /// Returns the step with that code, if it is one accepted at `now`.
    ///
    /// # Errors
    /// When the secret cannot be decrypted, or codes cannot be computed.
    pub(crate) fn step_of(
        &self,
        factor: &TwoFactor,
        code: &OneTimeCode,
        now: Timestamp,
    ) -> Result<Option<Step>, PortError> {
        let bytes = self
            .sealer
            .open(factor.user.as_uuid(), &factor.secret_sealed)?;
        let secret = TotpSecret::from_bytes(&bytes).ok_or_else(|| PortError {
            operation: "opening a secret",
            source: Box::new(NotASecret),
        })?;
        two_factor::step_of(self.codes.as_ref(), &secret, code, now)
    }
}
