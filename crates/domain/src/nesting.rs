//! Limits on the nesting and size of HTML before it is parsed.
//!
//! A parser that follows the HTML standard reopens every unclosed formatting element
//! in each following paragraph, and searches all open elements at many tags: a few
//! kilobytes of open tags can cost it gigabytes or hours. Invariant: text that passes
//! this check costs a parser no more than a small multiple of its length, and at most
//! about a second. Ordinary text that closes its elements never reaches the limits.

use crate::failure::Invalid;

/// Most elements open at the same time.
const MAX_OPEN: usize = 256;
/// Most elements in total. A book has fewer; each costs a parser over a hundred times
/// its transfer size.
const MAX_TAGS: usize = 200_000;
/// Most characters that interrupt a parser or expand when serialized.
const MAX_STOPS: usize = 500_000;
const STOPS: [char; 6] = ['<', '&', '\u{a0}', '\n', '\r', '\0'];
/// Most attributes of a tag, including end tags; parsers compare each with all
/// others.
const MAX_ATTRIBUTES: usize = 256;
/// Most attributes in total.
const MAX_ATTRIBUTES_IN_ALL: usize = 500_000;
/// Most open elements per tag on average, end tags included, and the allowance on
/// top. A parser may search all of them at each tag.
const OPEN_PER_TAG: usize = 16;
const OPEN_IN_ALL: usize = 262_144;
/// Most open formatting elements per tag on average, and the allowance on top.
const FORMATS_PER_TAG: usize = 4;
const FORMATS_IN_ALL: usize = 65_536;

/// The standard's 'formatting' elements, which a parser reopens.
const FORMATS: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];
/// Void elements, which have no content.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// Elements that contain only text up to their own end tag.
const RAW: [&str; 7] = [
    "iframe", "noembed", "noframes", "style", "textarea", "title", "xmp",
];
/// Elements that change the parsing rules inside them; from there on, no end tag is
/// assumed to close anything.
const DOUBTFUL: [&str; 8] = [
    "frameset",
    "math",
    "noscript",
    "plaintext",
    "script",
    "select",
    "svg",
    "template",
];

/// Checks an HTML text before it is parsed.
///
/// # Errors
/// [`Invalid`] on `content`.
pub fn check(html: &str) -> Result<(), Invalid> {
    if html.matches(STOPS).nth(MAX_STOPS).is_some() {
        return Err(too_complex());
    }
    let mut open = Open::default();
    let mut attributes_left = MAX_ATTRIBUTES_IN_ALL;
    let mut rest = html;
    while let Some((_, tag)) = rest.split_once('<') {
        let next = if tag.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let (name, attributes) = split_name(tag);
            let next = end_of_tag(attributes, &mut attributes_left)?;
            if let Some(text) = next {
                open.start(name)?;
                if !open.doubtful && is_one_of(name, &RAW) {
                    open.end(name)?;
                    rest = text_after(text, name, &mut attributes_left)?.unwrap_or_default();
                    continue;
                }
            }
            next
        } else if let Some(end) = tag.strip_prefix('/') {
            if end.starts_with(|first: char| first.is_ascii_alphabetic()) {
                let (name, attributes) = split_name(end);
                open.end(name)?;
                end_of_tag(attributes, &mut attributes_left)?
            } else {
                after(end, ">")
            }
        } else if let Some(comment) = tag.strip_prefix("!--") {
            end_of_comment(comment)
        } else if tag.starts_with(['!', '?']) {
            after(tag, ">")
        } else {
            Some(tag)
        };
        // An unterminated tag is dropped by a parser as well.
        rest = next.unwrap_or_default();
    }
    Ok(())
}

/// Upper bound of the elements open at a position of the text.
#[derive(Default)]
struct Open<'a> {
    names: Vec<&'a str>,
    formats: usize,
    /// Start tags so far, and the open formatting elements they met.
    tags: usize,
    formats_met: usize,
    /// Start and end tags so far, and the open elements they met.
    all_tags: usize,
    open_met: usize,
    doubtful: bool,
}

