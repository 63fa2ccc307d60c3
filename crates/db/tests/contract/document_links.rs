//! Mailed links that show persons what they were shown.

use chrono::Duration;
use ideavault_domain::Timestamp;
use ideavault_domain::document_link::{DocumentLink, ShownDocument, ShownDocuments};
use ideavault_domain::email::Email;
use ideavault_domain::evidence::Event;
use ideavault_domain::recipient::{Identity, Recipient};
use ideavault_domain::share::Share;
use ideavault_domain::token::{Token, TokenHash};

use crate::support::{Fixture, at, bytes, full_access, grant, on_both_databases, race, recipient};

on_both_databases!(
    a_confirmed_and_accepted_registration_is_shown_with_what_came_of_it,
    what_was_not_both_confirmed_and_accepted_is_not_shown,
    an_identity_that_is_taken_over_counts,
    registrations_of_all_owners_are_shown_newest_agreement_first,
    deleted_ideas_and_ended_links_stay,
    an_erased_person_is_shown_nothing,
    an_agreement_without_its_erased_creator_says_so,
    a_damaged_registration_does_not_hide_the_others,
    a_link_works_once,
    a_link_that_is_used_again_with_its_key_shows_the_same,
    concurrent_uses_have_one_winner,
    a_link_and_a_key_expire,
    cleanup_removes_expired_links,
    concurrent_first_confirmations_make_one_key,
    the_database_refuses_another_address,
);

const GRACE: &str = "grace@example.org";
const VERA: &str = "vera@example.org";

fn registered(fixture: &Fixture, share: &Share, email: &str) -> Recipient {
    let mut registered = recipient(fixture.add_viewer().id, share, at(4));
    registered.email = address(email);
    registered.agreement.recipient_email = address(email);
    fixture.write(|tx| tx.recipients().add_recipient(&registered));
    registered
}

fn address(email: &str) -> Email {
    Email::parse(email).unwrap()
}

/// Adds somebody who confirmed the address and agreed.
fn reader(fixture: &Fixture, share: &Share, email: &str) -> Recipient {
    let reader = registered(fixture, share, email);
    confirm(fixture, &reader);
    fixture.accept(&reader);
    reader
}

fn confirm(fixture: &Fixture, reader: &Recipient) {
    fixture.write(|tx| tx.codes().confirm_email(reader.id, at(4)));
}

fn new_share(fixture: &Fixture) -> Share {
    fixture.add_share(fixture.add_draft().id, full_access())
}

fn token() -> TokenHash {
    Token::from_random(bytes()).hash()
}

fn is_known(fixture: &Fixture, email: &str) -> bool {
    fixture.read(|tx| tx.document_links().has_documents(&address(email)))
}

/// Stores a link that works until minute 40; returns its token, unless there is nothing to show.
fn try_link_for(fixture: &Fixture, email: &str) -> Option<TokenHash> {
    let link = DocumentLink {
        token_hash: token(),
        requested_at: at(10),
        expires_at: at(40),
    };
    let added = fixture.write(|tx| {
        tx.document_links()
            .add_document_link(&address(email), &link)
    });
    added.then_some(link.token_hash)
}

fn link_for(fixture: &Fixture, email: &str) -> TokenHash {
    try_link_for(fixture, email).unwrap()
}

fn use_link(fixture: &Fixture, link: &TokenHash, key: &TokenHash, now: Timestamp) -> bool {
    let ends_at = now + Duration::minutes(30);
    fixture.write(|tx| {
        tx.document_links()
            .use_document_link(link, key, now, ends_at)
    })
}

fn shown(fixture: &Fixture, key: &TokenHash, now: Timestamp) -> Option<ShownDocuments> {
    fixture.read(|tx| tx.document_links().shown_documents(key, now))
}

/// Uses a new link, and returns what it shows.
fn documents_of(fixture: &Fixture, email: &str) -> Vec<ShownDocument> {
    let (link, key) = (link_for(fixture, email), token());
    assert!(use_link(fixture, &link, &key, at(11)));
    shown(fixture, &key, at(11)).unwrap().documents
}

fn ids(documents: &[ShownDocument]) -> Vec<String> {
    documents
        .iter()
        .map(|one| one.recipient.to_string())
        .collect()
}

