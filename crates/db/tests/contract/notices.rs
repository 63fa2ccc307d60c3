//! Notices: who sees them, how they are folded, and that each is emailed once.

use std::thread;

use chrono::Duration;
use ideavault_domain::ids::{MailId, RecipientId, UserId};
use ideavault_domain::notice::{
    DueNotice, GROUPING_WINDOW, NOTICES_PER_LINK, NewNotice, Notice, NoticeKind, NotificationMode,
    Subscriber,
};
use ideavault_domain::ports::{Database as _, DatabaseError};
use ideavault_domain::recipient::Recipient;
use ideavault_domain::share::Share;
use ideavault_domain::text::ShareName;

use crate::support::{
    Fixture, at, bytes, full_access, on_both_databases, one_time, race, time_dependent, token,
};

on_both_databases!(
    only_the_owner_lists_the_notices_newest_first,
    a_notice_has_the_current_name_of_its_link,
    reading_marks_only_notices_up_to_the_given_time,
    a_repeated_notice_is_counted_until_it_is_mailed,
    an_event_that_was_taken_back_is_not_counted,
    concurrent_events_are_taken_back_once_each,
    notices_of_one_kind_are_capped_per_link,
    notices_of_the_end_of_a_link_are_added_once,
    a_deleted_draft_has_no_notices,
    a_notice_is_due_after_the_grouping_window,
    the_notices_of_the_due_link_are_returned_before_others,
    a_damaged_notice_holds_up_no_other_of_its_account,
    concurrent_servers_claim_a_notice_once,
    notices_of_replies_are_only_for_their_reader,
    mails_are_counted_per_account,
    links_that_end_soon_are_found_until_their_owner_is_notified,
    links_of_less_than_a_day_end_soon_in_their_last_quarter,
    settings_are_stored_per_account_and_per_link,
    an_unsubscribe_token_stops_only_the_mails_of_its_recipient,
    cleanup_removes_old_notices_and_tokens,
);

/// Adds a share of a new user and a recipient who has registered on it.
fn scene(fixture: &Fixture) -> (UserId, Share, Recipient) {
    let idea = fixture.add_published();
    let share = fixture.add_share(idea.id, full_access());
    let guest = fixture.add_guest(&share);
    (idea.owner, share, guest)
}

fn add(fixture: &Fixture, kind: NoticeKind, share: &Share, who: Option<RecipientId>, minute: i64) {
    let notice = NewNotice {
        kind,
        share: share.id,
        recipient: who,
        at: at(minute),
    };
    fixture.write(|tx| tx.notices().add_notice(&notice));
}

fn listed(fixture: &Fixture, owner: UserId) -> Vec<Notice> {
    fixture.listed(|tx, paging| tx.notices().notices_of(owner, paging))
}

fn unread(fixture: &Fixture, owner: UserId) -> i64 {
    fixture.read(|tx| tx.notices().unread_notices(owner))
}

fn due(fixture: &Fixture, minute: i64) -> Option<DueNotice> {
    fixture.read(|tx| tx.notices().due_notice(at(minute)))
}

fn pending(fixture: &Fixture, due: &DueNotice) -> Vec<Notice> {
    fixture.write(|tx| tx.notices().pending_notices(due))
}

fn settle(fixture: &Fixture, notices: &[Notice], mail: Option<MailId>, minute: i64) {
    let seqs: Vec<i64> = notices.iter().map(|notice| notice.seq).collect();
    fixture.write(|tx| tx.notices().settle_notices(&seqs, mail, at(minute)));
}

fn only_the_owner_lists_the_notices_newest_first(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    let (other, ..) = scene(fixture);
    add(fixture, NoticeKind::Agreed, &share, Some(guest.id), 5);
    add(fixture, NoticeKind::FirstRead, &share, Some(guest.id), 5);
    add(fixture, NoticeKind::UsedUp, &share, None, 6);
    let notices = listed(fixture, owner);
    let kinds: Vec<_> = notices.iter().map(|notice| notice.kind).collect();
    assert_eq!(
        kinds,
        [
            NoticeKind::UsedUp,
            NoticeKind::FirstRead,
            NoticeKind::Agreed
        ]
    );
    let agreed = &notices[2];
    assert_eq!(agreed.name.as_ref().unwrap().as_str(), "Grace Hopper");
    assert_eq!(agreed.title.as_str(), "A kettle that waits");
    assert_eq!((agreed.share, agreed.idea), (share.id, share.idea));
    assert_eq!((agreed.count, agreed.read), (1, false));
    assert_eq!((agreed.first_at, agreed.last_at), (at(5), at(5)));
    assert_eq!(notices[0].name, None);
    assert_eq!(unread(fixture, owner), 3);
    assert_eq!(listed(fixture, other), []);
    assert_eq!(unread(fixture, other), 0);
}

