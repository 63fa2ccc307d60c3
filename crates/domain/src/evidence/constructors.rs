//! Constructors of events, one for each kind of occurrence.

use super::{
    ContentFacts, Delivery, Disclosure, Event, EventKind, EventSubject, FileFacts, LogHead,
    OtherLog, PersonFacts,
};
use crate::Timestamp;
use crate::comment::Comment;
use crate::digest::Digest;
use crate::ids::{FileId, IdeaId, RecipientId, ShareId};
use crate::recipient::{NdaAcceptance, Origin, Recipient, ViewGrant};
use crate::share::Share;

impl Event {
    fn of_idea(kind: EventKind, at: Timestamp, idea: IdeaId) -> Self {
        Self::new(kind, at, EventSubject::of_idea(idea))
    }

    /// An event about the log. `key` is the one that signs from here on.
    fn about_log(kind: EventKind, at: Timestamp, key: &str) -> Self {
        let mut event = Self::new(kind, at, EventSubject::default());
        event.body.vkey = Some(key.to_owned());
        event
    }

    /// The event with which a log begins. `key` is the first key, as a C2SP `vkey`.
    #[must_use]
    pub fn log_started(key: &str, at: Timestamp) -> Self {
        Self::about_log(EventKind::LogStarted, at, key)
    }

    /// The log signs with `key` (a C2SP `vkey`) every checkpoint that covers this event.
    #[must_use]
    pub fn key_rotated(key: &str, at: Timestamp) -> Self {
        Self::about_log(EventKind::KeyRotated, at, key)
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
        let mut resumed = Self::about_log(EventKind::LogResumed, at, key);
        resumed.body.previous = Some(other_log(last));
        resumed.body.abandoned = abandoned.map(other_log);
        resumed
    }

    /// A revision is on record. Recorded once for each revision.
    #[must_use]
    pub fn revision_recorded(
        idea: IdeaId,
        revision: i32,
        content: ContentFacts,
        at: Timestamp,
    ) -> Self {
        let subject = EventSubject::of_idea(idea).at_revision(revision);
        Self::new(EventKind::RevisionRecorded, at, subject)
            .disclosing([Disclosure::Content(content)])
    }

    /// The idea was published in that revision.
    #[must_use]
    pub fn idea_published(
        idea: IdeaId,
        revision: i32,
        content: ContentFacts,
        at: Timestamp,
    ) -> Self {
        let subject = EventSubject::of_idea(idea).at_revision(revision);
        Self::new(EventKind::IdeaPublished, at, subject).disclosing([Disclosure::Content(content)])
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
        let subject = EventSubject {
            share: Some(share),
            ..EventSubject::of_idea(idea)
        };
        Self::new(kind, at, subject)
    }

    /// An event of a registration.
    fn of_registration(kind: EventKind, at: Timestamp, recipient: &Recipient) -> Self {
        let idea = recipient.agreement.idea;
        let subject = EventSubject::of_recipient(idea, recipient.share, recipient.id);
        Self::new(kind, at, subject)
    }

    /// An event in a view.
    fn in_view(kind: EventKind, at: Timestamp, subject: EventSubject, grant: &ViewGrant) -> Self {
        let mut event = Self::new(kind, at, subject);
        event.body.view = Some(grant.id.to_string());
        event
    }

    /// The text of the agreement was fixed for the recipient, who registered from
    /// `origin`, if that is known.
    #[must_use]
    pub fn agreement_offered(recipient: &Recipient, origin: Option<&Origin>) -> Self {
        Self::of_registration(EventKind::AgreementOffered, recipient.created_at, recipient)
            .disclosing([
                Disclosure::agreement(recipient.agreement.version),
                Disclosure::terms(recipient.agreement.digest()),
                Disclosure::Person(PersonFacts::of(recipient)),
            ])
            .disclosing(origin.map(Disclosure::origin))
    }

    /// The text of the agreement was sent to the recipient. Recorded once for each
    /// recipient.
    #[must_use]
    pub fn agreement_delivered(recipient: &Recipient, at: Timestamp) -> Self {
        Self::of_registration(EventKind::AgreementDelivered, at, recipient)
            .disclosing([Disclosure::terms(recipient.agreement.digest())])
    }

