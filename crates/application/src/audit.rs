//! The security audit log: recording denials, and reading it.
//!
//! A change is recorded in its own transaction. A denial changes nothing, so it is
//! recorded here, after the response was sent: the time that takes reveals nothing,
//! and a failure to record does not undo the denial.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Clock, Database, DatabaseError};
use ideavault_domain::recipient::Origin;
use thiserror::Error;

use crate::actor::Caller;

pub use refused::Refused;

mod refused;

/// The reason why the audit log could not be written or read.
#[derive(Debug, Error)]
pub enum AuditError {
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Self {
        match error {
            AuditError::Database(error) => error.into(),
        }
    }
}

/// The audit log.
pub struct Audit<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Audit<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Records that `caller` was refused something.
    pub fn refused(
        &self,
        refused: &Refused,
        caller: &Caller,
        origin: Origin,
    ) -> Result<(), AuditError> {
        let now = self.clock.now();
        let denial = self.database.read(|tx| refused.found(tx, caller, now))?;
        let entry = AuditEntry {
            at: now,
            kind: denial.kind,
            account: denial.account,
            subject: denial.subject,
            origin: Some(origin),
        };
        self.database.write(|tx| tx.audit().record_denial(&entry))?;
        Ok(())
    }

    /// Returns the newest `limit` entries not older than `since`, newest last.
    pub fn list(
        &self,
        since: Option<Timestamp>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, AuditError> {
        let limit = i64::from(limit);
        Ok(self.database.read(|tx| tx.audit().audit(since, limit))?)
    }

    /// Returns the addresses of the accounts that `entries` refer to, for the
    /// operator. A deleted account has none.
    pub fn addresses(&self, entries: &[AuditEntry]) -> Result<HashMap<UserId, Email>, AuditError> {
        let accounts: HashSet<_> = entries.iter().filter_map(|entry| entry.account).collect();
        let addresses = self.database.read(|tx| {
            let mut addresses = HashMap::new();
            for id in &accounts {
                if let Some(user) = tx.users().user(*id)? {
                    addresses.insert(*id, user.email);
                }
            }
            Ok::<_, DatabaseError>(addresses)
        })?;
        Ok(addresses)
    }

    /// Records that the operator made a backup.
    pub fn backed_up(&self) -> Result<(), AuditError> {
        let entry = AuditEntry {
            at: self.clock.now(),
            kind: AuditKind::BackedUp,
            account: None,
            subject: None,
            origin: None,
        };
        self.database.write(|tx| tx.audit().record(&entry))?;
        Ok(())
    }
}
