//! Events: what happened to an idea, in the form that a stranger can check
//! (`docs/evidence.md`).
//!
//! An event names ids only. Facts about content and people are in [`Disclosure`]s of
//! their own; the event has their salted digests, so that it says nothing to somebody
//! who lacks them, and each of them can be handed out, or erased, separately.

mod anchor;
mod canonical;
mod constructors;
mod disclosure;
mod fact;
mod kind;
mod log;
mod once_keys;

use serde_json::{Map, Value, json};

pub use self::anchor::{
    ANCHOR_LEASE, ANCHOR_RETRY_MAX, Anchor, AnchorKind, AnchorService, AnchorState, CLOCK_SLACK,
    UnknownAnchorName,
};
pub use self::canonical::NotCanonical;
pub(crate) use self::canonical::canonical;
use self::canonical::encode_salt;
pub use self::canonical::timestamp;
pub use self::disclosure::{ContentFacts, Disclosure, FileFacts, names_creator, names_reader};
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

/// Version of the format, the member `v` of each event.
pub const FORMAT_VERSION: u32 = 1;

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

/// Something that happened and is recorded for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    kind: EventKind,
    at: Timestamp,
    subject: EventSubject,
    /// Further members of the event, which disclose nothing.
    details: Map<String, Value>,
    disclosures: Vec<Disclosure>,
    once: Option<String>,
}

impl Event {
    fn new(kind: EventKind, at: Timestamp, subject: EventSubject) -> Self {
        Self {
            kind,
            at,
            subject,
            details: Map::new(),
            disclosures: Vec::new(),
            once: None,
        }
    }

    fn of_idea(kind: EventKind, at: Timestamp, idea: IdeaId) -> Self {
        let subject = EventSubject {
            idea: Some(idea),
            ..EventSubject::default()
        };
        Self::new(kind, at, subject)
    }

    fn of_recipient(
        kind: EventKind,
        at: Timestamp,
        idea: IdeaId,
        share: ShareId,
        recipient: RecipientId,
    ) -> Self {
        let subject = EventSubject {
            idea: Some(idea),
            share: Some(share),
            recipient: Some(recipient),
            ..EventSubject::default()
        };
        Self::new(kind, at, subject)
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.details.insert(name.to_owned(), value);
        self
    }

    fn disclosing(mut self, disclosures: impl IntoIterator<Item = Disclosure>) -> Self {
        self.disclosures.extend(disclosures);
        self
    }

    fn of_revision(mut self, number: i32) -> Self {
        self.subject.revision = Some(number);
        self
    }

    /// Recorded only if no event has the same key.
    fn once(mut self, key: String) -> Self {
        self.once = Some(key);
        self
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> EventKind {
        self.kind
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
    pub fn once_key(&self) -> Option<&str> {
        self.once.as_deref()
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
        let mut digests = Map::new();
        let mut disclosures = Vec::new();
        for disclosure in &self.disclosures {
            let body = disclosure.encode(&salt()?)?;
            let digest = Digest::of(body.as_bytes());
            digests.insert(disclosure.name().to_owned(), json!(digest.to_string()));
            disclosures.push((disclosure.name(), body));
        }
        let mut event = self.details.clone();
        let EventSubject {
            idea,
            share,
            recipient,
            comment,
            file,
            revision,
        } = self.subject;
        let ids = [
            ("idea", idea.map(|id| id.to_string())),
            ("share", share.map(|id| id.to_string())),
            ("recipient", recipient.map(|id| id.to_string())),
            ("comment", comment.map(|id| id.to_string())),
            ("file", file.map(|id| id.to_string())),
            ("revision", revision.map(|number| number.to_string())),
        ];
        for (name, id) in ids {
            if let Some(id) = id {
                event.insert(name.into(), Value::String(id));
            }
        }
        event.insert("v".into(), json!(FORMAT_VERSION));
        event.insert("log".into(), json!(origin));
        event.insert("type".into(), json!(self.kind.as_str()));
        event.insert("at".into(), json!(timestamp(self.at)));
        event.insert("salt".into(), json!(encode_salt(&salt()?)));
        event.insert("discloses".into(), Value::Object(digests));
        let body = canonical(&event)?;
        Ok(RecordedEvent {
            digest: Digest::of(body.as_bytes()),
            body,
            disclosures,
        })
    }
}

/// An event and its disclosures as canonical JSON (RFC 8785).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedEvent {
    /// The event.
    pub body: String,
    /// SHA-256 of the event, the leaf of the tree.
    pub digest: Digest,
    /// Name and body of each disclosure.
    pub disclosures: Vec<(&'static str, String)>,
}

#[cfg(test)]
mod tests;
