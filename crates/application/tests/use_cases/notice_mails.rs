//! Mails about notices.

use std::sync::Arc;

use chrono::Duration;
use ideavault_application::notifications::NoticeMailer;
use ideavault_domain::Timestamp;
use ideavault_domain::account::User;
use ideavault_domain::ids::{RecipientId, ShareId};
use ideavault_domain::notice::{
    CAPPED_RETRY, MAILS_PER_HOUR, NewNotice, NoticeKind, NotificationMode, Subscriber, next_digest,
};
use ideavault_domain::recipient::Recipient;
use ideavault_domain::share::Share;

use crate::support::{at, full_access, time_dependent};
use crate::vault::{Vault, composer, now};

/// An owner with a link, on which a reader has agreed.
fn scene(vault: &Vault) -> (User, Share, Recipient) {
    let owner = vault.add_confirmed();
    let share = vault.add_share(vault.add_idea(owner.id).id, full_access());
    let guest = vault.add_guest(&share);
    (owner, share, guest)
}

fn add(vault: &Vault, kind: NoticeKind, share: ShareId, who: Option<RecipientId>, at: Timestamp) {
    let notice = NewNotice {
        kind,
        share,
        recipient: who,
        at,
    };
    vault.write(|tx| tx.notices().add_notice(&notice));
}

fn mailer(vault: &Arc<Vault>) -> NoticeMailer<Vault> {
    NoticeMailer::new(vault.deps(), composer())
}

fn run(vault: &Arc<Vault>) -> usize {
    let run = mailer(vault).run().unwrap();
    assert!(run.failed.is_empty(), "{run:?}");
    run.mailed
}

fn is_due(vault: &Vault, at: Timestamp) -> bool {
    vault.read(|tx| tx.notices().due_notice(at)).is_some()
}

#[test]
fn immediate_notices_of_one_link_are_sent_in_one_mail() {
    let vault = Vault::new();
    let (owner, one, guest) = scene(&vault);
    let other = vault.add_share(one.idea, full_access());
    add(&vault, NoticeKind::Agreed, one.id, Some(guest.id), at(5));
    add(
        &vault,
        NoticeKind::Agreed,
        other.id,
        Some(vault.add_guest(&other).id),
        at(6),
    );
    add(&vault, NoticeKind::FirstRead, one.id, Some(guest.id), at(7));
    assert_eq!(run(&vault), 2);
    assert!(!is_due(&vault, at(99)));
    let mails = vault.mails();
    let opened = mails
        .iter()
        .filter(|(_, mail)| mail.body().contains("opened the idea"));
    assert_eq!(opened.count(), 1);
    for (claim, mail) in &mails {
        assert_eq!(mail.to(), &owner.email);
        assert_eq!(
            mail.body().matches("accepted the non-disclosure").count(),
            1
        );
        assert!(mail.unsubscribe().is_some() && claim.expires_at > now());
    }
}

#[test]
fn a_daily_mail_has_the_earlier_notices_of_all_daily_links() {
    use NotificationMode::{AtOnce, Daily, Never};
    let vault = Vault::new();
    let (owner, one, guest) = scene(&vault);
    let [other, loud, silent] = [(); 3].map(|()| vault.add_share(one.idea, full_access()));
    vault.write(|tx| {
        let settings = tx.notification_settings();
        settings.set_notification_mode(owner.id, Daily, at(0))?;
        settings.set_share_notification_mode(loud.id, Some(AtOnce), at(0))?;
        settings.set_share_notification_mode(silent.id, Some(Never), at(0))
    });
    for link in [&one, &other, &loud, &silent] {
        let reader = vault.add_guest(link);
        add(&vault, NoticeKind::Agreed, link.id, Some(reader.id), at(5));
    }
    assert_eq!(run(&vault), 1);
    assert!(vault.mail().body().contains("accepted the non-disclosure"));
    // At seven, of the next day.
    let morning = next_digest(now());
    assert!(!is_due(&vault, morning - Duration::seconds(1)));
    let then = morning + Duration::minutes(5);
    add(
        &vault,
        NoticeKind::Commented,
        one.id,
        Some(guest.id),
        morning,
    );
    vault.clock.set(then);
    assert_eq!(run(&vault), 1);
    let mail = vault.mail();
    assert_eq!(mail.subject(), "Your daily summary: 2 agreed");
    assert!(mail.body().contains("since the last daily email"));
    assert_eq!(mail.body().matches("accepted the").count(), 2);
    assert!(!mail.body().contains("comment."), "{}", mail.body());
}

