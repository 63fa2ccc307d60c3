//! Facts from the tables other than those of the log, for comparison with the events.

use super::{EventKind, EventSubject};
use crate::Timestamp;
use crate::ids::{IdeaId, ViewGrantId};

/// Something that happened, as a table other than that of the events has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The table.
    pub table: &'static str,
    /// The row.
    pub id: String,
    /// The kind of the event that records it.
    pub kind: EventKind,
    /// When it happened.
    pub at: Timestamp,
    /// Its subject.
    pub subject: EventSubject,
    /// The view that began.
    pub view: Option<ViewGrantId>,
}

impl Fact {
    /// Creates a fact about an idea; further ids are set in [`Fact::subject`].
    #[must_use]
    pub fn new(
        table: &'static str,
        id: String,
        kind: EventKind,
        at: Timestamp,
        idea: IdeaId,
    ) -> Self {
        Self {
            table,
            id,
            kind,
            at,
            subject: EventSubject::of_idea(idea),
            view: None,
        }
    }
}
