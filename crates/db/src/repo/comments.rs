use std::collections::HashMap;
use std::collections::hash_map::Entry;

use diesel::dsl::auto_type;
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, QueryDsl, QueryResult, Queryable,
    RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::comment::{Comment, CommentText};
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::{Comments, StoreError};
use ideavault_domain::text::PersonName;

use super::Repository;
use super::schema::{comments, idea_keys};
use super::sealed::{Remark, Sealable as _};
use super::seals::{Realm, Seal, content_seal};
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = comments)]
struct CommentRow {
    seq: i64,
    id: String,
    idea_id: i64,
    recipient_id: Option<String>,
    sealed: Vec<u8>,
    created_at: Time,
}

impl CommentRow {
    fn into_comment(self, seal: &Seal<'_>) -> QueryResult<(Cursor, Comment)> {
        let remark = Remark::open(seal, &self.id, &self.sealed)?;
        let cursor = Cursor {
            at: self.created_at.into(),
            row: self.seq,
            ..Cursor::OLDEST
        };
        let comment = Comment {
            id: stored::parsed("comment id", &self.id)?,
            idea: self.idea_id.into(),
            recipient: self
                .recipient_id
                .map(|id| stored::parsed("recipient id", &id))
                .transpose()?,
            author: PersonName::from_stored(remark.author),
            text: CommentText::from_stored(remark.text),
            created_at: cursor.at,
        };
        Ok((cursor, comment))
    }
}

/// The comments of a page. The first condition alone says where an index begins.
#[auto_type]
fn comments_after(cursor: Cursor) -> _ {
    let at: Timestamp = cursor.at;
    let row: i64 = cursor.row;
    let is_later = comments::created_at.gt(at).or(comments::seq.gt(row));
    comments::table
        .filter(comments::created_at.ge(at))
        .filter(is_later)
        .order((comments::created_at, comments::seq))
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

    fn comments_on(&mut self, idea: IdeaId, paging: Paging) -> Result<Page<Comment>, StoreError> {
        let vault = self.vault;
        self.run("list comments", |connection| {
            let Some(seal) = content_seal(connection, vault, idea.as_i64())? else {
                return Ok(Page::default());
            };
            let rows = comments_after(paging.after.unwrap_or(Cursor::OLDEST))
                .filter(comments::idea_id.eq(idea.as_i64()))
                .limit(paging.size.rows_to_read())
                .select(CommentRow::as_select())
                .load::<CommentRow>(connection)?
                .into_iter()
                .map(|row| row.into_comment(&seal))
                .collect::<QueryResult<_>>()?;
            Ok(Page::new(rows, paging.size))
        })
    }

    fn comments_for_owner(
        &mut self,
        owner: UserId,
        paging: Paging,
    ) -> Result<Page<Comment>, StoreError> {
        let vault = self.vault;
        self.run("list an owner's comments", |connection| {
            let mut seals = HashMap::new();
            let rows = comments_after(paging.after.unwrap_or(Cursor::OLDEST))
                .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(comments::idea_id)))
                .filter(comments::owner_id.eq(owner.to_string()))
                .limit(paging.size.rows_to_read())
                .select((CommentRow::as_select(), idea_keys::content))
                .load::<(CommentRow, Option<Vec<u8>>)>(connection)?
                .into_iter()
                .map(|(row, key)| {
                    let seal = match seals.entry(row.idea_id) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(new) => {
                            let key = stored::promised("key of an idea", key)?;
                            let seal = Seal::of_idea(vault, Realm::Content, row.idea_id, key)?;
                            new.insert(seal)
                        }
                    };
                    row.into_comment(seal)
                })
                .collect::<QueryResult<_>>()?;
            Ok(Page::new(rows, paging.size))
        })
    }
}
