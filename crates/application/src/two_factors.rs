//! Two-step sign-in: turning it on and off.

use std::sync::Arc;

use ideavault_domain::account::{SessionEpoch, User};
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::code::OneTimeCode;
use ideavault_domain::digest::Digest;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Database, DatabaseError, PasswordHasher, PortError, TotpCodes};
use ideavault_domain::recipient::Origin;
use ideavault_domain::two_factor::{self, RECOVERY_CODES, RecoveryCode, TotpSecret};
use thiserror::Error;

use crate::actor::Actor;
use crate::confirmations::{self, Unconfirmed};
use crate::deps::Deps;
use crate::email_composer::EmailComposer;
use crate::emails::SecurityMail;
use crate::passwords::{self, PasswordError};
use crate::random;

pub use removal::{RemovalError, TwoFactorRemoval};

mod removal;

/// The reason why two-step sign-in was not changed.
#[derive(Debug, Error)]
pub enum TwoFactorError {
    /// A field is invalid, or the code is wrong.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The password is wrong, or the account or the actor's session no longer exists.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The account's address must be confirmed first.
    #[error(transparent)]
    Unconfirmed(#[from] Unconfirmed),
    /// Two-step sign-in is off.
    #[error("two-step sign-in is off")]
    Off,
    /// Two-step sign-in is already on.
    #[error("two-step sign-in is already on")]
    AlreadyOn,
    /// There is no pending setup to confirm.
    #[error("no two-step sign-in setup is pending")]
    NotBegun,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness failed, or codes cannot be computed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<TwoFactorError> for Failure {
    fn from(error: TwoFactorError) -> Self {
        match error {
            TwoFactorError::Invalid(invalid) => Self::Invalid(invalid),
            TwoFactorError::Password(error) => error.into(),
            TwoFactorError::Unconfirmed(unconfirmed) => unconfirmed.into(),
            TwoFactorError::AlreadyOn => Self::Conflict("Two-step sign-in is already on.".into()),
            TwoFactorError::Off => Self::Conflict("Two-step sign-in is off.".into()),
            TwoFactorError::NotBegun => {
                Self::Conflict("Please start again. There is nothing to confirm.".into())
            }
            TwoFactorError::Database(error) => error.into(),
            TwoFactorError::Port(error) => error.into(),
        }
    }
}

/// The two-step sign-in status of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether it is on, so that logins need a code.
    pub enabled: bool,
    /// Number of unused recovery codes.
    pub recovery_codes_left: i64,
}

/// The data an authenticator app needs.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The account to set up.
    pub user: User,
    /// The secret shared with the server.
    pub secret: TotpSecret,
}

/// The result of turning two-step sign-in on.
#[derive(Debug)]
pub struct Confirmed {
    /// The recovery codes.
    pub recovery: Vec<RecoveryCode>,
    /// The epoch in which a new session may begin.
    pub epoch: SessionEpoch,
}

/// Two-step sign-in actions.
pub struct TwoFactors<S> {
    deps: Deps<S>,
    hasher: Arc<dyn PasswordHasher>,
    totp: Arc<dyn TotpCodes>,
    email_composer: Arc<EmailComposer>,
    confirmation: AddressConfirmation,
}

