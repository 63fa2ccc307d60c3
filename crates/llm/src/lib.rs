//! The language model behind the domain's port: any service with an
//! OpenAI-compatible chat completions API, also a local one.
//!
//! Invariant: the address comes only from the configuration; prompts and answers are
//! never logged or kept in an error.

mod chat;
mod wire;

pub use chat::{ChatConfig, ChatError, ChatModel};

use ideavault_domain::language::Prompt;
use ideavault_domain::ports::{LanguageModel, ModelError, PendingAnswer};

/// The [`LanguageModel`] if none is configured.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoModel;

impl LanguageModel for NoModel {
    fn ask(&self, _: Prompt) -> PendingAnswer<'_> {
        Box::pin(std::future::ready(Err(ModelError::NotConfigured)))
    }
}
