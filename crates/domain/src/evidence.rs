//! Events: what happened to an idea, in the form that a stranger can check
//! (`docs/evidence.md`).
//!
//! An event names ids only. Facts about content and people are in [`Disclosure`]s of
//! their own; the event has their salted digests, so that it says nothing to somebody
//! who lacks them, and each of them can be handed out, or erased, separately.

mod anchor;
mod disclosure;
mod fact;
mod log;

use chrono::SecondsFormat;
use serde::Serialize;
use serde_json::{Map, Value, json};
use thiserror::Error;

pub use self::anchor::{
    ANCHOR_LEASE, ANCHOR_RETRY_MAX, Anchor, AnchorKind, AnchorService, AnchorState, CLOCK_SLACK,
    UnknownAnchorName,
};
pub use self::disclosure::{ContentFacts, Disclosure, FileFacts};
pub use self::fact::{EarlierIdea, Fact};
pub use self::log::{
    Checkpoint, Log, LogHead, LogId, LogKey, LogSeed, Node, Place, StoredEvent, UnplacedEvent,
};
use crate::Timestamp;
use crate::comment::Comment;
use crate::digest::Digest;
use crate::email::Email;
use crate::ids::{CommentId, FileId, IdeaId, RecipientId, ShareId, ViewGrantId};
use crate::recipient::{NdaAcceptance, Origin, Recipient, ViewGrant};
use crate::share::Share;

/// Version of the format, the member `v` of each event.
pub const FORMAT_VERSION: u32 = 1;

