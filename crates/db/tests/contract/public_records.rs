//! Public records, and the single events that documents are about.

use ideavault_domain::evidence::{Event, EventKind};
use ideavault_domain::idea::DocumentId;
use ideavault_domain::ids::RecipientId;

use crate::support::{Fixture, acceptance, at, full_access, on_both_databases};

on_both_databases!(
    a_record_is_found_by_its_document_id_while_it_is_on,
    a_draft_has_no_document_id_to_be_found_by,
    the_newest_event_of_a_kind_is_that_of_its_recipient,
);

fn a_record_is_found_by_its_document_id_while_it_is_on(fixture: &Fixture) {
    let idea = fixture.add_published();
    let id = idea.status.publication().unwrap().document_id.clone();
    let found = || fixture.read(|tx| tx.public_records().publicly_recorded(&id));
    let is_on = || fixture.read(|tx| tx.public_records().has_public_record(idea.id));
    let set = |since| {
        fixture.write(|tx| tx.public_records().set_public_record(idea.id, since));
    };
    assert_eq!((found(), is_on()), (None, false));
    for since in [at(5), at(6)] {
        set(Some(since));
        assert_eq!((found(), is_on()), (Some(idea.id), true));
    }
    let other = DocumentId::from_stored(id.as_str().to_lowercase());
    let other = fixture.read(|tx| tx.public_records().publicly_recorded(&other));
    assert_eq!(other, None);
    for _ in 0..2 {
        set(None);
        assert_eq!((found(), is_on()), (None, false));
    }
}

fn a_draft_has_no_document_id_to_be_found_by(fixture: &Fixture) {
    let idea = fixture.add_draft();
    fixture.write(|tx| tx.public_records().set_public_record(idea.id, Some(at(5))));
    let none = DocumentId::from_stored(String::new());
    let found = fixture.read(|tx| tx.public_records().publicly_recorded(&none));
    assert_eq!(found, None);
}

fn the_newest_event_of_a_kind_is_that_of_its_recipient(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let (first, second) = (fixture.add_guest(&share), fixture.add_guest(&share));
    fixture.begin_log();
    fixture.write(|tx| {
        let log = tx.evidence_log();
        for guest in [&first, &second] {
            let accepted = acceptance(guest, at(5));
            log.append_event(&Event::agreement_accepted(guest, &accepted, None))?;
        }
        Ok(())
    });
    let newest = |kind, recipient: Option<RecipientId>| {
        let found = fixture.read(|tx| tx.evidence_log().newest_event(kind, idea.id, recipient));
        found.and_then(|event| event.subject.recipient)
    };
    let accepted = EventKind::AgreementAccepted;
    assert_eq!(newest(accepted, Some(first.id)), Some(first.id));
    assert_eq!(newest(accepted, Some(second.id)), Some(second.id));
    assert_eq!(newest(accepted, None), Some(second.id));
    assert_eq!(newest(EventKind::AgreementDeclined, Some(first.id)), None);
    let nobody = RecipientId::from_random([0; 16]);
    assert_eq!(newest(accepted, Some(nobody)), None);
}
