//! Emails are queued with their transaction, and claimed by one server at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use chrono::Duration;

use ideavault_domain::Timestamp;
use ideavault_domain::idea::Idea;
use ideavault_domain::ids::{MailId, ShareId};
use ideavault_domain::keys::MasterSealed;
use ideavault_domain::mail::{
    MailClaim, MailKind, QueuedMail, UnreadableMail, WaitingMail, WaitingMails,
};
use ideavault_domain::ports::{CommitHook, Database as _, DatabaseError};

use crate::support::{Fixture, at, bytes, encryption, full_access, hello, on_both_databases, race};

on_both_databases!(
    a_claim_counts_an_attempt_and_changes_nothing_else,
    a_mail_is_not_due_before_its_next_attempt,
    mails_are_claimed_in_the_order_of_their_next_attempts,
    a_claimed_mail_is_due_again_only_when_its_lease_ends,
    a_postponed_mail_is_not_due_before_its_new_time,
    a_postponed_mail_keeps_how_often_it_was_not_confirmed,
    waiting_mails_are_counted,
    waiting_mails_are_listed_with_what_they_are_for,
    a_damaged_mail_is_claimed_and_blocks_no_other,
    a_mail_keeps_its_sender,
    the_mail_of_a_link_is_withdrawn_with_it,
    a_removed_mail_is_deleted,
    a_lost_claim_changes_nothing,
    a_mail_of_a_failed_transaction_is_not_queued,
    the_commit_hook_runs_only_for_committed_mails,
    concurrent_servers_claim_each_mail_once,
);

fn mail(turn: Timestamp) -> QueuedMail {
    QueuedMail {
        reader: None,
        id: MailId::from_random(bytes()),
        mail: hello(),
        queued_at: at(-1),
        expires_at: at(600),
        first_attempt_at: turn,
    }
}

fn queue(fixture: &Fixture, turn: Timestamp) -> QueuedMail {
    let mail = mail(turn);
    fixture.write(|tx| tx.outbox().queue_mail(&mail));
    mail
}

/// Claims a mail and expects it to be [`hello`].
fn claim(fixture: &Fixture, now: Timestamp) -> Option<MailClaim> {
    let due = fixture.read(|tx| tx.outbox().mail_is_due(now));
    let claimed = fixture.write(|tx| tx.outbox().claim_mail(now, now + Duration::minutes(10)));
    assert_eq!(claimed.is_some(), due);
    claimed.map(|claimed| {
        assert_eq!(claimed.mail.unwrap(), hello());
        claimed.claim
    })
}

fn a_mail_keeps_its_sender(fixture: &Fixture) {
    let (mail, other) = (queue(fixture, at(0)), queue(fixture, at(0)));
    let user = fixture.add_user().id;
    let link = ShareId::from_random(bytes());
    fixture.write(|tx| tx.outbox().set_link(mail.id, link, user));
    let sender = |id| fixture.read(|tx| tx.outbox().sender_of(id));
    assert_eq!(sender(mail.id), Some(user));
    assert_eq!(sender(other.id), None);
    assert_eq!(sender(MailId::from_random(bytes())), None);
}

fn the_mail_of_a_link_is_withdrawn_with_it(fixture: &Fixture) {
    let owner = fixture.add_user().id;
    let (idea, other) = (fixture.add_idea(owner), fixture.add_idea(owner));
    let mailed = |idea: &Idea| {
        let share = fixture.add_share(idea.id, full_access());
        let mail = queue(fixture, at(0));
        fixture.write(|tx| tx.outbox().set_link(mail.id, share.id, owner));
        share.id
    };
    let revoked = mailed(&idea);
    mailed(&idea);
    mailed(&other);
    queue(fixture, at(0));
    assert_eq!(fixture.count("outbox_mails"), 4);
    fixture.write(|tx| tx.outbox().drop_mail_of_link(revoked));
    assert_eq!(fixture.count("outbox_mails"), 3);
    fixture.write(|tx| tx.outbox().drop_mails_of_links_to(idea.id));
    assert_eq!(fixture.count("outbox_mails"), 2);
}

fn a_claim_counts_an_attempt_and_changes_nothing_else(fixture: &Fixture) {
    let mail = queue(fixture, at(0));
    assert_eq!(
        claim(fixture, at(1)),
        Some(MailClaim {
            id: mail.id,
            queued_at: mail.queued_at,
            expires_at: mail.expires_at,
            attempts: 1,
            unconfirmed: 0,
            lease_ends_at: at(11),
        })
    );
}