fn a_confirmed_and_accepted_registration_is_shown_with_what_came_of_it(fixture: &Fixture) {
    let share = new_share(fixture);
    let grace = reader(fixture, &share, GRACE);
    let view = grant(&grace, at(6));
    assert!(fixture.write(|tx| tx.shares().claim_view(&view)));
    fixture.record_facts(share.idea);
    let (link, key) = (link_for(fixture, GRACE), token());
    assert_eq!(shown(fixture, &key, at(11)), None);
    assert!(use_link(fixture, &link, &key, at(11)));

    let found = shown(fixture, &key, at(11)).unwrap();

    assert_eq!(found.email, Some(address(GRACE)));
    assert!(!found.has_more);
    let [one] = found.documents.try_into().unwrap();
    let agreed = one.agreed.unwrap();
    assert_eq!(one.recipient, grace.id);
    assert_eq!(agreed.title, grace.agreement.idea_title);
    assert_eq!(agreed.sharer, grace.agreement.sharer);
    assert_eq!(agreed.document_id, grace.agreement.document_id);
    assert_eq!(one.accepted_at, at(5));
    assert_eq!(one.versions, [1]);
    assert_eq!(one.first_opened_at, Some(at(6)));
    assert_eq!(one.last_opened_at, Some(at(6)));
    assert!(!one.link_has_ended);
    let shows = |key, id| fixture.read(|tx| tx.document_links().shows_document(key, id, at(11)));
    let stranger = reader(fixture, &new_share(fixture), VERA);
    assert_eq!(shows(&key, grace.id), Some(true));
    assert_eq!(shows(&key, stranger.id), Some(false));
    assert_eq!(shows(&token(), grace.id), None);
}

fn what_was_not_both_confirmed_and_accepted_is_not_shown(fixture: &Fixture) {
    let share = new_share(fixture);
    assert!(!is_known(fixture, GRACE));
    let confirmed = registered(fixture, &share, GRACE);
    confirm(fixture, &confirmed);
    let accepted = registered(fixture, &share, VERA);
    fixture.accept(&accepted);
    for email in [GRACE, VERA] {
        assert!(!is_known(fixture, email));
        assert_eq!(try_link_for(fixture, email), None);
    }
    fixture.accept(&confirmed);
    assert_eq!(
        ids(&documents_of(fixture, GRACE)),
        [confirmed.id.to_string()]
    );
    assert!(!is_known(fixture, VERA));
}

fn an_identity_that_is_taken_over_counts(fixture: &Fixture) {
    let share = new_share(fixture);
    let known = Recipient {
        identity: Identity::EmailConfirmed { at: at(4) },
        ..recipient(fixture.add_viewer().id, &share, at(4))
    };
    fixture.write(|tx| tx.recipients().add_recipient(&known));
    fixture.accept(&known);
    assert_eq!(ids(&documents_of(fixture, GRACE)), [known.id.to_string()]);
}

fn registrations_of_all_owners_are_shown_newest_agreement_first(fixture: &Fixture) {
    let grace = reader(fixture, &new_share(fixture), GRACE);
    let second = reader(fixture, &new_share(fixture), GRACE);
    let stranger = reader(fixture, &new_share(fixture), VERA);
    let expected = [second.id.to_string(), grace.id.to_string()];
    assert_eq!(ids(&documents_of(fixture, GRACE)), expected);
    assert_eq!(ids(&documents_of(fixture, VERA)), [stranger.id.to_string()]);
}

fn deleted_ideas_and_ended_links_stay(fixture: &Fixture) {
    let (deleted, revoked) = (new_share(fixture), new_share(fixture));
    reader(fixture, &deleted, GRACE);
    reader(fixture, &revoked, GRACE);
    fixture.write(|tx| {
        tx.ideas().delete_draft(deleted.idea, at(7))?;
        tx.shares().revoke_share(revoked.id, at(7))
    });
    let documents = documents_of(fixture, GRACE);
    assert_eq!(documents.len(), 2);
    for document in documents {
        assert!(document.link_has_ended);
        assert!(document.agreed.is_some());
    }
}

fn an_erased_person_is_shown_nothing(fixture: &Fixture) {
    fixture.begin_log();
    let share = new_share(fixture);
    let grace = reader(fixture, &share, GRACE);
    let (link, key) = (link_for(fixture, GRACE), token());
    assert!(use_link(fixture, &link, &key, at(11)));
    let event = Event::person_erased(share.idea, share.id, grace.id, at(9));
    fixture.write(|tx| {
        tx.evidence_log().append_event(&event)?;
        tx.erasures().erase_person(grace.id, true, at(9))
    });
    assert!(!is_known(fixture, GRACE));
    assert_eq!(
        shown(fixture, &key, at(11)),
        Some(ShownDocuments::default())
    );
    // Nobody is found again who confirms too late.
    confirm(fixture, &grace);
    assert!(!is_known(fixture, GRACE));
}

fn an_agreement_without_its_erased_creator_says_so(fixture: &Fixture) {
    fixture.begin_log();
    let share = new_share(fixture);
    reader(fixture, &share, GRACE);
    let event = Event::creator_erased(share.idea, at(9));
    fixture.write(|tx| {
        tx.evidence_log().append_event(&event)?;
        tx.erasures().erase_creator(share.idea)
    });
    let [one] = documents_of(fixture, GRACE).try_into().unwrap();
    assert_eq!(one.agreed, None);
    assert_eq!(one.accepted_at, at(5));
}

