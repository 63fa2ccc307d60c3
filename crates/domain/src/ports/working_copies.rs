//! Unsaved texts.

use super::error::DatabaseError;
use crate::ids::{IdeaId, UserId};
use crate::working_copy::{EditingSession, WorkingCopy};

type Result<T> = std::result::Result<T, DatabaseError>;

/// Unsaved texts: one of each editing session of an idea. An idea that was never saved, of which each
/// account has one, is `None`.
pub trait WorkingCopies {
    /// Keeps a copy in the place of that of the same session. Returns `false` and keeps nothing when
    /// the idea is no draft of `owner` any more.
    fn keep_working_copy(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        copy: &WorkingCopy,
    ) -> Result<bool>;

    /// Returns how many copies other sessions have.
    fn count_other_copies(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        session: &EditingSession,
    ) -> Result<i64>;

    /// Returns up to `limit` copies of `owner`, the newest first.
    fn newest_working_copies(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<WorkingCopy>>;

    /// Deletes the copies of `owner`: all, or only that of `session`.
    fn drop_working_copies(
        &mut self,
        owner: UserId,
        idea: Option<IdeaId>,
        session: Option<&EditingSession>,
    ) -> Result<()>;
}
