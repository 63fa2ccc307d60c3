//! JSON of recipients.

use ideavault_application::share_access::{PendingCode, RecipientState};
use ideavault_domain::recipient::Identity;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Body of the call that registers a recipient.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecipientBody {
    /// Full name, at least 3 characters.
    pub name: String,
    /// Email address.
    pub email: String,
    /// Phone number, optional.
    pub phone: Option<String>,
    /// Token of the link; by default the link that this browser looked up last.
    pub access_token: Option<String>,
}

/// Body of the call that accepts the agreement.
#[derive(Deserialize, ToSchema)]
pub struct NdaBody {
    /// Must be true.
    pub agreed: bool,
}

/// Body of the call that confirms a recipient's address.
#[derive(Deserialize, ToSchema)]
pub struct CodeBody {
    /// The six digits of the mailed code; spaces are ignored.
    pub code: String,
}

/// Body of the call that erases a person.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErasureBody {
    /// The password of the caller's account.
    pub password: String,
    /// Whether the texts of accepted agreements are kept, with the name in them; true by default.
    pub keep_agreements: Option<bool>,
}

/// State of a recipient's verification code.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Verification)]
pub struct VerificationView {
    /// Seconds until it expires; 0 if it no longer works.
    expires_in: i64,
    /// Number of attempts left.
    tries_left: i32,
    /// Seconds until another code can be requested.
    resend_in: i64,
}

impl From<PendingCode> for VerificationView {
    fn from(code: PendingCode) -> Self {
        // Rounded up, so that waiting that long is enough.
        let seconds = |left: chrono::Duration| (left.num_milliseconds() + 999) / 1000;
        Self {
            expires_in: seconds(code.expires_in),
            tries_left: code.attempts_left,
            resend_in: seconds(code.resend_in),
        }
    }
}

/// How a recipient's identity is verified.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Identity)]
pub enum IdentityView {
    /// Name and address are as the recipient typed them.
    SelfDeclared,
    /// The recipient entered a code that was mailed to the address.
    EmailConfirmed,
}

impl From<Identity> for IdentityView {
    fn from(identity: Identity) -> Self {
        match identity {
            Identity::SelfDeclared => Self::SelfDeclared,
            Identity::EmailConfirmed { .. } => Self::EmailConfirmed,
        }
    }
}

/// A recipient, as shown to the recipient.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Recipient)]
pub struct RecipientView {
    id: Uuid,
    name: String,
    email: String,
    #[schema(required)]
    phone: Option<String>,
    agreed_to_nda: bool,
}

impl From<RecipientState> for RecipientView {
    fn from(RecipientState { recipient, agreed }: RecipientState) -> Self {
        Self {
            id: recipient.id.as_uuid(),
            name: recipient.name.to_string(),
            email: recipient.email.to_string(),
            phone: recipient.phone.map(|phone| phone.to_string()),
            agreed_to_nda: agreed,
        }
    }
}
