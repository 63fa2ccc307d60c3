//! What the store must remember, one trait per area. Lists have a defined
//! order; 'whether it happened' answers come from conditional statements, so
//! that races have one winner.

use super::database::DatabaseError;
use crate::Timestamp;
use crate::account::{PasswordHash, SessionEpoch, User};
use crate::activity::Activity;
use crate::comment::{Comment, CommentScope};
use crate::content::Content;
use crate::email::Email;
use crate::gate::RecipientProgress;
use crate::idea::{DisclosedIdea, Draft, Idea, ListedIdea, Publication, Revision};
use crate::ids::{CommentId, IdeaId, RecipientId, ShareId, UserId, ViewerSessionId};
use crate::page::{Page, Paging};
use crate::recipient::{Ending, NdaAcceptance, Recipient, ViewGrant, ViewerSession};
use crate::share::Share;
use crate::text::ShareName;
use crate::thinning::KeptRevision;
use crate::token::TokenHash;

type Result<T> = std::result::Result<T, DatabaseError>;

/// What a login is checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The account.
    pub user: User,
    /// Its password.
    pub password_hash: PasswordHash,
    /// In which its sessions begin, as long as nobody ends them all.
    pub epoch: SessionEpoch,
}

/// Accounts.
pub trait Users {
    /// Adds an account. Answers `false`, and adds nothing, when the address is taken.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_user(&mut self, user: &User, password_hash: &PasswordHash) -> Result<bool>;

    /// The account with that address.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn credentials(&mut self, email: &Email) -> Result<Option<Credentials>>;

    /// The account with that id.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn user(&mut self, id: UserId) -> Result<Option<User>>;

    /// Gives an account another photo, by its path. Answers `false`, and
    /// writes nothing, when there is no such account.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn set_profile_image(&mut self, id: UserId, path: &str) -> Result<bool>;
}

/// An idea to be added, with its first revision.
#[derive(Clone, Debug, PartialEq)]
pub struct NewIdea {
    /// Whose it is.
    pub owner: UserId,
    /// Its first revision.
    pub draft: Draft,
    /// When.
    pub created_at: Timestamp,
}

/// Ideas and their revisions. Whatever saves a revision also records which
/// files it shows ([`Content::files`]), as far as they are its owner's.
pub trait Ideas {
    /// Adds an idea and its revision 1.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_idea(&mut self, idea: &NewIdea) -> Result<Idea>;

    /// The idea, even a deleted one; none while its owner's account is disabled.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn idea(&mut self, id: IdeaId) -> Result<Option<Idea>>;

    /// The idea, even a deleted one, with its owner's name; none while that account
    /// is disabled.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn disclosed_idea(&mut self, id: IdeaId) -> Result<Option<DisclosedIdea>>;

    /// The owner's ideas that are not deleted, last changed first, with the counts of
    /// their links.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn ideas_of(&mut self, owner: UserId, paging: Paging) -> Result<Page<ListedIdea>>;

    /// The content of a revision; none once it was erased, or its draft deleted.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn revision_content(&mut self, idea: IdeaId, revision: i32) -> Result<Option<Content>>;

    /// The drafts that have an old revision, one that is not the current one, saved before
    /// `before`, and its content kept, in the order of their numbers, beginning after
    /// `after`: at most `limit`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn drafts_with_old_revisions(
        &mut self,
        before: Timestamp,
        after: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<IdeaId>>;

    /// The revisions of an idea whose content is kept, newest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn kept_revisions(&mut self, idea: IdeaId) -> Result<Vec<KeptRevision>>;

    /// Erases the content of old revisions of a draft, and forgets which files they
    /// showed. Returns how many; none when it is not a draft any more, or one of them is
    /// its current revision.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn erase_revisions(&mut self, idea: IdeaId, numbers: &[i32]) -> Result<usize>;

    /// One revision of an idea, without its content; none once its draft was deleted.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn revision(&mut self, idea: IdeaId, number: i32) -> Result<Option<Revision>>;

    /// All revisions of an idea, newest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn revisions_of(&mut self, idea: IdeaId) -> Result<Vec<Revision>>;

    /// Saves `draft` as the revision after `idea.revision`. Answers `false`,
    /// and writes nothing, when the idea is not a draft any more or has a
    /// newer revision by now.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_revision(&mut self, idea: &Idea, draft: &Draft, at: Timestamp) -> Result<bool>;

    /// Publishes `idea.revision`. Answers `false`, and writes nothing, when the
    /// idea is not a draft any more or has a newer revision by now.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn publish_idea(&mut self, idea: &Idea, publication: &Publication) -> Result<bool>;

