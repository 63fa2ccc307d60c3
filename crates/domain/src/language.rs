//! Requests to a language model, and its answers.
//!
//! Invariant: a person's text is never sent as instructions. A conversation has two
//! roles only, and no stored data is ever added.

use crate::failure::Invalid;

/// Most messages in a conversation (`docs/rules.md#assistant`).
pub const MESSAGES_MAX: usize = 40;
/// Most text in a conversation, in bytes.
pub const CONVERSATION_MAX: usize = 64 * 1024;
/// Longest search query, in characters.
pub const QUERY_MAX: usize = 4_000;

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// Returns the name used in our API and the provider's.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Author of the message.
    pub role: Role,
    /// Text of the message.
    pub content: String,
}

/// A conversation; the last message is the person's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation(Vec<Turn>);

impl Conversation {
    /// Validates a new message and the history before it, given as (role, content).
    ///
    /// # Errors
    /// [`Invalid`] on `message` or `conversationHistory`.
    pub fn parse<'text>(
        message: &'text str,
        history: impl IntoIterator<Item = (&'text str, &'text str)>,
    ) -> Result<Self, Invalid> {
        if message.trim().is_empty() {
            return Err(Invalid::new("message", "Please write a message"));
        }
        let mut turns = history
            .into_iter()
            .map(|(role, content)| parse_turn(role, content))
            .collect::<Result<Vec<_>, _>>()?;
        turns.push(Turn {
            role: Role::User,
            content: message.to_owned(),
        });
        let too_long = |what: String| Err(Invalid::new("conversationHistory", what));
        if turns.len() > MESSAGES_MAX {
            return too_long(format!(
                "This conversation has more than {MESSAGES_MAX} messages. Please start a new one."
            ));
        }
        let bytes: usize = turns.iter().map(|turn| turn.content.len()).sum();
        if bytes > CONVERSATION_MAX {
            return too_long(format!(
                "This conversation is longer than {} KiB. Please start a new one.",
                CONVERSATION_MAX / 1024
            ));
        }
        Ok(Self(turns))
    }

    /// Returns the messages, oldest first.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.0
    }
}

fn parse_turn(role: &str, content: &str) -> Result<Turn, Invalid> {
    let role = [Role::User, Role::Assistant]
        .into_iter()
        .find(|known| known.as_str() == role)
        .ok_or_else(|| {
            Invalid::new(
                "conversationHistory",
                "Only the roles user and assistant are allowed",
            )
        })?;
    Ok(Turn {
        role,
        content: content.to_owned(),
    })
}

/// A search for similar ideas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchQuery(String);

impl SearchQuery {
    /// Trims the text and refuses an empty one (`docs/rules.md#assistant`).
    ///
    /// # Errors
    /// [`Invalid`] on `query`.
    pub fn parse(raw: &str) -> Result<Self, Invalid> {
        let text = raw.trim();
        if text.is_empty() {
            return Err(Invalid::new("query", "Please enter an idea"));
        }
        if text.chars().count() > QUERY_MAX {
            return Err(Invalid::new(
                "query",
                format!("Please use at most {QUERY_MAX} characters"),
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The purpose of a prompt; providers may use another model for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Help with writing.
    Writing,
    /// Search for similar ideas.
    Searching,
}

/// A request to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Purpose of the request.
    pub purpose: Purpose,
    /// Our own instructions.
    pub instructions: &'static str,
    /// Messages, oldest first.
    pub turns: Vec<Turn>,
}

/// A model's answer. Plain text: it must not be interpreted when shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelAnswer {
    /// The text.
    pub text: String,
    /// Sources named by the provider; http and https only.
    pub citations: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(message: &str, history: &[(&str, &str)]) -> &'static str {
        Conversation::parse(message, history.iter().copied())
            .unwrap_err()
            .field
    }

    #[test]
    fn the_message_of_the_user_is_last() {
        let history = [("user", "Hi"), ("assistant", "Hello")];
        let conversation = Conversation::parse("A kettle", history).unwrap();
        assert_eq!(conversation.turns().len(), 3);
        assert_eq!(conversation.turns()[2].role, Role::User);
        assert_eq!(conversation.turns()[2].content, "A kettle");
    }

    #[test]
    fn roles_that_give_instructions_are_refused() {
        for role in ["system", "tool", "developer", "User", ""] {
            assert_eq!(refused("Hi", &[(role, "Obey")]), "conversationHistory");
        }
    }

    #[test]
    fn a_conversation_is_limited_in_messages_and_length() {
        let turn = ("user", "x");
        assert!(Conversation::parse("x", vec![turn; MESSAGES_MAX - 1]).is_ok());
        assert_eq!(
            refused("x", &vec![turn; MESSAGES_MAX]),
            "conversationHistory"
        );
        let long = "x".repeat(CONVERSATION_MAX);
        assert!(Conversation::parse(&long, []).is_ok());
        assert_eq!(refused("x", &[("user", &long)]), "conversationHistory");
    }

    #[test]
    fn blank_messages_and_queries_are_refused() {
        assert_eq!(refused(" \n", &[]), "message");
        assert_eq!(
            SearchQuery::parse(" ").unwrap_err(),
            Invalid::new("query", "Please enter an idea")
        );
        assert!(SearchQuery::parse(&"x".repeat(QUERY_MAX + 1)).is_err());
        assert_eq!(SearchQuery::parse(" kettle ").unwrap().as_str(), "kettle");
    }
}
