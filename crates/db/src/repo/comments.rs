//! Comments on ideas, encrypted with the idea's content key.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::error::Error;
use std::str::FromStr;

use diesel::dsl::auto_type;
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, Queryable,
    RunQueryDsl, Selectable, SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::comment::{Comment, CommentScope, CommentText};
use ideavault_domain::ids::{CommentId, IdeaId, ShareId, UserId};
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::{Comments, DatabaseError, Encryption};
use ideavault_domain::recipient::ERASED_NAME;
use ideavault_domain::text::PersonName;

use super::cipher::{Cipher, IdeaKeyKind, content_cipher, content_cipher_of_account};
use super::damage::Readable;
use super::erased::is_erased;
use super::schema::{comments, idea_keys, ideas, users};
use super::sealed::{Remark, Sealable as _};
use super::{Connection, Repository};
use crate::error::{QueryResult, added_once};
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
    reply_to: Option<String>,
    share_id: Option<String>,
    edited_at: Option<Time>,
    withdrawn_at: Option<Time>,
}

impl CommentRow {
    fn cursor(&self) -> Cursor {
        Cursor {
            at: self.created_at.into(),
            row: self.seq,
            ..Cursor::OLDEST
        }
    }

    fn into_comment(self, cipher: &Cipher<'_>) -> QueryResult<Comment> {
        let remark = Remark::open(cipher, &self.id, &self.sealed)?;
        Ok(Comment {
            id: stored::parsed("comment id", &self.id)?,
            idea: self.idea_id.into(),
            recipient: parsed("recipient id", self.recipient_id)?,
            author: PersonName::from_stored(remark.author),
            text: CommentText::from_stored(remark.text),
            reply_to: parsed("comment id", self.reply_to)?,
            share: parsed("share id", self.share_id)?,
            created_at: self.created_at.into(),
            edited_at: self.edited_at.map(Into::into),
            withdrawn_at: self.withdrawn_at.map(Into::into),
        })
    }
}

/// The keys of an owner's ideas, each unwrapped once.
struct ContentCiphers<'v> {
    encryption: &'v dyn Encryption,
    owner: String,
    ciphers: HashMap<i64, Cipher<'v>>,
}

impl<'v> ContentCiphers<'v> {
    fn new(encryption: &'v dyn Encryption, owner: UserId) -> Self {
        Self {
            encryption,
            owner: owner.to_string(),
            ciphers: HashMap::new(),
        }
    }

    fn of(&mut self, idea: i64, key: Option<Vec<u8>>) -> QueryResult<&Cipher<'v>> {
        Ok(match self.ciphers.entry(idea) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let key = stored::required("key of an idea", key)?;
                let kind = IdeaKeyKind::Content;
                new.insert(Cipher::of_idea(
                    self.encryption,
                    kind,
                    idea,
                    &self.owner,
                    key,
                )?)
            }
        })
    }
}

fn parsed<T>(what: &'static str, id: Option<String>) -> QueryResult<Option<T>>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    id.map(|id| stored::parsed(what, &id)).transpose()
}

/// Returns author and text as they are stored. The author is a placeholder if the person was
/// erased since the registration was read; if not, nobody erases the person before this
/// transaction ends.
fn remark_of(connection: &mut Connection, comment: &Comment) -> QueryResult<Remark> {
    let is_author_erased = match comment.recipient {
        Some(recipient) => is_erased(connection, &recipient.to_string())?,
        None => false,
    };
    let author = if is_author_erased {
        ERASED_NAME.to_owned()
    } else {
        comment.author.to_string()
    };
    Ok(Remark {
        author,
        text: comment.text.as_str().to_owned(),
    })
}