fn a_notice_has_the_current_name_of_its_link(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    add(fixture, NoticeKind::Agreed, &share, Some(guest.id), 5);
    let found = due(fixture, 100).unwrap();
    for text in ["Spring fair", "Mill"] {
        let name = ShareName::parse_optional(Some(text)).unwrap();
        fixture.write(|tx| tx.shares().rename_share(share.id, name.as_ref()));
        for notices in [listed(fixture, owner), pending(fixture, &found)] {
            assert_eq!(notices[0].share_name, name);
        }
    }
    fixture.write(|tx| tx.shares().rename_share(share.id, None));
    assert_eq!(listed(fixture, owner)[0].share_name, None);
}

fn reading_marks_only_notices_up_to_the_given_time(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    let (other, others, _) = scene(fixture);
    add(fixture, NoticeKind::Agreed, &share, Some(guest.id), 5);
    add(fixture, NoticeKind::FirstRead, &share, Some(guest.id), 6);
    add(fixture, NoticeKind::UsedUp, &others, None, 5);
    fixture.write(|tx| tx.notices().read_notices(owner, at(5), at(7)));
    assert_eq!(unread(fixture, owner), 1);
    assert_eq!(unread(fixture, other), 1);
    let read: Vec<_> = listed(fixture, owner).iter().map(|it| it.read).collect();
    assert_eq!(read, [false, true]);
}

fn a_repeated_notice_is_counted_until_it_is_mailed(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    let somebody = Some(guest.id);
    for minute in [5, 6] {
        add(fixture, NoticeKind::Commented, &share, somebody, minute);
    }
    let notices = listed(fixture, owner);
    assert_eq!(notices.len(), 1);
    assert_eq!((notices[0].count, notices[0].last_at), (2, at(6)));

    fixture.write(|tx| tx.notices().read_notices(owner, at(9), at(9)));
    settle(fixture, &notices, None, 9);
    add(fixture, NoticeKind::Commented, &share, somebody, 10);
    assert_eq!(listed(fixture, owner).len(), 2);
    assert_eq!(unread(fixture, owner), 1);

    // Refusals are notified once an hour.
    add(fixture, NoticeKind::Refused, &share, somebody, 20);
    settle(fixture, &listed(fixture, owner), None, 21);
    fixture.write(|tx| tx.notices().read_notices(owner, at(21), at(21)));
    add(fixture, NoticeKind::Refused, &share, somebody, 22);
    assert_eq!(listed(fixture, owner).len(), 3);
    assert_eq!(unread(fixture, owner), 1);
    assert_eq!(due(fixture, 1_000), None);
    add(fixture, NoticeKind::Refused, &share, somebody, 81);
    assert_eq!(listed(fixture, owner).len(), 4);
    assert!(due(fixture, 1_000).is_some());
}

fn take_back(
    fixture: &Fixture,
    kind: NoticeKind,
    share: &Share,
    who: Option<RecipientId>,
    minute: i64,
) {
    let notice = NewNotice {
        kind,
        share: share.id,
        recipient: who,
        at: at(minute),
    };
    fixture.write(|tx| tx.notices().take_back_notice(&notice));
}

