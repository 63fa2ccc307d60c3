//! Password reset by mail and password change.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::account::{Password, PasswordReset, RESET_LIFETIME, SessionEpoch, User};
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::characters::composed;
use ideavault_domain::email::Email;
use ideavault_domain::evidence::Event;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::UserId;
use ideavault_domain::notice::NotificationMode;
use ideavault_domain::organization::Archived;
use ideavault_domain::page::Paging;
use ideavault_domain::ports::{
    Credentials, Database, DatabaseError, PasswordHasher, PortError, Transaction,
};
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::Token;
use thiserror::Error;

use crate::actor::Actor;
use crate::deps::Deps;
use crate::email_composer::EmailComposer;
use crate::emails::{self, SecurityMail};
use crate::random;

/// The reason why a password was not changed.
#[derive(Debug, Error)]
pub enum PasswordError {
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The link was used or replaced by a newer one, has expired, or never existed.
    #[error("no such password reset")]
    InvalidLink,
    /// The current password is wrong.
    #[error("wrong current password")]
    WrongCurrent,
    /// The account behind a session no longer exists.
    #[error("the signed-in account does not exist")]
    NoSuchUser,
    /// The actor's session was ended meanwhile.
    #[error("the session of the request has ended")]
    SignedOut,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Hashing, encryption or randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<PasswordError> for Failure {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Invalid(invalid) => Self::Invalid(invalid),
            PasswordError::InvalidLink => Self::Invalid(Invalid::new(
                "token",
                "This reset link has expired or has already been used. Please request a new one.",
            )),
            PasswordError::WrongCurrent => Self::Invalid(Invalid::new(
                "currentPassword",
                "Current password is incorrect",
            )),
            PasswordError::NoSuchUser | PasswordError::SignedOut => {
                Self::Unauthenticated("Please sign in".into())
            }
            PasswordError::Database(error) => error.into(),
            PasswordError::Port(error) => error.into(),
        }
    }
}

/// The password change form.
#[derive(Clone, Copy, Debug)]
pub struct PasswordChange<'a> {
    /// The current password.
    pub current: &'a str,
    /// The new password.
    pub new: &'a str,
    /// The new password, repeated.
    pub confirmation: &'a str,
}

/// The form of a password reset by mail.
#[derive(Clone, Copy, Debug)]
pub struct PasswordResetForm<'a> {
    /// The new password.
    pub password: &'a str,
    /// Whether to turn off two-step sign-in, if [`ResetLook::two_factor_removable`].
    pub remove_two_factor: bool,
}

/// Powers of a reset link besides setting a password.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResetLook {
    /// Whether the reset can turn off two-step sign-in.
    pub two_factor_removable: bool,
}

/// The result of a password reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reset {
    /// Whether the account has ideas written before its address was confirmed.
    pub unproven_ideas: bool,
}

/// Password actions.
pub struct Passwords<S> {
    deps: Deps<S>,
    hasher: Arc<dyn PasswordHasher>,
    email_composer: Arc<EmailComposer>,
}

