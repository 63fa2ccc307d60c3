//! JSON of the idea search and the writing assistant.

use ideavault_domain::language::ModelAnswer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Body of the idea search.
#[derive(Deserialize, ToSchema)]
pub struct SearchBody {
    /// Description of the idea, at most 4,000 characters.
    pub query: String,
}

/// Result of the idea search.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchAnswer)]
pub struct SearchView {
    /// Plain text; not HTML or Markdown.
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
    /// The new message.
    pub message: String,
    /// Earlier messages, the oldest first.
    pub conversation_history: Vec<AssistantTurn>,
}

/// An earlier message. Clients may also send an id and a time, which are ignored.
#[derive(Deserialize, ToSchema)]
pub struct AssistantTurn {
    /// user or assistant.
    pub role: String,
    /// Text of the message.
    pub content: String,
}

/// Response of the writing assistant.
#[derive(Serialize, ToSchema)]
#[schema(as = AssistantAnswer)]
pub struct AssistantView {
    /// Plain text; not HTML or Markdown.
    response: String,
}

impl From<ModelAnswer> for AssistantView {
    fn from(answer: ModelAnswer) -> Self {
        Self {
            response: answer.text,
        }
    }
}
