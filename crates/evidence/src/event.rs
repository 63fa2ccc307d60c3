//! Events of the log: what happened to an idea, in canonical JSON.
//!
//! An event says nothing to whoever lacks its disclosures: it holds ids, times and digests,
//! and names, texts and addresses stand in files of their own ([`crate::disclosure`]).

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, NaiveDateTime, Utc};
use ideavault_domain::evidence::EventKind;
use ideavault_domain::hex;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Digest;
use crate::canonical::{self, CanonicalError};
use crate::checkpoint::VerifierKey;

#[cfg(test)]
mod tests;

/// Version of the schema.
pub const VERSION: u64 = 1;

/// How times are written: RFC 3339 in UTC with microseconds.
const TIME_FORMAT: &str = "%Y-%m-%dT%H:%M:%S%.6fZ";

/// The longest id, in bytes.
const MAX_ID: usize = 200;

/// Refused an event.
#[derive(Debug, Error)]
pub enum EventError {
    /// Not canonical JSON of the known fields.
    #[error(transparent)]
    Json(#[from] CanonicalError),
    /// A field is missing, superfluous for this type of event, or malformed.
    #[error("the field {0} is missing, malformed, or not of this type of event")]
    Field(&'static str),
}

/// The end of an older log, which a new one continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreviousLog {
    /// Name of the older log.
    pub log: String,
    /// SHA-256 of the bytes of its last checkpoint, in hexadecimal digits.
    pub checkpoint: String,
}

/// Whether the text of an agreement had been delivered when it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Delivery {
    /// SHA-256 of the `agreement.delivered`, in hexadecimal digits. An event has a digest
    /// at once, but a place only later.
    Event(String),
    /// Always false: there was none.
    None(bool),
}

/// An event. Ids are those of the database, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Event {
    /// [`VERSION`].
    pub v: u64,
    /// Name of the log.
    pub log: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// When, as [`format_time`] writes it. Never before an earlier event of the log.
    pub at: String,
    /// The number of the idea that agreements name. Absent in events about the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idea: Option<String>,
    /// The link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
    /// The reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// The comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The version of the idea.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// 32 random bytes, as [`format_salt`] writes them.
    pub salt: String,
    /// SHA-256 of each disclosure by its name, in hexadecimal digits.
    pub discloses: BTreeMap<String, String>,
    /// The key that signs from here on; in `log.started`, `log.resumed` and `key.rotated`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vkey: Option<String>,
    /// In `log.resumed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<PreviousLog>,
    /// In `log.resumed`, if the log that was signed last was lost as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abandoned: Option<PreviousLog>,
    /// In `agreement.accepted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered: Option<Delivery>,
    /// The view; in `view.started` and `file.delivered`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// True if the reader downloaded the document; in `file.delivered`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub download: Option<bool>,
}

impl Event {
    /// Describes an event without what only some types have.
    pub fn new(kind: EventKind, log: &str, at: DateTime<Utc>, salt: &[u8; 32]) -> Self {
        Self {
            v: VERSION,
            log: log.to_owned(),
            kind,
            at: format_time(at),
            idea: None,
            share: None,
            recipient: None,
            comment: None,
            file: None,
            revision: None,
            salt: format_salt(salt),
            discloses: BTreeMap::new(),
            vkey: None,
            previous: None,
            abandoned: None,
            delivered: None,
            view: None,
            download: None,
        }
    }

    /// Returns the bytes that are hashed and stored.
    ///
    /// # Errors
    ///
    /// Fails if a field is missing, malformed, or not of this type of event.
    pub fn to_json(&self) -> Result<Vec<u8>, EventError> {
        self.check()?;
        Ok(canonical::write(self)?)
    }

    /// Parses the bytes of an event.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are anything else than [`Self::to_json`] returns.
    pub fn parse(bytes: &[u8]) -> Result<Self, EventError> {
        let event: Self = canonical::read_as(bytes)?;
        // Refuses `null` for a field that is absent.
        if event.to_json()? == bytes {
            Ok(event)
        } else {
            Err(CanonicalError::Form.into())
        }
    }

