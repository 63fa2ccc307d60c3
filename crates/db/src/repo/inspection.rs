//! Reads ideas and files whatever their state, for the checks of operators and of evidence.

use diesel::prelude::{
    ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl, SelectableHelper,
};

use ideavault_domain::evidence::Fact;
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::{FileId, IdeaId};
use ideavault_domain::ports::{DamagedValue, DatabaseError, IdeaOwner, Inspection};

use super::Repository;
use super::facts::facts_of;
use super::idea_rows::IdeaRow;
use super::ideas::{current, owner_of};
use super::schema::{file_keys, idea_keys, idea_revisions, ideas};
use crate::stored;

impl Inspection for Repository<'_> {
    fn idea_ids_after(
        &mut self,
        after: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<IdeaId>, DatabaseError> {
        self.run("inspect ideas", |connection| {
            let ids: Vec<i64> = ideas::table
                .filter(ideas::id.gt(after.map_or(0, IdeaId::as_i64)))
                .order(ideas::id)
                .limit(limit)
                .select(ideas::id)
                .load(connection)?;
            Ok(ids.into_iter().map(IdeaId::from).collect())
        })
    }

    fn inspected_idea(&mut self, id: IdeaId) -> Result<Option<Idea>, DatabaseError> {
        let encryption = self.encryption;
        self.run("inspect an idea", |connection| {
            current()
                .filter(ideas::id.eq(id.as_i64()))
                .select((
                    IdeaRow::as_select(),
                    idea_keys::content,
                    idea_revisions::sha256,
                ))
                .first::<(IdeaRow, Option<Vec<u8>>, Vec<u8>)>(connection)
                .optional()?
                .map(|(row, key, sha256)| row.into_idea(encryption, key, &sha256))
                .transpose()
        })
    }

    fn idea_owner_even_if_disabled(
        &mut self,
        id: IdeaId,
    ) -> Result<Option<IdeaOwner>, DatabaseError> {
        self.run("find the owner of an idea", |connection| {
            let found = owner_of(connection, id)?;
            Ok(found
                .filter(|found| !found.has_left)
                .map(|found| found.owner))
        })
    }

    fn left_out(&mut self) -> Vec<DamagedValue> {
        self.left_out.take()
    }

    fn file_ids_after(
        &mut self,
        after: Option<FileId>,
        limit: i64,
    ) -> Result<Vec<FileId>, DatabaseError> {
        self.run("inspect files", |connection| {
            // Deleted files have no key.
            let ids: Vec<String> = file_keys::table
                .filter(file_keys::file_id.gt(after.map(|id| id.to_string()).unwrap_or_default()))
                .order(file_keys::file_id)
                .limit(limit)
                .select(file_keys::file_id)
                .load(connection)?;
            ids.iter().map(|id| stored::parsed("file id", id)).collect()
        })
    }

    fn facts_of(&mut self, idea: IdeaId) -> Result<Vec<Fact>, DatabaseError> {
        self.run("inspect what happened to an idea", |connection| {
            facts_of(connection, idea.as_i64())
        })
    }
}
