//! Comments on an idea, by recipients and by its owner.

use crate::Timestamp;
use crate::failure::Invalid;
use crate::ids::{CommentId, IdeaId, RecipientId};
use crate::text::PersonName;

/// Longest comment, in characters (design section 4).
pub const COMMENT_MAX: usize = 5_000;

/// What somebody has to say. Line breaks are kept, other control characters refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentText(String);

impl CommentText {
    /// Checks that it is not blank (spec section 5, Comment) and not too long.
    ///
    /// # Errors
    /// [`Invalid`] on `content`.
    pub fn parse(raw: &str) -> Result<Self, Invalid> {
        let text = raw.trim();
        if text.is_empty() {
            return Err(Invalid::new("content", "Please write a comment"));
        }
        if text.chars().count() > COMMENT_MAX {
            return Err(Invalid::new(
                "content",
                format!("Please use at most {COMMENT_MAX} characters"),
            ));
        }
        if text
            .chars()
            .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        {
            return Err(Invalid::new("content", "Please remove control characters"));
        }
        Ok(Self(text.to_owned()))
    }

    /// Wraps a text that was parsed before it was stored.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Identity.
    pub id: CommentId,
    /// What it is about.
    pub idea: IdeaId,
    /// Who wrote it; none for the idea's owner.
    pub recipient: Option<RecipientId>,
    /// The writer's name at that time.
    pub author: PersonName,
    /// What it says.
    pub text: CommentText,
    /// When it was written.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_and_too_long_comments_are_refused() {
        for raw in ["", " \n\t ", &"x".repeat(COMMENT_MAX + 1), "a\0b"] {
            assert_eq!(CommentText::parse(raw).unwrap_err().field, "content");
        }
        assert!(CommentText::parse(&"é".repeat(COMMENT_MAX)).is_ok());
    }

    #[test]
    fn line_breaks_stay() {
        assert_eq!(CommentText::parse(" a\nb ").unwrap().as_str(), "a\nb");
    }
}
