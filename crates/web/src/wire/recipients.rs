//! Recipients on the wire.

use ideavault_application::visits::RecipientState;
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
