//! Two-step sign-in: turning it on and off.

use std::sync::Arc;

use ideavault_domain::account::{SessionEpoch, User};
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::code::OneTimeCode;
use ideavault_domain::digest::Digest;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Clock, Database, DatabaseError, PasswordHasher, PortError, Random};
use ideavault_domain::recipient::Origin;
use ideavault_domain::two_factor::{RECOVERY_CODES, RecoveryCode, TotpSecret};
use thiserror::Error;

use crate::actor::Actor;
use crate::confirmations::{self, Unconfirmed};
use crate::email_composer::EmailComposer;
use crate::emails::Notice;
use crate::passwords::{self, PasswordError};
use crate::random;
use crate::totp::TotpVerifier;

pub use removal::{RemovalError, SecondFactorRemoval};

mod removal;

/// Why two-step sign-in was not changed.
#[derive(Debug, Error)]
pub enum TwoFactorError {
    /// A field breaks a rule, or the code is wrong.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The password is wrong, or the account is gone, or the session that asks.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The address of the account has to be confirmed first.
    #[error(transparent)]
    Unconfirmed(#[from] Unconfirmed),
    /// It is off.
    #[error("two-step sign-in is off")]
    Off,
    /// It is on already.
    #[error("two-step sign-in is on already")]
    AlreadyOn,
    /// Nothing was begun that could be confirmed.
    #[error("two-step sign-in was not begun")]
    NotBegun,
    /// The store could not answer.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Sealing or randomness failed.
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
            TwoFactorError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// Whether logins need a second step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether they do.
    pub enabled: bool,
    /// How many recovery codes were not used yet.
    pub recovery_codes_left: i64,
}

/// What an app needs to know.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Whose account it is for.
    pub user: User,
    /// What it shares with the server.
    pub secret: TotpSecret,
}

/// What whoever turned the second step on has from now on.
#[derive(Debug)]
pub struct Confirmed {
    /// The recovery codes.
    pub recovery: Vec<RecoveryCode>,
    /// In which a session may begin.
    pub epoch: SessionEpoch,
}

/// Second factors.
pub struct TwoFactors<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    hasher: Arc<dyn PasswordHasher>,
    totp: Arc<TotpVerifier>,
    email_composer: Arc<EmailComposer>,
    confirmation: AddressConfirmation,
}

impl<S: Database> TwoFactors<S> {
    /// Wires the area.
    pub fn new(
        database: Arc<S>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        hasher: Arc<dyn PasswordHasher>,
        totp: Arc<TotpVerifier>,
        email_composer: Arc<EmailComposer>,
        confirmation: AddressConfirmation,
    ) -> Self {
        Self {
            database,
            clock,
            random,
            hasher,
            totp,
            email_composer,
            confirmation,
        }
    }

    /// Whether the user's logins need a second step.
    ///
    /// # Errors
    /// [`TwoFactorError::Database`].
    pub fn status(&self, user: UserId) -> Result<Status, TwoFactorError> {
        Ok(self.database.read(|tx| {
            let factor = tx.two_factors().two_factor(user)?;
            Ok::<_, DatabaseError>(Status {
                enabled: factor.is_some_and(|factor| factor.is_on()),
                recovery_codes_left: tx.two_factors().recovery_codes_left(user)?,
            })
        })?)
    }

