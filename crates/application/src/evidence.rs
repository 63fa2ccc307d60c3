//! What an owner can prove: who registered, agreed and read, and when.

use std::sync::Arc;

use ideavault_domain::activity::Activity;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{IdeaId, UserId};
use ideavault_domain::page::{Page, Paging};
use ideavault_domain::ports::{Store, StoreError};
use thiserror::Error;

/// Why evidence could not be shown.
#[derive(Debug, Error)]
pub enum EvidenceError {
    /// Absent or somebody else's.
    #[error("no such idea")]
    NotFound,
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<EvidenceError> for Failure {
    fn from(error: EvidenceError) -> Self {
        match error {
            EvidenceError::NotFound => Self::NotFound,
            EvidenceError::Store(error) => error.into(),
        }
    }
}

/// Evidence.
pub struct Evidence<S> {
    store: Arc<S>,
}

impl<S: Store> Evidence<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>) -> Self {
        Self { store }
    }

    /// What happened on the links of an own idea, newest first. A deleted
    /// draft still answers: an acceptance outlives what it was given for.
    ///
    /// # Errors
    /// [`EvidenceError::NotFound`] when the idea is not the user's.
    pub fn activity(
        &self,
        user: UserId,
        idea: IdeaId,
        paging: Paging,
    ) -> Result<Page<Activity>, EvidenceError> {
        self.store.read(|session| {
            session
                .idea(idea)?
                .filter(|idea| idea.owner == user)
                .ok_or(EvidenceError::NotFound)?;
            Ok(session.activity_of(idea, paging)?)
        })
    }
}