fn a_damaged_registration_does_not_hide_the_others(fixture: &Fixture) {
    let grace = reader(fixture, &new_share(fixture), GRACE);
    let damaged = reader(fixture, &new_share(fixture), GRACE);
    fixture.damage_details(damaged.id, grace.id);
    assert_eq!(ids(&documents_of(fixture, GRACE)), [grace.id.to_string()]);
}

fn a_link_works_once(fixture: &Fixture) {
    reader(fixture, &new_share(fixture), GRACE);
    let (one, two) = (link_for(fixture, GRACE), link_for(fixture, GRACE));
    let [first, second, third] = [token(), token(), token()];
    assert!(use_link(fixture, &one, &first, at(11)));
    assert!(!use_link(fixture, &one, &second, at(11)));
    assert!(!use_link(fixture, &token(), &second, at(11)));
    assert_eq!(shown(fixture, &second, at(11)), None);
    // A link that was asked for before or after still works.
    assert!(use_link(fixture, &two, &third, at(11)));
    fixture.write(|tx| tx.document_links().end_document_link(&first));
    assert_eq!(shown(fixture, &first, at(11)), None);
    assert!(shown(fixture, &third, at(11)).is_some());
    assert!(!use_link(fixture, &one, &first, at(11)));
}

fn a_link_that_is_used_again_with_its_key_shows_the_same(fixture: &Fixture) {
    reader(fixture, &new_share(fixture), GRACE);
    let (link, key) = (link_for(fixture, GRACE), token());
    assert!(use_link(fixture, &link, &key, at(11)));
    assert!(use_link(fixture, &link, &key, at(30)));
    // It is not shown for longer.
    assert!(shown(fixture, &key, at(40)).is_some());
    assert_eq!(shown(fixture, &key, at(41)), None);
    assert!(!use_link(fixture, &link, &key, at(41)));
}

fn concurrent_uses_have_one_winner(fixture: &Fixture) {
    reader(fixture, &new_share(fixture), GRACE);
    let link = link_for(fixture, GRACE);
    let used = race(8, |_| use_link(fixture, &link, &token(), at(11)));
    assert_eq!(used.into_iter().filter(|used| *used).count(), 1);
}

fn a_link_and_a_key_expire(fixture: &Fixture) {
    let grace = reader(fixture, &new_share(fixture), GRACE);
    let (link, key) = (link_for(fixture, GRACE), token());
    assert!(!use_link(fixture, &link, &key, at(40)));
    let before = at(40) - Duration::microseconds(1);
    assert!(use_link(fixture, &link, &key, before));
    let last = before + Duration::minutes(30);
    assert!(shown(fixture, &key, last - Duration::microseconds(1)).is_some());
    assert_eq!(shown(fixture, &key, last), None);
    let shows = fixture.read(|tx| tx.document_links().shows_document(&key, grace.id, last));
    assert_eq!(shows, None);
}

fn cleanup_removes_expired_links(fixture: &Fixture) {
    reader(fixture, &new_share(fixture), GRACE);
    let (used, key) = (link_for(fixture, GRACE), token());
    link_for(fixture, GRACE);
    assert!(use_link(fixture, &used, &key, at(30)));
    let sweep = |now| fixture.write(|tx| tx.document_links().delete_expired_document_links(now));
    assert_eq!(sweep(at(39)), 0);
    assert_eq!(sweep(at(40)), 1);
    assert!(shown(fixture, &key, at(41)).is_some());
    assert_eq!(sweep(at(60)), 1);
}

fn concurrent_first_confirmations_make_one_key(fixture: &Fixture) {
    let share = new_share(fixture);
    let emails = [0, 1, 2, 3].map(|number| format!("reader-{number}@example.org"));
    race(4, |index| reader(fixture, &share, &emails[index]));
    assert_eq!(fixture.count("address_key"), 1);
    for email in emails {
        assert!(is_known(fixture, &email));
    }
}

fn the_database_refuses_another_address(fixture: &Fixture) {
    let share = new_share(fixture);
    let (grace, unconfirmed) = (
        reader(fixture, &share, GRACE),
        registered(fixture, &share, GRACE),
    );
    let hash = format!(
        "(SELECT address_hash FROM recipients WHERE id = '{}')",
        grace.id
    );
    let other = match fixture.is_postgres() {
        true => "sha256('')",
        false => "zeroblob(32)",
    };
    fixture.refuses(
        "a confirmation is final",
        &[&format!(
            "UPDATE recipients SET address_hash = {other} WHERE id = '{}'",
            grace.id
        )],
    );
    let id = unconfirmed.id;
    let set = format!("UPDATE recipients SET address_hash = {hash} WHERE id = '{id}'");
    assert!(fixture.sql(&set).is_err());
}
