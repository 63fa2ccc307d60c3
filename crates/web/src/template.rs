//! A small template language for the HTML documents that the frontend's build wrote.
//!
//! Documents hold marks such as `__VAULT_NAME__`, which are replaced by values, and
//! conditional parts `[[if logo]] ... [[else]] ... [[end]]`.
//! Invariant: a value is escaped, and neither it nor markup is searched for marks itself.

use std::fmt::Write as _;

/// Values for marks and conditions.
pub trait Values {
    /// Returns the text for a mark; none if there is no such mark.
    fn value(&self, mark: &str) -> Option<&str>;
    /// Returns the markup for a mark, which is not escaped; none if there is no such mark.
    fn markup(&self, mark: &str) -> Option<&str>;
    /// Returns whether the condition of an `if` holds.
    fn holds(&self, condition: &str) -> bool;
}

/// Returns the document with its values filled in.
#[must_use]
pub fn fill(document: &str, values: &impl Values) -> String {
    let mut filled = String::with_capacity(document.len());
    // For each open part, whether its text is kept.
    let mut parts: Vec<bool> = Vec::new();
    let mut rest = document;
    while let Some((before, found, after)) = next(rest) {
        let is_kept = parts.iter().all(|kept| *kept);
        if is_kept {
            filled.push_str(before);
        }
        rest = after;
        match found {
            Found::Part("else") => {
                if let Some(kept) = parts.last_mut() {
                    *kept = !*kept;
                }
            }
            Found::Part("end") => {
                parts.pop();
            }
            Found::Part(tag) => match tag.strip_prefix("if ") {
                Some(condition) => parts.push(values.holds(condition)),
                None if is_kept => filled.extend(["[[", tag, "]]"]),
                None => {}
            },
            Found::Mark(mark) if is_kept => match (values.value(mark), values.markup(mark)) {
                (Some(value), _) => push_escaped(&mut filled, value),
                (None, markup) => filled.push_str(markup.unwrap_or(mark)),
            },
            Found::Text(text) if is_kept => filled.push_str(text),
            Found::Mark(_) | Found::Text(_) => {}
        }
    }
    filled.push_str(rest);
    filled
}

enum Found<'a> {
    /// The text between `[[` and `]]`.
    Part(&'a str),
    /// A mark with its underscores.
    Mark(&'a str),
    /// Text that only resembles a mark or a part.
    Text(&'a str),
}

/// Splits a document at the first mark or bracket, if there is one.
fn next(document: &str) -> Option<(&str, Found<'_>, &str)> {
    let mut pairs = document.as_bytes().windows(2);
    let at = pairs.position(|pair| pair == b"__" || pair == b"[[")?;
    let (before, from) = document.split_at_checked(at)?;
    if let Some(inner) = from.strip_prefix("[[") {
        let part = inner.split_once("]]").filter(|(tag, _)| is_tag(tag));
        if let Some((tag, after)) = part {
            return Some((before, Found::Part(tag), after));
        }
    } else if let Some((name, _)) = from.get(2..)?.split_once("__")
        && is_name(name)
    {
        let (mark, after) = from.split_at_checked(name.len() + 4)?;
        return Some((before, Found::Mark(mark), after));
    }
    let (text, after) = from.split_at_checked(2)?;
    Some((before, Found::Text(text), after))
}

fn is_tag(text: &str) -> bool {
    matches!(text, "else" | "end") || text.starts_with("if ")
}

fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_uppercase() || letter == '_';
    !text.is_empty() && text.chars().all(is_letter)
}

/// Escapes text for HTML, attributes included.
pub fn push_escaped(html: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            letter => html.write_char(letter).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(&'static str, bool);

    impl Values for Fixed {
        fn value(&self, mark: &str) -> Option<&str> {
            (mark == "__NAME__").then_some(self.0)
        }

        fn markup(&self, mark: &str) -> Option<&str> {
            (mark == "__MARKUP__").then_some(self.0)
        }

        fn holds(&self, condition: &str) -> bool {
            self.1 == (condition == "so")
        }
    }

    #[test]
    fn values_are_escaped_and_not_expanded_again() {
        let document = "<title>__NAME__</title><p x=\"__NAME__\">";
        let value = "[[if so]]__NAME__ & <b>\"'";
        let text = "[[if so]]__NAME__ &amp; &lt;b&gt;&quot;&#39;";
        let filled = fill(document, &Fixed(value, true));
        assert_eq!(filled, format!("<title>{text}</title><p x=\"{text}\">"));
    }

    #[test]
    fn markup_is_neither_escaped_nor_expanded_again() {
        let markup = "<p>__NAME__ [[if so]] &amp;</p>";
        assert_eq!(
            fill("a__MARKUP__b", &Fixed(markup, true)),
            format!("a{markup}b")
        );
    }

    #[test]
    fn one_branch_of_each_conditional_is_kept() {
        let document = "a[[if so]]b[[if other]]c[[else]]__NAME__[[end]]e[[else]]f[[end]]g";
        assert_eq!(fill(document, &Fixed("d", true)), "abdeg");
        assert_eq!(fill(document, &Fixed("d", false)), "afg");
    }

    #[test]
    fn text_that_is_not_a_mark_is_unchanged() {
        for text in [
            "",
            "_",
            "__",
            "a__b__c",
            "__OTHER__",
            "[[x]]",
            "[[",
            "é__é",
            "x[[é",
            "____",
        ] {
            assert_eq!(fill(text, &Fixed("d", true)), text);
        }
    }
}
