//! Records what happened before the log began, when a vault is upgraded.

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::{EarlierIdea, Event, EventKind, Fact};
use ideavault_domain::idea::DisclosedIdea;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{Database, DatabaseError, Transaction};

use super::matching::{events_of, unmatched};
use crate::deps::Deps;
use crate::recording::{earlier_content, is_on_record};

/// Records events from before the start of the log.
pub struct EarlierEvents<D> {
    deps: Deps<D>,
}

impl<D: Database> EarlierEvents<D> {
    /// Creates the service from its dependencies.
    pub fn new(deps: Deps<D>) -> Self {
        Self { deps }
    }

    /// Records all of it, each with its time and marked as recorded later; an idea is one
    /// transaction. Call it after the log began, and before anything else happens. Does
    /// nothing the second time. Returns the number of events.
    ///
    /// # Errors
    /// [`DatabaseError`].
    pub fn record_all(&self) -> Result<u64, DatabaseError> {
        let database = &self.deps.database;
        let began = database.read(|tx| tx.evidence_log().events_after(0, 1))?;
        let began = began.first().map_or(Timestamp::MIN_UTC, |first| first.at);
        let mut recorded = 0;
        while let Some(events) = database.write(|tx| record_next(tx, began))? {
            recorded += events;
        }
        Ok(recorded)
    }
}

/// Records what happened to one idea before `began`. Returns `None` when no idea is left.
fn record_next(tx: &mut dyn Transaction, began: Timestamp) -> Result<Option<u64>, DatabaseError> {
    let Some(EarlierIdea { idea, downloads }) = tx.evidence_log().take_idea_before_log()? else {
        return Ok(None);
    };
    let events = events_of(tx, idea)?;
    let mut facts = tx.inspection().facts_of(idea)?;
    facts.retain(|fact| fact.at < began);
    let mut missing = unmatched(&facts, &events).facts;
    missing.extend(&downloads);
    missing.sort_by_key(|fact| (fact.at, fact.kind));
    let disclosed = tx.ideas().disclosed_idea(idea)?;
    let mut recorded = 0;
    for fact in missing {
        for event in events_for(tx, idea, disclosed.as_ref(), fact)? {
            let key = format!(
                "{} of {} {} at {}",
                event.kind().as_str(),
                fact.table,
                fact.id,
                fact.at
            );
            recorded += u64::from(tx.evidence_log().append_event(&event.recorded_later(key))?);
        }
    }
    Ok(Some(recorded))
}

/// Returns the event that records a fact, after that of the revision that was first shown
/// then. It discloses what is still known.
fn events_for(
    tx: &mut dyn Transaction,
    idea: IdeaId,
    disclosed: Option<&DisclosedIdea>,
    fact: &Fact,
) -> Result<Vec<Event>, DatabaseError> {
    let mut events = Vec::new();
    let (disclosed, revision) = match (disclosed, fact.subject.revision) {
        (Some(disclosed), Some(number)) => (Some(disclosed), tx.ideas().revision(idea, number)?),
        _ => (None, None),
    };
    if let (Some(disclosed), Some(revision)) = (disclosed, revision) {
        let content = earlier_content(tx, disclosed, &revision)?;
        let number = revision.number;
        if fact.kind == EventKind::IdeaPublished {
            return Ok(vec![Event::idea_published(idea, number, content, fact.at)]);
        }
        if !is_on_record(tx, idea, number)? {
            events.push(Event::revision_recorded(idea, number, content, fact.at));
        }
    }
    events.push(event_for(tx, fact)?);
    Ok(events)
}

fn event_for(tx: &mut dyn Transaction, fact: &Fact) -> Result<Event, DatabaseError> {
    let registration = match fact.subject.recipient {
        Some(recipient) => tx.recipients().registration(recipient)?,
        None => None,
    };
    let progress = registration.map(|registration| registration.progress);
    let comment = match fact.subject.comment {
        Some(comment) => tx.comments().comment(comment)?,
        None => None,
    };
    Ok(match (fact.kind, progress, comment) {
        (EventKind::AgreementOffered, Some(progress), _) => {
            Event::agreement_offered(&progress.recipient, None)
        }
        (EventKind::EmailConfirmed, Some(progress), _) => {
            Event::email_confirmed(&progress.recipient, fact.at)
        }
        (EventKind::AgreementAccepted, Some(progress), _) => match &progress.acceptance {
            Some(acceptance) => Event::agreement_accepted(&progress.recipient, acceptance, None),
            None => Event::of_fact(fact),
        },
        // What the comment said before it was changed or withdrawn is gone.
        (EventKind::CommentAdded, _, Some(comment))
            if comment.edited_at.is_none() && comment.withdrawn_at.is_none() =>
        {
            Event::comment_added(&comment)
        }
        (EventKind::CommentChanged, _, Some(comment)) if comment.withdrawn_at.is_none() => {
            Event::comment_changed(&comment, fact.at)
        }
        _ => Event::of_fact(fact),
    })
}
