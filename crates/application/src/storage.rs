//! How much an account stores, and the limits on it.

use std::sync::Arc;

use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Session, Store, StoreError};
use ideavault_domain::quota::{ByteSize, QuotaExceeded, Quotas};
use thiserror::Error;

/// Checks what was stored in this transaction against the quotas of the account and of
/// the vault. To be called after everything else: when it fails, the transaction is
/// rolled back.
///
/// # Errors
/// [`QuotaExceeded`], or [`StoreError`].
pub(crate) fn check<E>(session: &mut dyn Session, user: UserId, quotas: &Quotas) -> Result<(), E>
where
    E: From<QuotaExceeded> + From<StoreError>,
{
    session.storage_of(user)?.check(quotas)?;
    if let Some(vault) = quotas.vault
        && session.lock_vault_storage()? > vault.bytes()
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
    store: Arc<S>,
    quotas: Quotas,
}

impl<S: Store> Storage<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>, quotas: Quotas) -> Self {
        Self { store, quotas }
    }

    /// What the user stores, and how much they may.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn report(&self, user: UserId) -> Result<StorageReport, StoreError> {
        let stored = self.store.read(|session| session.storage_of(user))?;
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
    Store(#[from] StoreError),
}

impl From<QuotaError> for Failure {
    fn from(error: QuotaError) -> Self {
        match error {
            QuotaError::Invalid(invalid) => Self::Invalid(invalid),
            QuotaError::NoSuchUser(_) => Self::NotFound,
            QuotaError::Store(error) => error.into(),
        }
    }
}

/// Sets quotas, for the operator.
pub struct QuotaSetting<S> {
    store: Arc<S>,
}

impl<S: Store> QuotaSetting<S> {
    /// Wires the area.
    pub fn new(store: Arc<S>) -> Self {
        Self { store }
    }

    /// Sets what the account with that address may store; none: the server's default.
    /// Returns the address, and how many bytes it stores by now.
    ///
    /// # Errors
    /// [`QuotaError`].
    pub fn set(&self, email: &str, quota: Option<ByteSize>) -> Result<(Email, u64), QuotaError> {
        let email = Email::parse(email)?;
        self.store.write(|session| {
            let Some(found) = session.credentials(&email)? else {
                return Err(QuotaError::NoSuchUser(email.clone()));
            };
            session.set_storage_quota(found.user.id, quota)?;
            let used = session.storage_of(found.user.id)?.used;
            Ok((found.user.email, used))
        })
    }
}
