//! A creator's own ideas: write, publish, delete.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::content::{Content, ContentKind};
use ideavault_domain::evidence::Event;
use ideavault_domain::failure::Invalid;
use ideavault_domain::idea::{
    DocumentId, Draft, Idea, IdeaWithContent, ListedIdea, Publication, Revision,
    RevisionWithContent,
};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::organization::{Archived, Organization, OrganizationChange};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{
    BlobStore, Database, DatabaseError, HtmlSanitizer, IdeaOwner, NewIdea, Transaction,
};
use ideavault_domain::quota::Quotas;
use ideavault_domain::recipient::Origin;
use ideavault_domain::text::Title;
use ideavault_domain::working_copy::EditingSession;
use serde_json::Value;

use self::base::{check_base, follows, is_saved};
use self::pdf::{next_of_pdf, not_a_pdf};
use crate::deps::Deps;
use crate::{random, recording, storage};

mod base;
mod error;
mod pdf;
mod working_copies;

pub use self::error::IdeaError;
pub use self::working_copies::UnsavedText;

/// Actions on own ideas.
pub struct Ideas<S> {
    deps: Deps<S>,
    sanitizer: Arc<dyn HtmlSanitizer>,
    storage: Arc<dyn BlobStore>,
    quotas: Quotas,
}

