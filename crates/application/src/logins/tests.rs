use ideavault_domain::account::PasswordHash;
use ideavault_domain::mail::Mail;
use ideavault_domain::ports::Credentials;

use super::*;
use crate::testing::{
    MockPasswords, MockSession, MockStore, Nines, StoppedClock, ada, at, origin, owner, postbox,
    records,
};

fn logins(store: Arc<MockStore>, verdict: bool) -> Logins<MockStore> {
    let mut passwords = MockPasswords::new();
    passwords
        .expect_verify()
        .times(1)
        .returning(move |_, hash| Ok(verdict && hash.is_some()));
    Logins::new(
        store,
        Arc::new(StoppedClock),
        Arc::new(Nines),
        Arc::new(passwords),
        postbox(),
    )
}

fn knows_ada(session: &mut MockSession) {
    session.expect_credentials().returning(|_| {
        Ok(Some(Credentials {
            user: ada(),
            password_hash: PasswordHash::new("stored".into()),
        }))
    });
}

fn login(device: Option<Token>) -> Login<'static> {
    Login {
        email: " Ada@Example.org ",
        password: "secret",
        device,
    }
}

/// Notes the device with that key, which was `known` or not.
fn notes(session: &mut MockSession, key: Token, known: bool) {
    session
        .expect_note_device()
        .withf(move |device| {
            device.user == owner() && device.key_hash == key.hash() && device.last_seen_at == at(0)
        })
        .times(1)
        .returning(move |_| Ok(known));
}

#[test]
fn a_wrong_password_and_an_unknown_address_fail_alike_and_both_do_the_hashing_work() {
    for known in [true, false] {
        let store = MockStore::new(
            |reads| {
                if known {
                    knows_ada(reads);
                } else {
                    reads.expect_credentials().returning(|_| Ok(None));
                }
            },
            |_| {},
        );
        let error = logins(store, false)
            .log_in(login(None), origin())
            .unwrap_err();
        assert!(matches!(error, LoginError::WrongCredentials));
    }
}

#[test]
fn the_right_password_on_a_known_browser_signs_in_without_a_mail() {
    let kept = Token::from_random([3; 32]);
    let key = kept.clone();
    let store = MockStore::new(knows_ada, |writes| {
        records(writes, AuditKind::LoggedIn);
        notes(writes, key, true);
    });
    let arrival = logins(store, true)
        .log_in(login(Some(kept.clone())), origin())
        .unwrap();
    assert_eq!(
        arrival,
        Arrival {
            user: ada(),
            device: kept
        }
    );
}

#[test]
fn a_login_with_another_browser_is_told_of_and_makes_it_known() {
    let drawn = Token::from_random([9; 32]);
    let key = drawn.clone();
    let store = MockStore::new(knows_ada, |writes| {
        records(writes, AuditKind::LoggedIn);
        notes(writes, key, false);
        writes
            .expect_queue_mail()
            .withf(|queued| {
                let text = std::str::from_utf8(&queued.sealed).unwrap();
                let mail = Mail::from_text(text).unwrap();
                mail.to() == &ada().email && mail.body().contains("not used with before")
            })
            .times(1)
            .returning(|_| Ok(()));
    });
    let arrival = logins(store, true).log_in(login(None), origin()).unwrap();
    assert_eq!(arrival.device, drawn);
}

#[test]
fn browsers_are_forgotten_after_half_a_year() {
    let store = MockStore::new(
        |_| {},
        |writes| {
            writes
                .expect_sweep_devices()
                .withf(|since| *since == at(-180 * 86_400))
                .times(1)
                .returning(|_| Ok(2));
        },
    );
    let logins = Logins::new(
        store,
        Arc::new(StoppedClock),
        Arc::new(Nines),
        Arc::new(MockPasswords::new()),
        postbox(),
    );
    assert_eq!(logins.sweep_devices().unwrap(), 2);
}