    /// The recipient confirmed the address, at the time in
    /// [`Recipient::identity`].
    #[must_use]
    pub fn email_confirmed(recipient: &Recipient, at: Timestamp) -> Self {
        Self::of_registration(EventKind::EmailConfirmed, at, recipient)
            .disclosing([Disclosure::Person(PersonFacts::of(recipient))])
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
        let subject = EventSubject::of_recipient(idea, recipient.share, recipient.id)
            .at_revision(acceptance.revision);
        let mut accepted = Self::new(
            EventKind::AgreementAccepted,
            acceptance.accepted_at,
            subject,
        );
        accepted.body.delivered = Some(match delivery {
            Some(event) => Delivery::Event(event.to_string()),
            None => Delivery::None(false),
        });
        accepted
            .disclosing([
                Disclosure::agreement(recipient.agreement.version),
                Disclosure::terms(recipient.agreement.digest()),
                Disclosure::Person(PersonFacts::of(recipient)),
            ])
            .disclosing(acceptance.origin.as_ref().map(Disclosure::origin))
    }

    /// The recipient declined the agreement.
    #[must_use]
    pub fn agreement_declined(
        idea: IdeaId,
        share: ShareId,
        recipient: RecipientId,
        at: Timestamp,
    ) -> Self {
        let subject = EventSubject::of_recipient(idea, share, recipient);
        Self::new(EventKind::AgreementDeclined, at, subject)
    }

    /// A counted view began.
    #[must_use]
    pub fn view_started(idea: IdeaId, grant: &ViewGrant) -> Self {
        let subject = EventSubject::of_recipient(idea, grant.share, grant.recipient)
            .at_revision(grant.revision);
        Self::in_view(EventKind::ViewStarted, grant.granted_at, subject, grant)
    }

    /// The recipient closed the document.
    #[must_use]
    pub fn visit_closed(
        idea: IdeaId,
        share: ShareId,
        recipient: RecipientId,
        at: Timestamp,
    ) -> Self {
        let subject = EventSubject::of_recipient(idea, share, recipient);
        Self::new(EventKind::VisitClosed, at, subject)
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
        Self::sent(idea, grant, Some(id), at).disclosing([Disclosure::File(file)])
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
        let subject =
            EventSubject::of_recipient(idea, grant.share, grant.recipient).at_revision(revision);
        Self::in_view(EventKind::FileDelivered, at, subject, grant)
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
        let mut event = Self::sent(idea, grant, id, at).disclosing([Disclosure::File(file)]);
        event.body.download = Some(true);
        event
    }

    fn sent(idea: IdeaId, grant: &ViewGrant, file: Option<FileId>, at: Timestamp) -> Self {
        let subject = EventSubject {
            file,
            ..EventSubject::of_recipient(idea, grant.share, grant.recipient)
        };
        Self::in_view(EventKind::FileDelivered, at, subject, grant)
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
        let subject = EventSubject {
            share: comment.share,
            recipient: comment.recipient,
            comment: Some(comment.id),
            ..EventSubject::of_idea(comment.idea)
        };
        Self::new(kind, at, subject)
    }

    /// The recipient's personal data was erased. Recorded once for each recipient.
    #[must_use]
    pub fn person_erased(
        idea: IdeaId,
        share: ShareId,
        recipient: RecipientId,
        at: Timestamp,
    ) -> Self {
        let subject = EventSubject::of_recipient(idea, share, recipient);
        Self::new(EventKind::PersonErased, at, subject)
    }

    /// The personal data of the idea's creator was erased. Recorded once for each idea.
    #[must_use]
    pub fn creator_erased(idea: IdeaId, at: Timestamp) -> Self {
        Self::of_idea(EventKind::PersonErased, at, idea)
    }
}

fn other_log((head, note): (&LogHead, &str)) -> OtherLog {
    OtherLog {
        log: head.origin.clone(),
        checkpoint: Digest::of(note.as_bytes()).to_string(),
    }
}
