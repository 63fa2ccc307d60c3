//! The delivery of queued mails.

use std::sync::Arc;

use chrono::Duration;
use ideavault_application::documents::DocumentError;
use ideavault_application::outbox_worker::{Delivery, OutboxWorker, PermanentFailure, Receipts};
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::audit::AuditKind;
use ideavault_domain::document::Attachment;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::mail::{Mail, OutgoingMail, QueuedMail};
use ideavault_domain::ports::{Mailer, MailerError, PortError};
use mockall::mock;

use crate::support::{at, full_access, hello};
use crate::vault::{Vault, composer, now, queued};

mock! {
    Mailer {}

    impl Mailer for Mailer {
        fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailerError>;
    }
}

/// One registration has a receipt, and that of another is damaged; those of all others are gone.
struct OneReceipt;

const RECEIVED: u8 = 4;
const DAMAGED: u8 = 6;
const GONE: u8 = 5;

fn reader(number: u8) -> RecipientId {
    RecipientId::from_random([number; 16])
}

impl Receipts for OneReceipt {
    fn receipt(&self, recipient: RecipientId) -> Result<Option<Attachment>, DocumentError> {
        if recipient == reader(DAMAGED) {
            return Err(DocumentError::Port(PortError {
                operation: "open a registration",
                source: "damaged".into(),
            }));
        }
        Ok((recipient == reader(RECEIVED)).then(|| Attachment {
            name: "receipt.pdf".into(),
            media_type: "application/pdf",
            description: "A receipt",
            content: b"%PDF-".to_vec(),
        }))
    }
}

fn worker(vault: &Arc<Vault>, mailer: MockMailer) -> OutboxWorker<Vault> {
    OutboxWorker::new(
        Arc::clone(vault),
        vault.clock(),
        Arc::new(mailer),
        composer(),
        Arc::new(OneReceipt),
    )
}

/// A mailer that is asked that often, and always gives that answer.
fn mailer(
    times: usize,
    answer: impl Fn() -> Result<(), MailerError> + Send + 'static,
) -> MockMailer {
    let mut mailer = MockMailer::new();
    let deliver = mailer.expect_deliver().times(times);
    deliver.returning(move |_| answer());
    mailer
}

fn refused() -> Result<(), MailerError> {
    Err(MailerError::Refused("no such mailbox".into()))
}

fn down() -> Result<(), MailerError> {
    Err(MailerError::Unavailable("down".into()))
}

fn queue(vault: &Vault, mail: Mail) -> QueuedMail {
    queue_until(vault, mail, now() + Duration::days(1))
}

fn queue_until(vault: &Vault, mail: Mail, expires_at: Timestamp) -> QueuedMail {
    let mail = QueuedMail {
        expires_at,
        ..queued(mail)
    };
    vault.write(|tx| tx.outbox().queue_mail(&mail));
    mail
}

/// Queues the mail of a link, whose sender has that address.
fn queue_from(vault: &Vault, sender: User) {
    let sender = vault.add_account(sender);
    let share = vault.add_share(vault.add_idea(sender.id).id, full_access());
    let mail = queue(vault, hello());
    vault.write(|tx| tx.outbox().set_link(mail.id, share.id, sender.id));
}

