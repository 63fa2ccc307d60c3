use ideavault_domain::ids::{MailId, RecipientId};
use ideavault_domain::mail::{ClaimedMail, MailClaim, OutgoingMail, QueuedMail};
use ideavault_domain::ports::{Mailer, MailerError, RecipientWithShare};
use ideavault_domain::share::{Share, ShareTerms};
use ideavault_domain::text::PersonName;

use super::*;
use crate::outbox_worker::{Delivery, OutboxWorker};
use crate::testing::{
    MockDatabase, MockTransaction, NoReceipts, StoppedClock, ada, at, deps, email_composer,
    link_notice, owner, progress, share,
};

/// The observed actions of a mailer.
#[derive(Default)]
struct Done {
    mails: Vec<QueuedMail>,
    settled: Vec<(Vec<i64>, Option<MailId>)>,
    postponed: Vec<(Vec<i64>, Timestamp)>,
}

impl Done {
    fn mail(&self) -> Mail {
        let [mail] = self.mails.as_slice() else {
            panic!("{} mails were queued", self.mails.len());
        };
        mail.mail.clone()
    }
}

/// The settings and notices of an owner.
#[derive(Clone)]
struct Owner {
    mode: NotificationMode,
    /// Links with a mode of their own.
    own_modes: Vec<(ShareId, NotificationMode)>,
    notices: Vec<Notice>,
    mails_of_the_hour: i64,
}

impl Owner {
    fn with(notices: &[Notice]) -> Self {
        Self {
            mode: NotificationMode::AtOnce,
            own_modes: Vec::new(),
            notices: notices.to_vec(),
            mails_of_the_hour: 0,
        }
    }
}

fn link(number: u8) -> Share {
    Share {
        id: ShareId::from_random([number; 16]),
        ..share(ShareTerms::FullAccess)
    }
}

/// A notice with that number about a reader on that link.
fn notice(seq: i64, kind: NoticeKind, link: &Share, first_at: Timestamp) -> Notice {
    Notice {
        seq,
        name: Some(PersonName::parse_recipient("Grace Hopper").unwrap()),
        first_at,
        ..link_notice(kind, link)
    }
}

fn due(notice: &Notice, reader: Option<RecipientId>) -> DueNotice {
    DueNotice {
        seq: notice.seq,
        account: owner(),
        share: notice.share,
        reader,
        first_at: notice.first_at,
    }
}

fn mailer(database: &Arc<MockDatabase>) -> NoticeMailer<MockDatabase> {
    NoticeMailer::new(deps(database.clone()), email_composer())
}

/// A database where `due` is found once by each of the `looks`, and claimed by the first.
fn holding(
    due: DueNotice,
    looks: usize,
    writes: impl FnOnce(&mut MockTransaction),
) -> (Arc<MockDatabase>, Arc<Mutex<Done>>) {
    let done = Arc::new(Mutex::new(Done::default()));
    let (mails, settled, postponed) = (done.clone(), done.clone(), done.clone());
    let mut found = [None, Some(due)].repeat(looks);
    let mut is_claimed = false;
    let database = MockDatabase::new(
        |tx| {
            tx.expect_shares_ending().returning(|_| Ok(Vec::new()));
            tx.expect_due_notice()
                .returning(move |_| Ok(found.pop().flatten()));
        },
        |tx| {
            writes(tx);
            tx.expect_claim_notice()
                .withf(move |claimed, now| *claimed == due && *now == at(0))
                .returning(move |_, _| Ok(!std::mem::replace(&mut is_claimed, true)));
            tx.expect_add_unsubscribe_token()
                .returning(|_, _, _| Ok(()));
            tx.expect_queue_mail().returning(move |mail| {
                mails.lock().unwrap().mails.push(mail.clone());
                Ok(())
            });
            tx.expect_settle_notices().returning(move |seqs, mail, _| {
                settled.lock().unwrap().settled.push((seqs.to_vec(), mail));
                Ok(())
            });
            tx.expect_postpone_notices().returning(move |seqs, until| {
                let mut done = postponed.lock().unwrap();
                done.postponed.push((seqs.to_vec(), until));
                Ok(())
            });
        },
    );
    (database, done)
}

