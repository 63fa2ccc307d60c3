//! The allow-list for an idea's HTML: exactly what the editor emits.
//!
//! Invariants: what the editor emits comes back byte for byte, so that the
//! SHA-256 of a revision is of what its author saw; cleaning twice changes
//! nothing more; and the time that it takes is a multiple of the text's length
//! for whatever passes the domain's check of nesting.

use std::borrow::Cow;

use ideavault_domain::ports::HtmlSanitizer;

use self::tree::Tree;
use self::write::{escape_text, write};

mod tree;
mod write;

/// How often a text is cleaned until it stays as it is.
const PASSES: usize = 6;

/// [`HtmlSanitizer`] by an allow-list of tags, attributes and values.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowListSanitizer;

impl HtmlSanitizer for AllowListSanitizer {
    /// What the editor emits takes one pass. Elsewhere dropping an element can
    /// put others into each other that a parser would not, such as an item of
    /// a list into another item: it reads the result differently, so that it
    /// is cleaned again.
    fn sanitize(&self, html: &str) -> String {
        let mut last = Cow::Borrowed(html);
        for _ in 0..PASSES {
            let clean = pass(&last);
            if clean == last {
                return clean;
            }
            last = Cow::Owned(clean);
        }
        // Rather no formatting than one that nobody can tell.
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