    /// Returns the key that signs from here on.
    ///
    /// # Errors
    ///
    /// Fails if the event has none, or one of another log.
    pub fn key(&self) -> Result<VerifierKey, EventError> {
        self.vkey
            .as_deref()
            .and_then(|text| {
                VerifierKey::parse(text)
                    .ok()
                    .filter(|key| key.to_string() == text)
            })
            .filter(|key| key.origin() == self.log)
            .ok_or(EventError::Field("vkey"))
    }

    /// Returns the time of the event.
    ///
    /// # Errors
    ///
    /// Fails if it is malformed.
    pub fn time(&self) -> Result<DateTime<Utc>, EventError> {
        parse_time(&self.at).ok_or(EventError::Field("at"))
    }

    fn check(&self) -> Result<(), EventError> {
        let require = |condition, field| {
            if condition {
                Ok(())
            } else {
                Err(EventError::Field(field))
            }
        };
        require(self.v == VERSION, "v")?;
        require(is_id(&self.log), "log")?;
        self.time()?;
        require(is_salt(&self.salt), "salt")?;
        require(self.idea.is_some() != self.kind.is_about_log(), "idea")?;
        for (id, field) in [
            (&self.idea, "idea"),
            (&self.share, "share"),
            (&self.recipient, "recipient"),
            (&self.comment, "comment"),
            (&self.file, "file"),
            (&self.revision, "revision"),
            (&self.view, "view"),
        ] {
            require(id.as_deref().is_none_or(is_id), field)?;
        }
        for (name, digest) in &self.discloses {
            require(is_disclosure_name(name), "discloses")?;
            require(hex::decode(digest).is_some(), "discloses")?;
        }
        if self.kind.is_about_log() {
            self.key()?;
        } else {
            require(self.vkey.is_none(), "vkey")?;
        }
        let resumed = self.kind == EventKind::LogResumed;
        let previous = self.previous.as_ref();
        require(previous.is_some() == resumed, "previous")?;
        let names_another_log = |named: &PreviousLog| {
            is_id(&named.log) && named.log != self.log && hex::decode(&named.checkpoint).is_some()
        };
        require(previous.is_none_or(names_another_log), "previous")?;
        let abandoned = self.abandoned.as_ref();
        require(
            abandoned.is_none_or(|named| resumed && names_another_log(named)),
            "abandoned",
        )?;
        let accepted = self.kind == EventKind::AgreementAccepted;
        require(self.delivered.is_some() == accepted, "delivered")?;
        require(
            self.delivered
                .as_ref()
                .is_none_or(|delivery| match delivery {
                    Delivery::Event(digest) => hex::decode(digest).is_some(),
                    Delivery::None(none) => !none,
                }),
            "delivered",
        )?;
        let in_view = matches!(self.kind, EventKind::ViewStarted | EventKind::FileDelivered);
        require(self.view.is_some() == in_view, "view")?;
        let delivered = self.kind == EventKind::FileDelivered;
        let is_valid = self.download.is_none_or(|download| download && delivered);
        require(is_valid, "download")
    }
}

/// Returns a time as events have it, which drops what is below microseconds.
pub fn format_time(time: DateTime<Utc>) -> String {
    time.format(TIME_FORMAT).to_string()
}

/// Parses a time as [`format_time`] writes it.
pub fn parse_time(text: &str) -> Option<DateTime<Utc>> {
    let time = NaiveDateTime::parse_from_str(text, TIME_FORMAT)
        .ok()?
        .and_utc();
    (format_time(time) == text).then_some(time)
}

/// Returns a salt as text: base64 of URLs without padding.
pub fn format_salt(salt: &[u8; 32]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(salt)
}

/// Reports whether a text is a salt of 32 bytes.
pub fn is_salt(text: &str) -> bool {
    BASE64_URL_SAFE_NO_PAD
        .decode(text)
        .is_ok_and(|salt| salt.len() == 32)
}

/// Reports whether a text can be the name of a disclosure: lower-case letters.
pub fn is_disclosure_name(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Returns the digest of the bytes of an event: the data of its leaf in the tree.
pub fn digest(json: &[u8]) -> Digest {
    crate::sha256(json)
}

fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len()) && !text.chars().any(char::is_control)
}
