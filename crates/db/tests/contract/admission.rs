use ideavault_domain::Timestamp;
use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::email::Email;
use ideavault_domain::text::{PersonName, Profession};
use ideavault_domain::token::TokenHash;

use crate::support::{Fixture, at, on_both_databases, race, token};

on_both_databases!(
    the_waitlist_is_listed_in_the_order_of_joining,
    joining_again_keeps_the_entry,
    concurrent_entries_of_one_address_keep_one,
    an_invitation_is_taken_once_by_its_recipient,
    concurrent_registrations_take_an_invitation_once,
    inviting_again_invalidates_the_previous_token,
    cleanup_removes_expired_invitations,
    an_invitation_is_announced_once,
    inviting_again_asks_for_another_mail,
    concurrent_servers_announce_an_invitation_once,
);

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn entry(address: &str, joined_at: Timestamp) -> WaitlistEntry {
    WaitlistEntry {
        name: PersonName::from_stored("Ådå \"Bobby\" O'Tables; 小明 🫖".into()),
        email: email(address),
        profession: Profession::parse("=Poet, \"mostly\"").unwrap(),
        joined_at,
    }
}

fn join(fixture: &Fixture, entry: &WaitlistEntry) -> bool {
    fixture.write(|tx| tx.waitlist().join_waitlist(entry))
}

fn waiting(fixture: &Fixture) -> Vec<WaitlistEntry> {
    fixture.read(|tx| tx.waitlist().waitlist())
}

fn unannounced(fixture: &Fixture) -> Vec<Email> {
    fixture.read(|tx| tx.invitations().unannounced_invitations())
}

fn announce(fixture: &Fixture, email: &Email) -> bool {
    announce_with(fixture, email, &token())
}

/// Announces an invitation with a token that is valid from minute 5 to minute 60.
fn announce_with(fixture: &Fixture, email: &Email, token: &TokenHash) -> bool {
    fixture.write(|tx| {
        tx.invitations()
            .announce_invitation(email, token, at(5), at(60))
    })
}

fn take(fixture: &Fixture, token: &TokenHash, email: &Email, minute: i64) -> bool {
    let now = at(minute);
    let live = fixture.read(|tx| tx.invitations().invitation_is_live(token, email, now));
    let taken = fixture.write(|tx| tx.invitations().consume_invitation(token, email, now));
    assert_eq!(live, taken);
    taken
}

fn the_waitlist_is_listed_in_the_order_of_joining(fixture: &Fixture) {
    assert_eq!(waiting(fixture), []);
    let late = entry("late@example.org", at(2));
    let second = entry("a-second@example.org", at(1));
    let third = entry("a-third@example.org", at(1));
    for entry in [&late, &second, &third] {
        assert!(join(fixture, entry));
    }
    assert_eq!(waiting(fixture), [second, third, late]);
}

fn joining_again_keeps_the_entry(fixture: &Fixture) {
    let first = entry("ada@example.org", at(1));
    assert!(join(fixture, &first));
    let again = WaitlistEntry {
        name: PersonName::from_stored("Eve".into()),
        joined_at: at(2),
        ..first.clone()
    };
    assert!(!join(fixture, &again));
    assert_eq!(waiting(fixture), [first]);
}

fn concurrent_entries_of_one_address_keep_one(fixture: &Fixture) {
    let joined = race(8, |index| {
        let minute = i64::try_from(index).unwrap();
        join(fixture, &entry("ada@example.org", at(minute)))
    });
    assert_eq!(joined.into_iter().filter(|joined| *joined).count(), 1);
    assert_eq!(waiting(fixture).len(), 1);
}

fn an_invitation_is_taken_once_by_its_recipient(fixture: &Fixture) {
    let (ada, eve) = (email("ada@example.org"), email("eve@example.org"));
    let (hers, other) = (token(), token());
    fixture.write(|tx| tx.invitations().invite(&ada, at(1)));
    // Before its email is queued, the invitation has no token.
    assert!(!take(fixture, &hers, &ada, 6));
    assert!(announce_with(fixture, &ada, &hers));
    assert!(!take(fixture, &hers, &eve, 6));
    assert!(!take(fixture, &other, &ada, 6));
    assert!(!take(fixture, &hers, &ada, 60));
    assert!(take(fixture, &hers, &ada, 59));
    assert!(!take(fixture, &hers, &ada, 59));
}

fn concurrent_registrations_take_an_invitation_once(fixture: &Fixture) {
    let (ada, hers) = (email("ada@example.org"), token());
    fixture.write(|tx| tx.invitations().invite(&ada, at(1)));
    assert!(announce_with(fixture, &ada, &hers));
    let taken = race(8, |_| {
        fixture.write(|tx| tx.invitations().consume_invitation(&hers, &ada, at(6)))
    });
    assert_eq!(taken.into_iter().filter(|taken| *taken).count(), 1);
}

fn inviting_again_invalidates_the_previous_token(fixture: &Fixture) {
    let (ada, former, newest) = (email("ada@example.org"), token(), token());
    fixture.write(|tx| tx.invitations().invite(&ada, at(1)));
    assert!(announce_with(fixture, &ada, &former));
    fixture.write(|tx| tx.invitations().invite(&ada, at(2)));
    assert!(!take(fixture, &former, &ada, 6));
    assert!(announce_with(fixture, &ada, &newest));
    assert!(!take(fixture, &former, &ada, 6));
    assert!(take(fixture, &newest, &ada, 6));
}

fn cleanup_removes_expired_invitations(fixture: &Fixture) {
    let (ada, bob) = (email("ada@example.org"), email("bob@example.org"));
    fixture.write(|tx| tx.invitations().invite(&ada, at(1)));
    assert!(announce(fixture, &ada));
    fixture.write(|tx| tx.invitations().invite(&bob, at(1)));
    assert_eq!(
        fixture.write(|tx| tx.invitations().delete_expired_invitations(at(59))),
        0
    );
    assert_eq!(
        fixture.write(|tx| tx.invitations().delete_expired_invitations(at(60))),
        1
    );
    assert_eq!(unannounced(fixture), [bob]);
}

fn an_invitation_is_announced_once(fixture: &Fixture) {
    let (ada, bob) = (email("ada@example.org"), email("bob@example.org"));
    fixture.write(|tx| tx.invitations().invite(&bob, at(1)));
    fixture.write(|tx| tx.invitations().invite(&ada, at(2)));
    assert_eq!(unannounced(fixture), [bob.clone(), ada.clone()]);
    assert!(announce(fixture, &bob));
    assert!(!announce(fixture, &bob));
    assert_eq!(unannounced(fixture), [ada]);
    assert!(!announce(fixture, &email("nobody@example.org")));
}

fn inviting_again_asks_for_another_mail(fixture: &Fixture) {
    let ada = email("ada@example.org");
    for minute in [1, 2] {
        fixture.write(|tx| tx.invitations().invite(&ada, at(minute)));
        assert_eq!(unannounced(fixture), std::slice::from_ref(&ada));
        assert!(announce(fixture, &ada));
    }
    assert_eq!(fixture.count("invitations"), 1);
}

fn concurrent_servers_announce_an_invitation_once(fixture: &Fixture) {
    let ada = email("ada@example.org");
    fixture.write(|tx| tx.invitations().invite(&ada, at(1)));
    let announced = race(8, |_| announce(fixture, &ada));
    assert_eq!(announced.into_iter().filter(|told| *told).count(), 1);
}
