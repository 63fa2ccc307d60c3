use diesel::prelude::{
    ExpressionMethods, QueryDsl, QueryResult, Queryable, RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::idea::{Draft, Revision};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::text::Title;

use super::Connection;
use super::schema::idea_revisions;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = idea_revisions)]
struct RevisionRow {
    number: i32,
    title: String,
    content_kind: String,
    sha256: String,
    created_at: Time,
}

impl RevisionRow {
    fn into_revision(self) -> QueryResult<Revision> {
        Ok(Revision {
            number: self.number,
            title: Title::from_stored(self.title),
            content_kind: stored::content_kind(&self.content_kind)?,
            sha256: stored::parsed("digest", &self.sha256)?,
            created_at: self.created_at.into(),
        })
    }
}

/// Newest first.
pub(super) fn revisions_of(
    connection: &mut Connection,
    idea: IdeaId,
) -> QueryResult<Vec<Revision>> {
    idea_revisions::table
        .filter(idea_revisions::idea_id.eq(idea.as_i64()))
        .order(idea_revisions::number.desc())
        .select(RevisionRow::as_select())
        .load(connection)?
        .into_iter()
        .map(RevisionRow::into_revision)
        .collect()
}

pub(super) fn insert_revision(
    connection: &mut Connection,
    idea: i64,
    number: i32,
    draft: &Draft,
    at: Timestamp,
) -> QueryResult<()> {
    diesel::insert_into(idea_revisions::table)
        .values((
            idea_revisions::idea_id.eq(idea),
            idea_revisions::number.eq(number),
            idea_revisions::title.eq(draft.title.as_str()),
            idea_revisions::content_kind.eq(draft.content.kind().as_str()),
            idea_revisions::sha256.eq(draft.sha256.to_string()),
            idea_revisions::created_at.eq(at),
            idea_revisions::content.eq(draft.content.to_stored()),
        ))
        .execute(connection)?;
    Ok(())
}