fn has_owner(tx: &mut MockTransaction, owner: Owner) {
    let Owner {
        mode,
        own_modes,
        notices,
        mails_of_the_hour,
    } = owner;
    tx.expect_user().returning(|_| Ok(Some(ada())));
    tx.expect_notification_mode().returning(move |_| Ok(mode));
    tx.expect_share_notification_mode().returning(move |id| {
        let own = own_modes.iter().find(|(link, _)| *link == id);
        Ok(own.map(|(_, mode)| *mode))
    });
    tx.expect_pending_notices()
        .returning(move |_| Ok(notices.clone()));
    tx.expect_share()
        .returning(|id| Ok(Some(Share { id, ..link(5) })));
    tx.expect_notice_mails_since()
        .withf(|_, to_readers, since| !to_readers && *since == at(-3_600))
        .returning(move |_, _, _| Ok(mails_of_the_hour));
}

/// Runs a mailer over the owner's notices, the first of which is due.
fn run(owner: Owner) -> Done {
    let due = due(&owner.notices[0], None);
    let (database, done) = holding(due, 1, |tx| has_owner(tx, owner));
    let mailed = mailer(&database).run().unwrap().mailed;
    let done = std::mem::take(&mut *done.lock().unwrap());
    assert_eq!(mailed, done.mails.len());
    done
}

/// Asserts that these notices were settled, with the mail if one was queued.
#[track_caller]
fn assert_settled(done: &Done, seqs: &[i64]) {
    let mail = done.mails.first().map(|mail| mail.id);
    assert_eq!(done.settled, [(seqs.to_vec(), mail)]);
    assert_eq!(done.postponed, []);
}

#[test]
fn immediate_notices_of_one_link_are_sent_in_one_mail() {
    let (one, other) = (link(5), link(6));
    let done = run(Owner::with(&[
        notice(1, NoticeKind::Agreed, &one, at(-60)),
        notice(2, NoticeKind::Agreed, &other, at(-50)),
        notice(3, NoticeKind::FirstRead, &one, at(-40)),
    ]));
    assert_settled(&done, &[1, 3]);
    let mail = done.mail();
    assert_eq!(mail.to(), &ada().email);
    assert_eq!(mail.subject(), "News on your link: \"Kettle\"");
    for text in ["accepted the non-disclosure", "opened the idea"] {
        assert_eq!(mail.body().matches(text).count(), 1, "{}", mail.body());
    }
    assert!(mail.unsubscribe().is_some());
}

#[test]
fn daily_notices_are_postponed_to_the_morning() {
    let done = run(Owner {
        mode: NotificationMode::Daily,
        ..Owner::with(&[
            notice(1, NoticeKind::Agreed, &link(5), at(-60)),
            notice(2, NoticeKind::FirstRead, &link(5), at(-50)),
        ])
    });
    // At 8:00 UTC, so that the next mails come in 23 hours.
    assert_eq!(done.postponed, [(vec![1, 2, 1], at(23 * 3_600))]);
    assert!(done.mails.is_empty() && done.settled.is_empty());
}

#[test]
fn a_postponed_notice_is_not_due_even_if_more_are_pending_than_are_read() {
    let owner = Owner {
        mode: NotificationMode::Daily,
        ..Owner::with(&[notice(1, NoticeKind::Agreed, &link(5), at(-60))])
    };
    let found = due(&notice(501, NoticeKind::Commented, &link(5), at(-60)), None);
    let (database, done) = holding(found, 1, |tx| has_owner(tx, owner));
    mailer(&database).run().unwrap();
    let done = done.lock().unwrap();
    assert_eq!(done.postponed, [(vec![1, 501], at(23 * 3_600))]);
}

