//! Documents that people keep: the receipt of an acceptance, and the certificate of a
//! published idea.
//!
//! Invariant: a document says who confirms its time, and says so too when nobody does.

use chrono::SecondsFormat;
use serde_json::{Value, json};

use crate::Timestamp;
use crate::digest::Digest;
use crate::evidence::{Anchor, AnchorKind, NotCanonical, canonical};
use crate::nda::AgreementParts;
use crate::recipient::Origin;
use crate::share::ShareType;

/// The note in documents whose time has no outside confirmation.
pub const UNCONFIRMED: &str = "Recorded by this server. Nobody else has confirmed the time.";
/// The same where nobody is asked.
pub const NO_WITNESS: &str = "Recorded by this server. No outside witness is set up on this vault, so \
                              nobody else confirms the time.";

/// An outsider's confirmation of the time of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// A time-stamping authority, or a witness of the log, has signed a time at which the event
    /// existed.
    Authority {
        /// Its host or name.
        name: String,
        /// The signed time.
        time: Timestamp,
    },
    /// A block of Bitcoin commits to the event.
    Block {
        /// The calendar that led there.
        name: String,
        /// Number of the block.
        block: u64,
        /// The time of the block, if its header was checked.
        time: Option<Timestamp>,
    },
}

impl Confirmation {
    /// Returns what an anchor proves, or what a calendar says of it; `None` while there is
    /// nothing.
    #[must_use]
    pub fn of(anchor: &Anchor) -> Option<Self> {
        if !anchor.was_taken() {
            return None;
        }
        let name = anchor.service.name.clone();
        let time = anchor.time;
        match anchor.service.kind {
            AnchorKind::Tsa | AnchorKind::Witness => {
                time.map(|time| Self::Authority { name, time })
            }
            AnchorKind::Ots => anchor.block.map(|block| Self::Block { name, block, time }),
        }
    }

    /// Returns whether this server has checked it.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        !matches!(self, Self::Block { time: None, .. })
    }

    /// Returns what a person reads.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Authority { name, time } => format!("Confirmed by {name} at {}.", utc(*time)),
            Self::Block {
                block,
                time: Some(time),
                ..
            } => format!("In Bitcoin block {block}, at most {}.", utc(*time)),
            Self::Block { name, block, .. } => format!(
                "{name} reports that it is in Bitcoin block {block}, which this server has not \
                 checked."
            ),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Authority { name, time } => {
                json!({ "kind": "tsa", "name": name, "time": exact(*time) })
            }
            Self::Block { name, block, time } => {
                json!({ "kind": "ots", "name": name, "block": block, "time": time.map(exact) })
            }
        }
    }
}

/// Returns the sentences about who confirms a time, never none.
#[must_use]
pub fn sentences(confirmations: &[Confirmation], has_witnesses: bool) -> Vec<String> {
    let is_ours = !confirmations.iter().any(Confirmation::is_checked);
    let note = match has_witnesses || !confirmations.is_empty() {
        true => UNCONFIRMED,
        false => NO_WITNESS,
    };
    let ours = is_ours.then(|| note.to_owned());
    let others = confirmations.iter().map(Confirmation::sentence);
    ours.into_iter().chain(others).collect()
}

/// The place of an event in the log, and the checkpoint that covers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPlace {
    /// Origin of the log.
    pub origin: String,
    /// Number of events before it.
    pub index: u64,
    /// Number of events that the checkpoint covers.
    pub size: u64,
    /// Root of the tree over them.
    pub root: Digest,
}

impl LogPlace {
    fn to_json(&self) -> Value {
        json!({
            "log": self.origin,
            "index": self.index,
            "checkpoint": { "size": self.size, "root": self.root.to_string() },
        })
    }
}

/// A file inside a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name, safe on every system.
    pub name: String,
    /// Its type.
    pub media_type: &'static str,
    /// A description for people.
    pub description: &'static str,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// The receipt of an accepted agreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Name of the vault.
    pub vault: String,
    /// Number of the acceptance's registration.
    pub number: String,
    /// When this document was made.
    pub made_at: Timestamp,
    /// Number of the idea.
    pub idea: String,
    /// Title of the idea, as the agreement names it.
    pub title: String,
    /// Document id, as the agreement names it.
    pub document_id: Option<String>,
    /// Name of the disclosing party.
    pub sharer: String,
    /// Name of the receiving party.
    pub name: String,
    /// Address of the receiving party.
    pub email: String,
    /// When the address was confirmed, if it was.
    pub confirmed_at: Option<Timestamp>,
    /// Time of the acceptance.
    pub accepted_at: Timestamp,
    /// Version of the wording.
    pub version: String,
    /// What was accepted.
    pub terms: AgreementParts,
    /// Number of the idea's revision at that time.
    pub revision: i32,
    /// SHA-256 of that revision.
    pub revision_sha256: Digest,
    /// Where the acceptance came from; `None` once the receiving party was erased.
    pub origin: Option<Origin>,
    /// Type of the link.
    pub share_type: ShareType,
    /// SHA-256 of the event that records the acceptance.
    pub event: Option<Digest>,
    /// The place of that event, once it has one.
    pub place: Option<LogPlace>,
    /// Confirmations of its time.
    pub confirmations: Vec<Confirmation>,
    /// Whether outsiders are asked to confirm it.
    pub has_witnesses: bool,
    /// Files to embed.
    pub attachments: Vec<Attachment>,
}

