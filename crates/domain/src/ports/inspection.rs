//! Reading all ideas and files, regardless of owner.

use super::error::DatabaseError;
use crate::evidence::Fact;
use crate::file::StoredFile;
use crate::idea::Idea;
use crate::ids::{FileId, IdeaId};

/// Pages through all stored data, for the checks of backups and of evidence.
pub trait Inspection {
    /// Returns up to `limit` ideas with ids after `after`, ordered by id, deleted
    /// ones included.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn ideas_after(
        &mut self,
        after: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<Idea>, DatabaseError>;

    /// Returns up to `limit` files with ids after `after`, ordered by id.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn files_after(
        &mut self,
        after: Option<FileId>,
        limit: i64,
    ) -> Result<Vec<StoredFile>, DatabaseError>;

    /// Returns what all tables but those of the log say happened to an idea, in any order.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn facts_of(&mut self, idea: IdeaId) -> Result<Vec<Fact>, DatabaseError>;
}