fn an_event_that_was_taken_back_is_not_counted(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    let other = fixture.add_guest(&share);
    let kind = NoticeKind::Commented;
    for minute in [5, 6] {
        add(fixture, kind, &share, Some(guest.id), minute);
    }
    add(fixture, kind, &share, Some(other.id), 5);
    let counts = || -> Vec<i32> {
        let mut listed = listed(fixture, owner);
        listed.sort_by_key(|notice| notice.seq);
        listed.iter().map(|notice| notice.count).collect()
    };
    take_back(fixture, kind, &share, Some(guest.id), 5);
    assert_eq!(counts(), [1, 1]);
    take_back(fixture, kind, &share, Some(guest.id), 6);
    assert_eq!(counts(), [1]);
    // Neither another time, nor another kind, nor what was mailed.
    take_back(fixture, kind, &share, Some(other.id), 7);
    take_back(fixture, NoticeKind::Agreed, &share, Some(other.id), 5);
    settle(fixture, &listed(fixture, owner), None, 8);
    take_back(fixture, kind, &share, Some(other.id), 5);
    assert_eq!(counts(), [1]);
    // Of a reply, only its time is known.
    add(fixture, NoticeKind::Answered, &share, Some(guest.id), 9);
    add(fixture, NoticeKind::Answered, &share, Some(other.id), 10);
    take_back(fixture, NoticeKind::Answered, &share, None, 9);
    assert_eq!(due(fixture, 100).unwrap().reader, Some(other.id));
    // Events that a notice without a name counts.
    add(fixture, kind, &share, None, 11);
    take_back(fixture, kind, &share, Some(guest.id), 11);
    assert_eq!(counts(), [1]);
}

fn concurrent_events_are_taken_back_once_each(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    for _ in 0..4 {
        add(fixture, NoticeKind::Commented, &share, Some(guest.id), 5);
    }
    race(3, |_| {
        take_back(fixture, NoticeKind::Commented, &share, Some(guest.id), 5)
    });
    let listed = listed(fixture, owner);
    assert_eq!((listed.len(), listed[0].count), (1, 1));
}

fn notices_of_one_kind_are_capped_per_link(fixture: &Fixture) {
    let (owner, share, _) = scene(fixture);
    for _ in 0..NOTICES_PER_LINK + 5 {
        let guest = fixture.add_guest(&share);
        add(fixture, NoticeKind::Agreed, &share, Some(guest.id), 5);
    }
    let notices = listed(fixture, owner);
    assert_eq!(notices.len(), 21);
    assert_eq!((&notices[0].name, notices[0].count), (&None, 5));
    let later = fixture.add_guest(&share);
    add(fixture, NoticeKind::Agreed, &share, Some(later.id), 66);
    assert!(listed(fixture, owner)[0].name.is_some());
}

fn notices_of_the_end_of_a_link_are_added_once(fixture: &Fixture) {
    let (owner, share, _) = scene(fixture);
    for kind in [
        NoticeKind::OneViewLeft,
        NoticeKind::UsedUp,
        NoticeKind::EndingSoon,
    ] {
        for minute in [5, 500] {
            add(fixture, kind, &share, None, minute);
        }
    }
    assert_eq!(listed(fixture, owner).len(), 3);
}

fn a_deleted_draft_has_no_notices(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let guest = fixture.add_guest(&share);
    add(fixture, NoticeKind::Agreed, &share, Some(guest.id), 5);
    assert!(fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(6))));
    add(fixture, NoticeKind::FirstRead, &share, Some(guest.id), 7);
    assert_eq!(listed(fixture, idea.owner), []);
    assert_eq!(unread(fixture, idea.owner), 0);
    let due = due(fixture, 100).unwrap();
    assert_eq!(pending(fixture, &due), [], "no mail tells of it");
}

fn a_notice_is_due_after_the_grouping_window(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    add(fixture, NoticeKind::Agreed, &share, Some(guest.id), 5);
    let when = at(5) + GROUPING_WINDOW;
    let early = when - Duration::microseconds(1);
    assert_eq!(fixture.read(|tx| tx.notices().due_notice(early)), None);
    let found = fixture.read(|tx| tx.notices().due_notice(when)).unwrap();
    assert_eq!((found.account, found.share), (owner, share.id));
    assert_eq!((found.reader, found.first_at), (None, at(5)));
    let waiting = pending(fixture, &found);
    assert_eq!(waiting, listed(fixture, owner));
    fixture.write(|tx| tx.notices().postpone_notices(&[found.seq], at(50)));
    assert_eq!(due(fixture, 49), None);
    assert!(due(fixture, 50).is_some());
    settle(fixture, &waiting, None, 50);
    assert_eq!(due(fixture, 1_000), None);
    assert_eq!(pending(fixture, &found), []);
}

