//! Content of earlier formats: any object, kept unchanged. Only its nesting depth is
//! limited, so that recursion over it cannot overflow the stack.

use serde_json::{Map, Value};

use crate::failure::Invalid;

/// Deepest nesting; the object itself is the first level.
pub const DEPTH_MAX: usize = 32;

/// Validates an object of an earlier format.
///
/// # Errors
/// [`Invalid`] on `content` when it is nested too deeply.
pub fn check(object: &Map<String, Value>) -> Result<(), Invalid> {
    if object.values().all(|value| is_within(value, DEPTH_MAX - 1)) {
        Ok(())
    } else {
        Err(Invalid::new(
            "content",
            format!("Content must not be nested deeper than {DEPTH_MAX} levels"),
        ))
    }
}

/// Returns whether `value` has at most `levels` levels of lists and objects.
fn is_within(value: &Value, levels: usize) -> bool {
    let deeper = |inner: &Value| match levels.checked_sub(1) {
        Some(left) => is_within(inner, left),
        None => false,
    };
    match value {
        Value::Array(list) => levels > 0 && list.iter().all(deeper),
        Value::Object(object) => levels > 0 && object.values().all(deeper),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds an object with nested lists, `levels` deep in all.
    fn nested(levels: usize) -> Map<String, Value> {
        let inner = (1..levels).fold(Value::Null, |inner, level| {
            if level == 1 {
                Value::Array(Vec::new())
            } else {
                Value::Array(vec![inner])
            }
        });
        Map::from_iter([("old".to_owned(), inner)])
    }

    #[test]
    fn nesting_is_limited() {
        assert_eq!(check(&nested(1)), Ok(()));
        assert_eq!(check(&nested(DEPTH_MAX)), Ok(()));
        assert_eq!(check(&nested(DEPTH_MAX + 1)).unwrap_err().field, "content");
    }
}
