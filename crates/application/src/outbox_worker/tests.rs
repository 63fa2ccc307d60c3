use ideavault_domain::account::User;
use ideavault_domain::email::Email;
use mockall::mock;

use super::*;
use crate::testing::{MockDatabase, MockTransaction, StoppedClock, ada, at, email_composer, owner};

mock! {
    Mailer {}

    impl Mailer for Mailer {
        fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailerError>;
    }
}

/// One registration has a receipt, and that of another is damaged; those of all others are gone.
struct OneReceipt;

const RECEIVED: [u8; 16] = [4; 16];
const DAMAGED: [u8; 16] = [6; 16];

impl Receipts for OneReceipt {
    fn receipt(&self, recipient: RecipientId) -> Result<Option<Attachment>, DocumentError> {
        if recipient == RecipientId::from_random(DAMAGED) {
            return Err(DocumentError::Port(PortError {
                operation: "open a registration",
                source: "damaged".into(),
            }));
        }
        let is_there = recipient == RecipientId::from_random(RECEIVED);
        Ok(is_there.then(|| Attachment {
            name: "receipt.pdf".into(),
            media_type: "application/pdf",
            description: "A receipt",
            content: b"%PDF-".to_vec(),
        }))
    }
}

fn mail() -> Mail {
    let to = Email::parse("grace@example.org").unwrap();
    Mail::new(to, "An idea", "Hello\n".into())
}

/// A mail at its second attempt.
fn claimed() -> MailClaim {
    MailClaim {
        id: MailId::from_random([3; 16]),
        queued_at: at(-60),
        expires_at: at(3_600),
        attempts: 2,
        unconfirmed: 0,
        lease_ends_at: at(600),
    }
}

/// A worker whose database returns [`mail`] with that claim.
fn outbox_worker(
    claim: MailClaim,
    writes: impl FnOnce(&mut MockTransaction),
    mailer: MockMailer,
) -> OutboxWorker<MockDatabase> {
    let mail = Ok(mail());
    worker_for(ClaimedMail { claim, mail }, writes, mailer)
}

/// A worker whose database returns `claimed`.
fn worker_for(
    claimed: ClaimedMail,
    writes: impl FnOnce(&mut MockTransaction),
    mailer: MockMailer,
) -> OutboxWorker<MockDatabase> {
    let database = MockDatabase::new(
        |reads| {
            reads.expect_mail_is_due().returning(|_| Ok(true));
        },
        |tx| {
            tx.expect_claim_mail()
                .withf(|now, until| *now == at(0) && *until == at(0) + LEASE)
                .return_once(move |_, _| Ok(Some(claimed)));
            writes(tx);
        },
    );
    OutboxWorker::new(
        database,
        Arc::new(StoppedClock),
        Arc::new(mailer),
        email_composer(),
        Arc::new(OneReceipt),
    )
}

fn removes(tx: &mut MockTransaction) {
    tx.expect_remove_mail()
        .withf(|mail| mail.id == claimed().id)
        .times(1)
        .returning(|_| Ok(true));
}

/// Expects the mail to be removed and recorded; it has no sender.
fn gives_up(tx: &mut MockTransaction) {
    tx.expect_sender_of().returning(|_| Ok(None));
    removes(tx);
    is_recorded(tx);
}

fn is_recorded(tx: &mut MockTransaction) {
    tx.expect_record()
        .withf(|entry| entry.kind == AuditKind::MailGivenUp && entry.at == at(0))
        .times(1)
        .returning(|_| Ok(()));
}

fn mailer(answer: impl Fn() -> Result<(), MailerError> + Send + 'static) -> MockMailer {
    let mut mailer = MockMailer::new();
    mailer
        .expect_deliver()
        .times(1)
        .returning(move |_| answer());
    mailer
}

#[test]
fn nothing_is_written_while_no_mail_is_due() {
    let database = MockDatabase::new(
        |reads| {
            reads.expect_mail_is_due().returning(|_| Ok(false));
        },
        |_| {},
    );
    let outbox_worker = OutboxWorker::new(
        database,
        Arc::new(StoppedClock),
        Arc::new(MockMailer::new()),
        email_composer(),
        Arc::new(OneReceipt),
    );
    assert!(matches!(outbox_worker.deliver_next(), Ok(Delivery::Idle)));
}

#[test]
fn a_delivered_mail_is_removed() {
    let mut mailer = MockMailer::new();
    mailer
        .expect_deliver()
        .withf(|sent| sent.id == claimed().id && sent.written_at == at(-60) && sent.mail == mail())
        .times(1)
        .returning(|_| Ok(()));
    let outcome = outbox_worker(claimed(), removes, mailer).deliver_next();
    assert!(matches!(outcome, Ok(Delivery::Delivered(id)) if id == claimed().id));
}

