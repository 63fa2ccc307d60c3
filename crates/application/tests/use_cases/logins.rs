use std::sync::Arc;

use ideavault_application::logins::{Login, LoginError, Logins};
use ideavault_domain::account::User;
use ideavault_domain::failure::Failure;
use ideavault_domain::rate_limit::LimitKey;

use crate::support::at;
use crate::two_factors::enable;
use crate::vault::{
    Disturbance, NumberedSteps, PASSWORD, Vault, composer, failure, hash_of, now, origin, shown,
};

fn logins(vault: &Arc<Vault>) -> Logins<Vault> {
    let totp = Arc::new(NumberedSteps);
    Logins::new(vault.deps(), vault.hasher(), totp, composer())
}

fn login<'a>(user: &'a User, password: &'a str, code: Option<&'a str>) -> Login<'a> {
    Login {
        email: user.email.as_str(),
        password,
        code,
        device: None,
    }
}

#[test]
fn a_wrong_password_an_unknown_address_and_a_disabled_account_fail_equally_and_all_hash() {
    let vault = Vault::new();
    let (known, disabled) = (vault.add_confirmed(), vault.add_confirmed());
    vault.disable(&disabled);
    let unknown = crate::support::user();
    for (number, (user, password)) in [
        (&known, "wrong one"),
        (&unknown, PASSWORD),
        (&disabled, PASSWORD),
    ]
    .into_iter()
    .enumerate()
    {
        let refused = logins(&vault).log_in(login(user, password, None), origin());
        assert!(matches!(refused, Err(LoginError::WrongCredentials)));
        assert_eq!(vault.hasher.calls(), number + 1);
    }
}

#[test]
fn a_password_replaced_during_verification_does_not_sign_in() {
    let vault = Vault::new();
    let user = vault.add_confirmed();
    let id = user.id;
    vault.overtake(move |vault| {
        vault.write(|tx| {
            tx.account_changes().set_password(id, &hash_of("another"))?;
            tx.account_changes().end_sessions_of(id)
        });
    });
    let refused = logins(&vault).log_in(login(&user, PASSWORD, None), origin());
    assert!(matches!(refused, Err(LoginError::WrongCredentials)));
}

#[test]
fn the_third_wrong_code_notifies_the_owner_and_the_tenth_also_locks() {
    let vault = Vault::new();
    let user = vault.add_confirmed();
    enable(&vault, &user, at(0));
    // What is no code at all, and what the app showed or will show.
    let wrong = ["password", "12345", &shown(at(5)), &shown(at(15))];
    for (attempt, code) in (1..=10).zip(wrong.iter().cycle()) {
        let refused = logins(&vault).log_in(login(&user, PASSWORD, Some(*code)), origin());
        assert!(matches!(refused, Err(LoginError::WrongCode)), "{attempt}");
        let mails = vault.mails();
        match attempt {
            3 => assert!(mails[0].1.body().contains("3 wrong codes in a row")),
            10 => assert!(mails[0].1.body().contains("No code is accepted before ")),
            _ => assert!(mails.is_empty(), "{attempt}"),
        }
    }
    let code = shown(now());
    let locked = logins(&vault).log_in(login(&user, PASSWORD, Some(&code)), origin());
    let Failure::TooMany { retry_after } = failure(locked) else {
        panic!("the code was compared");
    };
    assert_eq!(retry_after.as_secs(), 15 * 60);
}

#[test]
fn a_login_counts_unless_it_could_not_be_checked() {
    let vault = Vault::new();
    let user = vault.add_confirmed();
    let key = LimitKey::of("ada 192.0.2.7");
    let attempt = |password| {
        let login = login(&user, password, None);
        logins(&vault).log_in_within(Some(&key), login, origin())
    };
    for _ in 0..9 {
        assert!(attempt("wrong one").unwrap_err().is_failed_login());
    }
    // Counting works, and then the disk is full.
    vault.overtake(|vault| vault.disturb(Disturbance::Full));
    let unchecked = attempt(PASSWORD).unwrap_err();
    assert!(unchecked.is_unchecked() && !unchecked.is_failed_login());
    assert!(attempt("wrong one").unwrap_err().is_failed_login());
    let hashed = vault.hasher.calls();
    let refused = attempt(PASSWORD).unwrap_err();
    assert!(matches!(refused, LoginError::Limited(_)));
    assert_eq!(vault.hasher.calls(), hashed);
}
