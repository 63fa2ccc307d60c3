//! Reads disclosures: the facts behind the digests of an event, each in a canonical JSON file of
//! its own with a salt, so that each party gets its own and what is erased cannot be guessed.

use ideavault_domain::evidence::{Disclosure, MUTUAL, ONE_WAY, PROVIDER_CONFIRMED};
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
    /// Members contradict each other, or are not of this disclosure.
    #[error("its members do not fit each other")]
    Members,
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
        if !is_consistent(parsed) {
            return Err(DisclosureError::Members);
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

/// Reports whether the members of a disclosure fit each other.
fn is_consistent(disclosure: &Disclosure) -> bool {
    let lists_no_copies = disclosure
        .files()
        .iter()
        .all(|file| file.original.is_none());
    lists_no_copies
        && match disclosure {
            Disclosure::Agreement(agreement) => {
                match (agreement.kind.as_deref(), agreement.language.as_deref()) {
                    (None, None) => true,
                    (Some(ONE_WAY | MUTUAL), Some(language)) => is_language(language),
                    _ => false,
                }
            }
            Disclosure::Person(person) => {
                let is_named = person
                    .provider
                    .as_deref()
                    .is_none_or(|name| !name.is_empty());
                let is_provided = person.identity == PROVIDER_CONFIRMED;
                is_role(&person.company, &person.role)
                    && is_named
                    && person.provider.is_some() == is_provided
            }
            Disclosure::Signatory(signatory) => is_role(&signatory.company, &signatory.role),
            _ => true,
        }
}

/// Reports whether there are both a company and a role in it, or neither.
fn is_role(company: &Option<String>, role: &Option<String>) -> bool {
    match (company.as_deref(), role.as_deref()) {
        (None, None) => true,
        (Some(company), Some(role)) => !company.is_empty() && !role.is_empty(),
        _ => false,
    }
}

/// Reports whether a text has the form of a language tag (RFC 5646): letters and digits in groups of
/// up to eight, of which the first has at least two letters and nothing else.
fn is_language(text: &str) -> bool {
    let is_group = |group: &str| {
        (1..=8).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let first = text.split('-').next().unwrap_or_default();
    text.split('-').all(is_group)
        && first.len() >= 2
        && !first.bytes().any(|byte| byte.is_ascii_digit())
}
