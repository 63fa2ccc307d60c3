use ideavault_domain::account::PasswordHash;

use super::*;
use crate::testing::{MockPasswords, MockStore, Nines, StoppedClock, ada, at, owner};

fn accounts(store: Arc<MockStore>, passwords: MockPasswords) -> Accounts<MockStore> {
    accounts_in(RegistrationMode::Open, store, passwords)
}

fn accounts_in(
    registration: RegistrationMode,
    store: Arc<MockStore>,
    passwords: MockPasswords,
) -> Accounts<MockStore> {
    Accounts::new(
        store,
        Arc::new(StoppedClock),
        Arc::new(Nines),
        Arc::new(passwords),
        registration,
    )
}

fn hashing() -> MockPasswords {
    let mut passwords = MockPasswords::new();
    passwords
        .expect_hash()
        .returning(|password| Ok(PasswordHash::new(format!("hash of {}", password.reveal()))));
    passwords
}

#[test]
fn registering_stores_the_parsed_account_and_only_a_hash() {
    let store = MockStore::new(
        |_| {},
        |writes| {
            writes
                .expect_add_user()
                .withf(|user, hash| {
                    user.email.as_str() == "ada@example.org"
                        && user.name.as_str() == "Ada"
                        && user.created_at == at(0)
                        && hash.as_str() == "hash of secret"
                })
                .times(1)
                .returning(|_, _| Ok(true));
            // The browser that registers is one that the owner knows.
            writes
                .expect_note_device()
                .withf(|device| {
                    device.key_hash == Token::from_random([9; 32]).hash()
                        && device.last_seen_at == at(0)
                })
                .times(1)
                .returning(|_| Ok(false));
        },
    );
    let form = SignUp {
        name: " Ada ",
        email: " ADA@example.org",
        password: "secret",
    };
    accounts(store, hashing()).register(form, None).unwrap();
}

#[test]
fn a_taken_address_is_a_conflict() {
    let store = MockStore::new(
        |_| {},
        |writes| {
            writes.expect_add_user().returning(|_, _| Ok(false));
        },
    );
    let form = SignUp {
        name: "Ada",
        email: "ada@example.org",
        password: "secret",
    };
    let error = accounts(store, hashing()).register(form, None).unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Conflict(_)));
}

#[test]
fn nothing_is_hashed_or_stored_when_a_field_is_wrong() {
    let store = MockStore::new(|_| {}, |_| {});
    let accounts = accounts(store, MockPasswords::new());
    for (name, email, password, field) in [
        ("A", "ada@example.org", "secret", "name"),
        ("Ada", "ada", "secret", "email"),
        ("Ada", "ada@example.org", "short", "password"),
    ] {
        let form = SignUp {
            name,
            email,
            password,
        };
        match accounts.register(form, None) {
            Err(AccountError::Invalid(invalid)) => assert_eq!(invalid.field, field),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_new_name_is_parsed_like_the_first() {
    let store = MockStore::new(
        |_| {},
        |writes| {
            writes
                .expect_rename_user()
                .withf(|user, name| *user == owner() && name.as_str() == "Ada King")
                .times(1)
                .returning(|_, name| {
                    Ok(Some(User {
                        name: name.clone(),
                        ..ada()
                    }))
                });
        },
    );
    let accounts = accounts(store, MockPasswords::new());
    let renamed = accounts.rename(owner(), " Ada King ").unwrap();
    assert_eq!(renamed.name.as_str(), "Ada King");
    assert!(matches!(
        accounts.rename(owner(), "A"),
        Err(AccountError::Invalid(Invalid { field: "name", .. }))
    ));
}

const GRACE: SignUp<'_> = SignUp {
    name: "Grace",
    email: "Grace@example.org",
    password: "secret",
};

#[test]
fn by_invitation_only_invited_addresses_register() {
    for invited in [true, false] {
        let store = MockStore::new(
            |reads| {
                reads
                    .expect_is_invited()
                    .withf(|email| email.as_str() == "grace@example.org")
                    .returning(move |_| Ok(invited));
            },
            |writes| {
                writes
                    .expect_add_user()
                    .times(usize::from(invited))
                    .returning(|_, _| Ok(true));
                writes.expect_note_device().returning(|_| Ok(false));
            },
        );
        let passwords = if invited {
            hashing()
        } else {
            MockPasswords::new()
        };
        let accounts = accounts_in(RegistrationMode::Invite, store, passwords);
        match accounts.register(GRACE, None) {
            Ok(arrival) => assert!(invited, "{arrival:?}"),
            Err(error) => {
                assert!(!invited);
                assert!(matches!(Failure::from(error), Failure::Forbidden(_)));
            }
        }
    }
}

#[test]
fn while_registration_is_closed_nothing_is_looked_at() {
    let store = MockStore::new(|_| {}, |_| {});
    let accounts = accounts_in(RegistrationMode::Closed, store, MockPasswords::new());
    let error = accounts.register(GRACE, None).unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Forbidden(_)));
}