impl<'a> Open<'a> {
    fn start(&mut self, name: &'a str) -> Result<(), Invalid> {
        self.doubtful |= is_one_of(name, &DOUBTFUL);
        // Elements that implicitly close a previous one of the same name.
        let again = ["p", "li"]
            .iter()
            .any(|own| name.eq_ignore_ascii_case(own) && self.is_innermost(name));
        if again && !self.doubtful {
            self.names.pop();
        }
        if self.doubtful || !is_one_of(name, &VOID) {
            self.names.push(name);
            self.formats += usize::from(is_one_of(name, &FORMATS));
        }
        self.tags += 1;
        self.formats_met += self.formats;
        if self.names.len() > MAX_OPEN
            || self.tags > MAX_TAGS
            || self.formats_met > FORMATS_IN_ALL + FORMATS_PER_TAG * self.tags
        {
            return Err(too_complex());
        }
        self.meet()
    }

    /// Closes the innermost element if it has that name; a parser may not close one
    /// further out.
    fn end(&mut self, name: &str) -> Result<(), Invalid> {
        self.meet()?;
        if !self.doubtful && self.is_innermost(name) {
            self.names.pop();
            self.formats -= usize::from(is_one_of(name, &FORMATS));
        }
        Ok(())
    }

    /// Adds the open elements that a tag meets to the totals.
    fn meet(&mut self) -> Result<(), Invalid> {
        self.all_tags += 1;
        self.open_met += self.names.len();
        if self.open_met > OPEN_IN_ALL + OPEN_PER_TAG * self.all_tags {
            return Err(too_complex());
        }
        Ok(())
    }

    fn is_innermost(&self, name: &str) -> bool {
        self.names
            .last()
            .is_some_and(|innermost| innermost.eq_ignore_ascii_case(name))
    }
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns whether a character is white space inside tags.
fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

fn split_name(tag: &str) -> (&str, &str) {
    let end = tag.find(|c| is_space(c) || matches!(c, '/' | '>'));
    tag.split_at(end.unwrap_or(tag.len()))
}

/// Returns the text after a tag, given the text after its name; `None` when it is
/// unterminated.
fn end_of_tag<'a>(mut rest: &'a str, left: &mut usize) -> Result<Option<&'a str>, Invalid> {
    for _ in 0..MAX_ATTRIBUTES.min(*left) {
        rest = rest.trim_start_matches(|c| is_space(c) || c == '/');
        if let Some(after) = rest.strip_prefix('>') {
            return Ok(Some(after));
        }
        match after_attribute(rest) {
            Some(after) => {
                rest = after;
                *left -= 1;
            }
            None => return Ok(None),
        }
    }
    Err(too_complex())
}

/// Returns the text after an attribute; `None` when the text ends first.
fn after_attribute(attribute: &str) -> Option<&str> {
    let mut characters = attribute.chars();
    // The first character of a name can be anything, even an equals sign.
    characters.next()?;
    let name = characters.as_str();
    let rest = name.get(name.find(|c| is_space(c) || matches!(c, '/' | '>' | '='))?..)?;
    let Some(value) = rest.trim_start_matches(is_space).strip_prefix('=') else {
        return Some(rest);
    };
    let value = value.trim_start_matches(is_space);
    match value.chars().next()? {
        quote @ ('"' | '\'') => value.get(1..)?.split_once(quote).map(|(_, rest)| rest),
        _ => value.get(value.find(|c| is_space(c) || c == '>')?..),
    }
}

/// Returns the text after a comment, given the text after `<!--`; `None` when it is
/// unterminated.
fn end_of_comment(comment: &str) -> Option<&str> {
    for abrupt in [">", "->"] {
        if let Some(rest) = comment.strip_prefix(abrupt) {
            return Some(rest);
        }
    }
    let mut rest = comment;
    loop {
        rest = rest.get(rest.find("--")?..)?;
        for end in ["-->", "--!>"] {
            if let Some(rest) = rest.strip_prefix(end) {
                return Some(rest);
            }
        }
        rest = rest.get(1..)?;
    }
}

/// Returns the text after the end tag of a text-only element.
fn text_after<'a>(
    mut text: &'a str,
    name: &str,
    attributes_left: &mut usize,
) -> Result<Option<&'a str>, Invalid> {
    while let Some(tag) = after(text, "</") {
        let (found, attributes) = split_name(tag);
        if found.eq_ignore_ascii_case(name) {
            return end_of_tag(attributes, attributes_left);
        }
        text = tag;
    }
    Ok(None)
}

fn too_complex() -> Invalid {
    Invalid::new("content", "This text has too much formatting to be saved")
}

fn after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.split_once(mark).map(|(_, rest)| rest)
}

#[cfg(test)]
mod tests;
