//! Reads recorded events and their disclosures.

use std::collections::{BTreeMap, BTreeSet};

use ideavault_domain::digest::Digest;
use ideavault_domain::evidence::{Disclosure, StoredEvent};
use ideavault_domain::ports::{DatabaseError, Disclosures, Transaction};
use serde_json::{Map, Value};

fn parsed(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_default()
}

/// Returns the disclosures of one event that were not erased.
pub(crate) fn disclosures_of(
    tx: &mut dyn Transaction,
    event: &StoredEvent,
) -> Result<Disclosures, DatabaseError> {
    let mut found = tx.evidence_log().disclosures_of(&[event])?;
    Ok(found.pop().unwrap_or_default())
}

/// Returns the number of the revision that an event names.
pub(super) fn revision_of(event: &StoredEvent) -> Option<i32> {
    let body = parsed(&event.body);
    body.get("revision")?.as_str()?.parse().ok()
}

/// Returns the id of the view that an event names.
pub(super) fn view_of(event: &StoredEvent) -> Option<String> {
    let body = parsed(&event.body);
    Some(body.get("view")?.as_str()?.to_owned())
}

/// Returns the names of the disclosures that the body of an event names.
pub(super) fn named_disclosures(body: &str) -> BTreeSet<String> {
    let body = parsed(body);
    let named = body.get("discloses").and_then(|named| named.as_object());
    named.map_or_else(BTreeSet::new, |named| named.keys().cloned().collect())
}

/// Returns the digests that a disclosure names: of content, of its files, of an agreement.
pub(super) fn digests_in(body: &str) -> Vec<Digest> {
    let body = parsed(body);
    let files = body.get("files").and_then(Value::as_array);
    std::iter::once(&body)
        .chain(files.into_iter().flatten())
        .filter_map(|named| named.get("sha256")?.as_str()?.parse().ok())
        .collect()
}

/// The disclosures of an event that were not erased.
#[derive(Debug)]
pub(super) struct Disclosed(BTreeMap<String, Value>);

impl Disclosed {
    /// Parses disclosures by their names.
    pub(super) fn parse(disclosures: Vec<(String, String)>) -> Self {
        let parsed = disclosures
            .into_iter()
            .map(|(name, body)| (name, parsed(&body)));
        Self(parsed.collect())
    }

    /// Returns whether there is a disclosure of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns whether the disclosure of the same name says the same, apart from the members in
    /// `except`. What was erased says nothing else.
    pub(super) fn agrees(&self, expected: &Disclosure, except: &[&str]) -> bool {
        let Some(recorded) = self.0.get(expected.name()) else {
            return true;
        };
        let compared = |facts: &Map<String, Value>| -> Map<String, Value> {
            let facts = facts.iter();
            facts
                .filter(|(name, _)| *name != "salt" && !except.contains(&name.as_str()))
                .map(|(name, fact)| (name.clone(), fact.clone()))
                .collect()
        };
        recorded.as_object().map(compared) == Some(compared(&expected.facts()))
    }

    /// Returns whether a member of a disclosure is that text. What was erased says nothing
    /// else.
    pub(super) fn holds(&self, name: &str, member: &str, text: &str) -> bool {
        self.0
            .get(name)
            .is_none_or(|facts| facts.get(member).and_then(Value::as_str) == Some(text))
    }

    /// Returns the text in a member of a disclosure.
    pub(super) fn text(&self, name: &str, member: &str) -> Option<&str> {
        self.0.get(name)?.get(member)?.as_str()
    }

    /// Returns the list in a member of a disclosure.
    pub(super) fn list(&self, name: &str, member: &str) -> &[Value] {
        let list = self.0.get(name).and_then(|facts| facts.get(member));
        list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}
