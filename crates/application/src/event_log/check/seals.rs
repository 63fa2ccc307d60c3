//! Compares rows with their seals, where no signed checkpoint speaks for them.

use ideavault_domain::evidence::UnplacedEvent;
use ideavault_domain::ports::Database;

use super::tree::RecordedLog;
use super::{CheckRun, Difference};
use crate::event_log::{BATCH, EventLog, EventLogError};

impl<D: Database> EventLog<D> {
    /// Finds and reports events without a place, or with one that is not signed for, that no server
    /// of this vault has written.
    pub(super) fn find_foreign<'l>(
        &self,
        logs: impl Iterator<Item = &'l RecordedLog>,
        run: &mut CheckRun<'_>,
    ) -> Result<(), EventLogError> {
        let database = &self.deps.database;
        for log in logs {
            let beyond = database.read(|tx| tx.evidence_log().events_beyond(log.id, log.size))?;
            add_foreign(&beyond, run);
        }
        let mut after = i64::MIN;
        loop {
            let waiting = database.read(|tx| tx.evidence_log().unplaced_events(after, BATCH))?;
            let Some(last) = waiting.last() else {
                return Ok(());
            };
            after = last.row;
            add_foreign(&waiting, run);
        }
    }

    /// Reports checkpoints that no server of this vault has written, and those that are gone.
    /// `before` is the size of the last one of the log before.
    pub(super) fn check_seals(
        &self,
        log: &RecordedLog,
        before: u64,
        run: &mut CheckRun<'_>,
    ) -> Result<(), EventLogError> {
        let database = &self.deps.database;
        let (mut previous, mut next) = (before, 1);
        loop {
            let checkpoints =
                database.read(|tx| tx.evidence_log().chained_checkpoints(log.id, next, BATCH))?;
            if checkpoints.is_empty() {
                return Ok(());
            }
            for checkpoint in checkpoints {
                let size = checkpoint.head.size;
                let mut differs = |problem: String| {
                    run.differs(Difference {
                        table: "evidence_checkpoints",
                        id: format!("{} {size}", log.origin),
                        place: None,
                        problem,
                    });
                };
                if !checkpoint.is_sealed {
                    differs("no server of this vault has written it so".to_owned());
                }
                if checkpoint.previous != previous {
                    differs(format!(
                        "the checkpoint before it is gone, or one was added: it followed that of \
                         {} events",
                        checkpoint.previous
                    ));
                }
                previous = size;
                next = size.saturating_add(1);
            }
        }
    }

    /// Reports confirmations by outsiders that no server of this vault has stored.
    pub(super) fn check_anchors(&self, run: &mut CheckRun<'_>) -> Result<(), EventLogError> {
        let database = &self.deps.database;
        for anchor in database.read(|tx| tx.anchors().unsealed_anchors())? {
            let (log, size) = (anchor.log.as_i32(), anchor.size);
            run.differs(Difference {
                table: "evidence_anchors",
                id: format!("{log} {size} {}", anchor.service.name),
                place: None,
                problem: "the confirmation is not the one that was stored".to_owned(),
            });
        }
        Ok(())
    }
}

fn add_foreign(events: &[UnplacedEvent], run: &mut CheckRun<'_>) {
    for event in events.iter().filter(|event| !event.is_sealed) {
        run.checked.foreign.insert(event.row);
        run.differs(Difference {
            table: "evidence_events",
            id: event.row.to_string(),
            place: None,
            problem: "no server of this vault has written it so, and nothing signs it".to_owned(),
        });
    }
}
