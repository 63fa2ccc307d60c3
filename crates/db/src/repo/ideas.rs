//! Ideas: drafts, their saves, publication.

use diesel::dsl::{auto_type, count_star, exists, sql, sum};
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, IntoSql, JoinOnDsl, OptionalExtension, QueryDsl,
    RunQueryDsl, SelectableHelper,
};
use diesel::sql_types::{Bool, Nullable, Text};

use ideavault_domain::Timestamp;
use ideavault_domain::content::Content;
use ideavault_domain::idea::{
    DisclosedIdea, DocumentId, Draft, Idea, IdeaStatus, ListedIdea, Publication, Revision,
};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::organization::{Archived, Organization, OrganizationChange};
use ideavault_domain::page::{Cursor, Page, Paging};
use ideavault_domain::ports::{DatabaseError, IdeaOwner, Ideas, NewIdea};
use ideavault_domain::text::PersonName;
use ideavault_domain::thinning::KeptRevision;

use super::cipher::{
    Cipher, add_idea_keys, content_cipher, content_cipher_of_account, destroy_content_key,
};
use super::erased::protect_account;
use super::files::{add_shown_files, delete_files_of_revisions, delete_shown_files};
use super::idea_rows::{
    DRAFT, IdeaRow, OrganizationRow, PUBLISHED, SummaryRow, TAGS, TITLE, decrypt_tags,
};
use super::revisions::{content_of, insert_revision, revision, revisions_of};
use super::schema::{
    comments, evidence_events, idea_keys, idea_revisions, ideas, organized_ideas, shares, users,
};
use super::thinning::{drafts_with_old_revisions, erase_revisions, kept_revisions};
use super::working_copies::delete_copies_of_idea;
use super::{Connection, Repository};
use crate::error::QueryResult;
use crate::stored::{self, Time};

/// Ideas with their keys and current revisions.
#[auto_type]
pub(super) fn current() -> _ {
    let revision = idea_revisions::idea_id
        .eq(ideas::id)
        .and(idea_revisions::number.eq(ideas::revision));
    ideas::table
        .inner_join(idea_revisions::table.on(revision))
        .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(ideas::id)))
}

/// A draft that was not saved, published or deleted since that revision.
#[auto_type]
fn draft_at(id: i64, revision: i32) -> _ {
    let draft: &'static str = DRAFT;
    ideas::table
        .find(id)
        .filter(ideas::status.eq(draft))
        .filter(ideas::deleted_at.is_null())
        .filter(ideas::revision.eq(revision))
}

/// The owner of an idea, and what became of the account.
pub(super) struct FoundOwner {
    pub(super) owner: IdeaOwner,
    is_disabled: bool,
    pub(super) has_left: bool,
}

pub(super) fn owner_of(connection: &mut Connection, id: IdeaId) -> QueryResult<Option<FoundOwner>> {
    type Row = (
        (String, String, Option<Time>, Option<String>),
        (Option<Time>, Option<Time>),
    );
    let found: Option<Row> = ideas::table
        .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
        .filter(ideas::id.eq(id.as_i64()))
        .select((
            (
                ideas::owner_id,
                ideas::status,
                ideas::deleted_at,
                ideas::document_id,
            ),
            (users::disabled_at, users::deleted_at),
        ))
        .first(connection)
        .optional()?;
    let Some(((owner, status, deleted_at, document_id), (disabled_at, left_at))) = found else {
        return Ok(None);
    };
    Ok(Some(FoundOwner {
        owner: IdeaOwner {
            owner: stored::parsed("owner id", &owner)?,
            is_published: status == PUBLISHED,
            document_id: document_id.map(DocumentId::from_stored),
            is_deleted: deleted_at.is_some(),
        },
        is_disabled: disabled_at.is_some(),
        has_left: left_at.is_some(),
    }))
}

/// An idea in its owner's list with its content key, how it is organized, and the numbers of its
/// links and of their views.
type ListedRow = (
    SummaryRow,
    Option<Vec<u8>>,
    Option<OrganizationRow>,
    bool,
    Option<i64>,
    Option<i64>,
);

/// The key of the event that records an idea's current revision, as
/// [`recorded_revision`](ideavault_domain::evidence::recorded_revision) makes it.
const RECORDED_REVISION: &str = "'revision ' || ideas.revision || ' of idea ' || ideas.id";

