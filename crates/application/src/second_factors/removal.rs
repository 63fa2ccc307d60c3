//! Turning two-step sign-in off for somebody else.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::Invalid;
use ideavault_domain::ports::{Clock, Store, StoreError};
use thiserror::Error;

/// Why the operator did not remove a second factor.
#[derive(Debug, Error)]
pub enum RemovalError {
    /// That is no address.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// No account has that address, or its logins need no second step.
    #[error("no account with that address has two-step sign-in on")]
    NothingToRemove,
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// For the operator, who helps people that have lost app and recovery codes.
pub struct SecondFactorRemoval<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Store> SecondFactorRemoval<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Turns the second step off for the account with that address, which it
    /// answers.
    ///
    /// # Errors
    /// [`RemovalError`].
    pub fn remove(&self, email: &str) -> Result<Email, RemovalError> {
        let email = Email::parse(email)?;
        self.store.write(|session| {
            let found = session.credentials(&email)?;
            let user = found.ok_or(RemovalError::NothingToRemove)?.user.id;
            if !session.remove_second_factor(user)? {
                return Err(RemovalError::NothingToRemove);
            }
            Ok(session.record(&AuditEntry {
                at: self.clock.now(),
                kind: AuditKind::SecondFactorRemoved,
                account: Some(user),
                subject: None,
                origin: None,
            })?)
        })?;
        Ok(email)
    }
}
