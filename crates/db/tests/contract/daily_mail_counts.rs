//! Mails are counted by the day, exactly.

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::daily_caps::{CappedMails, end_of_day};
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::{Database as _, DatabaseError};

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    mails_are_counted_up_to_the_daily_cap,
    accounts_kinds_and_days_are_counted_separately,
    a_rolled_back_transaction_does_not_count,
    concurrent_servers_do_not_exceed_the_cap,
    counts_of_past_days_are_deleted,
);

fn vault() -> CappedMails {
    CappedMails::InvitationsOfVault(UserId::from_random([1; 16]))
}

fn of(account: u8) -> CappedMails {
    CappedMails::Invitations(UserId::from_random([account; 16]))
}

fn codes(account: u8) -> CappedMails {
    CappedMails::CodesOfOwner(UserId::from_random([account; 16]))
}

fn count(fixture: &Fixture, mails: CappedMails, at: Timestamp) -> bool {
    fixture.write(|tx| tx.daily_mail_counts().count_mail(mails, at, 2))
}

fn mails_are_counted_up_to_the_daily_cap(fixture: &Fixture) {
    let receipts = CappedMails::ReceiptsOfOwner(UserId::from_random([1; 16]));
    for mails in [
        of(1),
        codes(1),
        receipts,
        vault(),
        CappedMails::ConfirmationsOfVault,
    ] {
        let counted = [(); 4].map(|()| count(fixture, mails, at(1)));
        assert_eq!(counted, [true, true, false, false]);
        // A larger cap leaves room again.
        assert!(fixture.write(|tx| tx.daily_mail_counts().count_mail(mails, at(1), 3)));
    }
}

fn accounts_kinds_and_days_are_counted_separately(fixture: &Fixture) {
    let midnight = end_of_day(at(1));
    let last = midnight - Duration::microseconds(1);
    let of_vault = [vault(), CappedMails::ConfirmationsOfVault];
    for mails in [of(1), of(2), codes(1), codes(2)]
        .into_iter()
        .chain(of_vault)
    {
        for time in [last, midnight] {
            let counted = [(); 3].map(|()| count(fixture, mails, time));
            assert_eq!(counted, [true, true, false], "{mails:?} {time}");
        }
    }
}

fn a_rolled_back_transaction_does_not_count(fixture: &Fixture) {
    for _ in 0..3 {
        let undone = fixture.store.write(|tx| {
            assert!(tx.daily_mail_counts().count_mail(vault(), at(1), 2)?);
            Err::<(), _>(DatabaseError::Internal {
                operation: "test",
                source: "on purpose".into(),
            })
        });
        undone.unwrap_err();
    }
    assert!(count(fixture, vault(), at(1)));
}

fn concurrent_servers_do_not_exceed_the_cap(fixture: &Fixture) {
    let counted = race(8, |_| {
        let store = fixture.database.open();
        let count = store.write(|tx| tx.daily_mail_counts().count_mail(vault(), at(1), 3));
        count.unwrap()
    });
    assert_eq!(counted.into_iter().filter(|counted| *counted).count(), 3);
}

fn counts_of_past_days_are_deleted(fixture: &Fixture) {
    let midnight = end_of_day(at(1));
    for mails in [of(1), of(2), vault()] {
        count(fixture, mails, at(1));
        count(fixture, mails, midnight);
    }
    let delete = |before| fixture.write(|tx| tx.daily_mail_counts().delete_old_mail_counts(before));
    assert_eq!(delete(midnight), 0);
    assert_eq!(delete(midnight + Duration::microseconds(1)), 3);
    assert_eq!(fixture.count("daily_mail_counts"), 3);
    assert!(count(fixture, of(1), midnight));
    assert!(!count(fixture, of(1), midnight));
}
