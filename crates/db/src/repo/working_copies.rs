//! Unsaved texts, each encrypted with a key of its own.

use diesel::dsl::case_when;
use diesel::prelude::{
    ExpressionMethods, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper,
};
use diesel::upsert::excluded;

use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::keys::{MasterSealed, WrappedKey};
use ideavault_domain::ports::{DatabaseError, Encryption, WorkingCopies};
use ideavault_domain::text::Title;
use ideavault_domain::working_copy::{EditingSession, WorkingCopy};

use super::cipher::Cipher;
use super::current_key::under_current;
use super::erased::protect_account;
use super::idea_rows::DRAFT;
use super::locking::Locking;
use super::schema::{ideas, working_copies};
use super::{Connection, PROTECTING_IDEAS, Repository};
use crate::at_once;
use crate::error::QueryResult;
use crate::stored::{self, Time};

/// The associated data of the title, and of the content.
const TITLE: &str = "title of working copy";
const CONTENT: &str = "content of working copy";

/// Stands for the idea that was never saved: databases number from 1.
const NEW: i64 = 0;

/// The associated data of a copy's key, which binds it to its owner and idea.
pub(super) fn key_aad(owner: &str, idea: i64) -> String {
    format!("working copy of idea {idea} of {owner}")
}

fn stored_id(idea: Option<IdeaId>) -> i64 {
    idea.map_or(NEW, IdeaId::as_i64)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = working_copies)]
struct CopyRow {
    session: String,
    kept_at: Time,
    base: Option<i32>,
    wrapped_key: Vec<u8>,
    title: Vec<u8>,
    size: i64,
}

impl WorkingCopies for Repository<'_> {
    fn keep_working_copy(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        copy: &WorkingCopy,
    ) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("keep unsaved text", |connection| {
            let owner = owner.to_string();
            protect_account(connection, &owner)?;
            if let Some(idea) = idea
                && !protect_draft(connection, &owner, idea)?
            {
                return Ok(false);
            }
            keep(connection, encryption, &owner, stored_id(idea), copy)?;
            Ok(true)
        })
    }

    fn count_other_copies(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        session: &EditingSession,
    ) -> Result<i64, DatabaseError> {
        self.run("count unsaved texts", |connection| {
            let others = working_copies::table
                .filter(working_copies::owner_id.eq(owner.to_string()))
                .filter(working_copies::idea_id.eq(stored_id(idea)))
                .filter(working_copies::session.ne(session.as_str()))
                .count();
            Ok(others.get_result(connection)?)
        })
    }

    fn newest_working_copies(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<WorkingCopy>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read unsaved text", |connection| {
            let owner = owner.to_string();
            read(connection, encryption, &owner, stored_id(idea), limit)
        })
    }

    fn drop_working_copies(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        session: Option<&EditingSession>,
    ) -> Result<(), DatabaseError> {
        let dropped = self.run("discard unsaved text", |connection| {
            let owner = owner.to_string();
            // As a save does, which holds the account's storage when it comes here.
            if let Some(idea) = idea {
                protect_draft(connection, &owner, idea)?;
            }
            let copies = working_copies::table
                .filter(working_copies::owner_id.eq(owner))
                .filter(working_copies::idea_id.eq(stored_id(idea)));
            Ok(match session {
                None => diesel::delete(copies).execute(connection)?,
                Some(session) => {
                    let own = copies.filter(working_copies::session.eq(session.as_str()));
                    diesel::delete(own).execute(connection)?
                }
            })
        })?;
        self.effects.erased |= dropped > 0;
        Ok(())
    }
}

/// Returns whether the idea is a draft of that owner; it stays one until this transaction ends.
fn protect_draft(connection: &mut Connection, owner: &str, idea: IdeaId) -> QueryResult<bool> {
    let draft = ideas::table
        .find(idea.as_i64())
        .filter(ideas::owner_id.eq(owner))
        .filter(ideas::status.eq(DRAFT))
        .filter(ideas::deleted_at.is_null())
        .select(ideas::id);
    let found: Option<i64> = Locking::new(draft, PROTECTING_IDEAS)
        .get_result(connection)
        .optional()?;
    Ok(found.is_some())
}

