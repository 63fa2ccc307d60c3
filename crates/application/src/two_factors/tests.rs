use ideavault_domain::account::PasswordHash;
use ideavault_domain::ports::Credentials;
use ideavault_domain::two_factor::{Step, TwoFactor};

use super::*;
use crate::testing::{
    MockDatabase, MockPasswords, MockTransaction, StoppedClock, actor, ada, after_sign_out, at,
    deps, email_composer, has_secret, has_sessions, origin, owner, records, shown, signed_in, totp,
    totp_secret, two_factor,
};

fn area(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
    password_is_right: bool,
) -> TwoFactors<MockDatabase> {
    let mut hasher = MockPasswords::new();
    hasher
        .expect_verify()
        .returning(move |_, _| Ok(password_is_right));
    TwoFactors::new(
        deps(MockDatabase::new(reads, writes)),
        Arc::new(hasher),
        totp(),
        email_composer(),
        AddressConfirmation::Required,
    )
}

fn knows_ada(tx: &mut MockTransaction) {
    tx.expect_user().returning(|_| Ok(Some(ada())));
    tx.expect_credentials().returning(|_| {
        Ok(Some(Credentials {
            user: ada(),
            password_hash: PasswordHash::new("stored".into()),
            epoch: SessionEpoch::default(),
        }))
    });
}

/// Has that setup of two-step sign-in, with [`totp_secret`].
fn has(tx: &mut MockTransaction, factor: Option<TwoFactor>) {
    signed_in(tx);
    has_secret(tx);
    tx.expect_user().returning(|_| Ok(Some(ada())));
    tx.expect_two_factor()
        .withf(|user| *user == owner())
        .returning(move |_| Ok(factor.clone()));
}

fn mails(tx: &mut MockTransaction, subject: &'static str) {
    tx.expect_queue_mail()
        .withf(move |queued| {
            let mail = &queued.mail;
            mail.to() == &ada().email && mail.subject() == subject
        })
        .times(1)
        .returning(|_| Ok(()));
}

#[test]
fn setup_stores_the_secret_and_shows_it() {
    let writes = |tx: &mut MockTransaction| {
        signed_in(tx);
        tx.expect_begin_two_factor()
            .withf(|user, secret| *user == owner() && *secret == totp_secret())
            .times(1)
            .returning(|_, _| Ok(true));
    };
    let setup = area(knows_ada, writes, true)
        .begin(actor(), "secret")
        .unwrap();
    assert_eq!(setup.user, ada());
    assert_eq!(setup.secret, totp_secret());
}

#[test]
fn a_wrong_password_neither_starts_setup_nor_disables() {
    let area = area(knows_ada, |_| {}, false);
    for password in ["", "wrong-password"] {
        for error in [
            area.begin(actor(), password).unwrap_err(),
            area.turn_off(actor(), password, origin()).unwrap_err(),
        ] {
            let Failure::Invalid(invalid) = Failure::from(error) else {
                panic!("{password}");
            };
            assert_eq!(invalid.field, "currentPassword");
        }
    }
}

#[test]
fn setup_is_refused_while_two_factor_is_on() {
    let writes = |tx: &mut MockTransaction| {
        signed_in(tx);
        tx.expect_begin_two_factor().returning(|_, _| Ok(false));
    };
    let error = area(knows_ada, writes, true)
        .begin(actor(), "secret")
        .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Conflict(_)));
}

#[test]
fn the_right_code_enables_it_ends_all_sessions_and_notifies_the_owner() {
    let writes = |tx: &mut MockTransaction| {
        has(tx, Some(two_factor()));
        records(tx, AuditKind::TwoFactorOn);
        mails(tx, "Two-step sign-in is on for IdeaVault");
        tx.expect_confirm_two_factor()
            .withf(|user, secret, step, now| {
                let begun = *user == owner() && *secret == totp_secret();
                begun && *step == Step::at(at(0)) && *now == at(0)
            })
            .times(1)
            .returning(|_, _, _, _| Ok(true));
        let code = RecoveryCode::from_random([9; 16]).hash();
        tx.expect_add_recovery_codes()
            .withf(move |user, hashes| *user == owner() && *hashes == [code; RECOVERY_CODES])
            .times(1)
            .returning(|_, _| Ok(()));
        tx.expect_end_sessions_of()
            .times(1)
            .returning(|_| Ok(Some(SessionEpoch::from_number(2))));
    };
    let confirmed = area(|_| {}, writes, true)
        .confirm(actor(), &shown(at(0)), origin())
        .unwrap();
    assert_eq!(confirmed.recovery.len(), 10);
    assert_eq!(confirmed.epoch, SessionEpoch::from_number(2));
}

