//! Compares rows of tables with the events that record them.

use std::collections::BTreeMap;

use ideavault_domain::evidence::{EventKind, Fact, StoredEvent};
use ideavault_domain::ids::RecipientId;
use ideavault_domain::ports::RecipientWithShare;

use super::super::matching::{Unmatched, unmatched};
use super::super::recorded::revision_of;
use super::{Compared, OnDifference, Recorded};
use crate::event_log::Difference;

fn of_event(event: &StoredEvent, problem: String) -> Difference {
    Difference {
        table: "evidence_events",
        id: event.row.to_string(),
        place: event.place.map(|place| place.index),
        problem,
    }
}

pub(super) fn of_row(table: &'static str, id: impl ToString, problem: &str) -> Difference {
    Difference {
        table,
        id: id.to_string(),
        place: None,
        problem: problem.to_owned(),
    }
}

/// The table that has a row for each event of a kind; `None` where later ones overwrite it,
/// or there is no such table.
fn table_of(kind: EventKind) -> Option<&'static str> {
    match kind {
        EventKind::IdeaPublished | EventKind::IdeaDeleted => Some("ideas"),
        EventKind::ShareCreated | EventKind::ShareRevoked => Some("shares"),
        EventKind::AgreementOffered
        | EventKind::EmailConfirmed
        | EventKind::AgreementDeclined => Some("recipients"),
        EventKind::AgreementAccepted => Some("nda_acceptances"),
        EventKind::ViewStarted => Some("view_grants"),
        EventKind::CommentAdded | EventKind::CommentChanged | EventKind::CommentWithdrawn => {
            Some("comments")
        }
        EventKind::LogStarted
        | EventKind::AgreementIssued
        | EventKind::AccessRequested
        | EventKind::AccessApproved
        | EventKind::AccessRefused
        | EventKind::RevisionRecorded
        | EventKind::AgreementDelivered
        | EventKind::FileDelivered
        // A reader who closed the document may have opened it again.
        | EventKind::VisitClosed
        | EventKind::PersonErased
        | EventKind::KeyRotated
        | EventKind::LogResumed => None,
    }
}

/// Reports rows without an event, and events without a row.
pub(super) fn compare_facts(
    facts: &[Fact],
    events: &[StoredEvent],
    compared: &mut Compared,
    on_difference: OnDifference<'_>,
) {
    compared.rows += u64::try_from(facts.len()).unwrap_or(u64::MAX);
    let Unmatched { facts, surplus } = unmatched(facts, events);
    for fact in facts {
        let problem = format!("no event records it as {}", fact.kind.as_str());
        on_difference(of_row(fact.table, &fact.id, &problem));
    }
    // Comments go with a deleted draft, and with their idea when its creator leaves.
    let comments_are_gone = events
        .iter()
        .any(|event| event.kind == EventKind::IdeaDeleted || is_erasure_of_creator(event));
    for event in surplus {
        if is_overwritten(event, events) {
            continue;
        }
        let table = table_of(event.kind);
        if let Some(table) = table.filter(|table| !(comments_are_gone && *table == "comments")) {
            let kind = event.kind.as_str();
            let problem = format!("{table} has no row for this {kind}, or another one");
            on_difference(of_event(event, problem));
        }
    }
}

/// Returns whether the row of an event tells of a later one: the last change of a comment.
fn is_overwritten(event: &StoredEvent, events: &[StoredEvent]) -> bool {
    event.kind == EventKind::CommentChanged
        && events.iter().any(|other| {
            other.kind == event.kind
                && other.subject.comment == event.subject.comment
                && other.row > event.row
        })
}

/// Reports registrations that say of an erasure what no event says, or the other way round.
pub(super) fn compare_erasures(
    registrations: &BTreeMap<RecipientId, RecipientWithShare>,
    events: &[Recorded],
    on_difference: OnDifference<'_>,
) {
    let erasures = || {
        let events = events.iter().map(|recorded| &recorded.event);
        events.filter(|event| event.kind == EventKind::PersonErased)
    };
    let is_creator_erased = erasures().any(is_erasure_of_creator);
    for (id, registration) in registrations {
        let erasure = registration.progress.recipient.erasure;
        let recorded = erasures().find(|event| event.subject.recipient == Some(*id));
        let same = erasure.person_at == recorded.map(|event| event.at)
            && (!erasure.agreement || recorded.is_some() || is_creator_erased);
        if !same {
            let problem = "its erasure is not the one on record";
            on_difference(of_row("recipients", id, problem));
        }
    }
}

/// Returns the digest of the content of each revision on record.
pub(super) fn digests_of_contents(events: &[Recorded]) -> BTreeMap<i32, String> {
    let contents = events.iter().filter_map(|Recorded { event, disclosed }| {
        Some((revision_of(event)?, disclosed.content()?.sha256.clone()))
    });
    contents.collect()
}

pub(super) fn is_erasure_of_creator(event: &StoredEvent) -> bool {
    event.kind == EventKind::PersonErased && event.subject.recipient.is_none()
}
