//! The readers of a creator: who was offered, accepted and opened what.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{Clock, Database, DatabaseError};
use ideavault_domain::reader::{EXPORTED, LOOKED_THROUGH, Reader, ReaderFilter};
use ideavault_domain::recipient::Origin;
use thiserror::Error;

use crate::deps::Deps;

/// The reason why readers could not be listed.
#[derive(Debug, Error)]
pub enum ReadersError {
    /// There are too many registrations, or too much came of them.
    #[error("too many readers")]
    TooMany,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<ReadersError> for Failure {
    fn from(error: ReadersError) -> Self {
        match error {
            ReadersError::TooMany => Self::TooLarge(
                "There are too many readers or visits to look through at once. Please choose one \
                 idea or one link."
                    .into(),
            ),
            ReadersError::Database(error) => error.into(),
        }
    }
}

/// Lists of readers.
pub struct Readers<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Readers<S> {
    /// Creates the service from its dependencies.
    pub fn new(deps: &Deps<S>) -> Self {
        Self {
            database: Arc::clone(&deps.database),
            clock: Arc::clone(&deps.clock),
        }
    }

    /// Returns a page of the user's readers that are looked for, and their number. Another user's
    /// idea or link has none.
    ///
    /// # Errors
    /// [`ReadersError::TooMany`] beyond [`LOOKED_THROUGH`].
    pub fn list(
        &self,
        user: UserId,
        filter: &ReaderFilter,
        paging: Paging,
    ) -> Result<(Page<Reader>, usize), ReadersError> {
        Ok(filter.page(self.of(user, filter, LOOKED_THROUGH)?, paging))
    }

    /// Returns all readers that are looked for, and records that the user exports them.
    ///
    /// # Errors
    /// [`ReadersError::TooMany`] beyond [`EXPORTED`].
    pub fn export(
        &self,
        user: UserId,
        filter: &ReaderFilter,
        origin: Origin,
    ) -> Result<Vec<Reader>, ReadersError> {
        let readers = self.of(user, filter, EXPORTED)?;
        let now = self.clock.now();
        let entry = AuditEntry::by(user, AuditKind::Exported, now, origin);
        self.database.write(|tx| tx.audit().record(&entry))?;
        Ok(filter.found(readers))
    }

    fn of(
        &self,
        user: UserId,
        filter: &ReaderFilter,
        most: usize,
    ) -> Result<Vec<Reader>, ReadersError> {
        let database = &self.database;
        let readers = database.read(|tx| {
            let readers = tx.recipients();
            readers.readers_of(user, &filter.scope, most)
        })?;
        readers.ok_or(ReadersError::TooMany)
    }
}
