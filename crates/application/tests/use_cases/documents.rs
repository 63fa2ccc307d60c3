use std::sync::Arc;

use ideavault_application::documents::{DocumentError, Documents};
use ideavault_application::emails::Links;
use ideavault_application::evidence::EvidenceError;
use ideavault_domain::document::{Certificate, Receipt};
use ideavault_domain::idea::Idea;
use ideavault_domain::ports::{DocumentWriter, PortError};

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
}

fn certificate(vault: &Arc<Vault>, idea: &Idea) -> Result<String, DocumentError> {
    let links = Links::new("https://vault.example.org");
    let writer = Arc::new(Plain);
    let documents = Documents::new(vault.deps(), vault.event_log(), writer, links);
    let certificate = documents.certificate(idea.owner, idea.id)?;
    Ok(String::from_utf8(certificate).unwrap())
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
