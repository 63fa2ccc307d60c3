//! Canvas content: positioned texts, rectangles and circles (spec section 3,
//! Canvas element).
//!
//! What is stored is what can be shown. A field that an element does not have,
//! or that is null, is left out: drawing programs write many (`id`,
//! `draggable`), none of them is shown, and a SHA-256 must be of what people
//! see. A known field with a value that cannot be drawn is refused instead,
//! with its name, because leaving that out would change the drawing.

use serde_json::{Map, Value};

use crate::failure::Invalid;

/// Most elements of a canvas.
pub const ELEMENTS_MAX: usize = 5_000;
/// Longest text of an element, in characters.
pub const TEXT_MAX: usize = 10_000;
/// Furthest from the origin, and longest side, in the canvas's own unit.
pub const EXTENT_MAX: f64 = 1_000_000.0;
/// Largest letters.
pub const FONT_SIZE_MAX: f64 = 10_000.0;
/// Longest name of a font or colour, in characters.
const NAME_MAX: usize = 100;

/// The rule of a field.
#[derive(Clone, Copy)]
enum Rule {
    /// A number between these.
    Number(f64, f64),
    /// Any text that is not too long.
    Text,
    /// The name of a font, or of several.
    Font,
    /// normal, bold, italic, or both of these.
    FontStyle,
    /// A colour, by name or by number; never a reference to something else.
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

/// Checks the elements of a canvas, and answers it with what can be shown.
///
/// # Errors
/// [`Invalid`] on `content`, with the element's number and its field.
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

    /// Whether a short text is one that this rule knows.
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

/// `#` and hexadecimal digits, a name, `rgb(...)` or `hsl(...)`; or nothing,
/// which is what some programs write for none.
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
