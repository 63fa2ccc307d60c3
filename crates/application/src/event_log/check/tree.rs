//! Compares the places, the tree and the checkpoints of a log with its events.

use std::collections::{BTreeMap, HashMap};

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{LogId, Node, StoredCheckpoint};
use ideavault_domain::ports::{Database, DatabaseError};
use ideavault_evidence::tree;

use super::{CheckPhase, CheckRun, Difference};
use crate::event_log::trust::is_signed;
use crate::event_log::{EventLog, EventLogError};
use crate::log_tree::{database_error, hashes};

/// Checkpoints that are read at a time.
const CHECKPOINTS_PER_READ: i64 = 1_000;
/// Nodes that are compared at a time.
const NODES_PER_READ: usize = 1_000;

/// A log, as its events say it is.
pub(super) struct RecordedLog {
    pub(super) id: LogId,
    pub(super) origin: String,
    /// Number of events that its newest signed checkpoint covers.
    pub(super) size: u64,
    /// The digest of the event at each place.
    pub(super) leaves: BTreeMap<u64, Digest>,
}

/// A tree that is built anew.
#[derive(Default)]
struct Tree {
    size: u64,
    nodes: HashMap<u64, [u8; 32]>,
}

impl<D: Database> EventLog<D> {
    pub(super) fn check_log(
        &self,
        log: &RecordedLog,
        run: &mut CheckRun<'_>,
    ) -> Result<(), EventLogError> {
        report_gaps(log, run);
        // Without the first event that is missing, no larger tree can be built.
        let leaves: Vec<Digest> = (0..)
            .zip(&log.leaves)
            .take_while(|(place, (leaf, _))| place == *leaf)
            .map(|(_, (_, digest))| *digest)
            .collect();
        let database = &self.deps.database;
        let keys = database.read_one(|tx| tx.evidence_log().log_keys(log.id))?;
        for key in keys.iter().filter(|key| key.seed.is_none()) {
            run.differs(Difference {
                table: "evidence_log_keys",
                id: key.vkey.clone(),
                place: None,
                problem: "the secret part of the key cannot be read".to_owned(),
            });
        }
        let mut tree = Tree::default();
        let mut from = 1;
        loop {
            let checkpoints = database.read(|tx| {
                tx.evidence_log()
                    .signed_checkpoints(log.id, from, CHECKPOINTS_PER_READ)
            })?;
            let Some(last) = checkpoints.last() else {
                return Ok(());
            };
            from = last.head.size.saturating_add(1);
            let mut added = Vec::new();
            for checkpoint in checkpoints {
                // Events placed during the check are checked the next time.
                if checkpoint.head.size > log.size {
                    return self.compare_nodes(log, &added, run);
                }
                run.checked.checkpoints += 1;
                (run.progress)(CheckPhase::Checkpoints {
                    done: checkpoint.head.size,
                    of: log.size,
                });
                self.check_root(log, &checkpoint, &leaves, &mut tree, &mut added, run)?;
                if !is_signed(&checkpoint, &keys) {
                    let problem = "no key of the log has signed it";
                    run.differs(of_checkpoint(&checkpoint, problem));
                }
            }
            self.compare_nodes(log, &added, run)?;
        }
    }

    /// Builds the tree up to a checkpoint, as far as there are events, and compares its root.
    fn check_root(
        &self,
        log: &RecordedLog,
        checkpoint: &StoredCheckpoint,
        leaves: &[Digest],
        tree: &mut Tree,
        added: &mut Vec<Node>,
        run: &mut CheckRun<'_>,
    ) -> Result<(), EventLogError> {
        let done = usize::try_from(tree.size).unwrap_or(usize::MAX);
        let size = usize::try_from(checkpoint.head.size).unwrap_or(usize::MAX);
        let Some(next) = leaves.get(done..size) else {
            return Ok(());
        };
        let nodes = &tree.nodes;
        let mut built = |positions: &[u64]| {
            let found = positions
                .iter()
                .map(|position| nodes.get(position).copied());
            found.collect::<Option<_>>().ok_or_else(not_built)
        };
        let appended =
            tree::append(tree.size, &hashes(next), &mut built).map_err(database_error)?;
        if appended.root != *checkpoint.head.root.as_bytes() {
            let problem = "its root is not that of the recorded events";
            run.differs(of_checkpoint(checkpoint, problem));
        }
        tree.size = appended.size;
        let nodes = appended.nodes.iter();
        added.extend(nodes.map(|&(position, hash)| Node {
            position,
            hash: Digest::from_bytes(hash),
        }));
        tree.nodes.extend(appended.nodes);
        if added.len() >= NODES_PER_READ {
            self.compare_nodes(log, added, run)?;
            added.clear();
        }
        Ok(())
    }

    /// Compares nodes that were built anew with the stored ones.
    fn compare_nodes(
        &self,
        log: &RecordedLog,
        built: &[Node],
        run: &mut CheckRun<'_>,
    ) -> Result<(), EventLogError> {
        for built in built.chunks(NODES_PER_READ) {
            let positions: Vec<u64> = built.iter().map(|node| node.position).collect();
            let stored = match self.stored_nodes(log.id, &positions)? {
                Some(stored) => stored.into_iter().map(Some).collect(),
                None => positions
                    .iter()
                    .map(|position| {
                        Ok(self
                            .stored_nodes(log.id, &[*position])?
                            .and_then(|mut one| one.pop()))
                    })
                    .collect::<Result<Vec<_>, EventLogError>>()?,
            };
            for (node, stored) in built.iter().zip(stored) {
                let problem = match stored {
                    Some(stored) if stored == node.hash => continue,
                    Some(_) => "the node is not that of the recorded events",
                    None => "the node is missing",
                };
                run.differs(Difference {
                    table: "evidence_nodes",
                    id: format!("{} {}", log.origin, node.position),
                    place: None,
                    problem: problem.to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Reads nodes; `None` if one of them is missing.
    fn stored_nodes(
        &self,
        log: LogId,
        positions: &[u64],
    ) -> Result<Option<Vec<Digest>>, EventLogError> {
        let database = &self.deps.database;
        match database.read(|tx| tx.evidence_log().nodes(log, positions)) {
            Ok(nodes) => Ok(Some(nodes)),
            Err(DatabaseError::Damaged { .. } | DatabaseError::Internal { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Reports places below the size of the log that no event has.
fn report_gaps(log: &RecordedLog, run: &mut CheckRun<'_>) {
    let mut next = 0;
    for place in log.leaves.keys().copied().chain([log.size]) {
        if next < place {
            let problem = match place - next {
                1 => format!("no event has this place in {}", log.origin),
                _ => format!(
                    "no event has the places {next} to {} in {}",
                    place - 1,
                    log.origin
                ),
            };
            run.differs(Difference {
                table: "evidence_events",
                id: log.origin.clone(),
                place: Some(next),
                problem,
            });
        }
        next = place.saturating_add(1);
    }
}

fn of_checkpoint(checkpoint: &StoredCheckpoint, problem: &str) -> Difference {
    Difference {
        table: "evidence_checkpoints",
        id: format!("{} {}", checkpoint.head.origin, checkpoint.head.size),
        place: None,
        problem: problem.to_owned(),
    }
}

fn not_built() -> DatabaseError {
    DatabaseError::Internal {
        operation: "build the tree anew",
        source: "it needs a node that was not built".into(),
    }
}
