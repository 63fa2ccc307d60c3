//! Codes that confirm addresses: limited attempts, one success, and the confirmation.

use ideavault_domain::code::{CODE_ATTEMPTS, CodeHash, EmailCode};
use ideavault_domain::ids::RecipientId;
use ideavault_domain::page::Paging;
use ideavault_domain::ports::GateAddress;
use ideavault_domain::recipient::{Identity, NdaAcceptance, Recipient};

use crate::support::{
    Fixture, acceptance, at, bytes, full_access, on_both_databases, race, recipient,
};

on_both_databases!(
    a_code_round_trips,
    each_attempt_counts_and_the_sixth_is_refused,
    an_expired_code_accepts_no_attempt,
    concurrent_guesses_get_five_attempts_in_total,
    a_new_code_replaces_the_previous_one_and_its_attempts,
    cleanup_removes_expired_codes,
    codes_of_different_recipients_are_independent,
    a_confirmation_is_stored_and_its_code_deleted,
    the_first_confirmation_is_kept,
    concurrent_correct_guesses_have_one_winner,
    a_new_registration_keeps_an_earlier_confirmation,
    an_acceptance_keeps_the_identity_at_its_time,
    the_database_refuses_to_undo_a_confirmation,
);

fn registered(fixture: &Fixture) -> Recipient {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    fixture.add_recipient(fixture.add_viewer().id, &share)
}

/// Stores a code that was sent at minute 5.
fn sent(fixture: &Fixture, recipient: RecipientId) -> EmailCode {
    let code = EmailCode::new(recipient, CodeHash::from_bytes(bytes()), at(5));
    fixture.write(|tx| tx.codes().replace_code(&code));
    code
}

fn stored(fixture: &Fixture, recipient: RecipientId) -> Option<EmailCode> {
    let found = fixture.read(|tx| tx.recipients().registration(recipient));
    let session = found.unwrap().progress.recipient.viewer_session;
    let gate = fixture.gate(GateAddress::Recipient(recipient), session);
    gate.unwrap().code
}

fn identity(fixture: &Fixture, recipient: RecipientId) -> Identity {
    let found = fixture.read(|tx| tx.recipients().registration(recipient));
    found.unwrap().progress.recipient.identity
}

fn tried(code: &EmailCode, attempts: i32) -> Option<EmailCode> {
    Some(EmailCode {
        attempts,
        ..code.clone()
    })
}

fn a_code_round_trips(fixture: &Fixture) {
    let recipient = registered(fixture).id;
    assert_eq!(stored(fixture, recipient), None);
    let code = sent(fixture, recipient);
    assert_eq!(stored(fixture, recipient), Some(code));
}

fn each_attempt_counts_and_the_sixth_is_refused(fixture: &Fixture) {
    let recipient = registered(fixture).id;
    let code = sent(fixture, recipient);
    let attempt = || fixture.write(|tx| tx.codes().try_code(recipient, at(6)));
    for attempts in 1..=CODE_ATTEMPTS {
        assert_eq!(attempt(), tried(&code, attempts));
    }
    assert_eq!(attempt(), None);
    assert_eq!(stored(fixture, recipient), tried(&code, CODE_ATTEMPTS));
}

fn an_expired_code_accepts_no_attempt(fixture: &Fixture) {
    let recipient = registered(fixture).id;
    let code = sent(fixture, recipient);
    let before = code.expires_at - chrono::Duration::microseconds(1);
    let too_late = fixture.write(|tx| tx.codes().try_code(recipient, code.expires_at));
    assert_eq!(too_late, None);
    assert_eq!(stored(fixture, recipient), tried(&code, 0));
    let in_time = fixture.write(|tx| tx.codes().try_code(recipient, before));
    assert_eq!(in_time, tried(&code, 1));
}

fn concurrent_guesses_get_five_attempts_in_total(fixture: &Fixture) {
    let recipient = registered(fixture).id;
    sent(fixture, recipient);
    let answers = race(20, |_| {
        fixture.write(|tx| tx.codes().try_code(recipient, at(6)))
    });
    let mut attempts: Vec<_> = answers
        .into_iter()
        .flatten()
        .map(|code| code.attempts)
        .collect();
    attempts.sort_unstable();
    assert_eq!(attempts, [1, 2, 3, 4, 5]);
}

fn a_new_code_replaces_the_previous_one_and_its_attempts(fixture: &Fixture) {
    let recipient = registered(fixture).id;
    sent(fixture, recipient);
    for _ in 0..CODE_ATTEMPTS {
        fixture.write(|tx| tx.codes().try_code(recipient, at(6)));
    }
    let next = sent(fixture, recipient);
    assert_eq!(stored(fixture, recipient), Some(next.clone()));
    let attempt = fixture.write(|tx| tx.codes().try_code(recipient, at(6)));
    assert_eq!(attempt, tried(&next, 1));
}

