use std::sync::Arc;

use chrono::Duration;
use ideavault_application::documents::DocumentError;
use ideavault_application::evidence::EvidenceError;
use ideavault_application::my_documents::{MyDocuments, MyDocumentsError};
use ideavault_crypto::KeyedRequests;
use ideavault_domain::evidence::Event;
use ideavault_domain::failure::Failure;
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::recipient::Recipient;
use ideavault_domain::token::Token;

use crate::documents::documents;
use crate::support::{at, by_email};
use crate::vault::{Vault, composer, failure, invalid, now, origin, ring, token_in};

fn my_documents(vault: &Arc<Vault>) -> MyDocuments<Vault> {
    limited(vault, 1.0)
}

fn limited(vault: &Arc<Vault>, scale: f64) -> MyDocuments<Vault> {
    MyDocuments::new(
        vault.deps_limited(scale),
        Arc::new(documents(vault, vault.event_log())),
        Arc::new(KeyedRequests::new(ring())),
        composer(),
    )
}

/// Adds somebody who confirmed the address and agreed.
fn reader(vault: &Arc<Vault>) -> Recipient {
    let idea = vault.add_draft();
    let share = vault.add_share(idea.id, by_email("grace@example.org"));
    let reader = vault.add_recipient(vault.add_viewer().id, &share);
    vault.write(|tx| tx.codes().confirm_email(reader.id, at(4)));
    vault.accept(&reader);
    reader
}

/// Asks for a link, and returns the token that is mailed.
fn ask(vault: &Arc<Vault>, reader: &Recipient) -> String {
    let area = my_documents(vault);
    area.send_link(&reader.email, &origin()).unwrap();
    let mail = vault.mail();
    assert_eq!(mail.to(), &reader.email);
    // Who asks may be a stranger, and the mail lies about.
    assert!(!mail.body().contains(reader.agreement.idea_title.as_str()));
    token_in(&mail, "my-documents/").reveal()
}

fn is_ended<T>(result: Result<T, MyDocumentsError>) -> bool {
    matches!(failure(result), Failure::Unauthenticated(_))
}

#[test]
fn only_an_address_that_was_shown_something_is_mailed() {
    let vault = Vault::new();
    let area = my_documents(&vault);
    let reader = reader(&vault);
    let stranger = ideavault_domain::email::Email::parse("eve@example.org").unwrap();
    area.send_link(&stranger, &origin()).unwrap();
    assert!(vault.mails().is_empty());
    // Erased right after it was looked up.
    let (id, share) = (reader.id, reader.share);
    let idea = reader.agreement.idea;
    vault.overtake(move |vault| {
        let event = Event::person_erased(idea, share, id, now());
        vault.write(|tx| {
            tx.evidence_log().append_event(&event)?;
            tx.erasures().erase_person(id, true, now())
        });
    });
    area.send_link(&reader.email, &origin()).unwrap();
    assert!(vault.mails().is_empty());
}

#[test]
fn beyond_the_daily_cap_nothing_is_mailed_or_stored() {
    let vault = Vault::new();
    let reader = reader(&vault);
    // One mail a day.
    let area = limited(&vault, 1.0 / 500.0);
    area.send_link(&reader.email, &origin()).unwrap();
    vault.mail();
    let refused = area.send_link(&reader.email, &origin());
    assert!(matches!(refused, Err(MyDocumentsError::RateLimited(_))));
    assert!(vault.mails().is_empty());
    assert_eq!(vault.count("document_links"), 1);
}

#[test]
fn a_link_shows_the_documents_to_one_browser_for_half_an_hour() {
    let vault = Vault::new();
    let reader = reader(&vault);
    let token = ask(&vault, &reader);
    let area = my_documents(&vault);
    let key = area.open(&token, None).unwrap();
    let shown = area.list(Some(&key)).unwrap();
    assert_eq!(shown.documents.len(), 1);
    let receipt = area.receipt(Some(&key), reader.id).unwrap();
    assert!(String::from_utf8(receipt).unwrap().contains("Grace Hopper"));
    let agreement = area.agreement(Some(&key), reader.id).unwrap();
    assert_eq!(agreement, reader.agreement);
    for dead in [token.as_str(), "", "../../etc/passwd"] {
        assert_eq!(invalid(area.open(dead, None)).field, "token");
    }
    vault.clock.set(now() + Duration::minutes(30));
    assert!(is_ended(area.list(Some(&key))));
    assert!(is_ended(area.receipt(Some(&key), reader.id)));
    assert!(is_ended(area.agreement(Some(&key), reader.id)));
}

#[test]
fn without_a_key_nothing_is_shown() {
    let vault = Vault::new();
    let reader = reader(&vault);
    let area = my_documents(&vault);
    let made_up = Token::from_random([7; 32]);
    for key in [None, Some(&made_up)] {
        assert!(is_ended(area.list(key)));
        assert!(is_ended(area.receipt(key, reader.id)));
        assert!(is_ended(area.agreement(key, reader.id)));
    }
    assert!(is_ended(area.end(None)));
}

#[test]
fn the_same_use_sent_again_gives_the_same_key() {
    let vault = Vault::new();
    let reader = reader(&vault);
    let token = ask(&vault, &reader);
    let area = my_documents(&vault);
    let [this, other] =
        ["this", "other"].map(|name| IdempotencyKey::parse_secret(&name.repeat(8)).unwrap());
    let key = area.open(&token, Some(&this)).unwrap();
    assert_eq!(area.open(&token, Some(&this)).unwrap(), key);
    for request in [Some(&other), None] {
        assert_eq!(invalid(area.open(&token, request)).field, "token");
    }
    // The same name says nothing about another link.
    let another = ask(&vault, &reader);
    assert_ne!(area.open(&another, Some(&this)).unwrap(), key);
    for _ in 0..2 {
        area.end(Some(&key)).unwrap();
    }
    assert!(is_ended(area.list(Some(&key))));
    assert_eq!(invalid(area.open(&token, Some(&this))).field, "token");
}

#[test]
fn what_is_somebody_elses_is_not_found_and_what_was_erased_is_gone() {
    let vault = Vault::new();
    let reader = reader(&vault);
    let share = vault.share(reader.share);
    let unconfirmed = vault.add_guest(&share);
    let token = ask(&vault, &reader);
    let area = my_documents(&vault);
    let key = area.open(&token, None).unwrap();
    assert!(matches!(
        area.receipt(Some(&key), unconfirmed.id),
        Err(MyDocumentsError::Document(DocumentError::Evidence(
            EvidenceError::NotFound
        )))
    ));
    let refused = failure(area.agreement(Some(&key), unconfirmed.id));
    assert!(matches!(refused, Failure::NotFound));
    let event = Event::creator_erased(share.idea, now());
    vault.write(|tx| {
        tx.evidence_log().append_event(&event)?;
        tx.erasures().erase_creator(share.idea)
    });
    assert!(matches!(
        failure(area.receipt(Some(&key), reader.id)),
        Failure::Gone(_)
    ));
}
