//! The language model.

use std::error::Error;
use std::pin::Pin;

use thiserror::Error;

use crate::language::{ModelAnswer, Prompt};

/// The reason why a model gave no answer.
#[derive(Debug, Error)]
pub enum ModelError {
    /// No model is configured.
    #[error("no language model is configured")]
    NotConfigured,
    /// The model did not answer in time.
    #[error("the language model took too long")]
    TimedOut,
    /// The model is unreachable, refused the request, or sent an invalid response.
    #[error("the language model failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

/// The future of a model's answer.
pub type PendingAnswer<'model> =
    Pin<Box<dyn Future<Output = Result<ModelAnswer, ModelError>> + Send + 'model>>;

/// A language model. The only async port, because an answer takes many seconds.
pub trait LanguageModel: Send + Sync {
    /// Sends a prompt. Returns within a bounded time, follows no redirects, and logs
    /// neither the question nor the answer.
    fn ask(&self, prompt: Prompt) -> PendingAnswer<'_>;
}