fn a_mail_is_not_due_before_its_next_attempt(fixture: &Fixture) {
    queue(fixture, at(5));
    assert_eq!(claim(fixture, at(5) - Duration::microseconds(1)), None);
    assert!(claim(fixture, at(5)).is_some());
}

fn mails_are_claimed_in_the_order_of_their_next_attempts(fixture: &Fixture) {
    let late = queue(fixture, at(2));
    let first = queue(fixture, at(1));
    let second = queue(fixture, at(1));
    let order: Vec<_> = std::iter::from_fn(|| claim(fixture, at(2)))
        .map(|mail| mail.id)
        .collect();
    assert_eq!(order, [first.id, second.id, late.id]);
}

fn a_claimed_mail_is_due_again_only_when_its_lease_ends(fixture: &Fixture) {
    queue(fixture, at(0));
    assert!(claim(fixture, at(0)).is_some());
    assert_eq!(claim(fixture, at(9)), None);
    assert_eq!(claim(fixture, at(10)).unwrap().attempts, 2);
}

fn a_postponed_mail_is_not_due_before_its_new_time(fixture: &Fixture) {
    queue(fixture, at(0));
    let claimed = claim(fixture, at(0)).unwrap();
    assert!(fixture.write(|tx| tx.outbox().postpone_mail(&claimed, at(3))));
    assert_eq!(claim(fixture, at(2)), None);
    let again = claim(fixture, at(3)).unwrap();
    assert_eq!((again.id, again.attempts), (claimed.id, 2));
    assert_eq!(again.unconfirmed, 0);
}

fn a_postponed_mail_keeps_how_often_it_was_not_confirmed(fixture: &Fixture) {
    queue(fixture, at(0));
    let claimed = claim(fixture, at(0)).unwrap();
    let unconfirmed = MailClaim {
        unconfirmed: 1,
        ..claimed
    };
    assert!(fixture.write(|tx| tx.outbox().postpone_mail(&unconfirmed, at(3))));
    assert_eq!(claim(fixture, at(3)).unwrap().unconfirmed, 1);
}

fn a_removed_mail_is_deleted(fixture: &Fixture) {
    queue(fixture, at(0));
    let claimed = claim(fixture, at(0)).unwrap();
    assert!(fixture.write(|tx| tx.outbox().remove_mail(&claimed)));
    assert_eq!(fixture.count("outbox_mails"), 0);
}

fn a_lost_claim_changes_nothing(fixture: &Fixture) {
    queue(fixture, at(0));
    let lost = claim(fixture, at(0)).unwrap();
    let current = claim(fixture, at(10)).unwrap();
    assert!(!fixture.write(|tx| tx.outbox().postpone_mail(&lost, at(0))));
    assert!(!fixture.write(|tx| tx.outbox().remove_mail(&lost)));
    assert_eq!(claim(fixture, at(19)), None);
    assert!(fixture.write(|tx| tx.outbox().remove_mail(&current)));
}

fn a_mail_of_a_failed_transaction_is_not_queued(fixture: &Fixture) {
    let failed = fixture.store.write(|tx| {
        tx.outbox().queue_mail(&mail(at(0)))?;
        Err::<(), _>(DatabaseError::Internal {
            operation: "test",
            source: "it fails".into(),
        })
    });
    assert!(failed.is_err());
    assert_eq!(fixture.count("outbox_mails"), 0);
}

#[derive(Default)]
struct CountedRings(AtomicU32);

