use chrono::Duration;
use ideavault_domain::account::PasswordHash;
use ideavault_domain::page::Page;
use ideavault_domain::ports::Credentials;
use ideavault_domain::two_factor::TwoFactor;

use super::*;
use crate::testing::{
    MockDatabase, MockPasswords, MockTransaction, actor, ada, after_sign_out, at, deps,
    email_composer, has_sessions, origin, owner, records, signed_in,
};

fn passwords(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
    hasher: MockPasswords,
) -> Passwords<MockDatabase> {
    Passwords::new(
        deps(MockDatabase::new(reads, writes)),
        Arc::new(hasher),
        email_composer(),
    )
}

fn stored() -> PasswordHash {
    PasswordHash::new("stored".into())
}

fn hashed() -> PasswordHash {
    PasswordHash::new("hashed".into())
}

fn knows_ada(tx: &mut MockTransaction) {
    tx.expect_user().returning(|_| Ok(Some(ada())));
    tx.expect_credentials().returning(|_| {
        Ok(Some(Credentials {
            user: ada(),
            password_hash: stored(),
            epoch: SessionEpoch::default(),
        }))
    });
}

fn hasher(verdict: bool) -> MockPasswords {
    let mut hasher = MockPasswords::new();
    hasher.expect_verify().returning(move |_, _| Ok(verdict));
    hasher.expect_hash().returning(|_| Ok(hashed()));
    hasher
}

/// Expects a mail that notifies Ada of the password change.
fn tells_ada(tx: &mut MockTransaction) {
    tx.expect_queue_mail()
        .withf(|queued| {
            let mail = &queued.mail;
            mail.to() == &ada().email && mail.subject() == "Your IdeaVault password was changed"
        })
        .times(1)
        .returning(|_| Ok(()));
}

/// The token that [`FixedRandom`](crate::testing::FixedRandom) generates.
fn token() -> Token {
    Token::from_random([9; 32])
}

fn with(password: &str) -> PasswordResetForm<'_> {
    PasswordResetForm {
        password,
        remove_two_factor: false,
    }
}

