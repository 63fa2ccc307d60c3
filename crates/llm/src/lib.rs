//! The language model behind the domain's port: any service that speaks the
//! OpenAI-compatible chat completions protocol, a local one included.
//!
//! Invariant: the address comes from the configuration only; nothing that was
//! asked or answered is logged or kept in an error.

mod chat;
mod wire;

pub use chat::{ChatConfig, ChatError, ChatModel};

use ideavault_domain::language::Prompt;
use ideavault_domain::ports::{LanguageModel, ModelError, PendingAnswer};

/// What stands in where no model is configured.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoModel;

impl LanguageModel for NoModel {
    fn ask(&self, _: Prompt) -> PendingAnswer<'_> {
        Box::pin(std::future::ready(Err(ModelError::NotConfigured)))
    }
}
