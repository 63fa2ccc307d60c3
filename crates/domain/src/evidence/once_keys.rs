//! Keys of events that are recorded at most once.

use std::fmt::Display;

use super::{EventBody, EventKind};
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

impl EventBody {
    /// Returns the key that at most one event has; `None` if there may be several such events.
    #[must_use]
    pub fn once_key(&self) -> Option<String> {
        let text = |id: &Option<String>| id.clone().unwrap_or_default();
        let (idea, view, revision) = (text(&self.idea), text(&self.view), text(&self.revision));
        match self.kind {
            EventKind::RevisionRecorded => Some(of_revision(revision, idea)),
            EventKind::AgreementDelivered => Some(of_agreement(text(&self.recipient))),
            EventKind::FileDelivered if self.download.is_some() => None,
            EventKind::FileDelivered => Some(match &self.file {
                Some(file) => of_file(view, file),
                None => of_newer_revision(view, revision),
            }),
            EventKind::PersonErased => Some(match &self.recipient {
                Some(recipient) => format!("erasure of recipient {recipient}"),
                None => format!("erasure of the creator of idea {idea}"),
            }),
            _ => None,
        }
    }
}
