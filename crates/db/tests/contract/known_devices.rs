//! Browsers that accounts have signed in with.

use ideavault_domain::device::{DEVICE_LIFETIME, DEVICES_MAX, KnownDevice};
use ideavault_domain::ids::UserId;
use ideavault_domain::token::TokenHash;

use crate::support::{Fixture, at, on_both_databases, race, token};

on_both_databases!(
    a_device_is_known_from_its_second_login,
    a_device_unused_for_its_lifetime_is_not_known,
    a_device_is_known_to_each_account_separately,
    concurrent_logins_have_one_first_login,
    a_renewed_key_replaces_the_former_one_for_every_account,
    exceeding_the_maximum_deletes_the_least_recently_used_device,
    deleting_devices_keeps_the_given_one_and_other_accounts,
    cleanup_deletes_unused_devices,
);

fn note(fixture: &Fixture, user: UserId, key_hash: TokenHash, minute: i64) -> bool {
    let device = KnownDevice {
        user,
        key_hash,
        last_seen_at: at(minute),
    };
    fixture.write(|tx| tx.known_devices().record_device(&device))
}

fn a_device_is_known_from_its_second_login(fixture: &Fixture) {
    let (user, key) = (fixture.add_user().id, token());
    assert!(!note(fixture, user, key, 1));
    assert!(note(fixture, user, key, 2));
    assert!(!note(fixture, user, token(), 2));
}

fn a_device_unused_for_its_lifetime_is_not_known(fixture: &Fixture) {
    let (user, key) = (fixture.add_user().id, token());
    let lifetime = DEVICE_LIFETIME.num_minutes();
    assert!(!note(fixture, user, key, 0));
    assert!(note(fixture, user, key, lifetime));
    assert!(!note(fixture, user, key, 2 * lifetime + 1));
}

fn a_device_is_known_to_each_account_separately(fixture: &Fixture) {
    let key = token();
    for user in [fixture.add_user().id, fixture.add_user().id] {
        assert!(!note(fixture, user, key, 1));
        assert!(note(fixture, user, key, 1));
    }
}

fn a_renewed_key_replaces_the_former_one_for_every_account(fixture: &Fixture) {
    let users = [fixture.add_user().id, fixture.add_user().id];
    let stranger = fixture.add_user().id;
    let (former, renewed) = (token(), token());
    for user in users {
        note(fixture, user, former, 1);
    }
    for key in [former, token()] {
        fixture.write(|tx| tx.known_devices().renew_device_key(&key, &renewed));
    }
    for user in users {
        assert!(note(fixture, user, renewed, 2));
        assert!(!note(fixture, user, former, 2));
    }
    assert!(!note(fixture, stranger, renewed, 2));
}

fn concurrent_logins_have_one_first_login(fixture: &Fixture) {
    let (user, key) = (fixture.add_user().id, token());
    let known = race(8, |_| note(fixture, user, key, 1));
    assert_eq!(known.iter().filter(|known| !**known).count(), 1);
}

fn exceeding_the_maximum_deletes_the_least_recently_used_device(fixture: &Fixture) {
    let (user, other) = (fixture.add_user().id, fixture.add_user().id);
    let others = token();
    note(fixture, other, others, 0);
    let keys: Vec<_> = (0..DEVICES_MAX).map(|_| token()).collect();
    for (minute, key) in (1..).zip(&keys) {
        assert!(!note(fixture, user, *key, minute));
    }
    // The first was seen again and is no longer the least recently seen.
    assert!(note(fixture, user, keys[0], 100));
    assert!(!note(fixture, user, token(), 101));
    assert_eq!(fixture.count("known_devices"), DEVICES_MAX + 1);
    assert!(note(fixture, user, keys[0], 102));
    assert!(note(fixture, user, keys[2], 102));
    assert!(!note(fixture, user, keys[1], 102));
    assert!(note(fixture, other, others, 102));
}

fn deleting_devices_keeps_the_given_one_and_other_accounts(fixture: &Fixture) {
    let (user, other) = (fixture.add_user().id, fixture.add_user().id);
    let (kept, gone, others) = (token(), token(), token());
    note(fixture, user, kept, 1);
    note(fixture, user, gone, 1);
    note(fixture, other, others, 1);
    fixture.write(|tx| tx.known_devices().delete_devices(user, Some(&kept)));
    assert!(note(fixture, user, kept, 2));
    assert!(!note(fixture, user, gone, 2));
    fixture.write(|tx| tx.known_devices().delete_devices(user, None));
    assert!(!note(fixture, user, kept, 3));
    assert!(note(fixture, other, others, 3));
}

fn cleanup_deletes_unused_devices(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let (old, fresh) = (token(), token());
    note(fixture, user, old, 9);
    note(fixture, user, fresh, 10);
    assert_eq!(
        fixture.write(|tx| tx.known_devices().delete_unused_devices(at(10))),
        1
    );
    assert!(note(fixture, user, fresh, 11));
    assert!(!note(fixture, user, old, 11));
}
