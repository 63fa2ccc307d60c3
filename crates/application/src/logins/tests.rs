use ideavault_domain::account::{PasswordHash, SessionEpoch};
use ideavault_domain::ports::Credentials;
use ideavault_domain::two_factor::{RecoveryCode, Step, TwoFactor};

use super::*;
use crate::testing::{
    MockDatabase, MockPasswords, MockTransaction, ada, at, deps, email_composer, has_secret,
    origin, owner, records, shown, totp, two_factor,
};

fn logins(database: Arc<MockDatabase>, verdict: bool) -> Logins<MockDatabase> {
    let mut passwords = MockPasswords::new();
    passwords
        .expect_verify()
        .times(1)
        .returning(move |_, hash| Ok(verdict && hash.is_some()));
    Logins::new(
        deps(database),
        Arc::new(passwords),
        totp(),
        email_composer(),
    )
}

fn knows_ada(tx: &mut MockTransaction) {
    tx.expect_credentials().returning(|_| {
        Ok(Some(Credentials {
            user: ada(),
            password_hash: PasswordHash::new("stored".into()),
            epoch: SessionEpoch::from_number(3),
        }))
    });
}

fn login(device: Option<Token>) -> Login<'static> {
    Login {
        email: " Ada@Example.org ",
        password: "secret",
        code: None,
        device,
    }
}

/// Has the account, with two-step sign-in on or off.
fn has_two_factor(tx: &mut MockTransaction, on: bool) {
    knows_ada(tx);
    has_secret(tx);
    let factor = TwoFactor {
        confirmed_at: Some(at(-60)),
        ..two_factor()
    };
    tx.expect_two_factor()
        .withf(|user| *user == owner())
        .returning(move |_| Ok(on.then(|| factor.clone())));
}

/// Expects a login from the device with that key, which was `known` or not.
fn notes(tx: &mut MockTransaction, key: Token, known: bool) {
    tx.expect_record_device()
        .withf(move |device| {
            device.user == owner() && device.key_hash == key.hash() && device.last_seen_at == at(0)
        })
        .times(1)
        .returning(move |_| Ok(known));
}

/// The device key that the browser gets.
fn drawn() -> Token {
    Token::from_random([9; 32])
}

/// Expects the browser's device key to be replaced.
fn renews(tx: &mut MockTransaction) {
    tx.expect_renew_device_key()
        .withf(|former, renewed| {
            *former == Token::from_random([3; 32]).hash() && *renewed == drawn().hash()
        })
        .times(1)
        .returning(|_, _| Ok(()));
}

#[test]
fn a_wrong_password_and_an_unknown_address_fail_equally_and_both_hash() {
    for known in [true, false] {
        let database = MockDatabase::new(
            |reads| {
                if known {
                    knows_ada(reads);
                } else {
                    reads.expect_credentials().returning(|_| Ok(None));
                }
            },
            |_| {},
        );
        let error = logins(database, false)
            .log_in(login(None), origin())
            .unwrap_err();
        assert!(matches!(error, LoginError::WrongCredentials));
    }
}

#[test]
fn a_password_replaced_during_verification_does_not_sign_in() {
    let database = MockDatabase::new(knows_ada, |writes| {
        writes.expect_credentials().returning(|_| {
            Ok(Some(Credentials {
                user: ada(),
                password_hash: PasswordHash::new("another".into()),
                epoch: SessionEpoch::from_number(4),
            }))
        });
    });
    let error = logins(database, true)
        .log_in(login(None), origin())
        .unwrap_err();
    assert!(matches!(error, LoginError::WrongCredentials));
}

#[test]
fn the_right_password_on_a_known_browser_signs_in_without_a_mail() {
    let brought = Token::from_random([3; 32]);
    let database = MockDatabase::new(knows_ada, |writes| {
        records(writes, AuditKind::LoggedIn);
        has_two_factor(writes, false);
        renews(writes);
        notes(writes, drawn(), true);
    });
    let signed_in = logins(database, true)
        .log_in(login(Some(brought)), origin())
        .unwrap();
    assert_eq!(
        signed_in,
        SignIn {
            user: ada(),
            epoch: SessionEpoch::from_number(3),
            device: drawn()
        }
    );
}

