//! Canvas content: positioned texts, rectangles and circles
//! (`docs/rules.md#idea-content`).
//!
//! Only what can be shown is stored. Unknown and null fields are dropped: drawing
//! programs write many (`id`, `draggable`) that are never shown, and the SHA-256 must
//! be of what people see. A known field with an invalid value is refused by name,
//! because dropping it would change the drawing.

use serde_json::{Map, Value};

use crate::failure::Invalid;

/// Most elements of a canvas.
pub const ELEMENTS_MAX: usize = 5_000;
/// Longest text of an element, in characters.
pub const TEXT_MAX: usize = 10_000;
/// Largest coordinate or side length, in canvas units.
pub const EXTENT_MAX: f64 = 1_000_000.0;
/// Largest font size.
pub const FONT_SIZE_MAX: f64 = 10_000.0;
/// Longest font or colour name, in characters.
const NAME_MAX: usize = 100;

/// The allowed values of a field.
#[derive(Clone, Copy)]
enum Rule {
    /// A number within these bounds.
    Number(f64, f64),
    /// Any text up to [`TEXT_MAX`] characters.
    Text,
    /// One or several font names.
    Font,
    /// `normal`, `bold`, `italic`, or both of the latter.
    FontStyle,
    /// A colour by name or value; never a reference.
    Colour,
}

const POSITION: Rule = Rule::Number(-EXTENT_MAX, EXTENT_MAX);
const SIZE: Rule = Rule::Number(0.0, EXTENT_MAX);

const FIELDS: [(&str, Rule); 13] = [
    ("x", POSITION),
    ("y", POSITION),
    ("rotation", POSITION),
    ("text", Rule::Text),
    ("fontSize", Rule::Number(0.0, FONT_SIZE_MAX)),
    ("fontFamily", Rule::Font),
    ("fill", Rule::Colour),
    ("fontStyle", Rule::FontStyle),
    ("width", SIZE),
    ("height", SIZE),
    ("radius", SIZE),
    ("stroke", Rule::Colour),
    ("strokeWidth", SIZE),
];

/// Validates a canvas, and returns it reduced to what can be shown.
///
/// # Errors
/// [`Invalid`] on `content`, with the element's number and field.
pub fn parse(mut canvas: Map<String, Value>) -> Result<Map<String, Value>, Invalid> {
    let Some(Value::Array(elements)) = canvas.remove("elements") else {
        return Err(wrong("Canvas content needs a list of elements"));
    };
    if elements.len() > ELEMENTS_MAX {
        return Err(wrong(format!(
            "A canvas can have at most {ELEMENTS_MAX} elements"
        )));
    }
    let elements = elements
        .into_iter()
        .enumerate()
        .map(|(index, value)| {
            element(value)
                .map(Value::Object)
                .map_err(|what| wrong(format!("Element {} of the canvas {what}", index + 1)))
        })
        .collect::<Result<_, _>>()?;
    Ok(Map::from_iter([(
        "elements".to_owned(),
        Value::Array(elements),
    )]))
}

fn wrong(message: impl Into<String>) -> Invalid {
    Invalid::new("content", message)
}

fn element(value: Value) -> Result<Map<String, Value>, String> {
    let Value::Object(mut given) = value else {
        return Err("is not an object".into());
    };
    let mut kept = Map::new();
    match given.remove("type") {
        Some(Value::String(kind)) if matches!(kind.as_str(), "text" | "rect" | "circle") => {
            kept.insert("type".into(), Value::String(kind));
        }
        _ => return Err("must be a text, a rect or a circle".into()),
    }
    for (name, rule) in FIELDS {
        match given.remove(name) {
            None | Some(Value::Null) => {}
            Some(value) => {
                rule.check(&value)
                    .map_err(|what| format!("has a {name} that {what}"))?;
                kept.insert(name.into(), value);
            }
        }
    }
    for name in ["x", "y"] {
        if !kept.contains_key(name) {
            return Err(format!("needs {name}"));
        }
    }
    Ok(kept)
}

impl Rule {
    fn check(self, value: &Value) -> Result<(), String> {
        match (self, value) {
            (Self::Number(min, max), Value::Number(number)) => match number.as_f64() {
                Some(number) if (min..=max).contains(&number) => Ok(()),
                _ => Err(format!("is not between {min} and {max}")),
            },
            (Self::Number(..), _) => Err("is not a number".into()),
            (Self::Text, Value::String(text)) if text.chars().count() <= TEXT_MAX => Ok(()),
            (Self::Text, Value::String(_)) => Err(format!("is longer than {TEXT_MAX} characters")),
            (_, Value::String(name)) if self.names(name) => Ok(()),
            (_, Value::String(_)) => Err("is not known".into()),
            _ => Err("is not a text".into()),
        }
    }

    /// Returns whether this rule accepts a short text.
    fn names(self, text: &str) -> bool {
        let all = |allowed: fn(char) -> bool| text.chars().all(allowed);
        text.chars().count() <= NAME_MAX
            && match self {
                Self::Number(..) | Self::Text => false,
                Self::Font => all(|c| c.is_alphanumeric() || " ,'\"-_.".contains(c)),
                Self::FontStyle => text
                    .split_ascii_whitespace()
                    .all(|word| matches!(word, "normal" | "bold" | "italic")),
                Self::Colour => is_colour(text),
            }
    }
}

/// Accepts `#` with hexadecimal digits, a name, `rgb(...)` or `hsl(...)`; also an
/// empty text, which some programs write for none.
fn is_colour(text: &str) -> bool {
    if let Some(digits) = text.strip_prefix('#') {
        return matches!(digits.len(), 3 | 4 | 6 | 8)
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    let (name, arguments) = match text.strip_suffix(')') {
        Some(call) => match call.split_once('(') {
            Some((name, arguments)) => (name, arguments),
            None => return false,
        },
        None => return text.bytes().all(|byte| byte.is_ascii_alphabetic()),
    };
    matches!(name, "rgb" | "rgba" | "hsl" | "hsla")
        && arguments
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b" .,%/-".contains(&byte))
}

#[cfg(test)]
mod tests;
