//! Removal of two-step sign-in by the operator.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::Invalid;
use ideavault_domain::ports::{Clock, Database, DatabaseError};
use thiserror::Error;

/// The reason why two-step sign-in was not removed.
#[derive(Debug, Error)]
pub enum RemovalError {
    /// Not an email address.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// No account has that address, or two-step sign-in is not on.
    #[error("no account with that address has two-step sign-in on")]
    NothingToRemove,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Removes two-step sign-in for people who have lost both app and recovery codes.
pub struct TwoFactorRemoval<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> TwoFactorRemoval<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Turns two-step sign-in off for the account with that address, and returns the
    /// address.
    pub fn remove(&self, email: &str) -> Result<Email, RemovalError> {
        let email = Email::parse(email)?;
        self.database.write(|tx| {
            let found = tx.users().credentials(&email)?;
            let user = found.ok_or(RemovalError::NothingToRemove)?.user.id;
            if !tx.two_factors().remove_two_factor(user)? {
                return Err(RemovalError::NothingToRemove);
            }
            Ok(tx.audit().record(&AuditEntry {
                at: self.clock.now(),
                kind: AuditKind::TwoFactorRemoved,
                account: Some(user),
                subject: None,
                origin: None,
            })?)
        })?;
        Ok(email)
    }
}