#[test]
fn an_undelivered_mail_is_postponed_to_its_next_attempt() {
    let outcome = outbox_worker(
        claimed(),
        |tx| {
            tx.expect_postpone_mail()
                .withf(|_, until| *until == at(10))
                .times(1)
                .returning(|_, _| Ok(true));
        },
        mailer(|| Err(MailerError::Unavailable("down".into()))),
    )
    .deliver_next();
    assert!(matches!(outcome, Ok(Delivery::Postponed { until, .. }) if until == at(10)));
}

#[test]
fn a_mail_that_was_handed_over_and_not_confirmed_is_repeated_late() {
    let outcome = outbox_worker(
        claimed(),
        |tx| {
            tx.expect_postpone_mail()
                .withf(|claim, until| claim.unconfirmed == 1 && *until == at(900))
                .times(1)
                .returning(|_, _| Ok(true));
        },
        mailer(|| Err(MailerError::Unconfirmed("no answer".into()))),
    )
    .deliver_next();
    assert!(matches!(outcome, Ok(Delivery::Postponed { until, .. }) if until == at(900)));
}

#[test]
fn a_mail_that_was_handed_over_often_is_not_repeated_and_its_sender_hears_of_no_failure() {
    for claim in [
        MailClaim {
            unconfirmed: 2,
            expires_at: at(100_000),
            ..claimed()
        },
        MailClaim {
            expires_at: at(900),
            ..claimed()
        },
    ] {
        let mailer = mailer(|| Err(MailerError::Unconfirmed("no answer".into())));
        let outcome = outbox_worker(
            claim,
            |tx| {
                tx.expect_sender_of().returning(|_| Ok(Some(owner())));
                tx.expect_user().never();
                tx.expect_queue_mail().never();
                removes(tx);
                is_recorded(tx);
            },
            mailer,
        )
        .deliver_next();
        assert!(matches!(
            outcome,
            Ok(Delivery::GivenUp {
                reason: PermanentFailure::Unconfirmed(_),
                ..
            })
        ));
    }
}

#[test]
fn further_workers_take_only_mails_that_wait_for_the_first() {
    let database = MockDatabase::new(
        |reads| {
            reads
                .expect_mail_is_due()
                .withf(|due| *due == at(-5))
                .returning(|_| Ok(true));
        },
        |tx| {
            tx.expect_claim_mail()
                .withf(|due, until| *due == at(-5) && *until == at(0) + LEASE)
                .return_once(|_, _| Ok(None));
        },
    );
    let worker = OutboxWorker::new(
        database,
        Arc::new(StoppedClock),
        Arc::new(MockMailer::new()),
        email_composer(),
        Arc::new(OneReceipt),
    );
    assert!(matches!(worker.deliver_late(), Ok(Delivery::Idle)));
}

#[test]
fn a_mail_that_expires_before_its_next_attempt_is_discarded() {
    let dying = MailClaim {
        expires_at: at(10),
        ..claimed()
    };
    let mailer = mailer(|| Err(MailerError::Unavailable("down".into())));
    let outcome = outbox_worker(dying, gives_up, mailer).deliver_next();
    assert!(matches!(
        outcome,
        Ok(Delivery::GivenUp {
            reason: PermanentFailure::TooLate(Some(_)),
            ..
        })
    ));
}

#[test]
fn an_expired_mail_is_discarded_unsent() {
    let expired = MailClaim {
        expires_at: at(0),
        ..claimed()
    };
    let outcome = outbox_worker(expired, gives_up, MockMailer::new()).deliver_next();
    assert!(matches!(outcome, Ok(Delivery::GivenUp { .. })));
}

#[test]
fn a_refused_mail_is_discarded() {
    let mailer = mailer(|| Err(MailerError::Refused("no such mailbox".into())));
    let outcome = outbox_worker(claimed(), gives_up, mailer).deliver_next();
    assert!(matches!(
        outcome,
        Ok(Delivery::GivenUp {
            reason: PermanentFailure::Refused(_),
            ..
        })
    ));
}

/// Expects a mail of an account to be given up; the account now has that address.
fn gives_up_for(tx: &mut MockTransaction, email: &str) {
    tx.expect_sender_of()
        .withf(|mail| *mail == claimed().id)
        .returning(|_| Ok(Some(owner())));
    removes(tx);
    tx.expect_record()
        .withf(|entry| entry.kind == AuditKind::MailGivenUp && entry.account == Some(owner()))
        .times(1)
        .returning(|_| Ok(()));
    let sender = User {
        email: Email::parse(email).unwrap(),
        ..ada()
    };
    tx.expect_user()
        .returning(move |_| Ok(Some(sender.clone())));
}

