//! An authenticator app whose codes are easy to tell.

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

/// What the app shows at that time.
pub(crate) fn shown(at: Timestamp) -> String {
    digits(Step::at(at))
}

/// An authenticator that seals nothing.
pub(crate) fn totp() -> Arc<TotpVerifier> {
    Arc::new(TotpVerifier::new(
        Arc::new(PlaintextSealer),
        Arc::new(Numbered),
    ))
}

/// The owner's, begun with the secret that [`super::FixedRandom`] draws.
pub(crate) fn two_factor() -> TwoFactor {
    TwoFactor {
        user: owner(),
        secret_sealed: vec![9; 20],
        confirmed_at: None,
    }
}