    /// Deletes a draft: erases the content of its revisions and its comments,
    /// forgets which files it showed, and keeps the row that evidence points
    /// to. Answers `false`, and writes
    /// nothing, when it is not a draft any more.
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
    /// When it gave its last view.
    pub last_view_at: Option<Timestamp>,
    /// Registrations that the activity only counts.
    pub folded_registrations: i64,
}

/// Share links.
pub trait Shares {
    /// Adds a link.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_share(&mut self, share: &Share) -> Result<()>;

    /// The link with that id, dead or alive.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn share(&mut self, id: ShareId) -> Result<Option<Share>>;

    /// The link with that token, dead or alive.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn share_by_token(&mut self, token: &TokenHash) -> Result<Option<Share>>;

    /// All links of an idea, dead ones included, newest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn shares_of(&mut self, idea: IdeaId) -> Result<Vec<ListedShare>>;

    /// Renames a link, or takes its name away. The link has to exist.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn rename_share(&mut self, id: ShareId, name: Option<&ShareName>) -> Result<()>;

    /// Ends a link; the first time counts.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn revoke_share(&mut self, id: ShareId, at: Timestamp) -> Result<()>;

    /// Changes whether a link's readers see those of other links
    /// ([`Share::shows_other_readers`]).
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn show_other_readers(&mut self, id: ShareId, shown: bool) -> Result<()>;

    /// Counts a view and records its grant, unless the link is revoked,
    /// expired or exhausted at `grant.granted_at`, or a view of the same
    /// recipient is running then; in those cases it answers `false` and writes
    /// nothing. One conditional update decides, so that no race counts
    /// past the limit.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn claim_view(&mut self, grant: &ViewGrant) -> Result<bool>;
}

/// A recipient with what the owner's gate needs to know of its link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientOnShare {
    /// The registration and what came of it.
    pub progress: RecipientProgress,
    /// Its link.
    pub share: Share,
}

/// Recipients, their acceptances and views.
pub trait Recipients {
    /// Adds a recipient's browser.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_viewer_session(&mut self, session: &ViewerSession) -> Result<()>;

    /// The browser with that key, unless another key has taken over from it.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn viewer_session(&mut self, key: &TokenHash) -> Result<Option<ViewerSession>>;

    /// Makes the key of `session` the only one of its browser: moves all that the
    /// session has that it replaces, and ends that one. What it replaces can have
    /// been taken over by another key; then it goes on alone.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn take_over(&mut self, session: &ViewerSession, at: Timestamp) -> Result<()>;

    /// Moves an open registration to a session that is to have it alone. Answers
    /// `false`, and moves nothing, when it is not open in `from` any more.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn move_recipient(
        &mut self,
        id: RecipientId,
        from: ViewerSessionId,
        to: ViewerSessionId,
    ) -> Result<bool>;

    /// Adds a recipient. Its browser has no other open registration on that link.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_recipient(&mut self, recipient: &Recipient) -> Result<()>;

    /// The browser's newest registration on a link, closed ones included.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn newest_progress(
        &mut self,
        viewer: ViewerSessionId,
        share: ShareId,
    ) -> Result<Option<RecipientProgress>>;

    /// The registration with that id and its link.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn registration(&mut self, id: RecipientId) -> Result<Option<RecipientOnShare>>;

    /// The browser's registrations that are not closed, newest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn registrations_of(&mut self, viewer: ViewerSessionId) -> Result<Vec<RecipientOnShare>>;

    /// Ends an open registration of that browser; answers whether it was open there.
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

    /// Records an acceptance. Answers `false`, and keeps the first one, when
    /// the recipient agreed before.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_acceptance(&mut self, acceptance: &NdaAcceptance) -> Result<bool>;

    /// Notes that a recipient downloaded the document.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn add_download(&mut self, id: RecipientId, at: Timestamp) -> Result<()>;

    /// What happened on the links of an idea, newest first.
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

    /// The comment with that id; none once its draft was deleted.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn comment(&mut self, id: CommentId) -> Result<Option<Comment>>;

    /// Stores text, `edited_at` and `withdrawn_at` of a comment. Returns false, and
    /// changes nothing, when it was withdrawn before or is gone: one conditional
    /// update decides.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn change_comment(&mut self, comment: &Comment) -> Result<bool>;

    /// The comments on an idea that `scope` includes, oldest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn comments_on(
        &mut self,
        idea: IdeaId,
        scope: &CommentScope,
        paging: Paging,
    ) -> Result<Page<Comment>>;

    /// The comments on all ideas of an owner, oldest first.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn comments_for_owner(&mut self, owner: UserId, paging: Paging) -> Result<Page<Comment>>;
}
