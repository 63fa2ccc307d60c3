//! Events that must stand before another, in its log or an earlier one.
//!
//! A bundle shows no event that it does not have, and no number of them: who leaves out all that
//! happened to a reader is not found out. But what an event presupposes must be there.

use std::collections::BTreeSet;

use ideavault_domain::evidence::EventKind::{
    self, AccessApproved, AccessRefused, AccessRequested, AgreementAccepted, AgreementDeclined,
    AgreementDelivered, AgreementOffered, CommentAdded, CommentChanged, CommentWithdrawn,
    EmailConfirmed, FileDelivered, IdeaPublished, PersonErased, RevisionRecorded, ViewStarted,
    VisitClosed,
};
use ideavault_domain::evidence::{Delivery, EventBody};

use super::log::Log;
use super::{ClaimKind, Verifier};

/// The subject that two events have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Recipient,
    View,
    Revision,
    Comment,
    Mark,
}

impl Field {
    const ALL: [Self; 5] = [
        Self::Recipient,
        Self::View,
        Self::Revision,
        Self::Comment,
        Self::Mark,
    ];

    fn of(self, event: &EventBody) -> Option<&str> {
        match self {
            Self::Recipient => event.recipient.as_deref(),
            Self::View => event.view.as_deref(),
            Self::Revision => event.revision.as_deref(),
            Self::Comment => event.comment.as_deref(),
            Self::Mark => event.mark.as_deref(),
        }
    }
}

/// Kinds of events, a field, and the kinds of which one with the same value stands before each
/// of them; and why the bundle is false if there is none.
const BEFORE: [(&[EventKind], Field, &[EventKind], &str); 5] = [
    (
        &[
            AgreementDelivered,
            AgreementAccepted,
            AgreementDeclined,
            EmailConfirmed,
            PersonErased,
        ],
        Field::Recipient,
        &[AgreementOffered],
        "No agreement was offered to this reader before it.",
    ),
    (
        &[
            ViewStarted,
            FileDelivered,
            VisitClosed,
            CommentAdded,
            AccessRequested,
            AccessApproved,
            AccessRefused,
        ],
        Field::Recipient,
        &[AgreementAccepted],
        "This reader accepted no agreement before it.",
    ),
    (
        &[FileDelivered],
        Field::View,
        &[ViewStarted],
        "The view began with no event before it.",
    ),
    (
        &[ViewStarted, FileDelivered],
        Field::Revision,
        &[RevisionRecorded, IdeaPublished],
        "No event before it put this revision on record.",
    ),
    (
        &[CommentChanged, CommentWithdrawn],
        Field::Comment,
        &[CommentAdded],
        "No event before it added this comment.",
    ),
];

/// Kinds of events of a reader that cannot follow an event of another kind of the same reader, unless
/// one of a third kind stands before them as well; and why the bundle is false otherwise.
const NOT_AFTER: [(&[EventKind], EventKind, Option<EventKind>, &str); 4] = [
    (
        &[ViewStarted, FileDelivered, CommentAdded],
        AccessRequested,
        Some(AccessApproved),
        "The owner had not yet approved the request of this reader.",
    ),
    (
        &[AccessRequested],
        ViewStarted,
        None,
        "This reader had opened the idea before it.",
    ),
    (
        &[AccessApproved, ViewStarted, FileDelivered, CommentAdded],
        AccessRefused,
        None,
        "The owner had declined the request of this reader.",
    ),
    (
        &[AccessRefused],
        AccessApproved,
        None,
        "The owner had approved the request of this reader.",
    ),
];

/// Checks all logs, from the oldest one to the newest one.
pub(super) fn verify(verifier: &mut Verifier<'_>, logs: &[Log]) {
    let mut seen = BTreeSet::new();
    // Deliveries of texts, by the digest of the event, and to whom.
    let mut deliveries = BTreeSet::new();
    for recorded in logs.iter().flat_map(|log| log.events.values()) {
        let event = &recorded.event;
        for (kinds, field, before, reason) in BEFORE {
            let Some(value) = field.of(event).filter(|_| kinds.contains(&event.kind)) else {
                continue;
            };
            let mut before = before.iter();
            if !before.any(|kind| seen.contains(&(*kind, field, value))) {
                verifier.fails(ClaimKind::Event, &recorded.path, reason);
            }
        }
        for (kinds, excluded, unless, reason) in NOT_AFTER {
            let Some(reader) = event.recipient.as_deref() else {
                continue;
            };
            let is_before = |kind| seen.contains(&(kind, Field::Recipient, reader));
            if kinds.contains(&event.kind) && is_before(excluded) && !unless.is_some_and(is_before)
            {
                verifier.fails(ClaimKind::Event, &recorded.path, reason);
            }
        }
        if let Some(mark) = event.mark.as_deref()
            && seen.contains(&(ViewStarted, Field::Mark, mark))
        {
            let reason = "Another view has the same copy number.";
            verifier.fails(ClaimKind::Event, &recorded.path, reason);
        }
        for field in Field::ALL {
            seen.extend(field.of(event).map(|value| (event.kind, field, value)));
        }
        let recipient = event.recipient.as_deref();
        if let Some(Delivery::Event(delivered)) = &event.delivered
            && !deliveries.contains(&(delivered.clone(), recipient))
        {
            let reason = "It names a delivery of the text that is not there.";
            verifier.fails(ClaimKind::Event, &recorded.path, reason);
        }
        if event.kind == AgreementDelivered {
            deliveries.insert((ideavault_domain::hex::encode(&recorded.digest), recipient));
        }
    }
}
