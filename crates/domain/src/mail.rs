//! Mails, and how long the server tries to deliver one.
//! Invariant: a mail's address and subject are single lines, so that nothing
//! that a person typed becomes a header of its own.

use std::fmt;

use chrono::Duration;

use crate::Timestamp;
use crate::email::Email;
use crate::ids::MailId;

/// How long one attempt may take before another server may try the same mail.
pub const LEASE: Duration = Duration::minutes(10);
/// The pause after the first failed attempt; each further one doubles it.
const FIRST_PAUSE: Duration = Duration::seconds(5);
/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::minutes(15);

/// A mail, as plain text; whoever delivers it adds the same as HTML.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    to: Email,
    subject: String,
    unsubscribe: Option<String>,
    body: String,
}

impl Mail {
    /// Addresses a mail. Control characters in the subject become spaces.
    #[must_use]
    pub fn new(to: Email, subject: &str, body: String) -> Self {
        let subject = subject
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        Self {
            to,
            subject,
            unsubscribe: None,
            body,
        }
    }

    /// The same mail, as one that mail programs offer to stop: a POST to `address`,
    /// which is one line, does so without a login (RFC 8058).
    #[must_use]
    pub fn with_unsubscribe(self, address: String) -> Self {
        Self {
            unsubscribe: Some(address).filter(|address| !address.is_empty()),
            ..self
        }
    }

    /// Whom it goes to.
    #[must_use]
    pub fn to(&self) -> &Email {
        &self.to
    }

    /// What it is about, one line.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Where mails of its kind are stopped, if they can be.
    #[must_use]
    pub fn unsubscribe(&self) -> Option<&str> {
        self.unsubscribe.as_deref()
    }

    /// What it says, lines ended by `\n`.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The whole mail as one text, to be sealed.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self {
            to, subject, body, ..
        } = self;
        let unsubscribe = self.unsubscribe().unwrap_or_default();
        format!("{to}\n{subject}\n{unsubscribe}\n{body}")
    }

    /// Reads what [`Mail::to_text`] wrote; none when it is something else.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let (to, rest) = text.split_once('\n')?;
        let (subject, rest) = rest.split_once('\n')?;
        let (unsubscribe, body) = rest.split_once('\n')?;
        Some(Self {
            unsubscribe: Some(unsubscribe.to_owned()).filter(|address| !address.is_empty()),
            to: Email::from_stored(to.to_owned()),
            subject: subject.to_owned(),
            body: body.to_owned(),
        })
    }
}

impl fmt::Debug for Mail {
    /// A mail holds links that open things.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mail(confidential)")
    }
}

/// A mail on its way to a mailer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingMail {
    /// The same at every attempt, so that whoever receives it twice can tell.
    pub id: MailId,
    /// When it was written.
    pub written_at: Timestamp,
    /// The mail.
    pub mail: Mail,
}

/// A mail that waits in the store, sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedMail {
    /// Identity.
    pub id: MailId,
    /// The mail, encrypted: a stolen store must not open what its links open.
    pub sealed: Vec<u8>,
    /// When it was written.
    pub queued_at: Timestamp,
    /// From then on nobody needs it.
    pub expires_at: Timestamp,
    /// Attempts that were begun.
    pub attempts: i32,
    /// Not before then is it tried (again).
    pub next_attempt_at: Timestamp,
}

impl QueuedMail {
    /// When to try again after an attempt that failed at `now`, with pauses
    /// that double; none when the mail would come too late.
    #[must_use]
    pub fn retry_at(&self, now: Timestamp) -> Option<Timestamp> {
        let doublings = u32::try_from(self.attempts - 1).unwrap_or(0).min(16);
        let pause = (FIRST_PAUSE * 2_i32.pow(doublings)).min(LONGEST_PAUSE);
        Some(now + pause).filter(|retry| *retry < self.expires_at)
    }
}

/// The mails that wait for delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingMails {
    /// How many.
    pub count: i64,
    /// When the oldest was queued; none when none waits.
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

    fn queued(attempts: i32) -> QueuedMail {
        QueuedMail {
            id: MailId::from_random([1; 16]),
            sealed: Vec::new(),
            queued_at: at(0),
            expires_at: at(100_000),
            attempts,
            next_attempt_at: at(0),
        }
    }

    #[test]
    fn a_subject_cannot_begin_a_header() {
        let mail = Mail::new(ada(), "Hello\r\nBcc: eve@example.org\0", String::new());
        assert_eq!(mail.subject(), "Hello  Bcc: eve@example.org ");
    }

    #[test]
    fn the_sealed_text_reads_back_whatever_the_body_says() {
        for body in ["", "one line", "\n\ntwo\n\nparagraphs\n"] {
            let mail = Mail::new(ada(), "Subject: a: b", body.into());
            assert_eq!(Mail::from_text(&mail.to_text()), Some(mail.clone()));
            let mail = mail.with_unsubscribe("https://vault/stop".into());
            assert_eq!(Mail::from_text(&mail.to_text()), Some(mail));
        }
        assert_eq!(Mail::from_text("ada@example.org\nHello\nno body"), None);
    }

    #[test]
    fn debug_output_hides_the_mail() {
        let mail = Mail::new(ada(), "Reset", "https://vault/secret".into());
        assert_eq!(format!("{mail:?}"), "Mail(confidential)");
    }

    #[test]
    fn pauses_double_up_to_a_quarter_of_an_hour() {
        let pauses: Vec<i64> = (1..=10)
            .map(|attempts| queued(attempts).retry_at(at(0)).unwrap().timestamp())
            .collect();
        assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
        assert_eq!(queued(i32::MAX).retry_at(at(0)), Some(at(900)));
    }

    #[test]
    fn a_mail_that_would_come_too_late_is_given_up() {
        assert_eq!(queued(1).retry_at(at(99_994)), Some(at(99_999)));
        assert_eq!(queued(1).retry_at(at(99_995)), None);
    }
}
