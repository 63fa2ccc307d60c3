//! Email addresses.

use std::fmt;

use email_address::{EmailAddress, Options};

use crate::failure::Invalid;
use crate::text::is_control;

/// Longest address that mail systems accept (RFC 5321, path of 256 less brackets).
const MAX_LENGTH: usize = 254;

/// An address, trimmed and lowercased, so that equal accounts compare equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Parses what a person typed.
    ///
    /// # Errors
    /// [`Invalid`] on `email` with the spec's message (section 5, Login).
    pub fn parse(raw: &str) -> Result<Self, Invalid> {
        let text = raw.trim().to_lowercase();
        let options = Options::default()
            .without_display_text()
            .without_domain_literal();
        if text.len() <= MAX_LENGTH
            && !text.chars().any(is_control)
            && EmailAddress::parse_with_options(&text, options).is_ok()
        {
            Ok(Self(text))
        } else {
            Err(Invalid::new("email", "Please enter a valid email address"))
        }
    }

    /// Wraps an address that was parsed before it was stored.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_surrounding_space_do_not_matter() {
        assert_eq!(
            Email::parse("  Ada@Example.ORG ").unwrap(),
            Email::parse("ada@example.org").unwrap()
        );
    }

    #[test]
    fn malformed_addresses_get_the_spec_message() {
        for raw in [
            "",
            "ada",
            "ada@",
            "@example.org",
            "a b@example.org",
            "Ada <ada@example.org>",
            "ada@[127.0.0.1]",
            "ada@example.org\nbcc@example.org",
            "ada\u{85}@example.org",
            "ada\u{202e}@example.org",
            &format!("{}@example.org", "a".repeat(300)),
        ] {
            assert_eq!(
                Email::parse(raw).unwrap_err().message,
                "Please enter a valid email address",
                "{raw:?}"
            );
        }
    }
}
