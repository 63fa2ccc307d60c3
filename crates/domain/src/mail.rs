//! Emails, and how long delivery is attempted. Invariant: address and subject are
//! single lines, so that typed text cannot inject a header.

use std::fmt;

use chrono::Duration;
use thiserror::Error;

use crate::Timestamp;
use crate::document::Attachment;
use crate::email::Email;
use crate::ids::{MailId, RecipientId, UserId};
use crate::ports::PortError;

/// Duration of a claim; afterwards another server may attempt the same mail. Longer than the
/// slowest mail server may take (RFC 5321, section 4.5.3.2).
pub const LEASE: Duration = Duration::minutes(30);
/// Backoff after the first failed attempt; doubles after each further one.
const FIRST_BACKOFF: Duration = Duration::seconds(5);
/// Longest backoff.
const MAX_BACKOFF: Duration = Duration::minutes(15);
/// Waits after deliveries that were not confirmed; after a further one there is no retry.
const UNCONFIRMED_BACKOFFS: [Duration; 2] = [Duration::minutes(15), Duration::hours(1)];

/// Purpose of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MailKind {
    /// The operator's invitation to register.
    Invitation,
    /// Asks an account to confirm its address.
    Confirmation,
    /// Tells an account that somebody tried to register with its address.
    RegisteredAgain,
    /// Brings the link to reset a password.
    PasswordReset,
    /// Brings a link to its reader.
    Link,
    /// Brings a reader the code that confirms the address.
    Code,
    /// Tells an owner what happened to links.
    News,
    /// Brings a reader the receipt of an agreement.
    Receipt,
    /// Brings a reader the link to what that person was shown.
    Documents,
    /// Tells a reader of a reply.
    Reply,
    /// Tells an account what happened to it.
    Security,
    /// Tells an account that a mail of it was not delivered.
    Undeliverable,
    /// Something else.
    #[default]
    Other,
}

impl MailKind {
    const ALL: [Self; 13] = [
        Self::Invitation,
        Self::Confirmation,
        Self::RegisteredAgain,
        Self::PasswordReset,
        Self::Link,
        Self::Code,
        Self::News,
        Self::Receipt,
        Self::Documents,
        Self::Reply,
        Self::Security,
        Self::Undeliverable,
        Self::Other,
    ];

    /// Returns the name that is stored and printed.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::Confirmation => "confirmation",
            Self::RegisteredAgain => "registered-again",
            Self::PasswordReset => "password-reset",
            Self::Link => "link",
            Self::Code => "code",
            Self::News => "news",
            Self::Receipt => "receipt",
            Self::Documents => "documents",
            Self::Reply => "reply",
            Self::Security => "security",
            Self::Undeliverable => "undeliverable",
            Self::Other => "other",
        }
    }

    /// Returns whether such mails go to the address of an account.
    #[must_use]
    pub fn is_to_account(self) -> bool {
        matches!(
            self,
            Self::Confirmation
                | Self::RegisteredAgain
                | Self::PasswordReset
                | Self::News
                | Self::Security
                | Self::Undeliverable
        )
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl fmt::Display for MailKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An email as plain text; the mailer adds an HTML version.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    kind: MailKind,
    to: Email,
    subject: String,
    unsubscribe: Option<String>,
    /// Where answers go, if not to the vault.
    reply_to: Option<Email>,
    /// Registrations whose receipts are attached when the mail is sent.
    receipts: Vec<RecipientId>,
    body: String,
}

impl Mail {
    /// Creates a mail. Control characters in the subject become spaces.
    #[must_use]
    pub fn new(to: Email, subject: &str, body: String) -> Self {
        let subject = subject
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        Self {
            kind: MailKind::default(),
            to,
            subject,
            unsubscribe: None,
            reply_to: None,
            receipts: Vec::new(),
            body,
        }
    }

    /// Says what the mail is for.
    #[must_use]
    pub fn of_kind(self, kind: MailKind) -> Self {
        Self { kind, ..self }
    }

    /// Returns what the mail is for.
    #[must_use]
    pub fn kind(&self) -> MailKind {
        self.kind
    }

    /// Adds an unsubscribe address for mail programs: a POST to `address`, which is
    /// one line, unsubscribes without a login (RFC 8058).
    #[must_use]
    pub fn with_unsubscribe(self, address: String) -> Self {
        Self {
            unsubscribe: Some(address).filter(|address| !address.is_empty()),
            ..self
        }
    }

    /// Sends answers to that address instead of the vault's, if there is one.
    #[must_use]
    pub fn with_reply_to(self, reply_to: Option<Email>) -> Self {
        Self { reply_to, ..self }
    }

    /// Returns the address for answers, if it is not the vault's.
    #[must_use]
    pub fn reply_to(&self) -> Option<&Email> {
        self.reply_to.as_ref()
    }

    /// Adds a paragraph at the end of the text, before the signature.
    #[must_use]
    pub fn with_note(self, note: &str) -> Self {
        let (text, signature) = match self.body.split_once("\n-- \n") {
            Some((text, signature)) => (text, format!("\n-- \n{signature}")),
            None => (self.body.as_str(), String::new()),
        };
        let body = format!("{text}\n{note}\n{signature}");
        Self { body, ..self }
    }

