use ideavault_domain::account::{PasswordHash, SessionEpoch};
use ideavault_domain::evidence::EventKind;
use ideavault_domain::ports::{Credentials, EverOwnedIdea};
use ideavault_domain::two_factor::{CodeAttempt, TwoFactor};
use mockall::Sequence;

use super::*;
use crate::testing::{
    MockDatabase, MockPasswords, MockTransaction, actor, ada, after_sign_out, at, deps,
    email_composer, has_secret, has_sessions, origin, owner, records, signed_in, totp, two_factor,
};

fn area(
    writes: impl FnOnce(&mut MockTransaction),
    password_is_right: bool,
) -> Leaving<MockDatabase> {
    let mut hasher = MockPasswords::new();
    hasher
        .expect_verify()
        .returning(move |_, _| Ok(password_is_right));
    let reads = |tx: &mut MockTransaction| {
        tx.expect_user().returning(|_| Ok(Some(ada())));
        knows_ada(tx);
    };
    Leaving::new(
        deps(MockDatabase::new(reads, writes)),
        Arc::new(hasher),
        totp(),
        email_composer(),
    )
}

fn knows_ada(tx: &mut MockTransaction) {
    tx.expect_credentials().returning(|_| {
        Ok(Some(Credentials {
            user: ada(),
            password_hash: PasswordHash::new("stored".into()),
            epoch: SessionEpoch::default(),
        }))
    });
}

/// Is signed in, with that setup of two-step sign-in.
fn has(tx: &mut MockTransaction, factor: Option<TwoFactor>) {
    signed_in(tx);
    knows_ada(tx);
    tx.expect_two_factor()
        .returning(move |_| Ok(factor.clone()));
}

fn enabled() -> TwoFactor {
    TwoFactor {
        confirmed_at: Some(at(-9)),
        ..two_factor()
    }
}

fn field_of(error: LeavingError) -> &'static str {
    match Failure::from(error) {
        Failure::Invalid(invalid) => invalid.field,
        failure => panic!("{failure}"),
    }
}

#[test]
fn the_log_says_what_goes_and_the_confirmation_outlives_dropped_mails() {
    let writes = |tx: &mut MockTransaction| {
        has(tx, None);
        tx.expect_lock_account().times(1).returning(|_| Ok(()));
        tx.expect_erase_applications().returning(|_| Ok(0));
        tx.expect_revoke_shares_of()
            .returning(|_, _| Ok(Vec::new()));
        tx.expect_ideas_ever_of().returning(|_| {
            let idea = |id: i64, is_draft| EverOwnedIdea {
                id: id.into(),
                is_draft,
            };
            Ok(vec![idea(7, true), idea(8, false)])
        });
        let mut order = Sequence::new();
        for (idea, kinds) in [
            (7, vec![EventKind::IdeaDeleted, EventKind::PersonErased]),
            (8, vec![EventKind::PersonErased]),
        ] {
            for kind in kinds {
                tx.expect_append_event()
                    .withf(move |event| {
                        event.kind() == kind && event.subject().idea == Some(idea.into())
                    })
                    .times(1)
                    .in_sequence(&mut order)
                    .returning(|_| Ok(true));
            }
            tx.expect_erase_creator()
                .withf(move |erased| *erased == idea.into())
                .times(1)
                .in_sequence(&mut order)
                .returning(|_| Ok(()));
        }
        tx.expect_drop_mails_to()
            .times(1)
            .in_sequence(&mut order)
            .returning(|_, _| Ok(2));
        tx.expect_drop_mails_of_account()
            .times(1)
            .in_sequence(&mut order)
            .returning(|_| Ok(()));
        tx.expect_delete_account()
            .withf(|user, _| *user == owner())
            .times(1)
            .in_sequence(&mut order)
            .returning(|_, _| Ok(true));
        tx.expect_queue_mail()
            .withf(|queued| queued.mail.subject() == "Your IdeaVault account was deleted")
            .times(1)
            .in_sequence(&mut order)
            .returning(|_| Ok(()));
        records(tx, AuditKind::AccountDeleted);
    };
    area(writes, true)
        .delete_account(actor(), "secret", None, origin())
        .unwrap();
}

#[test]
fn a_wrong_password_is_refused_before_anything_is_written() {
    let refused = area(|_| {}, false).delete_account(actor(), "wrong-one", None, origin());
    assert_eq!(field_of(refused.unwrap_err()), "password");
}

#[test]
fn an_ended_session_deletes_nothing() {
    for sessions in after_sign_out() {
        let writes = move |tx: &mut MockTransaction| has_sessions(tx, sessions);
        let refused = area(writes, true).delete_account(actor(), "secret", None, origin());
        assert!(matches!(refused, Err(LeavingError::SignedOut)));
    }
}

#[test]
fn two_step_sign_in_needs_a_code_and_a_wrong_one_counts() {
    for code in [None, Some(" ")] {
        let missing = area(|tx| has(tx, Some(enabled())), true);
        let missing = missing.delete_account(actor(), "secret", code, origin());
        assert_eq!(field_of(missing.unwrap_err()), "code");
    }
    let writes = |tx: &mut MockTransaction| {
        has(tx, Some(enabled()));
        has_secret(tx);
        tx.expect_count_code()
            .times(1)
            .returning(|_, _| Ok(CodeAttempt::Counted(1)));
    };
    let wrong = area(writes, true).delete_account(actor(), "secret", Some("123456"), origin());
    assert_eq!(field_of(wrong.unwrap_err()), "code");
}
