use ideavault_domain::evidence::EventKind;
use ideavault_domain::idea::Idea;
use ideavault_domain::recipient::Erasure;
use ideavault_domain::share::ShareTerms;
use mockall::Sequence;
use mockall::predicate::eq;

use super::*;
use crate::testing::{
    MockDatabase, MockTransaction, StoppedClock, at, draft_idea, has_idea, origin, owner, progress,
    share, stranger,
};

fn area(writes: impl FnOnce(&mut MockTransaction)) -> PersonErasure<MockDatabase> {
    PersonErasure::new(MockDatabase::new(|_| {}, writes), Arc::new(StoppedClock))
}

fn registration(erasure: Erasure) -> ErasableRegistration {
    let recipient = progress(true).recipient;
    ErasableRegistration {
        recipient: recipient.id,
        share: recipient.share,
        idea: draft_idea().id,
        email: Some(recipient.email),
        has_accepted: true,
        erasure,
    }
}

/// Has that registration on the owner's draft.
fn has(tx: &mut MockTransaction, erasure: Erasure) {
    tx.expect_erasable()
        .returning(move |_| Ok(Some(registration(erasure))));
    has_idea(tx, draft_idea());
}

fn id() -> RecipientId {
    progress(true).recipient.id
}

#[test]
fn the_log_says_so_before_anything_goes() {
    let writes = |tx: &mut MockTransaction| {
        has(tx, Erasure::default());
        let email = progress(true).recipient.email;
        let scope = ErasureScope::IdeasOf(owner());
        let mut order = Sequence::new();
        tx.expect_left_out().returning(Vec::new);
        tx.expect_registrations_under()
            .with(eq(email.clone()), eq(scope))
            .returning(|_, _| Ok(vec![registration(Erasure::default())]));
        tx.expect_shares_for().returning(|_, _| Ok(Vec::new()));
        tx.expect_append_event()
            .withf(|event| event.kind() == EventKind::PersonErased)
            .times(1)
            .in_sequence(&mut order)
            .returning(|_| Ok(true));
        tx.expect_erase_person()
            .with(eq(id()), eq(true), eq(at(0)))
            .times(1)
            .in_sequence(&mut order)
            .returning(|_, _, _| Ok(()));
        tx.expect_record()
            .withf(|entry| entry.kind == AuditKind::PersonErased && entry.account == Some(owner()))
            .times(1)
            .returning(|_| Ok(()));
        tx.expect_drop_mails_to()
            .with(eq(email), eq(scope))
            .times(1)
            .returning(|_, _| Ok(1));
    };
    area(writes)
        .erase_for_owner(owner(), id(), true, origin())
        .unwrap();
}

#[test]
fn nobody_but_the_owner_erases() {
    for found in [None, Some(registration(Erasure::default()))] {
        let writes = move |tx: &mut MockTransaction| {
            tx.expect_erasable().returning(move |_| Ok(found.clone()));
            has_idea(tx, draft_idea());
        };
        let refused = area(writes).erase_for_owner(stranger(), id(), false, origin());
        assert!(matches!(refused, Err(ErasureError::NotFound)));
    }
}

#[test]
fn erasing_again_changes_nothing_but_a_kept_agreement() {
    let erased = |agreement| Erasure {
        person_at: Some(at(-9)),
        agreement,
    };
    for (agreement, keep) in [(true, false), (true, true), (false, true)] {
        let again = area(move |tx| has(tx, erased(agreement)));
        again
            .erase_for_owner(owner(), id(), keep, origin())
            .unwrap();
    }
    let writes = |tx: &mut MockTransaction| {
        has(tx, erased(false));
        tx.expect_left_out().returning(Vec::new);
        // The address is only in the text that was kept.
        tx.expect_registrations_under()
            .withf(|email, scope| {
                email.as_str() == "grace@example.org" && *scope == ErasureScope::IdeasOf(owner())
            })
            .returning(move |_, _| Ok(vec![registration(erased(false))]));
        tx.expect_shares_for().returning(|_, _| Ok(Vec::new()));
        tx.expect_append_event().returning(|_| Ok(false));
        tx.expect_drop_mails_to().returning(|_, _| Ok(0));
        tx.expect_erase_person()
            .with(eq(id()), eq(false), eq(at(0)))
            .times(1)
            .returning(|_, _, _| Ok(()));
        tx.expect_record().times(1).returning(|_| Ok(()));
    };
    area(writes)
        .erase_for_owner(owner(), id(), false, origin())
        .unwrap();
}

