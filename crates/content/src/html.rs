//! The allow-list for an idea's HTML: exactly what the editor emits.
//!
//! Invariant: what the editor emits comes back byte for byte, so that the
//! SHA-256 of a revision is of what its author saw; and cleaning twice changes
//! nothing more.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ammonia::{Builder, UrlRelative};
use ideavault_domain::ports::HtmlSanitizer;
use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, rewrite_str};

use crate::attributes;

/// How often a text is cleaned until it stays as it is.
const PASSES: usize = 6;

/// [`HtmlSanitizer`] by an allow-list of tags, attributes and values.
pub struct AllowListSanitizer {
    builder: Builder<'static>,
}

impl Default for AllowListSanitizer {
    fn default() -> Self {
        Self { builder: builder() }
    }
}

impl HtmlSanitizer for AllowListSanitizer {
    /// What the editor emits takes one pass. Elsewhere dropping an element can
    /// put others into each other that a parser would not, such as an item of
    /// a list into another item: it reads the result differently, so that it
    /// is cleaned again.
    fn sanitize(&self, html: &str) -> String {
        let mut last = Cow::Borrowed(html);
        for _ in 0..PASSES {
            let clean = self.pass(&last);
            if clean == last {
                return clean;
            }
            last = Cow::Owned(clean);
        }
        // Rather no formatting than one that nobody can tell.
        self.pass(&ammonia::clean_text(&last))
    }
}

impl AllowListSanitizer {
    fn pass(&self, html: &str) -> String {
        let clean = self.builder.clean(&modern_names(html)).to_string();
        without_hollow_elements(&clean)
    }
}

/// Older tools write the same formats under other names.
fn modern_names(html: &str) -> String {
    let settings = RewriteStrSettings::new()
        .with_strict(false)
        .append_element_content_handler(element!("b", |b| Ok(b.set_tag_name("strong")?)))
        .append_element_content_handler(element!("i", |i| Ok(i.set_tag_name("em")?)))
        .append_element_content_handler(element!("del, strike", |s| Ok(s.set_tag_name("s")?)));
    // A text that cannot be rewritten is cleaned as it is; then those formats are lost.
    rewrite_str(html, settings).unwrap_or_else(|_| html.to_owned())
}

/// Drops what lost its meaning with a refused address: images and players
/// without a source, and the links (not their text) without a target.
fn without_hollow_elements(clean: &str) -> String {
    let settings = RewriteStrSettings::new()
        .with_strict(false)
        .append_element_content_handler(element!("iframe:not([src]), img:not([src])", |hollow| {
            hollow.remove();
            Ok(())
        }))
        .append_element_content_handler(element!("iframe[src]", |player| {
            player.set_inner_content("", ContentType::Text);
            Ok(())
        }))
        .append_element_content_handler(element!("a:not([href])", |link| {
            link.remove_and_keep_content();
            Ok(())
        }));
    // Rather no formatting than an element that was not looked at.
    rewrite_str(clean, settings).unwrap_or_else(|_| ammonia::clean_text(clean))
}

fn builder() -> Builder<'static> {
    let mut builder = Builder::empty();
    builder
        .tags(HashSet::from([
            "p",
            "h1",
            "h2",
            "h3",
            "blockquote",
            "ul",
            "ol",
            "li",
            "pre",
            "hr",
            "br",
            "a",
            "strong",
            "em",
            "s",
            "code",
            "mark",
            "span",
            "sub",
            "sup",
            "table",
            "tbody",
            "tr",
            "th",
            "td",
            "img",
            "iframe",
        ]))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .tag_attributes(HashMap::from([
            ("ol", HashSet::from(["start"])),
            ("li", HashSet::from(["value"])),
            ("pre", HashSet::from(["data-language"])),
            ("a", HashSet::from(["href", "target"])),
            ("strong", HashSet::from(["style"])),
            ("em", HashSet::from(["style"])),
            ("s", HashSet::from(["style"])),
            ("code", HashSet::from(["style"])),
            ("mark", HashSet::from(["style"])),
            ("span", HashSet::from(["style"])),
            ("th", HashSet::from(["colspan", "rowspan"])),
            ("td", HashSet::from(["colspan", "rowspan"])),
            ("img", HashSet::from(["src", "alt", "width", "height"])),
            (
                "iframe",
                HashSet::from([
                    "src",
                    "width",
                    "height",
                    "title",
                    "allowfullscreen",
                    "loading",
                    "referrerpolicy",
                    "data-lexical-youtube",
                ]),
            ),
        ]))
        // Spec section 9, and data for inline images: `attributes` refuses it on links.
        .url_schemes(HashSet::from([
            "http", "https", "ftp", "ftps", "mailto", "tel", "callto", "sms", "cid", "xmpp", "data",
        ]))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("noopener noreferrer nofollow"))
        .strip_comments(true)
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("a", "href") if value.trim_start().to_ascii_lowercase().starts_with("data:") => None,
            _ => attributes::filter(element, attribute, value),
        });
    builder
}

#[cfg(test)]
mod tests;
