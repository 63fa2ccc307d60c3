//! Repositories for accounts, ideas, shares, recipients and comments. Lists have a
//! defined order; methods that return whether something happened use conditional
//! statements, so that a race has exactly one winner.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::account::{PasswordHash, SessionEpoch, User};
use crate::activity::Activity;
use crate::comment::{Comment, CommentScope};
use crate::content::Content;
use crate::email::Email;
use crate::gate::RecipientProgress;
use crate::idea::{DisclosedIdea, DocumentId, Draft, Idea, ListedIdea, Publication, Revision};
use crate::ids::{CommentId, IdeaId, RecipientId, ShareId, UserId, ViewerSessionId};
use crate::page::{Page, Paging};
use crate::recipient::{Ending, NdaAcceptance, Recipient, ViewGrant, ViewerSession};
use crate::share::Share;
use crate::text::ShareName;
use crate::thinning::KeptRevision;
use crate::token::{Token, TokenHash};

type Result<T> = std::result::Result<T, DatabaseError>;

/// The data a login is checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The account.
    pub user: User,
    /// Hash of the current password.
    pub password_hash: PasswordHash,
    /// The epoch in which new sessions begin, unless all are ended meanwhile.
    pub epoch: SessionEpoch,
}

/// Accounts.
pub trait Users {
    /// Adds an account. Returns `false` and adds nothing when the address is taken.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_user(&mut self, user: &User, password_hash: &PasswordHash) -> Result<bool>;

    /// Returns the credentials of the account with that address.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn credentials(&mut self, email: &Email) -> Result<Option<Credentials>>;

    /// Returns the account with that id.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn user(&mut self, id: UserId) -> Result<Option<User>>;

    /// Sets the path of an account's photo. Returns `false` and writes nothing when
    /// there is no such account.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn set_profile_image(&mut self, id: UserId, path: &str) -> Result<bool>;
}

/// Whose a link is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareOwner {
    /// The idea that it shows.
    pub idea: IdeaId,
    /// The owner of that idea, whose account is not disabled.
    pub owner: UserId,
}

/// Whose an idea is.
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
}

/// Ideas and their revisions. Every method that saves a revision also records which
/// files of the owner it shows ([`Content::files`]).
pub trait Ideas {
    /// Adds an idea and its revision 1.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_idea(&mut self, idea: &NewIdea) -> Result<Idea>;

    /// Returns the idea, even a deleted one; `None` while its owner's account is
    /// disabled.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn idea(&mut self, id: IdeaId) -> Result<Option<Idea>>;

    /// Returns whose idea it is, even of a deleted one; `None` while that account is disabled.
    /// Reads nothing encrypted: a draft is deleted even if it is damaged.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn idea_owner(&mut self, id: IdeaId) -> Result<Option<IdeaOwner>>;

    /// Returns the idea, even a deleted one, with its owner's name; `None` while that
    /// account is disabled.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn disclosed_idea(&mut self, id: IdeaId) -> Result<Option<DisclosedIdea>>;

    /// Returns the owner's ideas that are not deleted, last changed first, with the
    /// counts of their links. Those that are damaged are marked, and logged.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn ideas_of(&mut self, owner: UserId, paging: Paging) -> Result<Page<ListedIdea>>;

    /// Returns a revision's content; `None` once it was erased or its draft deleted.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn revision_content(&mut self, idea: IdeaId, revision: i32) -> Result<Option<Content>>;

    /// Returns up to `limit` drafts after `after`, ordered by id, that have a
    /// non-current revision saved before `before` whose content is kept.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn drafts_with_old_revisions(
        &mut self,
        before: Timestamp,
        after: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<IdeaId>>;

    /// Returns the revisions of an idea whose content is kept, newest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn kept_revisions(&mut self, idea: IdeaId) -> Result<Vec<KeptRevision>>;

