//! Signing in.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::account::{Password, User};
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ports::{
    Credentials, Database, DatabaseError, PasswordHasher, PortError, RateLimited, TotpCodes,
    Transaction,
};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::Token;
use ideavault_domain::two_factor::{self, CodeAttempt, SecondStep};
use thiserror::Error;

use crate::deps::Deps;
use crate::devices::{self, SignIn};
use crate::email_composer::EmailComposer;
use crate::emails::SecurityMail;

/// The reason why a login failed.
#[derive(Debug, Error)]
pub enum LoginError {
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// No account has that address and password.
    #[error("wrong email or password")]
    WrongCredentials,
    /// Two-step sign-in is on and no code was sent.
    #[error("the second step is missing")]
    CodeMissing,
    /// The code is neither the app's current code nor a recovery code, or it was used
    /// before.
    #[error("wrong code at the second step")]
    WrongCode,
    /// Too many wrong codes: no code is accepted for that long.
    #[error("the second step is locked for {0}")]
    Locked(Duration),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Hashing or randomness failed, or codes cannot be computed.
    #[error(transparent)]
    Port(#[from] PortError),
    /// Too many logins with that address have failed from that client.
    #[error(transparent)]
    Limited(#[from] RateLimited),
}

impl LoginError {
    /// Returns whether password or code were wrong. A request for the code is no failure yet.
    #[must_use]
    pub fn is_failed_login(&self) -> bool {
        matches!(self, Self::WrongCredentials | Self::WrongCode)
    }

    /// Returns whether password and code could not be checked.
    #[must_use]
    pub fn is_unchecked(&self) -> bool {
        matches!(self, Self::Database(_) | Self::Port(_))
    }
}

impl From<LoginError> for Failure {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::Invalid(invalid) => Self::Invalid(invalid),
            LoginError::WrongCredentials => {
                Self::Unauthenticated("Invalid email or password. Please try again.".into())
            }
            LoginError::CodeMissing => Self::Unproven(Invalid::new(
                "code",
                "Enter the code from your authenticator app.",
            )),
            LoginError::WrongCode => Self::Unproven(Invalid::new(
                "code",
                "This code does not work. Enter the one that your app shows now, or a recovery \
                 code that was not used yet.",
            )),
            LoginError::Locked(left) => Self::TooMany {
                retry_after: left.to_std().unwrap_or_default(),
            },
            LoginError::Database(error) => error.into(),
            LoginError::Port(error) => error.into(),
            LoginError::Limited(limited) => limited.into(),
        }
    }
}

/// The login form and the browser's device key. Implements no `Debug`: a password has
/// no place in a log.
#[derive(Clone)]
pub struct Login<'a> {
    /// Email address.
    pub email: &'a str,
    /// Password.
    pub password: &'a str,
    /// A code of an authenticator app, or a recovery code; blank counts as none.
    pub code: Option<&'a str>,
    /// The browser's device key, if it has one. A login replaces it.
    pub device: Option<Token>,
}

/// Logins.
pub struct Logins<S> {
    deps: Deps<S>,
    passwords: Arc<dyn PasswordHasher>,
    totp: Arc<dyn TotpCodes>,
    email_composer: Arc<EmailComposer>,
}

