//! Confirmation of an account's email address.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::account::{CONFIRMATION_LIFETIME, ConfirmationLink, EmailConfirmation, User};
use ideavault_domain::admission::AddressConfirmation;
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{
    Database, DatabaseError, PasswordHasher, PortError, Random, RateLimited, Transaction,
};
use ideavault_domain::rate_limit::{LimitKey, RateLimit};
use ideavault_domain::recipient::Origin;
use ideavault_domain::token::{Token, TokenHash};
use thiserror::Error;

use crate::actor::Actor;
use crate::deps::Deps;
use crate::email_composer::EmailComposer;
use crate::emails;
use crate::passwords::{self, PasswordError};
use crate::random;

/// The reason why an address was not confirmed, or no link was mailed.
#[derive(Debug, Error)]
pub enum ConfirmationError {
    /// The link was replaced by a newer one, has expired, or never existed.
    #[error("no such email confirmation")]
    InvalidLink,
    /// The link was used before.
    #[error("the link was used before")]
    UsedBefore,
    /// The address is already confirmed.
    #[error("the address is confirmed already")]
    Confirmed,
    /// Somebody else is signed in, or nobody, and no password was given.
    #[error("neither a session nor the password of the account")]
    PasswordMissing,
    /// It is not the password of the account.
    #[error("wrong password")]
    WrongPassword,
    /// The account behind a session no longer exists.
    #[error("the signed-in account does not exist")]
    NoSuchUser,
    /// The vault mailed enough links today.
    #[error(transparent)]
    RateLimited(#[from] RateLimited),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Encryption or randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<ConfirmationError> for Failure {
    fn from(error: ConfirmationError) -> Self {
        match error {
            ConfirmationError::InvalidLink => Self::Invalid(Invalid::new(
                "token",
                "This link has expired or was replaced by a newer one. Sign in to ask for \
                 another.",
            )),
            ConfirmationError::UsedBefore => Self::Conflict(
                "This link has already been used. The email address is confirmed.".into(),
            ),
            ConfirmationError::Confirmed => {
                Self::Conflict("Your email address is already confirmed.".into())
            }
            ConfirmationError::PasswordMissing => Self::Invalid(Invalid::new(
                "password",
                "Please enter the password of this account.",
            )),
            ConfirmationError::WrongPassword => Self::Invalid(Invalid::new(
                "password",
                "This is not the password of this account.",
            )),
            ConfirmationError::NoSuchUser => Self::Unauthenticated("Please sign in".into()),
            ConfirmationError::RateLimited(limited) => limited.into(),
            ConfirmationError::Database(error) => error.into(),
            ConfirmationError::Port(error) => error.into(),
        }
    }
}

impl From<PasswordError> for ConfirmationError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Invalid(_)
            | PasswordError::InvalidLink
            | PasswordError::WrongCurrent => Self::WrongPassword,
            PasswordError::NoSuchUser | PasswordError::SignedOut => Self::NoSuchUser,
            PasswordError::Database(error) => Self::Database(error),
            PasswordError::Port(error) => Self::Port(error),
        }
    }
}

/// The subject of a confirmation link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmationLook {
    /// The address that it confirms.
    pub email: Email,
    /// Whether confirming needs the password, because the account is not signed in.
    pub needs_password: bool,
}

/// The account's address must be confirmed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the email address of the account is not confirmed")]
pub struct Unconfirmed;

impl From<Unconfirmed> for Failure {
    fn from(_: Unconfirmed) -> Self {
        Self::Forbidden(
            "Please confirm your email address first, with the link that we mailed to you. You \
             can ask for another one on your profile page."
                .into(),
        )
    }
}

/// Checks that `user` may do what needs a confirmed address, if `wanted` requires
/// one.
pub(crate) fn demand(wanted: AddressConfirmation, user: &User) -> Result<(), Unconfirmed> {
    if wanted.is_required() && !user.has_confirmed_email() {
        return Err(Unconfirmed);
    }
    Ok(())
}

/// Email confirmations.
pub struct Confirmations<S> {
    deps: Deps<S>,
    hasher: Arc<dyn PasswordHasher>,
    email_composer: Arc<EmailComposer>,
}

impl<S: Database> Confirmations<S> {
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

