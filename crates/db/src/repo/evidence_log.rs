//! The log of events that a stranger can check, and the tree over it.

mod append;
mod checkpoints;
mod disclosures;
mod keys;
mod rows;

use std::collections::HashMap;

use diesel::dsl::max;
use diesel::prelude::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, RunQueryDsl, SelectableHelper,
};
use diesel::sql_types::{BigInt, Bool};

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{
    ChainedCheckpoint, Event, EventKind, Log, LogHead, LogId, Node, Place, StoredCheckpoint,
    StoredEvent, StoredLogKey, UnplacedEvent,
};
use ideavault_domain::ids::{IdeaId, RecipientId};
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::{DatabaseError, Disclosures, EvidenceLog};

pub(super) use self::checkpoints::values_of as values_of_checkpoint;

use self::append::append;
use self::rows::{EventRow, column, digest};
use super::erased::person_erased;
use super::schema::{evidence_checkpoints, evidence_events, evidence_logs, evidence_nodes, ideas};
use super::seals::{SealedEvent, seal};
use super::{Repository, SKIP_IDEA_NUMBERS, TRY_LOCK_PLACES};
use crate::error::QueryResult;
use crate::stored;

#[derive(QueryableByName)]
struct LockRow {
    #[diesel(sql_type = Bool)]
    locked: bool,
}