impl<S: Database> TwoFactors<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        hasher: Arc<dyn PasswordHasher>,
        totp: Arc<dyn TotpCodes>,
        email_composer: Arc<EmailComposer>,
        confirmation: AddressConfirmation,
    ) -> Self {
        Self {
            deps,
            hasher,
            totp,
            email_composer,
            confirmation,
        }
    }

    /// Returns the user's two-step sign-in status.
    pub fn status(&self, user: UserId) -> Result<Status, TwoFactorError> {
        Ok(self.deps.database.read(|tx| {
            let factor = tx.two_factors().two_factor(user)?;
            Ok::<_, DatabaseError>(Status {
                enabled: factor.is_some_and(|factor| factor.is_on()),
                recovery_codes_left: tx.two_factors().recovery_codes_left(user)?,
            })
        })?)
    }

    /// Generates the secret for an app. Logins do not change before
    /// [`TwoFactors::confirm`].
    ///
    /// # Errors
    /// [`TwoFactorError::Password`], [`TwoFactorError::Unconfirmed`], or
    /// [`TwoFactorError::AlreadyOn`].
    pub fn begin(&self, actor: Actor, password: &str) -> Result<Setup, TwoFactorError> {
        let user = self.verified(actor.user, password)?;
        confirmations::demand(self.confirmation, &user)?;
        let secret = TotpSecret::from_random(random::bytes(self.deps.random.as_ref())?);
        let now = self.deps.clock.now();
        self.deps.database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(PasswordError::SignedOut)?;
            if tx.two_factors().begin_two_factor(user.id, &secret)? {
                Ok(())
            } else {
                Err(TwoFactorError::AlreadyOn)
            }
        })?;
        Ok(Setup { user, secret })
    }

    /// Turns two-step sign-in on once a code proves that the app has the secret, and
    /// returns the recovery codes, which cannot be shown again. Ends all sessions of
    /// the account, including the caller's, which needs a new id anyway.
    ///
    /// # Errors
    /// [`TwoFactorError::Invalid`] on `code`, [`TwoFactorError::AlreadyOn`],
    /// [`TwoFactorError::NotBegun`], or [`PasswordError::SignedOut`]: a caller whose
    /// session was ended must not get a new one.
    pub fn confirm(
        &self,
        actor: Actor,
        code: &str,
        origin: Origin,
    ) -> Result<Confirmed, TwoFactorError> {
        let user = actor.user;
        let code = OneTimeCode::parse(code)?;
        let recovery = self.recovery_codes()?;
        let hashes: Vec<Digest> = recovery.iter().map(RecoveryCode::hash).collect();
        let now = self.deps.clock.now();
        let epoch = self.deps.database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(PasswordError::SignedOut)?;
            let owner = tx.users().user(user)?.ok_or(PasswordError::NoSuchUser)?;
            // The setup may have begun before confirmation was required.
            confirmations::demand(self.confirmation, &owner)?;
            let begun = tx.two_factors().two_factor(user)?;
            let begun = begun.ok_or(TwoFactorError::NotBegun)?;
            if begun.is_on() {
                return Err(TwoFactorError::AlreadyOn);
            }
            let secret = tx.two_factors().totp_secret(user)?;
            let secret = secret.ok_or(TwoFactorError::NotBegun)?;
            let step = two_factor::step_of(self.totp.as_ref(), &secret, &code, now)?;
            let step = step.ok_or_else(wrong_code)?;
            if !tx
                .two_factors()
                .confirm_two_factor(user, &secret, step, now)?
            {
                return Err(TwoFactorError::NotBegun);
            }
            tx.two_factors().add_recovery_codes(user, &hashes)?;
            let epoch = tx.account_changes().end_sessions_of(user)?;
            let mail = SecurityMail::TwoFactorOn;
            tx.outbox().queue_mail(
                &self
                    .email_composer
                    .security_mail(&owner, mail, now, &origin)?,
            )?;
            let entry = AuditEntry::by(user, AuditKind::TwoFactorOn, now, origin.clone());
            tx.audit().record(&entry)?;
            Ok(epoch.ok_or(PasswordError::NoSuchUser)?)
        })?;
        Ok(Confirmed { recovery, epoch })
    }

    /// Generates new recovery codes, which cannot be shown again, and invalidates the
    /// old ones. Needs only the password, because that also allows turning two-step
    /// sign-in off and on.
    ///
    /// # Errors
    /// [`TwoFactorError::Password`], or [`TwoFactorError::Off`].
    pub fn replace_recovery_codes(
        &self,
        actor: Actor,
        password: &str,
        origin: Origin,
    ) -> Result<Vec<RecoveryCode>, TwoFactorError> {
        let user = actor.user;
        let owner = self.verified(user, password)?;
        let recovery = self.recovery_codes()?;
        let hashes: Vec<Digest> = recovery.iter().map(RecoveryCode::hash).collect();
        let now = self.deps.clock.now();
        let mail = self.email_composer.security_mail(
            &owner,
            SecurityMail::RecoveryCodesReplaced,
            now,
            &origin,
        )?;
        let entry = AuditEntry::by(user, AuditKind::RecoveryCodesReplaced, now, origin);
        self.deps.database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(PasswordError::SignedOut)?;
            if !tx.two_factors().replace_recovery_codes(user, &hashes)? {
                return Err(TwoFactorError::Off);
            }
            tx.outbox().queue_mail(&mail)?;
            Ok(tx.audit().record(&entry)?)
        })?;
        Ok(recovery)
    }

    /// Turns two-step sign-in off. Idempotent.
    pub fn turn_off(
        &self,
        actor: Actor,
        password: &str,
        origin: Origin,
    ) -> Result<(), TwoFactorError> {
        let user = actor.user;
        let owner = self.verified(user, password)?;
        let now = self.deps.clock.now();
        let mail =
            self.email_composer
                .security_mail(&owner, SecurityMail::TwoFactorOff, now, &origin)?;
        let entry = AuditEntry::by(user, AuditKind::TwoFactorOff, now, origin);
        self.deps.database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(PasswordError::SignedOut)?;
            if tx.two_factors().remove_two_factor(user)? {
                tx.outbox().queue_mail(&mail)?;
                tx.audit().record(&entry)?;
            }
            Ok(())
        })
    }

    fn verified(&self, user: UserId, password: &str) -> Result<User, PasswordError> {
        let found = passwords::verified(&*self.deps.database, &*self.hasher, user, password)?;
        Ok(found.user)
    }

    fn recovery_codes(&self) -> Result<Vec<RecoveryCode>, PortError> {
        let draw = |_| random::bytes(self.deps.random.as_ref()).map(RecoveryCode::from_random);
        (0..RECOVERY_CODES).map(draw).collect()
    }
}

fn wrong_code() -> Invalid {
    let message = "That code is not right. Please enter the one your app shows now.";
    Invalid::new("code", message)
}
