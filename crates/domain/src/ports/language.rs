//! The language model.

use std::error::Error;
use std::pin::Pin;

use thiserror::Error;

use crate::language::{ModelAnswer, Prompt};

/// Why a model did not answer.
#[derive(Debug, Error)]
pub enum ModelError {
    /// None is configured.
    #[error("no language model is configured")]
    NotConfigured,
    /// It did not answer in time.
    #[error("the language model took too long")]
    TimedOut,
    /// It cannot be reached, refused, or answered nonsense.
    #[error("the language model failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

/// An answer that is still to come.
pub type PendingAnswer<'model> =
    Pin<Box<dyn Future<Output = Result<ModelAnswer, ModelError>> + Send + 'model>>;

/// A language model. The only async port: an answer takes many seconds.
pub trait LanguageModel: Send + Sync {
    /// Asks. Answers within a bounded time, follows no redirects, and logs
    /// neither the question nor the answer.
    fn ask(&self, prompt: Prompt) -> PendingAnswer<'_>;
}
