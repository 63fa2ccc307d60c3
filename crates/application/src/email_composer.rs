//! Prepares letters for the store's outbox.

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

/// How long it is worth telling somebody what happened to an account.
pub(crate) const NOTICE_LIFETIME: Duration = Duration::days(3);

/// Seals mails. Whoever changes something that a mail tells of queues it in
/// the same transaction, so that both happen or neither.
pub struct EmailComposer {
    random: Arc<dyn Random>,
    sealer: Arc<dyn Sealer>,
    links: Links,
}

impl EmailComposer {
    /// A postbox whose letters link to `links`.
    #[must_use]
    pub fn new(random: Arc<dyn Random>, sealer: Arc<dyn Sealer>, links: Links) -> Self {
        Self {
            random,
            sealer,
            links,
        }
    }

    /// The addresses for letters.
    pub(crate) fn links(&self) -> &Links {
        &self.links
    }

    /// A mail that is worth delivering for `lifetime` from now on.
    ///
    /// # Errors
    /// When randomness or sealing fails.
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

    /// A mail that tells `user` what was done to the account `now`, from `origin`.
    ///
    /// # Errors
    /// When randomness or sealing fails.
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
