//! Creators' accounts: sign-up, names.

use std::sync::Arc;

use ideavault_domain::account::{Password, SessionEpoch, User};
use ideavault_domain::admission::RegistrationMode;
use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Clock, PasswordHasher, PortError, Random, Store, StoreError};
use ideavault_domain::text::PersonName;
use ideavault_domain::token::Token;
use thiserror::Error;

use crate::devices::{self, Arrival};
use crate::random;

/// Why an account action failed.
#[derive(Debug, Error)]
pub enum AccountError {
    /// A field breaks a rule.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// Nobody may register.
    #[error("registration is closed")]
    Closed,
    /// Only invited addresses may register.
    #[error("the email address is not invited")]
    NotInvited,
    /// The address has an account already.
    #[error("the email address is taken")]
    EmailTaken,
    /// The account behind a session is gone.
    #[error("the signed-in account does not exist")]
    NoSuchUser,
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
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
                "Registration is by invitation only. Please use the email address that was \
                 invited, or join the waitlist."
                    .into(),
            ),
            AccountError::EmailTaken => {
                Self::Conflict("An account with this email address exists already".into())
            }
            AccountError::NoSuchUser => Self::Unauthenticated("Please sign in".into()),
            AccountError::Store(error) => error.into(),
            AccountError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// What a person types to sign up.
#[derive(Clone, Copy, Debug)]
pub struct SignUp<'a> {
    /// Full name.
    pub name: &'a str,
    /// Address.
    pub email: &'a str,
    /// Password.
    pub password: &'a str,
}

/// Accounts.
pub struct Accounts<S> {
    store: Arc<S>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    passwords: Arc<dyn PasswordHasher>,
    registration: RegistrationMode,
}

impl<S: Store> Accounts<S> {
    /// Wires the area.
    pub fn new(
        store: Arc<S>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        passwords: Arc<dyn PasswordHasher>,
        registration: RegistrationMode,
    ) -> Self {
        Self {
            store,
            clock,
            random,
            passwords,
            registration,
        }
    }

    /// Makes an account. Does not sign in; but the browser, whose key may be
    /// `kept`, is one that the owner need not be told of.
    ///
    /// # Errors
    /// [`AccountError::Closed`], [`AccountError::Invalid`],
    /// [`AccountError::NotInvited`], or [`AccountError::EmailTaken`].
    pub fn register(&self, form: SignUp<'_>, kept: Option<Token>) -> Result<Arrival, AccountError> {
        if self.registration == RegistrationMode::Closed {
            return Err(AccountError::Closed);
        }
        let name = PersonName::parse_creator(form.name)?;
        let email = Email::parse(form.email)?;
        let password = Password::parse("password", form.password)?;
        if self.registration == RegistrationMode::Invite
            && !self.store.read(|session| session.is_invited(&email))?
        {
            return Err(AccountError::NotInvited);
        }
        let user = User {
            id: UserId::from_random(random::bytes(self.random.as_ref())?),
            name,
            email,
            profile_image: None,
            created_at: self.clock.now(),
        };
        let device = devices::key(self.random.as_ref(), kept)?;
        let password_hash = self.passwords.hash(&password)?;
        self.store.write(|session| {
            if !session.add_user(&user, &password_hash)? {
                return Err(AccountError::EmailTaken);
            }
            session.note_device(&devices::seen(user.id, &device, user.created_at))?;
            Ok(())
        })?;
        Ok(Arrival {
            user,
            epoch: SessionEpoch::default(),
            device,
        })
    }

    /// The account behind a session.
    ///
    /// # Errors
    /// [`AccountError::NoSuchUser`] when it was removed meanwhile.
    pub fn current_user(&self, id: UserId) -> Result<User, AccountError> {
        self.store
            .read(|session| session.user(id))?
            .ok_or(AccountError::NoSuchUser)
    }

    /// Gives the account behind a session another name.
    ///
    /// # Errors
    /// [`AccountError::Invalid`], or [`AccountError::NoSuchUser`].
    pub fn rename(&self, id: UserId, name: &str) -> Result<User, AccountError> {
        let name = PersonName::parse_creator(name)?;
        self.store
            .write(|session| session.rename_user(id, &name))?
            .ok_or(AccountError::NoSuchUser)
    }
}

#[cfg(test)]
mod tests;