    /// Erases the content and file references of old revisions of a draft. Returns
    /// how many; 0 when the idea is no longer a draft or one of them is the current
    /// revision.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn erase_revisions(&mut self, idea: IdeaId, numbers: &[i32]) -> Result<usize>;

    /// Returns a revision without its content; `None` once its draft was deleted.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn revision(&mut self, idea: IdeaId, number: i32) -> Result<Option<Revision>>;

    /// Returns the revisions of an idea, newest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn revisions_of(&mut self, idea: IdeaId, paging: Paging) -> Result<Page<Revision>>;

    /// Saves `draft` as the revision after `idea.revision`. Returns `false` and
    /// writes nothing when the idea is no longer a draft or has a newer revision.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_revision(&mut self, idea: &Idea, draft: &Draft, at: Timestamp) -> Result<bool>;

    /// Publishes `idea.revision`. Returns `false` and writes nothing when the idea is
    /// no longer a draft or has a newer revision.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn publish_idea(&mut self, idea: &Idea, publication: &Publication) -> Result<bool>;

    /// Deletes a draft: erases the content of its revisions, its comments and its
    /// file references; the row stays because evidence refers to it. Returns `false`
    /// and writes nothing when the idea is no longer a draft.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn delete_draft(&mut self, id: IdeaId, at: Timestamp) -> Result<bool>;
}

/// A link in the list of its idea.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedShare {
    /// The link.
    pub share: Share,
    /// When the link's last view was granted.
    pub last_view_at: Option<Timestamp>,
    /// Number of registrations that the activity log counts without listing them.
    pub folded_registrations: i64,
}

/// Share links.
pub trait Shares {
    /// Adds a link with that token, of which `share` has the hash.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_share(&mut self, share: &Share, token: &Token) -> Result<()>;

    /// Returns the link with that id, expired or not.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn share(&mut self, id: ShareId) -> Result<Option<Share>>;

    /// Returns the link with that token, expired or not.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn share_by_token(&mut self, token: &TokenHash) -> Result<Option<Share>>;

    /// Returns whose link it is; `None` once its idea is deleted. Reads nothing encrypted: a link is revoked even if its idea
    /// is damaged.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn share_owner(&mut self, id: ShareId) -> Result<Option<ShareOwner>>;

    /// Returns all links of an idea, newest first, including revoked and expired
    /// ones.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn shares_of(&mut self, idea: IdeaId) -> Result<Vec<ListedShare>>;

    /// Returns the token of a link; `None`, and logs it, if it is damaged.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn share_token(&mut self, id: ShareId) -> Result<Option<Token>>;

    /// Returns the tokens of all links of an idea. Leaves out damaged ones, and logs them.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn share_tokens_of(&mut self, idea: IdeaId) -> Result<Vec<(ShareId, Token)>>;

    /// Sets or removes a link's name. The link must exist.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn rename_share(&mut self, id: ShareId, name: Option<&ShareName>) -> Result<()>;

    /// Revokes a link. Returns `false`, and keeps the earlier time, when it was revoked.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn revoke_share(&mut self, id: ShareId, at: Timestamp) -> Result<bool>;

    /// Revokes all links of an account; earlier revocation times are kept. Returns those
    /// that it revoked, each with its idea.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn revoke_shares_of(&mut self, owner: UserId, at: Timestamp) -> Result<Vec<(IdeaId, ShareId)>>;

    /// Sets whether a link's readers see those of other links
    /// ([`Share::shows_other_readers`]).
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn show_other_readers(&mut self, id: ShareId, shown: bool) -> Result<()>;

    /// Sets whether a link's readers may download the document
    /// ([`Share::allow_download`]).
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn allow_download(&mut self, id: ShareId, allowed: bool) -> Result<()>;

    /// Counts a view and records its grant. Returns `false` and writes nothing when
    /// the link is revoked, expired or exhausted at `grant.granted_at`, when the
    /// registration is over, when the recipient already has an active view, or when a one-time link gave the
    /// recipient's browser ([`ViewerSession::browser`]) a view before. One conditional
    /// update, so that a race cannot exceed the limit.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn claim_view(&mut self, grant: &ViewGrant) -> Result<bool>;
}

