//! Compares events, disclosures, tree and checkpoints with each other.

mod seals;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{EventBody, LogId, StoredEvent, names_creator, names_reader};
use ideavault_domain::ports::{Database, DatabaseError, Disclosures};
use serde_json::{Value, json};

use self::tree::RecordedLog;
use super::trust::newest_own_checkpoint;
use super::{EventLog, EventLogError};

/// Events that are read at a time.
const EVENTS_PER_READ: i64 = 1_000;

/// Reads a member of an event.
type Member = fn(&EventBody) -> Option<&str>;

/// Something that is not as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The table that differs.
    pub table: &'static str,
    /// The row.
    pub id: String,
    /// The place in a log, if it is known.
    pub place: Option<u64>,
    /// A description of the difference.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of events.
    pub events: u64,
    /// Number of checkpoints.
    pub checkpoints: u64,
    /// Rows of events that nothing signs and no server of this vault has written: what they say
    /// excuses nothing else.
    pub foreign: BTreeSet<i64>,
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

/// Is called with each difference.
type OnDifference<'r> = &'r mut dyn FnMut(Difference);

/// A check that is under way.
struct CheckRun<'o> {
    checked: Checked,
    on_difference: OnDifference<'o>,
    progress: &'o mut dyn FnMut(CheckPhase),
}

impl CheckRun<'_> {
    fn differs(&mut self, difference: Difference) {
        (self.on_difference)(difference);
    }

    /// Goes on after a row that was changed so that it cannot be read, and reports it.
    fn unless_damaged(
        &mut self,
        table: &'static str,
        origin: &str,
        checked: Result<(), EventLogError>,
    ) -> Result<(), EventLogError> {
        match checked {
            Err(EventLogError::Database(error)) if is_damage(&error) => {
                self.differs(Difference {
                    table,
                    id: origin.to_owned(),
                    place: None,
                    problem: format!("a row cannot be read: {error}"),
                });
                Ok(())
            }
            checked => checked,
        }
    }
}

/// Returns whether a row was changed so that it cannot be read.
pub(crate) fn is_damage(error: &DatabaseError) -> bool {
    matches!(
        error,
        DatabaseError::Damaged { .. } | DatabaseError::Internal { .. }
    )
}

impl<D: Database> EventLog<D> {
    /// Reads the whole log and reports everything that does not fit. Events may be
    /// recorded meanwhile. `progress` is called often.
    ///
    /// # Errors
    /// [`EventLogError`] when the log cannot be read.
    pub fn check_all(
        &self,
        on_difference: OnDifference<'_>,
        progress: &mut dyn FnMut(CheckPhase),
    ) -> Result<Checked, EventLogError> {
        let (log, stopped) = self.current_and_reason_to_stop()?;
        let mut run = CheckRun {
            checked: Checked::default(),
            on_difference,
            progress,
        };
        if let Some(reason) = stopped {
            run.differs(Difference {
                table: "evidence_checkpoints",
                id: log.head.origin.clone(),
                place: None,
                problem: reason.to_string(),
            });
        }
        let database = &self.deps.database;
        let origins = database.read(|tx| tx.evidence_log().log_origins())?;
        let mut logs = BTreeMap::new();
        for (id, origin) in origins {
            let newest = database.read(|tx| newest_own_checkpoint(tx, id, &origin))?;
            let log = RecordedLog {
                id,
                origin,
                size: newest.map_or(0, |newest| newest.head.size),
                leaves: BTreeMap::new(),
            };
            logs.insert(id, log);
        }
        self.find_foreign(logs.values(), &mut run)?;
        self.check_events(&mut logs, &mut run)?;
        let mut before = 0;
        for log in logs.values() {
            for checked in [
                self.check_log(log, &mut run),
                self.check_seals(log, before, &mut run),
            ] {
                run.unless_damaged("evidence_checkpoints", &log.origin, checked)?;
            }
            before = log.size;
        }
        let checked = self.check_anchors(&mut run);
        run.unless_damaged("evidence_anchors", &log.head.origin, checked)?;
        Ok(run.checked)
    }

    /// Checks each event by itself; adds the digests of those with places to their logs.
    fn check_events(
        &self,
        logs: &mut BTreeMap<LogId, RecordedLog>,
        run: &mut CheckRun<'_>,
    ) -> Result<(), EventLogError> {
        let database = &self.deps.database;
        let of = logs.values().map(|log| log.size).sum();
        let mut after = 0;
        loop {
            let rows = database.read(|tx| {
                tx.evidence_log()
                    .event_rows_after(None, after, EVENTS_PER_READ)
            })?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            after = *last;
            for (event, disclosures) in self.readable_events(&rows, run)? {
                self.check_event(&event, &disclosures, run)?;
                run.checked.events += 1;
                let done = run.checked.events;
                (run.progress)(CheckPhase::Events { done, of });
                let Some(place) = event.place else { continue };
                if let Some(log) = logs.get_mut(&place.log)
                    && place.index < log.size
                {
                    log.leaves.insert(place.index, event.digest);
                }
            }
        }
    }

