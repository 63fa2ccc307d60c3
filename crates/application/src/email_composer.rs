//! Prepares emails for the outbox.

use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::ids::MailId;
use ideavault_domain::mail::{Mail, QueuedMail};
use ideavault_domain::ports::{PortError, Random, Sealer};
use ideavault_domain::recipient::Origin;

use crate::emails::{self, Links, Notice};
use crate::random;

/// Delivery deadline of a notice about an account, counted from its composition.
pub(crate) const NOTICE_LIFETIME: Duration = Duration::days(3);

/// Encrypts emails for the outbox. A change and the email about it are written in the
/// same transaction, so that both happen or neither.
pub struct EmailComposer {
    random: Arc<dyn Random>,
    sealer: Arc<dyn Sealer>,
    links: Links,
}

impl EmailComposer {
    /// Creates a composer whose emails link to `links`.
    #[must_use]
    pub fn new(random: Arc<dyn Random>, sealer: Arc<dyn Sealer>, links: Links) -> Self {
        Self {
            random,
            sealer,
            links,
        }
    }

    /// Returns the links for emails.
    pub(crate) fn links(&self) -> &Links {
        &self.links
    }

    /// Encrypts an email that is worth delivering for `lifetime` from now on.
    ///
    /// # Errors
    /// When randomness or encryption fails.
    pub(crate) fn seal(
        &self,
        mail: &Mail,
        now: Timestamp,
        lifetime: Duration,
    ) -> Result<QueuedMail, PortError> {
        let id = MailId::from_random(random::bytes(self.random.as_ref())?);
        Ok(QueuedMail {
            id,
            sealed: self.sealer.seal(id.as_uuid(), mail.to_text().as_bytes())?,
            queued_at: now,
            expires_at: now + lifetime,
            attempts: 0,
            next_attempt_at: now,
        })
    }

    /// Encrypts an email that notifies `user` of a change to the account made at
    /// `now` from `origin`.
    ///
    /// # Errors
    /// When randomness or encryption fails.
    pub(crate) fn notice(
        &self,
        user: &User,
        notice: Notice,
        now: Timestamp,
        origin: &Origin,
    ) -> Result<QueuedMail, PortError> {
        let mail = emails::notice(&self.links, user, notice, now, origin);
        self.seal(&mail, now, NOTICE_LIFETIME)
    }
}
