use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, QueryDsl, QueryResult, Queryable, RunQueryDsl, Selectable,
    SelectableHelper,
};

use ideavault_domain::comment::{Comment, CommentText};
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::ports::{Comments, StoreError};
use ideavault_domain::text::PersonName;

use super::Repository;
use super::schema::{comments, ideas};
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = comments)]
struct CommentRow {
    id: String,
    idea_id: i64,
    recipient_id: Option<String>,
    author: String,
    content: String,
    created_at: Time,
}

impl CommentRow {
    fn into_comment(self) -> QueryResult<Comment> {
        Ok(Comment {
            id: stored::parsed("comment id", &self.id)?,
            idea: self.idea_id.into(),
            recipient: self
                .recipient_id
                .map(|id| stored::parsed("recipient id", &id))
                .transpose()?,
            author: PersonName::from_stored(self.author),
            text: CommentText::from_stored(self.content),
            created_at: self.created_at.into(),
        })
    }
}

impl Comments for Repository<'_> {
    fn add_comment(&mut self, comment: &Comment) -> Result<(), StoreError> {
        self.run("add a comment", |connection| {
            diesel::insert_into(comments::table)
                .values((
                    comments::id.eq(comment.id.to_string()),
                    comments::idea_id.eq(comment.idea.as_i64()),
                    comments::recipient_id.eq(comment.recipient.map(|id| id.to_string())),
                    comments::author.eq(comment.author.as_str()),
                    comments::content.eq(comment.text.as_str()),
                    comments::created_at.eq(comment.created_at),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn comments_on(&mut self, idea: IdeaId) -> Result<Vec<Comment>, StoreError> {
        self.run("list comments", |connection| {
            comments::table
                .filter(comments::idea_id.eq(idea.as_i64()))
                .order((comments::created_at, comments::seq))
                .select(CommentRow::as_select())
                .load(connection)?
                .into_iter()
                .map(CommentRow::into_comment)
                .collect()
        })
    }

    fn comments_for_owner(&mut self, owner: UserId) -> Result<Vec<Comment>, StoreError> {
        self.run("list an owner's comments", |connection| {
            comments::table
                .inner_join(ideas::table.on(ideas::id.eq(comments::idea_id)))
                .filter(ideas::owner_id.eq(owner.to_string()))
                .order((comments::created_at, comments::seq))
                .select(CommentRow::as_select())
                .load(connection)?
                .into_iter()
                .map(CommentRow::into_comment)
                .collect()
        })
    }
}
