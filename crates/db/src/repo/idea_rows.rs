//! Rows of ideas and their encrypted titles.

use diesel::prelude::{Queryable, Selectable};

use ideavault_domain::digest::Digest;
use ideavault_domain::idea::{DocumentId, Idea, IdeaStatus, IdeaSummary, ListedIdea, Publication};
use ideavault_domain::organization::{Organization, Tags};
use ideavault_domain::page::Cursor;
use ideavault_domain::ports::Encryption;
use ideavault_domain::text::Title;

use super::cipher::{Cipher, IdeaKeyKind};
use super::revisions::decrypt_digest;
use super::schema::{ideas, organized_ideas};
use crate::error::QueryResult;
use crate::stored::{self, Time};

/// The associated data of an idea's title.
pub(super) const TITLE: &str = "title";
/// The associated data of an idea's tags.
pub(super) const TAGS: &str = "tags";
pub(super) const DRAFT: &str = "draft";
pub(super) const PUBLISHED: &str = "published";

#[derive(Queryable, Selectable)]
#[diesel(table_name = ideas)]
pub(super) struct IdeaRow {
    id: i64,
    owner_id: String,
    title: Vec<u8>,
    status: String,
    content_kind: String,
    document_id: Option<String>,
    published_at: Option<Time>,
    revision: i32,
    created_at: Time,
    updated_at: Time,
    deleted_at: Option<Time>,
}

fn status(
    name: &str,
    document_id: Option<String>,
    published_at: Option<Time>,
) -> QueryResult<IdeaStatus> {
    if name != PUBLISHED {
        return Ok(IdeaStatus::Draft);
    }
    Ok(IdeaStatus::Published(Publication {
        document_id: DocumentId::from_stored(stored::required("document id", document_id)?),
        at: stored::required("time of publication", published_at)?.into(),
    }))
}

/// The columns of an [`IdeaSummary`] that are in `ideas`.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ideas)]
pub(super) struct SummaryRow {
    pub(super) id: i64,
    owner_id: String,
    title: Vec<u8>,
    status: String,
    content_kind: String,
    document_id: Option<String>,
    published_at: Option<Time>,
    updated_at: Time,
}

/// How an idea is organized. Without a row, it has no tags and is not archived.
#[derive(Default, Queryable, Selectable)]
#[diesel(table_name = organized_ideas)]
pub(super) struct OrganizationRow {
    pub(super) tags: Option<Vec<u8>>,
    pub(super) is_archived: bool,
}

impl SummaryRow {
    /// Decrypts the title and the tags.
    pub(super) fn texts(
        &self,
        encryption: &dyn Encryption,
        key: Option<Vec<u8>>,
        tags: Option<&[u8]>,
    ) -> QueryResult<(Title, Tags)> {
        let cipher = content_cipher(encryption, self.id, &self.owner_id, key)?;
        let title = title(cipher.as_ref(), &self.title)?;
        Ok((title, decrypt_tags(cipher.as_ref(), tags)?))
    }

    /// `texts` is `None` if title or tags are damaged. The numbers are those of its links and of
    /// their views.
    pub(super) fn into_listed(
        self,
        texts: Option<(Title, Tags)>,
        is_archived: bool,
        is_recorded: bool,
        (link_count, view_count): (i64, i64),
    ) -> QueryResult<ListedIdea> {
        let updated_at = self.cursor().at;
        let is_damaged = texts.is_none();
        let (title, tags) =
            texts.unwrap_or_else(|| (Title::from_stored(String::new()), Tags::default()));
        let summary = IdeaSummary {
            id: self.id.into(),
            title,
            status: status(&self.status, self.document_id, self.published_at)?,
            content_kind: stored::content_kind(&self.content_kind)?,
            updated_at,
        };
        Ok(ListedIdea {
            on_record: is_recorded || summary.status.publication().is_some(),
            summary,
            link_count,
            view_count,
            organization: Organization { tags, is_archived },
            is_damaged,
        })
    }

    /// Returns the position of the idea in its owner's list.
    pub(super) fn cursor(&self) -> Cursor {
        Cursor {
            at: self.updated_at.into(),
            row: self.id,
            ..Cursor::NEWEST
        }
    }
}

impl IdeaRow {
    pub(super) fn into_idea(
        self,
        encryption: &dyn Encryption,
        key: Option<Vec<u8>>,
        sha256: &[u8],
    ) -> QueryResult<Idea> {
        let cipher = content_cipher(encryption, self.id, &self.owner_id, key)?;
        Ok(Idea {
            title: title(cipher.as_ref(), &self.title)?,
            id: self.id.into(),
            owner: stored::parsed("owner id", &self.owner_id)?,
            status: status(&self.status, self.document_id, self.published_at)?,
            content_kind: stored::content_kind(&self.content_kind)?,
            revision: self.revision,
            sha256: digest(cipher.as_ref(), self.revision, sha256)?,
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
            deleted_at: self.deleted_at.map(Into::into),
        })
    }
}

/// Unwraps an idea's content key; `None` once it is destroyed.
fn content_cipher<'v>(
    encryption: &'v dyn Encryption,
    idea: i64,
    owner: &str,
    key: Option<Vec<u8>>,
) -> QueryResult<Option<Cipher<'v>>> {
    key.map(|key| Cipher::of_idea(encryption, IdeaKeyKind::Content, idea, owner, key))
        .transpose()
}

/// Decrypts the title of that owner's idea; empty once its key is destroyed.
pub(super) fn title_of(
    encryption: &dyn Encryption,
    idea: i64,
    owner: &str,
    key: Option<Vec<u8>>,
    sealed: &[u8],
) -> QueryResult<Title> {
    title(
        content_cipher(encryption, idea, owner, key)?.as_ref(),
        sealed,
    )
}

fn title(cipher: Option<&Cipher<'_>>, sealed: &[u8]) -> QueryResult<Title> {
    let title = cipher
        .map(|cipher| cipher.open(TITLE, sealed))
        .transpose()?;
    Ok(Title::from_stored(title.unwrap_or_default()))
}

/// Decrypts tags; there are none once the idea's key is destroyed.
pub(super) fn decrypt_tags(
    cipher: Option<&Cipher<'_>>,
    sealed: Option<&[u8]>,
) -> QueryResult<Tags> {
    let stored = cipher.zip(sealed);
    let stored = stored.map(|(cipher, sealed)| cipher.open(TAGS, sealed));
    Ok(Tags::from_stored(&stored.transpose()?.unwrap_or_default()))
}

/// Decrypts the digest of a revision; that of no bytes once the idea's key is destroyed.
fn digest(cipher: Option<&Cipher<'_>>, revision: i32, sealed: &[u8]) -> QueryResult<Digest> {
    match cipher {
        Some(cipher) => decrypt_digest(cipher, revision, sealed),
        None => Ok(Digest::of(&[])),
    }
}
