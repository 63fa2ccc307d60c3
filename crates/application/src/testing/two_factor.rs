//! A fake authenticator app with predictable codes.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::code::OneTimeCode;
use ideavault_domain::ports::{PortError, TotpCodes};
use ideavault_domain::two_factor::{Step, TotpSecret, TwoFactor};

use super::{MockTransaction, owner};

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

/// The codes of that app.
pub(crate) fn totp() -> Arc<dyn TotpCodes> {
    Arc::new(Numbered)
}

/// The owner's pending setup.
pub(crate) fn two_factor() -> TwoFactor {
    TwoFactor {
        user: owner(),
        confirmed_at: None,
    }
}

/// The secret that [`super::FixedRandom`] generates.
pub(crate) fn totp_secret() -> TotpSecret {
    TotpSecret::from_random([9; 20])
}

/// Has [`totp_secret`] for the owner's setup.
pub(crate) fn has_secret(tx: &mut MockTransaction) {
    tx.expect_totp_secret()
        .withf(|user| *user == owner())
        .returning(|_| Ok(Some(totp_secret())));
}
