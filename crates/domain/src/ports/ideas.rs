//! Ideas and their revisions.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::content::Content;
use crate::idea::{DisclosedIdea, DocumentId, Draft, Idea, ListedIdea, Publication, Revision};
use crate::idempotency::IdempotencyKey;
use crate::ids::{IdeaId, UserId};
use crate::organization::{Archived, Organization, OrganizationChange};
use crate::page::{Page, Paging};
use crate::thinning::KeptRevision;

type Result<T> = std::result::Result<T, DatabaseError>;

/// The owner and the state of an idea, for access checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdeaOwner {
    /// The owner, whose account is not disabled.
    pub owner: UserId,
    /// Whether the idea is published, which is final.
    pub is_published: bool,
    /// The document id of a published idea.
    pub document_id: Option<DocumentId>,
    /// Whether the idea was a draft, and is deleted.
    pub is_deleted: bool,
}

impl IdeaOwner {
    /// Returns whether `user` may see and change the idea: see [`Idea::belongs_to`].
    #[must_use]
    pub fn belongs_to(&self, user: UserId) -> bool {
        self.owner == user && !self.is_deleted
    }
}

/// A new idea with its first revision.
#[derive(Clone, Debug, PartialEq)]
pub struct NewIdea {
    /// The creator.
    pub owner: UserId,
    /// Its first revision.
    pub draft: Draft,
    /// Creation time of both the idea and the revision.
    pub created_at: Timestamp,
    /// The key of the request, if it has one.
    pub key: Option<IdempotencyKey>,
}

/// Ideas and their revisions. Every method that saves a revision also records which
/// files of the owner it shows ([`Content::files`]).
pub trait Ideas {
    /// Adds an idea and its revision 1. Returns `None` and adds nothing when its owner has made an
    /// idea with the same key before.
    fn add_idea(&mut self, idea: &NewIdea) -> Result<Option<Idea>>;

    /// Returns the idea that the owner has made with that key, even a deleted one.
    fn idea_of_key(&mut self, owner: UserId, key: &IdempotencyKey) -> Result<Option<IdeaId>>;

    /// Returns the idea, even a deleted one; `None` while its owner's account is
    /// disabled.
    fn idea(&mut self, id: IdeaId) -> Result<Option<Idea>>;

    /// Returns whose idea it is, even of a deleted one; `None` while that account is disabled.
    /// Reads nothing encrypted: a draft is deleted even if it is damaged.
    fn idea_owner(&mut self, id: IdeaId) -> Result<Option<IdeaOwner>>;

    /// Returns the idea, even a deleted one, with its owner's name; `None` while that
    /// account is disabled.
    fn disclosed_idea(&mut self, id: IdeaId) -> Result<Option<DisclosedIdea>>;

    /// Returns the owner's ideas that are not deleted, last changed first, with the
    /// counts of their links. Those that are damaged are marked, and logged.
    fn ideas_of(
        &mut self,
        owner: UserId,
        archived: Archived,
        paging: Paging,
    ) -> Result<Page<ListedIdea>>;

    /// Returns how an idea is organized; `None` once its draft was deleted.
    fn organization(&mut self, id: IdeaId) -> Result<Option<Organization>>;

    /// Changes how an idea is organized, and returns how it is then; `None` once its draft was
    /// deleted, or its owner's account is disabled.
    fn organize_idea(
        &mut self,
        id: IdeaId,
        change: &OrganizationChange,
    ) -> Result<Option<Organization>>;

    /// Returns a revision's content; `None` once it was erased or its draft deleted.
    fn revision_content(&mut self, idea: IdeaId, revision: i32) -> Result<Option<Content>>;

    /// Returns up to `limit` drafts after `after`, ordered by id, that have a
    /// non-current revision saved before `before` whose content is kept.
    fn drafts_with_old_revisions(
        &mut self,
        before: Timestamp,
        after: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<IdeaId>>;

    /// Returns the revisions of an idea whose content is kept, newest first.
    fn kept_revisions(&mut self, idea: IdeaId) -> Result<Vec<KeptRevision>>;

    /// Erases the content and file references of old revisions of a draft. Returns
    /// how many; 0 when the idea is no longer a draft or one of them is the current
    /// revision.
    fn erase_revisions(&mut self, idea: IdeaId, numbers: &[i32]) -> Result<usize>;

    /// Returns a revision without its content; `None` once its draft was deleted.
    fn revision(&mut self, idea: IdeaId, number: i32) -> Result<Option<Revision>>;

    /// Returns the revisions of an idea, newest first.
    fn revisions_of(&mut self, idea: IdeaId, paging: Paging) -> Result<Page<Revision>>;

    /// Saves `draft` as the revision after `idea.revision`. Returns `false` and
    /// writes nothing when the idea is no longer a draft or has a newer revision.
    fn add_revision(&mut self, idea: &Idea, draft: &Draft, at: Timestamp) -> Result<bool>;

    /// Publishes `idea.revision`. Returns `false` and writes nothing when the idea is
    /// no longer a draft or has a newer revision.
    fn publish_idea(&mut self, idea: &Idea, publication: &Publication) -> Result<bool>;

    /// Deletes a draft: erases the content of its revisions, its comments and its
    /// file references; the row stays because evidence refers to it. Returns `false`
    /// and writes nothing when the idea is no longer a draft.
    fn delete_draft(&mut self, id: IdeaId, at: Timestamp) -> Result<bool>;
}
