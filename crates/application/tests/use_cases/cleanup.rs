use std::sync::Arc;

use chrono::Duration;
use ideavault_application::cleanup::{Cleanup, CleanupReport};
use ideavault_domain::Timestamp;
use ideavault_domain::account::{EmailConfirmation, PasswordReset};
use ideavault_domain::audit::{AuditEntry, AuditKind, AuditRetention};
use ideavault_domain::code::{CodeHash, EmailCode};
use ideavault_domain::device::KnownDevice;
use ideavault_domain::email::Email;
use ideavault_domain::file::MediaType;
use ideavault_domain::ids::{FileId, UserId};
use ideavault_domain::notice::{NewNotice, NoticeKind};
use ideavault_domain::ports::StoredBytes;
use ideavault_domain::rate_limit::CountKey;

use crate::storage::MockStorage;
use crate::support::{at, bytes, full_access, token};
use crate::vault::{Disturbance, Vault, now, origin};

fn cleanup(vault: &Arc<Vault>, storage: MockStorage) -> Cleanup<Vault> {
    let audit = AuditRetention::default();
    Cleanup::new(Arc::clone(vault), vault.clock(), Arc::new(storage), audit)
}

/// A storage with these files, each as old as it says, in seconds.
fn holding(files: &[(FileId, i64)]) -> MockStorage {
    let mut storage = MockStorage::new();
    let unfinished = storage.expect_remove_unfinished();
    unfinished.returning(|before| Ok(usize::from(before == now() - Duration::hours(25))));
    let mut all: Vec<StoredBytes> = files
        .iter()
        .map(|(id, age)| StoredBytes {
            id: *id,
            since: now() - Duration::seconds(*age),
        })
        .collect();
    all.sort_by_key(|file| file.id);
    // Two at a time, so that there are pages.
    storage.expect_list().returning(move |after, _| {
        let rest = all
            .iter()
            .filter(|file| after.is_none_or(|id| file.id > id));
        Ok(rest.take(2).copied().collect())
    });
    storage
}

#[test]
fn only_old_files_without_a_row_are_discarded() {
    let vault = Vault::new();
    let owner = vault.add_user().id;
    let known = vault.add_file(owner, MediaType::Png, at(0)).id;
    let fresh = vault.add_file(owner, MediaType::Png, at(0)).id;
    let [old, older, young] = [(); 3].map(|()| FileId::from_random(bytes()));
    let mut storage = holding(&[
        (known, 99_999),
        (old, 90_001),
        (older, 99_999),
        (young, 90_000),
        (fresh, 0),
    ]);
    for orphan in [old, older] {
        let discarded = storage.expect_discard().withf(move |id| *id == orphan);
        discarded.times(1).returning(|_| ());
    }
    let report = cleanup(&vault, storage).remove_orphans(true).unwrap();
    let expected = CleanupReport {
        unfinished: 1,
        orphans: 2,
        spared: 0,
    };
    assert_eq!(report, expected);
}

#[test]
fn no_file_is_discarded_if_the_database_may_be_the_wrong_one() {
    let vault = Vault::new();
    let orphans = [(); 2].map(|()| (FileId::from_random(bytes()), 99_999));
    // It lists none of them, is an older copy, or the storage is empty.
    let none = cleanup(&vault, holding(&orphans)).remove_orphans(true);
    assert_eq!(none.unwrap().spared, 2);
    let known = vault
        .add_file(vault.add_user().id, MediaType::Png, at(0))
        .id;
    let files = [orphans.as_slice(), &[(known, 99_999)]].concat();
    let older = cleanup(&vault, holding(&files)).remove_orphans(false);
    assert_eq!(older.unwrap().spared, 2);
    let empty = cleanup(&vault, holding(&[])).remove_orphans(true).unwrap();
    assert_eq!((empty.orphans, empty.spared), (0, 0));
}

#[test]
fn expired_rows_are_deleted() {
    let vault = Vault::new();
    let user = vault.add_confirmed();
    let guest = vault.add_guest(&vault.add_share(vault.add_idea(user.id).id, full_access()));
    let invited = Email::parse("grace@example.org").unwrap();
    let end = at(60);
    vault.write(|tx| {
        let code = EmailCode::new(guest.id, CodeHash::from_bytes(bytes()), at(50));
        assert_eq!(code.expires_at, end);
        tx.codes().replace_code(&code)?;
        tx.account_changes()
            .replace_password_reset(&PasswordReset {
                user: user.id,
                token_hash: token(),
                requested_at: at(0),
                expires_at: end,
            })?;
        tx.email_confirmations()
            .replace_email_confirmation(&EmailConfirmation {
                user: user.id,
                token_hash: token(),
                requested_at: at(0),
                expires_at: end,
            })?;
        tx.invitations().invite(&invited, at(0))?;
        tx.invitations()
            .announce_invitation(&invited, &token(), at(0), end)?;
        let key = CountKey::from_bytes(bytes());
        tx.limit_counts().count_event(&key, at(0), end, 9)
    });
    let deleted_at = |time| {
        vault.clock.set(time);
        cleanup(&vault, MockStorage::new())
            .delete_expired()
            .unwrap()
    };
    assert_eq!(deleted_at(end - Duration::seconds(1)), 0);
    assert_eq!(deleted_at(end), 5);
}