fn keep(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    owner: &str,
    idea: i64,
    copy: &WorkingCopy,
) -> QueryResult<()> {
    let cipher = Cipher::generate(encryption)?;
    let aad = key_aad(owner, idea);
    let what = MasterSealed::DataKey(&aad);
    let wrapped = under_current(connection, encryption, what, &cipher.wrapped_for(&aad)?)?;
    let size = stored::required("size", i64::try_from(copy.html.len()).ok())?;
    diesel::insert_into(working_copies::table)
        .values((
            working_copies::owner_id.eq(owner),
            working_copies::idea_id.eq(idea),
            working_copies::session.eq(copy.session.as_str()),
            working_copies::kept_at.eq(copy.kept_at),
            working_copies::base.eq(copy.base),
            working_copies::wrapped_key.eq(wrapped),
            working_copies::title.eq(cipher.encrypt(TITLE, copy.title.as_str())?),
            working_copies::size.eq(size),
            working_copies::content.eq(cipher.encrypt(CONTENT, &copy.html)?),
        ))
        .on_conflict((
            working_copies::owner_id,
            working_copies::idea_id,
            working_copies::session,
        ))
        .do_update()
        .set((
            working_copies::kept_at.eq(excluded(working_copies::kept_at)),
            working_copies::base.eq(excluded(working_copies::base)),
            working_copies::wrapped_key.eq(excluded(working_copies::wrapped_key)),
            working_copies::title.eq(excluded(working_copies::title)),
            working_copies::size.eq(excluded(working_copies::size)),
            working_copies::content.eq(excluded(working_copies::content)),
        ))
        .execute(connection)?;
    Ok(())
}

fn read(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    owner: &str,
    idea: i64,
    limit: i64,
) -> QueryResult<Vec<WorkingCopy>> {
    let room = i64::try_from(at_once::room()).unwrap_or(i64::MAX);
    let found: Vec<(CopyRow, Option<Vec<u8>>)> = working_copies::table
        .filter(working_copies::owner_id.eq(owner))
        .filter(working_copies::idea_id.eq(idea))
        .order((working_copies::kept_at.desc(), working_copies::session))
        .limit(limit)
        .select((
            CopyRow::as_select(),
            case_when(working_copies::size.le(room), working_copies::content),
        ))
        .load(connection)?;
    let mut copies = Vec::with_capacity(found.len());
    for (row, content) in found {
        let Some(content) = content else {
            at_once::require_room(usize::try_from(row.size).unwrap_or(usize::MAX))?;
            continue;
        };
        let wrapped = WrappedKey::from_stored(row.wrapped_key);
        let cipher = Cipher::unwrapped(encryption, &key_aad(owner, idea), &wrapped)?;
        copies.push(WorkingCopy {
            title: Title::from_stored(cipher.open(TITLE, &row.title)?),
            html: cipher.open(CONTENT, &content)?,
            base: row.base,
            session: EditingSession::from_stored(row.session),
            kept_at: row.kept_at.into(),
        });
    }
    Ok(copies)
}

/// Deletes all unsaved texts of an account.
pub(super) fn delete_copies_of(connection: &mut Connection, owner: &str) -> QueryResult<()> {
    diesel::delete(working_copies::table.filter(working_copies::owner_id.eq(owner)))
        .execute(connection)?;
    Ok(())
}

/// Deletes the unsaved texts of an idea.
pub(super) fn delete_copies_of_idea(connection: &mut Connection, idea: i64) -> QueryResult<()> {
    diesel::delete(working_copies::table.filter(working_copies::idea_id.eq(idea)))
        .execute(connection)?;
    Ok(())
}