#[test]
fn a_daily_mail_contains_all_daily_links_and_earlier_notices() {
    let done = run(Owner {
        mode: NotificationMode::Daily,
        own_modes: vec![
            (link(6).id, NotificationMode::AtOnce),
            (link(8).id, NotificationMode::Never),
        ],
        ..Owner::with(&[
            notice(1, NoticeKind::Agreed, &link(5), at(-7_200)),
            notice(2, NoticeKind::Agreed, &link(6), at(-7_100)),
            notice(3, NoticeKind::Agreed, &link(7), at(-7_000)),
            notice(4, NoticeKind::Agreed, &link(8), at(-6_900)),
            notice(5, NoticeKind::Commented, &link(5), at(-60)),
        ])
    });
    assert_settled(&done, &[1, 3]);
    let mail = done.mail();
    assert_eq!(mail.subject(), "What happened on your links");
    assert!(mail.body().contains("since the last daily email"));
    assert_eq!(mail.body().matches("accepted the").count(), 2);
    assert!(!mail.body().contains("comment."), "{}", mail.body());
}

#[test]
fn never_sends_no_mail_also_after_unsubscribing() {
    // Unsubscribing sets this mode.
    let done = run(Owner {
        mode: NotificationMode::Never,
        ..Owner::with(&[notice(1, NoticeKind::Agreed, &link(5), at(-60))])
    });
    assert!(done.mails.is_empty());
    assert_settled(&done, &[1, 1]);
}

#[test]
fn a_link_overrides_the_mode_of_its_account() {
    use NotificationMode::{AtOnce, Daily, Never};
    let told = |account, own| {
        run(Owner {
            mode: account,
            own_modes: vec![(link(5).id, own)],
            ..Owner::with(&[notice(1, NoticeKind::Agreed, &link(5), at(-60))])
        })
    };
    assert_settled(&told(Never, AtOnce), &[1]);
    assert_eq!(told(Never, AtOnce).mails.len(), 1);
    assert!(told(AtOnce, Never).mails.is_empty());
    assert_eq!(told(AtOnce, Daily).postponed.len(), 1);
}

#[test]
fn notices_over_twenty_mails_an_hour_are_postponed() {
    let done = run(Owner {
        mails_of_the_hour: MAILS_PER_HOUR,
        ..Owner::with(&[notice(1, NoticeKind::Agreed, &link(5), at(-60))])
    });
    assert_eq!(done.postponed, [(vec![1, 1], at(0) + CAPPED_RETRY)]);
    assert!(done.mails.is_empty());
}

/// Runs a mailer over a reply to the reader of [`progress`].
fn reply(is_muted: bool) -> Done {
    let progress = progress(true);
    let reader = progress.recipient.id;
    let answered = notice(1, NoticeKind::Answered, &link(5), at(-60));
    let (database, done) = holding(due(&answered, Some(reader)), 1, |tx| {
        tx.expect_user().returning(|_| Ok(Some(ada())));
        tx.expect_pending_notices()
            .returning(move |_| Ok(vec![answered.clone()]));
        tx.expect_registration().returning(move |_| {
            Ok(Some(RecipientWithShare {
                share: link(5),
                progress: progress.clone(),
            }))
        });
        tx.expect_is_muted().returning(move |_| Ok(is_muted));
        tx.expect_notice_mails_since().returning(|_, _, _| Ok(0));
    });
    mailer(&database).run().unwrap();
    std::mem::take(&mut *done.lock().unwrap())
}

#[test]
fn a_reader_who_unsubscribed_gets_no_mail() {
    let mail = reply(false).mail();
    assert_eq!(mail.to().as_str(), "grace@example.org");
    let done = reply(true);
    assert!(done.mails.is_empty());
    assert_settled(&done, &[1, 1]);
}

#[test]
fn one_of_two_servers_mails_a_notice() {
    let owner = Owner::with(&[notice(1, NoticeKind::Agreed, &link(5), at(-60))]);
    let found = due(&owner.notices[0], None);
    let (database, done) = holding(found, 2, |tx| has_owner(tx, owner));
    let (one, other) = (mailer(&database), mailer(&database));
    let mailed = [one, other].map(|mailer| mailer.run().unwrap().mailed);
    assert_eq!(mailed, [1, 0]);
    assert_settled(&done.lock().unwrap(), &[1]);
}

