//! JSON of what a person was shown.

use ideavault_domain::document_link::{AgreedDocument, ShownDocument, ShownDocuments};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::time;

/// Body of the call that mails a link to what a person was shown.
#[derive(Deserialize, ToSchema)]
pub struct MyDocumentsBody {
    /// Email address.
    pub email: String,
}

/// What a person was shown.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MyDocuments)]
pub struct MyDocumentsView {
    /// The person's address; null without documents.
    #[schema(required)]
    email: Option<String>,
    /// The newest agreement first.
    documents: Vec<MyDocumentView>,
    /// Whether there are more, older ones, which are not listed.
    has_more: bool,
}

/// An idea that a person was shown under an agreement.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MyDocument)]
pub struct MyDocumentView {
    recipient_id: Uuid,
    /// What the agreement says; null once it was erased together with the owner.
    #[schema(required)]
    agreement: Option<AgreedDocumentView>,
    #[schema(format = DateTime)]
    accepted_at: String,
    /// Numbers of the versions that were opened, in the order in which they were first.
    versions: Vec<i32>,
    #[schema(required, format = DateTime)]
    first_opened_at: Option<String>,
    #[schema(required, format = DateTime)]
    last_opened_at: Option<String>,
    /// Whether the link lets nobody in any more. One that has not ended may still refuse this
    /// person.
    link_ended: bool,
}

/// An idea, as an agreement names it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AgreedDocument)]
pub struct AgreedDocumentView {
    title: String,
    /// Null of a draft.
    #[schema(required)]
    document_id: Option<String>,
    /// Name of the owner.
    sharer: String,
}

impl From<ShownDocuments> for MyDocumentsView {
    fn from(shown: ShownDocuments) -> Self {
        Self {
            email: shown.email.map(|email| email.to_string()),
            documents: shown.documents.into_iter().map(Into::into).collect(),
            has_more: shown.has_more,
        }
    }
}

impl From<ShownDocument> for MyDocumentView {
    fn from(document: ShownDocument) -> Self {
        Self {
            recipient_id: document.recipient.as_uuid(),
            agreement: document.agreed.map(Into::into),
            accepted_at: time(document.accepted_at),
            versions: document.versions,
            first_opened_at: document.first_opened_at.map(time),
            last_opened_at: document.last_opened_at.map(time),
            link_ended: document.link_has_ended,
        }
    }
}

impl From<AgreedDocument> for AgreedDocumentView {
    fn from(agreed: AgreedDocument) -> Self {
        Self {
            title: agreed.title.to_string(),
            document_id: agreed.document_id.map(|id| id.to_string()),
            sharer: agreed.sharer.to_string(),
        }
    }
}