fn given_up(delivery: Delivery) -> PermanentFailure {
    match delivery {
        Delivery::GivenUp { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

fn waiting(vault: &Vault) -> i64 {
    vault.read(|tx| tx.outbox().waiting_mails()).count
}

#[test]
fn a_delivered_mail_is_removed() {
    let vault = Vault::new();
    let mail = queue(&vault, hello());
    let id = mail.id;
    let mut mailer = MockMailer::new();
    mailer
        .expect_deliver()
        .withf(move |sent| {
            (sent.id, sent.written_at, &sent.mail) == (mail.id, mail.queued_at, &mail.mail)
        })
        .times(1)
        .returning(|_| Ok(()));
    let worker = worker(&vault, mailer);
    assert!(matches!(worker.deliver_next(), Ok(Delivery::Delivered(mail)) if mail == id));
    assert!(matches!(worker.deliver_next(), Ok(Delivery::Idle)));
    assert_eq!(waiting(&vault), 0);
}

#[test]
fn an_undelivered_mail_is_postponed_to_its_next_attempt() {
    let vault = Vault::new();
    queue(&vault, hello());
    let worker = worker(&vault, mailer(2, down));
    for wait in [5, 10] {
        let begun = vault.clock().now();
        let Delivery::Postponed { until, .. } = worker.deliver_next().unwrap() else {
            panic!("it was not postponed");
        };
        assert_eq!(until, begun + Duration::seconds(wait));
        assert!(!vault.read(|tx| tx.outbox().mail_is_due(until - Duration::seconds(1))));
        vault.clock.set(until);
    }
}

#[test]
fn a_mail_that_was_handed_over_often_is_not_repeated_and_its_sender_hears_of_no_failure() {
    let vault = Vault::new();
    queue_from(&vault, crate::support::user());
    let unconfirmed = || Err(MailerError::Unconfirmed("no answer".into()));
    let worker = worker(&vault, mailer(3, unconfirmed));
    for _ in 0..2 {
        let Delivery::Postponed { until, .. } = worker.deliver_next().unwrap() else {
            panic!("it was not postponed");
        };
        assert!(until >= vault.clock().now() + Duration::minutes(15));
        vault.clock.set(until);
    }
    let reason = given_up(worker.deliver_next().unwrap());
    assert!(matches!(reason, PermanentFailure::Unconfirmed(_)));
    assert_eq!(waiting(&vault), 0);
    assert_eq!(vault.audited(), [AuditKind::MailGivenUp]);
}

#[test]
fn further_workers_take_only_mails_that_wait_for_the_first() {
    let vault = Vault::new();
    queue(&vault, hello());
    let worker = worker(&vault, mailer(1, || Ok(())));
    assert!(matches!(worker.deliver_late(), Ok(Delivery::Idle)));
    vault.clock.set(now() + Duration::seconds(6));
    assert!(matches!(worker.deliver_late(), Ok(Delivery::Delivered(_))));
}

#[test]
fn a_mail_that_comes_too_late_or_is_refused_is_given_up() {
    let soon = now() + Duration::seconds(5);
    for (expires_at, attempts, answer) in [
        (now(), 0, "too late"),
        (soon, 1, "too late"),
        (at(99), 1, "refused"),
    ] {
        let vault = Vault::new();
        queue_until(&vault, hello(), expires_at);
        let answers = if answer == "refused" { refused } else { down };
        let worker = worker(&vault, mailer(attempts, answers));
        let expected = match given_up(worker.deliver_next().unwrap()) {
            PermanentFailure::TooLate(tried) => {
                assert_eq!(tried.is_some(), attempts == 1);
                "too late"
            }
            PermanentFailure::Refused(_) => "refused",
            other => panic!("{other}"),
        };
        assert_eq!(expected, answer);
        assert_eq!(vault.audited(), [AuditKind::MailGivenUp]);
        assert_eq!(waiting(&vault), 0);
    }
}

#[test]
fn the_sender_is_notified_of_a_failed_mail_unless_it_was_to_themselves() {
    let vault = Vault::new();
    let sender = crate::support::user();
    let address = sender.email.clone();
    queue_from(&vault, sender);
    given_up(worker(&vault, mailer(1, refused)).deliver_next().unwrap());
    let mail = vault.mail();
    assert_eq!(mail.to(), &address);
    assert_eq!(
        mail.subject(),
        "Your invitation to grace@example.org was not delivered"
    );
    assert!(mail.body().contains("    Hello\n"), "{}", mail.body());

    let vault = Vault::new();
    let grace = User {
        email: hello().to().clone(),
        ..crate::support::user()
    };
    queue_from(&vault, grace);
    given_up(worker(&vault, mailer(1, refused)).deliver_next().unwrap());
    assert!(vault.mails().is_empty());
}

#[test]
fn a_lost_claim_notifies_no_sender() {
    let vault = Vault::new();
    queue_from(&vault, crate::support::user());
    let other = Arc::clone(&vault);
    let mailer = mailer(1, move || {
        assert_eq!(other.mails().len(), 1);
        refused()
    });
    given_up(worker(&vault, mailer).deliver_next().unwrap());
    assert!(vault.mails().is_empty() && vault.audited().is_empty());
}

#[test]
fn an_unreadable_mail_does_not_block_the_queue() {
    let vault = Vault::new();
    let (foreign, intact) = (queue(&vault, hello()), queue(&vault, hello()));
    vault
        .sql(&format!(
            "UPDATE outbox_mails SET sealed = \
             (SELECT sealed FROM outbox_mails WHERE id = '{}') WHERE id = '{}'",
            intact.id, foreign.id,
        ))
        .unwrap();
    let worker = worker(&vault, mailer(1, || Ok(())));
    let mut unreadable = 0;
    for _ in 0..2 {
        match worker.deliver_next().unwrap() {
            Delivery::Delivered(mail) => assert_eq!(mail, intact.id),
            other => {
                assert!(matches!(given_up(other), PermanentFailure::Unreadable(_)));
                unreadable += 1;
            }
        }
    }
    assert_eq!(unreadable, 1);
}

#[test]
fn a_receipt_is_attached_when_the_mail_is_sent() {
    let stop = || "https://vault.test/stop".to_owned();
    let with = |numbers: &[u8]| {
        let receipts = numbers.iter().map(|number| reader(*number));
        hello().with_receipts(receipts.collect())
    };
    for (mail, attached, note) in [
        (with(&[RECEIVED]), 1, ""),
        (with(&[RECEIVED, GONE]), 1, "One receipt is missing"),
        // News are sent without receipts that are gone, and say so.
        (
            with(&[GONE, GONE]).with_unsubscribe(stop()),
            0,
            "2 receipts are missing",
        ),
    ] {
        let vault = Vault::new();
        queue(&vault, mail);
        let mut mailer = MockMailer::new();
        mailer
            .expect_deliver()
            .withf(move |mail| {
                mail.attachments.len() == attached
                    && mail.mail.body().contains(note)
                    && mail.mail.body().contains("missing") != note.is_empty()
            })
            .times(1)
            .returning(|_| Ok(()));
        let delivery = worker(&vault, mailer).deliver_next().unwrap();
        assert!(matches!(delivery, Delivery::Delivered(_)));
    }
    let vault = Vault::new();
    queue(&vault, with(&[GONE]));
    let reason = given_up(worker(&vault, MockMailer::new()).deliver_next().unwrap());
    assert!(matches!(reason, PermanentFailure::ReceiptGone));
    // What cannot be made now is retried.
    queue(&vault, with(&[RECEIVED, DAMAGED]));
    let delivery = worker(&vault, MockMailer::new()).deliver_next().unwrap();
    assert!(matches!(delivery, Delivery::Postponed { .. }));
}
