//! The client of a chat completions service.

use std::time::Duration;

use ideavault_domain::language::{ModelAnswer, Prompt, Purpose};
use ideavault_domain::ports::{LanguageModel, ModelError, PendingAnswer};
use reqwest::{Client, Response, StatusCode, redirect};
use thiserror::Error;
use url::Url;

use crate::wire::{ChatRequest, ChatResponse};

/// How long an answer may take (design section 4, AI).
const DEADLINE: Duration = Duration::from_secs(30);
/// How much of an answer is read, in bytes.
const ANSWER_MAX: usize = 1024 * 1024;

/// Where the service is, and which models it runs.
#[derive(Clone)]
pub struct ChatConfig {
    /// The address before `/chat/completions`, such as `http://127.0.0.1:11434/v1`.
    pub base_url: Url,
    /// Sent as bearer token, if the service wants one.
    pub api_key: Option<String>,
    /// The model for writing.
    pub model: String,
    /// The model for searching.
    pub search_model: String,
    /// How long an answer may take; 30 seconds unless a test is in a hurry.
    pub deadline: Duration,
}

impl ChatConfig {
    /// A service without a key, one model for everything.
    #[must_use]
    pub fn new(base_url: Url, model: String) -> Self {
        Self {
            base_url,
            api_key: None,
            search_model: model.clone(),
            model,
            deadline: DEADLINE,
        }
    }
}

/// Why a client cannot be made, or what it got instead of an answer.
#[derive(Debug, Error)]
pub enum ChatError {
    /// The library refuses the configuration.
    #[error("the client of the language model cannot be made")]
    Client(#[source] reqwest::Error),
    /// The address cannot have a path.
    #[error("the address of the language model cannot be a base address")]
    Address,
    /// The service cannot be reached, or broke off.
    #[error("the language model cannot be reached")]
    Transport(#[source] reqwest::Error),
    /// The service refused.
    #[error("the language model answered with status {0}")]
    Status(StatusCode),
    /// The service said more than anybody would read.
    #[error("the answer of the language model is larger than {ANSWER_MAX} bytes")]
    TooLarge,
    /// The service does not speak the protocol. What it said is not kept.
    #[error("the answer of the language model makes no sense")]
    Nonsense,
}

/// [`LanguageModel`] over HTTP.
pub struct ChatModel {
    client: Client,
    endpoint: Url,
    config: ChatConfig,
}

impl ChatModel {
    /// Prepares a client; does not connect yet.
    ///
    /// # Errors
    /// [`ChatError::Client`] or [`ChatError::Address`].
    pub fn new(config: ChatConfig) -> Result<Self, ChatError> {
        let client = Client::builder()
            .timeout(config.deadline)
            // A redirect would carry the key and the words to somebody else.
            .redirect(redirect::Policy::none())
            .build()
            .map_err(ChatError::Client)?;
        let mut endpoint = config.base_url.clone();
        endpoint
            .path_segments_mut()
            .map_err(|()| ChatError::Address)?
            .pop_if_empty()
            .extend(["chat", "completions"]);
        Ok(Self {
            client,
            endpoint,
            config,
        })
    }

    async fn answer(&self, prompt: &Prompt) -> Result<ModelAnswer, ModelError> {
        let model = match prompt.purpose {
            Purpose::Writing => &self.config.model,
            Purpose::Searching => &self.config.search_model,
        };
        let mut request = self
            .client
            .post(self.endpoint.clone())
            .json(&ChatRequest::new(model, prompt));
        if let Some(key) = &self.config.api_key {
            request = request.bearer_auth(key);
        }
        let response = request.send().await.map_err(transport)?;
        let status = response.status();
        if !status.is_success() {
            return Err(failed(ChatError::Status(status)));
        }
        let bytes = bounded(response).await?;
        serde_json::from_slice::<ChatResponse>(&bytes)
            .ok()
            .and_then(ChatResponse::into_answer)
            .ok_or_else(|| failed(ChatError::Nonsense))
    }
}

impl LanguageModel for ChatModel {
    fn ask(&self, prompt: Prompt) -> PendingAnswer<'_> {
        Box::pin(async move { self.answer(&prompt).await })
    }
}

async fn bounded(mut response: Response) -> Result<Vec<u8>, ModelError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(transport)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > ANSWER_MAX {
            return Err(failed(ChatError::TooLarge));
        }
    }
    Ok(bytes)
}

fn transport(error: reqwest::Error) -> ModelError {
    if error.is_timeout() {
        ModelError::TimedOut
    } else {
        // The address can hold a key that somebody put there.
        failed(ChatError::Transport(error.without_url()))
    }
}

fn failed(error: ChatError) -> ModelError {
    ModelError::Failed(Box::new(error))
}

#[cfg(test)]
mod tests;
