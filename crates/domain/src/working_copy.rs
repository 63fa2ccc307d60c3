//! The unsaved text of an idea, which waits on the server until it is saved or discarded
//! (`docs/rules.md#working-copies`).

use crate::Timestamp;
use crate::failure::Invalid;
use crate::text::Title;

/// Most unsaved texts of one idea: of as many open editors.
pub const COPIES_MAX: i64 = 4;

/// The unsaved text of one editing session, of an idea or of one that was never saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkingCopy {
    /// The unsaved title; it may be empty.
    pub title: Title,
    /// The unsaved content: sanitized HTML.
    pub html: String,
    /// The revision that the text was made from; `None` for an idea that was never saved.
    pub base: Option<i32>,
    /// Who wrote it.
    pub session: EditingSession,
    /// When the server got it.
    pub kept_at: Timestamp,
}

/// The name that a client gives to one open editor, which neither changes nor discards the text of
/// another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditingSession(String);

impl EditingSession {
    /// Longest name, in characters.
    const MAX: usize = 64;

    /// Parses a name. Clients that give none are one session.
    ///
    /// # Errors
    /// [`Invalid`] on `session`.
    pub fn parse(name: Option<&str>) -> Result<Self, Invalid> {
        let Some(text) = name else {
            return Ok(Self(String::new()));
        };
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if (1..=Self::MAX).contains(&text.len()) && text.bytes().all(is_letter) {
            return Ok(Self(text.to_owned()));
        }
        let rule = "Use 1 to 64 letters, digits, - and _";
        Err(Invalid::new("session", rule))
    }

    /// Wraps a stored name.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Returns the name; empty without one.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_session_is_short_and_plain() {
        let longest = "x".repeat(64);
        for name in ["a7Kq_-", longest.as_str()] {
            assert_eq!(EditingSession::parse(Some(name)).unwrap().as_str(), name);
        }
        assert_eq!(EditingSession::parse(None).unwrap().as_str(), "");
        for name in ["", "a b", "é", "x".repeat(65).as_str()] {
            assert_eq!(
                EditingSession::parse(Some(name)).unwrap_err().field,
                "session"
            );
        }
    }
}