/// The comments of a page. Only the first condition lets the database seek in the index.
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
    fn add_comment(&mut self, comment: &Comment) -> Result<(), DatabaseError> {
        let encryption = self.encryption;
        self.run("add a comment", |connection| {
            let id = comment.id.to_string();
            let idea = comment.idea.as_i64();
            // Locks the account before the comment, in the same order as account deletion, to
            // avoid a deadlock. A deleted draft has no key; a trigger then rejects this row.
            let cipher = match content_cipher_of_account(connection, encryption, idea)? {
                Some(cipher) => cipher,
                None => Cipher::generate(encryption)?,
            };
            let remark = remark_of(connection, comment)?;
            let added = diesel::insert_into(comments::table)
                .values((
                    comments::id.eq(&id),
                    comments::idea_id.eq(idea),
                    comments::recipient_id.eq(comment.recipient.map(|id| id.to_string())),
                    comments::sealed.eq(remark.seal(&cipher, &id)?),
                    comments::created_at.eq(comment.created_at),
                    comments::reply_to.eq(comment.reply_to.map(|id| id.to_string())),
                    comments::share_id.eq(comment.share.map(|id| id.to_string())),
                    comments::edited_at.eq(comment.edited_at),
                    comments::withdrawn_at.eq(comment.withdrawn_at),
                ))
                .on_conflict(comments::id)
                .do_nothing()
                .execute(connection)?;
            added_once(added)
        })
    }

    fn comment(&mut self, id: CommentId) -> Result<Option<Comment>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read a comment", |connection| {
            let row = comments::table
                .filter(comments::id.eq(id.to_string()))
                .select(CommentRow::as_select())
                .first::<CommentRow>(connection)
                .optional()?;
            let Some(row) = row else {
                return Ok(None);
            };
            let Some(cipher) = content_cipher(connection, encryption, row.idea_id)? else {
                return Ok(None);
            };
            row.into_comment(&cipher).map(Some)
        })
    }

    fn change_comment(&mut self, comment: &Comment) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        let changed = self.run("change a comment", |connection| {
            let idea = comment.idea.as_i64();
            let Some(cipher) = content_cipher_of_account(connection, encryption, idea)? else {
                return Ok(false);
            };
            let id = comment.id.to_string();
            let remark = remark_of(connection, comment)?;
            let not_withdrawn = comments::table
                .filter(comments::id.eq(&id))
                .filter(comments::withdrawn_at.is_null());
            let changed = diesel::update(not_withdrawn)
                .set((
                    comments::sealed.eq(remark.seal(&cipher, &id)?),
                    comments::edited_at.eq(comment.edited_at),
                    comments::withdrawn_at.eq(comment.withdrawn_at),
                ))
                .execute(connection)?;
            Ok(changed == 1)
        })?;
        // The former text must not stay in the write-ahead log.
        self.effects.erased |= changed;
        Ok(changed)
    }

    fn comments_on(
        &mut self,
        idea: IdeaId,
        scope: &CommentScope,
        paging: Paging,
    ) -> Result<Page<Comment>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list comments", |connection| {
            let mut chosen = comments_after(paging.after.unwrap_or(Cursor::OLDEST))
                .inner_join(ideas::table.on(ideas::id.eq(comments::idea_id)))
                .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(comments::idea_id)))
                .filter(comments::idea_id.eq(idea.as_i64()))
                .limit(paging.size.rows_to_read())
                .select((CommentRow::as_select(), ideas::owner_id, idea_keys::content))
                .into_boxed();
            if let CommentScope::Links(links) = scope {
                let links = links.iter().map(ShareId::to_string);
                let is_for_link = comments::share_id.eq_any(links.map(Some).collect::<Vec<_>>());
                chosen = chosen.filter(comments::share_id.is_null().or(is_for_link));
            }
            let rows: Vec<(CommentRow, String, Option<Vec<u8>>)> = chosen.load(connection)?;
            // An erased idea has no key, and nothing that could be read.
            let Some((_, owner, Some(key))) = rows.first() else {
                return Ok(Page::default());
            };
            let kind = IdeaKeyKind::Content;
            let cipher = Cipher::of_idea(encryption, kind, idea.as_i64(), owner, key.clone())?;
            let rows = rows.into_iter().map(|(row, ..)| {
                let (cursor, id) = (row.cursor(), row.id.clone());
                (cursor, id, row.into_comment(&cipher))
            });
            readable.page(connection, "comment", rows, paging.size)
        })
    }

    fn comments_on_own(
        &mut self,
        owner: UserId,
        idea: IdeaId,
        paging: Paging,
    ) -> Result<Page<Comment>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list the comments on an own idea", |connection| {
            let rows = comments_after(paging.after.unwrap_or(Cursor::OLDEST))
                .inner_join(ideas::table.on(ideas::id.eq(comments::idea_id)))
                .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
                .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(comments::idea_id)))
                .filter(comments::idea_id.eq(idea.as_i64()))
                .filter(ideas::owner_id.eq(owner.to_string()))
                .filter(ideas::deleted_at.is_null())
                .filter(users::disabled_at.is_null())
                .limit(paging.size.rows_to_read())
                .select((CommentRow::as_select(), idea_keys::content))
                .load(connection)?;
            own_comments(connection, encryption, &readable, owner, rows, paging)
        })
    }

    fn comments_for_owner(
        &mut self,
        owner: UserId,
        paging: Paging,
    ) -> Result<Page<Comment>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list an owner's comments", |connection| {
            let rows = comments_after(paging.after.unwrap_or(Cursor::OLDEST))
                .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(comments::idea_id)))
                .filter(comments::owner_id.eq(owner.to_string()))
                .limit(paging.size.rows_to_read())
                .select((CommentRow::as_select(), idea_keys::content))
                .load(connection)?;
            own_comments(connection, encryption, &readable, owner, rows, paging)
        })
    }
}

/// Decrypts comments on an owner's ideas, each with its idea's key.
fn own_comments(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    owner: UserId,
    rows: Vec<(CommentRow, Option<Vec<u8>>)>,
    paging: Paging,
) -> QueryResult<Page<Comment>> {
    let mut ciphers = ContentCiphers::new(encryption, owner);
    let rows = rows.into_iter().map(|(row, key)| {
        let (cursor, id) = (row.cursor(), row.id.clone());
        let cipher = ciphers.of(row.idea_id, key);
        (
            cursor,
            id,
            cipher.and_then(|cipher| row.into_comment(cipher)),
        )
    });
    readable.page(connection, "comment", rows, paging.size)
}
