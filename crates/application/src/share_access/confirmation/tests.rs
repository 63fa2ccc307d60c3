use std::sync::{Arc, Mutex};

use ideavault_domain::audit::{AuditKind, Subject};
use ideavault_domain::code::{CODE_ATTEMPTS, CodeHash};
use ideavault_domain::email::Email;
use ideavault_domain::failure::Failure;
use ideavault_domain::gate::RecipientProgress;
use ideavault_domain::mail::Mail;
use ideavault_domain::ports::CodeHasher as _;
use ideavault_domain::share::{Share, ShareTerms};

use super::*;
use crate::share_access::tests::{
    DETAILS, advances, found, gate, on_database, renews, share_access,
};
use crate::share_access::{ShareReference, Stage};
use crate::testing::{
    MockDatabase, MockTransaction, UnkeyedCodeHasher, at, origin, progress, share, share_token,
    viewer, viewer_key,
};

/// The code that [`crate::testing::FixedRandom`] generates: 0x0909090909090909 modulo
/// a million.
const CODE: &str = "690057";

fn by_email() -> Share {
    let recipient = Email::parse(DETAILS.email).unwrap();
    share(ShareTerms::Email { recipient })
}

fn confirmed() -> RecipientProgress {
    let mut progress = progress(false);
    progress.recipient.identity = Identity::EmailConfirmed { at: at(-5) };
    progress
}

fn vera() -> RecipientId {
    progress(false).recipient.id
}

fn hash(code: &str) -> CodeHash {
    let code = OneTimeCode::parse(code).unwrap();
    UnkeyedCodeHasher.hash(vera(), &code).unwrap()
}

/// The sent code, with that many attempts used.
fn tried(attempts: i32) -> Option<EmailCode> {
    Some(EmailCode {
        attempts,
        ..EmailCode::new(vera(), hash(CODE), at(-30))
    })
}

fn message(error: ShareAccessError) -> String {
    match Failure::from(error) {
        Failure::Invalid(invalid) => {
            assert_eq!(invalid.field, "code");
            invalid.message
        }
        other => panic!("{other:?}"),
    }
}

/// Expects a code valid for ten minutes to be sent, and captures its mail.
fn sending(tx: &mut MockTransaction) -> Arc<Mutex<Option<Mail>>> {
    tx.expect_replace_code()
        .withf(|sent| sent.attempts == 0 && sent.expires_at == at(600))
        .times(1)
        .returning(|_| Ok(()));
    let mail = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&mail);
    tx.expect_queue_mail()
        .withf(|mail| mail.expires_at == at(600))
        .times(1)
        .returning(move |queued| {
            *kept.lock().unwrap() = Some(queued.mail.clone());
            Ok(())
        });
    mail
}

#[test]
fn registering_on_an_email_link_mails_a_code_to_its_address() {
    let mut mail = None;
    let registered = share_access(
        |_| {},
        |writes| {
            gate(by_email(), None)(writes);
            renews(writes, Some(viewer().id));
            writes
                .expect_add_recipient()
                .withf(|recipient| recipient.identity == Identity::SelfDeclared)
                .times(1)
                .returning(|_| Ok(()));
            mail = Some(sending(writes));
        },
    )
    .register(
        &ShareReference::Token(share_token()),
        DETAILS,
        Some(&viewer_key()),
        &origin(),
        None,
    )
    .unwrap();
    let mail = mail.unwrap().lock().unwrap().take().unwrap();
    assert_eq!(mail.to(), &registered.recipient.email);
    assert!(mail.body().contains(CODE), "{}", mail.body());
}

#[test]
fn registering_again_requires_no_second_code() {
    share_access(
        |_| {},
        |writes| {
            let mut closed = confirmed();
            closed.recipient.closed_at = Some(at(-1));
            gate(by_email(), Some(closed))(writes);
            renews(writes, Some(viewer().id));
            writes
                .expect_add_recipient()
                .withf(|recipient| recipient.identity == Identity::EmailConfirmed { at: at(-5) })
                .times(1)
                .returning(|_| Ok(()));
            writes.expect_queue_mail().times(0);
        },
    )
    .register(
        &ShareReference::Token(share_token()),
        DETAILS,
        Some(&viewer_key()),
        &origin(),
        None,
    )
    .unwrap();
}

#[test]
fn registering_is_refused_once_the_link_sent_too_many_codes() {
    let area = share_access(
        |_| {},
        |writes| {
            gate(by_email(), None)(writes);
            renews(writes, Some(viewer().id));
            writes.expect_add_recipient().returning(|_| Ok(()));
            writes.expect_queue_mail().times(0);
        },
    );
    let of_link = LimitKey::common(by_email().id, origin().network());
    area.deps
        .limits
        .here()
        .exhaust(RateLimit::CodesByDay, &of_link);
    let error = area
        .register(
            &ShareReference::Token(share_token()),
            DETAILS,
            Some(&viewer_key()),
            &origin(),
            None,
        )
        .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::TooMany { .. }));
}

