//! The waitlist.

use std::sync::Arc;

use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ports::{Clock, Database, DatabaseError};
use thiserror::Error;

/// The reason why an action on the waitlist failed.
#[derive(Debug, Error)]
pub enum WaitlistError {
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<WaitlistError> for Failure {
    fn from(error: WaitlistError) -> Self {
        match error {
            WaitlistError::Invalid(invalid) => Self::Invalid(invalid),
            WaitlistError::Database(error) => error.into(),
        }
    }
}

/// Waitlist actions.
pub struct Waitlist<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Waitlist<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Adds somebody to the waitlist. An address already on it keeps its entry, which
    /// the requester must not learn.
    pub fn join(&self, name: &str, email: &str, profession: &str) -> Result<(), WaitlistError> {
        let entry = WaitlistEntry::parse(name, email, profession, self.clock.now())?;
        self.database
            .write(|tx| tx.waitlist().join_waitlist(&entry))?;
        Ok(())
    }

    /// Returns all entries, oldest first. For the operator; not reachable by any
    /// request.
    pub fn list(&self) -> Result<Vec<WaitlistEntry>, WaitlistError> {
        Ok(self.database.read_one(|tx| tx.waitlist().waitlist())?)
    }
}
