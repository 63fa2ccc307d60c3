//! The plan of a bundle.

use std::collections::{BTreeMap, BTreeSet};

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::{EventKind, LogId, StoredCheckpoint, StoredEvent, StoredLogKey};
use ideavault_domain::ids::{IdeaId, RecipientId};
use ideavault_domain::page::Paging;
use ideavault_domain::ports::{DatabaseError, IdeaOwner, Transaction};

use super::super::recorded::revision_of;
use super::BundleError;
use super::anchors::{AnchoredCheckpoint, anchored_checkpoints};

/// For whom a bundle is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BundleFor {
    /// The owner of the idea, who holds all of it.
    Owner,
    /// A recipient, who holds its own disclosures.
    Recipient {
        /// The recipient.
        recipient: RecipientId,
        /// Whether it holds the content that it was shown, too.
        with_content: bool,
    },
}

/// The parts of a bundle, looked up before it is written.
pub struct BundlePlan {
    pub(super) idea: IdeaId,
    pub(super) owner: IdeaOwner,
    reader: BundleFor,
    /// Events that have places, by log.
    pub(super) logs: BTreeMap<LogId, PlannedLog>,
    /// Kinds of events that have none.
    pub(super) pending: Vec<EventKind>,
    /// The newest event without a place, or without a signature over it.
    newest_pending: Option<i64>,
    /// Revisions that its events put on record.
    recorded: BTreeSet<i32>,
    /// Revisions that its readers were shown.
    viewed: BTreeSet<i32>,
}

pub(super) struct PlannedLog {
    pub(super) checkpoint: StoredCheckpoint,
    pub(super) vkey: String,
    /// Checkpoints that the newest one extends, by their sizes.
    pub(super) earlier: BTreeMap<u64, StoredCheckpoint>,
    /// Checkpoints that outsiders have taken, by their sizes.
    pub(super) anchored: BTreeMap<u64, AnchoredCheckpoint>,
    /// Its events, in the order of their places. There may be many: the rest is read when they
    /// are written.
    pub(super) events: Vec<PlannedEvent>,
}

/// An event that has a place. It may get another one in a later log meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlannedEvent {
    pub(super) index: u64,
    pub(super) row: i64,
}

impl BundlePlan {
    /// Returns the document id, or the idea's number before publication.
    #[must_use]
    pub fn name(&self) -> String {
        let document = self.owner.document_id.as_ref();
        document.map_or_else(|| self.idea.to_string(), |id| id.as_str().to_owned())
    }

    /// Returns whether there is nothing to write yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.logs.is_empty()
    }

    /// Returns the row of the newest event that still waits for its place, or to be signed for.
    #[must_use]
    pub fn newest_pending(&self) -> Option<i64> {
        self.newest_pending
    }
}

impl BundlePlan {
    /// Returns whether the holder of the bundle may have that disclosure of an event that
    /// the bundle has.
    pub(super) fn may_hold(&self, event: &StoredEvent, name: &str) -> bool {
        match self.reader {
            BundleFor::Owner => true,
            // A recipient who was shown nothing holds no content.
            BundleFor::Recipient { .. } if name == "content" => {
                revision_of(event).is_some_and(|revision| self.viewed.contains(&revision))
            }
            BundleFor::Recipient { recipient, .. } => event.subject.recipient == Some(recipient),
        }
    }

    /// Returns the revisions whose content belongs into the bundle.
    pub(super) fn shown_revisions(&self) -> BTreeSet<i32> {
        match self.reader {
            BundleFor::Owner => self.recorded.clone(),
            BundleFor::Recipient {
                with_content: true, ..
            } => self.viewed.clone(),
            BundleFor::Recipient { .. } => BTreeSet::new(),
        }
    }
}

