//! AI on the wire.

use ideavault_domain::language::ModelAnswer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Body of the idea search.
#[derive(Deserialize, ToSchema)]
pub struct SearchBody {
    /// The idea, at most 4,000 characters.
    pub query: String,
}

/// What the idea search found.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchAnswer)]
pub struct SearchView {
    /// Text; not to be interpreted.
    response: String,
    /// Web addresses of sources.
    citations: Vec<String>,
}

impl From<ModelAnswer> for SearchView {
    fn from(answer: ModelAnswer) -> Self {
        Self {
            response: answer.text,
            citations: answer.citations,
        }
    }
}

/// Body of a message to the writing assistant.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssistantBody {
    /// What the person says now.
    pub message: String,
    /// What was said before, oldest first.
    pub conversation_history: Vec<AssistantTurn>,
}

/// Something that was said. The spec's client also sends an id and a time,
/// which mean nothing here.
#[derive(Deserialize, ToSchema)]
pub struct AssistantTurn {
    /// user or assistant.
    pub role: String,
    /// What was said.
    pub content: String,
}

/// The writing assistant's answer.
#[derive(Serialize, ToSchema)]
#[schema(as = AssistantAnswer)]
pub struct AssistantView {
    /// Text; not to be interpreted.
    response: String,
}

impl From<ModelAnswer> for AssistantView {
    fn from(answer: ModelAnswer) -> Self {
        Self {
            response: answer.text,
        }
    }
}