impl<S: Database> Ideas<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        sanitizer: Arc<dyn HtmlSanitizer>,
        storage: Arc<dyn BlobStore>,
        quotas: Quotas,
    ) -> Self {
        Self {
            deps,
            sanitizer,
            storage,
            quotas,
        }
    }

    /// Returns the user's ideas, last changed first, with the counts of their links.
    pub fn list(
        &self,
        user: UserId,
        archived: Archived,
        paging: Paging,
    ) -> Result<Page<ListedIdea>, IdeaError> {
        Ok(self
            .deps
            .database
            .read_one(|tx| tx.ideas().ideas_of(user, archived, paging))?)
    }

    /// Changes tags of an own idea, or whether it is archived; also of a published one.
    ///
    /// # Errors
    /// [`IdeaError::NotFound`].
    pub fn organize(
        &self,
        user: UserId,
        id: IdeaId,
        change: &OrganizationChange,
    ) -> Result<Organization, IdeaError> {
        self.deps.database.write(|tx| {
            require_own_idea(tx, user, id)?;
            let organized = tx.ideas().organize_idea(id, change)?;
            organized.ok_or(IdeaError::NotFound)
        })
    }

    /// Returns an own idea with its content.
    pub fn get(&self, user: UserId, id: IdeaId) -> Result<IdeaWithContent, IdeaError> {
        self.deps
            .database
            .read(|tx| own_idea_with_content(tx, user, id))
    }

    /// Returns the revisions of an own idea, newest first, without their content.
    pub fn revisions(
        &self,
        user: UserId,
        id: IdeaId,
        paging: Paging,
    ) -> Result<Page<Revision>, IdeaError> {
        self.deps.database.read(|tx| {
            require_own_idea(tx, user, id)?;
            Ok(tx.ideas().revisions_of(id, paging)?)
        })
    }

    /// Returns one revision of an own idea, with its content if it is kept.
    pub fn revision(
        &self,
        user: UserId,
        id: IdeaId,
        number: i32,
    ) -> Result<RevisionWithContent, IdeaError> {
        self.deps.database.read(|tx| {
            require_own_idea(tx, user, id)?;
            Ok(RevisionWithContent {
                revision: tx
                    .ideas()
                    .revision(id, number)?
                    .ok_or(IdeaError::NotFound)?,
                content: tx.ideas().revision_content(id, number)?,
            })
        })
    }

    /// Creates a draft, and discards the unsaved text of an idea that was never saved: any, or only
    /// that of `session`. If the user has created an idea with the same key before, creates nothing
    /// and returns that one as it is now: the answer to the first request was lost.
    ///
    /// # Errors
    /// [`IdeaError::Invalid`], also for a PDF, which must be uploaded;
    /// [`IdeaError::Quota`]; [`IdeaError::NotFound`] if the idea of that key is deleted.
    pub fn create(
        &self,
        user: UserId,
        title: &str,
        content: Value,
        key: Option<IdempotencyKey>,
        session: Option<&EditingSession>,
    ) -> Result<IdeaWithContent, IdeaError> {
        let (title, content) = self.parse(title, content)?;
        let new = NewIdea {
            owner: user,
            draft: Draft::new(title, not_a_pdf(content)?),
            created_at: self.deps.clock.now(),
            key,
        };
        self.deps.database.write(|tx| {
            // First: a session that keeps text meanwhile locks it before the account's storage.
            tx.working_copies()
                .drop_working_copies(user, None, session)?;
            let Some(idea) = tx.ideas().add_idea(&new)? else {
                return idea_of_key(tx, user, new.key.as_ref());
            };
            storage::check::<IdeaError>(tx, user, &self.quotas)?;
            Ok(IdeaWithContent {
                idea,
                content: new.draft.content.clone(),
            })
        })
    }

    /// Checks whether the user may save that idea now, before its new content is
    /// examined. [`Ideas::update`] checks again, and alone knows a repetition of the last save.
    ///
    /// # Errors
    /// [`IdeaError::NotFound`], [`IdeaError::Published`] or [`IdeaError::Outdated`].
    pub fn check_editable(
        &self,
        user: UserId,
        id: IdeaId,
        base: Option<i32>,
    ) -> Result<(), IdeaError> {
        self.deps.database.read(|tx| {
            let idea = own_draft(tx, user, id)?;
            if follows(&idea, base) {
                return Ok(());
            }
            check_base(&idea, base)
        })
    }

    /// Saves a draft as its next revision. The file of a PDF idea stays; only the
    /// title changes. `base` is the revision that the edit started from; without it,
    /// the current revision is overwritten unconditionally. The same save from the same
    /// `base` again writes nothing and returns the idea. Discards the idea's unsaved text: any, or
    /// only that of `session`.
    ///
    /// # Errors
    /// [`IdeaError::Invalid`], [`IdeaError::NotFound`], [`IdeaError::Published`], or
    /// [`IdeaError::Outdated`] when the idea has a newer revision than `base`, or a
    /// concurrent save won. Nothing is written then.
    pub fn update(
        &self,
        user: UserId,
        id: IdeaId,
        title: &str,
        content: Value,
        base: Option<i32>,
        session: Option<&EditingSession>,
    ) -> Result<IdeaWithContent, IdeaError> {
        let (title, content) = self.parse(title, content)?;
        self.deps.database.write(|tx| {
            // Later than the request began: other saves may have been waited for.
            let now = self.deps.clock.now();
            let idea = own_draft(tx, user, id)?;
            if !follows(&idea, base) {
                check_base(&idea, base)?;
            }
            let draft = if idea.content_kind == ContentKind::Pdf {
                next_of_pdf(title.clone(), &content, with_content(tx, idea.clone())?)?
            } else {
                Draft::new(title.clone(), not_a_pdf(content.clone())?)
            };
            if is_saved(&idea, &draft, base) {
                tx.working_copies()
                    .drop_working_copies(user, Some(id), session)?;
                return with_content(tx, idea);
            }
            check_base(&idea, base)?;
            if !tx.ideas().add_revision(&idea, &draft, now)? {
                // Reports the right error if it was published or deleted meanwhile.
                let current = own_draft(tx, user, id)?;
                if !is_saved(&current, &draft, base) {
                    return Err(IdeaError::Outdated(current.revision));
                }
                tx.working_copies()
                    .drop_working_copies(user, Some(id), session)?;
                return with_content(tx, current);
            }
            tx.working_copies()
                .drop_working_copies(user, Some(id), session)?;
            storage::check::<IdeaError>(tx, user, &self.quotas)?;
            let idea = own_idea(tx, user, id)?;
            Ok(IdeaWithContent {
                idea,
                content: draft.content,
            })
        })
    }

    /// Publishes a draft permanently. Idempotent: a published idea is returned
    /// unchanged. `base` is the revision that the creator has seen; without it, the
    /// current revision is published.
    ///
    /// # Errors
    /// [`IdeaError::Invalid`], [`IdeaError::NotFound`], or [`IdeaError::Outdated`]
    /// when the idea has a newer revision than `base`, or a concurrent save won.
    pub fn publish(
        &self,
        user: UserId,
        id: IdeaId,
        base: Option<i32>,
        origin: Origin,
    ) -> Result<IdeaWithContent, IdeaError> {
        let document_id = DocumentId::from_random(random::bytes(self.deps.random.as_ref())?);
        self.deps.database.write(|tx| {
            let mut idea = own_idea(tx, user, id)?;
            check_base(&idea, base)?;
            // Not before the time of the revision, for whose save this may have waited, and which
            // another server's clock may have set.
            let publication = Publication {
                document_id: document_id.clone(),
                at: self.deps.clock.now().max(idea.updated_at),
            };
            if !idea.is_published() {
                // `false` when a concurrent request won: the idea is then already
                // published, deleted, or has a newer revision.
                if tx.ideas().publish_idea(&idea, &publication)? {
                    let entry =
                        AuditEntry::by(user, AuditKind::Published, publication.at, origin.clone());
                    tx.audit().record(&entry.about(Subject::Idea(id)))?;
                    let disclosed = tx.ideas().disclosed_idea(id)?;
                    let disclosed = disclosed.ok_or(IdeaError::NotFound)?;
                    recording::idea_published(tx, &disclosed, &publication)?;
                }
                idea = own_idea(tx, user, id)?;
            }
            if !idea.is_published() {
                return Err(IdeaError::Outdated(idea.revision));
            }
            with_content(tx, idea)
        })
    }

    /// Deletes a draft. Its links stop working, and mails that wait to bring them to readers are
    /// withdrawn; acceptances given on them stay visible to its owner. Its PDF is deleted too;
    /// images stay, because they are assets of their owner that other ideas may show.
    ///
    /// # Errors
    /// [`IdeaError::NotFound`], or [`IdeaError::Published`].
    pub fn delete(&self, user: UserId, id: IdeaId, origin: Origin) -> Result<(), IdeaError> {
        let pdf = self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            // Works without reading anything encrypted, which may be damaged.
            if require_own_idea(tx, user, id)?.is_published {
                return Err(IdeaError::Published);
            }
            let pdf = tx.files().pdf_of(id)?;
            if !tx.ideas().delete_draft(id, now)? {
                return Err(IdeaError::Changed);
            }
            tx.outbox().drop_mails_of_links_to(id)?;
            if let Some(pdf) = pdf {
                tx.files().remove_file(pdf)?;
            }
            let entry = AuditEntry::by(user, AuditKind::DraftDeleted, now, origin.clone());
            tx.audit().record(&entry.about(Subject::Idea(id)))?;
            tx.evidence_log()
                .append_event(&Event::idea_deleted(id, now))?;
            Ok(pdf)
        })?;
        // After the commit: a crash before leaves bytes without a row, which cleanup
        // removes, and never a row without bytes.
        if let Some(pdf) = pdf {
            self.storage.discard(pdf);
        }
        Ok(())
    }

    fn parse(&self, title: &str, content: Value) -> Result<(Title, Content), Invalid> {
        let title = Title::parse(title)?;
        let content = match Content::from_json(content)? {
            Content::Html(html) => Content::Html(self.sanitizer.sanitize(&html)),
            other => other,
        };
        Ok((title, content))
    }
}

