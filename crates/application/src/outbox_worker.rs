//! Delivers the mails in the outbox, one at a time for each worker.

use std::error::Error as StdError;
use std::iter::successors;
use std::sync::Arc;

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::audit::{AuditEntry, AuditKind, Subject};
use ideavault_domain::document::Attachment;
use ideavault_domain::failure::Failure;
use ideavault_domain::ids::{MailId, RecipientId, UserId};
use ideavault_domain::mail::{
    ClaimedMail, LEASE, Mail, MailClaim, MailKind, OutgoingMail, UnreadableMail,
};
use ideavault_domain::ports::{
    Clock, Database, DatabaseError, Mailer, MailerError, PortError, Transaction,
};
use thiserror::Error;

use crate::documents::{DocumentError, Documents};
use crate::email_composer::{ACCOUNT_MAIL_LIFETIME, EmailComposer};
use crate::emails;

/// Time for which a mail has been due before further workers take it.
pub const LATE_AFTER: Duration = Duration::seconds(5);

/// The reason why the outbox could not be processed.
#[derive(Debug, Error)]
pub enum DeliveryError {
    /// A database error.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Randomness failed.
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
    /// The stored mail cannot be read.
    #[error(transparent)]
    Unreadable(#[from] UnreadableMail),
    /// The mailer refused it.
    #[error(transparent)]
    Refused(MailerError),
    /// It was handed over, perhaps several times, and never confirmed.
    #[error(transparent)]
    Unconfirmed(MailerError),
    /// All that it was to carry is gone.
    #[error("the receipt that it carries is gone")]
    ReceiptGone,
}

impl PermanentFailure {
    /// Returns whether nothing but the recipient is wrong.
    #[must_use]
    pub fn is_about_recipient(&self) -> bool {
        matches!(self, Self::Refused(MailerError::NoRecipient(_)))
    }
}

/// Returns a failure and its causes as one line, which names nobody: mailers tell nothing of a
/// mail.
fn chain(failure: &PermanentFailure) -> String {
    let causes = successors(Some(failure as &(dyn StdError + 'static)), |&cause| {
        cause.source()
    });
    let causes: Vec<_> = causes.map(ToString::to_string).collect();
    causes.join(": ")
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
        /// Its purpose; none if it cannot be read.
        kind: Option<MailKind>,
        /// The account that it was of, or to, if there is one.
        account: Option<UserId>,
        /// The permanent failure.
        reason: PermanentFailure,
    },
}

/// Makes receipts for mails.
pub trait Receipts: Send + Sync {
    /// Returns a receipt; `None` when there is none any more.
    ///
    /// # Errors
    /// When it cannot be made now.
    fn receipt(&self, recipient: RecipientId) -> Result<Option<Attachment>, DocumentError>;
}

impl<S: Database> Receipts for Documents<S> {
    fn receipt(&self, recipient: RecipientId) -> Result<Option<Attachment>, DocumentError> {
        self.receipt_to_mail(recipient)
    }
}

/// The outbox worker.
pub struct OutboxWorker<S> {
    database: Arc<S>,
    clock: Arc<dyn Clock>,
    mailer: Arc<dyn Mailer>,
    email_composer: Arc<EmailComposer>,
    receipts: Arc<dyn Receipts>,
}

impl<S: Database> OutboxWorker<S> {
    /// Creates the worker from its dependencies.
    pub fn new(
        database: Arc<S>,
        clock: Arc<dyn Clock>,
        mailer: Arc<dyn Mailer>,
        email_composer: Arc<EmailComposer>,
        receipts: Arc<dyn Receipts>,
    ) -> Self {
        Self {
            database,
            clock,
            mailer,
            email_composer,
            receipts,
        }
    }

    /// Attempts delivery of the mail that has been due the longest. No transaction is
    /// open while the mailer works.
    ///
    /// # Errors
    /// [`DeliveryError`]; a claimed mail is retried later.
    pub fn deliver_next(&self) -> Result<Delivery, DeliveryError> {
        self.deliver_waiting(Duration::zero())
    }

    /// Attempts delivery like [`deliver_next`](Self::deliver_next), of a mail that has been due
    /// for more than [`LATE_AFTER`]: the other worker waits for a slow mail server. Mails do not
    /// overtake each other otherwise.
    ///
    /// # Errors
    /// [`DeliveryError`]; a claimed mail is retried later.
    pub fn deliver_late(&self) -> Result<Delivery, DeliveryError> {
        self.deliver_waiting(LATE_AFTER)
    }

