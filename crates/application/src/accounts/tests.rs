use ideavault_domain::account::PasswordHash;
use ideavault_domain::ports::Credentials;

use super::*;
use crate::testing::{
    MockPasswords, MockStore, Nines, StoppedClock, ada, at, origin, owner, records,
};

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
        },
    );
    let form = SignUp {
        name: " Ada ",
        email: " ADA@example.org",
        password: "secret",
    };
    accounts(store, hashing()).register(form).unwrap();
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
    let error = accounts(store, hashing()).register(form).unwrap_err();
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
        match accounts.register(form) {
            Err(AccountError::Invalid(invalid)) => assert_eq!(invalid.field, field),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_wrong_password_and_an_unknown_address_fail_alike_and_both_do_the_hashing_work() {
    for known in [true, false] {
        let store = MockStore::new(
            |reads| {
                reads.expect_credentials().returning(move |_| {
                    Ok(known.then(|| Credentials {
                        user: ada(),
                        password_hash: PasswordHash::new("stored".into()),
                    }))
                });
            },
            |_| {},
        );
        let mut passwords = MockPasswords::new();
        passwords
            .expect_verify()
            .withf(move |_, hash| hash.is_some() == known)
            .times(1)
            .returning(|_, _| Ok(false));
        let error = accounts(store, passwords)
            .log_in("ada@example.org", "wrong-password", origin())
            .unwrap_err();
        assert!(matches!(error, AccountError::WrongCredentials));
    }
}

#[test]
fn the_right_password_signs_in() {
    let store = MockStore::new(
        |reads| {
            reads.expect_credentials().returning(|_| {
                Ok(Some(Credentials {
                    user: ada(),
                    password_hash: PasswordHash::new("stored".into()),
                }))
            });
        },
        |writes| records(writes, AuditKind::LoggedIn),
    );
    let mut passwords = MockPasswords::new();
    passwords.expect_verify().returning(|_, _| Ok(true));
    let user = accounts(store, passwords)
        .log_in(" Ada@Example.org ", "secret", origin())
        .unwrap();
    assert_eq!(user, ada());
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
            },
        );
        let passwords = if invited {
            hashing()
        } else {
            MockPasswords::new()
        };
        let accounts = accounts_in(RegistrationMode::Invite, store, passwords);
        match accounts.register(GRACE) {
            Ok(user) => assert!(invited, "{user:?}"),
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
    let error = accounts.register(GRACE).unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Forbidden(_)));
}
