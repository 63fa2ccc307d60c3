use super::*;
use ideavault_domain::account::{PasswordHash, SessionEpoch};
use ideavault_domain::ports::Credentials;

use crate::testing::{
    MockDatabase, MockPasswords, MockTransaction, actor, ada, after_sign_out, at, count_key, deps,
    email_composer, has_sessions, origin, owner, records, signed_in,
};

fn confirmations(writes: impl FnOnce(&mut MockTransaction)) -> Confirmations<MockDatabase> {
    confirming(ConfirmationLink::Denied, writes)
}

/// Confirmations where a look at the link finds `link`, and only "secret" is the password.
fn confirming(
    link: ConfirmationLink,
    writes: impl FnOnce(&mut MockTransaction),
) -> Confirmations<MockDatabase> {
    let reads = move |tx: &mut MockTransaction| {
        tx.expect_email_confirmation()
            .withf(|token_hash, now| *token_hash == token().hash() && *now == at(0))
            .returning(move |_, _| Ok(link));
        tx.expect_user().returning(|_| Ok(Some(unconfirmed())));
        tx.expect_credentials().returning(|_| {
            Ok(Some(Credentials {
                user: unconfirmed(),
                password_hash: PasswordHash::new("stored".into()),
                epoch: SessionEpoch::default(),
            }))
        });
    };
    let mut hasher = MockPasswords::new();
    hasher
        .expect_verify()
        .returning(|password, _| Ok(password.reveal() == "secret"));
    Confirmations::new(
        deps(MockDatabase::new(reads, writes)),
        Arc::new(hasher),
        email_composer(),
    )
}

fn takes_link(tx: &mut MockTransaction) {
    tx.expect_consume_email_confirmation()
        .withf(|taken, now| *taken == token().hash() && *now == at(0))
        .times(1)
        .returning(|_, _| Ok(ConfirmationLink::Live(owner())));
}

/// The token that [`FixedRandom`](crate::testing::FixedRandom) generates.
fn token() -> Token {
    Token::from_random([9; 32])
}

fn unconfirmed() -> User {
    User {
        email_confirmed_at: None,
        ..ada()
    }
}

#[test]
fn a_link_is_mailed_to_the_address_and_only_its_hash_is_stored() {
    let area = confirmations(|writes| {
        writes.expect_user().returning(|_| Ok(Some(unconfirmed())));
        writes
            .expect_replace_email_confirmation()
            .withf(|put| {
                put.user == owner()
                    && put.token_hash == token().hash()
                    && put.requested_at == at(0)
                    && put.expires_at == at(3 * 86_400)
            })
            .times(1)
            .returning(|_| Ok(()));
        writes
            .expect_queue_mail()
            .withf(|queued| {
                let mail = &queued.mail;
                let link = "https://vault.example.org/confirm-email/";
                *mail.to() == ada().email
                    && mail
                        .body()
                        .contains(&format!("\n{link}{}\n", token().reveal()))
                    // The name was typed at registration, perhaps by somebody else.
                    && !mail.body().contains(ada().name.as_str())
            })
            .times(1)
            .returning(|_| Ok(()));
    });
    area.send(owner(), &origin()).unwrap();
}

#[test]
fn a_confirmed_account_gets_no_confirmation_mail() {
    let area = confirmations(|writes| {
        writes.expect_user().returning(|_| Ok(Some(ada())));
    });
    let refused = area.send(owner(), &origin()).unwrap_err();
    assert!(matches!(Failure::from(refused), Failure::Conflict(_)));
}

#[test]
fn a_look_at_a_link_says_whose_account_it_is_and_changes_nothing() {
    for (caller, needs_password) in [
        (None, true),
        (Some(UserId::from_random([8; 16])), true),
        (Some(owner()), false),
    ] {
        let area = confirming(ConfirmationLink::Live(owner()), |_| {});
        let look = area.look(&token().reveal(), caller).unwrap();
        assert_eq!(look.email, ada().email);
        assert_eq!(look.needs_password, needs_password);
    }
}

#[test]
fn a_valid_link_confirms_once_and_is_recorded() {
    for first in [true, false] {
        for password in [None, Some("secret")] {
            let area = confirming(ConfirmationLink::Live(owner()), |writes| {
                if password.is_none() {
                    signed_in(writes);
                }
                takes_link(writes);
                writes
                    .expect_confirm_address()
                    .times(1)
                    .returning(move |_, _| Ok(first));
                if first {
                    records(writes, AuditKind::EmailConfirmed);
                }
            });
            let here = password.is_none().then(actor);
            area.confirm(&token().reveal(), here, password, origin())
                .unwrap();
        }
    }
}

