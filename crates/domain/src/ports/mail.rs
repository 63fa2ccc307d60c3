//! Outgoing mail: the outbox and the mailer.

use std::error::Error;

use thiserror::Error;

use super::error::DatabaseError;
use crate::Timestamp;
use crate::ids::{IdeaId, MailId, ShareId, UserId};
use crate::mail::{ClaimedMail, MailClaim, OutgoingMail, QueuedMail, WaitingMail, WaitingMails};

/// The outbox: mails waiting for delivery. A worker claims a mail for one attempt;
/// once the lease expires, another worker may claim it.
pub trait Outbox {
    /// Adds a mail, as part of the transaction. Stored encrypted: a copy of the database
    /// must not reveal the links in it.
    fn queue_mail(&mut self, mail: &QueuedMail) -> Result<(), DatabaseError>;

    /// Records that a queued mail brings a link to its reader, and the account that sends it.
    fn set_link(
        &mut self,
        mail: MailId,
        link: ShareId,
        sender: UserId,
    ) -> Result<(), DatabaseError>;

    /// Deletes the mail that brings a link to its reader, if it still waits.
    fn drop_mail_of_link(&mut self, link: ShareId) -> Result<(), DatabaseError>;

    /// Deletes the mails that still wait to bring links to an idea to their readers.
    fn drop_mails_of_links_to(&mut self, idea: IdeaId) -> Result<(), DatabaseError>;

    /// Returns the account whose action caused a mail, if recorded.
    fn sender_of(&mut self, mail: MailId) -> Result<Option<UserId>, DatabaseError>;

    /// Returns whether [`Outbox::claim_mail`] would return a mail.
    fn mail_is_due(&mut self, now: Timestamp) -> Result<bool, DatabaseError>;

    /// Returns how many mails wait, and since when.
    fn waiting_mails(&mut self) -> Result<WaitingMails, DatabaseError>;

    /// Returns the mails that wait, the oldest first, at most `limit`.
    fn waiting(&mut self, limit: i64) -> Result<Vec<WaitingMail>, DatabaseError>;

    /// Claims the mail that has been due the longest until `lease_ends` and counts
    /// the attempt. Of concurrent servers, exactly one gets each mail. A mail that cannot
    /// be read is claimed as well.
    fn claim_mail(
        &mut self,
        now: Timestamp,
        lease_ends: Timestamp,
    ) -> Result<Option<ClaimedMail>, DatabaseError>;

    /// Releases a claimed mail for a retry at `retry_at`, and stores how often its delivery was
    /// not confirmed. Returns `false` when the claim was lost.
    fn postpone_mail(
        &mut self,
        claim: &MailClaim,
        retry_at: Timestamp,
    ) -> Result<bool, DatabaseError>;

    /// Removes a claimed mail after delivery or permanent failure. Returns `false`
    /// when the claim was lost.
    fn remove_mail(&mut self, claim: &MailClaim) -> Result<bool, DatabaseError>;
}

/// Wakes the workers of queued mails and recorded events, so that they need not poll
/// constantly.
pub trait CommitHook: Send + Sync {
    /// Called after a transaction that queued a mail or recorded an event has committed.
    /// Must not block and cannot fail: a lost signal delays the work only until the next
    /// poll.
    fn notify(&self);
}

/// The reason why a mail was not accepted for delivery.
#[derive(Debug, Error)]
pub enum MailerError {
    /// Permanent: for example, no such recipient.
    #[error("the mail was refused")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
    /// Permanent, and about the recipient alone: there is no such mailbox, for instance.
    #[error("the recipient was refused")]
    NoRecipient(#[source] Box<dyn Error + Send + Sync>),
    /// Temporary: a retry may succeed.
    #[error("the mail could not be delivered")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The mail was handed over completely, and most likely arrives; a retry sends it again.
    #[error("the mail was handed over, but not confirmed")]
    Unconfirmed(#[source] Box<dyn Error + Send + Sync>),
}

/// Delivers mails.
pub trait Mailer: Send + Sync {
    /// Delivers a mail; returns once another server has accepted responsibility for
    /// it. After a crash the same mail may be delivered again. Takes at most
    /// [`crate::mail::LEASE`].
    ///
    /// # Errors
    /// [`MailerError`], whose text contains nothing of the mail.
    fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailerError>;
}
