//! Reads disclosures: the facts behind the digests of an event, each in a canonical JSON file of
//! its own with a salt, so that each party gets its own and what is erased cannot be guessed.

use ideavault_domain::evidence::Disclosure;
use ideavault_domain::hex;
use serde_json::Value;
use thiserror::Error;

use crate::canonical::{self, CanonicalError};
use crate::event::is_salt;

#[cfg(test)]
mod tests;

/// Refused a disclosure.
#[derive(Debug, Error)]
pub enum DisclosureError {
    /// Not canonical JSON of the expected fields.
    #[error(transparent)]
    Json(#[from] CanonicalError),
    /// The salt is missing or not 32 bytes.
    #[error("the salt is missing or malformed")]
    Salt,
    /// A digest is malformed.
    #[error("a digest is malformed")]
    Digest,
}

/// Parses a disclosure by its name. One with an unknown name, which is `None`, only needs a salt.
///
/// # Errors
///
/// Fails if the bytes are not canonical, or have not the fields of this name.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Option<Disclosure>, DisclosureError> {
    let mut facts = canonical::read(bytes)?;
    let salt = facts.as_object_mut().and_then(|facts| facts.remove("salt"));
    let salt = salt.as_ref().and_then(Value::as_str);
    if !salt.is_some_and(is_salt) {
        return Err(DisclosureError::Salt);
    }
    let parsed = Disclosure::from_facts(name, facts.clone()).map_err(CanonicalError::Shape)?;
    if let Some(parsed) = &parsed {
        // Refuses unknown members, `null` for one that is absent, and an array for an object.
        let written = serde_json::to_value(parsed).map_err(CanonicalError::Shape)?;
        if written != facts {
            return Err(CanonicalError::unexpected().into());
        }
    }
    let mut digests = parsed.iter().flat_map(Disclosure::digests);
    let is_malformed = digests.any(|digest| hex::decode(digest).is_none());
    drop(digests);
    match is_malformed {
        true => Err(DisclosureError::Digest),
        false => Ok(parsed),
    }
}