impl Receipt {
    /// Returns how the address was confirmed, for people.
    #[must_use]
    pub fn identity(&self) -> String {
        match self.confirmed_at {
            Some(at) => format!("confirmed by a code on {}", utc(at)),
            None => "as entered, not confirmed".to_owned(),
        }
    }

    /// Returns the facts of the receipt as canonical JSON (RFC 8785), without its
    /// attachments.
    pub fn facts(&self) -> Result<String, NotCanonical> {
        canonical(&json!({
            "v": 1,
            "vault": self.vault,
            "recipient": self.number,
            "idea": {
                "number": self.idea,
                "title": self.title,
                "documentId": self.document_id,
                "revision": self.revision,
                "sha256": self.revision_sha256.to_string(),
            },
            "disclosingParty": self.sharer,
            "receivingParty": {
                "name": self.name,
                "email": self.email,
                "confirmedAt": self.confirmed_at.map(exact),
            },
            "agreement": {
                "version": self.version,
                "sha256": Digest::of(self.terms.text().as_bytes()).to_string(),
            },
            "acceptedAt": exact(self.accepted_at),
            "origin": self.origin.as_ref().map(|origin| json!({
                "address": origin.ip.to_string(),
                "browser": origin.user_agent,
            })),
            "shareType": self.share_type.as_str(),
            "event": self.event.map(|event| event.to_string()),
            "place": self.place.as_ref().map(LogPlace::to_json),
            "confirmations": self.confirmations.iter().map(Confirmation::to_json).collect::<Vec<_>>(),
            "madeAt": exact(self.made_at),
        }))
    }
}

/// The certificate of a published idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Name of the vault.
    pub vault: String,
    /// When this document was made.
    pub made_at: Timestamp,
    /// Title of the idea.
    pub title: String,
    /// Name of the creator.
    pub creator: String,
    /// The document id.
    pub document_id: String,
    /// When it was published.
    pub published_at: Timestamp,
    /// SHA-256 of its content.
    pub sha256: Digest,
    /// The place of the publication in the log, once it has one.
    pub place: Option<LogPlace>,
    /// Confirmations of its time.
    pub confirmations: Vec<Confirmation>,
    /// Whether outsiders are asked to confirm it.
    pub has_witnesses: bool,
    /// Address of the public record, if that is on.
    pub record: Option<String>,
    /// Files to embed.
    pub attachments: Vec<Attachment>,
}

/// Returns a time for people, in UTC and to the second.
#[must_use]
pub fn utc(at: Timestamp) -> String {
    at.format("%-d %B %Y, %H:%M:%S UTC").to_string()
}

fn exact(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{AnchorService, LogId};

    fn anchor(kind: AnchorKind) -> Anchor {
        let name = "tsa.example.org".to_owned();
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        Anchor::queued(LogId::FIRST, 7, AnchorService { kind, name }, now)
    }

    #[test]
    fn a_time_that_nobody_confirmed_is_said_to_be_ours() {
        let mut authority = anchor(AnchorKind::Tsa);
        assert_eq!(Confirmation::of(&authority), None);
        assert_eq!(sentences(&[], true), [UNCONFIRMED]);
        assert_eq!(sentences(&[], false), [NO_WITNESS]);
        let time = "2026-11-22T12:00:05Z".parse().unwrap();
        authority.confirm_time(vec![1], String::new(), time);
        let mut calendar = anchor(AnchorKind::Ots);
        calendar.promise(vec![1], time);
        assert_eq!(Confirmation::of(&calendar), None);
        calendar.report_block(vec![1], 871_234, None);
        let reported = Confirmation::of(&calendar).unwrap();
        assert!(!reported.is_checked());
        assert_eq!(
            sentences(&[reported], false),
            [
                UNCONFIRMED,
                "tsa.example.org reports that it is in Bitcoin block 871234, which this server \
                 has not checked.",
            ]
        );
        let mined = "2026-11-22T14:00:00Z".parse().unwrap();
        calendar.confirm_block(vec![1], 871_234, mined);
        let all: Vec<_> = [&authority, &calendar]
            .into_iter()
            .filter_map(Confirmation::of)
            .collect();
        assert_eq!(
            sentences(&all, false),
            [
                "Confirmed by tsa.example.org at 22 November 2026, 12:00:05 UTC.",
                "In Bitcoin block 871234, at most 22 November 2026, 14:00:00 UTC.",
            ]
        );
    }
}
