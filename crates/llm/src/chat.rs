//! The client for a chat completions service.

use std::time::Duration;

use ideavault_domain::language::{ModelAnswer, Prompt, Purpose};
use ideavault_domain::ports::{LanguageModel, ModelError, PendingAnswer};
use reqwest::{Client, Response, StatusCode, redirect};
use thiserror::Error;
use url::Url;

use crate::wire::{ChatRequest, ChatResponse};

/// Default timeout of a request; see `docs/rules.md#assistant`.
const CHAT_TIMEOUT: Duration = Duration::from_secs(30);
/// Most bytes of a response body.
const ANSWER_MAX: usize = 1024 * 1024;

/// The configuration of the service.
#[derive(Clone)]
pub struct ChatConfig {
    /// The address before `/chat/completions`, such as `http://127.0.0.1:11434/v1`.
    pub base_url: Url,
    /// Sent as the bearer token, if the service requires one.
    pub api_key: Option<String>,
    /// The model for writing.
    pub model: String,
    /// The model for searching.
    pub search_model: String,
    /// Timeout of a request: 30 seconds, less in tests.
    pub deadline: Duration,
}

impl ChatConfig {
    /// Configures a service without a key and with one model for both purposes.
    #[must_use]
    pub fn new(base_url: Url, model: String) -> Self {
        Self {
            base_url,
            api_key: None,
            search_model: model.clone(),
            model,
            deadline: CHAT_TIMEOUT,
        }
    }
}

/// Why a client cannot be created or a request failed.
#[derive(Debug, Error)]
pub enum ChatError {
    /// The HTTP library rejects the configuration.
    #[error("the client for the language model cannot be created")]
    Client(#[source] reqwest::Error),
    /// A path cannot be appended to the address.
    #[error("the address of the language model cannot be a base address")]
    Address,
    /// The service cannot be reached, or the connection was lost.
    #[error("the language model cannot be reached")]
    Transport(#[source] reqwest::Error),
    /// The service returned an error status.
    #[error("the language model responded with status {0}")]
    Status(StatusCode),
    /// The response exceeds the limit.
    #[error("the response of the language model is larger than {ANSWER_MAX} bytes")]
    TooLarge,
    /// The response does not follow the protocol. Its content is not kept.
    #[error("the response of the language model is invalid")]
    Nonsense,
}

/// [`LanguageModel`] over HTTP.
pub struct ChatModel {
    client: Client,
    endpoint: Url,
    config: ChatConfig,
}

impl ChatModel {
    /// Creates a client; does not connect yet.
    ///
    /// # Errors
    /// [`ChatError::Client`] or [`ChatError::Address`].
    pub fn new(config: ChatConfig) -> Result<Self, ChatError> {
        let client = Client::builder()
            .timeout(config.deadline)
            // A redirect would send the key and the prompt to another server.
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
        // The configured address can contain a key.
        failed(ChatError::Transport(error.without_url()))
    }
}

fn failed(error: ChatError) -> ModelError {
    ModelError::Failed(Box::new(error))
}

#[cfg(test)]
mod tests;
