//! Queries of checkpoints.

use diesel::dsl::{auto_type, exists};
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, Queryable,
    RunQueryDsl,
};

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::{ChainedCheckpoint, Log, LogHead, LogId, StoredCheckpoint};
use ideavault_domain::ports::Encryption;

use super::super::Connection;
use super::super::schema::{evidence_checkpoints, evidence_logs};
use super::super::seals::is_sealed;
use super::rows::{column, digest, natural};
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable)]
struct CheckpointRow {
    log: i32,
    size: i64,
    root: Vec<u8>,
    made_at: Time,
    note: Option<String>,
    origin: String,
}

impl CheckpointRow {
    /// Parses the row of a checkpoint that may be unsigned: the state of its log.
    fn into_log(self) -> QueryResult<Log> {
        Ok(Log {
            id: LogId::from_stored(self.log),
            head: LogHead {
                origin: self.origin,
                size: natural(self.size)?,
                root: digest(self.root)?,
            },
        })
    }

    /// Parses the row of a signed checkpoint.
    fn into_signed(mut self) -> QueryResult<StoredCheckpoint> {
        let made_at = self.made_at.into();
        let note = stored::required("note of a signed checkpoint", self.note.take())?;
        let Log { id, head } = self.into_log()?;
        Ok(StoredCheckpoint {
            log: id,
            head,
            made_at,
            note,
        })
    }
}

/// Returns the newest log with the state of its newest checkpoint, signed or not.
pub(super) fn current_log(connection: &mut Connection) -> QueryResult<Option<Log>> {
    let newest: Option<CheckpointRow> = checkpoints()
        .order((
            evidence_checkpoints::log.desc(),
            evidence_checkpoints::size.desc(),
        ))
        .select(CHECKPOINT)
        .first(connection)
        .optional()?;
    newest.map(CheckpointRow::into_log).transpose()
}

/// Returns the newest signed checkpoint of a log with at most that size.
pub(super) fn newest_signed(
    connection: &mut Connection,
    log: LogId,
    size_max: i64,
) -> QueryResult<Option<StoredCheckpoint>> {
    checkpoints()
        .filter(is_signed(log.as_i32()))
        .filter(evidence_checkpoints::size.le(size_max))
        .order(evidence_checkpoints::size.desc())
        .select(CHECKPOINT)
        .first::<CheckpointRow>(connection)
        .optional()?
        .map(CheckpointRow::into_signed)
        .transpose()
}

/// Returns up to `limit` signed checkpoints of a log with at least that size, smallest first.
pub(super) fn signed_from(
    connection: &mut Connection,
    log: LogId,
    size: u64,
    limit: i64,
) -> QueryResult<Vec<StoredCheckpoint>> {
    checkpoints()
        .filter(is_signed(log.as_i32()))
        .filter(evidence_checkpoints::size.ge(column(size)?))
        .order(evidence_checkpoints::size)
        .limit(limit)
        .select(CHECKPOINT)
        .load::<CheckpointRow>(connection)?
        .into_iter()
        .map(CheckpointRow::into_signed)
        .collect()
}

/// Returns what the seal of a checkpoint is about: its root, and that no other one is between
/// it and the one before.
pub(super) fn sealed_values(log: LogId, head: &LogHead, previous: u64, at: Timestamp) -> String {
    let LogHead { origin, size, root } = head;
    let (log, at) = (log.as_i32(), at.timestamp_micros());
    format!("checkpoint {log} {origin} {size} after {previous}: {root} at {at}")
}

/// Returns what the seal of a stored checkpoint is about.
pub(in super::super) fn values_of(
    connection: &mut Connection,
    log: LogId,
    size: i64,
) -> QueryResult<String> {
    let (origin, root, made_at, previous): (String, Vec<u8>, Time, i64) = checkpoints()
        .filter(evidence_checkpoints::log.eq(log.as_i32()))
        .filter(evidence_checkpoints::size.eq(size))
        .select((
            evidence_logs::origin,
            evidence_checkpoints::root,
            evidence_checkpoints::made_at,
            evidence_checkpoints::previous,
        ))
        .first(connection)?;
    let head = LogHead {
        origin,
        size: natural(size)?,
        root: digest(root)?,
    };
    Ok(sealed_values(
        log,
        &head,
        natural(previous)?,
        made_at.into(),
    ))
}

/// Returns up to `limit` checkpoints of a log with at least that size, signed or not, smallest
/// first.
pub(super) fn chained_from(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    log: LogId,
    size: u64,
    limit: i64,
) -> QueryResult<Vec<ChainedCheckpoint>> {
    type Row = (String, i64, Vec<u8>, Time, i64, Vec<u8>);
    let rows: Vec<Row> = checkpoints()
        .filter(evidence_checkpoints::log.eq(log.as_i32()))
        .filter(evidence_checkpoints::size.ge(column(size)?))
        .order(evidence_checkpoints::size)
        .limit(limit)
        .select((
            evidence_logs::origin,
            evidence_checkpoints::size,
            evidence_checkpoints::root,
            evidence_checkpoints::made_at,
            evidence_checkpoints::previous,
            evidence_checkpoints::seal,
        ))
        .load(connection)?;
    rows.into_iter()
        .map(|(origin, size, root, made_at, previous, seal)| {
            let head = LogHead {
                origin,
                size: natural(size)?,
                root: digest(root)?,
            };
            let previous = natural(previous)?;
            let values = sealed_values(log, &head, previous, made_at.into());
            let is_sealed = is_sealed(connection, encryption, &values, &seal)?;
            Ok(ChainedCheckpoint {
                head,
                previous,
                is_sealed,
            })
        })
        .collect()
}

/// Returns whether a signed checkpoint covers that place.
pub(super) fn is_covered(connection: &mut Connection, log: i32, place: i64) -> QueryResult<bool> {
    let covering = evidence_checkpoints::table
        .filter(is_signed(log))
        .filter(evidence_checkpoints::size.gt(place));
    Ok(diesel::select(exists(covering)).get_result(connection)?)
}

/// Returns the condition that a checkpoint is a signed one of that log.
#[auto_type]
fn is_signed(log: i32) -> _ {
    evidence_checkpoints::log
        .eq(log)
        .and(evidence_checkpoints::note.is_not_null())
}

type Checkpoints = diesel::dsl::InnerJoinOn<
    evidence_checkpoints::table,
    evidence_logs::table,
    diesel::dsl::Eq<evidence_logs::number, evidence_checkpoints::log>,
>;

fn checkpoints() -> Checkpoints {
    evidence_checkpoints::table
        .inner_join(evidence_logs::table.on(evidence_logs::number.eq(evidence_checkpoints::log)))
}

type CheckpointColumns = (
    evidence_checkpoints::log,
    evidence_checkpoints::size,
    evidence_checkpoints::root,
    evidence_checkpoints::made_at,
    evidence_checkpoints::note,
    evidence_logs::origin,
);

const CHECKPOINT: CheckpointColumns = (
    evidence_checkpoints::log,
    evidence_checkpoints::size,
    evidence_checkpoints::root,
    evidence_checkpoints::made_at,
    evidence_checkpoints::note,
    evidence_logs::origin,
);
