//! Errors of actions on ideas, and their messages.

use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{DatabaseError, PortError};
use ideavault_domain::quota::QuotaExceeded;
use thiserror::Error;

/// The reason why an action on an idea failed.
#[derive(Debug, Error)]
pub enum IdeaError {
    /// Absent, deleted, or somebody else's.
    #[error("no such idea")]
    NotFound,
    /// Published ideas are final.
    #[error("the idea is published")]
    Published,
    /// Published or deleted by a concurrent request.
    #[error("the idea changed meanwhile")]
    Changed,
    /// A newer revision was saved since the edit started.
    #[error("the idea is now at revision {0}")]
    Outdated(i32),
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The database has an idea without its content.
    #[error("the current revision of idea {0} has no content")]
    ContentMissing(IdeaId),
    /// A storage quota is reached.
    #[error(transparent)]
    Quota(#[from] QuotaExceeded),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<IdeaError> for Failure {
    fn from(error: IdeaError) -> Self {
        match error {
            IdeaError::NotFound => Self::NotFound,
            IdeaError::Published => {
                Self::Conflict("Published ideas cannot be edited or deleted".into())
            }
            IdeaError::Changed => {
                Self::Conflict("This idea has been changed elsewhere. Please reload it.".into())
            }
            IdeaError::Outdated(revision) => Self::Outdated {
                message: "This idea has been saved elsewhere in the meantime. Nothing was overwritten.",
                revision,
            },
            IdeaError::Invalid(invalid) => Self::Invalid(invalid),
            IdeaError::ContentMissing(_) => Self::Damaged(Box::new(error)),
            IdeaError::Quota(exceeded) => exceeded.into(),
            IdeaError::Database(error) => error.into(),
            IdeaError::Port(error) => error.into(),
        }
    }
}
