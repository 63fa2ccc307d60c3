//! Unsaved texts.

use super::error::DatabaseError;
use crate::ids::{IdeaId, UserId};
use crate::working_copy::{EditingSession, WorkingCopy};

type Result<T> = std::result::Result<T, DatabaseError>;

/// Unsaved texts: of each idea one, and one of each account for an idea that was never saved, which
/// has the idea `None`.
pub trait WorkingCopies {
    /// Keeps a copy in the place of the one that is there. Returns `false` and keeps nothing when
    /// the idea is no draft of `owner` any more.
    fn keep_working_copy(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        copy: &WorkingCopy,
    ) -> Result<bool>;

    /// Returns the copy of `owner`.
    fn working_copy(&mut self, owner: UserId, idea: Option<IdeaId>) -> Result<Option<WorkingCopy>>;

    /// Deletes the copy of `owner` if `session` wrote it.
    fn drop_working_copy(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        session: &EditingSession,
    ) -> Result<()>;
}
