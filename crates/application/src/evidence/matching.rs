//! Which row of the other tables belongs to which event.

use std::collections::BTreeMap;

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::{EventKind, Fact, StoredEvent};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::page::Paging;
use ideavault_domain::ports::{DatabaseError, Transaction};

use super::recorded::revision_of;

/// Returns the events of an idea, oldest first.
pub(super) fn events_of(
    tx: &mut dyn Transaction,
    idea: IdeaId,
) -> Result<Vec<StoredEvent>, DatabaseError> {
    let mut events = Vec::new();
    let mut paging = Paging::default();
    loop {
        let page = tx.evidence_log().events_of(idea, paging)?;
        paging.after = page.next();
        events.extend(page.into_items());
        if paging.after.is_none() {
            events.reverse();
            return Ok(events);
        }
    }
}

/// Rows and events without a counterpart.
pub(super) struct Unmatched<'a> {
    /// Rows without an event.
    pub(super) facts: Vec<&'a Fact>,
    /// Events without a row.
    pub(super) surplus: Vec<&'a StoredEvent>,
}

/// Finds an event for each row, and returns what is left.
pub(super) fn unmatched<'a>(facts: &'a [Fact], events: &'a [StoredEvent]) -> Unmatched<'a> {
    let mut recorded: BTreeMap<Identity, Vec<&StoredEvent>> = BTreeMap::new();
    for event in events {
        let same = recorded.entry(Identity::of_event(event)).or_default();
        same.push(event);
    }
    let has_event = |fact: &&Fact| {
        let event = recorded.get_mut(&Identity::of_fact(fact));
        event.and_then(Vec::pop).is_some()
    };
    let (_, facts): (Vec<_>, Vec<_>) = facts.iter().partition(has_event);
    Unmatched {
        facts,
        surplus: recorded.into_values().flatten().collect(),
    }
}

/// The key by which events and rows of the same occurrence are matched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    kind: EventKind,
    /// `None` where the row has the time of something else.
    at: Option<Timestamp>,
    share: Option<String>,
    recipient: Option<String>,
    comment: Option<String>,
    view: Option<String>,
    revision: Option<i32>,
}

impl Identity {
    fn of_fact(fact: &Fact) -> Self {
        let subject = &fact.subject;
        Self {
            kind: fact.kind,
            // Who closed the document and declined later has the time of the closing.
            at: (fact.kind != EventKind::AgreementDeclined).then_some(fact.at),
            share: subject.share.map(|id| id.to_string()),
            recipient: subject.recipient.map(|id| id.to_string()),
            comment: subject.comment.map(|id| id.to_string()),
            view: fact.view.map(|id| id.to_string()),
            revision: subject.revision,
        }
    }

    fn of_event(event: &StoredEvent) -> Self {
        let revision = match event.kind {
            EventKind::IdeaPublished | EventKind::AgreementAccepted | EventKind::ViewStarted => {
                revision_of(event)
            }
            _ => None,
        };
        let fact = Fact {
            table: "",
            id: String::new(),
            kind: event.kind,
            at: event.at,
            subject: event.subject,
            view: None,
        };
        let view = match event.kind {
            EventKind::ViewStarted => event.parsed().and_then(|event| event.view),
            _ => None,
        };
        Self {
            revision,
            view,
            ..Self::of_fact(&fact)
        }
    }
}
