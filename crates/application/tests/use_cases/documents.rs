use std::sync::Arc;

use ideavault_application::documents::{DocumentError, Documents};
use ideavault_application::emails::Links;
use ideavault_application::event_log::{EventLog, EventLogError};
use ideavault_application::evidence::{EvidenceError, EvidenceState};
use ideavault_domain::document::{Certificate, Receipt};
use ideavault_domain::idea::{DocumentId, Idea};
use ideavault_domain::ports::{DocumentWriter, KnownCheckpoint, PortError};
use ideavault_domain::report::Report;

use crate::ideas::ideas;
use crate::vault::{Vault, now, origin};

/// Documents that say what they would hold.
struct Plain;

impl DocumentWriter for Plain {
    fn receipt(&self, receipt: &Receipt) -> Result<Vec<u8>, PortError> {
        Ok(format!("{receipt:?}").into_bytes())
    }

    fn certificate(&self, certificate: &Certificate) -> Result<Vec<u8>, PortError> {
        Ok(format!("{certificate:?}").into_bytes())
    }

    fn report(&self, report: &Report) -> Result<Vec<u8>, PortError> {
        Ok(format!("{report:?}").into_bytes())
    }
}

pub(crate) fn documents(vault: &Arc<Vault>, event_log: Arc<EventLog<Vault>>) -> Documents<Vault> {
    let links = Links::new("https://vault.example.org");
    Documents::new(vault.deps(), event_log, Arc::new(Plain), links, false)
}

fn certificate(vault: &Arc<Vault>, idea: &Idea) -> Result<String, DocumentError> {
    let documents = documents(vault, vault.event_log());
    let certificate = documents.certificate(idea.owner, idea.id)?;
    Ok(String::from_utf8(certificate).unwrap())
}

/// Publishes an idea with a public record.
fn recorded(vault: &Arc<Vault>) -> (Idea, DocumentId) {
    let idea = vault.add_draft();
    let published = ideas(vault).publish(idea.owner, idea.id, None, origin());
    let published = published
        .unwrap()
        .idea
        .status
        .publication()
        .cloned()
        .unwrap();
    let documents = documents(vault, vault.event_log());
    documents
        .set_public_record(idea.owner, idea.id, true)
        .unwrap();
    (idea, published.document_id)
}

#[test]
fn a_certificate_says_what_an_event_of_this_vault_says() {
    let vault = Vault::new();
    let idea = vault.add_draft();
    let area = ideas(&vault);
    area.publish(idea.owner, idea.id, None, origin()).unwrap();
    let time = format!("published_at: {:?}", now());
    // The tables can be changed by whoever writes to the database.
    vault
        .sql(
            "DROP TRIGGER ideas_published_update; \
             UPDATE ideas SET published_at = '2020-01-01T00:00:00.000000Z'",
        )
        .unwrap();
    let said = certificate(&vault, &idea).unwrap();
    assert!(
        said.contains("A kettle that waits") && said.contains(&time),
        "{said}"
    );
    // Somebody else wrote the event.
    vault
        .sql(
            "DROP TRIGGER evidence_events_update; \
             UPDATE evidence_events SET seal = digest WHERE kind = 'idea.published'",
        )
        .unwrap();
    let refused = certificate(&vault, &idea);
    assert!(matches!(
        refused,
        Err(DocumentError::Evidence(EvidenceError::NotFound))
    ));
}

#[test]
fn what_the_log_lost_is_not_taken_from_the_tables() {
    let vault = Vault::new();
    let (idea, document) = recorded(&vault);
    let documents = documents(&vault, vault.event_log());
    let record = || documents.public_record(document.as_str());
    assert_eq!(record().unwrap().sha256, idea.sha256);
    for change in [
        "DROP TRIGGER evidence_disclosures_update; \
         UPDATE evidence_disclosures SET body = (SELECT title FROM ideas)",
        "DROP TRIGGER evidence_disclosures_delete; DELETE FROM evidence_disclosures",
    ] {
        vault.sql(change).unwrap();
        for refused in [certificate(&vault, &idea).map(drop), record().map(drop)] {
            assert!(matches!(refused, Err(DocumentError::ContentDamaged(id)) if id == idea.id));
        }
    }
}

#[test]
fn a_public_record_tells_that_recording_has_stopped() {
    let vault = Vault::new();
    let (_, document) = recorded(&vault);
    let log = vault.event_log();
    log.advance().unwrap();
    let state = || {
        let documents = documents(&vault, Arc::clone(&log));
        documents.public_record(document.as_str()).unwrap().state
    };
    assert_eq!(state(), EvidenceState::Recorded);
    // Somebody put the database of another vault, which has the same name, in place of this one.
    let other = Vault::new();
    other.event_log().advance().unwrap();
    let signed = other.known_checkpoint.load().unwrap().unwrap();
    vault.known_checkpoint.store(&signed).unwrap();
    assert!(matches!(log.advance(), Err(EventLogError::Stopped(_))));
    assert_eq!(state(), EvidenceState::Stopped);
}
