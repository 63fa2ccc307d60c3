//! What a bundle is made of.

use std::collections::{BTreeMap, BTreeSet};

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::{EventKind, LogId, StoredCheckpoint, StoredEvent};
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

/// What a bundle is made of, looked up before it is written.
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
    pub(super) events: Vec<StoredEvent>,
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
    fn events(&self) -> impl Iterator<Item = &StoredEvent> {
        self.logs.values().flat_map(|log| &log.events)
    }

    /// Returns whether the holder of the bundle may have that disclosure of an event that
    /// the bundle has.
    pub(super) fn may_hold(&self, event: &StoredEvent, name: &str) -> bool {
        match self.reader {
            BundleFor::Owner => true,
            // Whoever was shown nothing holds no content.
            BundleFor::Recipient { .. } if name == "content" => {
                revision_of(event).is_some_and(|revision| self.viewed.contains(&revision))
            }
            BundleFor::Recipient { recipient, .. } => event.subject.recipient == Some(recipient),
        }
    }

    fn viewed_revisions(&self) -> impl Iterator<Item = i32> {
        let views = self.events();
        views
            .filter(|event| {
                matches!(
                    event.kind,
                    EventKind::ViewStarted | EventKind::FileDelivered
                )
            })
            .filter_map(revision_of)
    }

    /// Returns the revisions whose content belongs into the bundle.
    pub(super) fn shown_revisions(&self) -> BTreeSet<i32> {
        match self.reader {
            BundleFor::Owner => self
                .events()
                .filter(|event| puts_on_record(event.kind))
                .filter_map(revision_of)
                .collect(),
            BundleFor::Recipient {
                with_content: true, ..
            } => self.viewed.clone(),
            BundleFor::Recipient { .. } => BTreeSet::new(),
        }
    }

    /// Returns the recipients whose agreements belong into the bundle.
    pub(super) fn recipients(&self) -> BTreeSet<RecipientId> {
        self.events()
            .filter(|event| event.kind == EventKind::AgreementOffered)
            .filter_map(|event| event.subject.recipient)
            .collect()
    }
}

fn puts_on_record(kind: EventKind) -> bool {
    matches!(kind, EventKind::RevisionRecorded | EventKind::IdeaPublished)
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
                plan.add(tx, event)?;
            }
        }
        match next {
            Some(after) => paging.after = Some(after),
            None => break,
        }
    }
    for (id, log) in &mut plan.logs {
        let size = log.checkpoint.head.size;
        for event in tx.evidence_log().events_of_log(*id)? {
            if event.place.is_some_and(|place| place.index < size) {
                log.events.push(event);
            }
        }
        log.events.sort_by_key(|event| event.place);
        let events = log.events.iter();
        let of_idea: Vec<_> = events
            .filter(|event| event.subject.idea.is_some())
            .collect();
        log.anchored = anchored_checkpoints(tx, *id, &of_idea, now)?;
        let mut earlier: Vec<_> = log
            .anchored
            .values()
            .map(|anchored| anchored.checkpoint.clone())
            .collect();
        if let Some(place) = of_idea.first().and_then(|event| event.place) {
            earlier.extend(
                tx.evidence_log()
                    .first_checkpoint_of_at_least(*id, place.index + 1)?,
            );
        }
        log.earlier = earlier
            .into_iter()
            .map(|checkpoint| (checkpoint.head.size, checkpoint))
            .filter(|(earlier, _)| *earlier < size)
            .collect();
    }
    plan.viewed = plan.viewed_revisions().collect();
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
    fn add(&mut self, tx: &mut dyn Transaction, event: StoredEvent) -> Result<(), DatabaseError> {
        let Some(place) = event.place else {
            self.wait_for(&event);
            return Ok(());
        };
        if !self.logs.contains_key(&place.log) {
            let Some(log) = planned(tx, place.log)? else {
                self.wait_for(&event);
                return Ok(());
            };
            self.logs.insert(place.log, log);
        }
        match self.logs.get_mut(&place.log) {
            Some(log) if place.index < log.checkpoint.head.size => log.events.push(event),
            _ => self.wait_for(&event),
        }
        Ok(())
    }

    fn wait_for(&mut self, event: &StoredEvent) {
        self.pending.push(event.kind);
        self.newest_pending = self.newest_pending.max(Some(event.row));
    }
}

fn planned(tx: &mut dyn Transaction, id: LogId) -> Result<Option<PlannedLog>, DatabaseError> {
    let Some(checkpoint) = tx.evidence_log().newest_checkpoint(id)? else {
        return Ok(None);
    };
    let keys = tx.evidence_log().log_keys(id)?;
    let size = checkpoint.head.size;
    let key = keys.into_iter().rfind(|key| key.from_size < size);
    Ok(key.map(|key| PlannedLog {
        checkpoint,
        vkey: key.vkey,
        earlier: BTreeMap::new(),
        anchored: BTreeMap::new(),
        events: Vec::new(),
    }))
}
