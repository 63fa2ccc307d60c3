//! The log of events that a stranger can check, and the tree over it.

mod append;
mod checkpoints;
mod rows;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use diesel::dsl::exists;
use diesel::prelude::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, RunQueryDsl, SelectableHelper,
};
use diesel::sql_types::Bool;

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{
    EarlierIdea, Event, EventKind, Log, LogHead, LogId, LogSeed, Node, Place, StoredCheckpoint,
    StoredEvent, StoredLogKey, UnplacedEvent,
};
use ideavault_domain::ids::{IdeaId, RecipientId};
use ideavault_domain::keys::MasterSealed;
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::{DatabaseError, Disclosures, Encryption, EvidenceLog};

use self::append::{append, current_origin, disclosure_aad};
use self::rows::{EventRow, column, digest, into_unplaced, natural};
use super::cipher::evidence_cipher;
use super::current_key::sealed_under_current;
use super::erased::{is_creator_erased, person_erased};
use super::facts::take_idea_before_log;
use super::schema::{
    evidence_checkpoints, evidence_disclosures, evidence_events, evidence_log_keys, evidence_logs,
    evidence_nodes,
};
use super::{Connection, Repository, TRY_LOCK_PLACES};
use crate::error::{QueryError, QueryResult};
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
            let origin = current_origin(connection)?;
            append(connection, encryption, &origin, event)
        })?;
        self.effects.queued |= recorded.is_some();
        Ok(recorded.is_some())
    }

    fn take_idea_before_log(&mut self) -> Result<Option<EarlierIdea>, DatabaseError> {
        self.run(
            "find what happened before the log began",
            take_idea_before_log,
        )
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
            add_key(connection, encryption, key)?;
            append(connection, encryption, origin, first)
        })
    }

    fn try_lock_places(&mut self) -> Result<bool, DatabaseError> {
        self.run("lock the places of events", |connection| {
            let row: LockRow = diesel::sql_query(TRY_LOCK_PLACES).get_result(connection)?;
            Ok(row.locked)
        })
    }

    fn unplaced_events(&mut self, limit: i64) -> Result<Vec<UnplacedEvent>, DatabaseError> {
        self.run("list events without a place", |connection| {
            evidence_events::table
                .filter(evidence_events::place.is_null())
                .order(evidence_events::seq)
                .limit(limit)
                .select((evidence_events::seq, evidence_events::digest))
                .load(connection)?
                .into_iter()
                .map(into_unplaced)
                .collect()
        })
    }

    fn events_beyond(
        &mut self,
        log: LogId,
        size: u64,
    ) -> Result<Vec<UnplacedEvent>, DatabaseError> {
        self.run("list events beyond a checkpoint", |connection| {
            evidence_events::table
                .filter(evidence_events::log.eq(log.as_i32()))
                .filter(evidence_events::place.ge(column(size)?))
                .order(evidence_events::place)
                .select((evidence_events::seq, evidence_events::digest))
                .load(connection)?
                .into_iter()
                .map(into_unplaced)
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
        at: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.run("add a checkpoint", |connection| {
            diesel::insert_into(evidence_checkpoints::table)
                .values((
                    evidence_checkpoints::log.eq(log.as_i32()),
                    evidence_checkpoints::size.eq(column(head.size)?),
                    evidence_checkpoints::root.eq(head.root.as_bytes().as_slice()),
                    evidence_checkpoints::made_at.eq(at),
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
            checkpoints::newest_signed(connection, log)
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
            add_key(connection, encryption, key)
        })
    }

    fn log_keys(&mut self, log: LogId) -> Result<Vec<StoredLogKey>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("read the keys of a log", |connection| {
            let rows: Vec<(i64, String, Vec<u8>)> = evidence_log_keys::table
                .filter(evidence_log_keys::log.eq(log.as_i32()))
                .order(evidence_log_keys::from_size)
                .select((
                    evidence_log_keys::from_size,
                    evidence_log_keys::vkey,
                    evidence_log_keys::seed,
                ))
                .load(connection)?;
            rows.into_iter()
                .map(|(from_size, vkey, sealed)| {
                    let seed = encryption
                        .open_with_master(MasterSealed::LogSeed(&vkey), &sealed)
                        .map_err(QueryError::Decryption)
                        .and_then(|seed| stored::required("key of the log", seed.try_into().ok()));
                    // Its public part is needed without it.
                    let seed =
                        readable.unless_damaged(connection, ("key of the log", &vkey), seed)?;
                    Ok(StoredLogKey {
                        log,
                        from_size: natural(from_size)?,
                        vkey,
                        seed: seed.map(LogSeed::from_random),
                    })
                })
                .collect()
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

    fn events_after(&mut self, after: i64, limit: i64) -> Result<Vec<StoredEvent>, DatabaseError> {
        self.run("list events", |connection| {
            let rows: Vec<EventRow> = evidence_events::table
                .filter(evidence_events::seq.gt(after))
                .order(evidence_events::seq)
                .limit(limit)
                .select(EventRow::as_select())
                .load(connection)?;
            rows.into_iter().map(EventRow::into_event).collect()
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
            let rows: Vec<(i64, String, Vec<u8>)> = evidence_disclosures::table
                .filter(evidence_disclosures::event.eq_any(events.iter().map(|event| event.row)))
                .order((evidence_disclosures::event, evidence_disclosures::name))
                .select((
                    evidence_disclosures::event,
                    evidence_disclosures::name,
                    evidence_disclosures::body,
                ))
                .load(connection)?;
            let mut sealed: HashMap<i64, Vec<(String, Vec<u8>)>> = HashMap::new();
            for (event, name, body) in rows {
                sealed.entry(event).or_default().push((name, body));
            }
            let mut ciphers = HashMap::new();
            let mut found = Vec::with_capacity(events.len());
            for event in events {
                let mut disclosures = Disclosures::default();
                for (name, body) in sealed.remove(&event.row).unwrap_or_default() {
                    let idea = stored::required("idea of an event", event.subject.idea)?;
                    let cipher = match ciphers.entry(idea) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(new) => {
                            let cipher = evidence_cipher(connection, encryption, idea.as_i64());
                            let what = ("evidence key of idea", idea.to_string());
                            let what = (what.0, what.1.as_str());
                            new.insert(readable.unless_damaged(connection, what, cipher)?)
                        }
                    };
                    let Some(cipher) = cipher else {
                        disclosures.damaged.push(name);
                        continue;
                    };
                    let body = cipher.open(&disclosure_aad(&name, &event.digest), &body);
                    let id = format!("{name} of event {}", event.row);
                    match readable.unless_damaged(connection, ("disclosure", &id), body)? {
                        Some(body) => disclosures.readable.push((name, body)),
                        None => disclosures.damaged.push(name),
                    }
                }
                found.push(disclosures);
            }
            Ok(found)
        })
    }

    fn is_erased(
        &mut self,
        idea: IdeaId,
        reader: Option<RecipientId>,
    ) -> Result<bool, DatabaseError> {
        self.run("find an erasure", |connection| {
            let Some(reader) = reader else {
                return is_creator_erased(connection, idea.as_i64());
            };
            let erasure = evidence_events::table
                .filter(evidence_events::idea_id.eq(idea.as_i64()))
                .filter(evidence_events::recipient_id.eq(reader.to_string()))
                .filter(evidence_events::kind.eq(person_erased()));
            Ok(diesel::select(exists(erasure)).get_result(connection)?)
        })
    }
}

fn add_key(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    key: &StoredLogKey,
) -> QueryResult<()> {
    let what = MasterSealed::LogSeed(&key.vkey);
    let seed = stored::required("key of the log", key.seed.as_ref())?;
    let seed = sealed_under_current(connection, encryption, what, seed.as_bytes())?;
    diesel::insert_into(evidence_log_keys::table)
        .values((
            evidence_log_keys::log.eq(key.log.as_i32()),
            evidence_log_keys::from_size.eq(column(key.from_size)?),
            evidence_log_keys::vkey.eq(&key.vkey),
            evidence_log_keys::seed.eq(seed),
        ))
        .execute(connection)?;
    Ok(())
}