    /// Reads events with their disclosures. Reports rows that cannot be read.
    fn readable_events(
        &self,
        rows: &[i64],
        run: &mut CheckRun<'_>,
    ) -> Result<Vec<(StoredEvent, Disclosures)>, EventLogError> {
        let read = |rows: &[i64]| {
            self.deps.database.read(|tx| {
                let events = tx.evidence_log().events_in(rows)?;
                let disclosures = tx
                    .evidence_log()
                    .disclosures_of(&events.iter().collect::<Vec<_>>())?;
                Ok::<_, DatabaseError>(events.into_iter().zip(disclosures).collect::<Vec<_>>())
            })
        };
        match (read(rows), rows) {
            (Ok(events), _) => Ok(events),
            (Err(error), [row]) if is_damage(&error) => {
                run.differs(Difference {
                    table: "evidence_events",
                    id: row.to_string(),
                    place: None,
                    problem: format!("it cannot be read: {error}"),
                });
                Ok(Vec::new())
            }
            (Err(error), rows) if is_damage(&error) => {
                let mut events = Vec::with_capacity(rows.len());
                for row in rows {
                    events.extend(self.readable_events(&[*row], run)?);
                }
                Ok(events)
            }
            (Err(error), _) => Err(error.into()),
        }
    }

    fn check_event(
        &self,
        event: &StoredEvent,
        disclosures: &Disclosures,
        run: &mut CheckRun<'_>,
    ) -> Result<(), EventLogError> {
        let of_event = |table, problem: String| Difference {
            table,
            id: event.row.to_string(),
            place: event.place.map(|place| place.index),
            problem,
        };
        if Digest::of(event.body.as_bytes()) != event.digest {
            let problem = "the event is not the one that was recorded";
            run.differs(of_event("evidence_events", problem.into()));
        }
        let body = event.parsed();
        let body = body.as_ref();
        let columns = EventBody::new(event.kind, event.at, event.subject);
        let members: [(_, Member); 6] = [
            ("type", |event| Some(event.kind.as_str())),
            ("idea", |event| event.idea.as_deref()),
            ("share", |event| event.share.as_deref()),
            ("recipient", |event| event.recipient.as_deref()),
            ("comment", |event| event.comment.as_deref()),
            ("at", |event| Some(&event.at)),
        ];
        for (name, member) in members {
            if body.and_then(member) != member(&columns) {
                let problem = format!("its column for {name} contradicts the event");
                run.differs(of_event("evidence_events", problem));
            }
        }
        // With another one's, it would keep that one from being recorded.
        if event.once != body.and_then(EventBody::once_key) {
            let problem = "its key, which keeps another event from being recorded, is not its own";
            run.differs(of_event("evidence_events", problem.into()));
        }
        for name in &disclosures.damaged {
            let problem = format!("the disclosure {name} cannot be read");
            run.differs(of_event("evidence_disclosures", problem));
        }
        let none = BTreeMap::new();
        let named = body.map_or(&none, |event| &event.discloses);
        let mut present: BTreeSet<&str> = disclosures.damaged.iter().map(String::as_str).collect();
        for (name, disclosure) in &disclosures.readable {
            present.insert(name.as_str());
            let digest = Digest::of(disclosure.as_bytes()).to_string();
            if named.get(name) != Some(&digest) {
                let problem = format!("the disclosure {name} is not the one that was recorded");
                run.differs(of_event("evidence_disclosures", problem));
            }
        }
        for name in named.keys().filter(|name| !present.contains(name.as_str())) {
            if !self.may_be_erased(event, name, &run.checked.foreign)? {
                let problem = format!("the disclosure {name} is missing");
                run.differs(of_event("evidence_disclosures", problem));
            }
        }
        Ok(())
    }

    /// Returns whether the log says that the person was erased to whom that disclosure leads.
    fn may_be_erased(
        &self,
        event: &StoredEvent,
        name: &str,
        foreign: &BTreeSet<i64>,
    ) -> Result<bool, EventLogError> {
        let Some(idea) = event.subject.idea else {
            return Ok(false);
        };
        let reader = event.subject.recipient;
        let leads_to_person = match reader {
            Some(_) => names_reader(name, event.parsed().as_ref()),
            None => names_creator(name),
        };
        if !leads_to_person {
            return Ok(false);
        }
        let database = &self.deps.database;
        let erasures = database.read(|tx| tx.evidence_log().erasures(idea, reader))?;
        Ok(erasures.iter().any(|row| !foreign.contains(row)))
    }
}