    /// Mails a signed-in user a confirmation link, replacing any earlier one.
    ///
    /// # Errors
    /// [`ConfirmationError::Confirmed`] when the address is already confirmed, or
    /// [`ConfirmationError::RateLimited`].
    pub fn send(&self, user: UserId, origin: &Origin) -> Result<(), ConfirmationError> {
        let now = self.deps.clock.now();
        let token = new_token(self.deps.random.as_ref())?;
        self.deps.database.write(|tx| {
            let user = tx
                .users()
                .user(user)?
                .ok_or(ConfirmationError::NoSuchUser)?;
            if user.has_confirmed_email() {
                return Err(ConfirmationError::Confirmed);
            }
            request::<ConfirmationError>(tx, &self.email_composer, &user, &token, now)?;
            let mails = LimitKey::common("", origin.network());
            let limit = RateLimit::ConfirmationsOfVault;
            self.deps.limits.count(tx, limit, &mails, now)
        })
    }

    /// Returns what a mailed link is about, and changes nothing: programs that scan mails open
    /// links.
    ///
    /// # Errors
    /// [`ConfirmationError::InvalidLink`], or [`ConfirmationError::UsedBefore`].
    pub fn look(
        &self,
        token: &str,
        caller: Option<UserId>,
    ) -> Result<ConfirmationLook, ConfirmationError> {
        let token = parsed(token)?;
        let now = self.deps.clock.now();
        self.deps.database.read(|tx| {
            let link = tx.email_confirmations().email_confirmation(&token, now)?;
            let user = account_of(link)?;
            let user = tx
                .users()
                .user(user)?
                .ok_or(ConfirmationError::InvalidLink)?;
            Ok(ConfirmationLook {
                needs_password: caller != Some(user.id),
                email: user.email,
            })
        })
    }

    /// Confirms an address with the token of a mailed link, which works once, in a session of the
    /// account or with its password: somebody else may have registered the address, and whoever
    /// reads the mail must not confirm it for them.
    ///
    /// # Errors
    /// [`ConfirmationError`]. The link still works after a wrong password.
    pub fn confirm(
        &self,
        token: &str,
        actor: Option<Actor>,
        password: Option<&str>,
        origin: Origin,
    ) -> Result<(), ConfirmationError> {
        let token = parsed(token)?;
        let now = self.deps.clock.now();
        let link = self
            .deps
            .database
            .read_one(|tx| tx.email_confirmations().email_confirmation(&token, now))?;
        let account = account_of(link)?;
        let actor = actor.filter(|actor| actor.user == account);
        if actor.is_none() {
            let password = password.filter(|password| !password.is_empty());
            let password = password.ok_or(ConfirmationError::PasswordMissing)?;
            passwords::verified(&*self.deps.database, &*self.hasher, account, password)?;
        }
        self.deps.database.write(|tx| {
            if let Some(actor) = actor {
                actor
                    .require_live_session(tx, now)?
                    .ok_or(ConfirmationError::NoSuchUser)?;
            }
            let link = tx
                .email_confirmations()
                .consume_email_confirmation(&token, now)?;
            let user = account_of(link)?;
            // A password reset or an invitation may have confirmed it meanwhile.
            if tx.email_confirmations().confirm_address(user, now)? {
                let kind = AuditKind::EmailConfirmed;
                tx.audit()
                    .record(&AuditEntry::by(user, kind, now, origin.clone()))?;
            }
            Ok(())
        })
    }
}

fn parsed(token: &str) -> Result<TokenHash, ConfirmationError> {
    let token = token.parse::<Token>();
    Ok(token.map_err(|_| ConfirmationError::InvalidLink)?.hash())
}

fn account_of(link: ConfirmationLink) -> Result<UserId, ConfirmationError> {
    match link {
        ConfirmationLink::Live(user) => Ok(user),
        ConfirmationLink::UsedBefore => Err(ConfirmationError::UsedBefore),
        ConfirmationLink::Denied => Err(ConfirmationError::InvalidLink),
    }
}

/// Creates a token for a link.
///
/// # Errors
/// When randomness fails.
pub(crate) fn new_token(random: &dyn Random) -> Result<Token, PortError> {
    random::bytes(random).map(Token::from_random)
}

/// Mails `user` a link with `token`, replacing any earlier one.
///
/// # Errors
/// When encryption or the database fails.
pub(crate) fn request<E: From<DatabaseError> + From<PortError>>(
    tx: &mut dyn Transaction,
    email_composer: &EmailComposer,
    user: &User,
    token: &Token,
    now: Timestamp,
) -> Result<(), E> {
    tx.email_confirmations()
        .replace_email_confirmation(&EmailConfirmation {
            user: user.id,
            token_hash: token.hash(),
            requested_at: now,
            expires_at: now + CONFIRMATION_LIFETIME,
        })?;
    let mail = emails::email_confirmation(email_composer.links(), &user.email, token);
    tx.outbox()
        .queue_mail(&email_composer.compose(mail, now, CONFIRMATION_LIFETIME)?)?;
    Ok(())
}
