//! Email addresses.

use std::fmt;

use email_address::{EmailAddress, Options};
use idna::domain_to_ascii_strict;

use crate::characters::is_control;
use crate::failure::Invalid;

/// Longest accepted address, in bytes (RFC 5321: a path of 256 without brackets).
const MAX_LENGTH: usize = 254;
/// The message for what is no address.
pub(crate) const MALFORMED: &str = "Please enter a valid email address";

/// An email address, trimmed and lowercased, so that equal accounts compare equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Parses a typed address. Accepts only addresses that mail can be sent to: a domain in
    /// another script in its ASCII form; but nothing quoted and no other letters before the
    /// `@`, which would be valid, but refused by the first mail server.
    ///
    /// # Errors
    /// [`Invalid`] on `email`, with one message for a text that is no address and
    /// another for an address that mail cannot reach
    /// (`docs/rules.md#account-fields`).
    pub fn parse(raw: &str) -> Result<Self, Invalid> {
        let malformed = || Invalid::new("email", MALFORMED);
        let text = raw.trim().to_lowercase();
        let text = match text.rsplit_once('@') {
            Some((local, domain)) if !domain.is_ascii() => {
                let domain = domain_to_ascii_strict(domain).map_err(|_| malformed())?;
                format!("{local}@{domain}")
            }
            _ => text,
        };
        let options = Options::default()
            .without_display_text()
            .without_domain_literal();
        if text.len() > MAX_LENGTH
            || text.chars().any(is_control)
            || EmailAddress::parse_with_options(&text, options).is_err()
        {
            return Err(malformed());
        }
        if !text.is_ascii() || text.contains('"') {
            return Err(Invalid::new(
                "email",
                "We cannot send mail to this address: most mail servers take no accented or \
                 other letters and no quotation marks before the @. Please use another one.",
            ));
        }
        Ok(Self(text))
    }

    /// Wraps an address validated before it was stored.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Returns the address.
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
    fn case_and_surrounding_spaces_are_ignored() {
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
            "ada@bücher..example",
            "ada@-bücher.example",
            "ada@bü cher.example",
            "ada@bü_cher.example",
            &format!("ada@{}.example", "ü".repeat(70)),
        ] {
            assert_eq!(
                Email::parse(raw).unwrap_err().message,
                "Please enter a valid email address",
                "{raw:?}"
            );
        }
    }

    #[test]
    fn a_domain_in_another_script_counts_in_its_ascii_form() {
        for (typed, address) in [
            ("rita@münchen.example", "rita@xn--mnchen-3ya.example"),
            ("Rita@MÜNCHEN.example", "rita@xn--mnchen-3ya.example"),
            ("rita@mu\u{308}nchen.example", "rita@xn--mnchen-3ya.example"),
            ("rita@例え.テスト", "rita@xn--r8jz45g.xn--zckzah"),
            ("rita@例え。テスト", "rita@xn--r8jz45g.xn--zckzah"),
            ("Rita+nda@Example.COM", "rita+nda@example.com"),
        ] {
            assert_eq!(Email::parse(typed).unwrap().as_str(), address);
        }
    }

    #[test]
    fn undeliverable_addresses_are_refused_with_the_reason() {
        for raw in [
            "\"a b\"@example.org",
            "\"ada\"@example.org",
            "zoë@example.org",
            "josé@example.org",
            "josé@bücher.example",
        ] {
            let refused = Email::parse(raw).unwrap_err();
            assert_eq!(refused.field, "email", "{raw:?}");
            assert!(refused.message.starts_with("We cannot send"), "{raw:?}");
        }
        assert!(Email::parse("o'hara+tag_1.x@xn--bcher-kva.example").is_ok());
    }
}
