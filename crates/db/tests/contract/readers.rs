use ideavault_domain::ids::UserId;
use ideavault_domain::reader::{Reader, ReaderScope};

use crate::support::{Fixture, at, bytes, full_access, grant, on_both_databases};

on_both_databases!(
    readers_are_those_of_an_owner_within_a_scope,
    a_damaged_reader_does_not_hide_the_others,
);

fn readers(fixture: &Fixture, owner: UserId, scope: ReaderScope) -> Vec<Reader> {
    let found = fixture.read(|tx| tx.recipients().readers_of(owner, &scope, 9));
    found.unwrap()
}

fn readers_are_those_of_an_owner_within_a_scope(fixture: &Fixture) {
    let one = fixture.add_draft();
    let two = fixture.add_idea(one.owner);
    let (first, second) = (
        fixture.add_share(one.id, full_access()),
        fixture.add_share(two.id, full_access()),
    );
    let (grace, peter) = (fixture.add_guest(&first), fixture.add_guest(&second));
    let view = grant(&grace, at(6));
    assert!(fixture.write(|tx| tx.shares().claim_view(&view)));
    fixture.record_facts(one.id);
    let ids = |scope| -> Vec<_> {
        let found = readers(fixture, one.owner, scope);
        found.iter().map(|reader| reader.recipient).collect()
    };
    let everything = ReaderScope::default();
    assert_eq!(ids(everything), [peter.id, grace.id]);
    let too_many = fixture.read(|tx| tx.recipients().readers_of(one.owner, &everything, 1));
    assert_eq!(too_many, None);
    let of_idea = ReaderScope {
        idea: Some(one.id),
        ..everything
    };
    assert_eq!(ids(of_idea), [grace.id]);
    let of_share = ReaderScope {
        share: Some(second.id),
        ..everything
    };
    assert_eq!(ids(of_share), [peter.id]);
    let of_neither = ReaderScope {
        share: Some(second.id),
        ..of_idea
    };
    assert_eq!(ids(of_neither), []);
    let stranger = UserId::from_random(bytes());
    assert_eq!(readers(fixture, stranger, everything), []);

    let found = readers(fixture, one.owner, of_idea).remove(0);
    let opened = found.versions[0];
    assert_eq!((opened.number, opened.first_opened_at), (1, at(6)));
    assert_eq!(opened.sha256, Some(one.sha256));
    assert_eq!((found.views, found.last_opened_at), (1, Some(at(6))));
    assert_eq!(
        found.acceptance.map(|one| (one.version, one.at)),
        Some((1, at(5)))
    );
}

fn a_damaged_reader_does_not_hide_the_others(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let (grace, peter) = (fixture.add_guest(&share), fixture.add_guest(&share));
    fixture.damage_details(peter.id, grace.id);
    let found = readers(fixture, idea.owner, ReaderScope::default());
    let found: Vec<_> = found.iter().map(|reader| reader.recipient).collect();
    assert_eq!(found, [grace.id]);
}
