//! Disclosures: the facts behind the digests of an event, each in a canonical JSON file of
//! its own with a salt, so that each party gets its own and what is erased cannot be guessed.

use ideavault_domain::hex;
use serde::{Deserialize, Serialize};
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

/// `content`: a version of an idea.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Content {
    /// See [`format_salt`](crate::event::format_salt).
    pub salt: String,
    /// Title.
    pub title: String,
    /// Name of the creator.
    pub creator: String,
    /// SHA-256 of the exact stored content, in hexadecimal digits.
    pub sha256: String,
    /// The document id, if the idea was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_id: Option<String>,
    /// The files that the content uses.
    pub files: Vec<ContentFile>,
}

/// A file that the content of an idea uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ContentFile {
    /// Name.
    pub name: String,
    /// Media type.
    pub media_type: String,
    /// SHA-256 of the exact bytes, in hexadecimal digits.
    pub sha256: String,
}

/// `agreement`: which agreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Agreement {
    /// See [`format_salt`](crate::event::format_salt).
    pub salt: String,
    /// Name of the template.
    pub template: String,
    /// Version of the template.
    pub version: String,
    /// SHA-256 of the template's text, in hexadecimal digits.
    pub sha256: String,
}

/// `terms`: the text of an agreement, filled in with the reader's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Terms {
    /// See [`format_salt`](crate::event::format_salt).
    pub salt: String,
    /// SHA-256 of the exact text, in hexadecimal digits.
    pub sha256: String,
}

/// `person`: who.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Person {
    /// See [`format_salt`](crate::event::format_salt).
    pub salt: String,
    /// Name.
    pub name: String,
    /// Email address.
    pub email: String,
    /// Phone number, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// How the person is known: `self-declared`, or `email-confirmed`.
    pub identity: String,
    /// When the address was confirmed, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<String>,
}

/// `origin`: from where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Origin {
    /// See [`format_salt`](crate::event::format_salt).
    pub salt: String,
    /// Network address.
    pub address: String,
    /// The browser's `User-Agent`, if it sent one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub browser: Option<String>,
}

/// `comment`: what was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Comment {
    /// See [`format_salt`](crate::event::format_salt).
    pub salt: String,
    /// Name of the author.
    pub author: String,
    /// SHA-256 of the text, in hexadecimal digits.
    pub sha256: String,
}

/// `file`: what was sent to a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct File {
    /// See [`format_salt`](crate::event::format_salt).
    pub salt: String,
    /// Name.
    pub name: String,
    /// Media type.
    pub media_type: String,
    /// SHA-256 of the exact bytes, in hexadecimal digits.
    pub sha256: String,
}

/// A disclosure, as far as a verifier reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disclosed {
    /// `content`.
    Content(Content),
    /// `terms`.
    Terms(Terms),
    /// `file`.
    File(File),
    /// Any other.
    Other,
}

impl Disclosed {
    /// Returns the digests of the content, files and text that it names.
    pub fn digests(&self) -> impl Iterator<Item = &String> {
        let (first, files) = match self {
            Self::Content(content) => (Some(&content.sha256), content.files.as_slice()),
            Self::Terms(terms) => (Some(&terms.sha256), [].as_slice()),
            Self::File(file) => (Some(&file.sha256), [].as_slice()),
            Self::Other => (None, [].as_slice()),
        };
        first
            .into_iter()
            .chain(files.iter().map(|file| &file.sha256))
    }
}

/// Parses a disclosure by its name. One with an unknown name only needs a salt.
///
/// # Errors
///
/// Fails if the bytes are not canonical, or have not the fields of this name.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Disclosed, DisclosureError> {
    let value = canonical::read(bytes)?;
    let salt = value.get("salt").and_then(serde_json::Value::as_str);
    if !salt.is_some_and(is_salt) {
        return Err(DisclosureError::Salt);
    }
    let digest = |text: &str| match hex::decode(text) {
        Some(_) => Ok(()),
        None => Err(DisclosureError::Digest),
    };
    match name {
        "content" => {
            let content: Content = canonical::read_as(bytes)?;
            digest(&content.sha256)?;
            for file in &content.files {
                digest(&file.sha256)?;
            }
            Ok(Disclosed::Content(content))
        }
        "terms" => {
            let terms: Terms = canonical::read_as(bytes)?;
            digest(&terms.sha256)?;
            Ok(Disclosed::Terms(terms))
        }
        "agreement" => {
            digest(&canonical::read_as::<Agreement>(bytes)?.sha256)?;
            Ok(Disclosed::Other)
        }
        "comment" => {
            digest(&canonical::read_as::<Comment>(bytes)?.sha256)?;
            Ok(Disclosed::Other)
        }
        "file" => {
            let file: File = canonical::read_as(bytes)?;
            digest(&file.sha256)?;
            Ok(Disclosed::File(file))
        }
        "person" => canonical::read_as::<Person>(bytes)
            .map(|_| Disclosed::Other)
            .map_err(DisclosureError::Json),
        "origin" => canonical::read_as::<Origin>(bytes)
            .map(|_| Disclosed::Other)
            .map_err(DisclosureError::Json),
        _ => Ok(Disclosed::Other),
    }
}
