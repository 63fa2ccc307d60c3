//! Reading all ideas and files, regardless of owner.

use std::fmt;

use super::error::DatabaseError;
use super::ideas::IdeaOwner;
use crate::evidence::Fact;
use crate::idea::Idea;
use crate::ids::{FileId, IdeaId};

/// A stored value that cannot be read, because it was damaged or changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DamagedValue {
    /// The kind of value, such as 'comment'.
    pub what: &'static str,
    /// The id of its row.
    pub id: String,
}

impl fmt::Display for DamagedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.id)
    }
}

/// Pages through all stored data, for the checks of backups and of evidence.
pub trait Inspection {
    /// Returns up to `limit` ids of ideas after `after`, in order, deleted ones included.
    fn idea_ids_after(
        &mut self,
        after: Option<IdeaId>,
        limit: i64,
    ) -> Result<Vec<IdeaId>, DatabaseError>;

    /// Returns an idea, whatever became of it and of its owner's account.
    fn inspected_idea(&mut self, id: IdeaId) -> Result<Option<Idea>, DatabaseError>;

    /// Returns the owner of an idea, even if the account is disabled, but not if it was deleted.
    fn idea_owner_even_if_disabled(
        &mut self,
        id: IdeaId,
    ) -> Result<Option<IdeaOwner>, DatabaseError>;

    /// Returns the damaged values that this transaction has left out of its answers since
    /// the last call.
    fn left_out(&mut self) -> Vec<DamagedValue>;

    /// Returns up to `limit` ids of files after `after`, in order, without deleted ones.
    fn file_ids_after(
        &mut self,
        after: Option<FileId>,
        limit: i64,
    ) -> Result<Vec<FileId>, DatabaseError>;

    /// Returns what all tables but those of the log say happened to an idea, in any order.
    fn facts_of(&mut self, idea: IdeaId) -> Result<Vec<Fact>, DatabaseError>;
}
