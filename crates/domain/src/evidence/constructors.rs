//! Constructors of events, one for each kind of occurrence.

use serde_json::{Value, json};

use super::once_keys::{
    delivered_agreement, delivered_file, delivered_revision, erased_creator, erased_recipient,
    recorded_revision,
};
use super::{ContentFacts, Disclosure, Event, EventKind, EventSubject, FileFacts, LogHead};
use crate::Timestamp;
use crate::comment::Comment;
use crate::digest::Digest;
use crate::ids::{FileId, IdeaId, RecipientId, ShareId};
use crate::recipient::{NdaAcceptance, Origin, Recipient, ViewGrant};
use crate::share::Share;

impl Event {
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

    /// The log continues another one, of which `last` is the last known checkpoint with its
    /// signed note. `abandoned` is that of a log which the database has lost as a whole.
    #[must_use]
    pub fn log_resumed(
        key: &str,
        last: (&LogHead, &str),
        abandoned: Option<(&LogHead, &str)>,
        at: Timestamp,
    ) -> Self {
        let resumed = Self::new(EventKind::LogResumed, at, EventSubject::default())
            .with("vkey", json!(key))
            .with("previous", checkpoint_facts(last));
        match abandoned {
            Some(abandoned) => resumed.with("abandoned", checkpoint_facts(abandoned)),
            None => resumed,
        }
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
            ])
            .disclosing(acceptance.origin.clone().map(Disclosure::Origin))
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
            .once(erased_recipient(recipient))
    }

    /// The personal data of the idea's creator was erased. Recorded once for each idea.
    #[must_use]
    pub fn creator_erased(idea: IdeaId, at: Timestamp) -> Self {
        Self::of_idea(EventKind::PersonErased, at, idea).once(erased_creator(idea))
    }
}

fn checkpoint_facts((head, note): (&LogHead, &str)) -> Value {
    json!({
        "log": head.origin,
        "checkpoint": Digest::of(note.as_bytes()).to_string(),
    })
}
