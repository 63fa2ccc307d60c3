//! A fake authenticator app with predictable codes.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::code::OneTimeCode;
use ideavault_domain::ports::{PortError, TotpCodes};
use ideavault_domain::two_factor::{Step, TotpSecret, TwoFactor};

use super::{PlaintextSealer, owner};
use crate::totp::TotpVerifier;

/// Shows the last digits of the step's number.
struct Numbered;

impl TotpCodes for Numbered {
    fn matches(&self, _: &TotpSecret, step: Step, code: &OneTimeCode) -> Result<bool, PortError> {
        Ok(code.reveal() == digits(step))
    }
}

fn digits(step: Step) -> String {
    format!("{:06}", step.number() % 1_000_000)
}

/// The code that the app shows at that time.
pub(crate) fn shown(at: Timestamp) -> String {
    digits(Step::at(at))
}

/// A verifier that encrypts nothing.
pub(crate) fn totp() -> Arc<TotpVerifier> {
    Arc::new(TotpVerifier::new(
        Arc::new(PlaintextSealer),
        Arc::new(Numbered),
    ))
}

/// The owner's pending setup, with the secret that [`super::FixedRandom`] generates.
pub(crate) fn two_factor() -> TwoFactor {
    TwoFactor {
        user: owner(),
        secret_sealed: vec![9; 20],
        confirmed_at: None,
    }
}
