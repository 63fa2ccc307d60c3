//! Creators' accounts: registration and names.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::account::{Password, REGISTRATION_NOTICE_COOLDOWN, SessionEpoch, User};
use ideavault_domain::admission::{AddressConfirmation, RegistrationMode};
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Database, DatabaseError, PasswordHasher, PortError};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::Origin;
use ideavault_domain::text::PersonName;
use ideavault_domain::token::{NotAToken, Token, TokenHash};
use thiserror::Error;

use crate::confirmations::{self, new_token};
use crate::deps::Deps;
use crate::devices::{self, SignIn};
use crate::email_composer::EmailComposer;
use crate::emails;
use crate::random;

/// The reason why an account action failed.
#[derive(Debug, Error)]
pub enum AccountError {
    /// A field is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// Registration is closed.
    #[error("registration is closed")]
    Closed,
    /// Registration needs an invitation.
    #[error("an invitation is missing")]
    NotInvited,
    /// The invitation has expired, was used, or is for another address.
    #[error("no such invitation for the email address")]
    InvalidInvitation,
    /// The address already has an account.
    #[error("the email address is taken")]
    EmailTaken,
    /// The account behind a session no longer exists.
    #[error("the signed-in account does not exist")]
    NoSuchUser,
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Hashing or randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<AccountError> for Failure {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Invalid(invalid) => Self::Invalid(invalid),
            AccountError::Closed => Self::Forbidden("Registration is closed at the moment.".into()),
            AccountError::NotInvited => Self::Forbidden(
                "Registration is by invitation only. Please open the link in the email that \
                 invited you, or join the waitlist."
                    .into(),
            ),
            AccountError::InvalidInvitation => Self::Forbidden(
                "This invitation no longer works. It has expired, has already been used, or is for \
                 another email address. Please use the link in the newest email, or ask for \
                 another invitation."
                    .into(),
            ),
            AccountError::EmailTaken => {
                Self::Conflict("An account with this email address already exists".into())
            }
            AccountError::NoSuchUser => Self::Unauthenticated("Please sign in".into()),
            AccountError::Database(error) => error.into(),
            AccountError::Port(error) => error.into(),
        }
    }
}

/// The registration form.
#[derive(Clone, Copy, Debug)]
pub struct SignUp<'a> {
    /// Full name.
    pub name: &'a str,
    /// Email address.
    pub email: &'a str,
    /// Password.
    pub password: &'a str,
    /// Invitation token; blank counts as none.
    pub invitation: Option<&'a str>,
}

impl SignUp<'_> {
    fn invitation(&self) -> Result<Option<TokenHash>, AccountError> {
        match self.invitation.map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) => match text.parse::<Token>() {
                Ok(token) => Ok(Some(token.hash())),
                Err(NotAToken) => Err(AccountError::InvalidInvitation),
            },
        }
    }
}

/// How accounts are admitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    /// Whether people may register freely, by invitation, or not at all.
    pub registration: RegistrationMode,
    /// Whether addresses must be confirmed.
    pub confirmation: AddressConfirmation,
}

/// Account actions.
pub struct Accounts<S> {
    deps: Deps<S>,
    passwords: Arc<dyn PasswordHasher>,
    email_composer: Arc<EmailComposer>,
    admission: Admission,
}

impl<S: Database> Accounts<S> {
    /// Creates the service from its dependencies.
    pub fn new(
        deps: Deps<S>,
        passwords: Arc<dyn PasswordHasher>,
        email_composer: Arc<EmailComposer>,
        admission: Admission,
    ) -> Self {
        Self {
            deps,
            passwords,
            email_composer,
            admission,
        }
    }

