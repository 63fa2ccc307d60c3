//! Files of a bundle that prove its events: checkpoints, events with their proofs, and anchors.

use std::collections::{BTreeSet, HashMap};
use std::iter;

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Disclosure, EventKind, StoredCheckpoint, StoredEvent};
use ideavault_domain::ports::{Database, DatabaseError, Disclosures};
use ideavault_evidence::bundle::paths;
use ideavault_evidence::checkpoint::{SignedCheckpoint, VerifierKey};
use ideavault_evidence::ots;
use ideavault_evidence::proof::{TlogProof, hashes_to_text};
use ideavault_evidence::tree::{self, EMPTY_ROOT};

use super::super::recorded::revision_of;
use super::anchors::{AnchoredCheckpoint, calendars_covering};
use super::open_bundle::OpenBundle;
use super::plan::{BundlePlan, PlannedEvent, PlannedLog};
use super::{BundleError, Bundles};
use crate::log_tree::{LogTree, database_error, hashes};

/// Events that are read at a time.
const EVENTS_PER_READ: usize = 500;
/// Nodes of the tree that are read at a time.
const NODES_PER_READ: usize = 1_000;

/// An event of the bundle.
struct ReadEvent {
    /// Its place in the log.
    index: u64,
    event: StoredEvent,
    /// Proves that it is in the log.
    proof: Vec<[u8; 32]>,
    disclosures: Disclosures,
}

impl<S: Database> Bundles<S> {
    /// Adds the files of a log, below `prefix`.
    pub(super) fn write_log(
        &self,
        bundle: &mut OpenBundle<'_>,
        plan: &BundlePlan,
        log: &PlannedLog,
        prefix: &str,
    ) -> Result<(), BundleError> {
        let StoredCheckpoint { head, note, .. } = &log.checkpoint;
        let checkpoint = SignedCheckpoint::parse(note.as_bytes())?;
        let key = VerifierKey::parse(&log.vkey)?;
        let vkey = format!("{}\n", log.vkey);
        for (name, content) in [
            ("checkpoint", note.as_bytes()),
            ("checkpoint.body", checkpoint.checkpoint().body().as_bytes()),
            ("checkpoint.sig", checkpoint.signature(&key)?.as_slice()),
            ("key.pem", key.pem().as_bytes()),
            ("vkey", vkey.as_bytes()),
        ] {
            bundle.add(&format!("{prefix}log/{name}"), content)?;
        }
        for (&old, earlier) in &log.earlier {
            let new = head.size;
            let database = &self.deps.database;
            let hashes =
                database.read(|tx| LogTree::of(tx, log.checkpoint.log).consistency(old, new))?;
            bundle.add(
                &format!("{prefix}log/checkpoint-{old}"),
                earlier.note.as_bytes(),
            )?;
            bundle.add(
                &format!("{prefix}log/consistency-{old}-{new}.txt"),
                hashes_to_text(&hashes).as_bytes(),
            )?;
        }
        self.write_anchors(bundle, log, prefix)?;
        bundle.report.begin_log(prefix, &checkpoint);
        let mut disclosed = BTreeSet::new();
        for events in log.events.chunks(EVENTS_PER_READ) {
            for read in self.read_events(log, events)? {
                self.write_event(
                    bundle,
                    plan,
                    (log, &checkpoint),
                    read,
                    prefix,
                    &mut disclosed,
                )?;
            }
        }
        Ok(())
    }

    /// Reads events that have places in a log.
    fn read_events(
        &self,
        log: &PlannedLog,
        planned: &[PlannedEvent],
    ) -> Result<Vec<ReadEvent>, BundleError> {
        let size = log.checkpoint.head.size;
        let rows: Vec<_> = planned.iter().map(|event| event.row).collect();
        self.deps.database.read(|tx| {
            let events = tx.evidence_log().events_in(&rows)?;
            let disclosures = tx
                .evidence_log()
                .disclosures_of(&events.iter().collect::<Vec<_>>())?;
            // A proof asks for all its nodes at once. The first time it gets placeholders.
            let mut wanted = BTreeSet::new();
            for event in planned {
                let mut collect = |positions: &[u64]| {
                    wanted.extend(positions.iter().copied());
                    Ok(vec![EMPTY_ROOT; positions.len()])
                };
                tree::inclusion_proof(event.index, size, &mut collect).map_err(database_error)?;
            }
            let wanted: Vec<u64> = wanted.into_iter().collect();
            let mut nodes = HashMap::new();
            for positions in wanted.chunks(NODES_PER_READ) {
                let found = tx.evidence_log().nodes(log.checkpoint.log, positions)?;
                nodes.extend(positions.iter().copied().zip(hashes(&found)));
            }
            let mut prefetched = |positions: &[u64]| {
                let found = positions
                    .iter()
                    .map(|position| nodes.get(position).copied());
                found.collect::<Option<_>>().ok_or_else(unexpected_nodes)
            };
            let read = planned.iter().zip(events).zip(disclosures);
            read.map(|((planned, event), disclosures)| {
                let proof = tree::inclusion_proof(planned.index, size, &mut prefetched);
                Ok(ReadEvent {
                    index: planned.index,
                    event,
                    proof: proof.map_err(database_error)?,
                    disclosures,
                })
            })
            .collect()
        })
    }

