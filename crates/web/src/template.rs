//! A small template language for the HTML documents that the frontend's build wrote.
//!
//! Documents hold marks such as `__VAULT_NAME__`, which are replaced by values, conditional parts
//! `[[if logo]] ... [[else]] ... [[end]]`, and parts for each row of a list
//! `[[each drafts]] ... [[end]]`, whose marks and conditions are those of the row.
//! Invariant: a value is escaped, and neither it nor markup is searched for marks itself.

use std::fmt::Write as _;

/// Values for marks and conditions.
pub trait Values {
    /// Returns the text for a mark; none if there is no such mark.
    fn value(&self, mark: &str) -> Option<&str>;
    /// Returns the markup for a mark, which is not escaped; none if there is no such mark.
    fn markup(&self, _mark: &str) -> Option<&str> {
        None
    }
    /// Returns whether the condition of an `if` holds.
    fn holds(&self, condition: &str) -> bool;
    /// Returns the rows of the list of an `each`.
    fn rows(&self, _list: &str) -> Vec<&dyn Values> {
        Vec::new()
    }
}

/// Returns the document with its values filled in.
#[must_use]
pub fn fill(document: &str, values: &dyn Values) -> String {
    let mut filled = String::with_capacity(document.len());
    fill_into(&mut filled, document, values);
    filled
}

fn fill_into(filled: &mut String, document: &str, values: &dyn Values) {
    // For each open condition, whether its text is kept.
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
            Found::Part(tag) => {
                if let Some(condition) = tag.strip_prefix("if ") {
                    parts.push(values.holds(condition));
                } else if let Some(list) = tag.strip_prefix("each ") {
                    let (row, after) = at_end(after);
                    rest = after;
                    if is_kept {
                        for values in values.rows(list) {
                            fill_into(filled, row, values);
                        }
                    }
                }
            }
            Found::Mark(mark) if is_kept => match (values.value(mark), values.markup(mark)) {
                (Some(value), _) => push_escaped(filled, value),
                (None, markup) => filled.push_str(markup.unwrap_or(mark)),
            },
            Found::Text(text) if is_kept => filled.push_str(text),
            Found::Mark(_) | Found::Text(_) => {}
        }
    }
    filled.push_str(rest);
}

/// Splits what follows the start of a part at its `end`, which neither half has.
fn at_end(document: &str) -> (&str, &str) {
    let mut open = 1_usize;
    let mut rest = document;
    while let Some((before, found, after)) = next(rest) {
        match found {
            Found::Part("else") | Found::Mark(_) | Found::Text(_) => {}
            Found::Part("end") => open -= 1,
            Found::Part(_) => open += 1,
        }
        if open == 0 {
            let inside = document.len() - rest.len() + before.len();
            return (document.get(..inside).unwrap_or(document), after);
        }
        rest = after;
    }
    (document, "")
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
    matches!(text, "else" | "end") || text.starts_with("if ") || text.starts_with("each ")
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

        fn rows(&self, list: &str) -> Vec<&dyn Values> {
            match list {
                "two" => vec![&Row("1"), &Row("[[end]]")],
                _ => Vec::new(),
            }
        }
    }

    struct Row(&'static str);

    impl Values for Row {
        fn value(&self, mark: &str) -> Option<&str> {
            (mark == "__ROW__").then_some(self.0)
        }

        fn holds(&self, condition: &str) -> bool {
            condition == self.0
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
    fn a_part_is_repeated_for_each_row() {
        let document = "a[[each two]]<__ROW__[[if 1]]![[else]]?[[end]]>[[end]]\
                        b[[each none]]__NAME__[[end]]c[[if other]][[each two]]x[[end]][[end]]d";
        let filled = fill(document, &Fixed("e", true));
        assert_eq!(filled, "a<1!><[[end]]?>bcd");
    }

    #[test]
    fn a_part_without_end_goes_to_the_end_of_the_document() {
        assert_eq!(fill("a[[each two]]b[[if 1]]c", &Fixed("d", true)), "abcb");
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
