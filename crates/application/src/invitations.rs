//! Invitations to register: the operator invites, and a running server mails the
//! invitation. Inviting needs neither the keys nor the public address.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::admission::INVITATION_LIFETIME;
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::email::Email;
use ideavault_domain::failure::{Failure, Invalid};
use ideavault_domain::ports::{Clock, Database, DatabaseError, PortError};
use thiserror::Error;

use crate::confirmations::new_token;
use crate::deps::Deps;
use crate::email_composer::EmailComposer;
use crate::emails;

/// Delivery deadline of the mail, counted from its composition.
const DELIVERY_LIFETIME: Duration = Duration::days(3);

/// The reason why nobody was invited.
#[derive(Debug, Error)]
pub enum InvitationError {
    /// Not an email address.
    #[error("{}", .0.message)]
    Invalid(Invalid),
    /// The address already has an account.
    #[error("{0} has an account already")]
    HasAccount(Email),
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Encryption or randomness failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<InvitationError> for Failure {
    fn from(error: InvitationError) -> Self {
        match error {
            InvitationError::Invalid(invalid) => Self::Invalid(invalid),
            InvitationError::HasAccount(_) => Self::Conflict(error.to_string()),
            InvitationError::Database(error) => error.into(),
            InvitationError::Port(error) => error.into(),
        }
    }
}

/// Invitations by the operator. Not reachable by any request.
pub struct Invitations<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
}

impl<S: Database> Invitations<S> {
    /// Creates the service from its dependencies.
    pub fn new(database: Arc<S>, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// Invites an address and returns it in normalized form. Inviting it again
    /// requests another mail and invalidates the link in the previous one.
    ///
    /// # Errors
    /// [`InvitationError::Invalid`], or [`InvitationError::HasAccount`].
    pub fn invite(&self, email: &str) -> Result<Email, InvitationError> {
        let email = Email::parse(email).map_err(InvitationError::Invalid)?;
        let now = self.clock.now();
        self.database.write(|tx| {
            if tx.users().credentials(&email)?.is_some() {
                return Err(InvitationError::HasAccount(email.clone()));
            }
            tx.invitations().invite(&email, now)?;
            tx.audit().record(&AuditEntry {
                at: now,
                kind: AuditKind::Invited,
                account: None,
                subject: None,
                origin: None,
            })?;
            Ok(())
        })?;
        Ok(email)
    }
}

/// Mails pending invitations.
pub struct InvitationMailer<S> {
    deps: Deps<S>,
    email_composer: Arc<EmailComposer>,
}

impl<S: Database> InvitationMailer<S> {
    /// Creates the service from its dependencies.
    pub fn new(deps: Deps<S>, email_composer: Arc<EmailComposer>) -> Self {
        Self {
            deps,
            email_composer,
        }
    }

    /// Queues a mail with a token for every invitation not mailed yet, and returns
    /// how many.
    ///
    /// # Errors
    /// [`InvitationError`]; the remaining invitations are mailed next time.
    pub fn send_pending(&self) -> Result<usize, InvitationError> {
        let invited = self
            .deps
            .database
            .read(|tx| tx.invitations().unannounced_invitations())?;
        let mut announced = 0;
        for email in &invited {
            let now = self.deps.clock.now();
            let token = new_token(self.deps.random.as_ref())?;
            let mail = emails::registration_invitation(self.email_composer.links(), email, &token);
            let mail = self.email_composer.compose(mail, now, DELIVERY_LIFETIME)?;
            let expires_at = now + INVITATION_LIFETIME;
            announced += self.deps.database.write(|tx| {
                if !tx
                    .invitations()
                    .announce_invitation(email, &token.hash(), now, expires_at)?
                {
                    return Ok::<_, DatabaseError>(0);
                }
                tx.outbox().queue_mail(&mail)?;
                Ok(1)
            })?;
        }
        Ok(announced)
    }
}
