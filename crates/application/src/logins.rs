//! Signing in.

use std::sync::Arc;

use ideavault_domain::account::Password;
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::device::DEVICE_LIFETIME;
use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ports::{Clock, PasswordHasher, PortError, Random, Store, StoreError};
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::Token;
use thiserror::Error;

use crate::devices::{self, Arrival};
use crate::letters::Notice;
use crate::postbox::Postbox;

/// Why somebody was not signed in.
#[derive(Debug, Error)]
pub enum LoginError {
    /// A field breaks a rule.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// No account has that address and password.
    #[error("wrong email or password")]
    WrongCredentials,
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Hashing, sealing or randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<LoginError> for Failure {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::Invalid(invalid) => Self::Invalid(invalid),
            LoginError::WrongCredentials => {
                Self::Unauthenticated("Invalid email or password. Please try again.".into())
            }
            LoginError::Store(error) => error.into(),
            LoginError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// What a person types to sign in, and what the browser adds.
#[derive(Clone, Debug)]
pub struct Login<'a> {
    /// Address.
    pub email: &'a str,
    /// Password.
    pub password: &'a str,
    /// The key by which the browser is known, if it has kept one.
    pub device: Option<Token>,
}

/// Logins.
pub struct Logins<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    passwords: Arc<dyn PasswordHasher>,
    postbox: Arc<Postbox>,
}

impl<S: Store> Logins<S> {
    /// Wires the area.
    pub fn new(
        store: Arc<S>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        passwords: Arc<dyn PasswordHasher>,
        postbox: Arc<Postbox>,
    ) -> Self {
        Self {
            store,
            clock,
            random,
            passwords,
            postbox,
        }
    }

    /// Checks an address and a password, and records who comes in; the owner
    /// gets a mail if it is with a browser that the account was not used with
    /// before. Until the password has turned out right, takes the same time
    /// whether or not the address has an account. Wrong ones are recorded by
    /// [`Audit::login_failed`](crate::audit::Audit::login_failed).
    ///
    /// # Errors
    /// [`LoginError::Invalid`], or [`LoginError::WrongCredentials`].
    pub fn log_in(&self, login: Login<'_>, origin: Origin) -> Result<Arrival, LoginError> {
        let email = Email::parse(login.email)?;
        let password = Password::parse("password", login.password)?;
        let credentials = self
            .store
            .read(|session| session.credentials(&email))
            .map_err(LoginError::from)?;
        let hash = credentials.as_ref().map(|found| &found.password_hash);
        let matches = self.passwords.verify(&password, hash)?;
        let user = credentials
            .filter(|_| matches)
            .ok_or(LoginError::WrongCredentials)?
            .user;
        let device = devices::key(self.random.as_ref(), login.device)?;
        let now = self.clock.now();
        let notice = self
            .postbox
            .notice(&user, Notice::NewDevice, now, &origin)?;
        let entry = AuditEntry::by(user.id, AuditKind::LoggedIn, now, origin);
        self.store.write(|session| {
            if !session.note_device(&devices::seen(user.id, &device, now))? {
                session.queue_mail(&notice)?;
            }
            session.record(&entry)
        })?;
        Ok(Arrival { user, device })
    }

    /// Forgets the browsers that nobody has signed in with for
    /// [`DEVICE_LIFETIME`], and answers how many there were.
    ///
    /// # Errors
    /// [`LoginError::Store`].
    pub fn sweep_devices(&self) -> Result<usize, LoginError> {
        let unseen_since = self.clock.now() - DEVICE_LIFETIME;
        Ok(self
            .store
            .write(|session| session.sweep_devices(unseen_since))?)
    }
}

#[cfg(test)]
mod tests;
