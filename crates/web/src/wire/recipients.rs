//! Recipients on the wire.

use ideavault_application::share_access::{PendingCode, RecipientState};
use ideavault_domain::recipient::Identity;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Body of the call that registers a recipient.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecipientBody {
    /// At least 3 characters.
    pub name: String,
    /// A valid address.
    pub email: String,
    /// Optional number.
    pub phone: Option<String>,
    /// The link's token; by default the link that this browser looked up last.
    pub access_token: Option<String>,
}

/// Body of the call that accepts the agreement.
#[derive(Deserialize, ToSchema)]
pub struct NdaBody {
    /// Must be true.
    pub agreed: bool,
}

/// Body of the call that confirms the recipient's address.
#[derive(Deserialize, ToSchema)]
pub struct CodeBody {
    /// The six digits of the mailed code; spaces do not matter.
    pub code: String,
}

/// How the code stands that the recipient was mailed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Verification)]
pub struct VerificationView {
    /// Seconds that it still works; 0 when another one is needed.
    expires_in: i64,
    /// How often it can still be entered.
    tries_left: i32,
    /// Seconds to wait before another one can be asked for.
    resend_in: i64,
}

impl From<PendingCode> for VerificationView {
    fn from(code: PendingCode) -> Self {
        // Begun seconds count: who waits for them does not come too early.
        let seconds = |left: chrono::Duration| (left.num_milliseconds() + 999) / 1000;
        Self {
            expires_in: seconds(code.expires_in),
            tries_left: code.attempts_left,
            resend_in: seconds(code.resend_in),
        }
    }
}

/// How far it is certain who a recipient is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Identity)]
pub enum IdentityView {
    /// Name and address are as they were typed.
    SelfDeclared,
    /// A code that was mailed to the address came back.
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

/// A recipient, as it sees itself.
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
