//! Confirmations by outsiders that a bundle carries.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::{Anchor, AnchorKind, LogId, Place, StoredCheckpoint};
use ideavault_domain::ports::{DatabaseError, Transaction};
use ideavault_evidence::checkpoint::SignedCheckpoint;
use ideavault_evidence::ots::{self, CalendarTimestamp};

use super::BundleError;

/// Most anchored checkpoints of one log in a bundle, which bounds the size of bundles whose
/// events lie far apart. See [`anchored_checkpoints`] for which ones.
const CHECKPOINTS_MAX: usize = 256;

/// A checkpoint that outsiders have taken.
pub(super) struct AnchoredCheckpoint {
    pub(super) checkpoint: StoredCheckpoint,
    /// Confirmations of authorities.
    pub(super) authorities: Vec<Anchor>,
    /// Proofs and promises of calendars.
    pub(super) calendars: Vec<Anchor>,
    /// Signatures of witnesses.
    pub(super) witnesses: Vec<Anchor>,
}

impl AnchoredCheckpoint {
    fn is_in_bitcoin(&self) -> bool {
        let mut calendars = self.calendars.iter();
        calendars.any(|anchor| anchor.block.is_some())
    }

    /// Returns the checkpoint, and what calendars said of it.
    pub(super) fn stamped(
        &self,
    ) -> Result<(SignedCheckpoint, Vec<CalendarTimestamp>), BundleError> {
        let checkpoint = SignedCheckpoint::parse(self.checkpoint.note.as_bytes())?;
        let digest = ots::calendar_digest(&checkpoint);
        let proofs = self.calendars.iter();
        let answers = proofs
            .filter_map(|anchor| anchor.artefact.as_deref())
            .map(|proof| CalendarTimestamp::parse(proof, &digest))
            .collect::<Result<_, _>>()?;
        Ok((checkpoint, answers))
    }
}

/// Returns the anchored checkpoints that confirm events of a log earliest, by their sizes:
/// for each event those of each outsider. Of more than [`CHECKPOINTS_MAX`], those of the
/// oldest events, and of the newest one, which cover all. `events` are their places, in order.
pub(super) fn anchored_checkpoints(
    tx: &mut dyn Transaction,
    log: LogId,
    events: &[u64],
    now: Timestamp,
) -> Result<BTreeMap<u64, AnchoredCheckpoint>, DatabaseError> {
    let mut found = BTreeMap::new();
    // The events below are covered.
    let mut covered = 0;
    for &index in events {
        if index < covered {
            continue;
        }
        covered = match add_covering(tx, Place { log, index }, now, &mut found)? {
            // A checkpoint that does not cover this event covers no later one.
            None => return Ok(found),
            Some(size) => size.max(index + 1),
        };
        if found.len() >= CHECKPOINTS_MAX {
            break;
        }
    }
    if let Some(&index) = events.last() {
        add_covering(tx, Place { log, index }, now, &mut found)?;
    }
    Ok(found)
}

/// Adds the anchors that confirm the event at `place` earliest. Returns the size of the smallest
/// one.
fn add_covering(
    tx: &mut dyn Transaction,
    place: Place,
    now: Timestamp,
    found: &mut BTreeMap<u64, AnchoredCheckpoint>,
) -> Result<Option<u64>, DatabaseError> {
    let log = place.log;
    let mut smallest = None;
    for anchor in tx.anchors().anchors_covering(place, now)? {
        if !anchor.was_taken() || anchor.log != log || anchor.artefact.is_none() {
            continue;
        }
        let size = anchor.size;
        smallest = Some(smallest.map_or(size, |smallest: u64| smallest.min(size)));
        let anchored = match found.entry(size) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let checkpoint = tx.evidence_log().first_checkpoint_of_at_least(log, size)?;
                let Some(checkpoint) = checkpoint.filter(|found| found.head.size == size) else {
                    continue;
                };
                new.insert(AnchoredCheckpoint {
                    checkpoint,
                    authorities: Vec::new(),
                    calendars: Vec::new(),
                    witnesses: Vec::new(),
                })
            }
        };
        let anchors = match anchor.service.kind {
            AnchorKind::Tsa => &mut anchored.authorities,
            AnchorKind::Ots => &mut anchored.calendars,
            AnchorKind::Witness => &mut anchored.witnesses,
        };
        if !anchors.iter().any(|known| known.service == anchor.service) {
            anchors.push(anchor);
        }
    }
    Ok(smallest)
}

/// Returns the checkpoint through which calendars confirm the event at `index` earliest, in
/// Bitcoin if possible.
pub(super) fn calendars_covering(
    anchored: &BTreeMap<u64, AnchoredCheckpoint>,
    index: u64,
) -> Option<&AnchoredCheckpoint> {
    let covering = anchored.range(index.saturating_add(1)..).map(|(_, at)| at);
    let asked = || covering.clone().filter(|at| !at.calendars.is_empty());
    let in_bitcoin = asked().find(|at| at.is_in_bitcoin());
    in_bitcoin.or_else(|| asked().next())
}
