//! Revisions of ideas: titles and contents, encrypted with the idea's keys.

use diesel::dsl::case_when;
use diesel::prelude::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, Queryable, RunQueryDsl, Selectable,
    SelectableHelper,
};

use ideavault_domain::Timestamp;
use ideavault_domain::content::Content;
use ideavault_domain::digest::Digest;
use ideavault_domain::idea::{Draft, Revision};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::Encryption;
use ideavault_domain::text::Title;

use super::Connection;
use super::cipher::{Cipher, IdeaKeyKind, content_cipher};
use super::damage::Readable;
use super::schema::{idea_keys, idea_revisions, ideas};
use crate::at_once;
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = idea_revisions)]
struct RevisionRow {
    number: i32,
    title: Vec<u8>,
    content_kind: String,
    sha256: Vec<u8>,
    created_at: Time,
}

impl RevisionRow {
    fn into_revision(self, is_kept: bool, cipher: &Cipher<'_>) -> QueryResult<Revision> {
        let title = cipher.open(&title_aad(self.number), &self.title)?;
        Ok(Revision {
            number: self.number,
            title: Title::from_stored(title),
            content_kind: stored::content_kind(&self.content_kind)?,
            sha256: decrypt_digest(cipher, self.number, &self.sha256)?,
            created_at: self.created_at.into(),
            is_kept,
        })
    }
}

/// Reads a revision; `None` once its draft was deleted.
pub(super) fn revision(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    idea: IdeaId,
    number: i32,
) -> QueryResult<Option<Revision>> {
    let Some(cipher) = content_cipher(connection, encryption, idea.as_i64())? else {
        return Ok(None);
    };
    idea_revisions::table
        .find((idea.as_i64(), number))
        .select((
            RevisionRow::as_select(),
            idea_revisions::content.is_not_null(),
        ))
        .first::<(RevisionRow, bool)>(connection)
        .optional()?
        .map(|(row, is_kept)| row.into_revision(is_kept, &cipher))
        .transpose()
}

/// Lists the revisions of an idea, newest first; none once its draft was deleted.
pub(super) fn revisions_of(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    idea: IdeaId,
    paging: Paging,
) -> QueryResult<Page<Revision>> {
    let Some(cipher) = content_cipher(connection, encryption, idea.as_i64())? else {
        return Ok(Page::default());
    };
    let after = paging.after.unwrap_or(Cursor::NEWEST);
    // A number is the whole position: clients may make up a larger one.
    let before = i32::try_from(after.row.max(0)).unwrap_or(i32::MAX);
    let rows = idea_revisions::table
        .filter(idea_revisions::idea_id.eq(idea.as_i64()))
        .filter(idea_revisions::number.lt(before))
        .order(idea_revisions::number.desc())
        .limit(paging.size.rows_to_read())
        .select((
            RevisionRow::as_select(),
            idea_revisions::content.is_not_null(),
        ))
        .load::<(RevisionRow, bool)>(connection)?;
    let rows = rows.into_iter().map(|(row, is_kept)| {
        let cursor = Cursor {
            at: row.created_at.into(),
            row: row.number.into(),
            ..Cursor::NEWEST
        };
        let id = format!("{} of idea {idea}", row.number);
        (cursor, id, row.into_revision(is_kept, &cipher))
    });
    readable.page(connection, "revision", rows, paging.size)
}

/// The idea's owner and wrapped key, the format and the size of the content, and the content, if
/// there is room for it.
type SealedContent = (String, Option<Vec<u8>>, String, i64, Option<Vec<u8>>);

/// Reads a revision's content; `None` once it was erased, or its draft deleted.
pub(super) fn content_of(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    idea: IdeaId,
    number: i32,
) -> QueryResult<Option<Content>> {
    let idea = idea.as_i64();
    let room = i64::try_from(at_once::room()).unwrap_or(i64::MAX);
    let row: Option<SealedContent> = idea_revisions::table
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(idea_revisions::idea_id)))
        .inner_join(ideas::table.on(ideas::id.eq(idea_revisions::idea_id)))
        .filter(idea_revisions::idea_id.eq(idea))
        .filter(idea_revisions::number.eq(number))
        .select((
            ideas::owner_id,
            idea_keys::content,
            idea_revisions::content_kind,
            idea_revisions::size,
            case_when(idea_revisions::size.le(room), idea_revisions::content),
        ))
        .first(connection)
        .optional()?;
    if let Some((.., size, None)) = &row {
        at_once::require_room(usize::try_from(*size).unwrap_or(usize::MAX))?;
    }
    let Some((owner, Some(key), kind, _, Some(sealed))) = row else {
        return Ok(None);
    };
    open_content(encryption, (idea, number), &owner, key, &kind, &sealed).map(Some)
}

/// Decrypts the content of a revision of that owner's idea, with the idea's wrapped key.
pub(super) fn open_content(
    encryption: &dyn Encryption,
    (idea, number): (i64, i32),
    owner: &str,
    key: Vec<u8>,
    kind: &str,
    sealed: &[u8],
) -> QueryResult<Content> {
    let cipher = Cipher::of_idea(encryption, IdeaKeyKind::Content, idea, owner, key)?;
    let text = cipher.open(&content_aad(number), sealed)?;
    stored::content(kind, text)
}

pub(super) fn insert_revision(
    connection: &mut Connection,
    cipher: &Cipher<'_>,
    idea: i64,
    number: i32,
    draft: &Draft,
    at: Timestamp,
) -> QueryResult<()> {
    let content = draft.content.to_stored();
    let size = stored::required("size", i64::try_from(content.len()).ok())?;
    diesel::insert_into(idea_revisions::table)
        .values((
            idea_revisions::idea_id.eq(idea),
            idea_revisions::number.eq(number),
            idea_revisions::title.eq(cipher.encrypt(&title_aad(number), draft.title.as_str())?),
            idea_revisions::content_kind.eq(draft.content.kind().as_str()),
            idea_revisions::sha256.eq(cipher.encrypt_digest(&digest_aad(number), draft.sha256)?),
            idea_revisions::created_at.eq(at),
            idea_revisions::size.eq(size),
            idea_revisions::content.eq(cipher.encrypt(&content_aad(number), &content)?),
        ))
        .execute(connection)?;
    Ok(())
}

/// Returns the associated data of a revision's title.
fn title_aad(number: i32) -> String {
    format!("title of revision {number}")
}

/// Returns the associated data of a revision's content.
fn content_aad(number: i32) -> String {
    format!("content of revision {number}")
}

/// Returns the associated data of the digest of a revision's content.
fn digest_aad(number: i32) -> String {
    format!("digest of revision {number}")
}

/// Decrypts the digest of a revision's content.
pub(super) fn decrypt_digest(
    cipher: &Cipher<'_>,
    number: i32,
    sealed: &[u8],
) -> QueryResult<Digest> {
    cipher.decrypt_digest(&digest_aad(number), sealed)
}
