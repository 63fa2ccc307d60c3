//! Comments.

use super::error::DatabaseError;
use crate::comment::{Comment, CommentScope};
use crate::ids::{CommentId, IdeaId, UserId};
use crate::page::{Page, Paging};

type Result<T> = std::result::Result<T, DatabaseError>;

/// Comments.
pub trait Comments {
    /// Adds a comment.
    ///
    /// # Errors
    /// [`DatabaseError::AccountGone`] if the account of the idea's owner is deleted or
    /// disabled.
    fn add_comment(&mut self, comment: &Comment) -> Result<()>;

    /// Returns the comment with that id; `None` once its draft was deleted.
    fn comment(&mut self, id: CommentId) -> Result<Option<Comment>>;

    /// Stores the text, `edited_at` and `withdrawn_at` of a comment. Returns `false`
    /// and changes nothing when it was withdrawn or is gone. One conditional update.
    ///
    /// # Errors
    /// [`DatabaseError::AccountGone`] if the account of the idea's owner is deleted or
    /// disabled.
    fn change_comment(&mut self, comment: &Comment) -> Result<bool>;

    /// Returns the comments on an idea that `scope` includes, oldest first.
    fn comments_on(
        &mut self,
        idea: IdeaId,
        scope: &CommentScope,
        paging: Paging,
    ) -> Result<Page<Comment>>;

    /// Returns in one statement the comments on an idea, oldest first; none unless `owner` may see
    /// the idea as its owner.
    fn comments_on_own(
        &mut self,
        owner: UserId,
        idea: IdeaId,
        paging: Paging,
    ) -> Result<Page<Comment>>;

    /// Returns the comments on all ideas of an owner, oldest first.
    fn comments_for_owner(&mut self, owner: UserId, paging: Paging) -> Result<Page<Comment>>;
}
