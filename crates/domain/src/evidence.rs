//! Events: what happened to an idea, in the form that a stranger can check
//! (`docs/evidence.md`).
//!
//! An event names ids only. Facts about content and people are in [`Disclosure`]s of
//! their own; the event has their salted digests, so that it says nothing to somebody
//! who lacks them, and each of them can be handed out, or erased, separately.

mod anchor;
mod body;
mod canonical;
mod constructors;
mod disclosure;
mod fact;
mod kind;
mod log;
mod once_keys;

use std::collections::BTreeMap;

pub use self::anchor::{
    ANCHOR_LEASE, ANCHOR_RETRY_MAX, Anchor, AnchorKind, AnchorService, AnchorState, CLOCK_SLACK,
    UnknownAnchorName,
};
pub use self::body::{Delivery, EventBody, OtherLog};
pub(crate) use self::canonical::canonical;
pub use self::canonical::{NotCanonical, encode_salt, timestamp};
pub use self::disclosure::{
    AgreementFacts, CommentFacts, ContentFacts, Disclosure, FileFacts, MUTUAL, ONE_WAY,
    OriginFacts, PROVIDER_CONFIRMED, PersonFacts, SIGNATORY, SOURCES, SignatoryFacts, SourcesFacts,
    TermsFacts, names_creator, names_reader,
};
pub use self::fact::Fact;
pub use self::kind::{EventKind, UnknownEventKind};
pub use self::log::{
    ChainedCheckpoint, Log, LogHead, LogId, LogSeed, Node, Place, StoredCheckpoint, StoredEvent,
    StoredLogKey, UnplacedEvent,
};
pub use self::once_keys::{
    DELIVERED_AGREEMENT, DELIVERED_REVISION, delivered_agreement, delivered_file,
    delivered_revision, recorded_revision,
};
use crate::Timestamp;
use crate::digest::Digest;
use crate::ids::{CommentId, FileId, IdeaId, RecipientId, ShareId};

/// First version of the format, the member `v` of events.
pub const FORMAT_VERSION: u64 = 1;

/// Version of events with a kind or a member that [`FORMAT_VERSION`] does not know, or with a
/// disclosure that has one. All others keep the first version.
pub const FORMAT_VERSION_2: u64 = 2;

/// 32 random bytes that hide what a digest is of.
pub type Salt = [u8; 32];

/// The subject of an event, by ids only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventSubject {
    /// The idea; `None` for events of the log itself.
    pub idea: Option<IdeaId>,
    /// The link.
    pub share: Option<ShareId>,
    /// The recipient.
    pub recipient: Option<RecipientId>,
    /// The comment.
    pub comment: Option<CommentId>,
    /// The file.
    pub file: Option<FileId>,
    /// The number of the revision.
    pub revision: Option<i32>,
}

impl EventSubject {
    /// Returns an idea as the subject.
    #[must_use]
    pub fn of_idea(idea: IdeaId) -> Self {
        Self {
            idea: Some(idea),
            ..Self::default()
        }
    }

    fn of_recipient(idea: IdeaId, share: ShareId, recipient: RecipientId) -> Self {
        Self {
            share: Some(share),
            recipient: Some(recipient),
            ..Self::of_idea(idea)
        }
    }

    fn at_revision(self, number: i32) -> Self {
        Self {
            revision: Some(number),
            ..self
        }
    }
}

/// Something that happened and is recorded for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    at: Timestamp,
    subject: EventSubject,
    /// Without what it gets when it is recorded: the log, the salt, and the digests of the
    /// disclosures.
    body: EventBody,
    disclosures: Vec<Disclosure>,
}

impl Event {
    fn new(kind: EventKind, at: Timestamp, subject: EventSubject) -> Self {
        Self {
            at,
            subject,
            body: EventBody::new(kind, at, subject),
            disclosures: Vec::new(),
        }
    }

    fn disclosing(mut self, disclosures: impl IntoIterator<Item = Disclosure>) -> Self {
        self.disclosures.extend(disclosures);
        self
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> EventKind {
        self.body.kind
    }

    /// When it happened.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// Returns the subject.
    #[must_use]
    pub fn subject(&self) -> EventSubject {
        self.subject
    }

    /// The facts that it commits to, without revealing them.
    #[must_use]
    pub fn disclosures(&self) -> &[Disclosure] {
        &self.disclosures
    }

    /// The key that at most one event has.
    #[must_use]
    pub fn once_key(&self) -> Option<String> {
        self.body.once_key()
    }

    /// Returns the event in the form that is recorded. `salt` is called for each salt.
    ///
    /// # Errors
    /// Those of `salt`, or [`NotCanonical`].
    pub fn record<E: From<NotCanonical>>(
        &self,
        origin: &str,
        mut salt: impl FnMut() -> Result<Salt, E>,
    ) -> Result<RecordedEvent, E> {
        let mut discloses = BTreeMap::new();
        let mut disclosures = Vec::new();
        for disclosure in &self.disclosures {
            let body = disclosure.encode(&salt()?)?;
            let digest = Digest::of(body.as_bytes());
            discloses.insert(disclosure.name().to_owned(), digest.to_string());
            disclosures.push((disclosure.name(), body));
        }
        let since = self.disclosures.iter().map(Disclosure::since).max();
        let event = EventBody {
            v: self.body.since().max(since.unwrap_or(FORMAT_VERSION)),
            log: origin.to_owned(),
            salt: encode_salt(&salt()?),
            discloses,
            ..self.body.clone()
        };
        let body = canonical(&event)?;
        Ok(RecordedEvent {
            digest: Digest::of(body.as_bytes()),
            event,
            body,
            disclosures,
        })
    }
}

/// An event and its disclosures as canonical JSON (RFC 8785).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedEvent {
    /// The event.
    pub event: EventBody,
    /// The same as text.
    pub body: String,
    /// SHA-256 of the event, the leaf of the tree.
    pub digest: Digest,
    /// Name and body of each disclosure.
    pub disclosures: Vec<(&'static str, String)>,
}

#[cfg(test)]
mod tests;