#[test]
fn a_wrong_code_does_not_enable_it() {
    for code in [shown(at(60)), shown(at(-60)), "12345".into(), String::new()] {
        let writes = |tx: &mut MockTransaction| has(tx, Some(two_factor()));
        let error = area(|_| {}, writes, true)
            .confirm(actor(), &code, origin())
            .unwrap_err();
        let Failure::Invalid(invalid) = Failure::from(error) else {
            panic!("{code}");
        };
        assert_eq!(invalid.field, "code");
    }
}

#[test]
fn confirming_requires_a_started_setup() {
    let on = TwoFactor {
        confirmed_at: Some(at(-10)),
        ..two_factor()
    };
    for factor in [None, Some(on)] {
        let writes = move |tx: &mut MockTransaction| has(tx, factor);
        let error = area(|_| {}, writes, true)
            .confirm(actor(), &shown(at(0)), origin())
            .unwrap_err();
        assert!(matches!(Failure::from(error), Failure::Conflict(_)));
    }
}

#[test]
fn new_recovery_codes_are_stored_as_hashes_and_notify_the_owner() {
    let expected = RecoveryCode::from_random([9; 16]);
    let hash = expected.hash();
    let writes = |tx: &mut MockTransaction| {
        signed_in(tx);
        tx.expect_replace_recovery_codes()
            .withf(move |user, hashes| *user == owner() && hashes == vec![hash; RECOVERY_CODES])
            .times(1)
            .returning(|_, _| Ok(true));
        records(tx, AuditKind::RecoveryCodesReplaced);
        mails(tx, "New recovery codes for IdeaVault");
    };
    let codes = area(knows_ada, writes, true)
        .replace_recovery_codes(actor(), "secret", origin())
        .unwrap();
    assert_eq!(codes, vec![expected; RECOVERY_CODES]);
}

#[test]
fn new_recovery_codes_require_the_password_and_a_second_factor() {
    let refused = area(knows_ada, |_| {}, false)
        .replace_recovery_codes(actor(), "wrong", origin())
        .unwrap_err();
    assert!(matches!(Failure::from(refused), Failure::Invalid(_)));
    let writes = |tx: &mut MockTransaction| {
        signed_in(tx);
        tx.expect_replace_recovery_codes()
            .returning(|_, _| Ok(false));
    };
    let off = area(knows_ada, writes, true)
        .replace_recovery_codes(actor(), "secret", origin())
        .unwrap_err();
    assert!(matches!(Failure::from(off), Failure::Conflict(_)));
}

#[test]
fn turning_it_off_notifies_the_owner_if_it_was_on() {
    for on in [true, false] {
        let writes = |tx: &mut MockTransaction| {
            signed_in(tx);
            tx.expect_remove_two_factor()
                .times(1)
                .returning(move |_| Ok(on));
            if on {
                records(tx, AuditKind::TwoFactorOff);
                mails(tx, "Two-step sign-in is off for IdeaVault");
            }
        };
        area(knows_ada, writes, true)
            .turn_off(actor(), "secret", origin())
            .unwrap();
    }
}

#[test]
fn a_concurrently_ended_session_changes_nothing() {
    for left in after_sign_out() {
        let area = || area(knows_ada, |writes| has_sessions(writes, left.clone()), true);
        for refused in [
            area().begin(actor(), "secret").map(|_| ()),
            area().confirm(actor(), &shown(at(0)), origin()).map(|_| ()),
            area()
                .replace_recovery_codes(actor(), "secret", origin())
                .map(|_| ()),
            area().turn_off(actor(), "secret", origin()),
        ] {
            let failure = Failure::from(refused.unwrap_err());
            assert!(matches!(failure, Failure::Unauthenticated(_)), "{left:?}");
        }
    }
}

#[test]
fn the_operator_removes_an_enabled_factor_and_it_is_recorded() {
    for on in [true, false] {
        let writes = |tx: &mut MockTransaction| {
            knows_ada(tx);
            tx.expect_remove_two_factor()
                .withf(|user| *user == owner())
                .returning(move |_| Ok(on));
            tx.expect_record()
                .withf(|entry| {
                    entry.kind == AuditKind::TwoFactorRemoved
                        && entry.account == Some(owner())
                        && entry.origin.is_none()
                })
                .times(usize::from(on))
                .returning(|_| Ok(()));
        };
        let removal =
            TwoFactorRemoval::new(MockDatabase::new(|_| {}, writes), Arc::new(StoppedClock));
        let removed = removal.remove(" Ada@example.org ");
        match removed {
            Ok(email) => assert!(on && email == ada().email),
            Err(error) => assert!(!on && matches!(error, RemovalError::NothingToRemove)),
        }
    }
}