/// Returns the user's idea if it is not deleted.
pub(crate) fn own_idea(
    tx: &mut dyn Transaction,
    user: UserId,
    id: IdeaId,
) -> Result<Idea, IdeaError> {
    // Nobody else learns that the idea is damaged.
    require_own_idea(tx, user, id)?;
    tx.ideas()
        .idea(id)?
        .filter(|idea| idea.belongs_to(user))
        .ok_or(IdeaError::NotFound)
}

/// Returns the user's idea with its content.
pub(crate) fn own_idea_with_content(
    tx: &mut dyn Transaction,
    user: UserId,
    id: IdeaId,
) -> Result<IdeaWithContent, IdeaError> {
    let idea = own_idea(tx, user, id)?;
    with_content(tx, idea)
}

/// Checks that the idea is the user's and not deleted, even if it is damaged.
pub(crate) fn require_own_idea(
    tx: &mut dyn Transaction,
    user: UserId,
    id: IdeaId,
) -> Result<IdeaOwner, IdeaError> {
    tx.ideas()
        .idea_owner(id)?
        .filter(|idea| idea.belongs_to(user))
        .ok_or(IdeaError::NotFound)
}

/// Returns the idea that the user has made with that key, as it is now.
pub(crate) fn idea_of_key(
    tx: &mut dyn Transaction,
    user: UserId,
    key: Option<&IdempotencyKey>,
) -> Result<IdeaWithContent, IdeaError> {
    let key = key.ok_or(IdeaError::NotFound)?;
    let id = tx.ideas().idea_of_key(user, key)?;
    own_idea_with_content(tx, user, id.ok_or(IdeaError::NotFound)?)
}

/// Returns whether the idea exists and is not deleted.
pub(crate) fn idea_exists(tx: &mut dyn Transaction, id: IdeaId) -> Result<bool, DatabaseError> {
    let idea = tx.ideas().idea_owner(id)?;
    Ok(idea.is_some_and(|idea| !idea.is_deleted))
}

fn own_draft(tx: &mut dyn Transaction, user: UserId, id: IdeaId) -> Result<Idea, IdeaError> {
    let idea = own_idea(tx, user, id)?;
    if idea.is_published() {
        return Err(IdeaError::Published);
    }
    Ok(idea)
}

fn with_content(tx: &mut dyn Transaction, idea: Idea) -> Result<IdeaWithContent, IdeaError> {
    match tx.ideas().revision_content(idea.id, idea.revision)? {
        Some(content) => Ok(IdeaWithContent { idea, content }),
        // Deleted since the previous query; Postgres shows that at once.
        None if !idea_exists(tx, idea.id)? => Err(IdeaError::NotFound),
        None => Err(IdeaError::ContentMissing(idea.id)),
    }
}