    /// Draws the secret for an app. Nothing changes for logins before
    /// [`TwoFactors::confirm`].
    ///
    /// # Errors
    /// [`TwoFactorError::Password`], [`TwoFactorError::Unconfirmed`], or
    /// [`TwoFactorError::AlreadyOn`].
    pub fn begin(&self, actor: Actor, password: &str) -> Result<Setup, TwoFactorError> {
        let user = self.verified(actor.user, password)?;
        confirmations::demand(self.confirmation, &user)?;
        let secret = TotpSecret::from_random(random::bytes(self.random.as_ref())?);
        let sealed = self.totp.seal(user.id, &secret)?;
        let now = self.clock.now();
        self.database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(PasswordError::SignedOut)?;
            if tx.two_factors().begin_second_factor(user.id, &sealed)? {
                Ok(())
            } else {
                Err(TwoFactorError::AlreadyOn)
            }
        })?;
        Ok(Setup { user, secret })
    }

    /// Turns the second step on, once a code shows that the app has the secret,
    /// and answers the recovery codes: nobody can see them again. Ends all
    /// sessions of the account, the caller's too: it needs a new id anyway.
    ///
    /// # Errors
    /// [`TwoFactorError::Invalid`] on `code`, [`TwoFactorError::AlreadyOn`],
    /// [`TwoFactorError::NotBegun`], or [`PasswordError::SignedOut`]: whoever has
    /// lost the session must not be given another one for it.
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
        let now = self.clock.now();
        let epoch = self.database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(PasswordError::SignedOut)?;
            let owner = tx.users().user(user)?.ok_or(PasswordError::NoSuchUser)?;
            // It may have been begun when nothing asked for that.
            confirmations::demand(self.confirmation, &owner)?;
            let begun = tx.two_factors().two_factor(user)?;
            let begun = begun.ok_or(TwoFactorError::NotBegun)?;
            if begun.is_on() {
                return Err(TwoFactorError::AlreadyOn);
            }
            let step = self.totp.step_of(&begun, &code, now)?;
            let step = step.ok_or_else(wrong_code)?;
            if !tx.two_factors().confirm_second_factor(&begun, step, now)? {
                return Err(TwoFactorError::NotBegun);
            }
            tx.two_factors().add_recovery_codes(user, &hashes)?;
            let epoch = tx.account_changes().end_sessions_of(user)?;
            let notice = Notice::SecondFactorOn;
            tx.outbox()
                .queue_mail(&self.email_composer.notice(&owner, notice, now, &origin)?)?;
            let entry = AuditEntry::by(user, AuditKind::SecondFactorOn, now, origin);
            tx.audit().record(&entry)?;
            Ok(epoch.ok_or(PasswordError::NoSuchUser)?)
        })?;
        Ok(Confirmed { recovery, epoch })
    }

    /// Draws new recovery codes, which nobody can see again, and ends the former
    /// ones. Whoever knows the password could as well turn it off and on.
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
        let now = self.clock.now();
        let notice =
            self.email_composer
                .notice(&owner, Notice::RecoveryCodesReplaced, now, &origin)?;
        let entry = AuditEntry::by(user, AuditKind::RecoveryCodesReplaced, now, origin);
        self.database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(PasswordError::SignedOut)?;
            if !tx.two_factors().replace_recovery_codes(user, &hashes)? {
                return Err(TwoFactorError::Off);
            }
            tx.outbox().queue_mail(&notice)?;
            Ok(tx.audit().record(&entry)?)
        })?;
        Ok(recovery)
    }

    /// Turns the second step off. Where it is off, nothing happens.
    ///
    /// # Errors
    /// [`TwoFactorError::Password`].
    pub fn turn_off(
        &self,
        actor: Actor,
        password: &str,
        origin: Origin,
    ) -> Result<(), TwoFactorError> {
        let user = actor.user;
        let owner = self.verified(user, password)?;
        let now = self.clock.now();
        let notice = self
            .email_composer
            .notice(&owner, Notice::SecondFactorOff, now, &origin)?;
        let entry = AuditEntry::by(user, AuditKind::SecondFactorOff, now, origin);
        self.database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(PasswordError::SignedOut)?;
            if tx.two_factors().remove_second_factor(user)? {
                tx.outbox().queue_mail(&notice)?;
                tx.audit().record(&entry)?;
            }
            Ok(())
        })
    }

    fn verified(&self, user: UserId, password: &str) -> Result<User, PasswordError> {
        let found = passwords::verified(&*self.database, &*self.hasher, user, password)?;
        Ok(found.user)
    }

    fn recovery_codes(&self) -> Result<Vec<RecoveryCode>, PortError> {
        let draw = |_| random::bytes(self.random.as_ref()).map(RecoveryCode::from_random);
        (0..RECOVERY_CODES).map(draw).collect()
    }
}

fn wrong_code() -> Invalid {
    let message = "That code is not right. Please enter the one your app shows now.";
    Invalid::new("code", message)
}

#[cfg(test)]
mod tests;