    /// Creates an account without signing in. The browser, identified by the key that
    /// it `brought`, becomes a known device of the account. An invitation is used up
    /// and confirms the address; without one, a confirmation link is mailed, unless
    /// the vault mailed enough of them today: then the account can ask for one later.
    /// Refusing would let a flood of registrations close the vault to everybody else.
    /// If the address already has an account, its owner is notified by mail.
    ///
    /// # Errors
    /// [`AccountError::Closed`], [`AccountError::Invalid`],
    /// [`AccountError::NotInvited`], [`AccountError::InvalidInvitation`], or
    /// [`AccountError::EmailTaken`].
    pub fn register(
        &self,
        form: SignUp<'_>,
        brought: Option<&Token>,
        origin: Origin,
    ) -> Result<SignIn, AccountError> {
        if self.admission.registration == RegistrationMode::Closed {
            return Err(AccountError::Closed);
        }
        let name = PersonName::parse_creator(form.name)?;
        let email = Email::parse(form.email)?;
        let password = Password::parse("password", form.password)?;
        let invitation = form.invitation()?;
        let now = self.deps.clock.now();
        self.check_invitation(invitation.as_ref(), &email, now)?;
        let user = User {
            id: UserId::from_random(random::bytes(self.deps.random.as_ref())?),
            name,
            email,
            profile_image: None,
            created_at: now,
            email_confirmed_at: invitation.map(|_| now),
            disabled_at: None,
        };
        let device = devices::new_key(self.deps.random.as_ref())?;
        let confirmation = new_token(self.deps.random.as_ref())?;
        let password_hash = self.passwords.hash(&password)?;
        let client = origin.network();
        let entry = AuditEntry::by(user.id, AuditKind::Registered, now, origin);
        let added = self.deps.database.write(|tx| {
            if let Some(token) = &invitation
                && !tx
                    .invitations()
                    .consume_invitation(token, &user.email, now)?
            {
                return Err(AccountError::InvalidInvitation);
            }
            if !tx.users().add_user(&user, &password_hash)? {
                return Err(AccountError::EmailTaken);
            }
            devices::record(tx, user.id, brought, &device, now)?;
            tx.audit().record(&entry)?;
            let limit = RateLimit::ConfirmationsOfVault;
            let (limits, mails) = (&self.deps.limits, LimitKey::common("", client));
            if invitation.is_none()
                && self.admission.confirmation.is_offered()
                && limits
                    .counted_or_until::<AccountError>(tx, limit, &mails, now)?
                    .is_none()
            {
                let (composer, link) = (&self.email_composer, &confirmation);
                confirmations::request::<AccountError>(tx, composer, &user, link, now)?;
            }
            Ok(())
        });
        if let Err(AccountError::EmailTaken) = added {
            self.notify_owner(&user.email, now)?;
        }
        added?;
        Ok(SignIn {
            user,
            epoch: SessionEpoch::default(),
            device,
        })
    }

    /// Checked before the expensive hashing.
    fn check_invitation(
        &self,
        token: Option<&TokenHash>,
        email: &Email,
        now: Timestamp,
    ) -> Result<(), AccountError> {
        let Some(token) = token else {
            return match self.admission.registration {
                RegistrationMode::Invite => Err(AccountError::NotInvited),
                RegistrationMode::Open | RegistrationMode::Closed => Ok(()),
            };
        };
        if self
            .deps
            .database
            .read_one(|tx| tx.invitations().invitation_is_live(token, email, now))?
        {
            Ok(())
        } else {
            Err(AccountError::InvalidInvitation)
        }
    }

    /// Mails the owner of an account with that address about the registration
    /// attempt, a few times a day at most.
    fn notify_owner(&self, email: &Email, now: Timestamp) -> Result<(), AccountError> {
        self.deps.database.write(|tx| {
            let owner = tx.users().credentials(email)?.map(|found| found.user);
            let Some(owner) = owner.filter(|owner| !owner.is_disabled()) else {
                return Ok(());
            };
            let last = now - REGISTRATION_NOTICE_COOLDOWN;
            if tx
                .email_confirmations()
                .try_record_registration_notice(owner.id, now, last)?
            {
                let mail = emails::registered_again(self.email_composer.links(), &owner);
                tx.outbox().queue_mail(&self.email_composer.compose(
                    mail,
                    now,
                    REGISTRATION_NOTICE_COOLDOWN,
                )?)?;
            }
            Ok(())
        })
    }

    /// Returns whether addresses must be confirmed.
    #[must_use]
    pub fn confirmation(&self) -> AddressConfirmation {
        self.admission.confirmation
    }

    /// Returns the account behind a session.
    ///
    /// # Errors
    /// [`AccountError::NoSuchUser`] when it no longer exists.
    pub fn current_user(&self, id: UserId) -> Result<User, AccountError> {
        self.deps
            .database
            .read_one(|tx| tx.users().user(id))?
            .ok_or(AccountError::NoSuchUser)
    }

    /// Renames the account behind a session.
    ///
    /// # Errors
    /// [`AccountError::Invalid`], or [`AccountError::NoSuchUser`].
    pub fn rename(&self, id: UserId, name: &str) -> Result<User, AccountError> {
        let name = PersonName::parse_creator(name)?;
        self.deps
            .database
            .write(|tx| tx.account_changes().rename_user(id, &name))?
            .ok_or(AccountError::NoSuchUser)
    }
}