/// A recipient together with its link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientWithShare {
    /// The registration and its progress.
    pub progress: RecipientProgress,
    /// The link registered on.
    pub share: Share,
}

/// Recipients, their NDA acceptances and views.
pub trait Recipients {
    /// Adds a viewer session (one browser).
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_viewer_session(&mut self, session: &ViewerSession) -> Result<()>;

    /// Returns the viewer session with that key, unless another key has replaced it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn viewer_session(&mut self, key: &TokenHash) -> Result<Option<ViewerSession>>;

    /// Returns the first session of the browser that was given that key, even if
    /// another key has replaced it: requests that were sent at once all have the same
    /// key.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn browser_of(&mut self, key: &TokenHash) -> Result<Option<ViewerSessionId>>;

    /// Makes `session` the only session of its browser: moves everything from the
    /// session that it replaces, and ends that one. If another key has already taken
    /// that over, `session` continues on its own.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn replace_viewer_session(&mut self, session: &ViewerSession, at: Timestamp) -> Result<()>;

    /// Moves an open registration to another viewer session. Returns `false` and
    /// moves nothing when it is no longer open in `from`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn move_recipient(
        &mut self,
        id: RecipientId,
        from: ViewerSessionId,
        to: ViewerSessionId,
    ) -> Result<bool>;

    /// Adds a recipient. The browser must have no other open registration on that
    /// link.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_recipient(&mut self, recipient: &Recipient) -> Result<()>;

    /// Returns the browser's newest registration on a link, including closed ones.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn newest_progress(
        &mut self,
        viewer: ViewerSessionId,
        share: ShareId,
    ) -> Result<Option<RecipientProgress>>;

    /// Returns the registration with that id and its link.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn registration(&mut self, id: RecipientId) -> Result<Option<RecipientWithShare>>;

    /// Returns the browser's open registrations, newest first. Leaves out damaged ones, and
    /// logs them.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn registrations_of(&mut self, viewer: ViewerSessionId) -> Result<Vec<RecipientWithShare>>;

    /// Ends an open registration of that browser. Returns whether it was open.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn end_recipient(
        &mut self,
        id: RecipientId,
        viewer: ViewerSessionId,
        ending: Ending,
        at: Timestamp,
    ) -> Result<bool>;

    /// Records that the reader of a registration that was closed in that browser declines
    /// the NDA after all; the closing time stays. Returns `false` and writes nothing unless
    /// it was closed without an acceptance.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn decline_closed(&mut self, id: RecipientId, viewer: ViewerSessionId) -> Result<bool>;

    /// Records an acceptance. Returns `false` and keeps the first one when the
    /// recipient has already accepted.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_acceptance(&mut self, acceptance: &NdaAcceptance) -> Result<bool>;

    /// Returns the activity on the links of an idea, newest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn activity_of(&mut self, idea: IdeaId, paging: Paging) -> Result<Page<Activity>>;
}

/// Comments.
pub trait Comments {
    /// Adds a comment.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_comment(&mut self, comment: &Comment) -> Result<()>;

    /// Returns the comment with that id; `None` once its draft was deleted.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn comment(&mut self, id: CommentId) -> Result<Option<Comment>>;

    /// Stores the text, `edited_at` and `withdrawn_at` of a comment. Returns `false`
    /// and changes nothing when it was withdrawn or is gone. One conditional update.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn change_comment(&mut self, comment: &Comment) -> Result<bool>;

    /// Returns the comments on an idea that `scope` includes, oldest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn comments_on(
        &mut self,
        idea: IdeaId,
        scope: &CommentScope,
        paging: Paging,
    ) -> Result<Page<Comment>>;

    /// Returns the comments on all ideas of an owner, oldest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn comments_for_owner(&mut self, owner: UserId, paging: Paging) -> Result<Page<Comment>>;
}
