//! Compares events, disclosures, tree and checkpoints with each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Checkpoint, EventKind, LogId, StoredEvent};
use ideavault_domain::ports::{Database, DatabaseError};
use serde_json::{Value, json};

use super::{EventLog, EventLogError};

/// Events that are read at a time.
const PAGE: i64 = 1_000;

/// Something that is not as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The table that differs.
    pub table: &'static str,
    /// The row.
    pub id: String,
    /// The place in a log, if it is known.
    pub place: Option<u64>,
    /// What is wrong.
    pub problem: String,
}

impl Difference {
    /// Returns it as a JSON object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "table": self.table,
            "id": self.id,
            "place": self.place,
            "problem": self.problem,
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.table, self.id)?;
        if let Some(place) = self.place {
            write!(f, " (place {place})")?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of events.
    pub events: u64,
    /// Number of checkpoints.
    pub checkpoints: u64,
}

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckPhase {
    /// Each event by itself.
    Events {
        /// Number of events that were checked.
        done: u64,
        /// Number of events with a signed place when the check began.
        of: u64,
    },
    /// The checkpoints of one log.
    Checkpoints {
        /// Number of events that the last one covers.
        done: u64,
        /// Number of events that the newest one covers.
        of: u64,
    },
}

/// Reports a difference.
type Report<'r> = &'r mut dyn FnMut(Difference);

/// What a check came to so far, and who is told.
struct Outcome<'o> {
    checked: Checked,
    report: Report<'o>,
    progress: &'o mut dyn FnMut(CheckPhase),
}

impl<D: Database> EventLog<D> {
    /// Reads the whole log and reports everything that does not fit. Events may be
    /// recorded meanwhile. `progress` is called often.
    ///
    /// # Errors
    /// [`EventLogError`] when the log cannot be read.
    pub fn check_all(
        &self,
        report: Report<'_>,
        progress: &mut dyn FnMut(CheckPhase),
    ) -> Result<Checked, EventLogError> {
        let (log, stopped) = self.look()?;
        if let Some(reason) = stopped {
            report(Difference {
                table: "evidence_checkpoints",
                id: log.head.origin.clone(),
                place: None,
                problem: reason.to_string(),
            });
        }
        let mut outcome = Outcome {
            checked: Checked::default(),
            report,
            progress,
        };
        let database = &self.deps.database;
        let origins = database.read(|tx| tx.evidence_log().log_origins())?;
        // What is placed during the check is checked the next time.
        let mut sizes = BTreeMap::new();
        for (id, _) in &origins {
            let newest = database.read(|tx| tx.evidence_log().newest_checkpoint(*id))?;
            sizes.insert(*id, newest.map_or(0, |newest| newest.head.size));
        }
        let leaves = self.check_events(&sizes, &mut outcome)?;
        for (id, origin) in &origins {
            let size = sizes.get(id).copied().unwrap_or_default();
            let leaves = leaves.get(id).cloned().unwrap_or_default();
            self.check_tree(*id, origin, size, &leaves, &mut outcome)?;
        }
        Ok(outcome.checked)
    }

    /// Checks each event by itself; returns the digests by place, for each log.
    fn check_events(
        &self,
        sizes: &BTreeMap<LogId, u64>,
        outcome: &mut Outcome<'_>,
    ) -> Result<BTreeMap<LogId, BTreeMap<u64, Digest>>, EventLogError> {
        let mut leaves: BTreeMap<LogId, BTreeMap<u64, Digest>> = BTreeMap::new();
        let mut after = 0;
        let of = sizes.values().sum();
        loop {
            let database = &self.deps.database;
            let events = database.read(|tx| tx.evidence_log().events_after(after, PAGE))?;
            let Some(last) = events.last() else {
                return Ok(leaves);
            };
            after = last.row;
            for event in &events {
                outcome.checked.events += 1;
                self.check_event(event, outcome.report)?;
                let done = outcome.checked.events;
                (outcome.progress)(CheckPhase::Events { done, of });
                let covered = |log| sizes.get(&log).copied().unwrap_or_default();
                if let Some(place) = event.place.filter(|place| place.index < covered(place.log)) {
                    let log = leaves.entry(place.log).or_default();
                    log.insert(place.index, event.digest);
                }
            }
        }
    }

    fn check_event(&self, event: &StoredEvent, report: Report<'_>) -> Result<(), EventLogError> {
        let mut differs = |table, problem: String| {
            report(Difference {
                table,
                id: event.row.to_string(),
                place: event.place.map(|place| place.index),
                problem,
            });
        };
        if Digest::of(event.body.as_bytes()) != event.digest {
            let problem = "the event is not the one that was recorded";
            differs("evidence_events", problem.into());
        }
        let body: Value = serde_json::from_str(&event.body).unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let subject = &event.subject;
        for (name, column) in [
            ("type", Some(event.kind.as_str().to_owned())),
            ("idea", subject.idea.map(|id| id.to_string())),
            ("share", subject.share.map(|id| id.to_string())),
            ("recipient", subject.recipient.map(|id| id.to_string())),
            ("comment", subject.comment.map(|id| id.to_string())),
        ] {
            if text(name) != column.as_deref() {
                let problem = format!("its column for {name} contradicts the event");
                differs("evidence_events", problem);
            }
        }
        let database = &self.deps.database;
        let disclosures = database.read(|tx| tx.evidence_log().disclosures_of(event))?;
        for name in &disclosures.damaged {
            let problem = format!("the disclosure {name} cannot be read");
            differs("evidence_disclosures", problem);
        }
        let none = serde_json::Map::new();
        let named = body.get("discloses").and_then(Value::as_object);
        let named = named.unwrap_or(&none);
        let mut present: BTreeSet<&str> = disclosures.damaged.iter().map(String::as_str).collect();
        for (name, disclosure) in &disclosures.readable {
            present.insert(name.as_str());
            let digest = Digest::of(disclosure.as_bytes()).to_string();
            if named.get(name).and_then(Value::as_str) != Some(digest.as_str()) {
                let problem = format!("the disclosure {name} is not the one that was recorded");
                differs("evidence_disclosures", problem);
            }
        }
        let missing: Vec<&String> = named
            .keys()
            .filter(|name| !present.contains(name.as_str()))
            .collect();
        // Looks through all events of the idea.
        if !missing.is_empty() && !self.is_erased(event)? {
            for name in missing {
                let problem = format!("the disclosure {name} is missing");
                differs("evidence_disclosures", problem);
            }
        }
        Ok(())
    }