fn refusal(error: PasswordError) -> (&'static str, String) {
    match Failure::from(error) {
        Failure::Invalid(invalid) => (invalid.field, invalid.message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_blank_address_is_refused_and_any_other_is_accepted() {
    let area = passwords(
        |reads| {
            reads
                .expect_credentials()
                .withf(|email| email.as_str() == "nobody@example.org")
                .times(1)
                .returning(|_| Ok(None));
        },
        |_| {},
        MockPasswords::new(),
    );
    assert_eq!(
        refusal(area.forgotten_by(" \t").unwrap_err()),
        ("email", "Please enter your email address.".into())
    );
    assert_eq!(area.forgotten_by("not an address").unwrap(), None);
    assert_eq!(area.forgotten_by("Nobody@example.org").unwrap(), None);

    let area = passwords(knows_ada, |_| {}, MockPasswords::new());
    assert_eq!(area.forgotten_by("ada@example.org").unwrap(), Some(ada()));
}

#[test]
fn a_reset_stores_only_a_hash_of_the_mailed_token() {
    let link = format!(
        "https://vault.example.org/reset-password/{}",
        token().reveal()
    );
    passwords(
        |_| {},
        |writes| {
            records(writes, AuditKind::ResetRequested);
            writes
                .expect_replace_password_reset()
                .withf(|reset| {
                    reset.user == owner()
                        && reset.token_hash == token().hash()
                        && reset.expires_at == at(30 * 60)
                })
                .times(1)
                .returning(|_| Ok(()));
            writes
                .expect_queue_mail()
                .withf(move |queued| {
                    let mail = &queued.mail;
                    mail.to() == &ada().email
                        && mail.body().contains(&link)
                        && queued.expires_at == at(30 * 60)
                })
                .times(1)
                .returning(|_| Ok(()));
        },
        MockPasswords::new(),
    )
    .send_reset(&ada(), origin())
    .unwrap();
}

#[test]
fn no_reset_is_mailed_for_an_account_that_is_gone() {
    passwords(
        |_| {},
        |writes| {
            writes
                .expect_replace_password_reset()
                .times(1)
                .returning(|_| Err(DatabaseError::AccountGone { operation: "test" }));
        },
        MockPasswords::new(),
    )
    .send_reset(&ada(), origin())
    .unwrap();
}

#[test]
fn a_reset_sets_the_password_ends_all_sessions_and_notifies_the_owner() {
    passwords(
        |reads| {
            reads
                .expect_password_reset()
                .returning(|_, _| Ok(Some(owner())));
        },
        |writes| {
            records(writes, AuditKind::PasswordReset);
            tells_ada(writes);
            writes.expect_user().returning(|_| Ok(Some(ada())));
            writes
                .expect_delete_devices()
                .withf(|user, but| *user == owner() && but.is_none())
                .times(1)
                .returning(|_, _| Ok(()));
            writes
                .expect_consume_password_reset()
                .withf(|hash, now| *hash == token().hash() && *now == at(0))
                .times(1)
                .returning(|_, _| Ok(Some(owner())));
            writes
                .expect_set_password()
                .withf(|user, hash| *user == owner() && *hash == hashed())
                .times(1)
                .returning(|_, _| Ok(true));
            writes
                .expect_end_sessions_of()
                .withf(|user| *user == owner())
                .times(1)
                .returning(|_| Ok(Some(SessionEpoch::from_number(2))));
            writes.expect_confirm_address().returning(|_, _| Ok(false));
        },
        hasher(true),
    )
    .reset(&token().reveal(), with("new secret"), origin())
    .unwrap();
}

/// A reset of Ada's account, confirmed at `at(0)`, which has two-step sign-in since then.
fn reset_of_two_factor(
    since: Duration,
    remove_two_factor: bool,
    writes: impl FnOnce(&mut MockTransaction),
) -> (bool, Result<Reset, PasswordError>) {
    let ada = || User {
        email_confirmed_at: Some(at(0)),
        ..ada()
    };
    let factor = move |user: UserId| {
        Ok(Some(TwoFactor {
            user,
            confirmed_at: Some(at(0) + since),
        }))
    };
    let area = passwords(
        |reads| {
            reads
                .expect_password_reset()
                .returning(|_, _| Ok(Some(owner())));
            reads.expect_user().returning(move |_| Ok(Some(ada())));
            reads.expect_two_factor().returning(factor);
        },
        |tx| {
            tx.expect_consume_password_reset()
                .returning(|_, _| Ok(Some(owner())));
            tx.expect_set_password().returning(|_, _| Ok(true));
            tx.expect_user().returning(move |_| Ok(Some(ada())));
            tx.expect_two_factor().returning(factor);
            tx.expect_end_sessions_of()
                .returning(|_| Ok(Some(SessionEpoch::from_number(2))));
            tx.expect_delete_devices().returning(|_, _| Ok(()));
            tx.expect_confirm_address().returning(|_, _| Ok(false));
            records(tx, AuditKind::PasswordReset);
            writes(tx);
        },
        hasher(true),
    );
    let token = token().reveal();
    let is_offered = area.look_at_reset(&token).unwrap().two_factor_removable;
    let form = PasswordResetForm {
        password: "new secret",
        remove_two_factor,
    };
    (is_offered, area.reset(&token, form, origin()))
}

#[test]
fn a_reset_removes_a_second_step_of_the_first_two_weeks_if_asked() {
    for since in [
        Duration::days(-1),
        Duration::days(14) - Duration::seconds(1),
    ] {
        let (is_offered, reset) = reset_of_two_factor(since, true, |tx| {
            tx.expect_remove_two_factor()
                .withf(|user| *user == owner())
                .times(1)
                .returning(|_| Ok(true));
            records(tx, AuditKind::TwoFactorOff);
            tx.expect_queue_mail()
                .withf(|queued| {
                    queued
                        .mail
                        .body()
                        .contains("Two-step sign-in was turned off")
                })
                .times(1)
                .returning(|_| Ok(()));
            tx.expect_queue_mail().times(1).returning(|_| Ok(()));
        });
        assert!(is_offered);
        reset.unwrap();
    }
}

#[test]
fn a_reset_keeps_a_second_step_that_is_older_or_not_asked_about() {
    for (since, asked) in [(Duration::days(14), true), (Duration::days(1), false)] {
        let (is_offered, reset) = reset_of_two_factor(since, asked, |tx| {
            tx.expect_remove_two_factor().never();
            tx.expect_queue_mail().times(1).returning(|_| Ok(()));
        });
        assert_eq!(is_offered, since < Duration::days(14));
        reset.unwrap();
    }
}

#[test]
fn resetting_an_unconfirmed_account_takes_it_over() {
    let reset = passwords(
        |reads| {
            reads
                .expect_password_reset()
                .returning(|_, _| Ok(Some(owner())));
        },
        |writes| {
            writes
                .expect_consume_password_reset()
                .returning(|_, _| Ok(Some(owner())));
            writes.expect_set_password().returning(|_, _| Ok(true));
            writes.expect_user().returning(|_| Ok(Some(ada())));
            writes
                .expect_end_sessions_of()
                .times(1)
                .returning(|_| Ok(Some(SessionEpoch::from_number(2))));
            writes
                .expect_delete_devices()
                .times(1)
                .returning(|_, _| Ok(()));
            writes
                .expect_confirm_address()
                .withf(|user, now| *user == owner() && *now == at(0))
                .times(1)
                .returning(|_, _| Ok(true));
            writes
                .expect_remove_two_factor()
                .times(1)
                .returning(|_| Ok(true));
            writes
                .expect_revoke_shares_of()
                .withf(|user, now| *user == owner() && *now == at(0))
                .times(1)
                .returning(|_, _| Ok(Vec::new()));
            writes
                .expect_set_notification_mode()
                .withf(|user, mode, _| *user == owner() && *mode == NotificationMode::AtOnce)
                .times(1)
                .returning(|_, _, _| Ok(()));
            writes
                .expect_ideas_of()
                .returning(|_, paging| Ok(Page::new(Vec::new(), paging.size)));
            for kind in [
                AuditKind::EmailConfirmed,
                AuditKind::TwoFactorOff,
                AuditKind::PasswordReset,
            ] {
                records(writes, kind);
            }
            writes
                .expect_queue_mail()
                .withf(|queued| {
                    let text = queued.mail.to_text();
                    text.contains("was turned off") && !text.contains("were kept")
                })
                .times(1)
                .returning(|_| Ok(()));
        },
        hasher(true),
    )
    .reset(&token().reveal(), with("new secret"), origin());
    assert_eq!(reset.unwrap(), Reset::default());
}

#[test]
fn a_disabled_account_cannot_reset_its_password() {
    let disabled = || User {
        disabled_at: Some(at(-1)),
        ..ada()
    };
    let area = passwords(
        |reads| {
            reads
                .expect_password_reset()
                .returning(|_, _| Ok(Some(owner())));
            reads.expect_credentials().returning(move |_| {
                Ok(Some(Credentials {
                    user: disabled(),
                    password_hash: stored(),
                    epoch: SessionEpoch::default(),
                }))
            });
        },
        |writes| {
            writes
                .expect_consume_password_reset()
                .returning(|_, _| Ok(Some(owner())));
            writes.expect_set_password().returning(|_, _| Ok(true));
            writes
                .expect_user()
                .returning(move |_| Ok(Some(disabled())));
        },
        hasher(true),
    );
    assert_eq!(area.forgotten_by("ada@example.org").unwrap(), None);
    let refused = area.reset(&token().reveal(), with("new secret"), origin());
    assert!(matches!(refused, Err(PasswordError::InvalidLink)));
}

#[test]
fn a_dead_link_is_refused_without_hashing() {
    let area = passwords(
        |reads| {
            reads.expect_password_reset().returning(|_, _| Ok(None));
        },
        |_| {},
        MockPasswords::new(),
    );
    for token in [&token().reveal(), "", "../../etc/passwd"] {
        let (field, message) =
            refusal(area.reset(token, with("new secret"), origin()).unwrap_err());
        assert_eq!(field, "token");
        assert!(message.contains("request a new one"));
    }
}

#[test]
fn a_link_used_concurrently_sets_no_password() {
    let area = passwords(
        |reads| {
            reads
                .expect_password_reset()
                .returning(|_, _| Ok(Some(owner())));
        },
        |writes| {
            writes
                .expect_consume_password_reset()
                .returning(|_, _| Ok(None));
        },
        hasher(true),
    );
    let error = area
        .reset(&token().reveal(), with("new secret"), origin())
        .unwrap_err();
    assert!(matches!(error, PasswordError::InvalidLink));
}

#[test]
fn a_too_short_password_does_not_consume_the_link() {
    let area = passwords(|_| {}, |_| {}, MockPasswords::new());
    let error = area
        .reset(&token().reveal(), with("short"), origin())
        .unwrap_err();
    assert_eq!(refusal(error).0, "newPassword");
}

#[test]
fn a_change_is_validated_in_the_order_of_the_form() {
    let area = passwords(knows_ada, |_| {}, hasher(false));
    for (current, new, confirmation, field, message) in [
        (
            "",
            "",
            "",
            "currentPassword",
            "Current password is required",
        ),
        (
            "current",
            "short",
            "",
            "newPassword",
            "New password must be at least 6 characters",
        ),
        (
            "current",
            "new secret",
            "",
            "confirmPassword",
            "Please confirm your new password",
        ),
        (
            "current",
            "new secret",
            "new secrets",
            "confirmPassword",
            "Passwords don't match",
        ),
        (
            "not it",
            "new secret",
            "new secret",
            "currentPassword",
            "Current password is incorrect",
        ),
        (
            "no",
            "new secret",
            "new secret",
            "currentPassword",
            "Current password is incorrect",
        ),
    ] {
        let form = PasswordChange {
            current,
            new,
            confirmation,
        };
        let error = area.change(actor(), form, None, origin()).unwrap_err();
        assert_eq!(refusal(error), (field, message.into()));
    }
}

const CHANGE: PasswordChange<'_> = PasswordChange {
    current: "current",
    new: "new secret",
    confirmation: "new secret",
};

#[test]
fn a_change_ends_all_sessions_and_any_reset_and_notifies_the_owner() {
    let device = Token::from_random([3; 32]);
    let kept = device.hash();
    let epoch = passwords(
        knows_ada,
        |writes| {
            signed_in(writes);
            records(writes, AuditKind::PasswordChanged);
            tells_ada(writes);
            writes
                .expect_delete_devices()
                .withf(move |user, but| *user == owner() && *but == Some(&kept))
                .times(1)
                .returning(|_, _| Ok(()));
            writes
                .expect_replace_password()
                .withf(|user, known, new| {
                    *user == owner() && *known == stored() && *new == hashed()
                })
                .times(1)
                .returning(|_, _, _| Ok(true));
            writes
                .expect_remove_password_reset()
                .times(1)
                .returning(|_| Ok(()));
            writes
                .expect_end_sessions_of()
                .times(1)
                .returning(|_| Ok(Some(SessionEpoch::from_number(2))));
        },
        hasher(true),
    )
    .change(actor(), CHANGE, Some(&device), origin())
    .unwrap();
    assert_eq!(epoch, SessionEpoch::from_number(2));
}

#[test]
fn a_password_reset_during_a_change_is_not_overwritten() {
    let area = passwords(
        knows_ada,
        |writes| {
            signed_in(writes);
            writes
                .expect_replace_password()
                .returning(|_, _, _| Ok(false));
        },
        hasher(true),
    );
    let error = area.change(actor(), CHANGE, None, origin()).unwrap_err();
    assert!(matches!(error, PasswordError::WrongCurrent));
}

#[test]
fn a_session_ended_during_a_change_changes_nothing() {
    for left in after_sign_out() {
        let area = passwords(knows_ada, |writes| has_sessions(writes, left), hasher(true));
        let error = area.change(actor(), CHANGE, None, origin()).unwrap_err();
        assert!(matches!(Failure::from(error), Failure::Unauthenticated(_)));
    }
}