#[test]
fn more_notices_than_one_mail_has_are_postponed_together() {
    let vault = Vault::new();
    let (owner, share, guest) = scene(&vault);
    let daily = NotificationMode::Daily;
    vault.write(|tx| {
        tx.notification_settings()
            .set_notification_mode(owner.id, daily, at(0))
    });
    add(
        &vault,
        NoticeKind::Commented,
        share.id,
        Some(guest.id),
        at(5),
    );
    vault
        .sql(
            "INSERT INTO notices \
             (account_id, share_id, kind, recipient_id, count, first_at, last_at, due_at) \
             WITH RECURSIVE copies (copy) AS \
             (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < 500) \
             SELECT account_id, share_id, kind, recipient_id, count, first_at, last_at, due_at \
             FROM notices, copies",
        )
        .unwrap();
    assert_eq!(vault.count("notices"), 501);
    assert_eq!(run(&vault), 0);
    let morning = next_digest(now());
    assert!(!is_due(&vault, morning - Duration::seconds(1)));
    assert!(is_due(&vault, morning));
}

#[test]
fn notices_over_twenty_mails_an_hour_are_postponed() {
    let vault = Vault::new();
    let (_, share, _) = scene(&vault);
    let most = usize::try_from(MAILS_PER_HOUR).unwrap();
    for _ in 0..=most {
        let link = vault.add_share(share.idea, full_access());
        add(&vault, NoticeKind::UsedUp, link.id, None, at(5));
    }
    assert_eq!((run(&vault), run(&vault)), (most, 0));
    let again = now() + CAPPED_RETRY;
    assert!(!is_due(&vault, again - Duration::seconds(1)));
    assert!(is_due(&vault, again));
    vault.clock.set(at(71));
    assert_eq!(run(&vault), 1);
}

#[test]
fn a_reader_who_unsubscribed_gets_no_mail() {
    let vault = Vault::new();
    let (_, share, guest) = scene(&vault);
    add(
        &vault,
        NoticeKind::Answered,
        share.id,
        Some(guest.id),
        at(5),
    );
    assert_eq!(run(&vault), 1);
    let mail = vault.mail();
    assert_eq!(mail.to(), &guest.email);
    // Perhaps it is somebody else's.
    assert!(
        !mail.to_text().contains("A kettle that waits"),
        "{}",
        mail.body()
    );
    let reader = Subscriber::Reader(guest.id);
    vault.write(|tx| tx.notification_settings().unsubscribe(reader));
    add(
        &vault,
        NoticeKind::Answered,
        share.id,
        Some(guest.id),
        at(6),
    );
    assert_eq!(run(&vault), 0);
    assert!(!is_due(&vault, at(99)));
}

#[test]
fn a_damaged_notice_is_postponed_and_holds_up_no_other() {
    let vault = Vault::new();
    let (owner, intact, guest) = scene(&vault);
    let other = vault.add_idea(owner.id);
    let damaged = vault.add_share(other.id, full_access());
    add(&vault, NoticeKind::UsedUp, damaged.id, None, at(5));
    add(&vault, NoticeKind::Agreed, intact.id, Some(guest.id), at(6));
    // A title that was moved does not decrypt.
    vault
        .sql(&format!(
            "UPDATE ideas SET title = (SELECT title FROM ideas WHERE id = {}) WHERE id = {}",
            intact.idea, other.id,
        ))
        .unwrap();
    let run = mailer(&vault).run().unwrap();
    assert_eq!((run.mailed, run.failed.len()), (1, 1));
    let again = now() + CAPPED_RETRY;
    assert!(!is_due(&vault, again - Duration::seconds(1)) && is_due(&vault, again));
}

#[test]
fn ending_links_are_looked_for_once_a_minute() {
    let vault = Vault::new();
    let (owner, share, _) = scene(&vault);
    let add_ending = || vault.add_share(share.idea, time_dependent(at(122), None));
    let unread = || vault.read(|tx| tx.notices().unread_notices(owner.id));
    let mailer = mailer(&vault);
    // The last quarter of two hours.
    vault.clock.set(at(100));
    for found in [1, 1] {
        add_ending();
        mailer.run().unwrap();
        assert_eq!(unread(), found);
    }
    vault.clock.set(at(101));
    mailer.run().unwrap();
    assert_eq!(unread(), 2);
}