#[test]
fn a_damaged_notice_is_postponed_and_holds_up_no_other() {
    let (damaged, intact) = (
        notice(1, NoticeKind::Agreed, &link(5), at(-60)),
        notice(2, NoticeKind::Agreed, &link(6), at(-50)),
    );
    let mut found = vec![due(&intact, None), due(&damaged, None)];
    let intact_notices = vec![intact];
    let database = MockDatabase::new(
        move |tx| {
            tx.expect_shares_ending().returning(|_| Ok(Vec::new()));
            tx.expect_due_notice().returning(move |_| Ok(found.pop()));
        },
        move |tx| {
            tx.expect_claim_notice().returning(|_, _| Ok(true));
            tx.expect_pending_notices()
                .withf(|due| due.seq == 1)
                .returning(|_| {
                    Err(DatabaseError::Internal {
                        operation: "list pending notices",
                        source: "damaged".into(),
                    })
                });
            tx.expect_postpone_notices()
                .withf(|seqs, until| seqs == [1] && *until == at(0) + CAPPED_RETRY)
                .times(1)
                .returning(|_, _| Ok(()));
            tx.expect_queue_mail().times(1).returning(|_| Ok(()));
            tx.expect_add_unsubscribe_token()
                .returning(|_, _, _| Ok(()));
            tx.expect_settle_notices()
                .withf(|seqs, mail, _| seqs == [2] && mail.is_some())
                .times(1)
                .returning(|_, _, _| Ok(()));
            has_owner(tx, Owner::with(&intact_notices));
        },
    );
    let run = mailer(&database).run().unwrap();
    assert_eq!(run.mailed, 1);
    let failed: Vec<_> = run.failed.iter().map(|(seq, _)| *seq).collect();
    assert_eq!(failed, [1]);
}

/// A mail server that is down.
struct Unreachable;

impl Mailer for Unreachable {
    fn deliver(&self, _: &OutgoingMail) -> Result<(), MailerError> {
        Err(MailerError::Unavailable("connection refused".into()))
    }
}

#[test]
fn a_mail_waits_while_the_mail_server_is_down() {
    let done = run(Owner::with(&[notice(
        1,
        NoticeKind::Agreed,
        &link(5),
        at(-60),
    )]));
    assert_settled(&done, &[1]);
    let queued = done.mails[0].clone();
    assert_eq!(queued.expires_at, at(0) + MAIL_LIFETIME);
    let id = queued.id;
    let database = MockDatabase::new(
        |tx| {
            tx.expect_mail_is_due().returning(|_| Ok(true));
        },
        |tx| {
            tx.expect_claim_mail().returning(move |_, lease_ends_at| {
                let claim = MailClaim {
                    id: queued.id,
                    queued_at: queued.queued_at,
                    expires_at: queued.expires_at,
                    attempts: 1,
                    unconfirmed: 0,
                    lease_ends_at,
                };
                let mail = Ok(queued.mail.clone());
                Ok(Some(ClaimedMail { claim, mail }))
            });
            tx.expect_postpone_mail()
                .withf(move |mail, until| mail.id == id && *until > at(0))
                .times(1)
                .returning(|_, _| Ok(true));
        },
    );
    let worker = OutboxWorker::new(
        database,
        Arc::new(StoppedClock),
        Arc::new(Unreachable),
        email_composer(),
        Arc::new(NoReceipts),
    );
    let delivery = worker.deliver_next().unwrap();
    assert!(matches!(delivery, Delivery::Postponed { mail, .. } if mail == id));
}

#[test]
fn ending_links_are_checked_once_a_minute() {
    let database = MockDatabase::new(
        |tx| {
            tx.expect_shares_ending()
                .withf(|now| *now == at(0))
                .times(1)
                .returning(|_| Ok(vec![link(5).id]));
            tx.expect_due_notice().returning(|_| Ok(None));
        },
        |tx| {
            tx.expect_add_notice()
                .withf(|new| new.kind == NoticeKind::EndingSoon && new.share == link(5).id)
                .times(1)
                .returning(|_| Ok(()));
        },
    );
    let mailer = mailer(&database);
    for _ in 0..2 {
        assert_eq!(mailer.run().unwrap().mailed, 0);
    }
}
