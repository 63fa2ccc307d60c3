//! Which ideas have a public record.

use diesel::dsl::exists;
use diesel::prelude::{ExpressionMethods, OptionalExtension, QueryDsl, RunQueryDsl};

use ideavault_domain::Timestamp;
use ideavault_domain::idea::DocumentId;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{DatabaseError, PublicRecords};

use super::Repository;
use super::schema::{ideas, public_records};

impl PublicRecords for Repository<'_> {
    fn set_public_record(
        &mut self,
        idea: IdeaId,
        since: Option<Timestamp>,
    ) -> Result<(), DatabaseError> {
        self.run("change a public record", |connection| {
            let id = idea.as_i64();
            match since {
                Some(since) => diesel::insert_into(public_records::table)
                    .values((
                        public_records::idea_id.eq(id),
                        public_records::since.eq(since),
                    ))
                    .on_conflict_do_nothing()
                    .execute(connection)?,
                None => diesel::delete(public_records::table.find(id)).execute(connection)?,
            };
            Ok(())
        })
    }

    fn has_public_record(&mut self, idea: IdeaId) -> Result<bool, DatabaseError> {
        self.run("look for a public record", |connection| {
            let found = exists(public_records::table.find(idea.as_i64()));
            Ok(diesel::select(found).get_result(connection)?)
        })
    }

    fn publicly_recorded(
        &mut self,
        document: &DocumentId,
    ) -> Result<Option<IdeaId>, DatabaseError> {
        self.run("find a public record", |connection| {
            let id: Option<i64> = public_records::table
                .inner_join(ideas::table)
                .filter(ideas::document_id.eq(document.as_str()))
                .select(ideas::id)
                .first(connection)
                .optional()?;
            Ok(id.map(IdeaId::from))
        })
    }
}
