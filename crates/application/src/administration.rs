//! Account administration by the operator. Not reachable by any request.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::Invalid;
use ideavault_domain::ports::{
    AccountSummary, Clock, Credentials, Database, DatabaseError, Transaction,
};
use ideavault_domain::quota::AccountStorage;
use thiserror::Error;

use crate::erasure;

/// The reason why an account was not changed.
#[derive(Debug, Error)]
pub enum AdministrationError {
    /// Not an email address.
    #[error("{}", .0.message)]
    Invalid(Invalid),
    /// No account has that address.
    #[error("no account has the address {0}")]
    NoSuchAccount(Email),
    /// The account is already disabled.
    #[error("the account {0} is disabled already")]
    Disabled(Email),
    /// The account is not disabled.
    #[error("the account {0} is not disabled")]
    Enabled(Email),
    /// No server has recorded yet what happened before the log began.
    #[error("start the server once, so that the deletion can be recorded, then delete the account")]
    NoLog,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// An account with details that a list does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountDetails {
    /// The account and counts of its contents.
    pub summary: AccountSummary,
    /// Whether two-step sign-in is on.
    pub two_factor: bool,
    /// Number of live sessions.
    pub sessions: usize,
    /// Stored bytes, and its own quota.
    pub storage: AccountStorage,
}

/// Account administration.
pub struct Administration<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Administration<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Returns all accounts, oldest first.
    pub fn list(&self) -> Result<Vec<AccountSummary>, AdministrationError> {
        Ok(self.database.read(|tx| tx.administration().accounts())?)
    }

    /// Returns the account with that address.
    pub fn show(&self, email: &str) -> Result<AccountDetails, AdministrationError> {
        let email = parse(email)?;
        let now = self.clock.now();
        self.database.read(|tx| {
            let mut accounts = tx.administration().accounts()?.into_iter();
            let summary = accounts.find(|account| account.user.email == email);
            let summary = summary.ok_or(AdministrationError::NoSuchAccount(email.clone()))?;
            let id = summary.user.id;
            let factor = tx.two_factors().two_factor(id)?;
            let sessions = tx.user_sessions().user_sessions_of(id)?;
            Ok(AccountDetails {
                two_factor: factor.is_some_and(|factor| factor.is_on()),
                sessions: sessions.iter().filter(|found| found.is_live(now)).count(),
                storage: tx.storage_use().storage_of(id)?,
                summary,
            })
        })
    }

    /// Disables an account: ends its sessions, rejects logins, and treats its links
    /// as revoked until it is enabled again.
    pub fn disable(&self, email: &str) -> Result<Email, AdministrationError> {
        let now = self.clock.now();
        self.change(email, AuditKind::AccountDisabled, |tx, account| {
            if !tx
                .administration()
                .set_disabled(account.user.id, Some(now))?
            {
                return Err(AdministrationError::Disabled(account.user.email.clone()));
            }
            tx.account_changes().end_sessions_of(account.user.id)?;
            tx.account_changes()
                .remove_password_reset(account.user.id)?;
            Ok(())
        })
    }

    /// Re-enables an account. Its sessions stay ended.
    pub fn enable(&self, email: &str) -> Result<Email, AdministrationError> {
        self.change(email, AuditKind::AccountEnabled, |tx, account| {
            if tx.administration().set_disabled(account.user.id, None)? {
                return Ok(());
            }
            Err(AdministrationError::Enabled(account.user.email.clone()))
        })
    }

    /// Deletes an account permanently; see
    /// [`delete_account`](ideavault_domain::ports::Administration::delete_account).
    /// The address may register again.
    pub fn delete(&self, email: &str) -> Result<Email, AdministrationError> {
        self.change(email, AuditKind::AccountDeleted, |tx, account| {
            if tx.evidence_log().current_log()?.is_none() {
                return Err(AdministrationError::NoLog);
            }
            if erasure::delete_account(tx, &account.user, self.clock.now())? {
                return Ok(());
            }
            let email = account.user.email.clone();
            Err(AdministrationError::NoSuchAccount(email))
        })
    }

    fn change(
        &self,
        email: &str,
        kind: AuditKind,
        change: impl Fn(&mut dyn Transaction, &Credentials) -> Result<(), AdministrationError>,
    ) -> Result<Email, AdministrationError> {
        let email = parse(email)?;
        let at = self.clock.now();
        self.database.write(|tx| {
            let account = tx.users().credentials(&email)?;
            let account =
                account.ok_or_else(|| AdministrationError::NoSuchAccount(email.clone()))?;
            change(tx, &account)?;
            Ok::<_, AdministrationError>(tx.audit().record(&AuditEntry {
                at,
                kind,
                account: Some(account.user.id),
                subject: None,
                origin: None,
            })?)
        })?;
        Ok(email)
    }
}

fn parse(email: &str) -> Result<Email, AdministrationError> {
    Email::parse(email).map_err(AdministrationError::Invalid)
}
