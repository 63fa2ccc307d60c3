//! Confirmations of signed checkpoints by outsiders.

use diesel::expression_methods::{BoolExpressionMethods, ExpressionMethods};
use diesel::prelude::{
    OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Anchor, AnchorKind, AnchorService, AnchorState, LogId, Place};
use ideavault_domain::ports::{Anchors, DatabaseError};

use super::schema::evidence_anchors;
use super::seals::{is_sealed, seal};
use super::{Connection, Repository};
use crate::error::QueryResult;
use crate::stored::{self, Time};

/// Most anchors of one kind and state that are looked through for those of an event.
const COVERING_MAX: i64 = 16;
/// Most failing anchors that are reported.
const FAILING_MAX: i64 = 200;

#[derive(Queryable, Selectable)]
#[diesel(table_name = evidence_anchors)]
pub(super) struct AnchorRow {
    log: i32,
    size: i64,
    kind: String,
    name: String,
    state: String,
    attempts: i32,
    asked_at: Option<Time>,
    next_attempt_at: Option<Time>,
    error: Option<String>,
    artefact: Option<Vec<u8>>,
    chain: Option<String>,
    time: Option<Time>,
    block: Option<i64>,
}

impl AnchorRow {
    /// Returns its primary key.
    pub(super) fn key(&self) -> (i32, i64, String, String) {
        (self.log, self.size, self.kind.clone(), self.name.clone())
    }

    pub(super) fn into_anchor(self) -> QueryResult<Anchor> {
        let natural = |number: i64| stored::required("number", u64::try_from(number).ok());
        Ok(Anchor {
            log: LogId::from_stored(self.log),
            size: natural(self.size)?,
            service: AnchorService {
                kind: stored::parsed("kind of anchor", &self.kind)?,
                name: self.name,
            },
            state: stored::parsed("state of an anchor", &self.state)?,
            attempts: stored::required("number", u32::try_from(self.attempts).ok())?,
            asked_at: self.asked_at.map(Into::into),
            next_attempt_at: self.next_attempt_at.map(Into::into),
            error: self.error,
            artefact: self.artefact,
            chain: self.chain,
            time: self.time.map(Into::into),
            block: self.block.map(natural).transpose()?,
        })
    }
}

/// Returns what the seal of a confirmation, or of a promise of one, is about.
pub(super) fn sealed_values(anchor: &Anchor) -> String {
    let artefact = anchor.artefact.as_deref().map(Digest::of);
    let time = anchor.time.map(|time| time.timestamp_micros());
    let (log, size) = (anchor.log.as_i32(), anchor.size);
    let AnchorService { kind, name } = &anchor.service;
    let (kind, state) = (kind.as_str(), anchor.state.as_str());
    let facts = (artefact, &anchor.chain, time, anchor.block);
    format!("anchor {log} {size} {kind} {name:?} {state} {facts:?}")
}

fn column(number: u64) -> QueryResult<i64> {
    stored::required("number", i64::try_from(number).ok())
}

fn attempts_column(attempts: u32) -> QueryResult<i32> {
    stored::required("number", i32::try_from(attempts).ok())
}

type OfService = diesel::dsl::Filter<
    evidence_anchors::table,
    diesel::dsl::And<
        diesel::dsl::Eq<evidence_anchors::kind, &'static str>,
        diesel::dsl::Eq<evidence_anchors::name, String>,
    >,
>;

fn of_service(service: &AnchorService) -> OfService {
    let kind = evidence_anchors::kind.eq(service.kind.as_str());
    QueryDsl::filter(
        evidence_anchors::table,
        kind.and(evidence_anchors::name.eq(service.name.clone())),
    )
}

/// Returns the row of the anchor that has been due the longest.
fn longest_due(
    connection: &mut Connection,
    service: &AnchorService,
    now: Timestamp,
) -> QueryResult<Option<(i32, i64)>> {
    Ok(of_service(service)
        .filter(evidence_anchors::next_attempt_at.le(now))
        .order((evidence_anchors::next_attempt_at, evidence_anchors::size))
        .select((evidence_anchors::log, evidence_anchors::size))
        .first(connection)
        .optional()?)
}

/// Counts an attempt unless another server was faster.
fn claim(
    connection: &mut Connection,
    service: &AnchorService,
    (log, size): (i32, i64),
    now: Timestamp,
    lease_ends: Timestamp,
) -> QueryResult<Option<AnchorRow>> {
    let still_due = evidence_anchors::table
        .find((log, size, service.kind.as_str(), &service.name))
        .filter(evidence_anchors::next_attempt_at.le(now));
    Ok(diesel::update(still_due)
        .set((
            evidence_anchors::attempts.eq(evidence_anchors::attempts + 1),
            evidence_anchors::asked_at.eq(now),
            evidence_anchors::next_attempt_at.eq(lease_ends),
        ))
        .returning(AnchorRow::as_returning())
        .get_result(connection)
        .optional()?)
}

