//! JSON of two-step sign-in.

use ideavault_application::two_factors::{Setup, Status};
use ideavault_domain::failure::Failure;
use ideavault_domain::operator::VaultName;
use ideavault_domain::two_factor::RecoveryCode;
use qrcode::{Color, QrCode};
use serde::{Deserialize, Serialize};
use url::form_urlencoded::byte_serialize;
use utoipa::ToSchema;

/// Body of the calls that ask for the password again.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentPasswordBody {
    /// The account's current password.
    pub current_password: String,
}

/// Body of the call that confirms an authenticator app.
#[derive(Deserialize, ToSchema)]
pub struct TwoFactorCodeBody {
    /// The six digits that the app shows; spaces are ignored.
    pub code: String,
}

/// State of two-step sign-in.
#[derive(Serialize, ToSchema)]
#[schema(as = TwoFactorStatus)]
#[serde(rename_all = "camelCase")]
pub struct TwoFactorStatusView {
    /// Whether logins need a code.
    pub enabled: bool,
    /// Number of unused recovery codes.
    pub recovery_codes_left: i64,
}

impl From<Status> for TwoFactorStatusView {
    fn from(status: Status) -> Self {
        Self {
            enabled: status.enabled,
            recovery_codes_left: status.recovery_codes_left,
        }
    }
}

/// Data for setting up an authenticator app.
#[derive(Serialize, ToSchema)]
#[schema(as = TwoFactorSetup)]
pub struct TwoFactorSetupView {
    /// The secret in base 32, for typing.
    pub secret: String,
    /// The secret as an `otpauth` link, for opening in an app.
    pub uri: String,
    /// The link as a QR code, in rows: 1 is a dark module, 0 a light one.
    pub qr: Vec<String>,
}

impl TwoFactorSetupView {
    /// Draws the QR code. The app shows the account below the name of the vault.
    ///
    /// # Errors
    /// [`Failure::Internal`] if the link is too long for a QR code.
    pub fn new(setup: &Setup, vault: &VaultName) -> Result<Self, Failure> {
        let secret = setup.secret.reveal();
        let email = encoded(setup.user.email.as_str());
        // A colon would end the issuer in the label.
        let vault = encoded(&vault.as_str().replace(':', " "));
        let uri = format!(
            "otpauth://totp/{vault}:{email}?secret={secret}&issuer={vault}\
             &algorithm=SHA1&digits=6&period=30"
        );
        let qr = QrCode::new(&uri).map_err(|error| Failure::Internal(error.to_string().into()))?;
        let rows = qr.to_colors();
        let row = |modules: &[Color]| {
            modules
                .iter()
                .map(|module| module.select('1', '0'))
                .collect()
        };
        Ok(Self {
            qr: rows.chunks(qr.width()).map(row).collect(),
            secret,
            uri,
        })
    }
}

/// Percent-encodes a part of the link. Apps do not read a plus as a space.
fn encoded(text: &str) -> String {
    let text: String = byte_serialize(text.as_bytes()).collect();
    text.replace('+', "%20")
}

/// New recovery codes, which are shown only this once.
#[derive(Serialize, ToSchema)]
#[schema(as = RecoveryCodes)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodesView {
    /// Each works once, instead of a code of the app.
    pub recovery_codes: Vec<String>,
}

impl From<Vec<RecoveryCode>> for RecoveryCodesView {
    fn from(codes: Vec<RecoveryCode>) -> Self {
        Self {
            recovery_codes: codes.iter().map(RecoveryCode::reveal).collect(),
        }
    }
}
