//! The allow-list for an idea's HTML: exactly what the editor emits; see
//! `docs/rules.md#idea-html`.
//!
//! Invariants: the editor's output is returned byte for byte, so that the SHA-256 of a
//! revision is of what its author saw; sanitizing is idempotent; and it takes linear time
//! for all texts that pass the domain's check of nesting.

use std::borrow::Cow;

use ideavault_domain::ports::HtmlSanitizer;

use self::tree::Tree;
use self::write::{escape_text, write};

mod tree;
mod write;

/// Most passes until a text no longer changes.
const PASSES: usize = 6;

/// [`HtmlSanitizer`] with an allow-list of tags, attributes and values.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowListSanitizer;

impl HtmlSanitizer for AllowListSanitizer {
    /// Sanitizes until the text no longer changes; the editor's output takes one pass. In
    /// other texts, dropping an element can nest others in a way that a parser would not,
    /// such as a list item in another one. The result then parses differently and is
    /// sanitized again.
    fn sanitize(&self, html: &str) -> String {
        let mut last = Cow::Borrowed(html);
        for _ in 0..PASSES {
            let clean = pass(&last);
            if clean == last {
                return clean;
            }
            last = Cow::Owned(clean);
        }
        // No formatting is safer than one that does not stabilize.
        let mut text = String::new();
        escape_text(&last, &mut text);
        pass(&text)
    }
}

fn pass(html: &str) -> String {
    write(&Tree::parse(html))
}

#[cfg(test)]
mod tests;
