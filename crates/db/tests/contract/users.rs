use ideavault_domain::account::{PasswordHash, SessionEpoch, User};
use ideavault_domain::email::Email;
use ideavault_domain::ids::UserId;
use ideavault_domain::ports::Credentials;
use ideavault_domain::text::PersonName;

use crate::support::{Fixture, bytes, on_both_databases, password_hash, race, user};

on_both_databases!(
    an_account_is_found_by_its_id_and_by_its_email,
    an_unknown_account_is_not_found,
    a_taken_address_adds_nothing,
    concurrent_registrations_of_one_address_have_one_winner,
    a_profile_image_is_replaced,
);

fn an_account_is_found_by_its_id_and_by_its_email(fixture: &Fixture) {
    let user = User {
        profile_image: Some("/api/files/7".into()),
        name: PersonName::from_stored("Ådå \"Bobby\" O'Tables; 小明 🫖".into()),
        ..user()
    };
    assert!(fixture.write(|tx| tx.users().add_user(&user, &password_hash())));

    let (by_id, by_email) = fixture.read(|tx| {
        Ok((
            tx.users().user(user.id)?,
            tx.users().credentials(&user.email)?,
        ))
    });
    assert_eq!(by_id.as_ref(), Some(&user));
    assert_eq!(
        by_email,
        Some(Credentials {
            user,
            password_hash: password_hash(),
            epoch: SessionEpoch::default(),
        })
    );
}

fn an_unknown_account_is_not_found(fixture: &Fixture) {
    let stranger = UserId::from_random(bytes());
    let email = Email::parse("nobody@example.org").unwrap();
    assert_eq!(fixture.read(|tx| tx.users().user(stranger)), None);
    assert_eq!(fixture.read(|tx| tx.users().credentials(&email)), None);
}

fn a_taken_address_adds_nothing(fixture: &Fixture) {
    let first = fixture.add_user();
    let second = User {
        email: first.email.clone(),
        ..user()
    };
    let other_hash = PasswordHash::new("$argon2id$v=19$other".into());

    assert!(!fixture.write(|tx| tx.users().add_user(&second, &other_hash)));

    assert_eq!(fixture.read(|tx| tx.users().user(second.id)), None);
    let kept = fixture.read(|tx| tx.users().credentials(&first.email));
    assert_eq!(kept.unwrap().password_hash, password_hash());
}

fn concurrent_registrations_of_one_address_have_one_winner(fixture: &Fixture) {
    let email = Email::parse("race@example.org").unwrap();
    let added = race(16, |_| {
        let user = User {
            email: email.clone(),
            ..user()
        };
        fixture.write(|tx| tx.users().add_user(&user, &password_hash()))
    });
    assert_eq!(added.into_iter().filter(|added| *added).count(), 1);
    assert_eq!(fixture.count("users"), 1);
}

fn a_profile_image_is_replaced(fixture: &Fixture) {
    let (changed, other) = (fixture.add_user(), fixture.add_user());
    for path in ["/api/files/1", "/api/files/2"] {
        assert!(fixture.write(|tx| tx.users().set_profile_image(changed.id, path)));
        let expected = User {
            profile_image: Some(path.into()),
            ..changed.clone()
        };
        let found = fixture.read(|tx| tx.users().user(changed.id));
        assert_eq!(found, Some(expected));
    }
    assert_eq!(fixture.read(|tx| tx.users().user(other.id)), Some(other));
    let stranger = UserId::from_random(bytes());
    assert!(!fixture.write(|tx| tx.users().set_profile_image(stranger, "/x")));
}
