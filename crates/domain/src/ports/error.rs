//! The failures of the database.

use std::error::Error;

use thiserror::Error;

use crate::failure::Failure;

/// The reason why a repository call failed.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// The database is unreachable or has no free connection; a retry may succeed.
    #[error("{operation}: the database is unavailable")]
    Unavailable {
        /// The operation that failed.
        operation: &'static str,
        /// The underlying error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database's disk is full.
    #[error("{operation}: the database's disk is full")]
    Full {
        /// The operation that failed.
        operation: &'static str,
        /// The underlying error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The account that something is written for was deleted or disabled meanwhile.
    #[error("{operation}: the account is deleted or disabled")]
    AccountGone {
        /// The operation that failed.
        operation: &'static str,
    },
    /// Anything else: a constraint violation, damaged data, a bug.
    #[error("{operation} failed")]
    Internal {
        /// The operation that failed.
        operation: &'static str,
        /// The underlying error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Unavailable { .. } => Self::Unavailable(Box::new(error)),
            DatabaseError::Full { .. } => Self::StorageFull(Box::new(error)),
            DatabaseError::AccountGone { .. } => Self::Unauthenticated("Please sign in".into()),
            DatabaseError::Internal { .. } => Self::Internal(Box::new(error)),
        }
    }
}