fn the_notices_of_the_due_link_are_returned_before_others(fixture: &Fixture) {
    let (_, full, guest) = scene(fixture);
    let other = fixture.add_share(full.idea, full_access());
    add(fixture, NoticeKind::Commented, &full, Some(guest.id), 5);
    fixture
        .sql(
            "INSERT INTO notices \
             (account_id, share_id, kind, recipient_id, count, first_at, last_at, due_at) \
             WITH RECURSIVE copies (copy) AS \
             (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < 500) \
             SELECT account_id, share_id, kind, recipient_id, count, first_at, last_at, due_at \
             FROM notices, copies",
        )
        .unwrap();
    add(fixture, NoticeKind::UsedUp, &other, None, 6);
    let first = due(fixture, 100).unwrap();
    assert_eq!(pending(fixture, &first).len(), 500);
    let last = DueNotice {
        seq: first.seq + 501,
        share: other.id,
        ..first
    };
    let seqs: Vec<_> = pending(fixture, &last)
        .iter()
        .map(|notice| notice.seq)
        .collect();
    assert_eq!(seqs.len(), 500);
    assert_eq!(seqs.last(), Some(&last.seq));
    assert!(seqs.is_sorted());
    // The last of its own link is not cut off either.
    let late = DueNotice {
        seq: first.seq + 500,
        ..first
    };
    assert!(
        pending(fixture, &late)
            .iter()
            .any(|notice| notice.seq == late.seq)
    );
}

fn a_damaged_notice_holds_up_no_other_of_its_account(fixture: &Fixture) {
    let (owner, intact, guest) = scene(fixture);
    let other = fixture.add_idea(owner);
    let damaged = fixture.add_share(other.id, full_access());
    add(fixture, NoticeKind::Agreed, &intact, Some(guest.id), 5);
    add(fixture, NoticeKind::UsedUp, &damaged, None, 6);
    // A title that was moved does not decrypt.
    fixture
        .sql(&format!(
            "UPDATE ideas SET title = (SELECT title FROM ideas WHERE id = {}) WHERE id = {}",
            intact.idea, other.id,
        ))
        .unwrap();
    let first = due(fixture, 100).unwrap();
    let pending = |due: &DueNotice| fixture.store.write(|tx| tx.notices().pending_notices(due));
    let found = pending(&first).unwrap();
    assert_eq!((found.len(), found[0].share), (1, intact.id));
    settle(fixture, &found, None, 101);
    let second = due(fixture, 100).unwrap();
    assert_eq!(second.share, damaged.id);
    let refused = pending(&second);
    assert!(matches!(refused, Err(DatabaseError::Damaged { .. })));
}

fn concurrent_servers_claim_a_notice_once(fixture: &Fixture) {
    let (_, share, guest) = scene(fixture);
    for round in 0..5 {
        add(
            fixture,
            NoticeKind::Commented,
            &share,
            Some(guest.id),
            round,
        );
        let found = due(fixture, 100).unwrap();
        let claims = race(4, |_| {
            fixture.write(|tx| {
                let claimed = tx.notices().claim_notice(&found, at(100))?;
                if claimed {
                    tx.notices().settle_notices(
                        &[found.seq],
                        Some(MailId::from_random(bytes())),
                        at(100),
                    )?;
                }
                Ok(claimed)
            })
        });
        assert_eq!(claims.iter().filter(|claimed| **claimed).count(), 1);
    }
}

/// Of the event that is counted while the mailer holds its notice, and of one that is counted in
/// another notice of the same mail.
#[test]
fn an_event_that_comes_while_its_notice_is_mailed_is_mailed_later() {
    let fixture = &Fixture::postgres();
    let (_, share, guest) = &scene(fixture);
    let kinds = [NoticeKind::Commented, NoticeKind::Declined];
    for kind in kinds {
        add(fixture, kind, share, Some(guest.id), 5);
    }
    let found = due(fixture, 100).unwrap();
    thread::scope(|scope| {
        fixture.write(|tx| {
            assert!(tx.notices().claim_notice(&found, at(100))?);
            let mailed = tx.notices().pending_notices(&found)?;
            assert_eq!(mailed.len(), 2);
            for kind in kinds {
                scope.spawn(move || add(fixture, kind, share, Some(guest.id), 6));
            }
            wait_until_waiting(fixture, 2);
            let seqs: Vec<i64> = mailed.iter().map(|notice| notice.seq).collect();
            tx.notices().settle_notices(&seqs, None, at(100))
        });
    });
    let found = due(fixture, 100).unwrap();
    let late = pending(fixture, &found);
    let counts: Vec<_> = late.iter().map(|it| (it.count, it.first_at)).collect();
    assert_eq!(counts, [(1, at(6)), (1, at(6))]);
}