    /// Returns whether the person of an event was erased, which the log must say: a reader,
    /// or the creator, whom events about no reader name.
    fn is_erased(&self, event: &StoredEvent) -> Result<bool, EventLogError> {
        let Some(idea) = event.subject.idea else {
            return Ok(false);
        };
        let mut paging = ideavault_domain::page::Paging::default();
        loop {
            let database = &self.deps.database;
            let page = database.read(|tx| tx.evidence_log().events_of(idea, paging))?;
            let next = page.next();
            let erased = page.into_items().into_iter().any(|other| {
                other.kind == EventKind::PersonErased
                    && other.subject.recipient == event.subject.recipient
            });
            match next {
                _ if erased => return Ok(true),
                Some(after) => paging.after = Some(after),
                None => return Ok(false),
            }
        }
    }

    fn check_tree(
        &self,
        id: LogId,
        origin: &str,
        size: u64,
        leaves: &BTreeMap<u64, Digest>,
        outcome: &mut Outcome<'_>,
    ) -> Result<(), EventLogError> {
        let mut differs = |table, row: String, place, problem: String| {
            (outcome.report)(Difference {
                table,
                id: row,
                place,
                problem,
            });
        };
        for place in (0..size).filter(|place| !leaves.contains_key(place)) {
            let problem = format!("no event has this place in {origin}");
            differs("evidence_events", origin.to_owned(), Some(place), problem);
        }
        // Built anew from the events, the tree must have the stored nodes.
        let mut nodes: BTreeMap<u64, Digest> = BTreeMap::new();
        let mut done = 0;
        let digests: Vec<Digest> = leaves.values().copied().collect();
        if u64::try_from(digests.len()).ok() == Some(size) {
            for batch in digests.chunks(1_000) {
                let mut known = |positions: &[u64]| {
                    let found = positions
                        .iter()
                        .map(|position| nodes.get(position).copied());
                    Ok(found.map(|hash| hash.unwrap_or(Digest::of(b""))).collect())
                };
                let appended = self.tree.append(done, batch, &mut known)?;
                done = appended.size;
                let positions: Vec<u64> = appended.nodes.iter().map(|node| node.position).collect();
                let database = &self.deps.database;
                let stored = database.read(|tx| tx.evidence_log().nodes(id, &positions));
                let stored = match stored {
                    Ok(stored) => stored,
                    Err(DatabaseError::Damaged { .. } | DatabaseError::Internal { .. }) => {
                        let problem = "a node of the tree is missing".to_owned();
                        differs("evidence_nodes", origin.to_owned(), Some(done), problem);
                        Vec::new()
                    }
                    Err(error) => return Err(error.into()),
                };
                for (node, stored) in appended.nodes.iter().zip(&stored) {
                    if node.hash != *stored {
                        let problem = "the node is not that of the recorded events".to_owned();
                        let row = format!("{origin} {}", node.position);
                        differs("evidence_nodes", row, None, problem);
                    }
                }
                nodes.extend(appended.nodes.iter().map(|node| (node.position, node.hash)));
            }
        }
        let mut from = 1;
        let database = &self.deps.database;
        let keys = database.read(|tx| tx.evidence_log().log_keys(id))?;
        for key in keys.iter().filter(|key| key.seed.is_none()) {
            let problem = "the secret part of the key cannot be read".to_owned();
            differs("evidence_log_keys", key.vkey.clone(), None, problem);
        }
        while let Some(checkpoint) =
            database.read(|tx| tx.evidence_log().checkpoint_from(id, from))?
        {
            from = checkpoint.head.size + 1;
            if checkpoint.head.size > size {
                break;
            }
            outcome.checked.checkpoints += 1;
            (outcome.progress)(CheckPhase::Checkpoints {
                done: checkpoint.head.size,
                of: size,
            });
            let row = format!("{origin} {}", checkpoint.head.size);
            let mut known = |positions: &[u64]| {
                let found = positions
                    .iter()
                    .map(|position| nodes.get(position).copied());
                Ok(found.map(|hash| hash.unwrap_or(Digest::of(b""))).collect())
            };
            if self.tree.root(checkpoint.head.size, &mut known)? != checkpoint.head.root {
                let problem = "its root is not that of the recorded events".to_owned();
                differs("evidence_checkpoints", row.clone(), None, problem);
            }
            if !self.is_signed(&checkpoint, &keys) {
                let problem = "no key of the log has signed it".to_owned();
                differs("evidence_checkpoints", row, None, problem);
            }
        }
        Ok(())
    }

    fn is_signed(
        &self,
        checkpoint: &Checkpoint,
        keys: &[ideavault_domain::evidence::LogKey],
    ) -> bool {
        let size = checkpoint.head.size;
        let signing: Vec<_> = keys
            .iter()
            .filter(|key| key.from_size < size)
            .cloned()
            .collect();
        // Ed25519 signatures of the same text are the same.
        let expected = self.signer.sign(&checkpoint.head, &signing).ok();
        expected.is_some() && checkpoint.note == expected
    }
}
