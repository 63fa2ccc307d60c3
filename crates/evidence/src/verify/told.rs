//! Compares events with what they disclose: the version of the format follows from both, and an owner
//! only accepts what binds both sides.

use std::collections::BTreeMap;

use ideavault_domain::evidence::{Disclosure, FORMAT_VERSION, MUTUAL, SIGNATORY};

use super::log::Log;
use super::names::Facts;
use super::{ClaimKind, Verifier};
use crate::event::EXTENDED;

/// Checks all logs, from the oldest one to the newest one.
pub(super) fn verify(verifier: &mut Verifier<'_>, logs: &[Log], facts: &Facts) {
    // Whether the text that a reader was offered binds both sides.
    let mut binds_both = BTreeMap::new();
    for recorded in logs.iter().flat_map(|log| log.events.values()) {
        let event = &recorded.event;
        let told: Vec<&Disclosure> = facts.told_by(event).map(|(_, fact)| fact).collect();
        let since = told.iter().map(|fact| fact.since()).max();
        let since = since.unwrap_or(FORMAT_VERSION).max(event.since());
        let is_told = |name: &str| told.iter().any(|fact| fact.name() == name);
        let is_open = |name: &&str| event.discloses.contains_key(*name) && !is_told(name);
        // What is left out may have what the version stands for.
        if event.v < since || event.v > since && !EXTENDED.iter().any(is_open) {
            let reason = "Its version of the format is not that of what it has.";
            verifier.fails(ClaimKind::Event, &recorded.path, reason);
        }
        let agreement = told.iter().find_map(|fact| match fact {
            Disclosure::Agreement(agreement) => Some(agreement.kind.as_deref() == Some(MUTUAL)),
            _ => None,
        });
        let recipient = event.recipient.as_deref();
        if let (Some(is_mutual), Some(recipient)) = (agreement, recipient) {
            binds_both.insert(recipient, is_mutual);
        }
        let offered = recipient.and_then(|recipient| binds_both.get(recipient).copied());
        if event.discloses.contains_key(SIGNATORY) && agreement.or(offered) == Some(false) {
            let reason = "Its text does not bind the owner, who accepted it all the same.";
            verifier.fails(ClaimKind::Event, &recorded.path, reason);
        }
    }
}
