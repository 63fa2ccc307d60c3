//! The revision that an edit started from.

use ideavault_domain::failure::Invalid;
use ideavault_domain::idea::{Draft, Idea};

use super::IdeaError;

/// Refuses a revision that the idea never had.
pub(super) fn require_revision(idea: &Idea, base: i32) -> Result<(), Invalid> {
    if (1..=idea.revision).contains(&base) {
        return Ok(());
    }
    Err(Invalid::new("baseRevision", "The idea has no such version"))
}

/// Refuses an edit that is not based on the current revision.
pub(super) fn check_base(idea: &Idea, base: Option<i32>) -> Result<(), IdeaError> {
    if let Some(base) = base {
        require_revision(idea, base)?;
    }
    match base {
        Some(base) if base < idea.revision => Err(IdeaError::Outdated(idea.revision)),
        _ => Ok(()),
    }
}

/// Returns whether the idea's revision is the one that a save from `base` makes.
pub(super) fn follows(idea: &Idea, base: Option<i32>) -> bool {
    base.is_some_and(|base| base.checked_add(1) == Some(idea.revision))
}

/// Returns whether the idea is what a save of `draft` from `base` makes of it: the answer to that
/// save was lost.
pub(super) fn is_saved(idea: &Idea, draft: &Draft, base: Option<i32>) -> bool {
    follows(idea, base) && idea.title == draft.title && idea.sha256 == draft.sha256
}
