use diesel::prelude::{ExpressionMethods, QueryDsl, RunQueryDsl, SelectableHelper};

use ideavault_domain::evidence::Fact;
use ideavault_domain::file::StoredFile;
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::{FileId, IdeaId};
use ideavault_domain::ports::{DatabaseError, Inspection};

use super::Repository;
use super::facts::facts_of;
use super::files::{FileRow, with_keys};
use super::idea_rows::IdeaRow;
use super::ideas::current;
use super::schema::{file_keys, files, idea_keys, idea_revisions, ideas};

impl Inspection for Repository<'_> {
    fn ideas_after(
        &mut self,
        after: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<Idea>, DatabaseError> {
        let vault = self.vault;
        self.run("inspect ideas", |connection| {
            current()
                .filter(ideas::id.gt(after.map_or(0, IdeaId::as_i64)))
                .order(ideas::id)
                .limit(limit)
                .select((
                    IdeaRow::as_select(),
                    idea_keys::content,
                    idea_revisions::sha256,
                ))
                .load::<(IdeaRow, Option<Vec<u8>>, Vec<u8>)>(connection)?
                .into_iter()
                .map(|(row, key, sha256)| row.into_idea(vault, key, &sha256))
                .collect()
        })
    }

    fn files_after(
        &mut self,
        after: Option<FileId>,
        limit: i64,
    ) -> Result<Vec<StoredFile>, DatabaseError> {
        let vault = self.vault;
        self.run("inspect files", |connection| {
            with_keys()
                .filter(files::id.gt(after.map(|id| id.to_string()).unwrap_or_default()))
                .order(files::id)
                .limit(limit)
                .select((FileRow::as_select(), file_keys::wrapped))
                .load::<(FileRow, Vec<u8>)>(connection)?
                .into_iter()
                .map(|(row, key)| row.into_file(vault, key))
                .collect()
        })
    }

    fn facts_of(&mut self, idea: IdeaId) -> Result<Vec<Fact>, DatabaseError> {
        self.run("inspect what happened to an idea", |connection| {
            facts_of(connection, idea.as_i64())
        })
    }
}