fn codes_of_different_recipients_are_independent(fixture: &Fixture) {
    let (one, two) = (registered(fixture).id, registered(fixture).id);
    let code = sent(fixture, two);
    let attempt = fixture.write(|tx| tx.codes().try_code(one, at(6)));
    assert_eq!(attempt, None);
    fixture.write(|tx| tx.codes().confirm_email(one, at(6)));
    assert_eq!(stored(fixture, two), Some(code));
    assert_eq!(identity(fixture, two), Identity::SelfDeclared);
}

fn a_confirmation_is_stored_and_its_code_deleted(fixture: &Fixture) {
    let recipient = registered(fixture);
    sent(fixture, recipient.id);
    assert_eq!(identity(fixture, recipient.id), Identity::SelfDeclared);

    fixture.write(|tx| tx.codes().confirm_email(recipient.id, at(6)));

    let confirmed = Identity::EmailConfirmed { at: at(6) };
    assert_eq!(identity(fixture, recipient.id), confirmed);
    assert_eq!(stored(fixture, recipient.id), None);
    fixture.record_facts(recipient.agreement.idea);
    let newest = fixture.newest(recipient.viewer_session, recipient.share);
    let listed = fixture.read(|tx| {
        tx.recipients()
            .activity_of(recipient.agreement.idea, Paging::default())
    });
    assert_eq!(newest.unwrap().recipient.identity, confirmed);
    assert_eq!(listed.into_items()[0].identity, confirmed);
}

fn the_first_confirmation_is_kept(fixture: &Fixture) {
    let recipient = registered(fixture).id;
    for minute in [6, 7] {
        fixture.write(|tx| tx.codes().confirm_email(recipient, at(minute)));
    }
    assert_eq!(
        identity(fixture, recipient),
        Identity::EmailConfirmed { at: at(6) }
    );
}

fn cleanup_removes_expired_codes(fixture: &Fixture) {
    let recipients = [registered(fixture).id, registered(fixture).id];
    let code = sent(fixture, recipients[0]);
    let later = EmailCode::new(recipients[1], CodeHash::from_bytes(bytes()), at(6));
    fixture.write(|tx| tx.codes().replace_code(&later));
    let before = code.expires_at - chrono::Duration::microseconds(1);
    assert_eq!(
        fixture.write(|tx| tx.codes().delete_expired_codes(before)),
        0
    );
    assert_eq!(
        fixture.write(|tx| tx.codes().delete_expired_codes(code.expires_at)),
        1
    );
    assert_eq!(stored(fixture, recipients[0]), None);
    assert_eq!(stored(fixture, recipients[1]), Some(later));
}

fn concurrent_correct_guesses_have_one_winner(fixture: &Fixture) {
    let recipient = registered(fixture).id;
    sent(fixture, recipient);
    let answers = race(8, |_| {
        fixture.write(|tx| {
            let code = tx.codes().try_code(recipient, at(6))?;
            if code.is_some() {
                tx.codes().confirm_email(recipient, at(6))?;
            }
            Ok(code)
        })
    });
    assert_eq!(answers.into_iter().flatten().count(), 1);
}

fn a_new_registration_keeps_an_earlier_confirmation(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let known = Recipient {
        identity: Identity::EmailConfirmed { at: at(4) },
        ..recipient(fixture.add_viewer().id, &share, at(8))
    };
    fixture.write(|tx| tx.recipients().add_recipient(&known));
    assert_eq!(identity(fixture, known.id), known.identity);
}

fn an_acceptance_keeps_the_identity_at_its_time(fixture: &Fixture) {
    let recipient = registered(fixture);
    let before = acceptance(&recipient, at(5));
    let confirmed = registered(fixture);
    let after = NdaAcceptance {
        identity: Identity::EmailConfirmed { at: at(4) },
        ..acceptance(&confirmed, at(5))
    };
    for acceptance in [before, after] {
        fixture.write(|tx| {
            tx.recipients().add_acceptance(&acceptance)?;
            tx.codes().confirm_email(acceptance.recipient, at(9))
        });
        let found = fixture.read(|tx| tx.recipients().registration(acceptance.recipient));
        assert_eq!(found.unwrap().progress.acceptance, Some(acceptance));
    }
}

fn the_database_refuses_to_undo_a_confirmation(fixture: &Fixture) {
    let recipient = registered(fixture).id;
    fixture.write(|tx| tx.codes().confirm_email(recipient, at(6)));
    fixture.refuses(
        "a confirmation is final",
        &[
            "UPDATE recipients SET email_confirmed_at = NULL",
            "UPDATE recipients SET email_confirmed_at = created_at",
        ],
    );
}
