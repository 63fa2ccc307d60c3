//! Rows of ideas, and the titles that are sealed in them.

use diesel::prelude::{QueryResult, Queryable, Selectable};

use ideavault_domain::idea::{DocumentId, Idea, IdeaStatus, IdeaSummary, Publication};
use ideavault_domain::page::Cursor;
use ideavault_domain::ports::Vault;
use ideavault_domain::text::Title;

use super::schema::ideas;
use super::seals::{Realm, Seal};
use crate::stored::{self, Time};

/// Where the title of an idea is sealed.
pub(super) const TITLE: &str = "title";
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
        document_id: DocumentId::from_stored(stored::promised("document id", document_id)?),
        at: stored::promised("time of publication", published_at)?.into(),
    }))
}

/// The columns of an [`IdeaSummary`], which `ideas` has alone.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ideas)]
pub(super) struct SummaryRow {
    id: i64,
    title: Vec<u8>,
    status: String,
    content_kind: String,
    document_id: Option<String>,
    published_at: Option<Time>,
    updated_at: Time,
}

impl SummaryRow {
    pub(super) fn into_summary(
        self,
        vault: &dyn Vault,
        key: Option<Vec<u8>>,
    ) -> QueryResult<(Cursor, IdeaSummary)> {
        let cursor = Cursor {
            at: self.updated_at.into(),
            row: self.id,
            ..Cursor::NEWEST
        };
        let summary = IdeaSummary {
            id: self.id.into(),
            title: title(vault, self.id, key, &self.title)?,
            status: status(&self.status, self.document_id, self.published_at)?,
            content_kind: stored::content_kind(&self.content_kind)?,
            updated_at: cursor.at,
        };
        Ok((cursor, summary))
    }
}

impl IdeaRow {
    pub(super) fn into_idea(
        self,
        vault: &dyn Vault,
        key: Option<Vec<u8>>,
        sha256: &str,
    ) -> QueryResult<Idea> {
        Ok(Idea {
            title: title(vault, self.id, key, &self.title)?,
            id: self.id.into(),
            owner: stored::parsed("owner id", &self.owner_id)?,
            status: status(&self.status, self.document_id, self.published_at)?,
            content_kind: stored::content_kind(&self.content_kind)?,
            revision: self.revision,
            sha256: stored::parsed("digest", sha256)?,
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
            deleted_at: self.deleted_at.map(Into::into),
        })
    }
}

/// The title of an idea; an empty one once its key is destroyed.
fn title(vault: &dyn Vault, idea: i64, key: Option<Vec<u8>>, sealed: &[u8]) -> QueryResult<Title> {
    let Some(key) = key else {
        return Ok(Title::from_stored(String::new()));
    };
    let seal = Seal::of_idea(vault, Realm::Content, idea, key)?;
    seal.open(TITLE, sealed).map(Title::from_stored)
}