impl<S: Database> Passwords<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        hasher: Arc<dyn PasswordHasher>,
        email_composer: Arc<EmailComposer>,
    ) -> Self {
        Self {
            deps,
            hasher,
            email_composer,
        }
    }

    /// Checks the user's password before something is erased for good.
    ///
    /// # Errors
    /// [`PasswordError::Invalid`] if it is another one.
    pub fn confirm(&self, user: UserId, password: &str) -> Result<(), PasswordError> {
        let database = &*self.deps.database;
        match verified(database, &*self.hasher, user, password) {
            Ok(_) => Ok(()),
            Err(PasswordError::WrongCurrent) => {
                let message = "This is not your password. Nothing was erased.";
                Err(Invalid::new("password", message).into())
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the account of a reset request; `None` when the address has none,
    /// which the requester must not learn. Call [`Passwords::send_reset`] only after
    /// the response was sent: writing takes longer than looking up, and would reveal
    /// the account.
    ///
    /// # Errors
    /// [`PasswordError::Invalid`] when the address is blank.
    pub fn forgotten_by(&self, email: &str) -> Result<Option<User>, PasswordError> {
        if email.trim().is_empty() {
            return Err(Invalid::new("email", "Please enter your email address.").into());
        }
        // An invalid address has no account.
        let Ok(email) = Email::parse(email) else {
            return Ok(None);
        };
        let found = self
            .deps
            .database
            .read_one(|tx| tx.users().credentials(&email))?;
        let user = found.map(|credentials| credentials.user);
        Ok(user.filter(|user| !user.is_disabled()))
    }

    /// Mails a reset link, replacing any earlier one. Mails nothing if the account was deleted
    /// or disabled since it was looked up.
    pub fn send_reset(&self, user: &User, origin: Origin) -> Result<(), PasswordError> {
        let now = self.deps.clock.now();
        let token = Token::from_random(random::bytes(self.deps.random.as_ref())?);
        let reset = PasswordReset {
            user: user.id,
            token_hash: token.hash(),
            requested_at: now,
            expires_at: now + RESET_LIFETIME,
        };
        let mail = emails::password_reset(self.email_composer.links(), user, &token);
        let mail = self.email_composer.compose(mail, now, RESET_LIFETIME)?;
        let entry = AuditEntry::by(user.id, AuditKind::ResetRequested, now, origin);
        let sent = self.deps.database.write(|tx| {
            tx.account_changes().replace_password_reset(&reset)?;
            tx.outbox().queue_mail(&mail)?;
            tx.audit().record(&entry)
        });
        match sent {
            Err(DatabaseError::AccountGone { .. }) => Ok(()),
            sent => Ok(sent?),
        }
    }

    /// Returns what a mailed link can do, and changes nothing. A dead one can do nothing.
    pub fn look_at_reset(&self, token: &str) -> Result<ResetLook, PasswordError> {
        let Ok(token) = token.parse::<Token>() else {
            return Ok(ResetLook::default());
        };
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let owner = tx.account_changes().password_reset(&token.hash(), now)?;
            let user = match owner {
                Some(owner) => tx.users().user(owner)?,
                None => None,
            };
            Ok(ResetLook {
                two_factor_removable: match user {
                    Some(user) => has_removable_two_factor(tx, &user)?,
                    None => false,
                },
            })
        })
    }

    /// Sets a new password with the token of a mailed link, which works once. Ends
    /// all sessions of the account, deletes its known devices, and notifies the
    /// owner. Turns two-step sign-in off if asked, and if it is
    /// [removable](ideavault_domain::two_factor::TwoFactor::is_removable_by_mail).
    ///
    /// Also confirms the address. If it was not confirmed before, somebody else may
    /// have registered it: two-step sign-in is then turned off. Ideas stay, since
    /// most often it is the same person; the response and the mail mention them.
    ///
    /// # Errors
    /// [`PasswordError::Invalid`] on `newPassword`, or [`PasswordError::InvalidLink`].
    pub fn reset(
        &self,
        token: &str,
        form: PasswordResetForm<'_>,
        origin: Origin,
    ) -> Result<Reset, PasswordError> {
        let password = Password::parse("newPassword", form.password)?;
        let token = token
            .parse::<Token>()
            .map_err(|_| PasswordError::InvalidLink)?;
        let token = token.hash();
        let now = self.deps.clock.now();
        // Checked before the expensive hashing, so that guesses cost little.
        self.deps
            .database
            .read_one(|tx| tx.account_changes().password_reset(&token, now))?
            .ok_or(PasswordError::InvalidLink)?;
        let hash = self.hasher.hash(&password)?;
        self.deps.database.write(|tx| {
            let now = self.deps.clock.now();
            let owner = tx
                .account_changes()
                .consume_password_reset(&token, now)?
                .ok_or(PasswordError::InvalidLink)?;
            if !tx.account_changes().set_password(owner, &hash)? {
                return Err(PasswordError::InvalidLink);
            }
            let user = tx.users().user(owner)?.ok_or(PasswordError::InvalidLink)?;
            if user.is_disabled() {
                return Err(PasswordError::InvalidLink);
            }
            tx.account_changes().end_sessions_of(owner)?;
            tx.known_devices().delete_devices(owner, None)?;
            let reset = if tx.email_confirmations().confirm_address(owner, now)? {
                self.take_over(tx, &user, now, &origin)?
            } else {
                let tell = |tx: &mut dyn Transaction, mail| {
                    let mail = self
                        .email_composer
                        .security_mail(&user, mail, now, &origin)?;
                    Ok::<_, PasswordError>(tx.outbox().queue_mail(&mail)?)
                };
                tell(tx, SecurityMail::PasswordChanged)?;
                if form.remove_two_factor && has_removable_two_factor(tx, &user)? {
                    tx.two_factors().remove_two_factor(owner)?;
                    tell(tx, SecurityMail::TwoFactorOff)?;
                    let kind = AuditKind::TwoFactorOff;
                    tx.audit()
                        .record(&AuditEntry::by(owner, kind, now, origin.clone()))?;
                }
                Reset::default()
            };
            let entry = AuditEntry::by(owner, AuditKind::PasswordReset, now, origin.clone());
            tx.audit().record(&entry)?;
            Ok(reset)
        })
    }

    /// Removes settings with which somebody else who registered the address could
    /// lock out its owner, and notifies the owner of what is left.
    fn take_over(
        &self,
        tx: &mut dyn Transaction,
        user: &User,
        now: Timestamp,
        origin: &Origin,
    ) -> Result<Reset, PasswordError> {
        let record = |tx: &mut dyn Transaction, kind| {
            tx.audit()
                .record(&AuditEntry::by(user.id, kind, now, origin.clone()))
        };
        record(tx, AuditKind::EmailConfirmed)?;
        let two_factor = tx.two_factors().remove_two_factor(user.id)?;
        if two_factor {
            record(tx, AuditKind::TwoFactorOff)?;
        }
        // The first holder may hold links to it, and have turned the emails off.
        for (idea, share) in tx.shares().revoke_shares_of(user.id, now)? {
            let event = Event::share_revoked(idea, share, now);
            tx.evidence_log().append_event(&event)?;
            tx.outbox().drop_mail_of_link(share)?;
        }
        tx.notification_settings().set_notification_mode(
            user.id,
            NotificationMode::default(),
            now,
        )?;
        let ideas = tx
            .ideas()
            .ideas_of(user.id, Archived::Included, Paging::default())?;
        let ideas = !ideas.into_items().is_empty();
        let mail = SecurityMail::AccountTakenOver { two_factor, ideas };
        tx.outbox()
            .queue_mail(&self.email_composer.security_mail(user, mail, now, origin)?)?;
        Ok(Reset {
            unproven_ideas: ideas,
        })
    }

    /// Changes a known password and ends all sessions of the account, including the
    /// caller's, which needs a new id anyway and begins in the returned epoch. A
    /// pending reset becomes invalid. The owner is notified, and will be of logins
    /// from any browser except the one with the key `device`.
    ///
    /// # Errors
    /// [`PasswordError::Invalid`], [`PasswordError::WrongCurrent`], or
    /// [`PasswordError::SignedOut`].
    pub fn change(
        &self,
        actor: Actor,
        form: PasswordChange<'_>,
        device: Option<&Token>,
        origin: Origin,
    ) -> Result<SessionEpoch, PasswordError> {
        let user = actor.user;
        let password = check(form)?;
        let known = verified(&*self.deps.database, &*self.hasher, user, form.current)?;
        let hash = self.hasher.hash(&password)?;
        let now = self.deps.clock.now();
        let mail = self.email_composer.security_mail(
            &known.user,
            SecurityMail::PasswordChanged,
            now,
            &origin,
        )?;
        let entry = AuditEntry::by(user, AuditKind::PasswordChanged, now, origin);
        self.deps.database.write(|tx| {
            actor
                .require_live_session(tx, now)?
                .ok_or(PasswordError::SignedOut)?;
            // The password may have been reset since it was verified.
            if !tx
                .account_changes()
                .replace_password(user, &known.password_hash, &hash)?
            {
                return Err(PasswordError::WrongCurrent);
            }
            tx.account_changes().remove_password_reset(user)?;
            let epoch = tx.account_changes().end_sessions_of(user)?;
            tx.known_devices()
                .delete_devices(user, device.map(Token::hash).as_ref())?;
            tx.outbox().queue_mail(&mail)?;
            tx.audit().record(&entry)?;
            epoch.ok_or(PasswordError::NoSuchUser)
        })
    }
}