#[test]
fn what_is_run_again_after_a_conflict_counts_once() {
    let conflicting = |progress: Option<RecipientProgress>| {
        let database = MockDatabase::conflicting(|writes| {
            gate(by_email(), progress)(writes);
            writes.expect_add_viewer_session().returning(|_| Ok(()));
            writes.expect_add_recipient().returning(|_| Ok(()));
            writes.expect_replace_code().returning(|_| Ok(()));
            writes.expect_queue_mail().returning(|_| Ok(()));
        });
        on_database(database)
    };
    let link = by_email().id.to_string();
    let own = format!("{} {link}", origin().network());
    let counts = |area: &ShareAccess<MockDatabase>, recipient: RecipientId| {
        [
            (RateLimit::RegistrationsByAddress, &own),
            (RateLimit::Recipients, &link),
            (RateLimit::CodesByRecipient, &recipient.to_string()),
            (RateLimit::CodesByAddressAndDay, &own),
            (RateLimit::CodesByDay, &link),
            (RateLimit::CodesByAddress, &own),
            (RateLimit::Codes, &link),
        ]
        .map(|(limit, name)| area.deps.limits.here().counted(limit, name))
    };
    let area = conflicting(None);
    area.register(
        &ShareReference::Token(share_token()),
        DETAILS,
        Some(&viewer_key()),
        &origin(),
        None,
    )
    .unwrap();
    assert_eq!(counts(&area, RecipientId::from_random([9; 16])), [1; 7]);

    let area = conflicting(Some(progress(false)));
    area.send_code(vera(), Some(&viewer_key()), &origin())
        .unwrap();
    assert_eq!(counts(&area, vera()), [0, 0, 1, 1, 1, 1, 1]);
}

#[test]
fn an_unconfirmed_address_sees_only_the_state_of_its_code() {
    let opened = share_access(
        |reads| {
            let gate = FoundGate {
                code: tried(2),
                ..found(by_email(), Some(progress(false)))
            };
            reads
                .expect_find_gate()
                .returning(move |_| Ok(Some(gate.clone())));
        },
        |_| {},
    )
    .open(&share_token(), Some(&viewer_key()), &[])
    .unwrap();
    let Stage::Verify(pending) = opened.stage else {
        panic!("{:?}", opened.stage)
    };
    assert_eq!(pending.attempts_left, 3);
    assert_eq!(pending.expires_in.num_seconds(), 570);
    assert_eq!(pending.resend_in.num_seconds(), 30);
}

#[test]
fn agreeing_requires_a_confirmed_address() {
    let error = share_access(
        |_| {},
        |writes| {
            gate(by_email(), Some(progress(false)))(writes);
            writes.expect_add_acceptance().times(0);
        },
    )
    .agree(vera(), true, Some(&viewer_key()), origin(), None)
    .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Forbidden(_)));
}

#[test]
fn the_acceptance_records_when_the_address_was_confirmed_and_mails_a_receipt() {
    share_access(
        |_| {},
        |writes| {
            gate(by_email(), Some(confirmed()))(writes);
            advances(writes);
            writes
                .expect_add_acceptance()
                .withf(|acceptance| acceptance.identity == Identity::EmailConfirmed { at: at(-5) })
                .times(1)
                .returning(|_| Ok(true));
            // Its mail waits for the place in the log.
            writes
                .expect_queue_mail()
                .withf(|queued| {
                    queued.mail.receipts() == [vera()] && queued.first_attempt_at == at(5)
                })
                .times(1)
                .returning(|_| Ok(()));
        },
    )
    .agree(vera(), true, Some(&viewer_key()), origin(), None)
    .unwrap();
}

#[test]
fn the_right_code_confirms_the_address_and_records_the_time() {
    let state = share_access(
        |_| {},
        |writes| {
            gate(by_email(), Some(progress(false)))(writes);
            advances(writes);
            writes
                .expect_try_code()
                .times(1)
                .returning(|_, _| Ok(tried(CODE_ATTEMPTS)));
            writes
                .expect_confirm_email()
                .withf(|id, when| *id == vera() && *when == at(0))
                .times(1)
                .returning(|_, _| Ok(()));
        },
    )
    .verify(vera(), " 690 057 ", Some(&viewer_key()), origin(), None)
    .unwrap();
    assert_eq!(
        state.state.recipient.identity,
        Identity::EmailConfirmed { at: at(0) }
    );
    assert!(!state.state.agreed);
    assert!(state.new_viewer_key.is_some());
}

