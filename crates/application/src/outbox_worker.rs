//! Empties the store's outbox, one mail at a time.

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

/// Why the outbox could not be worked on.
#[derive(Debug, Error)]
pub enum DeliveryError {
    /// The store could not answer.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness or sealing failed.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl From<DeliveryError> for Failure {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::Database(error) => error.into(),
            DeliveryError::Port(error) => Self::Internal(Box::new(error)),
        }
    }
}

/// Why a mail will never arrive.
#[derive(Debug, Error)]
pub enum PermanentFailure {
    /// Nobody needs it any more.
    #[error("its time is over")]
    TooLate(#[source] Option<MailerError>),
    /// It was sealed with another key, or is damaged.
    #[error("it cannot be unsealed")]
    Sealed(#[source] PortError),
    /// What was sealed is no mail.
    #[error("it is damaged")]
    Damaged,
    /// The mailer does not take it.
    #[error(transparent)]
    Refused(MailerError),
}

/// What became of an attempt.
#[derive(Debug)]
pub enum Delivery {
    /// No mail was due.
    Idle,
    /// Somebody else is responsible for it now.
    Delivered(MailId),
    /// It will be tried again.
    Postponed {
        /// Which.
        mail: MailId,
        /// When.
        until: Timestamp,
        /// What went wrong.
        reason: MailerError,
    },
    /// It was thrown away.
    GivenUp {
        /// Which.
        mail: MailId,
        /// Why.
        reason: PermanentFailure,
    },
}

/// Deliveries.
pub struct OutboxWorker<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    sealer: Arc<dyn Sealer>,
    mailer: Arc<dyn Mailer>,
    email_composer: Arc<EmailComposer>,
}

impl<S: Database> OutboxWorker<S> {
    /// Wires the area. `sealer` opens what the postbox has sealed.
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

    /// Tries the mail that has been due the longest. No session is open while
    /// the mailer works.
    ///
    /// # Errors
    /// [`DeliveryError`]; a mail that was claimed is tried again later.
    pub fn deliver_next(&self) -> Result<Delivery, DeliveryError> {
        let now = self.clock.now();
        // Reading first: a claim would take the writer's turn every second.
        if !self.database.read(|tx| tx.outbox().mail_is_due(now))? {
            return Ok(Delivery::Idle);
        }
        let claimed = self
            .database
            .write(|tx| tx.outbox().claim_mail(now, now + LEASE))?;
        let Some(claimed) = claimed else {
            return Ok(Delivery::Idle);
        };
        let mail = match self.unseal(&claimed) {
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

    fn unseal(&self, queued: &QueuedMail) -> Result<OutgoingMail, PermanentFailure> {
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

    /// Records it for the operator, and tells whose action the mail came from.
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
                (Some(account), Some(mail)) => self.tell_sender(tx, account, mail, now),
                _ => Ok::<_, DeliveryError>(()),
            }
        })?;
        Ok(Delivery::GivenUp {
            mail: claimed.id,
            reason,
        })
    }

    /// A mail to its sender has nobody else to be told of it; nor has the one that tells.
    fn tell_sender(
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
        let letter = emails::undeliverable(self.email_composer.links(), &sender, mail);
        tx.outbox()
            .queue_mail(&self.email_composer.seal(&letter, now, NOTICE_LIFETIME)?)?;
        Ok(())
    }

    /// A claim that was lost meanwhile is no failure: somebody else has the mail.
    fn remove(&self, claimed: &QueuedMail) -> Result<bool, DeliveryError> {
        Ok(self.database.write(|tx| tx.outbox().remove_mail(claimed))?)
    }
}

#[cfg(test)]
mod tests;