#[test]
fn a_login_from_a_new_browser_notifies_the_owner_and_remembers_the_browser() {
    let database = MockDatabase::new(knows_ada, |writes| {
        records(writes, AuditKind::LoggedIn);
        has_two_factor(writes, false);
        notes(writes, drawn(), false);
        writes
            .expect_queue_mail()
            .withf(|queued| {
                let mail = &queued.mail;
                mail.to() == &ada().email && mail.body().contains("not used with it before")
            })
            .times(1)
            .returning(|_| Ok(()));
    });
    let signed_in = logins(database, true)
        .log_in(login(None), origin())
        .unwrap();
    assert_eq!(signed_in.device, drawn());
}

/// Logs in with the right password and that code, from a known browser.
fn log_in_with(
    code: Option<&str>,
    writes: impl FnOnce(&mut MockTransaction),
) -> Result<SignIn, LoginError> {
    let database = MockDatabase::new(knows_ada, |tx| {
        has_two_factor(tx, true);
        tx.expect_count_code()
            .returning(|_, _| Ok(CodeAttempt::Counted(1)));
        writes(tx);
    });
    let login = Login {
        code,
        ..login(Some(Token::from_random([3; 32])))
    };
    logins(database, true).log_in(login, origin())
}

fn comes_in(tx: &mut MockTransaction) {
    records(tx, AuditKind::LoggedIn);
    renews(tx);
    notes(tx, drawn(), true);
    tx.expect_reset_wrong_codes()
        .withf(|user| *user == owner())
        .times(1)
        .returning(|_| Ok(()));
}

#[test]
fn a_login_without_a_code_asks_for_the_second_factor() {
    for code in [None, Some(""), Some(" ")] {
        let error = log_in_with(code, |_| {}).unwrap_err();
        assert!(matches!(error, LoginError::CodeMissing), "{code:?}");
    }
}

#[test]
fn a_malformed_or_wrong_code_consumes_nothing() {
    for code in ["password", "12345", &shown(at(60)), &shown(at(-60))] {
        let error = log_in_with(Some(code), |_| {}).unwrap_err();
        assert!(matches!(error, LoginError::WrongCode), "{code}");
    }
}

#[test]
fn an_app_code_signs_in_unless_it_was_used() {
    for accepted in [true, false] {
        let attempt = log_in_with(Some(&shown(at(0))), |writes| {
            writes
                .expect_accept_step()
                .withf(|user, step| *user == owner() && *step == Step::at(at(0)))
                .times(1)
                .returning(move |_, _| Ok(accepted));
            if accepted {
                comes_in(writes);
            }
        });
        match attempt {
            Ok(signed_in) => assert!(accepted && signed_in.user == ada()),
            Err(error) => assert!(!accepted && matches!(error, LoginError::WrongCode)),
        }
    }
}

#[test]
fn a_recovery_code_signs_in_once_and_notifies_the_owner() {
    let code = RecoveryCode::from_random([9; 16]);
    for known in [true, false] {
        let hash = code.hash();
        let attempt = log_in_with(Some(&code.reveal()), |writes| {
            writes
                .expect_consume_recovery_code()
                .withf(move |user, taken| *user == owner() && *taken == hash)
                .times(1)
                .returning(move |_, _| Ok(known));
            if known {
                comes_in(writes);
                records(writes, AuditKind::RecoveryCodeUsed);
                writes.expect_recovery_codes_left().returning(|_| Ok(9));
                writes
                    .expect_queue_mail()
                    .withf(|queued| queued.mail.to_text().contains("9 recovery codes are left"))
                    .times(1)
                    .returning(|_| Ok(()));
            }
        });
        match attempt {
            Ok(signed_in) => assert!(known && signed_in.user == ada()),
            Err(error) => assert!(!known && matches!(error, LoginError::WrongCode)),
        }
    }
}

#[test]
fn a_locked_second_factor_compares_no_code() {
    let database = MockDatabase::new(knows_ada, |tx| {
        has_two_factor(tx, true);
        tx.expect_count_code()
            .withf(|user, now| *user == owner() && *now == at(0))
            .returning(|_, _| Ok(CodeAttempt::LockedUntil(at(90))));
    });
    let code = shown(at(0));
    let login = Login {
        code: Some(&code),
        ..login(None)
    };
    let error = logins(database, true).log_in(login, origin()).unwrap_err();
    let Failure::TooMany { retry_after } = Failure::from(error) else {
        panic!("the code was compared");
    };
    assert_eq!(retry_after.as_secs(), 90);
}

