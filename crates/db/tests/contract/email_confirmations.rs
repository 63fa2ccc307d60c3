//! Links that confirm the address of an account.

use ideavault_domain::account::{ConfirmationLink, EmailConfirmation};
use ideavault_domain::ids::UserId;
use ideavault_domain::token::TokenHash;

use crate::support::{Fixture, at, bytes, on_both_databases, race, token};

on_both_databases!(
    a_link_is_taken_once_before_it_expires,
    a_newer_link_replaces_the_previous_one,
    concurrent_confirmations_take_a_link_once,
    cleanup_removes_expired_links,
    an_address_is_confirmed_once,
    notices_of_repeated_registrations_are_limited_per_account,
    concurrent_notices_are_noted_once,
);

/// Stores a link that is valid until minute 60.
fn put(fixture: &Fixture, user: UserId) -> TokenHash {
    let token_hash = token();
    let confirmation = EmailConfirmation {
        user,
        token_hash,
        requested_at: at(1),
        expires_at: at(60),
    };
    fixture.write(|tx| {
        tx.email_confirmations()
            .replace_email_confirmation(&confirmation)
    });
    token_hash
}

/// Takes a link, and asserts that a look at it before agrees.
fn take(fixture: &Fixture, token: &TokenHash, minute: i64) -> ConfirmationLink {
    let look = || {
        fixture.read(|tx| {
            tx.email_confirmations()
                .email_confirmation(token, at(minute))
        })
    };
    let seen = look();
    assert_eq!(look(), seen);
    let taken = take_unseen(fixture, token, minute);
    assert_eq!(taken, seen);
    taken
}

fn take_unseen(fixture: &Fixture, token: &TokenHash, minute: i64) -> ConfirmationLink {
    fixture.write(|tx| {
        tx.email_confirmations()
            .consume_email_confirmation(token, at(minute))
    })
}

fn a_link_is_taken_once_before_it_expires(fixture: &Fixture) {
    let (user, other) = (fixture.add_user().id, fixture.add_user().id);
    let (link, late) = (put(fixture, user), put(fixture, other));
    assert_eq!(take(fixture, &token(), 2), ConfirmationLink::Denied);
    assert_eq!(take(fixture, &late, 60), ConfirmationLink::Denied);
    assert_eq!(take(fixture, &link, 59), ConfirmationLink::Live(user));
    assert_eq!(take(fixture, &link, 59), ConfirmationLink::UsedBefore);
    assert_eq!(take(fixture, &link, 60), ConfirmationLink::Denied);
}

fn a_newer_link_replaces_the_previous_one(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let used = put(fixture, user);
    assert_eq!(take(fixture, &used, 2), ConfirmationLink::Live(user));
    let former = put(fixture, user);
    let newest = put(fixture, user);
    for dead in [used, former] {
        assert_eq!(take(fixture, &dead, 2), ConfirmationLink::Denied);
    }
    assert_eq!(take(fixture, &newest, 2), ConfirmationLink::Live(user));
    assert_eq!(fixture.count("email_confirmations"), 1);
}

fn concurrent_confirmations_take_a_link_once(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let link = put(fixture, user);
    let attempts = race(8, |_| take_unseen(fixture, &link, 2));
    let taken = |attempt: &&ConfirmationLink| **attempt == ConfirmationLink::Live(user);
    assert_eq!(attempts.iter().filter(taken).count(), 1);
    let used = |attempt: &&ConfirmationLink| **attempt == ConfirmationLink::UsedBefore;
    assert_eq!(attempts.iter().filter(used).count(), 7);
}

fn cleanup_removes_expired_links(fixture: &Fixture) {
    put(fixture, fixture.add_user().id);
    let sweep = |minute| {
        fixture.write(|tx| {
            tx.email_confirmations()
                .delete_expired_email_confirmations(at(minute))
        })
    };
    assert_eq!(sweep(59), 0);
    assert_eq!(sweep(60), 1);
}

fn an_address_is_confirmed_once(fixture: &Fixture) {
    let (user, other) = (fixture.add_user(), fixture.add_user());
    let confirm =
        |id, minute| fixture.write(|tx| tx.email_confirmations().confirm_address(id, at(minute)));
    assert!(confirm(user.id, 1));
    assert!(!confirm(user.id, 2));
    assert!(!confirm(UserId::from_random(bytes()), 2));
    let found = |id| fixture.read(|tx| tx.users().user(id)).unwrap();
    assert_eq!(found(user.id).email_confirmed_at, Some(at(1)));
    assert_eq!(found(other.id), other);
}

fn note(fixture: &Fixture, user: UserId, minute: i64) -> bool {
    let (now, last) = (at(minute), at(minute - 10));
    fixture.write(|tx| {
        tx.email_confirmations()
            .try_record_registration_notice(user, now, last)
    })
}

fn notices_of_repeated_registrations_are_limited_per_account(fixture: &Fixture) {
    let (user, other) = (fixture.add_user().id, fixture.add_user().id);
    assert!(note(fixture, user, 1));
    assert!(!note(fixture, user, 10));
    assert!(note(fixture, other, 10));
    assert!(note(fixture, user, 11));
    assert!(!note(fixture, user, 20));
}

fn concurrent_notices_are_noted_once(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let noted = race(8, |_| note(fixture, user, 1));
    assert_eq!(noted.into_iter().filter(|noted| *noted).count(), 1);
}
