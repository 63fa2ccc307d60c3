//! Parsing of content from JSON text, with a limit on its size in memory.

use serde_json::Value;

use crate::failure::Invalid;

/// Most values in a content. The largest canvas has fewer. A value of two bytes takes
/// some 600 in memory, so without a limit a text consisting only of values would take
/// gigabytes.
pub const VALUES_MAX: usize = 100_000;

/// Parses a JSON text with at most [`VALUES_MAX`] values.
///
/// # Errors
/// [`Invalid`] on `content`.
pub fn parse(text: &str) -> Result<Value, Invalid> {
    if marks(text) >= VALUES_MAX {
        return Err(Invalid::new(
            "content",
            format!("Content must not hold more than {VALUES_MAX} values"),
        ));
    }
    serde_json::from_str(text).map_err(|_| Invalid::new("content", "Content could not be read"))
}

/// Counts lists, objects and separators outside of strings: in valid JSON, at least
/// the number of values minus one.
fn marks(text: &str) -> usize {
    let mut in_string = false;
    let mut escaped = false;
    text.bytes()
        .filter(|byte| {
            if in_string {
                in_string = escaped || *byte != b'"';
                escaped = !escaped && *byte == b'\\';
                return false;
            }
            in_string = *byte == b'"';
            matches!(byte, b'[' | b'{' | b',')
        })
        .count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_counted_before_they_are_allocated() {
        let list = |values: usize| format!("{{\"a\":[{}0]}}", "0,".repeat(values - 3));
        assert!(parse(&list(VALUES_MAX)).is_ok());
        assert_eq!(parse(&list(VALUES_MAX + 1)).unwrap_err().field, "content");
        let objects = format!("{{\"a\":[{}0]}}", "{\"\":0},".repeat(VALUES_MAX / 2));
        assert_eq!(parse(&objects).unwrap_err().field, "content");
    }

    #[test]
    fn characters_inside_strings_are_not_counted() {
        let text = json!("[{,\\\"[{,".repeat(VALUES_MAX));
        assert_eq!(parse(&text.to_string()), Ok(text.clone()));
        let backslashes = json!({ "a": "\\", "b": ",".repeat(VALUES_MAX), "c": "\\\"" });
        assert_eq!(parse(&backslashes.to_string()), Ok(backslashes.clone()));
        let counted = format!("[\"\\\\\",{}0]", "0,".repeat(VALUES_MAX));
        assert!(parse(&counted).is_err());
    }

    #[test]
    fn the_largest_canvas_is_below_the_limit() {
        let element = json!({
            "type": "text", "x": 0, "y": 0, "rotation": 0, "text": "a,b", "fontSize": 1,
            "fontFamily": "a", "fill": "a", "fontStyle": "bold", "width": 1, "height": 1,
            "radius": 1, "stroke": "a", "strokeWidth": 1,
        });
        let canvas = json!({ "elements": vec![element; crate::canvas::ELEMENTS_MAX] });
        assert_eq!(parse(&canvas.to_string()), Ok(canvas.clone()));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(parse("{\"a\":1e999}").unwrap_err().field, "content");
    }
}
