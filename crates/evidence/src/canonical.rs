//! JSON in the one form that RFC 8785 gives it, so that a digest of a value is well-defined.
//! Parsing rejects duplicate keys, numbers that would lose precision, and any other form.

use std::cmp::Ordering;
use std::fmt;

use serde::de::{self, DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, Serialize};
use serde_json::{Number, Value};
use thiserror::Error;

#[cfg(test)]
mod tests;

/// The largest integer that every reader of JSON represents exactly (RFC 7493 section 2.2).
const MAX_NUMBER: f64 = 9_007_199_254_740_992.0;

/// Refused a value or a text.
#[derive(Debug, Error)]
pub enum CanonicalError {
    /// Not JSON, or a value that has no JSON.
    #[error("this is not JSON")]
    Syntax(#[source] serde_json::Error),
    /// A key of an object occurs twice, one after the other.
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

impl CanonicalError {
    /// Refuses JSON that a type accepts, but does not write.
    pub(crate) fn unexpected() -> Self {
        Self::Shape(de::Error::custom("it would be written otherwise"))
    }
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
    check_form(text)?;
    serde_json::from_slice(text).map_err(CanonicalError::Shape)
}

/// Parses an object in canonical form into a type. For a field that must not be ignored, the
/// type denies unknown fields. Takes little memory beside that of the type.
///
/// # Errors
///
/// Fails as [`read`] does, or if the type does not accept the object. Structs within the type also
/// accept arrays of their fields.
pub fn read_as<T: DeserializeOwned>(text: &[u8]) -> Result<T, CanonicalError> {
    check_form(text)?;
    if !text.starts_with(b"{") {
        return Err(CanonicalError::unexpected());
    }
    serde_json::from_slice(text).map_err(CanonicalError::Shape)
}

/// Checks that a text is a value in canonical form, without holding the value.
fn check_form(text: &[u8]) -> Result<(), CanonicalError> {
    let mut form = Form {
        rest: text,
        problem: None,
    };
    let mut parser = serde_json::Deserializer::from_slice(text);
    let parsed = Part::after(b"", &mut form)
        .deserialize(&mut parser)
        .and_then(|()| parser.end());
    match (form.problem, parsed) {
        (Some(problem), _) => Err(problem),
        (None, Err(error)) => Err(CanonicalError::Syntax(error)),
        (None, Ok(())) if form.rest.is_empty() => Ok(()),
        (None, Ok(())) => Err(CanonicalError::Form),
    }
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

/// A text that is compared, part by part, with the canonical form of what is parsed from it.
struct Form<'t> {
    rest: &'t [u8],
    /// Why the text was refused. A parser's own errors have no room for it.
    problem: Option<CanonicalError>,
}

impl Form<'_> {
    fn expect<E: de::Error>(&mut self, canonical: &[u8]) -> Result<(), E> {
        match self.rest.strip_prefix(canonical) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(self.refuse(CanonicalError::Form)),
        }
    }

    /// Expects a value that has no others in it.
    fn expect_scalar<E: de::Error>(&mut self, value: &Value) -> Result<(), E> {
        let written = check_numbers(value)
            .and_then(|()| serde_json_canonicalizer::to_vec(value).map_err(CanonicalError::Syntax));
        match written {
            Ok(canonical) => self.expect(&canonical),
            Err(problem) => Err(self.refuse(problem)),
        }
    }

    fn refuse<E: de::Error>(&mut self, problem: CanonicalError) -> E {
        self.problem = Some(problem);
        E::custom("refused")
    }
}

/// A value within a [`Form`], and what separates it from the part before.
struct Part<'f, 't> {
    separator: &'static [u8],
    form: &'f mut Form<'t>,
}

impl<'f, 't> Part<'f, 't> {
    fn after(separator: &'static [u8], form: &'f mut Form<'t>) -> Self {
        Self { separator, form }
    }
}

impl<'de> DeserializeSeed<'de> for Part<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.form.expect(self.separator)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.form.expect_scalar(&Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.form.expect_scalar(&value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.form.expect_scalar(&value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.form.expect_scalar(&value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("not a number"))?;
        self.form.expect_scalar(&number.into())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.form.expect_scalar(&value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        self.form.expect(b"[")?;
        let mut separator: &[u8] = b"";
        while let Some(()) = sequence.next_element_seed(Part::after(separator, self.form))? {
            separator = b",";
        }
        self.form.expect(b"]")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.form.expect(b"{")?;
        let mut previous: Option<String> = None;
        while let Some(key) = map.next_key::<String>()? {
            if let Some(previous) = previous {
                match previous.encode_utf16().cmp(key.encode_utf16()) {
                    Ordering::Less => self.form.expect(b",")?,
                    Ordering::Equal => return Err(self.form.refuse(CanonicalError::DuplicateKey)),
                    Ordering::Greater => return Err(self.form.refuse(CanonicalError::Form)),
                }
            }
            self.form.expect_scalar(&key.as_str().into())?;
            map.next_value_seed(Part::after(b":", self.form))?;
            previous = Some(key);
        }
        self.form.expect(b"}")
    }
}
