//! Storage usage of accounts, and quotas.

use std::sync::Arc;

use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Database, DatabaseError, Transaction};
use ideavault_domain::quota::{ByteSize, QuotaExceeded, Quotas};
use thiserror::Error;

/// Checks the storage used after this transaction's writes against the quotas of the
/// account and of the vault. Call it last: on failure the transaction is rolled back.
///
/// # Errors
/// [`QuotaExceeded`], or [`DatabaseError`].
pub(crate) fn check<E>(tx: &mut dyn Transaction, user: UserId, quotas: &Quotas) -> Result<(), E>
where
    E: From<QuotaExceeded> + From<DatabaseError>,
{
    tx.storage_use().storage_of(user)?.check(quotas)?;
    if let Some(vault) = quotas.vault
        && tx.storage_use().lock_vault_storage()? > vault.bytes()
    {
        return Err(QuotaExceeded::Vault.into());
    }
    Ok(())
}

/// An account's usage and quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageReport {
    /// Bytes stored.
    pub used: u64,
    /// Most bytes that may be stored.
    pub quota: u64,
}

/// Storage usage.
pub struct Storage<S> {
    database: Arc<S>,
    quotas: Quotas,
}

impl<S: Database> Storage<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, quotas: Quotas) -> Self {
        Self { database, quotas }
    }

    /// Returns the user's usage and quota.
    pub fn report(&self, user: UserId) -> Result<StorageReport, DatabaseError> {
        let stored = self
            .database
            .read_one(|tx| tx.storage_use().storage_of(user))?;
        Ok(StorageReport {
            used: stored.used,
            quota: stored.quota(&self.quotas).bytes(),
        })
    }
}

/// The reason why a quota was not set.
#[derive(Debug, Error)]
pub enum QuotaError {
    /// Not an email address.
    #[error("{}", .0.message)]
    Invalid(#[from] Invalid),
    /// No account has that address.
    #[error("no account has the address {0}")]
    NoSuchUser(Email),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl From<QuotaError> for Failure {
    fn from(error: QuotaError) -> Self {
        match error {
            QuotaError::Invalid(invalid) => Self::Invalid(invalid),
            QuotaError::NoSuchUser(_) => Self::NotFound,
            QuotaError::Database(error) => error.into(),
        }
    }
}

/// Quota settings, for the operator.
pub struct QuotaSetting<S> {
    database: Arc<S>,
}

impl<S: Database> QuotaSetting<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>) -> Self {
        Self { database }
    }

    /// Sets the quota of the account with that address; `None` means the server's
    /// default. Returns the address and the bytes stored.
    pub fn set(&self, email: &str, quota: Option<ByteSize>) -> Result<(Email, u64), QuotaError> {
        let email = Email::parse(email)?;
        self.database.write(|tx| {
            let Some(found) = tx.users().credentials(&email)? else {
                return Err(QuotaError::NoSuchUser(email.clone()));
            };
            tx.storage_use().set_storage_quota(found.user.id, quota)?;
            let used = tx.storage_use().storage_of(found.user.id)?.used;
            Ok((found.user.email, used))
        })
    }
}
