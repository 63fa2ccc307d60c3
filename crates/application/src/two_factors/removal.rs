//! Turning two-step sign-in off for somebody else.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::Invalid;
use ideavault_domain::ports::{Clock, Database, DatabaseError};
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
    Database(#[from] DatabaseError),
}

/// For the operator, who helps people that have lost app and recovery codes.
pub struct SecondFactorRemoval<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> SecondFactorRemoval<S> {
    /// Wires the area.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Turns the second step off for the account with that address, which it
    /// answers.
    ///
    /// # Errors
    /// [`RemovalError`].
    pub fn remove(&self, email: &str) -> Result<Email, RemovalError> {
        let email = Email::parse(email)?;
        self.database.write(|tx| {
            let found = tx.users().credentials(&email)?;
            let user = found.ok_or(RemovalError::NothingToRemove)?.user.id;
            if !tx.two_factors().remove_second_factor(user)? {
                return Err(RemovalError::NothingToRemove);
            }
            Ok(tx.audit().record(&AuditEntry {
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