impl EvidenceLog for Repository<'_> {
    fn append_event(&mut self, event: &Event) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        let recorded = self.run("record an event", |connection| {
            append(connection, encryption, event)
        })?;
        self.effects.queued |= recorded.is_some();
        Ok(recorded.is_some())
    }

    fn digest_by_once_key(&mut self, key: &str) -> Result<Option<Digest>, DatabaseError> {
        self.run("look up an event", |connection| {
            let found: Option<Vec<u8>> = evidence_events::table
                .filter(evidence_events::once.eq(key))
                .select(evidence_events::digest)
                .first(connection)
                .optional()?;
            found.map(digest).transpose()
        })
    }

    fn current_log(&mut self) -> Result<Option<Log>, DatabaseError> {
        self.run("find the current log", checkpoints::current_log)
    }

    fn begin_log(
        &mut self,
        key: &StoredLogKey,
        origin: &str,
        first: &Event,
    ) -> Result<Option<UnplacedEvent>, DatabaseError> {
        let encryption = self.encryption;
        self.run("begin a log", |connection| {
            let begun = diesel::insert_into(evidence_logs::table)
                .values((
                    evidence_logs::number.eq(key.log.as_i32()),
                    evidence_logs::origin.eq(origin),
                    evidence_logs::started_at.eq(first.at()),
                ))
                .on_conflict_do_nothing()
                .execute(connection)?;
            if begun == 0 {
                return Ok(None);
            }
            keys::add(connection, encryption, key)?;
            append(connection, encryption, first)
        })
    }

    fn try_lock_places(&mut self) -> Result<bool, DatabaseError> {
        self.run("lock the places of events", |connection| {
            let row: LockRow = diesel::sql_query(TRY_LOCK_PLACES).get_result(connection)?;
            Ok(row.locked)
        })
    }

    fn unplaced_events(
        &mut self,
        after: i64,
        limit: i64,
    ) -> Result<Vec<UnplacedEvent>, DatabaseError> {
        let encryption = self.encryption;
        self.run("list events without a place", |connection| {
            let rows: Vec<SealedEvent> = evidence_events::table
                .filter(evidence_events::place.is_null())
                .filter(evidence_events::seq.gt(after))
                .order(evidence_events::seq)
                .limit(limit)
                .select(SealedEvent::as_select())
                .load(connection)?;
            rows.into_iter()
                .map(|row| row.into_unplaced(connection, encryption))
                .collect()
        })
    }

    fn events_beyond(
        &mut self,
        log: LogId,
        size: u64,
    ) -> Result<Vec<UnplacedEvent>, DatabaseError> {
        let encryption = self.encryption;
        self.run("list events beyond a checkpoint", |connection| {
            let rows: Vec<SealedEvent> = evidence_events::table
                .filter(evidence_events::log.eq(log.as_i32()))
                .filter(evidence_events::place.ge(column(size)?))
                .order(evidence_events::seq)
                .select(SealedEvent::as_select())
                .load(connection)?;
            rows.into_iter()
                .map(|row| row.into_unplaced(connection, encryption))
                .collect()
        })
    }

    fn place_events(&mut self, first: Place, rows: &[i64]) -> Result<(), DatabaseError> {
        self.run("give places to events", |connection| {
            for (place, row) in (column(first.index)?..).zip(rows) {
                diesel::update(evidence_events::table.find(row))
                    .set((
                        evidence_events::log.eq(first.log.as_i32()),
                        evidence_events::place.eq(place),
                    ))
                    .execute(connection)?;
            }
            Ok(())
        })
    }

    fn add_nodes(&mut self, log: LogId, nodes: &[Node]) -> Result<(), DatabaseError> {
        self.run("add nodes to the tree", |connection| {
            let rows = nodes.iter().map(|node| {
                Ok((
                    evidence_nodes::log.eq(log.as_i32()),
                    evidence_nodes::position.eq(column(node.position)?),
                    evidence_nodes::hash.eq(node.hash.as_bytes().as_slice()),
                ))
            });
            diesel::insert_into(evidence_nodes::table)
                .values(rows.collect::<QueryResult<Vec<_>>>()?)
                .execute(connection)?;
            Ok(())
        })
    }

    fn nodes(&mut self, log: LogId, positions: &[u64]) -> Result<Vec<Digest>, DatabaseError> {
        self.run("read nodes of the tree", |connection| {
            let wanted = positions
                .iter()
                .map(|position| column(*position))
                .collect::<QueryResult<Vec<_>>>()?;
            let rows: Vec<(i64, Vec<u8>)> = evidence_nodes::table
                .filter(evidence_nodes::log.eq(log.as_i32()))
                .filter(evidence_nodes::position.eq_any(&wanted))
                .select((evidence_nodes::position, evidence_nodes::hash))
                .load(connection)?;
            let found: HashMap<i64, Vec<u8>> = rows.into_iter().collect();
            wanted
                .iter()
                .map(|position| {
                    let hash = found.get(position).cloned();
                    digest(stored::required("node of the tree", hash)?)
                })
                .collect()
        })
    }

    fn add_checkpoint(
        &mut self,
        log: LogId,
        head: &LogHead,
        previous: u64,
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("add a checkpoint", |connection| {
            let values = checkpoints::sealed_values(log, head, previous, at);
            let seal = seal(connection, encryption, &values)?;
            diesel::insert_into(evidence_checkpoints::table)
                .values((
                    evidence_checkpoints::log.eq(log.as_i32()),
                    evidence_checkpoints::size.eq(column(head.size)?),
                    evidence_checkpoints::root.eq(head.root.as_bytes().as_slice()),
                    evidence_checkpoints::made_at.eq(at),
                    evidence_checkpoints::previous.eq(column(previous)?),
                    evidence_checkpoints::seal.eq(seal),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn sign_checkpoint(&mut self, log: LogId, size: u64, note: &str) -> Result<(), DatabaseError> {
        self.run("sign a checkpoint", |connection| {
            let unsigned = evidence_checkpoints::table
                .find((log.as_i32(), column(size)?))
                .filter(evidence_checkpoints::note.is_null());
            diesel::update(unsigned)
                .set(evidence_checkpoints::note.eq(note))
                .execute(connection)?;
            Ok(())
        })
    }

    fn newest_checkpoint(&mut self, log: LogId) -> Result<Option<StoredCheckpoint>, DatabaseError> {
        self.run("find the newest checkpoint", |connection| {
            checkpoints::newest_signed(connection, log, i64::MAX)
        })
    }

    fn signed_checkpoint_before(
        &mut self,
        log: LogId,
        size: u64,
    ) -> Result<Option<StoredCheckpoint>, DatabaseError> {
        self.run("find the checkpoint before one", |connection| {
            checkpoints::newest_signed(connection, log, column(size)? - 1)
        })
    }

    fn chained_checkpoints(
        &mut self,
        log: LogId,
        size: u64,
        limit: i64,
    ) -> Result<Vec<ChainedCheckpoint>, DatabaseError> {
        let encryption = self.encryption;
        self.run("follow the chain of checkpoints", |connection| {
            checkpoints::chained_from(connection, encryption, log, size, limit)
        })
    }

    fn first_checkpoint_of_at_least(
        &mut self,
        log: LogId,
        size: u64,
    ) -> Result<Option<StoredCheckpoint>, DatabaseError> {
        self.run("find a checkpoint", |connection| {
            let mut found = checkpoints::signed_from(connection, log, size, 1)?;
            Ok(found.pop())
        })
    }

    fn signed_checkpoints(
        &mut self,
        log: LogId,
        size: u64,
        limit: i64,
    ) -> Result<Vec<StoredCheckpoint>, DatabaseError> {
        self.run("list checkpoints", |connection| {
            checkpoints::signed_from(connection, log, size, limit)
        })
    }

    fn is_signed_for(&mut self, row: i64) -> Result<bool, DatabaseError> {
        self.run("find the checkpoint of an event", |connection| {
            let found: Option<(Option<i32>, Option<i64>)> = evidence_events::table
                .find(row)
                .select((evidence_events::log, evidence_events::place))
                .first(connection)
                .optional()?;
            let Some((Some(log), Some(place))) = found else {
                return Ok(false);
            };
            checkpoints::is_covered(connection, log, place)
        })
    }

    fn add_log_key(&mut self, key: &StoredLogKey) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("add a key to a log", |connection| {
            keys::add(connection, encryption, key)
        })
    }

    fn log_keys(&mut self, log: LogId) -> Result<Vec<StoredLogKey>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("read the keys of a log", |connection| {
            keys::of_log(connection, encryption, &readable, log)
        })
    }

    fn log_origins(&mut self) -> Result<Vec<(LogId, String)>, DatabaseError> {
        self.run("list the logs", |connection| {
            let rows: Vec<(i32, String)> = evidence_logs::table
                .order(evidence_logs::number)
                .select((evidence_logs::number, evidence_logs::origin))
                .load(connection)?;
            let logs = rows.into_iter();
            Ok(logs
                .map(|(number, origin)| (LogId::from_stored(number), origin))
                .collect())
        })
    }

    fn events_of(
        &mut self,
        idea: IdeaId,
        paging: Paging,
    ) -> Result<Page<StoredEvent>, DatabaseError> {
        self.run("list the events of an idea", |connection| {
            let after = paging.after.unwrap_or(Cursor::NEWEST);
            let rows: Vec<EventRow> = evidence_events::table
                .filter(evidence_events::idea_id.eq(idea.as_i64()))
                .filter(evidence_events::seq.lt(after.row))
                .order(evidence_events::seq.desc())
                .limit(paging.size.rows_to_read())
                .select(EventRow::as_select())
                .load(connection)?;
            let rows = rows.into_iter().map(|row| {
                let event = row.into_event()?;
                let cursor = Cursor {
                    at: event.at,
                    step: 0,
                    row: event.row,
                };
                Ok((cursor, event))
            });
            Ok(Page::new(rows.collect::<QueryResult<_>>()?, paging.size))
        })
    }

    fn newest_event(
        &mut self,
        kind: EventKind,
        idea: IdeaId,
        recipient: Option<RecipientId>,
    ) -> Result<Option<StoredEvent>, DatabaseError> {
        self.run("find an event", |connection| {
            let mut events = evidence_events::table
                .filter(evidence_events::idea_id.eq(idea.as_i64()))
                .filter(evidence_events::kind.eq(kind.as_str()))
                .order(evidence_events::seq.desc())
                .select(EventRow::as_select())
                .into_boxed();
            if let Some(recipient) = recipient {
                events = events.filter(evidence_events::recipient_id.eq(recipient.to_string()));
            }
            let found: Option<EventRow> = events.first(connection).optional()?;
            found.map(EventRow::into_event).transpose()
        })
    }

    fn events_about_log(&mut self, log: LogId) -> Result<Vec<StoredEvent>, DatabaseError> {
        self.run("list the events of a log", |connection| {
            let rows: Vec<EventRow> = evidence_events::table
                .filter(evidence_events::log.eq(log.as_i32()))
                .filter(evidence_events::idea_id.is_null())
                .order(evidence_events::place)
                .select(EventRow::as_select())
                .load(connection)?;
            rows.into_iter().map(EventRow::into_event).collect()
        })
    }

    fn entries(
        &mut self,
        log: LogId,
        first: u64,
        count: u64,
    ) -> Result<Vec<Digest>, DatabaseError> {
        self.run("read entries of a log", |connection| {
            let rows: Vec<Vec<u8>> = evidence_events::table
                .filter(evidence_events::log.eq(log.as_i32()))
                .filter(evidence_events::place.ge(column(first)?))
                .filter(evidence_events::place.lt(column(first.saturating_add(count))?))
                .order(evidence_events::place)
                .select(evidence_events::digest)
                .load(connection)?;
            rows.into_iter().map(digest).collect()
        })
    }

    fn event_rows_after(
        &mut self,
        idea: Option<IdeaId>,
        after: i64,
        limit: i64,
    ) -> Result<Vec<i64>, DatabaseError> {
        self.run("list rows of events", |connection| {
            let mut rows = evidence_events::table
                .filter(evidence_events::seq.gt(after))
                .order(evidence_events::seq)
                .limit(limit)
                .select(evidence_events::seq)
                .into_boxed();
            if let Some(idea) = idea {
                rows = rows.filter(evidence_events::idea_id.eq(idea.as_i64()));
            }
            Ok(rows.load(connection)?)
        })
    }

    fn events_in(&mut self, rows: &[i64]) -> Result<Vec<StoredEvent>, DatabaseError> {
        self.run("read events", |connection| {
            let found: Vec<EventRow> = evidence_events::table
                .filter(evidence_events::seq.eq_any(rows))
                .select(EventRow::as_select())
                .load(connection)?;
            let mut events = HashMap::with_capacity(found.len());
            for row in found {
                let event = row.into_event()?;
                events.insert(event.row, event);
            }
            rows.iter()
                .map(|row| stored::required("event", events.remove(row)))
                .collect()
        })
    }

    fn disclosures_of(
        &mut self,
        events: &[&StoredEvent],
    ) -> Result<Vec<Disclosures>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("read the disclosures of events", |connection| {
            disclosures::of_events(connection, encryption, &readable, events)
        })
    }

    fn newest_idea(&mut self) -> Result<Option<IdeaId>, DatabaseError> {
        self.run("find the newest idea", |connection| {
            let newest: Option<i64> = ideas::table.select(max(ideas::id)).first(connection)?;
            Ok(newest.map(IdeaId::from))
        })
    }

    fn skip_idea_numbers(&mut self, newest: IdeaId) -> Result<(), DatabaseError> {
        self.run("skip the numbers of ideas", |connection| {
            for statement in SKIP_IDEA_NUMBERS {
                diesel::sql_query(*statement)
                    .bind::<BigInt, _>(newest.as_i64())
                    .execute(connection)?;
            }
            Ok(())
        })
    }

    fn erasures(
        &mut self,
        idea: IdeaId,
        reader: Option<RecipientId>,
    ) -> Result<Vec<i64>, DatabaseError> {
        self.run("find erasures", |connection| {
            let erasures = evidence_events::table
                .filter(evidence_events::idea_id.eq(idea.as_i64()))
                .filter(evidence_events::kind.eq(person_erased()))
                .select(evidence_events::seq);
            Ok(match reader {
                Some(reader) => erasures
                    .filter(evidence_events::recipient_id.eq(reader.to_string()))
                    .load(connection)?,
                None => erasures
                    .filter(evidence_events::recipient_id.is_null())
                    .load(connection)?,
            })
        })
    }
}
