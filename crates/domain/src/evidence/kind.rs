//! The kinds of events.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{FORMAT_VERSION, FORMAT_VERSION_2};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)+) => {
        /// The kind of an event.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        pub enum EventKind {
            $($(#[$doc])* #[serde(rename = $name)] $kind,)+
        }

        impl EventKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind,)+];

            /// Returns the name in events, the API and the database.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }
        }
    };
}

kinds! {
    /// The log began.
    LogStarted = "log.started",
    /// A saved version was put on record by its owner, or first shown to somebody.
    RevisionRecorded = "revision.recorded",
    /// The idea was published.
    IdeaPublished = "idea.published",
    /// The draft was deleted.
    IdeaDeleted = "idea.deleted",
    /// A link was created.
    ShareCreated = "share.created",
    /// A link was revoked.
    ShareRevoked = "share.revoked",
    /// The text of the agreement was fixed for a recipient.
    AgreementOffered = "agreement.offered",
    /// The text of the agreement was first sent to the recipient.
    AgreementDelivered = "agreement.delivered",
    /// The recipient confirmed the address.
    EmailConfirmed = "email.confirmed",
    /// The recipient accepted the agreement.
    AgreementAccepted = "agreement.accepted",
    /// The recipient declined the agreement.
    AgreementDeclined = "agreement.declined",
    /// The owner accepted the agreement towards every reader of a link.
    AgreementIssued = "agreement.issued",
    /// The recipient accepted the agreement, and waits for the owner to decide.
    AccessRequested = "access.requested",
    /// The owner let the recipient read.
    AccessApproved = "access.approved",
    /// The owner did not let the recipient read.
    AccessRefused = "access.refused",
    /// A counted view began.
    ViewStarted = "view.started",
    /// The recipient closed the document.
    VisitClosed = "visit.closed",
    /// A file, or an edited revision, was first sent in a view.
    FileDelivered = "file.delivered",
    /// A comment was written.
    CommentAdded = "comment.added",
    /// A comment was edited.
    CommentChanged = "comment.changed",
    /// A comment was withdrawn.
    CommentWithdrawn = "comment.withdrawn",
    /// A person's data was erased.
    PersonErased = "person.erased",
    /// The log signs with another key from here on.
    KeyRotated = "key.rotated",
    /// The log continues another one, which had stopped.
    LogResumed = "log.resumed",
}

impl EventKind {
    /// Returns whether the event is about the log, and not about an idea.
    #[must_use]
    pub fn is_about_log(self) -> bool {
        matches!(self, Self::LogStarted | Self::LogResumed | Self::KeyRotated)
    }

    /// Returns the version of the format that has it first.
    #[must_use]
    pub fn since(self) -> u64 {
        match self {
            Self::AgreementIssued
            | Self::AccessRequested
            | Self::AccessApproved
            | Self::AccessRefused => FORMAT_VERSION_2,
            _ => FORMAT_VERSION,
        }
    }

    /// Returns whether the event can only be the first one of a log.
    #[must_use]
    pub fn begins_log(self) -> bool {
        matches!(self, Self::LogStarted | Self::LogResumed)
    }
}

/// The stored name is that of no kind of event.
#[derive(Debug, Error)]
#[error("unknown kind of event")]
pub struct UnknownEventKind;

impl std::str::FromStr for EventKind {
    type Err = UnknownEventKind;

    fn from_str(name: &str) -> Result<Self, UnknownEventKind> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| kind.as_str() == name)
            .ok_or(UnknownEventKind)
    }
}
