//! Reads and checks events of the log ([`EventBody`]), in canonical JSON.
//!
//! An event says nothing to whoever lacks its disclosures: it holds ids, times and digests,
//! and names, texts and addresses stand in files of their own ([`crate::disclosure`]).

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, NaiveDateTime, Utc};
use ideavault_domain::evidence::{
    Delivery, EventBody, EventKind, FORMAT_VERSION_2, OtherLog, SIGNATORY, SOURCES, timestamp,
};
use ideavault_domain::hex;
use ideavault_domain::idea::DocumentId;
use thiserror::Error;

use crate::Digest;
use crate::canonical::{self, CanonicalError};
use crate::checkpoint::VerifierKey;

#[cfg(test)]
mod tests;

/// How times are written: RFC 3339 in UTC with microseconds.
const TIME_FORMAT: &str = "%Y-%m-%dT%H:%M:%S%.6fZ";

/// Disclosures of the first version that can have members of the second one.
pub(crate) const EXTENDED: [&str; 3] = ["agreement", "file", "person"];

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

/// Returns the bytes that are hashed and stored.
///
/// # Errors
///
/// Fails if a field is missing, malformed, or not of this type of event.
pub fn write(event: &EventBody) -> Result<Vec<u8>, EventError> {
    check(event)?;
    Ok(canonical::write(event)?)
}

/// Parses the bytes of an event.
///
/// # Errors
///
/// Fails if the bytes are anything else than [`write()`] returns.
pub fn parse(bytes: &[u8]) -> Result<EventBody, EventError> {
    let event = canonical::read_as(bytes)?;
    // Refuses unknown fields, `null` for a field that is absent, and an array for an object.
    if write(&event)? == bytes {
        Ok(event)
    } else {
        Err(CanonicalError::unexpected().into())
    }
}

/// Returns the key that signs from an event on.
///
/// # Errors
///
/// Fails if the event has none, or one of another log.
pub fn key_of(event: &EventBody) -> Result<VerifierKey, EventError> {
    event
        .vkey
        .as_deref()
        .and_then(|text| {
            VerifierKey::parse(text)
                .ok()
                .filter(|key| key.to_string() == text)
        })
        .filter(|key| key.origin() == event.log)
        .ok_or(EventError::Field("vkey"))
}

/// Returns the time of an event.
///
/// # Errors
///
/// Fails if it is malformed.
pub fn time_of(event: &EventBody) -> Result<DateTime<Utc>, EventError> {
    parse_time(&event.at).ok_or(EventError::Field("at"))
}

fn check(event: &EventBody) -> Result<(), EventError> {
    let require = |condition, field| {
        if condition {
            Ok(())
        } else {
            Err(EventError::Field(field))
        }
    };
    let kind = event.kind;
    let since = event.since();
    // Whether its disclosures have members of the second version shows when they are read.
    let mut extended = EXTENDED.iter();
    let is_extended = extended.any(|name| event.discloses.contains_key(*name));
    require(
        event.v == since || event.v == FORMAT_VERSION_2 && is_extended,
        "v",
    )?;
    require(is_id(&event.log), "log")?;
    time_of(event)?;
    require(is_salt(&event.salt), "salt")?;
    require(event.idea.is_some() != kind.is_about_log(), "idea")?;
    require(event.idea.as_deref().is_none_or(is_idea), "idea")?;
    for (id, field) in [
        (&event.idea, "idea"),
        (&event.share, "share"),
        (&event.recipient, "recipient"),
        (&event.comment, "comment"),
        (&event.file, "file"),
        (&event.revision, "revision"),
        (&event.view, "view"),
    ] {
        require(id.as_deref().is_none_or(is_id), field)?;
    }
    for (name, digest) in &event.discloses {
        require(is_disclosure_name(name), "discloses")?;
        require(hex::decode(digest).is_some(), "discloses")?;
    }
    require(discloses_its_own(event), "discloses")?;
    let is_decision = matches!(
        kind,
        EventKind::AccessRequested | EventKind::AccessApproved | EventKind::AccessRefused
    );
    require(!is_decision || event.recipient.is_some(), "recipient")?;
    let is_issue = kind == EventKind::AgreementIssued;
    require(!is_issue || event.recipient.is_none(), "recipient")?;
    let is_of_link = is_decision || is_issue;
    require(!is_of_link || event.share.is_some(), "share")?;
    if kind.is_about_log() {
        key_of(event)?;
    } else {
        require(event.vkey.is_none(), "vkey")?;
    }
    let resumed = kind == EventKind::LogResumed;
    let previous = event.previous.as_ref();
    require(previous.is_some() == resumed, "previous")?;
    let names_another_log = |named: &OtherLog| {
        is_id(&named.log) && named.log != event.log && hex::decode(&named.checkpoint).is_some()
    };
    require(previous.is_none_or(names_another_log), "previous")?;
    let abandoned = event.abandoned.as_ref();
    require(
        abandoned.is_none_or(|named| resumed && names_another_log(named)),
        "abandoned",
    )?;
    let accepted = kind == EventKind::AgreementAccepted;
    require(event.delivered.is_some() == accepted, "delivered")?;
    require(
        event
            .delivered
            .as_ref()
            .is_none_or(|delivery| match delivery {
                Delivery::Event(digest) => hex::decode(digest).is_some(),
                Delivery::None(none) => !none,
            }),
        "delivered",
    )?;
    let in_view = matches!(kind, EventKind::ViewStarted | EventKind::FileDelivered);
    require(event.view.is_some() == in_view, "view")?;
    let delivered = kind == EventKind::FileDelivered;
    let is_valid = event.download.is_none_or(|download| download && delivered);
    require(is_valid, "download")?;
    let is_marked = |mark: &str| kind == EventKind::ViewStarted && is_copy_number(mark);
    require(event.mark.as_deref().is_none_or(is_marked), "mark")
}

/// Reports whether an event has the disclosures that belong to its type, as far as that says which.
fn discloses_its_own(event: &EventBody) -> bool {
    let names: Vec<&str> = event.discloses.keys().map(String::as_str).collect();
    match event.kind {
        EventKind::AgreementIssued => names == ["agreement", SIGNATORY],
        EventKind::AccessApproved => names.is_empty() || names == [SIGNATORY, "terms"],
        EventKind::AccessRequested | EventKind::AccessRefused => names.is_empty(),
        EventKind::RevisionRecorded => !names.contains(&SIGNATORY),
        _ => !names.contains(&SIGNATORY) && !names.contains(&SOURCES),
    }
}

/// Reports whether a text is the number of a copy: `IVC-` and three groups of four letters of the
/// alphabet of document ids.
fn is_copy_number(text: &str) -> bool {
    let id = text.strip_prefix("IVC-").map(|rest| format!("IV-{rest}"));
    id.is_some_and(|id| DocumentId::parse(&id).is_some())
}

/// Parses a time as [`timestamp`] writes it.
pub fn parse_time(text: &str) -> Option<DateTime<Utc>> {
    let time = NaiveDateTime::parse_from_str(text, TIME_FORMAT)
        .ok()?
        .and_utc();
    (timestamp(time) == text).then_some(time)
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

/// Reports whether a text can be the number of an idea, with which `README.txt` begins.
fn is_idea(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=64).contains(&text.len()) && text.bytes().all(allowed)
}

fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len()) && !text.chars().any(char::is_control)
}
