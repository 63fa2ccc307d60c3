//! The database: repositories within a transaction.

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
use super::sessions::UserSessions;
use super::time::NewestTime;
use super::two_factors::TwoFactors;
use super::vault::MasterKeys;
use crate::failure::Failure;

/// Why a repository could not answer.
#[derive(Debug, Error)]
pub enum DatabaseError {
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

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Unavailable { .. } => Self::Unavailable(Box::new(error)),
            DatabaseError::Full { .. } => Self::StorageFull(Box::new(error)),
            DatabaseError::Internal { .. } => Self::Internal(Box::new(error)),
        }
    }
}

/// Declares [`Transaction`] from the one list of repositories.
macro_rules! transaction {
    ($($name:ident: $repository:ident,)+) => {
        /// One transaction, and the repositories that live in it.
        pub trait Transaction {
            $(
                #[doc = concat!("Returns the [`", stringify!($repository), "`] of this transaction.")]
                fn $name(&mut self) -> &mut dyn $repository;
            )+
        }

        impl<T: $($repository +)+> Transaction for T {
            $(
                fn $name(&mut self) -> &mut dyn $repository {
                    self
                }
            )+
        }
    };
}

transaction! {
    users: Users,
    user_sessions: UserSessions,
    known_devices: KnownDevices,
    two_factors: TwoFactors,
    ideas: Ideas,
    files: Files,
    shares: Shares,
    recipients: Recipients,
    codes: Codes,
    comments: Comments,
    outbox: Outbox,
    account_changes: AccountChanges,
    email_confirmations: EmailConfirmations,
    administration: Administration,
    waitlist: Waitlist,
    invitations: Invitations,
    master_keys: MasterKeys,
    storage_use: StorageUse,
    storage_identity: StorageIdentity,
    newest_time: NewestTime,
    inspection: Inspection,
    audit: AuditTrail,
    notices: Notices,
    notification_settings: NotificationSettings,
}

/// Opens transactions. None outlives the closure that it is handed to.
pub trait Database: Send + Sync {
    /// Runs `work` on one consistent snapshot. `work` must not write.
    ///
    /// # Errors
    /// What `work` returns, or the database's own failure.
    fn read<T, E: From<DatabaseError>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E>;

    /// Runs `work` in one transaction: Ok commits, Err rolls back.
    ///
    /// # Errors
    /// What `work` returns, or the database's own failure; then nothing was written.
    fn write<T, E: From<DatabaseError>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E>;
}
