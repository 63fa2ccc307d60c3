//! The store: repositories within a transaction.

use std::error::Error;

use thiserror::Error;

use super::accounts::AccountChanges;
use super::administration::Administration;
use super::admission::{Invitations, Waitlist};
use super::audit::AuditTrail;
use super::codes::Codes;
use super::confirmations::EmailConfirmations;
use super::devices::KnownDevices;
use super::files::Files;
use super::identity::StorageIdentity;
use super::inspection::Inspection;
use super::mail::Outbox;
use super::notices::{Notices, NotificationSettings};
use super::quota::StorageUse;
use super::repositories::{Comments, Ideas, Recipients, Shares, Users};
use super::second_factors::SecondFactors;
use super::sessions::UserSessions;
use super::time::NewestTime;
use super::vault::MasterKeys;
use crate::failure::Failure;

/// Why a repository could not answer.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database cannot be reached, or has no connection free; it may work later.
    #[error("{operation}: the database is unavailable")]
    Unavailable {
        /// What was attempted.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// No space is left on its disk.
    #[error("{operation}: the database's disk is full")]
    Full {
        /// What was attempted.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// Anything else: a broken rule of the schema, damaged data, a defect.
    #[error("{operation} failed")]
    Internal {
        /// What was attempted.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable { .. } => Self::Unavailable(Box::new(error)),
            StoreError::Full { .. } => Self::StorageFull(Box::new(error)),
            StoreError::Internal { .. } => Self::Internal(Box::new(error)),
        }
    }
}

/// All repositories, within one transaction.
pub trait Session:
    Users
    + UserSessions
    + KnownDevices
    + SecondFactors
    + Ideas
    + Files
    + Shares
    + Recipients
    + Codes
    + Comments
    + Outbox
    + AccountChanges
    + EmailConfirmations
    + Administration
    + Waitlist
    + Invitations
    + MasterKeys
    + StorageUse
    + StorageIdentity
    + NewestTime
    + Inspection
    + AuditTrail
    + Notices
    + NotificationSettings
{
}

impl<T> Session for T where
    T: Users
        + UserSessions
        + KnownDevices
        + SecondFactors
        + Ideas
        + Files
        + Shares
        + Recipients
        + Codes
        + Comments
        + Outbox
        + AccountChanges
        + EmailConfirmations
        + Administration
        + Waitlist
        + Invitations
        + MasterKeys
        + StorageUse
        + StorageIdentity
        + NewestTime
        + Inspection
        + AuditTrail
        + Notices
        + NotificationSettings
{
}

/// Opens sessions. No session outlives the closure that it is handed to.
pub trait Store: Send + Sync {
    /// Runs `work` on one consistent snapshot. `work` must not write.
    ///
    /// # Errors
    /// What `work` returns, or the store's own failure.
    fn read<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut dyn Session) -> Result<T, E>,
    ) -> Result<T, E>;

    /// Runs `work` in one transaction: Ok commits, Err rolls back.
    ///
    /// # Errors
    /// What `work` returns, or the store's own failure; then nothing was written.
    fn write<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut dyn Session) -> Result<T, E>,
    ) -> Result<T, E>;
}