impl<S: Database> Logins<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        passwords: Arc<dyn PasswordHasher>,
        totp: Arc<dyn TotpCodes>,
        email_composer: Arc<EmailComposer>,
    ) -> Self {
        Self {
            deps,
            passwords,
            totp,
            email_composer,
        }
    }

    /// Logs in within the limit on failed logins, which `limit_key` names: `None` for an address
    /// that no account can have. The attempt is counted before it is checked, so that concurrent
    /// ones do not pass together. A login resets the count; what could not be checked is refunded.
    ///
    /// # Errors
    /// [`LoginError::Limited`], or those of [`Logins::log_in`].
    pub fn log_in_within(
        &self,
        limit_key: Option<&LimitKey>,
        login: Login<'_>,
        origin: Origin,
    ) -> Result<SignIn, LoginError> {
        let Some(key) = limit_key else {
            return self.log_in(login, origin);
        };
        let (limits, limit) = (&self.deps.limits, RateLimit::FailedLogin);
        limits.admit::<LoginError>(limit, key)?;
        let checked = self.log_in(login, origin);
        match &checked {
            Ok(_) => limits.reset::<LoginError>(limit, key)?,
            Err(error) if error.is_unchecked() => limits.refund::<LoginError>(limit, key)?,
            Err(_) => {}
        }
        checked
    }

    /// Checks address and password, then the code if two-step sign-in is on, and
    /// records the login. The owner gets a mail about a login from an
    /// unknown browser, and about wrong codes. Until the password has proved right,
    /// the time taken does not depend on whether the address has an account or a
    /// disabled one. Failures are recorded by
    /// [`Audit::refused`](crate::audit::Audit::refused).
    ///
    /// # Errors
    /// [`LoginError::Invalid`], [`LoginError::WrongCredentials`], and only after
    /// right credentials [`LoginError::CodeMissing`], [`LoginError::WrongCode`] or
    /// [`LoginError::Locked`].
    pub fn log_in(&self, login: Login<'_>, origin: Origin) -> Result<SignIn, LoginError> {
        let email = Email::parse(login.email)?;
        let password = Password::parse("password", login.password)?;
        let credentials = self
            .deps
            .database
            .read_one(|tx| tx.users().credentials(&email))
            .map_err(LoginError::from)?;
        let hash = credentials.as_ref().map(|found| &found.password_hash);
        let matches = self.passwords.verify(&password, hash)?;
        let Credentials { user, epoch, .. } = credentials
            .filter(|found| matches && !found.user.is_disabled())
            .ok_or(LoginError::WrongCredentials)?;
        let device = devices::new_key(self.deps.random.as_ref())?;
        let now = self.deps.clock.now();
        let is_in = self.deps.database.write(|tx| {
            // The password may have been changed while it was compared.
            let current = tx.users().credentials(&email)?;
            if current.is_none_or(|current| current.epoch != epoch) {
                return Err(LoginError::WrongCredentials);
            }
            if !self.passes_second_step(tx, &user, login.code, now, &origin)? {
                // Not an error, which would roll back the count.
                return Ok(false);
            }
            if !devices::record(tx, user.id, login.device.as_ref(), &device, now)? {
                let mail = self.email_composer.security_mail(
                    &user,
                    SecurityMail::NewDevice,
                    now,
                    &origin,
                )?;
                tx.outbox().queue_mail(&mail)?;
            }
            let entry = AuditEntry::by(user.id, AuditKind::LoggedIn, now, origin.clone());
            tx.audit().record(&entry)?;
            Ok::<_, LoginError>(true)
        })?;
        if !is_in {
            return Err(LoginError::WrongCode);
        }
        Ok(SignIn {
            user,
            epoch,
            device,
        })
    }

    /// Returns whether two-step sign-in is off, or the code is right. A blank code counts as
    /// none. The caller commits also if it is wrong, so that the attempt counts.
    pub(crate) fn passes_second_step(
        &self,
        tx: &mut dyn Transaction,
        user: &User,
        code: Option<&str>,
        now: Timestamp,
        origin: &Origin,
    ) -> Result<bool, LoginError> {
        let factor = tx.two_factors().two_factor(user.id)?;
        if !factor.is_some_and(|factor| factor.is_on()) {
            return Ok(true);
        }
        let code = code.filter(|code| !code.trim().is_empty());
        let code = code.ok_or(LoginError::CodeMissing)?;
        self.take_second_step(tx, user, code, now, origin)
    }

    /// Returns whether the code is right. Counts the attempt before comparing, so
    /// that concurrent guesses are not free; a wrong code may lock all codes.
    fn take_second_step(
        &self,
        tx: &mut dyn Transaction,
        user: &User,
        code: &str,
        now: Timestamp,
        origin: &Origin,
    ) -> Result<bool, LoginError> {
        let wrong_codes = match tx.two_factors().count_code(user.id, now)? {
            CodeAttempt::Counted(wrong_codes) => wrong_codes,
            CodeAttempt::LockedUntil(end) => return Err(LoginError::Locked(end - now)),
        };
        if self.use_code(tx, user, code, now, origin)? {
            tx.two_factors().reset_wrong_codes(user.id)?;
            return Ok(true);
        }
        let locked_until = two_factor::lock_after(wrong_codes).map(|lock| now + lock);
        if let Some(until) = locked_until {
            tx.two_factors().lock_codes(user.id, until)?;
            let kind = AuditKind::SecondStepLocked;
            tx.audit()
                .record(&AuditEntry::by(user.id, kind, now, origin.clone()))?;
        }
        if two_factor::should_notify(wrong_codes) {
            let mail = SecurityMail::WrongCodes {
                wrong_codes,
                locked_until,
            };
            tx.outbox()
                .queue_mail(&self.email_composer.security_mail(user, mail, now, origin)?)?;
        }
        Ok(false)
    }

    /// Uses up the code if it is right; the owner is notified of a recovery code.
    fn use_code(
        &self,
        tx: &mut dyn Transaction,
        user: &User,
        code: &str,
        now: Timestamp,
        origin: &Origin,
    ) -> Result<bool, LoginError> {
        match SecondStep::parse(code) {
            None => Ok(false),
            Some(SecondStep::App(code)) => {
                let Some(secret) = tx.two_factors().totp_secret(user.id)? else {
                    return Ok(false);
                };
                match two_factor::step_of(self.totp.as_ref(), &secret, &code, now)? {
                    Some(step) => Ok(tx.two_factors().accept_step(user.id, step)?),
                    None => Ok(false),
                }
            }
            Some(SecondStep::Recovery(code)) => {
                if !tx
                    .two_factors()
                    .consume_recovery_code(user.id, &code.hash())?
                {
                    return Ok(false);
                }
                let left = tx.two_factors().recovery_codes_left(user.id)?;
                let mail = SecurityMail::RecoveryCodeUsed { left };
                tx.outbox()
                    .queue_mail(&self.email_composer.security_mail(user, mail, now, origin)?)?;
                let kind = AuditKind::RecoveryCodeUsed;
                tx.audit()
                    .record(&AuditEntry::by(user.id, kind, now, origin.clone()))?;
                Ok(true)
            }
        }
    }
}
