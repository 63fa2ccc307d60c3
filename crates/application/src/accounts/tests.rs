use ideavault_domain::account::PasswordHash;
use ideavault_domain::mail::{Mail, QueuedMail};
use ideavault_domain::ports::Credentials;

use super::*;
use crate::testing::{
    MockDatabase, MockPasswords, ada, at, count_key, deps, email_composer, origin, owner, records,
};

fn accounts(database: Arc<MockDatabase>, passwords: MockPasswords) -> Accounts<MockDatabase> {
    accounts_in(RegistrationMode::Open, database, passwords)
}

/// The token or key that [`FixedRandom`](crate::testing::FixedRandom) generates.
fn drawn() -> Token {
    Token::from_random([9; 32])
}

fn accounts_in(
    registration: RegistrationMode,
    database: Arc<MockDatabase>,
    passwords: MockPasswords,
) -> Accounts<MockDatabase> {
    Accounts::new(
        deps(database),
        Arc::new(passwords),
        email_composer(),
        Admission {
            registration,
            confirmation: AddressConfirmation::Required,
        },
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
    let database = MockDatabase::new(
        |_| {},
        |writes| {
            writes
                .expect_add_user()
                .withf(|user, hash| {
                    user.email.as_str() == "ada@example.org"
                        && user.name.as_str() == "Ada"
                        && user.created_at == at(0)
                        && user.email_confirmed_at.is_none()
                        && hash.as_str() == "hash of secret"
                })
                .times(1)
                .returning(|_, _| Ok(true));
            // The registering browser becomes a known device.
            writes
                .expect_record_device()
                .withf(|device| {
                    device.key_hash == Token::from_random([9; 32]).hash()
                        && device.last_seen_at == at(0)
                })
                .times(1)
                .returning(|_| Ok(false));
            records(writes, AuditKind::Registered);
            writes
                .expect_replace_email_confirmation()
                .withf(|put| put.token_hash == drawn().hash())
                .times(1)
                .returning(|_| Ok(()));
            writes
                .expect_queue_mail()
                .withf(|queued| mail_of(queued).body().contains("/confirm-email/"))
                .times(1)
                .returning(|_| Ok(()));
        },
    );
    let form = SignUp {
        name: " Ada ",
        email: " ADA@example.org",
        password: "secret",
        invitation: None,
    };
    accounts(database, hashing())
        .register(form, None, origin())
        .unwrap();
}

fn mail_of(queued: &QueuedMail) -> Mail {
    queued.mail.clone()
}

#[test]
fn a_taken_address_is_a_conflict_and_its_owner_is_notified_within_a_limit() {
    for told in [true, false] {
        let database = MockDatabase::new(
            |_| {},
            |writes| {
                writes.expect_add_user().returning(|_, _| Ok(false));
                writes.expect_credentials().returning(|_| {
                    Ok(Some(Credentials {
                        user: ada(),
                        password_hash: PasswordHash::new("stored".into()),
                        epoch: SessionEpoch::default(),
                    }))
                });
                writes
                    .expect_try_record_registration_notice()
                    .withf(|user, now, last| {
                        *user == owner() && *now == at(0) && *last == at(-8 * 3_600)
                    })
                    .times(1)
                    .returning(move |_, _, _| Ok(told));
                writes
                    .expect_queue_mail()
                    .withf(|queued| {
                        let mail = mail_of(queued);
                        *mail.to() == ada().email && mail.subject().contains("already")
                    })
                    .times(usize::from(told))
                    .returning(|_| Ok(()));
            },
        );
        let form = SignUp {
            name: "Ada",
            email: "ada@example.org",
            password: "secret",
            invitation: None,
        };
        let error = accounts(database, hashing())
            .register(form, None, origin())
            .unwrap_err();
        assert!(matches!(Failure::from(error), Failure::Conflict(_)));
    }
}

#[test]
fn nothing_is_hashed_or_stored_when_a_field_is_invalid() {
    let database = MockDatabase::new(|_| {}, |_| {});
    let accounts = accounts(database, MockPasswords::new());
    for (name, email, password, field) in [
        ("A", "ada@example.org", "secret", "name"),
        ("Ada", "ada", "secret", "email"),
        ("Ada", "ada@example.org", "short", "password"),
    ] {
        let form = SignUp {
            name,
            email,
            password,
            invitation: None,
        };
        match accounts.register(form, None, origin()) {
            Err(AccountError::Invalid(invalid)) => assert_eq!(invalid.field, field),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_new_name_is_validated_like_the_first() {
    let database = MockDatabase::new(
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
    let accounts = accounts(database, MockPasswords::new());
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
    invitation: None,
};

/// Registers Grace with an invitation that is valid when checked, and then or not
/// when taken.
fn register_invited(
    mode: RegistrationMode,
    live: bool,
    taken: bool,
) -> Result<SignIn, AccountError> {
    let database = MockDatabase::new(
        |reads| {
            reads
                .expect_invitation_is_live()
                .withf(|token, email, now| {
                    *token == drawn().hash()
                        && email.as_str() == "grace@example.org"
                        && *now == at(0)
                })
                .returning(move |_, _, _| Ok(live));
        },
        |writes| {
            writes
                .expect_consume_invitation()
                .withf(|token, email, _| {
                    *token == drawn().hash() && email.as_str() == "grace@example.org"
                })
                .times(usize::from(live))
                .returning(move |_, _, _| Ok(taken));
            if live && taken {
                // Already confirmed, so no link is sent.
                writes
                    .expect_add_user()
                    .withf(|user, _| user.email_confirmed_at == Some(at(0)))
                    .times(1)
                    .returning(|_, _| Ok(true));
                writes.expect_record_device().returning(|_| Ok(false));
                records(writes, AuditKind::Registered);
            }
        },
    );
    let passwords = if live {
        hashing()
    } else {
        MockPasswords::new()
    };
    let token = drawn().reveal();
    let form = SignUp {
        invitation: Some(&token),
        ..GRACE
    };
    accounts_in(mode, database, passwords).register(form, None, origin())
}

#[test]
fn an_invitation_admits_its_recipient_and_confirms_the_address() {
    for mode in [RegistrationMode::Open, RegistrationMode::Invite] {
        register_invited(mode, true, true).unwrap();
        for (live, taken) in [(false, false), (true, false)] {
            let error = register_invited(mode, live, taken).unwrap_err();
            assert!(matches!(error, AccountError::InvalidInvitation), "{error}");
        }
    }
}

#[test]
fn registration_by_invitation_requires_an_invitation() {
    for blank in [None, Some(""), Some(" ")] {
        let database = MockDatabase::new(|_| {}, |_| {});
        let form = SignUp {
            invitation: blank,
            ..GRACE
        };
        let error = accounts_in(RegistrationMode::Invite, database, MockPasswords::new())
            .register(form, None, origin())
            .unwrap_err();
        assert!(matches!(error, AccountError::NotInvited));
    }
    let garbage = SignUp {
        invitation: Some("x"),
        ..GRACE
    };
    let error = accounts(MockDatabase::new(|_| {}, |_| {}), MockPasswords::new())
        .register(garbage, None, origin())
        .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Forbidden(_)));
}

#[test]
fn closed_registration_refuses_before_any_check() {
    let database = MockDatabase::new(|_| {}, |_| {});
    let accounts = accounts_in(RegistrationMode::Closed, database, MockPasswords::new());
    let error = accounts.register(GRACE, None, origin()).unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Forbidden(_)));
}

#[test]
fn registering_over_the_daily_mail_cap_creates_an_account_without_a_mail() {
    let database = MockDatabase::new(
        |_| {},
        |writes| {
            writes.expect_add_user().times(1).returning(|_, _| Ok(true));
            writes.expect_record_device().returning(|_| Ok(false));
            records(writes, AuditKind::Registered);
            writes
                .expect_count_event()
                .withf(|key, now, _, most| {
                    *key == count_key(RateLimit::ConfirmationsOfVault, "")
                        && *now == at(0)
                        && *most == 1_000
                })
                .times(1)
                .returning(|_, _, ends, _| Ok(Some(ends)));
            writes.expect_queue_mail().never();
        },
    );
    let form = SignUp {
        name: "Ada",
        email: "ada@example.org",
        password: "secret",
        invitation: None,
    };
    accounts(database, hashing())
        .register(form, None, origin())
        .unwrap();
}
