use ideavault_domain::Timestamp;
use ideavault_domain::admission::WaitlistEntry;
use ideavault_domain::email::Email;
use ideavault_domain::text::{PersonName, Profession};

use crate::support::{Fixture, at, on_both_databases, race};

on_both_databases!(
    the_waitlist_comes_back_in_the_order_of_joining,
    whoever_joins_again_is_kept_as_they_were,
    of_racing_entries_of_one_address_one_is_kept,
    only_who_was_invited_is_invited,
    an_invitation_is_announced_once,
    inviting_again_asks_for_another_mail,
    of_racing_servers_one_announces_an_invitation,
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
    fixture.write(|session| session.join_waitlist(entry))
}

fn waiting(fixture: &Fixture) -> Vec<WaitlistEntry> {
    fixture.read(|session| session.waitlist())
}

fn unannounced(fixture: &Fixture) -> Vec<Email> {
    fixture.read(|session| session.unannounced_invitations())
}

fn announce(fixture: &Fixture, email: &Email) -> bool {
    fixture.write(|session| session.announce_invitation(email, at(5)))
}

fn the_waitlist_comes_back_in_the_order_of_joining(fixture: &Fixture) {
    assert_eq!(waiting(fixture), []);
    let late = entry("late@example.org", at(2));
    let second = entry("a-second@example.org", at(1));
    let third = entry("a-third@example.org", at(1));
    for entry in [&late, &second, &third] {
        assert!(join(fixture, entry));
    }
    assert_eq!(waiting(fixture), [second, third, late]);
}

fn whoever_joins_again_is_kept_as_they_were(fixture: &Fixture) {
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

fn of_racing_entries_of_one_address_one_is_kept(fixture: &Fixture) {
    let joined = race(8, |index| {
        let minute = i64::try_from(index).unwrap();
        join(fixture, &entry("ada@example.org", at(minute)))
    });
    assert_eq!(joined.into_iter().filter(|joined| *joined).count(), 1);
    assert_eq!(waiting(fixture).len(), 1);
}

fn only_who_was_invited_is_invited(fixture: &Fixture) {
    let (ada, eve) = (email("ada@example.org"), email("eve@example.org"));
    fixture.write(|session| session.invite(&ada, at(1)));
    assert!(fixture.read(|session| session.is_invited(&ada)));
    assert!(!fixture.read(|session| session.is_invited(&eve)));
}

fn an_invitation_is_announced_once(fixture: &Fixture) {
    let (ada, bob) = (email("ada@example.org"), email("bob@example.org"));
    fixture.write(|session| session.invite(&bob, at(1)));
    fixture.write(|session| session.invite(&ada, at(2)));
    assert_eq!(unannounced(fixture), [bob.clone(), ada.clone()]);
    assert!(announce(fixture, &bob));
    assert!(!announce(fixture, &bob));
    assert_eq!(unannounced(fixture), [ada]);
    assert!(fixture.read(|session| session.is_invited(&bob)));
    assert!(!announce(fixture, &email("nobody@example.org")));
}

fn inviting_again_asks_for_another_mail(fixture: &Fixture) {
    let ada = email("ada@example.org");
    for minute in [1, 2] {
        fixture.write(|session| session.invite(&ada, at(minute)));
        assert_eq!(unannounced(fixture), std::slice::from_ref(&ada));
        assert!(announce(fixture, &ada));
    }
    assert_eq!(fixture.count("invitations"), 1);
}

fn of_racing_servers_one_announces_an_invitation(fixture: &Fixture) {
    let ada = email("ada@example.org");
    fixture.write(|session| session.invite(&ada, at(1)));
    let announced = race(8, |_| announce(fixture, &ada));
    assert_eq!(announced.into_iter().filter(|told| *told).count(), 1);
}
