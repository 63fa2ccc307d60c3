//! Mails: the queue that remembers them, and whoever delivers them.

use std::error::Error;

use thiserror::Error;

use super::database::DatabaseError;
use crate::Timestamp;
use crate::ids::{MailId, UserId};
use crate::mail::{OutgoingMail, QueuedMail, WaitingMails};

/// Mails that wait for delivery. A mail is claimed for one attempt at a time;
/// whoever's claim has run out has lost it to the next.
pub trait Outbox {
    /// Adds a mail; it leaves when the transaction commits, or never.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn queue_mail(&mut self, mail: &QueuedMail) -> Result<(), DatabaseError>;

    /// Notes whose action a queued mail comes from.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn note_sender(&mut self, mail: MailId, sender: UserId) -> Result<(), DatabaseError>;

    /// Whose action a mail comes from, where that is noted.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn sender_of(&mut self, mail: MailId) -> Result<Option<UserId>, DatabaseError>;

    /// Whether [`Outbox::claim_mail`] would find one.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn mail_is_due(&mut self, now: Timestamp) -> Result<bool, DatabaseError>;

    /// Returns how many mails wait, and since when.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn waiting_mails(&mut self) -> Result<WaitingMails, DatabaseError>;

    /// Takes the mail that has been due the longest for one attempt, which is
    /// counted: until `lease_ends` nobody else gets it. Of racing servers one
    /// gets each mail.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn claim_mail(
        &mut self,
        now: Timestamp,
        lease_ends: Timestamp,
    ) -> Result<Option<QueuedMail>, DatabaseError>;

    /// Gives a claimed mail back for another attempt at `retry_at`. Answers
    /// `false` when the claim was lost.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn postpone_mail(
        &mut self,
        claimed: &QueuedMail,
        retry_at: Timestamp,
    ) -> Result<bool, DatabaseError>;

    /// Removes a claimed mail, which was delivered or never will be. Answers
    /// `false` when the claim was lost.
    ///
    /// # Errors
    /// [`DatabaseError`].
    fn remove_mail(&mut self, claimed: &QueuedMail) -> Result<bool, DatabaseError>;
}

/// Hears that mails wait, so that nobody has to look all the time.
pub trait CommitHook: Send + Sync {
    /// Says that a transaction has queued mails, and has committed. Must not
    /// block, and cannot fail: a bell that nobody hears delays mails only until
    /// somebody looks.
    fn ring(&self);
}

/// Why a mailer did not take a mail.
#[derive(Debug, Error)]
pub enum MailerError {
    /// It never will: no such recipient, for instance.
    #[error("the mail was refused")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
    /// It could not now.
    #[error("the mail could not be delivered")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
}

/// Delivers mails.
pub trait Mailer: Send + Sync {
    /// Hands a mail over, and returns once somebody else is responsible for
    /// it. After a crash the same mail may be handed over again. May take as
    /// long as a network does, but no longer than [`crate::mail::LEASE`].
    ///
    /// # Errors
    /// [`MailerError`], whose text repeats nothing of the mail.
    fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailerError>;
}
