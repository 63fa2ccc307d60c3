//! The evidence of an idea: what is on record, and every event with what it commits to.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ideavault_domain::evidence::{
    Anchor, AnchorState, EventKind, EventSubject, LogHead, LogId, StoredEvent, StoredLogKey,
};
use ideavault_domain::idea::{DisclosedIdea, Idea};
use ideavault_domain::ids::{IdeaId, RecipientId, ShareId, UserId};
use ideavault_domain::page::{Page, PageSize, Paging};
use ideavault_domain::ports::{Database, DatabaseError, Disclosures, Transaction, unless_damaged};
use ideavault_domain::share::Share;

use super::{Evidence, EvidenceError, ever_own_idea, require_ever_own};
use crate::anchoring::FAILURES_REPORTED;
use crate::recording::{is_on_record, put_on_record};

/// How far the newest recorded version of an idea is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceState {
    /// Recorded by this server, and confirmed by nobody else.
    Recorded,
    /// An outsider has promised to confirm it.
    Submitted,
    /// An outsider has confirmed it.
    Confirmed,
    /// This server has stopped signing the log.
    Stopped,
}

/// The log that the events of an idea are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedLog {
    /// The state that its newest checkpoint signs.
    pub head: LogHead,
    /// The key that signs it, as a C2SP `vkey`.
    pub vkey: String,
}

/// The evidence of an idea.
#[derive(Clone, Debug)]
pub struct IdeaEvidence {
    /// How far it is confirmed.
    pub state: EvidenceState,
    /// The current log; `None` before the first began.
    pub log: Option<SignedLog>,
    /// The idea, even a deleted one.
    pub idea: Idea,
    /// Whether its current revision is on record.
    pub on_record: bool,
    /// Whether its public record is on.
    pub public_record: bool,
    /// The event that put the newest recorded revision on record.
    pub recorded: Option<StoredEvent>,
    /// The anchors of checkpoints that cover that event, best first.
    pub anchors: Vec<Anchor>,
    /// Whether this vault asks outsiders to confirm the log.
    pub has_witnesses: bool,
    /// Its events, newest first.
    pub events: Page<EventDetails>,
}

/// An event for the owner of the idea.
#[derive(Clone, Debug)]
pub struct EventDetails {
    /// The event.
    pub event: StoredEvent,
    /// Origin of the log that it has a place in.
    pub origin: Option<String>,
    /// The link concerned.
    pub share: Option<Share>,
    /// Name and address of the recipient concerned; `None` also once they were erased.
    pub person: Option<(String, String)>,
    /// Name and body of each disclosure that was not erased.
    pub disclosures: Vec<(String, String)>,
    /// Whether the person, the link or a disclosure is damaged, and therefore left out.
    pub is_damaged: bool,
}

impl<S: Database> Evidence<S> {
    /// Returns the evidence of an own idea, even of a deleted one.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`] when the idea is not the user's.
    pub fn of_idea(
        &self,
        user: UserId,
        id: IdeaId,
        paging: Paging,
    ) -> Result<IdeaEvidence, EvidenceError> {
        let since = self.deps.clock.now() - FAILURES_REPORTED;
        let has_stopped = self.event_log.stopped().is_some();
        self.deps.database.read(|tx| {
            let idea = ever_own_idea(tx, user, id)?;
            let recorded = recorded(tx, id)?;
            let place = recorded.as_ref().and_then(|event| event.place);
            let anchors = match place {
                Some(place) => tx.anchors().anchors_covering(place, since)?,
                None => Vec::new(),
            };
            let revision = idea.revision;
            let on_record = idea.is_published() || is_on_record(tx, id, revision)?;
            let events = tx.evidence_log().events_of(id, paging)?;
            let disclosures = tx.evidence_log().disclosures_of(&events.items())?;
            let mut disclosures = disclosures.into_iter();
            let mut reader = Reader::default();
            Ok(IdeaEvidence {
                state: state_of(has_stopped, &anchors),
                log: signed_log(tx)?,
                on_record,
                public_record: tx.public_records().has_public_record(id)?,
                recorded,
                anchors,
                has_witnesses: self.has_witnesses,
                events: events.try_map(|event| {
                    let disclosures = disclosures.next().unwrap_or_default();
                    reader.read(tx, event, disclosures)
                })?,
                idea,
            })
        })
    }

    /// Puts the current revision of an own idea on record, unless it is.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`] when the idea is not the user's, or deleted.
    pub fn record(&self, user: UserId, id: IdeaId) -> Result<(), EvidenceError> {
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let disclosed = own_idea(tx, user, id)?;
            if !disclosed.idea.is_published() {
                put_on_record(tx, &disclosed, now)?;
            }
            Ok(())
        })
    }
}

/// Returns all events of an idea that are wanted, newest first; `None` if there are more than `most`.
pub(crate) fn all_events(
    tx: &mut dyn Transaction,
    id: IdeaId,
    is_wanted: impl Fn(&EventSubject) -> bool,
    most: usize,
) -> Result<Option<Vec<EventDetails>>, DatabaseError> {
    let mut reader = Reader::default();
    let mut all = Vec::new();
    let mut paging = Paging {
        size: PageSize::LARGEST,
        after: None,
    };
    loop {
        let page = tx.evidence_log().events_of(id, paging)?;
        paging.after = page.next();
        let mut events = page.into_items();
        events.retain(|event| is_wanted(&event.subject));
        if all.len() + events.len() > most {
            return Ok(None);
        }
        let read = tx
            .evidence_log()
            .disclosures_of(&events.iter().collect::<Vec<_>>())?;
        for (event, disclosures) in events.into_iter().zip(read) {
            all.push(reader.read(tx, event, disclosures)?);
        }
        if paging.after.is_none() {
            return Ok(Some(all));
        }
    }
}