    fn deliver_waiting(&self, since: Duration) -> Result<Delivery, DeliveryError> {
        let now = self.clock.now();
        let due = now - since;
        // Reads first: claiming would block other writers every second.
        if !self.database.read_one(|tx| tx.outbox().mail_is_due(due))? {
            return Ok(Delivery::Idle);
        }
        let claimed = self
            .database
            .write(|tx| tx.outbox().claim_mail(due, now + LEASE))?;
        let Some(ClaimedMail { claim, mail }) = claimed else {
            return Ok(Delivery::Idle);
        };
        let mail = match mail {
            Ok(mail) => mail,
            Err(reason) => return self.give_up(&claim, None, reason.into()),
        };
        if claim.expires_at <= now {
            return self.give_up(&claim, Some(&mail), PermanentFailure::TooLate(None));
        }
        let mut attachments = Vec::new();
        for recipient in mail.receipts() {
            match self.receipts.receipt(*recipient) {
                Ok(receipt) => attachments.extend(receipt),
                // A damaged mail must not hold up others.
                Err(error) => {
                    let reason = MailerError::Unavailable(Box::new(error));
                    return self.postpone(&claim, &mail, reason);
                }
            }
        }
        // A reader's mail is nothing but its receipt; the owner's tells of other news, too.
        let is_receipt = !mail.receipts().is_empty() && mail.unsubscribe().is_none();
        if is_receipt && attachments.is_empty() {
            return self.give_up(&claim, Some(&mail), PermanentFailure::ReceiptGone);
        }
        let mail = match mail.receipts().len() - attachments.len() {
            0 => mail,
            1 => mail.with_note("One receipt is missing: its agreement was erased meanwhile."),
            gone => mail.with_note(&format!(
                "{gone} receipts are missing: their agreements were erased meanwhile."
            )),
        };
        let outgoing = OutgoingMail {
            id: claim.id,
            written_at: claim.queued_at,
            mail,
            attachments,
        };
        let mail = &outgoing.mail;
        match self.mailer.deliver(&outgoing) {
            Ok(()) => {
                self.remove(&claim)?;
                Ok(Delivery::Delivered(claim.id))
            }
            Err(error @ (MailerError::Refused(_) | MailerError::NoRecipient(_))) => {
                self.give_up(&claim, Some(mail), PermanentFailure::Refused(error))
            }
            Err(error @ MailerError::Unavailable(_)) => self.postpone(&claim, mail, error),
            Err(error @ MailerError::Unconfirmed(_)) => {
                let Some(until) = claim.retry_unconfirmed_at(self.clock.now()) else {
                    let reason = PermanentFailure::Unconfirmed(error);
                    return self.give_up(&claim, Some(mail), reason);
                };
                let claim = MailClaim {
                    unconfirmed: claim.unconfirmed + 1,
                    ..claim
                };
                self.postpone_until(&claim, until, error)
            }
        }
    }

    fn postpone(
        &self,
        claim: &MailClaim,
        mail: &Mail,
        reason: MailerError,
    ) -> Result<Delivery, DeliveryError> {
        let Some(until) = claim.retry_at(self.clock.now()) else {
            return self.give_up(claim, Some(mail), PermanentFailure::TooLate(Some(reason)));
        };
        self.postpone_until(claim, until, reason)
    }

    fn postpone_until(
        &self,
        claim: &MailClaim,
        until: Timestamp,
        reason: MailerError,
    ) -> Result<Delivery, DeliveryError> {
        self.database
            .write(|tx| tx.outbox().postpone_mail(claim, until))?;
        Ok(Delivery::Postponed {
            mail: claim.id,
            until,
            reason,
        })
    }

    /// Records a permanent failure for the operator, and notifies the sender.
    fn give_up(
        &self,
        claim: &MailClaim,
        mail: Option<&Mail>,
        reason: PermanentFailure,
    ) -> Result<Delivery, DeliveryError> {
        let now = self.clock.now();
        // It may have arrived: the sender must not be told that it did not.
        let is_unconfirmed = matches!(reason, PermanentFailure::Unconfirmed(_));
        let kind = mail.map(Mail::kind);
        let why = chain(&reason);
        let subject = kind.map_or(why.clone(), |kind| format!("{kind}: {why}"));
        let account = self.database.write(|tx| {
            let sender = tx.outbox().sender_of(claim.id)?;
            let account = match mail {
                Some(mail) if sender.is_none() && mail.kind().is_to_account() => {
                    let found = tx.users().credentials(mail.to())?;
                    found.map(|found| found.user.id)
                }
                _ => sender,
            };
            if !tx.outbox().remove_mail(claim)? {
                return Ok(account);
            }
            tx.audit().record(&AuditEntry {
                at: now,
                kind: AuditKind::MailGivenUp,
                account,
                subject: Some(Subject::Mail(subject.clone())),
                origin: None,
            })?;
            if let (Some(sender), Some(mail)) = (sender, mail)
                && !is_unconfirmed
            {
                self.notify_sender(tx, sender, mail, now)?;
            }
            Ok::<_, DeliveryError>(account)
        })?;
        Ok(Delivery::GivenUp {
            mail: claim.id,
            kind,
            account,
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
        tx.outbox().queue_mail(&self.email_composer.compose(
            notice,
            now,
            ACCOUNT_MAIL_LIFETIME,
        )?)?;
        Ok(())
    }

    /// Losing the claim meanwhile is not an error: another worker has the mail.
    fn remove(&self, claim: &MailClaim) -> Result<bool, DeliveryError> {
        Ok(self.database.write(|tx| tx.outbox().remove_mail(claim))?)
    }
}
