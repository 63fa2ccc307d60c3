//! Emails by SMTP, as a mail server receives them.

#![expect(
    clippy::unwrap_used,
    reason = "a test that finds something else than it expects has failed"
)]

use std::error::Error;

use ideavault_domain::Timestamp;
use ideavault_domain::email::Email;
use ideavault_domain::ids::MailId;
use ideavault_domain::mail::{Mail, OutgoingMail};
use ideavault_domain::ports::{Mailer as _, MailerError};
use ideavault_mail::testing::SmtpSink;
use ideavault_mail::{Sender, SmtpMailer};

fn mailer(url: &str) -> SmtpMailer {
    let sender = Sender::parse("Our Vault <vault@example.org>", "IdeaVault").unwrap();
    SmtpMailer::new(url, sender).unwrap()
}

fn mail(body: &str) -> OutgoingMail {
    OutgoingMail {
        id: MailId::from_random([7; 16]),
        written_at: Timestamp::from_timestamp(1_800_000_000, 0).unwrap(),
        mail: Mail::new(
            Email::parse("ada@example.org").unwrap(),
            "An idea",
            body.into(),
        ),
        attachments: Vec::new(),
    }
}

fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(current) = cause {
        text.push_str(&format!(": {current}"));
        cause = current.source();
    }
    text
}

#[test]
fn a_mail_is_delivered_unchanged() {
    let sink = SmtpSink::start();
    mailer(&sink.url())
        .deliver(&mail("Hello\n.\n..dots\nhttps://vault/x\n"))
        .unwrap();
    let arrived = sink.next();
    assert_eq!(arrived.from, "vault@example.org");
    assert_eq!(arrived.to, ["ada@example.org"]);
    assert_eq!(
        arrived.header("From"),
        Some("\"Our Vault\" <vault@example.org>")
    );
    assert_eq!(arrived.header("To"), Some("ada@example.org"));
    assert_eq!(arrived.header("Subject"), Some("An idea"));
    let (_, plain) = arrived.text.split_once("7bit\n\n").unwrap();
    let (body, _) = plain.split_once("\n--part-").unwrap();
    assert_eq!(body, "Hello\n.\n..dots\nhttps://vault/x");
    assert_eq!(sink.try_next(), None);
}

#[test]
fn an_unknown_mailbox_fails_permanently_and_a_full_one_temporarily() {
    let refused = |answer| {
        let sink = SmtpSink::answering(answer);
        mailer(&sink.url()).deliver(&mail("Hello")).unwrap_err()
    };
    for answer in [
        "550 5.1.1 no such mailbox",
        "501 5.1.3 bad syntax",
        "550 no",
    ] {
        let refused = refused(answer);
        assert!(matches!(refused, MailerError::NoRecipient(_)), "{answer}");
        assert!(chain(&refused).ends_with(&answer[4..]), "{refused:?}");
    }
    for answer in [
        "550 5.7.1 blocked",
        "554 no",
        "503 5.5.1 bad sequence",
        "521 no mail here",
    ] {
        assert!(
            matches!(refused(answer), MailerError::Refused(_)),
            "{answer}"
        );
    }
    for answer in [
        "452 4.2.2 mailbox full",
        "451 later",
        "530 log in first",
        "535 wrong password",
        "hm",
    ] {
        assert!(
            matches!(refused(answer), MailerError::Unavailable(_)),
            "{answer}"
        );
    }
}

#[test]
fn a_text_is_refused_by_its_status_and_unconfirmed_without_one() {
    let answered = |answer| {
        let sink = SmtpSink::answering_texts(answer);
        mailer(&sink.url()).deliver(&mail("Hello")).unwrap_err()
    };
    assert!(matches!(answered("554 spam"), MailerError::Refused(_)));
    assert!(matches!(answered("451 later"), MailerError::Unavailable(_)));
    assert!(matches!(answered("hm"), MailerError::Unconfirmed(_)));
    // Hangs up.
    assert!(matches!(answered(""), MailerError::Unconfirmed(_)));
}

#[test]
fn links_in_a_reply_of_the_server_are_not_repeated() {
    for answer in [
        "554 blocked: https://vault/secret-link",
        "451 https://vault/secret-link",
        "https://vault/secret-link",
    ] {
        let sink = SmtpSink::answering(answer);
        let error = mailer(&sink.url()).deliver(&mail("Hello")).unwrap_err();
        assert!(!chain(&error).contains("secret-link"), "{}", chain(&error));
        assert!(!format!("{error:?}").contains("secret-link"), "{error:?}");
    }
}

#[test]
fn an_unreachable_server_is_unavailable() {
    let outcome = mailer("smtp://127.0.0.1:1").deliver(&mail("Hello"));
    assert!(matches!(outcome, Err(MailerError::Unavailable(_))));
}

#[test]
fn nothing_is_sent_if_the_server_lacks_required_encryption() {
    let sink = SmtpSink::start();
    let outcome = mailer(&format!("{}?tls=required", sink.url())).deliver(&mail("Hello"));
    assert!(matches!(outcome, Err(MailerError::Unavailable(_))));
    assert_eq!(sink.try_next(), None);
}
