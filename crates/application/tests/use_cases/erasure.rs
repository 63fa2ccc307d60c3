use std::sync::Arc;

use ideavault_application::erasure::{ErasureError, PersonErasure};
use ideavault_domain::audit::AuditKind;
use ideavault_domain::email::Email;
use ideavault_domain::evidence::EventKind;
use ideavault_domain::ids::RecipientId;
use ideavault_domain::recipient::Recipient;

use crate::support::{at, by_email, bytes, full_access};
use crate::vault::{Disturbance, Vault, now, origin};

fn erasure(vault: &Arc<Vault>) -> PersonErasure<Vault> {
    PersonErasure::new(Arc::clone(vault), vault.clock())
}

fn is_erased(vault: &Vault, id: RecipientId) -> bool {
    let found = vault.read(|tx| tx.erasures().erasable(id)).unwrap();
    found.erasure.is_of_person()
}

fn erased_events(vault: &Vault) -> usize {
    let events = vault.events().into_iter();
    events
        .filter(|event| event.kind == EventKind::PersonErased)
        .count()
}

#[test]
fn what_breaks_off_is_completed_by_repeating_it() {
    let vault = Vault::new();
    let idea = vault.add_draft();
    let guests: Vec<Recipient> = (0..41)
        .map(|_| vault.add_guest(&vault.add_share(idea.id, full_access())))
        .collect();
    let asked_for = guests[20].id;
    let erase = || erasure(&vault).erase_for_owner(idea.owner, asked_for, false, origin());
    for _ in 0..3 {
        vault.overtake(|_| {});
    }
    vault.disturb(Disturbance::Full);
    erase().unwrap_err();
    let count = || {
        guests
            .iter()
            .filter(|guest| is_erased(&vault, guest.id))
            .count()
    };
    // The one that was asked for still tells whose the others are.
    assert_eq!((count(), is_erased(&vault, asked_for)), (24, false));
    let before = vault.writes();
    erase().unwrap();
    assert_eq!((count(), erased_events(&vault)), (41, 41));
    // The sixteen others in two transactions, and the one that was asked for.
    assert_eq!(vault.writes() - before, 3);
    erase().unwrap();
    assert_eq!(vault.writes() - before, 3);
}

#[test]
fn only_the_owner_erases_and_erases_a_kept_agreement_later() {
    let vault = Vault::new();
    let (idea, other) = (vault.add_draft(), vault.add_draft());
    let guest = vault.add_guest(&vault.add_share(idea.id, full_access()));
    let elsewhere = vault.add_guest(&vault.add_share(other.id, full_access()));
    let area = erasure(&vault);
    let refused = area.erase_for_owner(other.owner, guest.id, false, origin());
    assert!(matches!(refused, Err(ErasureError::NotFound)));
    let unknown = RecipientId::from_random(bytes());
    let refused = area.erase_for_owner(idea.owner, unknown, false, origin());
    assert!(matches!(refused, Err(ErasureError::NotFound)));
    for (keep, events) in [(true, 1), (true, 1), (false, 1), (false, 1), (true, 1)] {
        area.erase_for_owner(idea.owner, guest.id, keep, origin())
            .unwrap();
        assert_eq!(erased_events(&vault), events);
    }
    let found = vault.read(|tx| tx.erasures().erasable(guest.id)).unwrap();
    assert!(found.erasure.agreement);
    assert_eq!(vault.audited(), [AuditKind::PersonErased; 2]);
    assert!(!is_erased(&vault, elsewhere.id));
    // A deleted idea keeps its owner.
    assert!(vault.write(|tx| tx.ideas().delete_draft(other.id, at(9))));
    area.erase_for_owner(other.owner, elsewhere.id, false, origin())
        .unwrap();
    assert!(is_erased(&vault, elsewhere.id));
}

#[test]
fn a_link_for_the_address_is_revoked_with_an_event() {
    let vault = Vault::new();
    let link = vault.add_share(vault.add_draft().id, by_email("grace@example.org"));
    let area = erasure(&vault);
    let erased = area.erase_everywhere("Grace@Example.org", false).unwrap();
    assert_eq!((erased.registrations, erased.links), (0, 1));
    assert_eq!(erased.email, Email::parse("grace@example.org").unwrap());
    assert_eq!(vault.share(link.id).revoked_at, Some(now()));
    let events = vault.events();
    assert_eq!(
        events.last().map(|event| event.kind),
        Some(EventKind::ShareRevoked)
    );
    assert_eq!(vault.audited(), [AuditKind::ShareRevoked]);
    let again = area.erase_everywhere("grace@example.org", false).unwrap();
    assert!(again.is_empty());
}

#[test]
fn a_registration_without_a_readable_address_is_erased_alone() {
    let vault = Vault::new();
    let idea = vault.add_draft();
    let share = vault.add_share(idea.id, full_access());
    let [unreadable, other] = [(); 2].map(|()| vault.add_guest(&share));
    assert_eq!(unreadable.email, other.email);
    vault
        .sql(&format!(
            "DROP TRIGGER recipients_details; \
             UPDATE recipients SET details = x'00' WHERE id = '{}'",
            unreadable.id
        ))
        .unwrap();
    let area = erasure(&vault);
    for _ in 0..2 {
        area.erase_for_owner(idea.owner, unreadable.id, false, origin())
            .unwrap();
        assert!(is_erased(&vault, unreadable.id));
        assert!(!is_erased(&vault, other.id));
    }
    assert_eq!(erased_events(&vault), 1);
}

#[test]
fn nothing_goes_unless_the_log_says_so() {
    let vault = Vault::new();
    let idea = vault.add_draft();
    let guest = vault.add_guest(&vault.add_share(idea.id, full_access()));
    let erase = || erasure(&vault).erase_for_owner(idea.owner, guest.id, false, origin());
    vault
        .sql(
            "CREATE TRIGGER full_log BEFORE INSERT ON evidence_events \
             BEGIN SELECT RAISE(ABORT, 'full'); END",
        )
        .unwrap();
    erase().unwrap_err();
    assert!(!is_erased(&vault, guest.id));
    assert_eq!(vault.audited(), []);
    vault.sql("DROP TRIGGER full_log").unwrap();
    erase().unwrap();
    assert!(is_erased(&vault, guest.id));
}
