//! Options of the language model.

use std::sync::Arc;

use clap::Args;
use ideavault_domain::ports::LanguageModel;
use ideavault_llm::{ChatConfig, ChatModel, NoModel};
use url::Url;

use super::ConfigError;
use super::secret_file::{SecretFile, given};

/// Options of the language model. Without an address, AI calls fail with a message that it
/// is not set up.
#[derive(Args, Clone, Debug, Default)]
pub struct LanguageModelOptions {
    /// OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1.
    #[arg(long, env = "IDEAVAULT_LLM_BASE_URL", requires = "llm_model")]
    pub llm_base_url: Option<Url>,

    /// Bearer token for the endpoint, if it needs one.
    #[arg(long, env = "IDEAVAULT_LLM_API_KEY", hide_env_values = true)]
    pub llm_api_key: Option<String>,

    /// File with the bearer token.
    #[arg(long, env = "IDEAVAULT_LLM_API_KEY_FILE", value_name = "PATH",
        value_parser = SecretFile::read, conflicts_with = "llm_api_key")]
    pub llm_api_key_file: Option<SecretFile>,

    /// Model of the writing assistant.
    #[arg(long, env = "IDEAVAULT_LLM_MODEL")]
    pub llm_model: Option<String>,

    /// Model of the idea search; by default that of the writing assistant.
    #[arg(long, env = "IDEAVAULT_LLM_SEARCH_MODEL")]
    pub llm_search_model: Option<String>,
}

impl LanguageModelOptions {
    /// Returns a client of the configured model, or one whose calls fail as not set up.
    pub fn model(&self) -> Result<Arc<dyn LanguageModel>, ConfigError> {
        let (Some(base_url), Some(model)) = (&self.llm_base_url, &self.llm_model) else {
            return Ok(Arc::new(NoModel));
        };
        let mut config = ChatConfig::new(base_url.clone(), model.clone());
        let key = given(self.llm_api_key.as_ref(), self.llm_api_key_file.as_ref());
        config.api_key = key.map(str::to_owned);
        if let Some(search_model) = &self.llm_search_model {
            config.search_model.clone_from(search_model);
        }
        Ok(Arc::new(ChatModel::new(config)?))
    }
}
