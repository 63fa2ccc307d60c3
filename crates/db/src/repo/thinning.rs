//! Erasure of old revisions of drafts; see `docs/rules.md#revisions`.

use std::collections::HashSet;

use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl, RunQueryDsl,
};

use ideavault_domain::Timestamp;
use ideavault_domain::evidence::{EventKind, recorded_revision};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::thinning::KeptRevision;

use super::Connection;
use super::idea_rows::DRAFT;
use super::schema::{
    evidence_events, idea_revisions, ideas, nda_acceptances, revision_files, shares, view_grants,
};
use crate::error::QueryResult;
use crate::stored::Time;

/// Most revision numbers in one statement: SQLite limits the number of parameters.
const BATCH: usize = 500;

pub(super) fn drafts_with_old_revisions(
    connection: &mut Connection,
    before: Timestamp,
    after: Option<IdeaId>,
    limit: i64,
) -> QueryResult<Vec<IdeaId>> {
    let ids: Vec<i64> = idea_revisions::table
        .inner_join(ideas::table.on(ideas::id.eq(idea_revisions::idea_id)))
        .filter(idea_revisions::idea_id.gt(after.map_or(0, IdeaId::as_i64)))
        .filter(idea_revisions::content.is_not_null())
        .filter(idea_revisions::created_at.lt(before))
        .filter(idea_revisions::number.lt(ideas::revision))
        .filter(ideas::status.eq(DRAFT))
        .filter(ideas::deleted_at.is_null())
        .order(idea_revisions::idea_id)
        .select(idea_revisions::idea_id)
        .distinct()
        .limit(limit)
        .load(connection)?;
    Ok(ids.into_iter().map(IdeaId::from).collect())
}

pub(super) fn kept_revisions(
    connection: &mut Connection,
    idea: i64,
) -> QueryResult<Vec<KeptRevision>> {
    let current: i32 = ideas::table
        .find(idea)
        .select(ideas::revision)
        .first(connection)?;
    let mut needed: HashSet<i32> = nda_acceptances::table
        .inner_join(shares::table.on(shares::id.eq(nda_acceptances::share_id)))
        .filter(shares::idea_id.eq(idea))
        .select(nda_acceptances::revision)
        .distinct()
        .load(connection)?
        .into_iter()
        .collect();
    let viewed: Vec<i32> = view_grants::table
        .inner_join(shares::table.on(shares::id.eq(view_grants::share_id)))
        .filter(shares::idea_id.eq(idea))
        .select(view_grants::revision)
        .distinct()
        .load(connection)?;
    needed.extend(viewed);
    needed.insert(current);
    let recorded: HashSet<String> = evidence_events::table
        .filter(evidence_events::idea_id.eq(idea))
        .filter(evidence_events::kind.eq(EventKind::RevisionRecorded.as_str()))
        .filter(evidence_events::once.is_not_null())
        .select(evidence_events::once.assume_not_null())
        .load(connection)?
        .into_iter()
        .collect();
    let rows: Vec<(i32, Time)> = idea_revisions::table
        .filter(idea_revisions::idea_id.eq(idea))
        .filter(idea_revisions::content.is_not_null())
        .order(idea_revisions::number.desc())
        .select((idea_revisions::number, idea_revisions::created_at))
        .load(connection)?;
    let kept = rows.into_iter().map(|(number, created_at)| KeptRevision {
        number,
        created_at: created_at.into(),
        is_needed: needed.contains(&number)
            || recorded.contains(&recorded_revision(idea.into(), number)),
    });
    Ok(kept.collect())
}

pub(super) fn erase_revisions(
    connection: &mut Connection,
    idea: i64,
    numbers: &[i32],
) -> QueryResult<usize> {
    let Some(newest) = numbers.iter().max() else {
        return Ok(0);
    };
    let draft = ideas::table
        .find(idea)
        .filter(ideas::status.eq(DRAFT))
        .filter(ideas::deleted_at.is_null())
        .filter(ideas::revision.gt(newest));
    // Changes nothing, but locks the idea against a concurrent publication.
    let is_draft = diesel::update(draft)
        .set(ideas::revision.eq(ideas::revision))
        .execute(connection)?;
    if is_draft == 0 {
        return Ok(0);
    }
    let mut erased = 0;
    for batch in numbers.chunks(BATCH) {
        let shown = revision_files::table
            .filter(revision_files::idea_id.eq(idea))
            .filter(revision_files::number.eq_any(batch));
        diesel::delete(shown).execute(connection)?;
        let kept = idea_revisions::table
            .filter(idea_revisions::idea_id.eq(idea))
            .filter(idea_revisions::number.eq_any(batch))
            .filter(idea_revisions::content.is_not_null());
        erased += diesel::update(kept)
            .set(idea_revisions::content.eq(None::<Vec<u8>>))
            .execute(connection)?;
    }
    Ok(erased)
}
