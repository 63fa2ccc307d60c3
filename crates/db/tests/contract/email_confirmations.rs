//! Links that confirm the address of an account.

use ideavault_domain::account::{ConfirmationAttempt, EmailConfirmation};
use ideavault_domain::ids::UserId;
use ideavault_domain::token::TokenHash;

use crate::support::{Fixture, at, bytes, on_both_databases, race, token};

on_both_databases!(
    a_link_is_taken_once_and_until_it_ends,
    a_newer_link_replaces_the_one_before,
    of_racing_takers_one_gets_the_link,
    expired_links_are_swept,
    an_address_is_confirmed_once,
    a_notice_of_a_registration_waits_for_its_time,
    of_racing_notices_one_is_noted,
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

fn take(fixture: &Fixture, token: &TokenHash, minute: i64) -> ConfirmationAttempt {
    fixture.write(|tx| {
        tx.email_confirmations()
            .consume_email_confirmation(token, at(minute))
    })
}

fn a_link_is_taken_once_and_until_it_ends(fixture: &Fixture) {
    let (user, other) = (fixture.add_user().id, fixture.add_user().id);
    let (link, late) = (put(fixture, user), put(fixture, other));
    assert_eq!(take(fixture, &token(), 2), ConfirmationAttempt::Denied);
    assert_eq!(take(fixture, &late, 60), ConfirmationAttempt::Denied);
    assert_eq!(take(fixture, &link, 59), ConfirmationAttempt::Taken(user));
    assert_eq!(take(fixture, &link, 59), ConfirmationAttempt::UsedBefore);
    assert_eq!(take(fixture, &link, 60), ConfirmationAttempt::Denied);
}

fn a_newer_link_replaces_the_one_before(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let used = put(fixture, user);
    assert_eq!(take(fixture, &used, 2), ConfirmationAttempt::Taken(user));
    let former = put(fixture, user);
    let newest = put(fixture, user);
    for dead in [used, former] {
        assert_eq!(take(fixture, &dead, 2), ConfirmationAttempt::Denied);
    }
    assert_eq!(take(fixture, &newest, 2), ConfirmationAttempt::Taken(user));
    assert_eq!(fixture.count("email_confirmations"), 1);
}

fn of_racing_takers_one_gets_the_link(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let link = put(fixture, user);
    let attempts = race(8, |_| take(fixture, &link, 2));
    let taken = |attempt: &&ConfirmationAttempt| **attempt == ConfirmationAttempt::Taken(user);
    assert_eq!(attempts.iter().filter(taken).count(), 1);
    let used = |attempt: &&ConfirmationAttempt| **attempt == ConfirmationAttempt::UsedBefore;
    assert_eq!(attempts.iter().filter(used).count(), 7);
}

fn expired_links_are_swept(fixture: &Fixture) {
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

fn a_notice_of_a_registration_waits_for_its_time(fixture: &Fixture) {
    let (user, other) = (fixture.add_user().id, fixture.add_user().id);
    assert!(note(fixture, user, 1));
    assert!(!note(fixture, user, 10));
    assert!(note(fixture, other, 10));
    assert!(note(fixture, user, 11));
    assert!(!note(fixture, user, 20));
}

fn of_racing_notices_one_is_noted(fixture: &Fixture) {
    let user = fixture.add_user().id;
    let noted = race(8, |_| note(fixture, user, 1));
    assert_eq!(noted.into_iter().filter(|noted| *noted).count(), 1);
}