impl CommitHook for CountedRings {
    fn notify(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn the_commit_hook_runs_only_for_committed_mails(fixture: &Fixture) {
    let commit_hook = Arc::new(CountedRings::default());
    let store = fixture
        .store
        .clone()
        .with_commit_hook(Arc::clone(&commit_hook) as _);
    let rings = || commit_hook.0.load(Ordering::Relaxed);
    let failed = store.write(|tx| {
        tx.outbox().queue_mail(&mail(at(0)))?;
        Err::<(), _>(DatabaseError::Internal {
            operation: "test",
            source: "it fails".into(),
        })
    });
    assert!(failed.is_err());
    assert_eq!(rings(), 0);
    let both = store.write(|tx| {
        tx.outbox().queue_mail(&mail(at(0)))?;
        tx.outbox().queue_mail(&mail(at(0)))?;
        assert_eq!(rings(), 0);
        Ok::<_, DatabaseError>(())
    });
    both.unwrap();
    assert_eq!(rings(), 1);
    let claimed = store.write(|tx| tx.outbox().claim_mail(at(0), at(10)));
    assert!(claimed.unwrap().is_some());
    assert_eq!(rings(), 1);
}

fn concurrent_servers_claim_each_mail_once(fixture: &Fixture) {
    let mut queued: Vec<_> = (0..24).map(|_| queue(fixture, at(0)).id).collect();
    let claimed = race(8, |_| {
        std::iter::from_fn(|| fixture.write(|tx| tx.outbox().claim_mail(at(0), at(10))))
            .map(|claimed| claimed.claim.id)
            .collect::<Vec<_>>()
    });
    let mut claimed = claimed.concat();
    claimed.sort();
    queued.sort();
    assert_eq!(claimed, queued);
}

fn a_damaged_mail_is_claimed_and_blocks_no_other(fixture: &Fixture) {
    let (damaged, foreign) = (queue(fixture, at(0)), queue(fixture, at(1)));
    let intact = queue(fixture, at(2));
    let encryption = encryption();
    let what = MasterSealed::Mail(damaged.id);
    let not_a_mail = encryption.seal_with_master(what, b"not a mail").unwrap();
    let hex: String = not_a_mail
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let bytes = if fixture.is_postgres() {
        format!("'\\x{hex}'")
    } else {
        format!("x'{hex}'")
    };
    fixture
        .sql(&format!(
            "UPDATE outbox_mails SET sealed = {bytes} WHERE id = '{}'; \
             UPDATE outbox_mails SET sealed = \
             (SELECT sealed FROM outbox_mails WHERE id = '{}') WHERE id = '{}'",
            damaged.id, intact.id, foreign.id,
        ))
        .unwrap();
    let next = || fixture.write(|tx| tx.outbox().claim_mail(at(2), at(12)));
    let first = next().unwrap();
    assert_eq!(first.claim.id, damaged.id);
    assert!(matches!(first.mail, Err(UnreadableMail::Damaged)));
    let second = next().unwrap();
    assert_eq!(second.claim.id, foreign.id);
    assert!(matches!(second.mail, Err(UnreadableMail::Undecryptable(_))));
    assert_eq!(claim(fixture, at(2)).unwrap().id, intact.id);
    assert!(fixture.write(|tx| tx.outbox().remove_mail(&first.claim)));
}

fn waiting_mails_are_listed_with_what_they_are_for(fixture: &Fixture) {
    let waiting = |limit| fixture.read(|tx| tx.outbox().waiting(limit));
    assert_eq!(waiting(10), []);
    let late = mail(at(5));
    let early = QueuedMail {
        mail: hello().of_kind(MailKind::Code),
        queued_at: at(-9),
        ..mail(at(0))
    };
    fixture.write(|tx| tx.outbox().queue_mail(&late));
    fixture.write(|tx| tx.outbox().queue_mail(&early));
    let listed = waiting(10);
    assert_eq!(
        listed[0],
        WaitingMail {
            id: early.id,
            kind: Some(MailKind::Code),
            sender: None,
            queued_at: at(-9),
            expires_at: at(600),
            attempts: 0,
            next_attempt_at: at(0),
        }
    );
    assert_eq!(listed[1].id, late.id);
    assert_eq!(waiting(1).len(), 1);
}

fn waiting_mails_are_counted(fixture: &Fixture) {
    let waiting = || fixture.read(|tx| tx.outbox().waiting_mails());
    let (count, since) = (0, None);
    assert_eq!(waiting(), WaitingMails { count, since });
    let younger = QueuedMail {
        queued_at: at(0),
        ..mail(at(0))
    };
    fixture.write(|tx| tx.outbox().queue_mail(&younger));
    queue(fixture, at(5));
    let (count, since) = (2, Some(at(-1)));
    assert_eq!(waiting(), WaitingMails { count, since });
    // An email that is being delivered counts as waiting, too.
    let claimed = claim(fixture, at(0)).unwrap();
    assert_eq!(waiting().count, 2);
    assert!(fixture.write(|tx| tx.outbox().remove_mail(&claimed)));
    assert_eq!(waiting().count, 1);
}
