//! Looking at everything, whoever it belongs to.

use super::database::DatabaseError;
use crate::file::StoredFile;
use crate::idea::Idea;
use crate::ids::{FileId, IdeaId};

/// All that the store holds, page by page, for whoever checks a backup.
pub trait Inspection {
    /// Up to `limit` ideas in the order of their numbers, deleted ones
    /// included, beginning after `after`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn ideas_after(
        &mut self,
        after: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<Idea>, DatabaseError>;

    /// Up to `limit` files in the order of their ids, beginning after `after`.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn files_after(
        &mut self,
        after: Option<FileId>,
        limit: i64,
    ) -> Result<Vec<StoredFile>, DatabaseError>;
}
