//! Finds everything that the editor never writes, with an independent parser.

use lol_html::{RewriteStrSettings, element, rewrite_str};

const TAGS: [&str; 27] = [
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
];

const ATTRIBUTES: [&str; 18] = [
    "start",
    "value",
    "data-language",
    "colspan",
    "rowspan",
    "href",
    "target",
    "rel",
    "style",
    "src",
    "alt",
    "width",
    "height",
    "title",
    "allowfullscreen",
    "loading",
    "referrerpolicy",
    "data-lexical-youtube",
];

/// URL prefixes that begin a script, anywhere in an attribute's value.
const SCRIPTS: [&str; 3] = ["javascript:", "vbscript:", "data:text"];

/// Returns the elements, attributes and values that must not be in sanitized HTML.
pub fn foreign(clean: &str) -> Vec<String> {
    let mut found = Vec::new();
    let settings =
        RewriteStrSettings::new().append_element_content_handler(element!("*", |element| {
            let name = element.tag_name();
            if !TAGS.contains(&name.as_str()) {
                found.push(name.clone());
            }
            for attribute in element.attributes() {
                let (key, value) = (attribute.name(), attribute.value());
                let is_address = key == "href" || key == "src";
                let runs = SCRIPTS
                    .iter()
                    .any(|script| value.trim().to_lowercase().starts_with(script));
                if !ATTRIBUTES.contains(&key.as_str()) || (is_address && runs) {
                    found.push(format!("{name} {key}={value}"));
                }
            }
            Ok(())
        }));
    if let Err(error) = rewrite_str(clean, settings) {
        found.push(error.to_string());
    }
    found
}
