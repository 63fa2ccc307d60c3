//! Seals of the rows of the log under another master key.

use diesel::dsl::{exists, not};
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, NullableExpressionMethods, QueryDsl, RunQueryDsl,
    SelectableHelper,
};

use ideavault_domain::evidence::LogId;
use ideavault_domain::keys::MasterSealed;

use super::super::Connection;
use super::super::anchors::{AnchorRow, sealed_values as values_of_anchor};
use super::super::evidence_log::values_of_checkpoint;
use super::super::schema::{evidence_anchors, evidence_checkpoints, evidence_events};
use super::super::seals::SealedEvent;
use super::{Batch, ID_LENGTH, part};
use crate::error::QueryResult;

const EVENTS: &str = "seal of event";
const CHECKPOINTS: &str = "seal of checkpoint";
const ANCHORS: &str = "seal of confirmation";

/// Only of events that no signed checkpoint covers: for the others, the tree speaks.
pub(super) fn rewrap_events(
    connection: &mut Connection,
    batch: &mut Batch<'_>,
) -> QueryResult<usize> {
    let damaged = batch.damaged_in(EVENTS);
    let damaged = damaged.iter().filter_map(|row| row.parse::<i64>().ok());
    let covering = evidence_checkpoints::table
        .filter(
            evidence_checkpoints::log
                .nullable()
                .eq(evidence_events::log),
        )
        .filter(
            evidence_checkpoints::size
                .nullable()
                .gt(evidence_events::place),
        )
        .filter(evidence_checkpoints::note.is_not_null());
    let rows: Vec<SealedEvent> = evidence_events::table
        .filter(part(evidence_events::seal, 1, ID_LENGTH).ne(batch.current))
        .filter(evidence_events::place.is_null().or(not(exists(covering))))
        .filter(evidence_events::seq.ne_all(damaged))
        .order(evidence_events::seq)
        .limit(batch.limit)
        .select(SealedEvent::as_select())
        .load(connection)?;
    for row in &rows {
        let (id, values) = (row.seq.to_string(), row.values());
        let what = MasterSealed::Row(&values);
        if let Some(new) = batch.rewrap((EVENTS, &id), what, &row.seal) {
            diesel::update(evidence_events::table.find(row.seq))
                .set(evidence_events::seal.eq(new))
                .execute(connection)?;
        }
    }
    Ok(rows.len())
}

pub(super) fn rewrap_checkpoints(
    connection: &mut Connection,
    batch: &mut Batch<'_>,
) -> QueryResult<usize> {
    let damaged = batch.damaged_in(CHECKPOINTS);
    let keys: Vec<(i32, i64, Vec<u8>)> = evidence_checkpoints::table
        .filter(part(evidence_checkpoints::seal, 1, ID_LENGTH).ne(batch.current))
        .order((evidence_checkpoints::log, evidence_checkpoints::size))
        .limit(
            batch
                .limit
                .saturating_add(i64::try_from(damaged.len()).unwrap_or(0)),
        )
        .select((
            evidence_checkpoints::log,
            evidence_checkpoints::size,
            evidence_checkpoints::seal,
        ))
        .load(connection)?;
    let mut processed = 0;
    for (log, size, seal) in keys {
        let id = format!("{log} {size}");
        if damaged.contains(&id) {
            continue;
        }
        processed += 1;
        let values = values_of_checkpoint(connection, LogId::from_stored(log), size)?;
        let what = MasterSealed::Row(&values);
        if let Some(new) = batch.rewrap((CHECKPOINTS, &id), what, &seal) {
            diesel::update(evidence_checkpoints::table.find((log, size)))
                .set(evidence_checkpoints::seal.eq(new))
                .execute(connection)?;
        }
    }
    Ok(processed)
}

pub(super) fn rewrap_anchors(
    connection: &mut Connection,
    batch: &mut Batch<'_>,
) -> QueryResult<usize> {
    let damaged = batch.damaged_in(ANCHORS);
    let rows: Vec<(AnchorRow, Vec<u8>)> = evidence_anchors::table
        .filter(evidence_anchors::seal.is_not_null())
        .filter(part(evidence_anchors::seal.assume_not_null(), 1, ID_LENGTH).ne(batch.current))
        .order((evidence_anchors::log, evidence_anchors::size))
        .limit(
            batch
                .limit
                .saturating_add(i64::try_from(damaged.len()).unwrap_or(0)),
        )
        .select((
            AnchorRow::as_select(),
            evidence_anchors::seal.assume_not_null(),
        ))
        .load(connection)?;
    let mut processed = 0;
    for (row, seal) in rows {
        let key = row.key();
        let id = format!("{key:?}");
        if damaged.contains(&id) {
            continue;
        }
        processed += 1;
        let values = values_of_anchor(&row.into_anchor()?);
        let what = MasterSealed::Row(&values);
        if let Some(new) = batch.rewrap((ANCHORS, &id), what, &seal) {
            let (log, size, kind, name) = key;
            diesel::update(evidence_anchors::table.find((log, size, kind, name)))
                .set(evidence_anchors::seal.eq(new))
                .execute(connection)?;
        }
    }
    Ok(processed)
}
