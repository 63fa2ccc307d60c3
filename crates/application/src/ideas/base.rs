//! The revision that an edit started from.

use ideavault_domain::failure::Invalid;
use ideavault_domain::idea::Idea;

use super::IdeaError;

/// Refuses an edit that is not based on the current revision.
pub(super) fn check_base(idea: &Idea, base: Option<i32>) -> Result<(), IdeaError> {
    match base {
        Some(base) if !(1..=idea.revision).contains(&base) => {
            Err(Invalid::new("baseRevision", "The idea has no such revision").into())
        }
        Some(base) if base < idea.revision => Err(IdeaError::Outdated(idea.revision)),
        _ => Ok(()),
    }
}