    fn write_event(
        &self,
        bundle: &mut OpenBundle<'_>,
        plan: &BundlePlan,
        (log, checkpoint): (&PlannedLog, &SignedCheckpoint),
        read: ReadEvent,
        prefix: &str,
        disclosed: &mut BTreeSet<Digest>,
    ) -> Result<(), BundleError> {
        let ReadEvent {
            index,
            event,
            proof,
            disclosures,
        } = read;
        let proof = TlogProof {
            index,
            hashes: proof,
            checkpoint: checkpoint.clone(),
        };
        bundle.add(
            &format!("{prefix}events/{index}.json"),
            event.body.as_bytes(),
        )?;
        bundle.add(
            &format!("{prefix}events/{index}.tlog-proof"),
            proof.to_text().as_slice(),
        )?;
        if let Some(anchored) = calendars_covering(&log.anchored, index) {
            let stamp = self.event_stamp(&event, index, anchored)?;
            let path = format!("{prefix}events/{index}.json.ots");
            bundle.add(&path, stamp.as_slice())?;
        }
        let body = event.parsed();
        let named = body.iter().flat_map(|body| body.discloses.keys());
        let mut withheld: BTreeSet<String> = named.cloned().collect();
        let mut told = Vec::new();
        for name in disclosures.damaged {
            if plan.may_hold(&event, &name) && withheld.remove(&name) {
                bundle.has_damaged_disclosure = true;
                bundle.note_missing(format!("{prefix}disclosures/{index}-{name}.json"));
            }
        }
        for (name, body) in disclosures.readable {
            if !plan.may_hold(&event, &name) {
                continue;
            }
            withheld.remove(&name);
            if let Some(facts) = Disclosure::parse(&name, &body) {
                let digests = facts.digests();
                bundle
                    .named
                    .extend(digests.filter_map(|digest| digest.parse::<Digest>().ok()));
                if let (Disclosure::Content(content), Some(revision)) =
                    (&facts, revision_of(&event))
                {
                    bundle.contents.insert(revision, content.clone());
                }
                told.push(facts);
            }
            // Another event may disclose the same; salts make that unlikely.
            if disclosed.insert(Digest::of(body.as_bytes())) {
                let path = format!("{prefix}disclosures/{index}-{name}.json");
                bundle.add(&path, body.as_bytes())?;
            }
        }
        for name in withheld {
            bundle
                .zip
                .withhold(&format!("{prefix}disclosures/{index}-{name}.json"));
        }
        if let Some(recipient) = event.subject.recipient {
            let is_named = told.iter().any(|fact| matches!(fact, Disclosure::Terms(_)));
            let known = bundle
                .agreements
                .get(&recipient)
                .map(|(_, is_named)| *is_named);
            let is_offered = event.kind == EventKind::AgreementOffered && known.is_none();
            // Of a damaged disclosure, a later event may have a copy.
            if is_offered || is_named && known == Some(false) {
                let path = paths::agreement(prefix, index);
                bundle.agreements.insert(recipient, (path, is_named));
            }
        }
        if let Some(body) = &body {
            let of = (index, event.digest.as_bytes());
            bundle.report.add(of, body, &told);
        }
        Ok(())
    }

    /// Adds each anchored checkpoint with what outsiders say of it.
    fn write_anchors(
        &self,
        bundle: &mut OpenBundle<'_>,
        log: &PlannedLog,
        prefix: &str,
    ) -> Result<(), BundleError> {
        let mut chains = BTreeSet::new();
        for (size, anchored) in &log.anchored {
            let note = &anchored.checkpoint.note;
            let folder = format!("{prefix}anchors");
            for (number, anchor) in (1..).zip(&anchored.authorities) {
                let path = format!("{folder}/{size}-tsa-{number}");
                let response = anchor.artefact.as_deref().unwrap_or_default();
                bundle.add(&format!("{path}.checkpoint"), note.as_bytes())?;
                bundle.add(&format!("{path}.tsr"), response)?;
                if let Some(chain) = &anchor.chain
                    && chains.insert(chain)
                {
                    let path = format!("{folder}/roots/{}.pem", chains.len());
                    bundle.add(&path, chain.as_bytes())?;
                }
            }
            if !anchored.calendars.is_empty() {
                let path = format!("{folder}/{size}-bitcoin");
                let (checkpoint, answers) = anchored.stamped()?;
                let stamp = ots::checkpoint_file(&checkpoint, &answers)?;
                bundle.add(&format!("{path}.checkpoint"), note.as_bytes())?;
                bundle.add(&format!("{path}.ots"), stamp.as_slice())?;
            }
            if !anchored.witnesses.is_empty() {
                let path = format!("{folder}/{size}-witness");
                let lines = anchored.witnesses.iter();
                let lines = lines.filter_map(|anchor| anchor.artefact.as_deref());
                let cosigned = iter::once(note.as_bytes()).chain(lines).collect::<Vec<_>>();
                bundle.add(&format!("{path}.checkpoint"), note.as_bytes())?;
                bundle.add(&format!("{path}.cosigned"), cosigned.concat().as_slice())?;
            }
        }
        Ok(())
    }

    /// Leads from an event through an anchored checkpoint to Bitcoin.
    fn event_stamp(
        &self,
        event: &StoredEvent,
        index: u64,
        anchored: &AnchoredCheckpoint,
    ) -> Result<Vec<u8>, BundleError> {
        let StoredCheckpoint { log, head, .. } = &anchored.checkpoint;
        let database = &self.deps.database;
        let hashes = database.read(|tx| LogTree::of(tx, *log).inclusion(index, head.size))?;
        let digest = Digest::of(event.body.as_bytes());
        let (checkpoint, answers) = anchored.stamped()?;
        let stamp = ots::event_file(digest.as_bytes(), index, &hashes, &checkpoint, &answers)?;
        Ok(stamp)
    }
}

fn unexpected_nodes() -> DatabaseError {
    DatabaseError::Internal {
        operation: "prove that an event is in the log",
        source: "the proof asks for other nodes than before".into(),
    }
}
