//! How much an account stores, and the limits on it.

use std::sync::Arc;

use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Database, DatabaseError, Transaction};
use ideavault_domain::quota::{ByteSize, QuotaExceeded, Quotas};
use thiserror::Error;

/// Checks what was stored in this transaction against the quotas of the account and of
/// the vault. To be called after everything else: when it fails, the transaction is
/// rolled back.
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

/// What an account stores, and how much it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageReport {
    /// In bytes.
    pub used: u64,
    /// In bytes.
    pub quota: u64,
}

/// What accounts store.
pub struct Storage<S> {
    database: Arc<S>,
    quotas: Quotas,
}

impl<S: Database> Storage<S> {
    /// Wires the area.
    pub fn new(database: Arc<S>, quotas: Quotas) -> Self {
        Self { database, quotas }
    }

    /// What the user stores, and how much they may.
    ///
    /// # Errors
    /// [`DatabaseError`].
    pub fn report(&self, user: UserId) -> Result<StorageReport, DatabaseError> {
        let stored = self.database.read(|tx| tx.storage_use().storage_of(user))?;
        Ok(StorageReport {
            used: stored.used,
            quota: stored.quota(&self.quotas).bytes(),
        })
    }
}

/// Why a quota was not set.
#[derive(Debug, Error)]
pub enum QuotaError {
    /// That is no address.
    #[error("{}", .0.message)]
    Invalid(#[from] Invalid),
    /// Nobody has that address.
    #[error("no account has the address {0}")]
    NoSuchUser(Email),
    /// The store could not answer.
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

/// Sets quotas, for the operator.
pub struct QuotaSetting<S> {
    database: Arc<S>,
}

impl<S: Database> QuotaSetting<S> {
    /// Wires the area.
    pub fn new(database: Arc<S>) -> Self {
        Self { database }
    }

    /// Sets what the account with that address may store; none: the server's default.
    /// Returns the address, and how many bytes it stores by now.
    ///
    /// # Errors
    /// [`QuotaError`].
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