#[test]
fn a_link_for_the_address_is_revoked_with_an_event() {
    let writes = |tx: &mut MockTransaction| {
        let link = share(ShareTerms::Email {
            recipient: Email::parse("grace@example.org").unwrap(),
        });
        tx.expect_left_out().returning(Vec::new);
        tx.expect_registrations_under()
            .returning(|_, _| Ok(Vec::new()));
        tx.expect_shares_for()
            .returning(move |_, _| Ok(vec![link.clone()]));
        tx.expect_revoke_share().times(1).returning(|_, _| Ok(true));
        tx.expect_append_event()
            .withf(|event| event.kind() == EventKind::ShareRevoked)
            .times(1)
            .returning(|_| Ok(true));
        tx.expect_record().times(1).returning(|_| Ok(()));
        tx.expect_erase_share_address()
            .times(1)
            .returning(|_| Ok(()));
        tx.expect_drop_mails_to().returning(|_, _| Ok(0));
        tx.expect_erase_applications().returning(|_| Ok(0));
        tx.expect_credentials().returning(|_| Ok(None));
    };
    let erased = area(writes)
        .erase_everywhere("Grace@Example.org", false)
        .unwrap();
    assert_eq!((erased.registrations, erased.links), (0, 1));
}

#[test]
fn of_an_unknown_address_there_is_nothing() {
    let writes = |tx: &mut MockTransaction| {
        tx.expect_left_out().returning(Vec::new);
        tx.expect_registrations_under()
            .returning(|_, _| Ok(Vec::new()));
        tx.expect_shares_for().returning(|_, _| Ok(Vec::new()));
        tx.expect_drop_mails_to().returning(|_, _| Ok(0));
        tx.expect_erase_applications().returning(|_| Ok(0));
        tx.expect_credentials().returning(|_| Ok(None));
    };
    let erased = area(writes).erase_everywhere("eve@example.org", false);
    assert!(erased.unwrap().is_empty());
}

#[test]
fn a_deleted_idea_keeps_its_owner() {
    let writes = |tx: &mut MockTransaction| {
        tx.expect_erasable()
            .returning(|_| Ok(Some(registration(Erasure::default()))));
        let deleted = Idea {
            deleted_at: Some(at(-1)),
            ..draft_idea()
        };
        has_idea(tx, deleted);
        tx.expect_left_out().returning(Vec::new);
        tx.expect_registrations_under()
            .returning(|_, _| Ok(Vec::new()));
        tx.expect_shares_for().returning(|_, _| Ok(Vec::new()));
        tx.expect_drop_mails_to().times(1).returning(|_, _| Ok(0));
    };
    area(writes)
        .erase_for_owner(owner(), id(), false, origin())
        .unwrap();
}

#[test]
fn a_registration_without_a_readable_address_is_erased_alone() {
    let writes = |tx: &mut MockTransaction| {
        let damaged = ErasableRegistration {
            email: None,
            ..registration(Erasure::default())
        };
        tx.expect_erasable()
            .returning(move |_| Ok(Some(damaged.clone())));
        has_idea(tx, draft_idea());
        tx.expect_append_event()
            .withf(|event| event.kind() == EventKind::PersonErased)
            .times(1)
            .returning(|_| Ok(true));
        tx.expect_erase_person()
            .with(eq(id()), eq(false), eq(at(0)))
            .times(1)
            .returning(|_, _, _| Ok(()));
        tx.expect_record().times(1).returning(|_| Ok(()));
    };
    area(writes)
        .erase_for_owner(owner(), id(), false, origin())
        .unwrap();
}
