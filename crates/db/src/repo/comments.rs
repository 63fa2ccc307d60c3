use std::collections::HashMap;

use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl, QueryResult, Queryable,
    RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::comment::{Comment, CommentText};
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::ports::{Comments, StoreError};
use ideavault_domain::text::PersonName;

use super::Repository;
use super::schema::{comments, idea_keys, ideas};
use super::sealed::{Remark, Sealable as _};
use super::seals::{Realm, Seal, content_seal};
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = comments)]
struct CommentRow {
    id: String,
    idea_id: i64,
    recipient_id: Option<String>,
    sealed: Vec<u8>,
    created_at: Time,
}

impl CommentRow {
    fn into_comment(self, seal: &Seal<'_>) -> QueryResult<Comment> {
        let remark = Remark::open(seal, &self.id, &self.sealed)?;
        Ok(Comment {
            id: stored::parsed("comment id", &self.id)?,
            idea: self.idea_id.into(),
            recipient: self
                .recipient_id
                .map(|id| stored::parsed("recipient id", &id))
                .transpose()?,
            author: PersonName::from_stored(remark.author),
            text: CommentText::from_stored(remark.text),
            created_at: self.created_at.into(),
        })
    }
}

impl Comments for Repository<'_> {
    fn add_comment(&mut self, comment: &Comment) -> Result<(), StoreError> {
        let vault = self.vault;
        self.run("add a comment", |connection| {
            let id = comment.id.to_string();
            let idea = comment.idea.as_i64();
            // Without a key the draft is deleted: the schema refuses the row.
            let seal = match content_seal(connection, vault, idea)? {
                Some(seal) => seal,
                None => Seal::fresh(vault)?,
            };
            let remark = Remark {
                author: comment.author.to_string(),
                text: comment.text.as_str().to_owned(),
            };
            diesel::insert_into(comments::table)
                .values((
                    comments::id.eq(&id),
                    comments::idea_id.eq(idea),
                    comments::recipient_id.eq(comment.recipient.map(|id| id.to_string())),
                    comments::sealed.eq(remark.seal(&seal, &id)?),
                    comments::created_at.eq(comment.created_at),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    fn comments_on(&mut self, idea: IdeaId) -> Result<Vec<Comment>, StoreError> {
        let vault = self.vault;
        self.run("list comments", |connection| {
            let Some(seal) = content_seal(connection, vault, idea.as_i64())? else {
                return Ok(Vec::new());
            };
            comments::table
                .filter(comments::idea_id.eq(idea.as_i64()))
                .order((comments::created_at, comments::seq))
                .select(CommentRow::as_select())
                .load::<CommentRow>(connection)?
                .into_iter()
                .map(|row| row.into_comment(&seal))
                .collect()
        })
    }

    fn comments_for_owner(&mut self, owner: UserId) -> Result<Vec<Comment>, StoreError> {
        let vault = self.vault;
        self.run("list an owner's comments", |connection| {
            let keys = idea_keys::table
                .inner_join(ideas::table.on(ideas::id.eq(idea_keys::idea_id)))
                .filter(ideas::owner_id.eq(owner.to_string()))
                .filter(idea_keys::content.is_not_null())
                .select((idea_keys::idea_id, idea_keys::content.assume_not_null()))
                .load::<(i64, Vec<u8>)>(connection)?;
            let seals: HashMap<i64, Seal<'_>> = keys
                .into_iter()
                .map(|(idea, key)| Ok((idea, Seal::of_idea(vault, Realm::Content, idea, key)?)))
                .collect::<QueryResult<_>>()?;
            comments::table
                .inner_join(ideas::table.on(ideas::id.eq(comments::idea_id)))
                .filter(ideas::owner_id.eq(owner.to_string()))
                .order((comments::created_at, comments::seq))
                .select(CommentRow::as_select())
                .load::<CommentRow>(connection)?
                .into_iter()
                .map(|row| {
                    let seal = stored::promised("key of an idea", seals.get(&row.idea_id))?;
                    row.into_comment(seal)
                })
                .collect()
        })
    }
}
