//! The JSON of the chat completions protocol, as far as it is used.

use ideavault_domain::language::{ModelAnswer, Prompt};
use serde::{Deserialize, Serialize};
use url::Url;

/// The body of a request.
#[derive(Serialize)]
pub(crate) struct ChatRequest<'prompt> {
    model: &'prompt str,
    messages: Vec<Message<'prompt>>,
    stream: bool,
}

#[derive(Serialize)]
struct Message<'prompt> {
    role: &'static str,
    content: &'prompt str,
}

impl<'prompt> ChatRequest<'prompt> {
    /// Converts `prompt` for the named model: the instructions, then the conversation.
    pub(crate) fn new(model: &'prompt str, prompt: &'prompt Prompt) -> Self {
        let instructions = Message {
            role: "system",
            content: prompt.instructions,
        };
        let said = prompt.turns.iter().map(|turn| Message {
            role: turn.role.as_str(),
            content: &turn.content,
        });
        Self {
            model,
            messages: std::iter::once(instructions).chain(said).collect(),
            stream: false,
        }
    }
}

/// The body of a response. Providers put the sources in different fields.
#[derive(Deserialize)]
pub(crate) struct ChatResponse {
    choices: Vec<Choice>,
    #[serde(default)]
    citations: Vec<String>,
    #[serde(default)]
    search_results: Vec<Source>,
}

#[derive(Deserialize)]
struct Choice {
    message: Reply,
}

#[derive(Deserialize)]
struct Reply {
    content: Option<String>,
    #[serde(default)]
    annotations: Vec<Annotation>,
}

#[derive(Deserialize)]
struct Annotation {
    url_citation: Option<Source>,
}

#[derive(Deserialize)]
struct Source {
    url: String,
}

impl ChatResponse {
    /// Returns the first answer, unless it is empty.
    pub(crate) fn into_answer(self) -> Option<ModelAnswer> {
        let reply = self.choices.into_iter().next()?.message;
        let text = reply.content.filter(|text| !text.trim().is_empty())?;
        let annotated = reply
            .annotations
            .into_iter()
            .filter_map(|annotation| annotation.url_citation);
        let sources = annotated
            .chain(self.search_results)
            .map(|source| source.url);
        let mut citations: Vec<String> = Vec::new();
        for url in self.citations.into_iter().chain(sources) {
            if is_web_address(&url) && !citations.contains(&url) {
                citations.push(url);
            }
        }
        Some(ModelAnswer { text, citations })
    }
}

fn is_web_address(text: &str) -> bool {
    // Browsers take `https:dashboard` for a page of this application.
    text.contains("://")
        && Url::parse(text)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(json: &str) -> Option<ModelAnswer> {
        serde_json::from_str::<ChatResponse>(json)
            .unwrap()
            .into_answer()
    }

    #[test]
    fn sources_are_found_in_the_formats_of_all_providers() {
        let found = answer(
            r#"{"choices":[{"message":{"content":"Yes","annotations":[
                 {"type":"url_citation","url_citation":{"url":"https://a.example"}}]}}],
                "citations":["https://b.example","https://a.example"],
                "search_results":[{"url":"https://c.example","title":"C"}]}"#,
        )
        .unwrap();
        assert_eq!(
            found.citations,
            [
                "https://b.example",
                "https://a.example",
                "https://c.example"
            ]
        );
    }

    #[test]
    fn only_web_urls_are_sources() {
        let found = answer(
            r#"{"choices":[{"message":{"content":"Yes"}}],
                "citations":["javascript:alert(1)","data:text/html,x","//x","file:///etc/passwd",
                             "http://ok.example/a"]}"#,
        )
        .unwrap();
        assert_eq!(found.citations, ["http://ok.example/a"]);
    }

    #[test]
    fn a_response_without_text_is_none() {
        for json in [
            r#"{"choices":[]}"#,
            r#"{"choices":[{"message":{"content":null}}]}"#,
            r#"{"choices":[{"message":{"content":"  "}}]}"#,
        ] {
            assert_eq!(answer(json), None, "{json}");
        }
    }
}
