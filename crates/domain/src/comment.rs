//! Comments on an idea, by recipients and by its owner.

use chrono::Duration;

use crate::Timestamp;
use crate::failure::Invalid;
use crate::ids::{CommentId, IdeaId, RecipientId, ShareId};
use crate::text::PersonName;

/// Longest comment, in characters.
pub const COMMENT_MAX: usize = 5_000;

/// Time after its creation within which a comment can be edited.
pub const EDIT_WINDOW: Duration = Duration::minutes(10);

/// The text in place of a damaged one that was overwritten.
pub const DAMAGED_TEXT: &str = "The text of this comment was damaged.";

/// The text of a comment. Line breaks are kept, other control characters refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentText(String);

impl CommentText {
    /// Refuses a blank or too long text (`docs/rules.md#comments`).
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

    /// Returns the empty text of a withdrawn comment.
    #[must_use]
    pub fn erased() -> Self {
        Self(String::new())
    }

    /// Wraps a text validated before it was stored.
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

/// A comment on an idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Unique id.
    pub id: CommentId,
    /// The idea commented on.
    pub idea: IdeaId,
    /// The recipient who wrote it; `None` for the idea's owner.
    pub recipient: Option<RecipientId>,
    /// The author's name at that time.
    pub author: PersonName,
    /// The text; empty once withdrawn.
    pub text: CommentText,
    /// The first comment of its thread, which itself replies to none.
    pub reply_to: Option<CommentId>,
    /// The link whose readers see it; `None` for the readers of all links.
    pub share: Option<ShareId>,
    /// When it was written.
    pub created_at: Timestamp,
    /// When its author last changed the text.
    pub edited_at: Option<Timestamp>,
    /// When its author withdrew it.
    pub withdrawn_at: Option<Timestamp>,
}

impl Comment {
    /// Returns whether its author may still edit it at `now`.
    #[must_use]
    pub fn is_editable(&self, now: Timestamp) -> bool {
        self.withdrawn_at.is_none() && now < self.created_at + EDIT_WINDOW
    }

    /// Returns the comment as withdrawn at `now`.
    #[must_use]
    pub fn withdrawn(self, now: Timestamp) -> Self {
        Self {
            text: CommentText::erased(),
            withdrawn_at: Some(now),
            ..self
        }
    }
}

/// Which comments on an idea are visible to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommentScope {
    /// All comments: for the idea's owner.
    All,
    /// Comments for the readers of any of these links.
    Links(Vec<ShareId>),
}

impl CommentScope {
    /// Returns whether `comment`, on the idea in question, is in scope.
    #[must_use]
    pub fn includes(&self, comment: &Comment) -> bool {
        match self {
            Self::All => true,
            Self::Links(links) => comment.share.is_none_or(|share| links.contains(&share)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(share: Option<ShareId>) -> Comment {
        Comment {
            id: CommentId::from_random([1; 16]),
            idea: 7.into(),
            recipient: None,
            author: PersonName::parse_recipient("Grace Hopper").unwrap(),
            text: CommentText::parse("Nice").unwrap(),
            reply_to: None,
            share,
            created_at: at(0),
            edited_at: None,
            withdrawn_at: None,
        }
    }

    fn at(seconds: i64) -> Timestamp {
        chrono::DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn a_comment_can_be_edited_for_ten_minutes_unless_withdrawn() {
        assert!(comment(None).is_editable(at(599)));
        assert!(!comment(None).is_editable(at(600)));
        assert!(!comment(None).withdrawn(at(5)).is_editable(at(6)));
    }

    #[test]
    fn a_withdrawn_comment_keeps_no_text() {
        let withdrawn = comment(None).withdrawn(at(5));
        assert_eq!(withdrawn.text.as_str(), "");
        assert_eq!(withdrawn.withdrawn_at, Some(at(5)));
        assert_eq!(withdrawn.author, comment(None).author);
    }

    #[test]
    fn readers_see_comments_for_their_link_or_for_all() {
        let (own, other) = (ShareId::from_random([1; 16]), ShareId::from_random([2; 16]));
        let scope = CommentScope::Links(vec![own]);
        assert!(scope.includes(&comment(None)));
        assert!(scope.includes(&comment(Some(own))));
        assert!(!scope.includes(&comment(Some(other))));
        assert!(CommentScope::All.includes(&comment(Some(other))));
    }

    #[test]
    fn blank_and_too_long_comments_are_refused() {
        for raw in ["", " \n\t ", &"x".repeat(COMMENT_MAX + 1), "a\0b"] {
            assert_eq!(CommentText::parse(raw).unwrap_err().field, "content");
        }
        assert!(CommentText::parse(&"é".repeat(COMMENT_MAX)).is_ok());
    }

    #[test]
    fn line_breaks_are_preserved() {
        assert_eq!(CommentText::parse(" a\nb ").unwrap().as_str(), "a\nb");
    }
}