/// Logs in with the right password and a wrong code, the `count`th in a row.
fn fail_for_the(count: i64, writes: impl FnOnce(&mut MockTransaction)) {
    let database = MockDatabase::new(knows_ada, |tx| {
        has_two_factor(tx, true);
        tx.expect_count_code()
            .returning(move |_, _| Ok(CodeAttempt::Counted(count)));
        writes(tx);
    });
    let login = Login {
        code: Some("123123"),
        ..login(None)
    };
    let error = logins(database, true).log_in(login, origin()).unwrap_err();
    assert!(matches!(error, LoginError::WrongCode));
}

fn tells_of_wrong_codes(tx: &mut MockTransaction, part: &'static str) {
    tx.expect_queue_mail()
        .withf(move |queued| {
            let text = queued.mail.to_text();
            text.contains("Wrong codes") && text.contains(part) && text.contains("knows your")
        })
        .times(1)
        .returning(|_| Ok(()));
}

#[test]
fn the_third_wrong_code_notifies_the_owner_and_the_tenth_also_locks() {
    for quiet in [1, 2, 4, 9] {
        fail_for_the(quiet, |_| {});
    }
    fail_for_the(3, |writes| {
        tells_of_wrong_codes(
            writes,
            "then\n3 wrong codes in a row for two-step sign-in.\n",
        );
    });
    fail_for_the(11, |writes| {
        writes
            .expect_lock_codes()
            .withf(|user, until| *user == owner() && *until == at(30 * 60))
            .times(1)
            .returning(|_, _| Ok(()));
        records(writes, AuditKind::SecondStepLocked);
        tells_of_wrong_codes(writes, "No code is accepted before ");
    });
}

#[test]
fn a_disabled_account_fails_like_a_wrong_password() {
    let database = MockDatabase::new(
        |reads| {
            reads.expect_credentials().returning(|_| {
                Ok(Some(Credentials {
                    user: User {
                        disabled_at: Some(at(-1)),
                        ..ada()
                    },
                    password_hash: PasswordHash::new("stored".into()),
                    epoch: SessionEpoch::default(),
                }))
            });
        },
        |_| {},
    );
    let error = logins(database, true)
        .log_in(login(None), origin())
        .unwrap_err();
    assert!(matches!(error, LoginError::WrongCredentials));
}

/// Logs in within the limit, whose counts are changed by `counts`.
fn within_limit(
    counts: impl FnOnce(&mut MockTransaction),
    find: impl Fn() -> Result<Option<Credentials>, DatabaseError> + Send + 'static,
) -> Result<SignIn, LoginError> {
    let reads = |tx: &mut MockTransaction| {
        tx.expect_credentials().returning(move |_| find());
    };
    let mut passwords = MockPasswords::new();
    passwords.expect_verify().returning(|_, _| Ok(false));
    let logins = Logins::new(
        deps(MockDatabase::new(reads, counts)),
        Arc::new(passwords),
        totp(),
        email_composer(),
    );
    logins.log_in_within(Some(&LimitKey::of("ada 192.0.2.7")), login(None), origin())
}

fn admits(tx: &mut MockTransaction) {
    tx.expect_count_event()
        .times(1)
        .returning(|_, _, _, _| Ok(None));
}

#[test]
fn a_failed_login_stays_counted() {
    let failed = within_limit(admits, || Ok(None)).unwrap_err();
    assert!(failed.is_failed_login() && !failed.is_unchecked());
}

#[test]
fn a_login_that_could_not_be_checked_is_refunded() {
    let counts = |tx: &mut MockTransaction| {
        admits(tx);
        tx.expect_refund_event().times(1).returning(|_, _| Ok(()));
    };
    let full = || {
        Err(DatabaseError::Full {
            operation: "find an account",
            source: "no space".into(),
        })
    };
    let unchecked = within_limit(counts, full).unwrap_err();
    assert!(unchecked.is_unchecked() && !unchecked.is_failed_login());
}

#[test]
fn a_login_beyond_the_limit_is_not_checked() {
    let counts = |tx: &mut MockTransaction| {
        tx.expect_count_event()
            .times(1)
            .returning(|_, _, _, _| Ok(Some(at(60))));
    };
    let refused = within_limit(counts, || panic!("it was checked")).unwrap_err();
    assert!(matches!(refused, LoginError::Limited(_)));
}
