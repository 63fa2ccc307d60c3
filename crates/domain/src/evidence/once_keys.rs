//! Keys of events that are recorded at most once.

use std::fmt::Display;

use serde_json::Value;

use super::EventKind;
use crate::ids::{FileId, IdeaId, RecipientId, ViewGrantId};

/// The key of the event that records that revision.
#[must_use]
pub fn recorded_revision(idea: IdeaId, revision: i32) -> String {
    of_revision(revision, idea)
}

/// The beginning of [`delivered_agreement`], before the id of the recipient.
pub const DELIVERED_AGREEMENT: &str = "agreement of recipient ";

/// The key of the event that records the delivery of a recipient's agreement.
#[must_use]
pub fn delivered_agreement(recipient: RecipientId) -> String {
    of_agreement(recipient)
}

/// The key of the event that records the delivery of a file in a view.
#[must_use]
pub fn delivered_file(view: ViewGrantId, file: FileId) -> String {
    of_file(view, file)
}

/// Text before the revision, and between it and the view, in the key of
/// [`delivered_revision`].
pub const DELIVERED_REVISION: [&str; 2] = ["revision ", " in view "];

/// The key of the event that records the delivery of a newer revision in a view.
#[must_use]
pub fn delivered_revision(view: ViewGrantId, revision: i32) -> String {
    of_newer_revision(view, revision)
}

/// The key of the event that records the erasure of a recipient.
pub(super) fn erased_recipient(recipient: impl Display) -> String {
    format!("erasure of recipient {recipient}")
}

/// The key of the event that records the erasure of the creator of an idea.
pub(super) fn erased_creator(idea: impl Display) -> String {
    format!("erasure of the creator of idea {idea}")
}

/// The beginning of the keys of events that are recorded later, and have no other one.
fn recorded_later(kind: EventKind) -> String {
    format!("{} of ", kind.as_str())
}

fn of_revision(revision: impl Display, idea: impl Display) -> String {
    format!("revision {revision} of idea {idea}")
}

fn of_agreement(recipient: impl Display) -> String {
    format!("{DELIVERED_AGREEMENT}{recipient}")
}

fn of_file(view: impl Display, file: impl Display) -> String {
    format!("file {file} in view {view}")
}

fn of_newer_revision(view: impl Display, revision: impl Display) -> String {
    let [before, between] = DELIVERED_REVISION;
    format!("{before}{revision}{between}{view}")
}

/// Returns whether an event of that kind, with that body, has that key.
pub(super) fn is_once_key(kind: EventKind, body: &Value, key: Option<&str>) -> bool {
    let text = |name| body.get(name).and_then(Value::as_str);
    let id = |name| text(name).unwrap_or_default();
    let own = match kind {
        EventKind::RevisionRecorded => Some(of_revision(id("revision"), id("idea"))),
        EventKind::AgreementDelivered => Some(of_agreement(id("recipient"))),
        EventKind::FileDelivered if body.get("download").is_some() => None,
        EventKind::FileDelivered => Some(match text("file") {
            Some(file) => of_file(id("view"), file),
            None => of_newer_revision(id("view"), id("revision")),
        }),
        EventKind::PersonErased => Some(match text("recipient") {
            Some(recipient) => erased_recipient(recipient),
            None => erased_creator(id("idea")),
        }),
        _ => None,
    };
    match (own, key) {
        (Some(own), key) => key == Some(&own),
        (None, None) => true,
        // Its end says of which row and time.
        (None, Some(key)) => {
            body.get("recordedLater").is_some() && key.starts_with(&recorded_later(kind))
        }
    }
}
