//! JSON in the one form that RFC 8785 gives it, so that a digest of a value is well-defined.
//! What is read has no duplicate keys, no numbers that lose precision, and no other form.

use std::fmt;

use serde::de::{self, DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Number, Value};
use thiserror::Error;

#[cfg(test)]
mod tests;

/// The largest integer that every reader of JSON represents exactly (RFC 7493 section 2.2).
const MAX_NUMBER: f64 = 9_007_199_254_740_992.0;

/// What [`DuplicateFree`] says of a duplicate key; `serde_json` appends the position.
const DUPLICATE_KEY: &str = "duplicate key";

/// Refused a value or a text.
#[derive(Debug, Error)]
pub enum CanonicalError {
    /// Not JSON, or a value that has no JSON.
    #[error("this is not JSON")]
    Syntax(#[source] serde_json::Error),
    /// A key occurs twice in an object.
    #[error("a key occurs twice")]
    DuplicateKey,
    /// A number is above 2^53.
    #[error("a number is too large")]
    Number,
    /// JSON that RFC 8785 writes otherwise.
    #[error("this is not in canonical form")]
    Form,
    /// JSON of another shape than expected.
    #[error("this has unexpected fields or values")]
    Shape(#[source] serde_json::Error),
}

/// Returns a value in canonical form.
///
/// # Errors
///
/// Fails if the value has no JSON, or has a number above 2^53.
pub fn write<T: Serialize>(value: &T) -> Result<Vec<u8>, CanonicalError> {
    let value = serde_json::to_value(value).map_err(CanonicalError::Syntax)?;
    check_numbers(&value)?;
    serde_json_canonicalizer::to_vec(&value).map_err(CanonicalError::Syntax)
}

/// Parses a value in canonical form.
///
/// # Errors
///
/// Fails if the text is anything else, even if other readers would accept it.
pub fn read(text: &[u8]) -> Result<Value, CanonicalError> {
    let DuplicateFree(value) = serde_json::from_slice(text).map_err(|error| {
        if error.to_string().starts_with(DUPLICATE_KEY) {
            CanonicalError::DuplicateKey
        } else {
            CanonicalError::Syntax(error)
        }
    })?;
    if write(&value)? == text {
        Ok(value)
    } else {
        Err(CanonicalError::Form)
    }
}

/// Parses a value in canonical form into a type. For a field that must not be ignored, the
/// type denies unknown fields.
///
/// # Errors
///
/// Fails as [`read`] does, or if the type does not accept the value.
pub fn read_as<T: DeserializeOwned>(text: &[u8]) -> Result<T, CanonicalError> {
    serde_json::from_value(read(text)?).map_err(CanonicalError::Shape)
}

fn check_numbers(value: &Value) -> Result<(), CanonicalError> {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(number) if number.abs() <= MAX_NUMBER => exact(value),
            _ => Err(CanonicalError::Number),
        },
        Value::Array(values) => values.iter().try_for_each(check_numbers),
        Value::Object(fields) => fields.values().try_for_each(check_numbers),
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

/// Refuses 2^53 + 1, which as a floating-point number is 2^53.
fn exact(number: &Value) -> Result<(), CanonicalError> {
    let magnitude = number
        .as_u64()
        .or_else(|| number.as_i64().map(i64::unsigned_abs));
    match magnitude {
        Some(magnitude) if magnitude > 1 << 53 => Err(CanonicalError::Number),
        _ => Ok(()),
    }
}

/// A JSON value in whose objects no key occurs twice.
struct DuplicateFree(Value);

impl<'de> Deserialize<'de> for DuplicateFree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor).map(Self)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("not a number"))?;
        Ok(Value::Number(number))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(DuplicateFree(value)) = sequence.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some((key, DuplicateFree(value))) = map.next_entry::<String, _>()? {
            if fields.insert(key, value).is_some() {
                return Err(de::Error::custom(DUPLICATE_KEY));
            }
        }
        Ok(Value::Object(fields))
    }
}