#[test]
fn a_link_alone_confirms_nothing() {
    let other = Actor {
        user: UserId::from_random([8; 16]),
        ..actor()
    };
    for (here, password, message) in [
        (None, None, "Please enter"),
        (None, Some(""), "Please enter"),
        (Some(other), None, "Please enter"),
        (None, Some("secreT"), "This is not"),
        (None, Some("x"), "This is not"),
    ] {
        let area = confirming(ConfirmationLink::Live(owner()), |_| {});
        let refused = area.confirm(&token().reveal(), here, password, origin());
        let Failure::Invalid(refused) = refused.unwrap_err().into() else {
            panic!("{password:?}");
        };
        assert_eq!(refused.field, "password");
        assert!(refused.message.starts_with(message), "{}", refused.message);
    }
}

#[test]
fn a_session_that_ended_meanwhile_confirms_nothing() {
    for sessions in after_sign_out() {
        let area = confirming(ConfirmationLink::Live(owner()), |writes| {
            has_sessions(writes, sessions);
        });
        let refused = area.confirm(&token().reveal(), Some(actor()), None, origin());
        assert!(matches!(
            Failure::from(refused.unwrap_err()),
            Failure::Unauthenticated(_)
        ));
    }
}

#[test]
fn a_refused_link_reports_the_reason() {
    for (link, is_used) in [
        (ConfirmationLink::UsedBefore, true),
        (ConfirmationLink::Denied, false),
    ] {
        let area = confirming(link, |_| {});
        let token = token().reveal();
        for failed in [
            area.look(&token, None).map(drop),
            area.confirm(&token, None, Some("secret"), origin()),
        ] {
            let failure = Failure::from(failed.unwrap_err());
            assert_eq!(matches!(failure, Failure::Conflict(_)), is_used);
            assert_eq!(matches!(failure, Failure::Invalid(_)), !is_used);
        }
    }
    let garbage = confirmations(|_| {}).confirm("x", None, Some("secret"), origin());
    assert!(matches!(garbage, Err(ConfirmationError::InvalidLink)));
}

#[test]
fn a_link_used_meanwhile_confirms_nothing() {
    let area = confirming(ConfirmationLink::Live(owner()), |writes| {
        writes
            .expect_consume_email_confirmation()
            .returning(|_, _| Ok(ConfirmationLink::UsedBefore));
    });
    let refused = area.confirm(&token().reveal(), None, Some("secret"), origin());
    assert!(matches!(refused, Err(ConfirmationError::UsedBefore)));
}

#[test]
fn an_unconfirmed_address_is_refused_only_where_confirmation_is_required() {
    use AddressConfirmation::{Offered, OnRequest, Required};
    for wanted in [Required, Offered, OnRequest] {
        assert_eq!(demand(wanted, &ada()), Ok(()));
    }
    assert_eq!(demand(Required, &unconfirmed()), Err(Unconfirmed));
    for wanted in [Offered, OnRequest] {
        assert_eq!(demand(wanted, &unconfirmed()), Ok(()));
    }
}

#[test]
fn links_mailed_in_a_day_are_capped() {
    let area = confirmations(|writes| {
        writes.expect_user().returning(|_| Ok(Some(unconfirmed())));
        writes
            .expect_replace_email_confirmation()
            .returning(|_| Ok(()));
        writes.expect_queue_mail().returning(|_| Ok(()));
        writes
            .expect_count_event()
            .withf(|key, now, _, most| {
                *key == count_key(RateLimit::ConfirmationsOfVault, "")
                    && *now == at(0)
                    && *most == 1_000
            })
            .times(1)
            .returning(|_, _, ends, _| Ok(Some(ends)));
    });
    let refused = Failure::from(area.send(owner(), &origin()).unwrap_err());
    assert!(matches!(refused, Failure::TooMany { .. }), "{refused}");
}

#[test]
fn a_network_that_was_mailed_for_that_day_leaves_half_of_the_cap_to_others() {
    confirmations(|writes| {
        writes.expect_user().returning(|_| Ok(Some(unconfirmed())));
        writes
            .expect_replace_email_confirmation()
            .returning(|_| Ok(()));
        writes.expect_queue_mail().returning(|_| Ok(()));
        writes
            .expect_count_event()
            // NOW is at 8:00 UTC.
            .withf(|_, now, ends, most| *now == at(0) && *ends == at(16 * 3_600) && *most == 1)
            .times(1)
            .returning(|_, _, ends, _| Ok(Some(ends)));
        writes
            .expect_count_event()
            .withf(|_, _, _, most| *most == 500)
            .times(1)
            .returning(|_, _, _, _| Ok(None));
    })
    .send(owner(), &origin())
    .unwrap();
}