/// Returns the event that put the newest version of an idea on record: its publication, after which
/// nothing changes, also if readers are shown it later.
fn recorded(tx: &mut dyn Transaction, id: IdeaId) -> Result<Option<StoredEvent>, DatabaseError> {
    let published = tx
        .evidence_log()
        .newest_event(EventKind::IdeaPublished, id, None)?;
    match published {
        Some(published) => Ok(Some(published)),
        None => tx
            .evidence_log()
            .newest_event(EventKind::RevisionRecorded, id, None),
    }
}

/// Returns the state that the best anchor has reached.
pub(crate) fn state_of(has_stopped: bool, anchors: &[Anchor]) -> EvidenceState {
    if has_stopped {
        return EvidenceState::Stopped;
    }
    match anchors.first().map(|best| best.state) {
        Some(AnchorState::Confirmed) => EvidenceState::Confirmed,
        Some(AnchorState::Pending) => EvidenceState::Submitted,
        Some(AnchorState::Submitted | AnchorState::Queued | AnchorState::Refused) | None => {
            EvidenceState::Recorded
        }
    }
}

fn own_idea(
    tx: &mut dyn Transaction,
    user: UserId,
    id: IdeaId,
) -> Result<DisclosedIdea, EvidenceError> {
    require_ever_own(tx, user, id)?;
    tx.ideas()
        .disclosed_idea(id)?
        .filter(|found| found.idea.belongs_to(user))
        .ok_or(EvidenceError::NotFound)
}

fn signed_log(tx: &mut dyn Transaction) -> Result<Option<SignedLog>, DatabaseError> {
    let Some(log) = tx.evidence_log().current_log()? else {
        return Ok(None);
    };
    let Some(signed) = tx.evidence_log().newest_checkpoint(log.id)? else {
        return Ok(None);
    };
    let keys = tx.evidence_log().log_keys(log.id)?;
    let key = StoredLogKey::newest_for(signed.head.size, keys);
    Ok(key.map(|key| SignedLog {
        head: signed.head,
        vkey: key.vkey,
    }))
}

/// Name and address of a recipient.
type Person = (String, String);

/// The state of a stored value.
#[derive(Clone)]
enum Found<T> {
    Absent,
    Damaged,
    Intact(T),
}

impl<T> Found<T> {
    fn of(read: Option<Option<T>>) -> Self {
        match read {
            Some(Some(found)) => Self::Intact(found),
            Some(None) => Self::Absent,
            None => Self::Damaged,
        }
    }

    /// Returns what is there, or sets `is_damaged`.
    fn intact(self, is_damaged: &mut bool) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Damaged => {
                *is_damaged = true;
                None
            }
            Self::Intact(found) => Some(found),
        }
    }
}

/// Reads what belongs to events, each link and recipient once.
#[derive(Default)]
struct Reader {
    shares: HashMap<ShareId, Found<Share>>,
    people: HashMap<RecipientId, Found<Person>>,
    origins: Vec<(LogId, String)>,
}

impl Reader {
    fn read(
        &mut self,
        tx: &mut dyn Transaction,
        event: StoredEvent,
        disclosures: Disclosures,
    ) -> Result<EventDetails, DatabaseError> {
        let mut is_damaged = !disclosures.damaged.is_empty();
        let share = match event.subject.share {
            Some(id) => self.share(tx, id)?.intact(&mut is_damaged),
            None => None,
        };
        let person = match event.subject.recipient {
            Some(id) => self.person(tx, id)?.intact(&mut is_damaged),
            None => None,
        };
        if self.origins.is_empty() {
            self.origins = tx.evidence_log().log_origins()?;
        }
        let origin = event.place.and_then(|place| {
            let mut origins = self.origins.iter();
            let found = origins.find(|(log, _)| *log == place.log);
            found.map(|(_, origin)| origin.clone())
        });
        Ok(EventDetails {
            origin,
            share,
            person,
            disclosures: disclosures.readable,
            is_damaged,
            event,
        })
    }

    fn share(
        &mut self,
        tx: &mut dyn Transaction,
        id: ShareId,
    ) -> Result<Found<Share>, DatabaseError> {
        Ok(match self.shares.entry(id) {
            Entry::Occupied(found) => found.get().clone(),
            Entry::Vacant(new) => {
                let found = unless_damaged(tx.shares().share(id))?;
                new.insert(Found::of(found)).clone()
            }
        })
    }

    fn person(
        &mut self,
        tx: &mut dyn Transaction,
        id: RecipientId,
    ) -> Result<Found<Person>, DatabaseError> {
        Ok(match self.people.entry(id) {
            Entry::Occupied(found) => found.get().clone(),
            Entry::Vacant(new) => {
                let found = unless_damaged(tx.recipients().registration(id))?;
                let person = found.map(|found| {
                    let recipient = found.map(|found| found.progress.recipient);
                    let known = recipient.filter(|recipient| !recipient.erasure.is_of_person());
                    known.map(|recipient| (recipient.name.to_string(), recipient.email.to_string()))
                });
                new.insert(Found::of(person)).clone()
            }
        })
    }
}
