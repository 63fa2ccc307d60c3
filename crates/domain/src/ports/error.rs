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
    /// A stored value was damaged or changed, so that it cannot be read. The transaction goes
    /// on if the call only read: see [`unless_damaged`].
    #[error("{operation}: a stored value is damaged")]
    Damaged {
        /// The operation that failed.
        operation: &'static str,
        /// The underlying error.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// Anything else: a constraint violation, a bug.
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
            DatabaseError::Damaged { .. } => Self::Damaged(Box::new(error)),
            DatabaseError::Internal { .. } => Self::Internal(Box::new(error)),
        }
    }
}

/// Returns what was read; `None` if it is damaged.
///
/// # Errors
/// Every other failure.
pub fn unless_damaged<T>(read: Result<T, DatabaseError>) -> Result<Option<T>, DatabaseError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(DatabaseError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
