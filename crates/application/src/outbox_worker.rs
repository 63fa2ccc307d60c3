//! Delivers the mails in the outbox, one at a time.

use std::sync::Arc;

use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditEntry, AuditKind};
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{MailId, UserId};
use ideavault_domain::mail::{LEASE, Mail, OutgoingMail, QueuedMail};
use ideavault_domain::ports::{
    Clock, Database, DatabaseError, Mailer, MailerError, PortError, Sealer, Transaction,
};
use thiserror::Error;

use crate::email_composer::{EmailComposer, NOTICE_LIFETIME};
use crate::emails;

/// The reason why the outbox could not be processed.
#[derive(Debug, Error)]
pub enum DeliveryError {
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness or decryption failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<DeliveryError> for Failure {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::Database(error) => error.into(),
            DeliveryError::Port(error) => error.into(),
        }
    }
}

/// The reason why a mail will never be delivered.
#[derive(Debug, Error)]
pub enum PermanentFailure {
    /// The mail has expired.
    #[error("it has expired")]
    TooLate(#[source] Option<MailerError>),
    /// The mail cannot be decrypted: encrypted with another key, or damaged.
    #[error("it cannot be decrypted")]
    Sealed(#[source] PortError),
    /// The decrypted bytes are not a mail.
    #[error("it is damaged")]
    Damaged,
    /// The mailer refused it.
    #[error(transparent)]
    Refused(MailerError),
}

/// The result of a delivery attempt.
#[derive(Debug)]
pub enum Delivery {
    /// No mail was due.
    Idle,
    /// The mailer accepted the mail.
    Delivered(MailId),
    /// The mail will be retried.
    Postponed {
        /// The mail concerned.
        mail: MailId,
        /// Time of the retry.
        until: Timestamp,
        /// The temporary failure.
        reason: MailerError,
    },
    /// The mail was removed without delivery.
    GivenUp {
        /// The mail concerned.
        mail: MailId,
        /// The permanent failure.
        reason: PermanentFailure,
    },
}

/// The outbox worker.
pub struct OutboxWorker<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    sealer: Arc<dyn Sealer>,
    mailer: Arc<dyn Mailer>,
    email_composer: Arc<EmailComposer>,
}

impl<S: Database> OutboxWorker<S> {
    /// Creates the worker. `sealer` decrypts mails encrypted by the
    /// [`EmailComposer`](crate::email_composer::EmailComposer).
    pub fn new(
        database: Arc<S>,
        clock: Arc<dyn Clock>,
        sealer: Arc<dyn Sealer>,
        mailer: Arc<dyn Mailer>,
        email_composer: Arc<EmailComposer>,
    ) -> Self {
        Self {
            database,
            clock,
            sealer,
            mailer,
            email_composer,
        }
    }

    /// Attempts delivery of the mail that has been due the longest. No transaction is
    /// open while the mailer works.
    ///
    /// # Errors
    /// [`DeliveryError`]; a claimed mail is retried later.
    pub fn deliver_next(&self) -> Result<Delivery, DeliveryError> {
        let now = self.clock.now();
        // Reads first: claiming would block other writers every second.
        if !self.database.read(|tx| tx.outbox().mail_is_due(now))? {
            return Ok(Delivery::Idle);
        }
        let claimed = self
            .database
            .write(|tx| tx.outbox().claim_mail(now, now + LEASE))?;
        let Some(claimed) = claimed else {
            return Ok(Delivery::Idle);
        };
        let mail = match self.decrypt(&claimed) {
            Ok(mail) => mail,
            Err(reason) => return self.give_up(&claimed, None, reason),
        };
        if claimed.expires_at <= now {
            return self.give_up(&claimed, Some(&mail.mail), PermanentFailure::TooLate(None));
        }
        match self.mailer.deliver(&mail) {
            Ok(()) => {
                self.remove(&claimed)?;
                Ok(Delivery::Delivered(claimed.id))
            }
            Err(error @ MailerError::Refused(_)) => {
                self.give_up(&claimed, Some(&mail.mail), PermanentFailure::Refused(error))
            }
            Err(error @ MailerError::Unavailable(_)) => self.postpone(&claimed, &mail.mail, error),
        }
    }

    fn decrypt(&self, queued: &QueuedMail) -> Result<OutgoingMail, PermanentFailure> {
        let opened = self
            .sealer
            .open(queued.id.as_uuid(), &queued.sealed)
            .map_err(PermanentFailure::Sealed)?;
        let mail = std::str::from_utf8(&opened)
            .ok()
            .and_then(Mail::from_text)
            .ok_or(PermanentFailure::Damaged)?;
        Ok(OutgoingMail {
            id: queued.id,
            written_at: queued.queued_at,
            mail,
        })
    }

    fn postpone(
        &self,
        claimed: &QueuedMail,
        mail: &Mail,
        reason: MailerError,
    ) -> Result<Delivery, DeliveryError> {
        let Some(until) = claimed.retry_at(self.clock.now()) else {
            return self.give_up(claimed, Some(mail), PermanentFailure::TooLate(Some(reason)));
        };
        self.database
            .write(|tx| tx.outbox().postpone_mail(claimed, until))?;
        Ok(Delivery::Postponed {
            mail: claimed.id,
            until,
            reason,
        })
    }

    /// Records a permanent failure for the operator, and notifies the sender.
    fn give_up(
        &self,
        claimed: &QueuedMail,
        mail: Option<&Mail>,
        reason: PermanentFailure,
    ) -> Result<Delivery, DeliveryError> {
        let now = self.clock.now();
        self.database.write(|tx| {
            let account = tx.outbox().sender_of(claimed.id)?;
            if !tx.outbox().remove_mail(claimed)? {
                return Ok(());
            }
            tx.audit().record(&AuditEntry {
                at: now,
                kind: AuditKind::MailGivenUp,
                account,
                subject: None,
                origin: None,
            })?;
            match (account, mail) {
                (Some(account), Some(mail)) => self.notify_sender(tx, account, mail, now),
                _ => Ok::<_, DeliveryError>(()),
            }
        })?;
        Ok(Delivery::GivenUp {
            mail: claimed.id,
            reason,
        })
    }

    /// Mails to the sender itself, including this notification, cause no further one.
    fn notify_sender(
        &self,
        tx: &mut dyn Transaction,
        account: UserId,
        mail: &Mail,
        now: Timestamp,
    ) -> Result<(), DeliveryError> {
        let Some(sender) = tx.users().user(account)? else {
            return Ok(());
        };
        if sender.email == *mail.to() {
            return Ok(());
        }
        let notice = emails::undeliverable(self.email_composer.links(), &sender, mail);
        tx.outbox()
            .queue_mail(&self.email_composer.seal(&notice, now, NOTICE_LIFETIME)?)?;
        Ok(())
    }

    /// Losing the claim meanwhile is not an error: another worker has the mail.
    fn remove(&self, claimed: &QueuedMail) -> Result<bool, DeliveryError> {
        Ok(self.database.write(|tx| tx.outbox().remove_mail(claimed))?)
    }
}

#[cfg(test)]
mod tests;
