use super::*;
use crate::testing::{
    MockDatabase, MockTransaction, ada, at, deps, email_composer, origin, owner, records,
};

fn confirmations(writes: impl FnOnce(&mut MockTransaction)) -> Confirmations<MockDatabase> {
    Confirmations::new(
        deps(MockDatabase::new(|_| {}, writes)),
        email_composer(),
        DailyCaps::scaled(1.0),
    )
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
    area.send(owner()).unwrap();
}

#[test]
fn a_confirmed_account_gets_no_confirmation_mail() {
    let area = confirmations(|writes| {
        writes.expect_user().returning(|_| Ok(Some(ada())));
    });
    let refused = area.send(owner()).unwrap_err();
    assert!(matches!(Failure::from(refused), Failure::Conflict(_)));
}

#[test]
fn a_valid_link_confirms_once_and_is_recorded() {
    for first in [true, false] {
        let area = confirmations(|writes| {
            writes
                .expect_consume_email_confirmation()
                .withf(|taken, now| *taken == token().hash() && *now == at(0))
                .returning(|_, _| Ok(ConfirmationAttempt::Taken(owner())));
            writes
                .expect_confirm_address()
                .times(1)
                .returning(move |_, _| Ok(first));
            if first {
                records(writes, AuditKind::EmailConfirmed);
            }
        });
        area.confirm(&token().reveal(), origin()).unwrap();
    }
}

#[test]
fn a_refused_link_reports_the_reason() {
    let attempt = |attempt| {
        let area = confirmations(|writes| {
            writes
                .expect_consume_email_confirmation()
                .returning(move |_, _| Ok(attempt));
        });
        Failure::from(area.confirm(&token().reveal(), origin()).unwrap_err())
    };
    let used = attempt(ConfirmationAttempt::UsedBefore);
    assert!(matches!(used, Failure::Conflict(_)), "{used}");
    let dead = attempt(ConfirmationAttempt::Denied);
    assert!(matches!(dead, Failure::Invalid(_)), "{dead}");
    let garbage = confirmations(|_| {}).confirm("x", origin()).unwrap_err();
    assert!(matches!(garbage, ConfirmationError::InvalidLink));
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
            .expect_count_mail()
            .withf(|mails, now, most| {
                *mails == CappedMails::ConfirmationsOfVault && *now == at(0) && *most == 1_000
            })
            .times(1)
            .returning(|_, _, _| Ok(false));
    });
    let refused = Failure::from(area.send(owner()).unwrap_err());
    assert!(matches!(refused, Failure::TooMany { .. }), "{refused}");
}
