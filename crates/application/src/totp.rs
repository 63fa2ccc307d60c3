//! Codes of authenticator apps against the sealed secrets of accounts.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::code::OneTimeCode;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{PortError, Sealer, TotpCodes};
use ideavault_domain::two_factor::{self, Step, TotpSecret, TwoFactor};
use thiserror::Error;

/// Knows the secrets that accounts share with apps.
pub struct TotpVerifier {
    sealer: Arc<dyn Sealer>,
    codes: Arc<dyn TotpCodes>,
}

#[derive(Debug, Error)]
#[error("it has another length")]
struct NotASecret;

impl TotpVerifier {
    /// An authenticator whose secrets only `sealer` opens.
    #[must_use]
    pub fn new(sealer: Arc<dyn Sealer>, codes: Arc<dyn TotpCodes>) -> Self {
        Self { sealer, codes }
    }

    /// A secret as the store keeps it, for that account alone.
    ///
    /// # Errors
    /// When sealing fails.
    pub(crate) fn seal(&self, user: UserId, secret: &TotpSecret) -> Result<Vec<u8>, PortError> {
        self.sealer.seal(user.as_uuid(), secret.as_bytes())
    }

    /// The step whose code that is, if it is one that counts `now`.
    ///
    /// # Errors
    /// When the secret cannot be opened, or codes cannot be made.
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