/// Adds an anchor unless its service has a better one.
fn add_service(found: &mut Vec<Anchor>, anchor: Anchor) {
    if !found.iter().any(|other| other.service == anchor.service) {
        found.push(anchor);
    }
}

impl Anchors for Repository<'_> {
    fn add_anchor(&mut self, anchor: &Anchor) -> Result<bool, DatabaseError> {
        self.run("add an anchor", |connection| {
            let added = diesel::insert_into(evidence_anchors::table)
                .values((
                    evidence_anchors::log.eq(anchor.log.as_i32()),
                    evidence_anchors::size.eq(column(anchor.size)?),
                    evidence_anchors::kind.eq(anchor.service.kind.as_str()),
                    evidence_anchors::name.eq(&anchor.service.name),
                    evidence_anchors::state.eq(anchor.state.as_str()),
                    evidence_anchors::attempts.eq(attempts_column(anchor.attempts)?),
                    evidence_anchors::next_attempt_at.eq(anchor.next_attempt_at),
                ))
                .on_conflict_do_nothing()
                .execute(connection)?;
            Ok(added == 1)
        })
    }

    fn newest_anchor(&mut self, service: &AnchorService) -> Result<Option<Anchor>, DatabaseError> {
        self.run("find the newest anchor", |connection| {
            of_service(service)
                .order((evidence_anchors::log.desc(), evidence_anchors::size.desc()))
                .select(AnchorRow::as_select())
                .first(connection)
                .optional()?
                .map(AnchorRow::into_anchor)
                .transpose()
        })
    }

    fn confirmed_size(
        &mut self,
        service: &AnchorService,
        log: LogId,
    ) -> Result<u64, DatabaseError> {
        self.run("find the newest confirmation", |connection| {
            let size: Option<i64> = of_service(service)
                .filter(evidence_anchors::log.eq(log.as_i32()))
                .filter(evidence_anchors::state.eq(AnchorState::Confirmed.as_str()))
                .order(evidence_anchors::size.desc())
                .select(evidence_anchors::size)
                .first(connection)
                .optional()?;
            stored::required("number", u64::try_from(size.unwrap_or(0)).ok())
        })
    }

    fn queue_unchecked(
        &mut self,
        service: &AnchorService,
        now: Timestamp,
    ) -> Result<(), DatabaseError> {
        self.run("queue unchecked blocks", |connection| {
            let unchecked = evidence_anchors::table
                .filter(evidence_anchors::kind.eq(service.kind.as_str()))
                .filter(evidence_anchors::name.eq(&service.name))
                .filter(evidence_anchors::state.eq(AnchorState::Pending.as_str()))
                .filter(evidence_anchors::next_attempt_at.is_null());
            diesel::update(unchecked)
                .set(evidence_anchors::next_attempt_at.eq(now))
                .execute(connection)?;
            Ok(())
        })
    }

    fn anchor_is_due(
        &mut self,
        service: &AnchorService,
        now: Timestamp,
    ) -> Result<bool, DatabaseError> {
        self.run("find a due anchor", |connection| {
            Ok(longest_due(connection, service, now)?.is_some())
        })
    }

    fn claim_anchor(
        &mut self,
        service: &AnchorService,
        now: Timestamp,
        lease_ends: Timestamp,
    ) -> Result<Option<Anchor>, DatabaseError> {
        self.run("claim an anchor", |connection| {
            let claimed = loop {
                let Some(due) = longest_due(connection, service, now)? else {
                    return Ok(None);
                };
                if let Some(claimed) = claim(connection, service, due, now, lease_ends)? {
                    break claimed;
                }
            };
            let mut anchor = claimed.into_anchor()?;
            if !anchor.was_taken() {
                anchor.state = AnchorState::Submitted;
                diesel::update(evidence_anchors::table.find((
                    anchor.log.as_i32(),
                    column(anchor.size)?,
                    service.kind.as_str(),
                    &service.name,
                )))
                .set(evidence_anchors::state.eq(anchor.state.as_str()))
                .execute(connection)?;
            }
            Ok(Some(anchor))
        })
    }

    fn release_anchor(
        &mut self,
        anchor: &Anchor,
        claimed_attempts: u32,
    ) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("store an anchor", |connection| {
            let own = evidence_anchors::table
                .find((
                    anchor.log.as_i32(),
                    column(anchor.size)?,
                    anchor.service.kind.as_str(),
                    &anchor.service.name,
                ))
                // The number of the attempt and its time identify the claim.
                .filter(evidence_anchors::attempts.eq(attempts_column(claimed_attempts)?))
                .filter(evidence_anchors::asked_at.eq(anchor.asked_at))
                .filter(evidence_anchors::state.ne(AnchorState::Confirmed.as_str()));
            let block = anchor.block.map(column).transpose()?;
            let seal = match anchor.was_taken() {
                true => Some(seal(connection, encryption, &sealed_values(anchor))?),
                false => None,
            };
            let released = diesel::update(own)
                .set((
                    evidence_anchors::state.eq(anchor.state.as_str()),
                    evidence_anchors::attempts.eq(attempts_column(anchor.attempts)?),
                    evidence_anchors::next_attempt_at.eq(anchor.next_attempt_at),
                    evidence_anchors::error.eq(&anchor.error),
                    evidence_anchors::artefact.eq(&anchor.artefact),
                    evidence_anchors::chain.eq(&anchor.chain),
                    evidence_anchors::time.eq(anchor.time),
                    evidence_anchors::block.eq(block),
                    evidence_anchors::seal.eq(seal),
                ))
                .execute(connection)?;
            Ok(released == 1)
        })
    }

    fn anchors_covering(
        &mut self,
        place: Place,
        since: Timestamp,
    ) -> Result<Vec<Anchor>, DatabaseError> {
        self.run("list the anchors of an event", |connection| {
            let mut found: Vec<Anchor> = Vec::new();
            for (state, has_block) in [
                (AnchorState::Confirmed, None),
                (AnchorState::Pending, Some(true)),
                (AnchorState::Pending, Some(false)),
                (AnchorState::Submitted, None),
                (AnchorState::Queued, None),
                (AnchorState::Refused, None),
            ] {
                for kind in [AnchorKind::Tsa, AnchorKind::Ots, AnchorKind::Witness] {
                    let mut anchors = evidence_anchors::table.into_boxed();
                    if let Some(has_block) = has_block {
                        let block = evidence_anchors::block.is_not_null();
                        anchors = anchors.filter(block.eq(has_block));
                    }
                    let rows: Vec<AnchorRow> = anchors
                        .filter(evidence_anchors::log.eq(place.log.as_i32()))
                        .filter(evidence_anchors::kind.eq(kind.as_str()))
                        .filter(evidence_anchors::state.eq(state.as_str()))
                        .filter(evidence_anchors::size.gt(column(place.index)?))
                        .order((evidence_anchors::size, evidence_anchors::name))
                        .limit(COVERING_MAX)
                        .select(AnchorRow::as_select())
                        .load(connection)?;
                    for row in rows {
                        add_service(&mut found, row.into_anchor()?);
                    }
                }
            }
            let taken = [AnchorState::Pending, AnchorState::Confirmed];
            let rows: Vec<AnchorRow> = evidence_anchors::table
                .filter(evidence_anchors::state.ne_all(taken.map(AnchorState::as_str)))
                .filter(evidence_anchors::next_attempt_at.ge(since))
                .order((evidence_anchors::kind, evidence_anchors::name))
                .limit(COVERING_MAX)
                .select(AnchorRow::as_select())
                .load(connection)?;
            for row in rows {
                add_service(&mut found, row.into_anchor()?);
            }
            Ok(found)
        })
    }

    fn unsealed_anchors(&mut self) -> Result<Vec<Anchor>, DatabaseError> {
        let encryption = self.encryption;
        self.run("compare anchors with their seals", |connection| {
            let rows: Vec<(AnchorRow, Option<Vec<u8>>)> = evidence_anchors::table
                .order((evidence_anchors::log, evidence_anchors::size))
                .select((AnchorRow::as_select(), evidence_anchors::seal))
                .load(connection)?;
            let mut unsealed = Vec::new();
            for (row, seal) in rows {
                let anchor = row.into_anchor()?;
                let values = sealed_values(&anchor);
                let is_own = match seal {
                    Some(seal) => is_sealed(connection, encryption, &values, &seal)?,
                    None => false,
                };
                if anchor.was_taken() && !is_own {
                    unsealed.push(anchor);
                }
            }
            Ok(unsealed)
        })
    }

    fn failing_anchors(&mut self, since: Timestamp) -> Result<Vec<Anchor>, DatabaseError> {
        self.run("list failing anchors", |connection| {
            let rows: Vec<AnchorRow> = evidence_anchors::table
                .filter(evidence_anchors::error.is_not_null())
                .filter(evidence_anchors::next_attempt_at.ge(since))
                .order((
                    evidence_anchors::kind,
                    evidence_anchors::name,
                    evidence_anchors::log.desc(),
                    evidence_anchors::size.desc(),
                ))
                .limit(FAILING_MAX)
                .select(AnchorRow::as_select())
                .load(connection)?;
            rows.into_iter().map(AnchorRow::into_anchor).collect()
        })
    }
}