#[test]
fn sessions_devices_and_notices_are_deleted_at_the_end_of_their_lives() {
    let vault = Vault::new();
    let (user, _) = vault.signed_in();
    let share = vault.add_share(vault.add_idea(user.id).id, full_access());
    vault.write(|tx| {
        tx.known_devices().record_device(&KnownDevice {
            user: user.id,
            key_hash: token(),
            last_seen_at: now(),
        })?;
        tx.notices().add_notice(&NewNotice {
            kind: NoticeKind::UsedUp,
            share: share.id,
            recipient: None,
            at: now(),
        })
    });
    let deleted_at = |time: Timestamp| {
        vault.clock.set(time);
        let cleanup = cleanup(&vault, MockStorage::new());
        [
            cleanup.delete_expired_sessions().unwrap(),
            cleanup.delete_old_notices().unwrap(),
            cleanup.delete_unused_devices().unwrap(),
        ]
    };
    let second = Duration::seconds(1);
    for (life, deleted) in [
        (Duration::hours(12), [1, 0, 0]),
        (Duration::days(90), [0, 1, 0]),
        (Duration::days(180), [0, 0, 1]),
    ] {
        assert_eq!(deleted_at(now() + life - second), [0, 0, 0]);
        assert_eq!(deleted_at(now() + life + second), deleted);
    }
}

#[test]
fn a_session_is_deleted_a_week_after_its_begin_although_it_is_used() {
    let vault = Vault::new();
    let end = at(0) + Duration::days(7);
    vault.sign_in(&vault.add_confirmed(), end - Duration::hours(1));
    let deleted_at = |time| {
        vault.clock.set(time);
        let cleanup = cleanup(&vault, MockStorage::new());
        cleanup.delete_expired_sessions().unwrap()
    };
    assert_eq!(deleted_at(end - Duration::seconds(1)), 0);
    assert_eq!(deleted_at(end + Duration::seconds(1)), 1);
}

/// Records that many entries of that time.
fn record(vault: &Vault, count: usize, at: Timestamp) {
    vault.write(|tx| {
        let user = UserId::from_random(bytes());
        let entry = AuditEntry::by(user, AuditKind::LoggedIn, at, origin());
        (0..count).try_for_each(|_| tx.audit().record(&entry))
    });
}

#[test]
fn the_audit_trail_is_kept_as_long_as_the_operator_says() {
    let days = |days| Some(Duration::days(days));
    for (entries, addresses, left, with_address) in [
        (None, None, 3, 3),
        (days(20), None, 2, 2),
        (None, days(10), 3, 1),
        (days(20), days(10), 2, 1),
        // Nothing of those that are gone is left.
        (days(10), days(20), 1, 1),
    ] {
        let vault = Vault::new();
        for age in [30, 15, 5] {
            record(&vault, 1, now() - Duration::days(age));
        }
        let retention = AuditRetention { entries, addresses };
        let storage = Arc::new(MockStorage::new());
        let cleanup = Cleanup::new(Arc::clone(&vault), vault.clock(), storage, retention);
        let removed = cleanup.remove_old_audit().unwrap();
        let kept = vault.read(|tx| tx.audit().audit(None, 10));
        let whole = kept.iter().filter(|entry| entry.origin.is_some()).count();
        assert_eq!((kept.len(), whole), (left, with_address), "{retention:?}");
        assert_eq!(removed, (3 - left) + (left - with_address));
        assert_eq!(cleanup.remove_old_audit().unwrap(), 0);
    }
}

#[test]
fn a_long_audit_trail_is_shortened_in_parts() {
    let vault = Vault::new();
    record(&vault, 2_500, now() - Duration::days(30));
    record(&vault, 1, now());
    let retention = AuditRetention {
        entries: Some(Duration::days(7)),
        addresses: None,
    };
    let storage = Arc::new(MockStorage::new());
    let cleanup = Cleanup::new(Arc::clone(&vault), vault.clock(), storage, retention);
    let before = vault.writes();
    // The second part fails, and the first one stays done.
    vault.overtake(|_| {});
    vault.disturb(Disturbance::Full);
    cleanup.remove_old_audit().unwrap_err();
    assert_eq!(vault.count("audit_entries"), 1_501);
    assert_eq!(cleanup.remove_old_audit().unwrap(), 1_500);
    assert_eq!(vault.count("audit_entries"), 1);
    // Two that were begun at first, two with something to do, and one that finds nothing.
    assert_eq!(vault.writes() - before, 5);
}
