//! Prepares emails for the outbox.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::ids::{MailId, RecipientId};
use ideavault_domain::mail::{Mail, QueuedMail};
use ideavault_domain::ports::{PortError, Random};
use ideavault_domain::recipient::Origin;

use crate::emails::{self, Links, SecurityMail};
use crate::random;

/// Time for delivering a mail to the owner of an account, counted from its composition.
pub(crate) const ACCOUNT_MAIL_LIFETIME: Duration = Duration::days(3);

/// Composes emails for the outbox. A change and the email about it are written in the
/// same transaction, so that both happen or neither.
pub struct EmailComposer {
    random: Arc<dyn Random>,
    links: Links,
}

impl EmailComposer {
    /// Creates a composer whose emails link to `links`.
    #[must_use]
    pub fn new(random: Arc<dyn Random>, links: Links) -> Self {
        Self { random, links }
    }

    /// Returns the links for emails.
    pub(crate) fn links(&self) -> &Links {
        &self.links
    }

    /// Returns an email that is worth delivering for `lifetime` from now on.
    ///
    /// # Errors
    /// When randomness fails.
    pub(crate) fn compose(
        &self,
        mail: Mail,
        now: Timestamp,
        lifetime: Duration,
    ) -> Result<QueuedMail, PortError> {
        Ok(QueuedMail {
            id: MailId::from_random(random::bytes(self.random.as_ref())?),
            mail,
            queued_at: now,
            expires_at: now + lifetime,
            first_attempt_at: now,
            reader: None,
        })
    }

    /// Returns an email for a reader, whose erasure drops it.
    ///
    /// # Errors
    /// When randomness fails.
    pub(crate) fn compose_for_reader(
        &self,
        reader: RecipientId,
        mail: Mail,
        now: Timestamp,
        lifetime: Duration,
    ) -> Result<QueuedMail, PortError> {
        Ok(QueuedMail {
            reader: Some(reader),
            ..self.compose(mail, now, lifetime)?
        })
    }

    /// Returns an email that notifies `user` of a security event of the account, at `now` and
    /// from `origin`.
    ///
    /// # Errors
    /// When randomness fails.
    pub(crate) fn security_mail(
        &self,
        user: &User,
        event: SecurityMail,
        now: Timestamp,
        origin: &Origin,
    ) -> Result<QueuedMail, PortError> {
        let mail = emails::security_mail(&self.links, user, event, now, origin);
        self.compose(mail, now, ACCOUNT_MAIL_LIFETIME)
    }
}
