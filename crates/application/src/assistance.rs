//! The assistant: help with writing an idea, and a search for similar ones. No
//! database is involved: only text that a person typed is sent out.

use std::sync::Arc;

use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::language::{
    Conversation, ModelAnswer, Prompt, Purpose, Role, SearchQuery, Turn,
};
use ideavault_domain::ports::{LanguageModel, ModelError};
use thiserror::Error;

const WRITING: &str = "You help an inventor to write an idea down clearly: the problem, the \
    solution, its key features, whom it serves, how it could be built, and the next steps. Ask \
    short questions where something is missing. Stay with what the inventor says, invent no \
    facts, and answer in plain language.";

const SEARCHING: &str = "You check whether an idea exists already. Look for similar products, \
    projects, papers and patents. Say in a few sentences what comes closest and in what it \
    differs, then list the closest ones as bullets. If you know of none, say so, and say that \
    this proves nothing.";

/// Most sources returned from one answer; the page shows three.
const CITATIONS_MAX: usize = 10;

/// The reason why there is no answer.
#[derive(Debug, Error)]
pub enum AssistanceError {
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The model gave no answer.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl From<AssistanceError> for Failure {
    fn from(error: AssistanceError) -> Self {
        match error {
            AssistanceError::Invalid(invalid) => Self::Invalid(invalid),
            AssistanceError::Model(ModelError::NotConfigured) => {
                Self::NotConfigured("AI is not set up on this server")
            }
            AssistanceError::Model(ModelError::TimedOut) => {
                Self::UpstreamTimeout("The AI service took too long. Please try again.")
            }
            AssistanceError::Model(ModelError::Failed(source)) => Self::Upstream {
                message: "The AI service could not answer. Please try again.",
                source,
            },
        }
    }
}

/// The assistant.
pub struct Assistance {
    model: Arc<dyn LanguageModel>,
}

impl Assistance {
    /// Creates the service from its dependencies.
    pub fn new(model: Arc<dyn LanguageModel>) -> Self {
        Self { model }
    }

    /// Returns the model's reply in a conversation about an idea.
    pub async fn converse<'text>(
        &self,
        message: &'text str,
        history: impl IntoIterator<Item = (&'text str, &'text str)>,
    ) -> Result<ModelAnswer, AssistanceError> {
        let conversation = Conversation::parse(message, history)?;
        let prompt = Prompt {
            purpose: Purpose::Writing,
            instructions: WRITING,
            turns: conversation.turns().to_vec(),
        };
        Ok(self.model.ask(prompt).await?)
    }

    /// Asks whether a similar idea exists; includes sources where the provider names
    /// any.
    pub async fn search(&self, query: &str) -> Result<ModelAnswer, AssistanceError> {
        let query = SearchQuery::parse(query)?;
        let prompt = Prompt {
            purpose: Purpose::Searching,
            instructions: SEARCHING,
            turns: vec![Turn {
                role: Role::User,
                content: query.as_str().to_owned(),
            }],
        };
        let mut answer = self.model.ask(prompt).await?;
        answer.citations.truncate(CITATIONS_MAX);
        Ok(answer)
    }
}

#[cfg(test)]
mod tests;