/// Looks up what the bundle of an idea is made of.
pub(super) fn plan(
    tx: &mut dyn Transaction,
    (idea, owner): (IdeaId, IdeaOwner),
    reader: BundleFor,
    now: Timestamp,
) -> Result<BundlePlan, BundleError> {
    let mut plan = BundlePlan {
        reader,
        logs: BTreeMap::new(),
        pending: Vec::new(),
        newest_pending: None,
        recorded: BTreeSet::new(),
        viewed: BTreeSet::new(),
        idea,
        owner,
    };
    let mut paging = Paging::default();
    loop {
        let page = tx.evidence_log().events_of(plan.idea, paging)?;
        let next = page.next();
        for event in page.into_items() {
            if concerns(&event, reader) {
                plan.add(tx, &event)?;
            }
        }
        match next {
            Some(after) => paging.after = Some(after),
            None => break,
        }
    }
    for (id, log) in &mut plan.logs {
        let size = log.checkpoint.head.size;
        log.events.sort_unstable();
        let of_idea: Vec<_> = log.events.iter().map(|event| event.index).collect();
        log.anchored = anchored_checkpoints(tx, *id, &of_idea, now)?;
        let mut earlier: Vec<_> = log
            .anchored
            .values()
            .map(|anchored| anchored.checkpoint.clone())
            .collect();
        if let Some(first) = of_idea.first() {
            earlier.extend(
                tx.evidence_log()
                    .first_checkpoint_of_at_least(*id, first + 1)?,
            );
        }
        log.earlier = earlier
            .into_iter()
            .map(|checkpoint| (checkpoint.head.size, checkpoint))
            .filter(|(earlier, _)| *earlier < size)
            .collect();
        let of_log = tx.evidence_log().events_about_log(*id)?;
        let of_log = of_log.iter().filter_map(|event| log.covered(event));
        let of_log: Vec<_> = of_log.collect();
        log.events.extend(of_log);
        log.events.sort_unstable();
    }
    Ok(plan)
}

/// Returns whether an event of the idea belongs into the bundle of that reader.
fn concerns(event: &StoredEvent, reader: BundleFor) -> bool {
    match reader {
        BundleFor::Owner => true,
        BundleFor::Recipient { recipient, .. } => {
            let is_of_nobody = event.subject.recipient.is_none()
                && event.subject.share.is_none()
                && event.subject.comment.is_none();
            event.subject.recipient == Some(recipient) || is_of_nobody
        }
    }
}

impl BundlePlan {
    fn add(&mut self, tx: &mut dyn Transaction, event: &StoredEvent) -> Result<(), DatabaseError> {
        let Some(place) = event.place else {
            self.add_pending(event);
            return Ok(());
        };
        if !self.logs.contains_key(&place.log) {
            let Some(log) = plan_log(tx, place.log)? else {
                self.add_pending(event);
                return Ok(());
            };
            self.logs.insert(place.log, log);
        }
        let log = self.logs.get_mut(&place.log);
        match log.and_then(|log| Some((log.covered(event)?, log))) {
            Some((planned, log)) => {
                log.events.push(planned);
                self.note(event);
            }
            None => self.add_pending(event),
        }
        Ok(())
    }

    /// Notes what an event of the bundle brings into it besides.
    fn note(&mut self, event: &StoredEvent) {
        match event.kind {
            EventKind::RevisionRecorded | EventKind::IdeaPublished => {
                self.recorded.extend(revision_of(event));
            }
            EventKind::ViewStarted | EventKind::FileDelivered => {
                self.viewed.extend(revision_of(event));
            }
            _ => {}
        }
    }

    fn add_pending(&mut self, event: &StoredEvent) {
        self.pending.push(event.kind);
        self.newest_pending = self.newest_pending.max(Some(event.row));
    }
}

impl PlannedLog {
    /// Returns the place of an event that the log's checkpoint covers.
    fn covered(&self, event: &StoredEvent) -> Option<PlannedEvent> {
        let index = event.place?.index;
        (index < self.checkpoint.head.size).then_some(PlannedEvent {
            index,
            row: event.row,
        })
    }
}

/// Plans the part of a log; `None` while it has no signed checkpoint.
fn plan_log(tx: &mut dyn Transaction, id: LogId) -> Result<Option<PlannedLog>, DatabaseError> {
    let Some(checkpoint) = tx.evidence_log().newest_checkpoint(id)? else {
        return Ok(None);
    };
    let keys = tx.evidence_log().log_keys(id)?;
    let size = checkpoint.head.size;
    let key = StoredLogKey::newest_for(size, keys);
    Ok(key.map(|key| PlannedLog {
        checkpoint,
        vkey: key.vkey,
        earlier: BTreeMap::new(),
        anchored: BTreeMap::new(),
        events: Vec::new(),
    }))
}
