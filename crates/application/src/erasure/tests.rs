use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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

fn area(
    reads: impl FnOnce(&mut MockTransaction),
    writes: impl FnOnce(&mut MockTransaction),
) -> PersonErasure<MockDatabase> {
    PersonErasure::new(MockDatabase::new(reads, writes), Arc::new(StoppedClock))
}

/// Finds these registrations and links of the person.
fn finds(tx: &mut MockTransaction, registrations: Vec<ErasableRegistration>, links: Vec<Share>) {
    tx.expect_left_out().returning(Vec::new);
    tx.expect_registrations_under()
        .withf(|email, _| email.as_str() == "grace@example.org")
        .returning(move |_, _| Ok(registrations.clone()));
    tx.expect_shares_for()
        .returning(move |_, _| Ok(links.clone()));
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
    let reads = |tx: &mut MockTransaction| {
        has(tx, Erasure::default());
        finds(tx, vec![registration(Erasure::default())], Vec::new());
    };
    let writes = |tx: &mut MockTransaction| {
        let mut order = Sequence::new();
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
            .with(
                eq(progress(true).recipient.email),
                eq(ErasureScope::IdeasOf(owner())),
            )
            .times(1)
            .returning(|_, _| Ok(1));
    };
    area(reads, writes)
        .erase_for_owner(owner(), id(), true, origin())
        .unwrap();
}

/// Another registration of the same person.
fn other(number: u8) -> ErasableRegistration {
    ErasableRegistration {
        recipient: RecipientId::from_random([number; 16]),
        ..registration(Erasure::default())
    }
}

#[test]
fn what_breaks_off_is_completed_by_repeating_it() {
    let of_person = || {
        let others = (100..140).map(other);
        let asked_for = registration(Erasure::default());
        std::iter::once(asked_for).chain(others).collect::<Vec<_>>()
    };
    let erased = Arc::new(Mutex::new(Vec::new()));
    let erasing = |fails_at: usize| {
        let erased = Arc::clone(&erased);
        let reads = move |tx: &mut MockTransaction| {
            has(tx, Erasure::default());
            finds(tx, of_person(), Vec::new());
        };
        let writes = move |tx: &mut MockTransaction| {
            tx.expect_erase_person().returning(move |id, _, _| {
                let mut erased = erased.lock().unwrap();
                if erased.len() == fails_at {
                    return Err(DatabaseError::Full {
                        operation: "erase a person",
                        source: "no space".into(),
                    });
                }
                erased.push(id);
                Ok(())
            });
            tx.expect_record().returning(|_| Ok(()));
            tx.expect_drop_mails_to().returning(|_, _| Ok(0));
        };
        area(reads, writes).erase_for_owner(owner(), id(), false, origin())
    };
    erasing(30).unwrap_err();
    // The one that was asked for still tells whose the others are.
    assert!(!erased.lock().unwrap().contains(&id()));
    erased.lock().unwrap().clear();
    erasing(1_000).unwrap();
    let erased = erased.lock().unwrap();
    assert_eq!((erased.len(), erased.last()), (41, Some(&id())));
}

#[test]
fn many_registrations_are_erased_in_several_transactions() {
    struct Counted(Arc<MockDatabase>, AtomicUsize);
    impl Database for Counted {
        fn read<T, E: From<DatabaseError>>(
            &self,
            work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
        ) -> Result<T, E> {
            self.0.read(work)
        }

        fn read_one<T, E: From<DatabaseError>>(
            &self,
            work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
        ) -> Result<T, E> {
            self.0.read_one(work)
        }

        fn write<T, E: From<DatabaseError>>(
            &self,
            work: impl FnMut(&mut dyn Transaction) -> Result<T, E>,
        ) -> Result<T, E> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.write(work)
        }
    }
    let database = MockDatabase::new(
        |tx| finds(tx, (100..140).map(other).collect(), Vec::new()),
        |tx| {
            tx.expect_erase_person()
                .times(40)
                .returning(|_, _, _| Ok(()));
            tx.expect_record().returning(|_| Ok(()));
            tx.expect_drop_mails_to().returning(|_, _| Ok(0));
            tx.expect_erase_applications().returning(|_| Ok(0));
            tx.expect_credentials().returning(|_| Ok(None));
        },
    );
    let database = Arc::new(Counted(database, AtomicUsize::new(0)));
    PersonErasure::new(Arc::clone(&database), Arc::new(StoppedClock))
        .erase_everywhere("grace@example.org", false)
        .unwrap();
    // Five times eight; then mails and applications.
    assert_eq!(database.1.load(Ordering::Relaxed), 6);
}

