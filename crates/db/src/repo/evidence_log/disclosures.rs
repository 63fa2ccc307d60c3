//! Reading what events commit to.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use diesel::prelude::{ExpressionMethods, QueryDsl, RunQueryDsl};

use ideavault_domain::evidence::StoredEvent;
use ideavault_domain::ports::{Disclosures, Encryption};

use super::super::Connection;
use super::super::cipher::evidence_cipher;
use super::super::damage::Readable;
use super::super::schema::evidence_disclosures;
use super::append::disclosure_aad;
use crate::error::QueryResult;
use crate::stored;

/// Returns for each event, in the same order, the disclosures that were not erased.
pub(super) fn of_events(
    connection: &mut Connection,
    encryption: &dyn Encryption,
    readable: &Readable<'_>,
    events: &[&StoredEvent],
) -> QueryResult<Vec<Disclosures>> {
    let rows: Vec<(i64, String, Vec<u8>)> = evidence_disclosures::table
        .filter(evidence_disclosures::event.eq_any(events.iter().map(|event| event.row)))
        .order((evidence_disclosures::event, evidence_disclosures::name))
        .select((
            evidence_disclosures::event,
            evidence_disclosures::name,
            evidence_disclosures::body,
        ))
        .load(connection)?;
    let mut sealed: HashMap<i64, Vec<(String, Vec<u8>)>> = HashMap::new();
    for (event, name, body) in rows {
        sealed.entry(event).or_default().push((name, body));
    }
    let mut ciphers = HashMap::new();
    let mut found = Vec::with_capacity(events.len());
    for event in events {
        let mut disclosures = Disclosures::default();
        for (name, body) in sealed.remove(&event.row).unwrap_or_default() {
            let idea = stored::required("idea of an event", event.subject.idea)?;
            let cipher = match ciphers.entry(idea) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let cipher = evidence_cipher(connection, encryption, idea.as_i64());
                    let what = ("evidence key of idea", idea.to_string());
                    let what = (what.0, what.1.as_str());
                    new.insert(readable.unless_damaged(connection, what, cipher)?)
                }
            };
            let Some(cipher) = cipher else {
                disclosures.damaged.push(name);
                continue;
            };
            let body = cipher.open(&disclosure_aad(&name, &event.digest), &body);
            let id = format!("{name} of event {}", event.row);
            match readable.unless_damaged(connection, ("disclosure", &id), body)? {
                Some(body) => disclosures.readable.push((name, body)),
                None => disclosures.damaged.push(name),
            }
        }
        found.push(disclosures);
    }
    Ok(found)
}