fn organization_of(
    connection: &mut Connection,
    cipher: &Cipher<'_>,
    idea: i64,
) -> QueryResult<Organization> {
    let found: Option<OrganizationRow> = organized_ideas::table
        .find(idea)
        .select(OrganizationRow::as_select())
        .first(connection)
        .optional()?;
    let OrganizationRow { tags, is_archived } = found.unwrap_or_default();
    Ok(Organization {
        tags: decrypt_tags(Some(cipher), tags.as_deref())?,
        is_archived,
    })
}

impl Ideas for Repository<'_> {
    fn add_idea(&mut self, idea: &NewIdea) -> Result<Option<Idea>, DatabaseError> {
        let encryption = self.encryption;
        self.run("add an idea", |connection| {
            let NewIdea {
                owner,
                draft,
                created_at,
                key,
            } = idea;
            protect_account(connection, &owner.to_string())?;
            let content_kind = draft.content.kind();
            let cipher = Cipher::generate(encryption)?;
            let id: Option<i64> = diesel::insert_into(ideas::table)
                .values((
                    ideas::owner_id.eq(owner.to_string()),
                    ideas::title.eq(cipher.encrypt(TITLE, draft.title.as_str())?),
                    ideas::status.eq(DRAFT),
                    ideas::content_kind.eq(content_kind.as_str()),
                    ideas::revision.eq(1),
                    ideas::created_at.eq(created_at),
                    ideas::updated_at.eq(created_at),
                    ideas::idempotency_key.eq(key.as_ref().map(IdempotencyKey::as_bytes)),
                ))
                .on_conflict((ideas::owner_id, ideas::idempotency_key))
                .do_nothing()
                .returning(ideas::id)
                .get_result(connection)
                .optional()?;
            let Some(id) = id else {
                return Ok(None);
            };
            add_idea_keys(connection, id, *owner, &cipher)?;
            insert_revision(connection, &cipher, id, 1, draft, *created_at)?;
            add_shown_files(connection, (id, 1), *owner, &draft.content)?;
            Ok(Some(Idea {
                id: id.into(),
                owner: *owner,
                title: draft.title.clone(),
                status: IdeaStatus::Draft,
                content_kind,
                revision: 1,
                sha256: draft.sha256,
                created_at: *created_at,
                updated_at: *created_at,
                deleted_at: None,
            }))
        })
    }

    fn idea_of_key(
        &mut self,
        owner: UserId,
        key: &IdempotencyKey,
    ) -> Result<Option<IdeaId>, DatabaseError> {
        self.run("find an idea by the key of its request", |connection| {
            let id: Option<i64> = ideas::table
                .filter(ideas::owner_id.eq(owner.to_string()))
                .filter(ideas::idempotency_key.eq(key.as_bytes()))
                .select(ideas::id)
                .first(connection)
                .optional()?;
            Ok(id.map(IdeaId::from))
        })
    }

    fn idea(&mut self, id: IdeaId) -> Result<Option<Idea>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read an idea", |connection| {
            current()
                .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
                .filter(users::disabled_at.is_null())
                .filter(ideas::id.eq(id.as_i64()))
                .select((
                    IdeaRow::as_select(),
                    idea_keys::content,
                    idea_revisions::sha256,
                ))
                .first::<(IdeaRow, Option<Vec<u8>>, Vec<u8>)>(connection)
                .optional()?
                .map(|(row, key, sha256)| row.into_idea(encryption, key, &sha256))
                .transpose()
        })
    }

    fn idea_owner(&mut self, id: IdeaId) -> Result<Option<IdeaOwner>, DatabaseError> {
        self.run("find the owner of an idea", |connection| {
            let found = owner_of(connection, id)?;
            Ok(found
                .filter(|found| !found.is_disabled)
                .map(|found| found.owner))
        })
    }

    fn disclosed_idea(&mut self, id: IdeaId) -> Result<Option<DisclosedIdea>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read a disclosed idea", |connection| {
            current()
                .inner_join(users::table.on(users::id.eq(ideas::owner_id)))
                .filter(users::disabled_at.is_null())
                .filter(ideas::id.eq(id.as_i64()))
                .select((
                    IdeaRow::as_select(),
                    idea_keys::content,
                    idea_revisions::sha256,
                    users::name,
                ))
                .first::<(IdeaRow, Option<Vec<u8>>, Vec<u8>, String)>(connection)
                .optional()?
                .map(|(row, key, sha256, sharer)| {
                    Ok(DisclosedIdea {
                        idea: row.into_idea(encryption, key, &sha256)?,
                        sharer: PersonName::from_stored(sharer),
                    })
                })
                .transpose()
        })
    }

    fn ideas_of(
        &mut self,
        owner: UserId,
        archived: Archived,
        paging: Paging,
    ) -> Result<Page<ListedIdea>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list ideas", |connection| {
            let after = paging.after.unwrap_or(Cursor::NEWEST);
            let is_earlier = ideas::updated_at.lt(after.at).or(ideas::id.lt(after.row));
            let links = || shares::table.filter(shares::idea_id.eq(ideas::id));
            let link_count = links().select(count_star()).single_value();
            let view_count = links().select(sum(shares::view_count)).single_value();
            let key = evidence_events::once.eq(sql::<Nullable<Text>>(RECORDED_REVISION));
            let is_recorded = exists(evidence_events::table.filter(key));
            let is_archived = organized_ideas::is_archived;
            let takes_all = (archived == Archived::Included).into_sql::<Bool>();
            let is_listed = is_archived
                .is_null()
                .or(is_archived.eq(false))
                .or(takes_all);
            let rows: Vec<ListedRow> = ideas::table
                .inner_join(idea_keys::table.on(idea_keys::idea_id.eq(ideas::id)))
                .left_join(organized_ideas::table.on(organized_ideas::idea_id.eq(ideas::id)))
                .filter(ideas::owner_id.eq(owner.to_string()))
                .filter(ideas::deleted_at.is_null())
                .filter(is_listed)
                // Only this condition lets the database seek in the index.
                .filter(ideas::updated_at.le(after.at))
                .filter(is_earlier)
                .order((ideas::updated_at.desc(), ideas::id.desc()))
                .limit(paging.size.rows_to_read())
                .select((
                    SummaryRow::as_select(),
                    idea_keys::content,
                    Option::<OrganizationRow>::as_select(),
                    is_recorded,
                    link_count,
                    view_count,
                ))
                .load(connection)?;
            let mut listed = Vec::with_capacity(rows.len());
            for (row, key, organized, is_recorded, links, views) in rows {
                let counts = (links.unwrap_or(0), views.unwrap_or(0));
                let (cursor, id) = (row.cursor(), row.id.to_string());
                let organized = organized.unwrap_or_default();
                let texts = row.texts(encryption, key, organized.tags.as_deref());
                // Its owner sees that there is one, and can delete it.
                let texts = readable.unless_damaged(connection, ("idea", &id), texts)?;
                let idea = row.into_listed(texts, organized.is_archived, is_recorded, counts);
                listed.push((cursor, id, idea));
            }
            readable.page(connection, "idea", listed, paging.size)
        })
    }

    fn organization(&mut self, id: IdeaId) -> Result<Option<Organization>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read how an idea is organized", |connection| {
            let id = id.as_i64();
            content_cipher(connection, encryption, id)?
                .map(|cipher| organization_of(connection, &cipher, id))
                .transpose()
        })
    }

    fn organize_idea(
        &mut self,
        id: IdeaId,
        change: &OrganizationChange,
    ) -> Result<Option<Organization>, DatabaseError> {
        let encryption = self.encryption;
        self.run("organize an idea", |connection| {
            let id = id.as_i64();
            let Some(cipher) = content_cipher_of_account(connection, encryption, id)? else {
                return Ok(None);
            };
            let organized = organized_ideas::table.find(id);
            diesel::insert_into(organized_ideas::table)
                .values(organized_ideas::idea_id.eq(id))
                .on_conflict_do_nothing()
                .execute(connection)?;
            if let Some(tags) = &change.tags {
                diesel::update(organized)
                    .set(organized_ideas::tags.eq(cipher.encrypt(TAGS, &tags.to_stored())?))
                    .execute(connection)?;
            }
            if let Some(is_archived) = change.is_archived {
                diesel::update(organized)
                    .set(organized_ideas::is_archived.eq(is_archived))
                    .execute(connection)?;
            }
            organization_of(connection, &cipher, id).map(Some)
        })
    }

    fn revision_content(
        &mut self,
        idea: IdeaId,
        revision: i32,
    ) -> Result<Option<Content>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read a revision", |connection| {
            content_of(connection, encryption, idea, revision)
        })
    }

    fn revision(&mut self, idea: IdeaId, number: i32) -> Result<Option<Revision>, DatabaseError> {
        let encryption = self.encryption;
        self.run("read a revision", |connection| {
            revision(connection, encryption, idea, number)
        })
    }

    fn revisions_of(
        &mut self,
        idea: IdeaId,
        paging: Paging,
    ) -> Result<Page<Revision>, DatabaseError> {
        let encryption = self.encryption;
        let readable = self.readable();
        self.run("list revisions", |connection| {
            revisions_of(connection, encryption, &readable, idea, paging)
        })
    }

    fn drafts_with_old_revisions(
        &mut self,
        before: Timestamp,
        after: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<IdeaId>, DatabaseError> {
        self.run("list drafts with old revisions", |connection| {
            drafts_with_old_revisions(connection, before, after, limit)
        })
    }

    fn kept_revisions(&mut self, idea: IdeaId) -> Result<Vec<KeptRevision>, DatabaseError> {
        self.run("list kept revisions", |connection| {
            kept_revisions(connection, idea.as_i64())
        })
    }

    fn erase_revisions(&mut self, idea: IdeaId, numbers: &[i32]) -> Result<usize, DatabaseError> {
        let erased = self.run("erase revisions", |connection| {
            erase_revisions(connection, idea.as_i64(), numbers)
        })?;
        self.effects.erased |= erased > 0;
        Ok(erased)
    }

    fn add_revision(
        &mut self,
        idea: &Idea,
        draft: &Draft,
        at: Timestamp,
    ) -> Result<bool, DatabaseError> {
        let encryption = self.encryption;
        self.run("add a revision", |connection| {
            let id = idea.id.as_i64();
            let Some(cipher) = content_cipher(connection, encryption, id)? else {
                return Ok(false);
            };
            let next = stored::required("revision", idea.revision.checked_add(1))?;
            let moved = diesel::update(draft_at(id, idea.revision))
                .set((
                    ideas::title.eq(cipher.encrypt(TITLE, draft.title.as_str())?),
                    ideas::content_kind.eq(draft.content.kind().as_str()),
                    ideas::revision.eq(next),
                    ideas::updated_at.eq(at),
                ))
                .execute(connection)?;
            if moved == 0 {
                return Ok(false);
            }
            insert_revision(connection, &cipher, id, next, draft, at)?;
            delete_shown_files(connection, id)?;
            add_shown_files(connection, (id, next), idea.owner, &draft.content)?;
            Ok(true)
        })
    }

    fn publish_idea(
        &mut self,
        idea: &Idea,
        publication: &Publication,
    ) -> Result<bool, DatabaseError> {
        self.run("publish an idea", |connection| {
            protect_account(connection, &idea.owner.to_string())?;
            let published = diesel::update(draft_at(idea.id.as_i64(), idea.revision))
                .set((
                    ideas::status.eq(PUBLISHED),
                    ideas::document_id.eq(publication.document_id.as_str()),
                    ideas::published_at.eq(publication.at),
                    ideas::updated_at.eq(publication.at),
                ))
                .execute(connection)?;
            Ok(published == 1)
        })
    }

    fn delete_draft(&mut self, id: IdeaId, at: Timestamp) -> Result<bool, DatabaseError> {
        let deleted = self.run("delete a draft", |connection| {
            let id = id.as_i64();
            let draft = ideas::table
                .find(id)
                .filter(ideas::status.eq(DRAFT))
                .filter(ideas::deleted_at.is_null());
            let deleted = diesel::update(draft)
                .set(ideas::deleted_at.eq(at))
                .execute(connection)?;
            if deleted == 0 {
                return Ok(false);
            }
            // Before the trigger of the revisions locks the use of storage, as a discarded text does.
            delete_copies_of_idea(connection, id)?;
            diesel::update(idea_revisions::table.filter(idea_revisions::idea_id.eq(id)))
                .set(idea_revisions::content.eq(None::<Vec<u8>>))
                .execute(connection)?;
            destroy_content_key(connection, id)?;
            diesel::delete(comments::table.filter(comments::idea_id.eq(id))).execute(connection)?;
            delete_shown_files(connection, id)?;
            delete_files_of_revisions(connection, id)?;
            diesel::delete(organized_ideas::table.find(id)).execute(connection)?;
            Ok(true)
        })?;
        self.effects.erased |= deleted;
        Ok(deleted)
    }
}