#[test]
fn nobody_but_the_owner_erases() {
    for found in [None, Some(registration(Erasure::default()))] {
        let reads = move |tx: &mut MockTransaction| {
            tx.expect_erasable().returning(move |_| Ok(found.clone()));
            has_idea(tx, draft_idea());
        };
        let refused = area(reads, |_| {}).erase_for_owner(stranger(), id(), false, origin());
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
        let again = area(move |tx| has(tx, erased(agreement)), |_| {});
        again
            .erase_for_owner(owner(), id(), keep, origin())
            .unwrap();
    }
    let reads = |tx: &mut MockTransaction| {
        has(tx, erased(false));
        // The address is only in the text that was kept.
        finds(tx, vec![registration(erased(false))], Vec::new());
    };
    let writes = |tx: &mut MockTransaction| {
        tx.expect_append_event().returning(|_| Ok(false));
        tx.expect_drop_mails_to().returning(|_, _| Ok(0));
        tx.expect_erase_person()
            .with(eq(id()), eq(false), eq(at(0)))
            .times(1)
            .returning(|_, _, _| Ok(()));
        tx.expect_record().times(1).returning(|_| Ok(()));
    };
    area(reads, writes)
        .erase_for_owner(owner(), id(), false, origin())
        .unwrap();
}

#[test]
fn a_link_for_the_address_is_revoked_with_an_event() {
    let reads = |tx: &mut MockTransaction| {
        let link = share(ShareTerms::Email {
            recipient: Email::parse("grace@example.org").unwrap(),
        });
        finds(tx, Vec::new(), vec![link]);
    };
    let writes = |tx: &mut MockTransaction| {
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
    let erased = area(reads, writes)
        .erase_everywhere("Grace@Example.org", false)
        .unwrap();
    assert_eq!((erased.registrations, erased.links), (0, 1));
}

#[test]
fn of_an_unknown_address_there_is_nothing() {
    let reads = |tx: &mut MockTransaction| {
        tx.expect_left_out().returning(Vec::new);
        tx.expect_registrations_under()
            .returning(|_, _| Ok(Vec::new()));
        tx.expect_shares_for().returning(|_, _| Ok(Vec::new()));
    };
    let writes = |tx: &mut MockTransaction| {
        tx.expect_drop_mails_to().returning(|_, _| Ok(0));
        tx.expect_erase_applications().returning(|_| Ok(0));
        tx.expect_credentials().returning(|_| Ok(None));
    };
    let erased = area(reads, writes).erase_everywhere("eve@example.org", false);
    assert!(erased.unwrap().is_empty());
}

#[test]
fn a_deleted_idea_keeps_its_owner() {
    let reads = |tx: &mut MockTransaction| {
        tx.expect_erasable()
            .returning(|_| Ok(Some(registration(Erasure::default()))));
        let deleted = Idea {
            deleted_at: Some(at(-1)),
            ..draft_idea()
        };
        has_idea(tx, deleted);
        finds(tx, Vec::new(), Vec::new());
    };
    let writes = |tx: &mut MockTransaction| {
        tx.expect_drop_mails_to().times(1).returning(|_, _| Ok(0));
        tx.expect_erase_person()
            .times(1)
            .returning(|_, _, _| Ok(()));
        tx.expect_record().times(1).returning(|_| Ok(()));
    };
    area(reads, writes)
        .erase_for_owner(owner(), id(), false, origin())
        .unwrap();
}

#[test]
fn a_registration_without_a_readable_address_is_erased_alone() {
    let reads = |tx: &mut MockTransaction| {
        let damaged = ErasableRegistration {
            email: None,
            ..registration(Erasure::default())
        };
        tx.expect_erasable()
            .returning(move |_| Ok(Some(damaged.clone())));
        has_idea(tx, draft_idea());
    };
    let writes = |tx: &mut MockTransaction| {
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
    area(reads, writes)
        .erase_for_owner(owner(), id(), false, origin())
        .unwrap();
}