    /// Attaches the receipts of accepted agreements, as they are when the mail is sent.
    #[must_use]
    pub fn with_receipts(self, receipts: Vec<RecipientId>) -> Self {
        Self { receipts, ..self }
    }

    /// Returns the registrations whose receipts are attached.
    #[must_use]
    pub fn receipts(&self) -> &[RecipientId] {
        &self.receipts
    }

    /// Returns the recipient's address.
    #[must_use]
    pub fn to(&self) -> &Email {
        &self.to
    }

    /// Returns the subject, a single line.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Returns the unsubscribe address, if any.
    #[must_use]
    pub fn unsubscribe(&self) -> Option<&str> {
        self.unsubscribe.as_deref()
    }

    /// Returns the text, with lines ending in `\n`.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Serializes the mail, to be stored encrypted.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self {
            to, subject, body, ..
        } = self;
        let unsubscribe = self.unsubscribe().unwrap_or_default();
        let reply_to = self.reply_to().map_or("", Email::as_str);
        // No address and no id has a space.
        let receipts: String = self.receipts.iter().map(|id| format!(" {id}")).collect();
        let kind = self.kind;
        format!("{to}\n{subject}\n{kind} {unsubscribe} {reply_to}{receipts}\n{body}")
    }

    /// Parses the output of [`Mail::to_text`]; `None` for anything else.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let (to, rest) = text.split_once('\n')?;
        let (subject, rest) = rest.split_once('\n')?;
        let (extras, body) = rest.split_once('\n')?;
        let mut extras = extras.split(' ');
        let kind = MailKind::from_name(extras.next()?)?;
        let unsubscribe = extras.next().unwrap_or_default();
        let reply_to = extras.next().unwrap_or_default();
        let reply_to = Some(reply_to.to_owned()).filter(|address| !address.is_empty());
        let receipts = extras.map(|id| id.parse().ok());
        Some(Self {
            kind,
            unsubscribe: Some(unsubscribe.to_owned()).filter(|address| !address.is_empty()),
            reply_to: reply_to.map(Email::from_stored),
            to: Email::from_stored(to.to_owned()),
            subject: subject.to_owned(),
            receipts: receipts.collect::<Option<_>>()?,
            body: body.to_owned(),
        })
    }
}

impl fmt::Debug for Mail {
    /// Omits the text: it contains links that grant access.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mail(confidential)")
    }
}

/// A mail handed to a mailer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingMail {
    /// The same at every attempt, so that duplicates can be recognized.
    pub id: MailId,
    /// When it was composed.
    pub written_at: Timestamp,
    /// Address, subject and text.
    pub mail: Mail,
    /// Files that come with it.
    pub attachments: Vec<Attachment>,
}

/// A mail to be queued in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedMail {
    /// Unique id.
    pub id: MailId,
    /// Address, subject and text.
    pub mail: Mail,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// When it is no longer worth delivering.
    pub expires_at: Timestamp,
    /// Earliest time of the first attempt.
    pub first_attempt_at: Timestamp,
    /// The reader that it is for: not queued, or removed, once that person is erased.
    pub reader: Option<RecipientId>,
}

/// The reason why a queued mail cannot be read.
#[derive(Debug, Error)]
pub enum UnreadableMail {
    /// It was encrypted with another key, or the bytes were changed.
    #[error("it cannot be decrypted")]
    Undecryptable(#[source] PortError),
    /// The decrypted bytes are not a mail.
    #[error("it is damaged")]
    Damaged,
}

/// A worker's claim on a queued mail, for one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailClaim {
    /// The id of the mail.
    pub id: MailId,
    /// When the mail was queued.
    pub queued_at: Timestamp,
    /// When the mail is no longer worth delivering.
    pub expires_at: Timestamp,
    /// Number of attempts started, including this one, which identifies the claim.
    pub attempts: i32,
    /// Number of attempts that handed the mail over without a confirmation.
    pub unconfirmed: i32,
    /// When the claim ends.
    pub lease_ends_at: Timestamp,
}

/// A mail that a worker has claimed.
#[derive(Debug)]
pub struct ClaimedMail {
    /// The claim.
    pub claim: MailClaim,
    /// Address, subject and text. An unreadable mail must not keep others from being
    /// claimed.
    pub mail: Result<Mail, UnreadableMail>,
}

impl MailClaim {
    /// Returns the time of the next attempt after a failure at `now`, with
    /// exponential backoff; `None` when that is after the expiry.
    #[must_use]
    pub fn retry_at(&self, now: Timestamp) -> Option<Timestamp> {
        let doublings = u32::try_from(self.attempts - 1).unwrap_or(0).min(16);
        let backoff = (FIRST_BACKOFF * 2_i32.pow(doublings)).min(MAX_BACKOFF);
        Some(now + backoff).filter(|retry| *retry < self.expires_at)
    }