/// Waits until that many transactions wait for locks; not for long, should they not.
fn wait_until_waiting(fixture: &Fixture, transactions: i64) {
    let waiting = "pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    for _ in 0..200 {
        if fixture.count(waiting) >= transactions {
            return;
        }
        thread::sleep(std::time::Duration::from_millis(10));
    }
}

fn notices_of_replies_are_only_for_their_reader(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    let other = fixture.add_guest(&share);
    add(fixture, NoticeKind::Answered, &share, Some(guest.id), 5);
    add(fixture, NoticeKind::Answered, &share, Some(other.id), 6);
    add(fixture, NoticeKind::Agreed, &share, Some(other.id), 7);
    assert_eq!(listed(fixture, owner).len(), 1);
    assert_eq!(unread(fixture, owner), 1);
    let found = due(fixture, 100).unwrap();
    assert_eq!(found.reader, Some(guest.id));
    let pending = pending(fixture, &found);
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].recipient, Some(guest.id));
}

fn mails_are_counted_per_account(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    let count = |to_readers, minute| {
        fixture.read(|tx| {
            tx.notices()
                .notice_mails_since(owner, to_readers, at(minute))
        })
    };
    let mail = || Some(MailId::from_random(bytes()));
    add(fixture, NoticeKind::Agreed, &share, Some(guest.id), 5);
    add(fixture, NoticeKind::FirstRead, &share, Some(guest.id), 5);
    settle(fixture, &listed(fixture, owner), mail(), 6);
    assert_eq!(count(false, 0), 1);
    add(fixture, NoticeKind::UsedUp, &share, None, 7);
    settle(fixture, &listed(fixture, owner), mail(), 8);
    assert_eq!(
        (count(false, 0), count(false, 6), count(false, 8)),
        (2, 1, 0)
    );
    add(fixture, NoticeKind::Answered, &share, Some(guest.id), 9);
    let found = due(fixture, 100).unwrap();
    fixture.write(|tx| tx.notices().settle_notices(&[found.seq], mail(), at(10)));
    assert_eq!((count(false, 0), count(true, 0)), (2, 1));
}

fn links_that_end_soon_are_found_until_their_owner_is_notified(fixture: &Fixture) {
    let idea = fixture.add_published();
    let day = 24 * 60;
    let ending = |minute| fixture.read(|tx| tx.notices().shares_ending(at(minute)));
    // Made at minute 2, and too short-lived.
    fixture.add_share(idea.id, time_dependent(at(61), None));
    fixture.add_share(idea.id, one_time(1));
    let revoked = fixture.add_share(idea.id, time_dependent(at(3 * day), None));
    fixture.write(|tx| tx.shares().revoke_share(revoked.id, at(1)));
    let long = fixture.add_share(idea.id, time_dependent(at(3 * day), None));
    assert_eq!(ending(2 * day - 1), []);
    assert_eq!(ending(2 * day), [long.id]);
    assert_eq!(ending(3 * day), []);
    add(fixture, NoticeKind::EndingSoon, &long, None, 2 * day);
    assert_eq!(ending(2 * day), []);
}

fn links_of_less_than_a_day_end_soon_in_their_last_quarter(fixture: &Fixture) {
    let idea = fixture.add_published();
    let ending = |minute| fixture.read(|tx| tx.notices().shares_ending(at(minute)));
    // More than fit in one answer are too short-lived.
    for _ in 0..101 {
        fixture.add_share(idea.id, time_dependent(at(60), None));
    }
    let hour = fixture.add_share(idea.id, time_dependent(at(2 + 60), None));
    let day = fixture.add_share(idea.id, time_dependent(at(2 + 24 * 60), None));
    assert_eq!(ending(2 + 44), []);
    assert_eq!(ending(2 + 45), [hour.id]);
    assert_eq!(ending(2 + 60), []);
    assert_eq!(ending(2 + 18 * 60 - 1), []);
    assert_eq!(ending(2 + 18 * 60), [day.id]);
    add(fixture, NoticeKind::EndingSoon, &day, None, 2 + 18 * 60);
    assert_eq!(ending(2 + 18 * 60), []);
}

