//! Keys of events that are recorded at most once.

use crate::ids::{FileId, IdeaId, RecipientId, ViewGrantId};

/// The key of the event that records that revision.
#[must_use]
pub fn recorded_revision(idea: IdeaId, revision: i32) -> String {
    format!("revision {revision} of idea {idea}")
}

/// The beginning of [`delivered_agreement`], before the id of the recipient.
pub const DELIVERED_AGREEMENT: &str = "agreement of recipient ";

/// The key of the event that records the delivery of a recipient's agreement.
#[must_use]
pub fn delivered_agreement(recipient: RecipientId) -> String {
    format!("{DELIVERED_AGREEMENT}{recipient}")
}

/// The key of the event that records the delivery of a file in a view.
#[must_use]
pub fn delivered_file(view: ViewGrantId, file: FileId) -> String {
    format!("file {file} in view {view}")
}

/// The key of the event that records the delivery of a newer revision in a view.
#[must_use]
pub fn delivered_revision(view: ViewGrantId, revision: i32) -> String {
    format!("revision {revision} in view {view}")
}