/// 32 random bytes that hide what a digest is of.
pub type Salt = [u8; 32];

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)+) => {
        /// The kind of an event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum EventKind {
            $($(#[$doc])* $kind,)+
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

/// What an event is about: ids only.
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

    /// The event with which a log begins. `key` is the first key, as a C2SP `vkey`.
    #[must_use]
    pub fn log_started(key: &str, at: Timestamp) -> Self {
        Self::new(EventKind::LogStarted, at, EventSubject::default()).with("vkey", json!(key))
    }

    /// The log signs with `key` (a C2SP `vkey`) every checkpoint that covers this event.
    #[must_use]
    pub fn key_rotated(key: &str, at: Timestamp) -> Self {
        Self::new(EventKind::KeyRotated, at, EventSubject::default()).with("vkey", json!(key))
    }

    /// The log continues another one, of which `last` is the last known checkpoint.
    #[must_use]
    pub fn log_resumed(key: &str, last: &LogHead, note: &str, at: Timestamp) -> Self {
        let previous = json!({
            "log": last.origin,
            "checkpoint": Digest::of(note.as_bytes()).to_string(),
        });
        Self::new(EventKind::LogResumed, at, EventSubject::default())
            .with("vkey", json!(key))
            .with("previous", previous)
    }

    /// A revision is on record. Recorded once for each revision.
    #[must_use]
    pub fn revision_recorded(
        idea: IdeaId,
        revision: i32,
        content: ContentFacts,
        at: Timestamp,
    ) -> Self {
        Self::of_idea(EventKind::RevisionRecorded, at, idea)
            .of_revision(revision)
            .disclosing([Disclosure::Content(content)])
            .once(recorded_revision(idea, revision))
    }

    /// The idea was published in that revision.
    #[must_use]
    pub fn idea_published(
        idea: IdeaId,
        revision: i32,
        content: ContentFacts,
        at: Timestamp,
    ) -> Self {
        Self::of_idea(EventKind::IdeaPublished, at, idea)
            .of_revision(revision)
            .disclosing([Disclosure::Content(content)])
    }

    /// The draft was deleted.
    #[must_use]
    pub fn idea_deleted(idea: IdeaId, at: Timestamp) -> Self {
        Self::of_idea(EventKind::IdeaDeleted, at, idea)
    }

    /// The link was created.
    #[must_use]
    pub fn share_created(share: &Share) -> Self {
        Self::of_share(
            EventKind::ShareCreated,
            share.idea,
            share.id,
            share.created_at,
        )
    }

    /// The link was revoked.
    #[must_use]
    pub fn share_revoked(idea: IdeaId, share: ShareId, at: Timestamp) -> Self {
        Self::of_share(EventKind::ShareRevoked, idea, share, at)
    }

    fn of_share(kind: EventKind, idea: IdeaId, share: ShareId, at: Timestamp) -> Self {
        let mut event = Self::of_idea(kind, at, idea);
        event.subject.share = Some(share);
        event
    }

    /// The text of the agreement was fixed for the recipient, who registered from
    /// `origin`, if that is known.
    #[must_use]
    pub fn agreement_offered(recipient: &Recipient, origin: Option<&Origin>) -> Self {
        let idea = recipient.agreement.idea;
        let at = recipient.created_at;
        let (share, id) = (recipient.share, recipient.id);
        Self::of_recipient(EventKind::AgreementOffered, at, idea, share, id)
            .disclosing([
                Disclosure::agreement(&recipient.agreement),
                Disclosure::terms(&recipient.agreement),
                Disclosure::person(recipient),
            ])
            .disclosing(origin.cloned().map(Disclosure::Origin))
    }

    /// The text of the agreement was sent to the recipient. Recorded once for each
    /// recipient.
    #[must_use]
    pub fn agreement_delivered(recipient: &Recipient, at: Timestamp) -> Self {
        let idea = recipient.agreement.idea;
        let (share, id) = (recipient.share, recipient.id);
        Self::of_recipient(EventKind::AgreementDelivered, at, idea, share, id)
            .disclosing([Disclosure::terms(&recipient.agreement)])
            .once(delivered_agreement(id))
    }

    /// The recipient confirmed the address, at the time in
    /// [`Recipient::identity`].
    #[must_use]
    pub fn email_confirmed(recipient: &Recipient, at: Timestamp) -> Self {
        let idea = recipient.agreement.idea;
        let (share, id) = (recipient.share, recipient.id);
        Self::of_recipient(EventKind::EmailConfirmed, at, idea, share, id)
            .disclosing([Disclosure::person(recipient)])
    }

    /// The recipient accepted the agreement. `delivery` is the digest of the event that
    /// records its delivery, if there is one.
    #[must_use]
    pub fn agreement_accepted(
        recipient: &Recipient,
        acceptance: &NdaAcceptance,
        delivery: Option<Digest>,
    ) -> Self {
        let idea = recipient.agreement.idea;
        let (share, id, at) = (recipient.share, recipient.id, acceptance.accepted_at);
        let delivered = delivery.map_or(Value::Bool(false), |event| json!(event.to_string()));
        Self::of_recipient(EventKind::AgreementAccepted, at, idea, share, id)
            .of_revision(acceptance.revision)
            .with("delivered", delivered)
            .disclosing([
                Disclosure::agreement(&recipient.agreement),
                Disclosure::terms(&recipient.agreement),
                Disclosure::person(recipient),
                Disclosure::Origin(acceptance.origin.clone()),
            ])
    }

    /// The recipient declined the agreement.
    #[must_use]
    pub fn agreement_declined(
        idea: IdeaId,
        share: ShareId,
        recipient: RecipientId,
        at: Timestamp,
    ) -> Self {
        Self::of_recipient(EventKind::AgreementDeclined, at, idea, share, recipient)
    }

    /// A counted view began.
    #[must_use]
    pub fn view_started(idea: IdeaId, grant: &ViewGrant) -> Self {
        let (share, recipient, at) = (grant.share, grant.recipient, grant.granted_at);
        Self::of_recipient(EventKind::ViewStarted, at, idea, share, recipient)
            .of_revision(grant.revision)
            .with("view", json!(grant.id.to_string()))
    }

    /// The recipient closed the document.
    #[must_use]
    pub fn visit_closed(
        idea: IdeaId,
        share: ShareId,
        recipient: RecipientId,
        at: Timestamp,
    ) -> Self {
        Self::of_recipient(EventKind::VisitClosed, at, idea, share, recipient)
    }

    /// A file was sent within a view. Recorded once for each view and file.
    #[must_use]
    pub fn file_delivered(
        idea: IdeaId,
        grant: &ViewGrant,
        id: FileId,
        file: FileFacts,
        at: Timestamp,
    ) -> Self {
        let (share, recipient) = (grant.share, grant.recipient);
        let kind = EventKind::FileDelivered;
        let mut event = Self::of_recipient(kind, at, idea, share, recipient)
            .with("view", json!(grant.id.to_string()))
            .disclosing([Disclosure::File(file)])
            .once(delivered_file(grant.id, id));
        event.subject.file = Some(id);
        event
    }

    /// A revision that is newer than that of the view's beginning was sent. Recorded once for
    /// each view and revision.
    #[must_use]
    pub fn revision_delivered(
        idea: IdeaId,
        grant: &ViewGrant,
        revision: i32,
        at: Timestamp,
    ) -> Self {
        let (share, recipient) = (grant.share, grant.recipient);
        Self::of_recipient(EventKind::FileDelivered, at, idea, share, recipient)
            .of_revision(revision)
            .with("view", json!(grant.id.to_string()))
            .once(delivered_revision(grant.id, revision))
    }

    /// The document was downloaded: as the imported file with that id, or as a page that was
    /// made for the recipient.
    #[must_use]
    pub fn downloaded(
        idea: IdeaId,
        grant: &ViewGrant,
        id: Option<FileId>,
        file: FileFacts,
        at: Timestamp,
    ) -> Self {
        let (share, recipient) = (grant.share, grant.recipient);
        let mut event = Self::of_recipient(EventKind::FileDelivered, at, idea, share, recipient)
            .with("view", json!(grant.id.to_string()))
            .with("download", json!(true))
            .disclosing([Disclosure::File(file)]);
        event.subject.file = id;
        event
    }

    /// The comment was written.
    #[must_use]
    pub fn comment_added(comment: &Comment) -> Self {
        Self::of_comment(EventKind::CommentAdded, comment, comment.created_at)
            .disclosing([Disclosure::comment(comment)])
    }

    /// The comment was edited.
    #[must_use]
    pub fn comment_changed(comment: &Comment, at: Timestamp) -> Self {
        Self::of_comment(EventKind::CommentChanged, comment, at)
            .disclosing([Disclosure::comment(comment)])
    }

    /// The comment was withdrawn.
    #[must_use]
    pub fn comment_withdrawn(comment: &Comment, at: Timestamp) -> Self {
        Self::of_comment(EventKind::CommentWithdrawn, comment, at)
    }

    fn of_comment(kind: EventKind, comment: &Comment, at: Timestamp) -> Self {
        let mut event = Self::of_idea(kind, at, comment.idea);
        event.subject.share = comment.share;
        event.subject.recipient = comment.recipient;
        event.subject.comment = Some(comment.id);
        event
    }

    /// The recipient's personal data was erased. Recorded once for each recipient.
    #[must_use]
    pub fn person_erased(
        idea: IdeaId,
        share: ShareId,
        recipient: RecipientId,
        at: Timestamp,
    ) -> Self {
        Self::of_recipient(EventKind::PersonErased, at, idea, share, recipient)
            .once(format!("erasure of recipient {recipient}"))
    }

    /// The personal data of the idea's creator was erased. Recorded once for each idea.
    #[must_use]
    pub fn creator_erased(idea: IdeaId, at: Timestamp) -> Self {
        Self::of_idea(EventKind::PersonErased, at, idea)
            .once(format!("erasure of the creator of idea {idea}"))
    }

    /// What `fact` says, for those kinds of events that disclose nothing.
    #[must_use]
    pub fn of_fact(fact: &Fact) -> Self {
        let event = Self::new(fact.kind, fact.at, fact.subject);
        match (fact.view, fact.kind) {
            (None, _) => event,
            (Some(view), EventKind::FileDelivered) => event
                .with("view", json!(view.to_string()))
                .with("download", json!(true)),
            (Some(view), _) => event.with("view", json!(view.to_string())),
        }
    }

    /// Marks an event that is recorded long after it happened, because the log did not
    /// exist then. `once` keeps it from being recorded twice, unless it has such a key.
    #[must_use]
    pub fn recorded_later(mut self, once: String) -> Self {
        self.once.get_or_insert(once);
        self.with("recordedLater", json!(true))
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

    /// What it is about.
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

/// The key of the event that records that revision.
#[must_use]
pub fn recorded_revision(idea: IdeaId, revision: i32) -> String {
    format!("revision {revision} of idea {idea}")
}

/// The key of the event that records the delivery of a recipient's agreement.
#[must_use]
pub fn delivered_agreement(recipient: RecipientId) -> String {
    format!("agreement of recipient {recipient}")
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

/// A value has no canonical form.
#[derive(Debug, Error)]
#[error("an event cannot be written as canonical JSON")]
pub struct NotCanonical(#[source] serde_json::Error);

pub(crate) fn canonical(value: &impl Serialize) -> Result<String, NotCanonical> {
    serde_json_canonicalizer::to_string(value).map_err(NotCanonical)
}

/// Returns a time as events write it: UTC with microseconds.
fn timestamp(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

fn encode_salt(salt: &Salt) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(salt)
}

/// Returns the recipient's address as facts name it.
fn address(email: &Email) -> Value {
    json!(email.to_string())
}

#[cfg(test)]
mod tests;