fn settings_are_stored_per_account_and_per_link(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    let mode = || fixture.read(|tx| tx.notification_settings().notification_mode(owner));
    let own = || fixture.read(|tx| tx.notification_settings().share_notification_mode(share.id));
    assert_eq!((mode(), own()), (NotificationMode::AtOnce, None));
    add(fixture, NoticeKind::Agreed, &share, Some(guest.id), 5);
    let found = due(fixture, 6).unwrap();
    fixture.write(|tx| tx.notices().postpone_notices(&[found.seq], at(900)));
    assert_eq!(due(fixture, 10), None);
    // A new mode makes postponed notices due again.
    fixture.write(|tx| {
        tx.notification_settings()
            .set_notification_mode(owner, NotificationMode::Daily, at(10))
    });
    assert!(due(fixture, 10).is_some());
    assert_eq!(mode(), NotificationMode::Daily);
    for wanted in [
        Some(NotificationMode::Never),
        Some(NotificationMode::Daily),
        None,
    ] {
        fixture.write(|tx| {
            tx.notification_settings()
                .set_share_notification_mode(share.id, wanted, at(11))
        });
        assert_eq!(own(), wanted);
        let listed = fixture.read(|tx| {
            tx.notification_settings()
                .share_notification_modes(share.idea)
        });
        let expected: Vec<_> = wanted.map(|mode| (share.id, mode)).into_iter().collect();
        assert_eq!(listed, expected);
    }
}

fn an_unsubscribe_token_stops_only_the_mails_of_its_recipient(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    let (other, others, _) = scene(fixture);
    let (to_owner, to_reader) = (token(), token());
    fixture.write(|tx| {
        for share in [share.id, others.id] {
            tx.notification_settings().set_share_notification_mode(
                share,
                Some(NotificationMode::AtOnce),
                at(1),
            )?;
        }
        tx.notification_settings().add_unsubscribe_token(
            &to_owner,
            Subscriber::Account(owner),
            at(1),
        )?;
        tx.notification_settings().add_unsubscribe_token(
            &to_reader,
            Subscriber::Reader(guest.id),
            at(1),
        )
    });
    let whose = |token| fixture.read(|tx| tx.notification_settings().subscriber(&token));
    assert_eq!(whose(to_owner), Some(Subscriber::Account(owner)));
    assert_eq!(whose(to_reader), Some(Subscriber::Reader(guest.id)));
    assert_eq!(whose(token()), None);

    let is_muted = || fixture.read(|tx| tx.notification_settings().is_muted(guest.id));
    assert!(!is_muted());
    for _ in 0..2 {
        fixture.write(|tx| {
            tx.notification_settings()
                .unsubscribe(Subscriber::Reader(guest.id))?;
            tx.notification_settings()
                .unsubscribe(Subscriber::Account(owner))
        });
    }
    assert!(is_muted());
    let own = |id| fixture.read(|tx| tx.notification_settings().share_notification_mode(id));
    assert_eq!(
        (own(share.id), own(others.id)),
        (None, Some(NotificationMode::AtOnce))
    );
    let mode = |user| fixture.read(|tx| tx.notification_settings().notification_mode(user));
    assert_eq!(mode(owner), NotificationMode::Never);
    assert_eq!(mode(other), NotificationMode::AtOnce);
}

fn cleanup_removes_old_notices_and_tokens(fixture: &Fixture) {
    let (owner, share, guest) = scene(fixture);
    add(fixture, NoticeKind::Agreed, &share, Some(guest.id), 5);
    add(fixture, NoticeKind::FirstRead, &share, Some(guest.id), 6);
    let tokens = [token(), token()];
    fixture.write(|tx| {
        tx.notification_settings().add_unsubscribe_token(
            &tokens[0],
            Subscriber::Account(owner),
            at(5),
        )?;
        tx.notification_settings().add_unsubscribe_token(
            &tokens[1],
            Subscriber::Account(owner),
            at(6),
        )
    });
    assert_eq!(
        fixture.write(|tx| tx.notices().delete_old_notices(at(6))),
        2
    );
    assert_eq!(listed(fixture, owner).len(), 1);
    let whose = |token| fixture.read(|tx| tx.notification_settings().subscriber(&token));
    assert_eq!(whose(tokens[0]), None);
    assert!(whose(tokens[1]).is_some());
}
