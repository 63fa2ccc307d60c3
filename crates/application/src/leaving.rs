//! Leaving: a creator deletes the own account.

use std::sync::Arc;

use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ports::{Database, DatabaseError, PasswordHasher, PortError, TotpCodes};
use ideavault_domain::recipient::Origin;
use thiserror::Error;

use crate::actor::Actor;
use crate::deps::Deps;
use crate::email_composer::{ACCOUNT_MAIL_LIFETIME, EmailComposer};
use crate::emails;
use crate::erasure::delete_account;
use crate::logins::{LoginError, Logins};
use crate::passwords::{self, PasswordError};

/// The reason why an account was not deleted.
#[derive(Debug, Error)]
pub enum LeavingError {
    /// The password is wrong.
    #[error("wrong password")]
    WrongPassword,
    /// A code of two-step sign-in is missing or wrong, or codes are locked.
    #[error(transparent)]
    Code(LoginError),
    /// The account or the actor's session no longer exists.
    #[error("the session of the request has ended")]
    SignedOut,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Hashing, encryption or randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<PasswordError> for LeavingError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Invalid(_)
            | PasswordError::InvalidLink
            | PasswordError::WrongCurrent => Self::WrongPassword,
            PasswordError::NoSuchUser | PasswordError::SignedOut => Self::SignedOut,
            PasswordError::Database(error) => Self::Database(error),
            PasswordError::Port(error) => Self::Port(error),
        }
    }
}

impl From<LoginError> for LeavingError {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::Database(error) => Self::Database(error),
            LoginError::Port(error) => Self::Port(error),
            error => Self::Code(error),
        }
    }
}

impl From<LeavingError> for Failure {
    fn from(error: LeavingError) -> Self {
        match error {
            LeavingError::WrongPassword => Self::Invalid(Invalid::new(
                "password",
                "This is not your password. Nothing was deleted.",
            )),
            LeavingError::Code(error) => match Self::from(error) {
                // The session is fine, unlike at a login.
                Self::Unproven(invalid) => Self::Invalid(invalid),
                failure => failure,
            },
            LeavingError::SignedOut => Self::Unauthenticated("Please sign in".into()),
            LeavingError::Database(error) => error.into(),
            LeavingError::Port(error) => error.into(),
        }
    }
}

/// Deletion of the own account.
pub struct Leaving<S> {
    deps: Deps<S>,
    hasher: Arc<dyn PasswordHasher>,
    email_composer: Arc<EmailComposer>,
    logins: Logins<S>,
}

impl<S: Database> Leaving<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        hasher: Arc<dyn PasswordHasher>,
        totp: Arc<dyn TotpCodes>,
        email_composer: Arc<EmailComposer>,
    ) -> Self {
        let logins = Logins::new(
            deps.clone(),
            Arc::clone(&hasher),
            totp,
            Arc::clone(&email_composer),
        );
        Self {
            deps,
            hasher,
            email_composer,
            logins,
        }
    }

    /// Deletes the caller's account for good, as the operator's command does: drafts and
    /// files go, links end, published ideas keep their proofs without content and name. All
    /// sessions end, and a mail confirms it. Asks for the password and, with two-step sign-in,
    /// for a code; wrong codes count as at a login.
    pub fn delete_account(
        &self,
        actor: Actor,
        password: &str,
        code: Option<&str>,
        origin: Origin,
    ) -> Result<(), LeavingError> {
        let database = &*self.deps.database;
        let known = passwords::verified(database, &*self.hasher, actor.user, password)?;
        let user = known.user;
        let now = self.deps.clock.now();
        let mail = emails::account_deleted(self.email_composer.links(), &user, now, &origin);
        let mail = self
            .email_composer
            .compose(mail, now, ACCOUNT_MAIL_LIFETIME)?;
        let entry = AuditEntry::by(user.id, AuditKind::AccountDeleted, now, origin.clone());
        let is_deleted = database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(LeavingError::SignedOut)?;
            // The password may have been changed while it was compared.
            let current = tx.users().credentials(&user.email)?;
            if current.is_none_or(|current| current.password_hash != known.password_hash) {
                return Err(LeavingError::WrongPassword);
            }
            if !self
                .logins
                .passes_second_step(tx, &user, code, now, &origin)?
            {
                // Not an error, which would roll back the count.
                return Ok(false);
            }
            if !delete_account(tx, &user, self.deps.clock.now())? {
                return Err(LeavingError::SignedOut);
            }
            tx.outbox().queue_mail(&mail)?;
            tx.audit().record(&entry)?;
            Ok::<_, LeavingError>(true)
        })?;
        match is_deleted {
            true => Ok(()),
            false => Err(LeavingError::Code(LoginError::WrongCode)),
        }
    }
}
