//! Public records: which published ideas anybody may look up by their document id.

use super::error::DatabaseError;
use crate::Timestamp;
use crate::idea::DocumentId;
use crate::ids::IdeaId;

type Result<T> = std::result::Result<T, DatabaseError>;

/// The published ideas whose public record is on. All others have none.
pub trait PublicRecords {
    /// Turns the public record of a published idea on, from that time, or off (`None`).
    /// Repeating it changes nothing.
    fn set_public_record(&mut self, idea: IdeaId, since: Option<Timestamp>) -> Result<()>;

    /// Returns whether the public record of an idea is on.
    fn has_public_record(&mut self, idea: IdeaId) -> Result<bool>;

    /// Returns the published idea with that document id, if its public record is on.
    fn publicly_recorded(&mut self, document: &DocumentId) -> Result<Option<IdeaId>>;
}
