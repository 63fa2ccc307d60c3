//! Reads recorded events and their disclosures.

use std::collections::BTreeMap;

use ideavault_domain::evidence::{ContentFacts, Disclosure, StoredEvent};
use ideavault_domain::ports::{DatabaseError, Disclosures, Transaction};

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
    event.parsed()?.revision()
}

/// The disclosures of an event that were not erased, by their names; `None` for those that say
/// what no event of ours does.
#[derive(Debug)]
pub(super) struct Disclosed(BTreeMap<String, Option<Disclosure>>);

impl Disclosed {
    /// Parses disclosures by their names.
    pub(super) fn parse(disclosures: Vec<(String, String)>) -> Self {
        let parsed = disclosures.into_iter().map(|(name, body)| {
            let facts = Disclosure::parse(&name, &body);
            (name, facts)
        });
        Self(parsed.collect())
    }

    /// Returns the disclosure of that name, if there is one.
    pub(super) fn get(&self, name: &str) -> Option<Option<&Disclosure>> {
        self.0.get(name).map(Option::as_ref)
    }

    /// Returns whether the disclosure of the same name says the same. What was erased says nothing
    /// else.
    pub(super) fn agrees(&self, expected: &Disclosure) -> bool {
        let recorded = self.get(expected.name());
        recorded.is_none_or(|recorded| recorded == Some(expected))
    }

    /// Returns what it says of the content.
    pub(super) fn content(&self) -> Option<&ContentFacts> {
        match self.get("content")?? {
            Disclosure::Content(content) => Some(content),
            _ => None,
        }
    }

    /// Returns whether that holds of the content. What was erased says nothing else.
    pub(super) fn content_is(&self, holds: impl FnOnce(&ContentFacts) -> bool) -> bool {
        self.get("content").is_none() || self.content().is_some_and(holds)
    }
}