    /// Returns the time of the next attempt after a delivery at `now` that was not confirmed;
    /// `None` when that is after the expiry, or there were enough: the mail has most likely
    /// arrived.
    #[must_use]
    pub fn retry_unconfirmed_at(&self, now: Timestamp) -> Option<Timestamp> {
        let earlier = usize::try_from(self.unconfirmed).ok()?;
        let backoff = *UNCONFIRMED_BACKOFFS.get(earlier)?;
        Some(now + backoff).filter(|retry| *retry < self.expires_at)
    }
}

/// A mail that waits, for the operator. It names nobody but the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingMail {
    /// The id of the mail.
    pub id: MailId,
    /// Its purpose; none if it cannot be read.
    pub kind: Option<MailKind>,
    /// The account that sends it, if recorded.
    pub sender: Option<UserId>,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// When it is given up.
    pub expires_at: Timestamp,
    /// Number of attempts so far.
    pub attempts: i32,
    /// When the next attempt is due, or the present one ends.
    pub next_attempt_at: Timestamp,
}

/// The mails waiting for delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingMails {
    /// Number of mails.
    pub count: i64,
    /// When the oldest was queued; `None` when none waits.
    pub since: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn ada() -> Email {
        Email::parse("ada@example.org").unwrap()
    }

    fn at(seconds: i64) -> Timestamp {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    fn claimed(attempts: i32) -> MailClaim {
        MailClaim {
            id: MailId::from_random([1; 16]),
            queued_at: at(0),
            expires_at: at(100_000),
            attempts,
            unconfirmed: 0,
            lease_ends_at: at(0),
        }
    }

    #[test]
    fn a_subject_cannot_inject_a_header() {
        let mail = Mail::new(ada(), "Hello\r\nBcc: eve@example.org\0", String::new());
        assert_eq!(mail.subject(), "Hello  Bcc: eve@example.org ");
    }

    #[test]
    fn the_text_form_round_trips_for_any_body() {
        for body in ["", "one line", "\n\ntwo\n\nparagraphs\n"] {
            let mail = Mail::new(ada(), "Subject: a: b", body.into());
            assert_eq!(Mail::from_text(&mail.to_text()), Some(mail.clone()));
            let mail = mail.with_receipts(vec![RecipientId::from_random([7; 16])]);
            assert_eq!(Mail::from_text(&mail.to_text()), Some(mail.clone()));
            let mail = mail.with_unsubscribe("https://vault/stop".into());
            let mail = mail.of_kind(MailKind::Receipt);
            assert_eq!(Mail::from_text(&mail.to_text()), Some(mail.clone()));
            let mail = mail.with_reply_to(Some(ada()));
            assert_eq!(Mail::from_text(&mail.to_text()), Some(mail));
        }
        assert_eq!(Mail::from_text("ada@example.org\nHello\nno body"), None);
        for extras in ["other   no-id", "unknown  ", ""] {
            let text = format!("ada@example.org\nHello\n{extras}\n");
            assert_eq!(Mail::from_text(&text), None, "{extras}");
        }
        for kind in MailKind::ALL {
            let mail = Mail::new(ada(), "Hello", String::new()).of_kind(kind);
            assert_eq!(Mail::from_text(&mail.to_text()), Some(mail));
        }
    }

    #[test]
    fn a_note_stands_before_the_signature() {
        for (body, noted) in [
            ("One.\n\n-- \nVault\n", "One.\n\nTwo.\n\n-- \nVault\n"),
            ("One.\n", "One.\n\nTwo.\n"),
        ] {
            let mail = Mail::new(ada(), "Hello", body.into()).with_note("Two.");
            assert_eq!(mail.body(), noted);
        }
    }

    #[test]
    fn debug_output_hides_the_mail() {
        let mail = Mail::new(ada(), "Reset", "https://vault/secret".into());
        assert_eq!(format!("{mail:?}"), "Mail(confidential)");
    }

    #[test]
    fn the_backoff_doubles_up_to_a_quarter_of_an_hour() {
        let pauses: Vec<i64> = (1..=10)
            .map(|attempts| claimed(attempts).retry_at(at(0)).unwrap().timestamp())
            .collect();
        assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
        assert_eq!(claimed(i32::MAX).retry_at(at(0)), Some(at(900)));
    }

    #[test]
    fn a_mail_that_was_handed_over_is_repeated_late_and_twice_at_most() {
        let retry = |unconfirmed, now| {
            let claim = MailClaim {
                unconfirmed,
                ..claimed(1)
            };
            claim.retry_unconfirmed_at(at(now))
        };
        assert_eq!(retry(0, 0), Some(at(900)));
        assert_eq!(retry(1, 0), Some(at(3_600)));
        assert_eq!(retry(2, 0), None);
        assert_eq!(retry(0, 99_100), None);
    }

    #[test]
    fn a_mail_that_would_expire_is_not_retried() {
        assert_eq!(claimed(1).retry_at(at(99_994)), Some(at(99_999)));
        assert_eq!(claimed(1).retry_at(at(99_995)), None);
    }
}