fn has_removable_two_factor(tx: &mut dyn Transaction, user: &User) -> Result<bool, DatabaseError> {
    let factor = tx.two_factors().two_factor(user.id)?;
    Ok(factor.is_some_and(|factor| factor.is_removable_by_mail(user)))
}

/// Returns the user's account and password hash if `current` is the password.
pub(crate) fn verified(
    database: &impl Database,
    hasher: &dyn PasswordHasher,
    user: UserId,
    current: &str,
) -> Result<Credentials, PasswordError> {
    // A text that breaks the password rules is nobody's password.
    let current =
        Password::parse("currentPassword", current).map_err(|_| PasswordError::WrongCurrent)?;
    let credentials = database.read(|tx| {
        let user = tx.users().user(user)?.ok_or(PasswordError::NoSuchUser)?;
        tx.users()
            .credentials(&user.email)?
            .ok_or(PasswordError::NoSuchUser)
    })?;
    let hash = &credentials.password_hash;
    if hasher.verify(&current, Some(hash))? {
        Ok(credentials)
    } else {
        Err(PasswordError::WrongCurrent)
    }
}

/// Checks the rules of `docs/rules.md#password-change`, in their order.
fn check(form: PasswordChange<'_>) -> Result<Password, Invalid> {
    if form.current.is_empty() {
        return Err(Invalid::new(
            "currentPassword",
            "Current password is required",
        ));
    }
    let password = Password::parse("newPassword", form.new)?;
    if form.confirmation.is_empty() {
        return Err(Invalid::new(
            "confirmPassword",
            "Please confirm your new password",
        ));
    }
    if composed(form.confirmation) != password.reveal() {
        return Err(Invalid::new("confirmPassword", "Passwords don't match"));
    }
    Ok(password)
}