fn refuses_code(writes: &mut MockTransaction) {
    writes
        .expect_record_denial()
        .withf(|entry| {
            entry.kind == AuditKind::CodeRefused
                && entry.subject == Some(Subject::Recipient(vera()))
                && entry.origin == Some(origin())
        })
        .times(1)
        .returning(|_| Ok(true));
}

#[test]
fn a_wrong_code_uses_an_attempt_and_reports_how_many_remain() {
    for (attempts, words) in [
        (1, "4 tries left"),
        (4, "one try left"),
        (5, "request a new one"),
    ] {
        let error = share_access(
            |_| {},
            |writes| {
                gate(by_email(), Some(progress(false)))(writes);
                writes
                    .expect_try_code()
                    .times(1)
                    .returning(move |_, _| Ok(tried(attempts)));
                refuses_code(writes);
                writes.expect_confirm_email().times(0);
            },
        )
        .verify(vera(), "000000", Some(&viewer_key()), origin(), None)
        .unwrap_err();
        let message = message(error);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn an_unusable_code_is_not_compared() {
    let error = share_access(
        |_| {},
        |writes| {
            gate(by_email(), Some(progress(false)))(writes);
            writes.expect_try_code().returning(|_, _| Ok(None));
            refuses_code(writes);
            writes.expect_confirm_email().times(0);
        },
    )
    .verify(vera(), CODE, Some(&viewer_key()), origin(), None)
    .unwrap_err();
    assert!(message(error).contains("request a new one"));
}

#[test]
fn a_malformed_code_uses_no_attempt() {
    let error = share_access(|_| {}, |_| {})
        .verify(vera(), "12345", Some(&viewer_key()), origin(), None)
        .unwrap_err();
    assert!(message(error).contains("6 digits"));
}

#[test]
fn a_confirmed_address_accepts_no_further_code() {
    let writes = |writes: &mut MockTransaction| {
        gate(by_email(), Some(confirmed()))(writes);
        writes.expect_try_code().times(0);
    };
    let error = share_access(|_| {}, writes)
        .verify(vera(), CODE, Some(&viewer_key()), origin(), None)
        .unwrap_err();
    assert!(message(error).contains("already confirmed"));
    let error = share_access(|_| {}, writes)
        .send_code(vera(), Some(&viewer_key()), &origin())
        .unwrap_err();
    assert!(matches!(Failure::from(error), Failure::Conflict(_)));
}

#[test]
fn other_link_types_require_no_code() {
    let link = || share(ShareTerms::FullAccess);
    let error = share_access(|_| {}, gate(link(), Some(progress(false))))
        .verify(vera(), CODE, Some(&viewer_key()), origin(), None)
        .unwrap_err();
    assert!(matches!(error, ShareAccessError::NoCodeRequired));
    let error = share_access(|_| {}, gate(link(), Some(progress(false))))
        .send_code(vera(), Some(&viewer_key()), &origin())
        .unwrap_err();
    assert!(matches!(error, ShareAccessError::NoCodeRequired));
}

#[test]
fn a_new_code_replaces_the_previous_one() {
    let mut mail = None;
    let pending = share_access(
        |_| {},
        |writes| {
            gate(by_email(), Some(progress(false)))(writes);
            mail = Some(sending(writes));
        },
    )
    .send_code(vera(), Some(&viewer_key()), &origin())
    .unwrap();
    assert_eq!(pending.attempts_left, CODE_ATTEMPTS);
    assert_eq!(pending.resend_in.num_seconds(), 60);
    let mail = mail.unwrap().lock().unwrap().take().unwrap();
    assert!(mail.body().contains(CODE), "{}", mail.body());
}

#[test]
fn another_browser_cannot_confirm_or_request_a_code() {
    let mut foreign = progress(false);
    foreign.recipient.viewer_session =
        ideavault_domain::ids::ViewerSessionId::from_random([99; 16]);
    for known in [Some(viewer_key()), None] {
        let error = share_access(|_| {}, gate(by_email(), Some(foreign.clone())))
            .verify(vera(), CODE, known.as_ref(), origin(), None)
            .unwrap_err();
        assert!(matches!(error, ShareAccessError::NotFound));
        let error = share_access(|_| {}, gate(by_email(), Some(foreign.clone())))
            .send_code(vera(), known.as_ref(), &origin())
            .unwrap_err();
        assert!(matches!(error, ShareAccessError::NotFound));
    }
}

#[test]
fn a_revoked_link_accepts_no_code() {
    let mut revoked = by_email();
    revoked.revoked_at = Some(at(-1));
    let error = share_access(
        |_| {},
        |writes| {
            gate(revoked, Some(progress(false)))(writes);
            writes.expect_try_code().times(0);
        },
    )
    .verify(vera(), CODE, Some(&viewer_key()), origin(), None)
    .unwrap_err();
    assert!(matches!(error, ShareAccessError::NotFound));
}
