//! The body of an event: what the log has the digest of.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{EventKind, EventSubject, FORMAT_VERSION_2, SIGNATORY, SOURCES, timestamp};
use crate::Timestamp;

/// A state of another log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherLog {
    /// Its origin.
    pub log: String,
    /// SHA-256 of the bytes of its last checkpoint, in hexadecimal digits.
    pub checkpoint: String,
}

/// Whether the text of an agreement had been delivered when it was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Delivery {
    /// SHA-256 of the `agreement.delivered`, in hexadecimal digits. An event has a digest
    /// at once, but a place only later.
    Event(String),
    /// Always false: there was none.
    None(bool),
}

/// An event as it is recorded. Ids are those of the database, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventBody {
    /// The first version of the format that has all that the event and its disclosures have.
    pub v: u64,
    /// Origin of the log.
    pub log: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// When, as [`timestamp`] writes it. Never before an earlier event of the log.
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
    /// The number of the revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// 32 random bytes, as [`encode_salt`](super::encode_salt) writes them.
    pub salt: String,
    /// SHA-256 of each disclosure by its name, in hexadecimal digits.
    pub discloses: BTreeMap<String, String>,
    /// The key that signs from here on; in `log.started`, `log.resumed` and `key.rotated`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vkey: Option<String>,
    /// The log that this one continues; in `log.resumed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<OtherLog>,
    /// In `log.resumed`, if the log that was signed last was lost as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abandoned: Option<OtherLog>,
    /// In `agreement.accepted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered: Option<Delivery>,
    /// The view; in `view.started` and `file.delivered`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// True if the reader downloaded the document; in `file.delivered`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub download: Option<bool>,
    /// Number of the copy that the reader is shown; in `view.started`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
}

impl EventBody {
    /// Returns an event of no log yet, without what only some kinds have.
    #[must_use]
    pub fn new(kind: EventKind, at: Timestamp, subject: EventSubject) -> Self {
        let EventSubject {
            idea,
            share,
            recipient,
            comment,
            file,
            revision,
        } = subject;
        Self {
            v: kind.since(),
            log: String::new(),
            kind,
            at: timestamp(at),
            idea: idea.map(|id| id.to_string()),
            share: share.map(|id| id.to_string()),
            recipient: recipient.map(|id| id.to_string()),
            comment: comment.map(|id| id.to_string()),
            file: file.map(|id| id.to_string()),
            revision: revision.map(|number| number.to_string()),
            salt: String::new(),
            discloses: BTreeMap::new(),
            vkey: None,
            previous: None,
            abandoned: None,
            delivered: None,
            view: None,
            download: None,
            mark: None,
        }
    }

    /// Reads a recorded event; `None` if it is none. Leaves out members that only a later version
    /// knows.
    #[must_use]
    pub fn parse(body: &str) -> Option<Self> {
        serde_json::from_str(body).ok()
    }

    /// Returns the version of the format that has first what the event has, without regard to what
    /// its disclosures say.
    #[must_use]
    pub fn since(&self) -> u64 {
        let discloses = |name| self.discloses.contains_key(name);
        match self.mark.is_some() || discloses(SIGNATORY) || discloses(SOURCES) {
            true => FORMAT_VERSION_2,
            false => self.kind.since(),
        }
    }

    /// Returns the number of the revision.
    #[must_use]
    pub fn revision(&self) -> Option<i32> {
        self.revision.as_ref()?.parse().ok()
    }
}