#[test]
fn the_sender_is_notified_of_a_failed_mail() {
    let mailer = mailer(|| Err(MailerError::Refused("no such mailbox".into())));
    let outcome = outbox_worker(
        claimed(),
        |tx| {
            gives_up_for(tx, "ada@example.org");
            tx.expect_queue_mail()
                .withf(|queued| {
                    let mail = &queued.mail;
                    mail.to().as_str() == "ada@example.org"
                        && mail.subject() == "Not delivered to grace@example.org"
                        && mail.body().contains("    An idea\n")
                        && queued.expires_at > at(0)
                })
                .times(1)
                .returning(|_| Ok(()));
        },
        mailer,
    )
    .deliver_next();
    assert!(matches!(outcome, Ok(Delivery::GivenUp { .. })));
}

#[test]
fn the_sender_is_not_notified_of_a_failed_mail_to_themselves() {
    let mailer = mailer(|| Err(MailerError::Refused("no such mailbox".into())));
    let outcome = outbox_worker(
        claimed(),
        |tx| gives_up_for(tx, "grace@example.org"),
        mailer,
    )
    .deliver_next();
    assert!(matches!(outcome, Ok(Delivery::GivenUp { .. })));
}

#[test]
fn a_lost_claim_notifies_no_sender() {
    let mailer = mailer(|| Err(MailerError::Refused("no such mailbox".into())));
    let lost = |tx: &mut MockTransaction| {
        tx.expect_sender_of().returning(|_| Ok(Some(owner())));
        tx.expect_remove_mail().returning(|_| Ok(false));
    };
    let outcome = outbox_worker(claimed(), lost, mailer).deliver_next();
    assert!(matches!(outcome, Ok(Delivery::GivenUp { .. })));
}

#[test]
fn an_unreadable_mail_does_not_block_the_queue() {
    let foreign = PortError {
        operation: "opening",
        source: "another key".into(),
    };
    for reason in [
        UnreadableMail::Undecryptable(foreign),
        UnreadableMail::Damaged,
    ] {
        let unreadable = ClaimedMail {
            claim: claimed(),
            mail: Err(reason),
        };
        let worker = worker_for(unreadable, gives_up, MockMailer::new());
        assert!(matches!(
            worker.deliver_next(),
            Ok(Delivery::GivenUp {
                reason: PermanentFailure::Unreadable(_),
                ..
            })
        ));
    }
}

fn with_receipts(numbers: &[u8]) -> ClaimedMail {
    let receipts = numbers
        .iter()
        .map(|number| RecipientId::from_random([*number; 16]));
    ClaimedMail {
        claim: claimed(),
        mail: Ok(mail().with_receipts(receipts.collect())),
    }
}

#[test]
fn a_receipt_is_attached_when_the_mail_is_sent() {
    let mut mailer = MockMailer::new();
    mailer
        .expect_deliver()
        .withf(|mail| matches!(mail.attachments.as_slice(), [only] if only.name == "receipt.pdf"))
        .times(1)
        .returning(|_| Ok(()));
    let worker = worker_for(with_receipts(&[4, 5]), removes, mailer);
    assert!(matches!(
        worker.deliver_next().unwrap(),
        Delivery::Delivered(_)
    ));
}

#[test]
fn a_mail_whose_receipt_cannot_be_made_is_retried_later() {
    let mut mailer = MockMailer::new();
    mailer.expect_deliver().never();
    let postpones = |tx: &mut MockTransaction| {
        tx.expect_postpone_mail()
            .times(1)
            .returning(|_, _| Ok(true));
    };
    let worker = worker_for(with_receipts(&[4, 6]), postpones, mailer);
    assert!(matches!(
        worker.deliver_next().unwrap(),
        Delivery::Postponed { .. }
    ));
}

#[test]
fn a_mail_whose_receipts_are_gone_is_dropped() {
    let mut mailer = MockMailer::new();
    mailer.expect_deliver().never();
    let worker = worker_for(with_receipts(&[5]), gives_up, mailer);
    assert!(matches!(
        worker.deliver_next().unwrap(),
        Delivery::GivenUp {
            reason: PermanentFailure::ReceiptGone,
            ..
        }
    ));
}

#[test]
fn news_are_sent_without_receipts_that_are_gone() {
    let mut mailer = MockMailer::new();
    mailer
        .expect_deliver()
        .withf(|mail| mail.attachments.is_empty())
        .times(1)
        .returning(|_| Ok(()));
    let ClaimedMail { claim, mail } = with_receipts(&[5]);
    let mail = mail.map(|mail| mail.with_unsubscribe("https://vault.test/stop".into()));
    let worker = worker_for(ClaimedMail { claim, mail }, removes, mailer);
    assert!(matches!(
        worker.deliver_next().unwrap(),
        Delivery::Delivered(_)
    ));
}
