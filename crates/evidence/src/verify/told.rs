//! Compares events with what they disclose: the version of the format follows from both, and what an
//! owner accepts is a text that binds both sides, for the reader who accepted that text.

use std::collections::{BTreeMap, BTreeSet};

use ideavault_domain::evidence::{
    Disclosure, EventBody, EventKind, FORMAT_VERSION, MUTUAL, SIGNATORY,
};

use super::log::Log;
use super::names::Facts;
use super::{ClaimKind, Verifier};
use crate::event::EXTENDED;

/// What is known of the text that a reader was offered last.
#[derive(Default)]
struct Offered<'a> {
    /// Whether it binds both sides; `None` if its disclosure is left out.
    is_mutual: Option<bool>,
    /// SHA-256 of the exact text.
    terms: Option<&'a str>,
    /// Whether the owner accepted it for this reader.
    is_signed: bool,
}

/// Checks all logs, from the oldest one to the newest one.
pub(super) fn verify(verifier: &mut Verifier<'_>, logs: &[Log], facts: &Facts) {
    let mut readers: BTreeMap<&str, Offered<'_>> = BTreeMap::new();
    // Links whose text the owner accepted towards all readers.
    let mut issued = BTreeSet::new();
    for recorded in logs.iter().flat_map(|log| log.events.values()) {
        let event = &recorded.event;
        let told: Vec<&Disclosure> = facts.told_by(event).map(|(_, fact)| fact).collect();
        let mut fails = |reason| verifier.fails(ClaimKind::Event, &recorded.path, reason);
        if !has_its_version(event, &told) {
            fails("Its version of the format is not that of what it has.");
        }
        let is_mutual = told.iter().find_map(|fact| match fact {
            Disclosure::Agreement(agreement) => Some(agreement.kind.as_deref() == Some(MUTUAL)),
            _ => None,
        });
        let terms = told.iter().find_map(|fact| match fact {
            Disclosure::Terms(terms) => Some(terms.sha256.as_str()),
            _ => None,
        });
        let is_signed = event.discloses.contains_key(SIGNATORY);
        let Some(reader) = event.recipient.as_deref() else {
            if is_signed && is_mutual == Some(false) {
                fails("Its text does not bind the owner, who accepted it all the same.");
            }
            if event.kind == EventKind::AgreementIssued {
                issued.insert(event.share.as_deref());
            }
            continue;
        };
        if event.discloses.contains_key("agreement") {
            let offered = readers.entry(reader).or_default();
            (offered.is_mutual, offered.terms) = (is_mutual, terms);
        }
        let offered = readers.get_mut(reader);
        if is_signed {
            let is_known = offered.as_ref().map(|offered| offered.is_mutual);
            if !matches!(is_known, Some(None | Some(true))) {
                fails("Its text does not bind the owner, who accepted it all the same.");
            }
            let accepted = offered.as_ref().and_then(|offered| offered.terms);
            if let (Some(accepted), Some(terms)) = (accepted, terms)
                && accepted != terms
            {
                fails("Its text is another one than the reader accepted.");
            }
        }
        let Some(offered) = offered else { continue };
        offered.is_signed |= is_signed;
        if event.kind == EventKind::ViewStarted
            && offered.is_mutual == Some(true)
            && !offered.is_signed
            && !issued.contains(&event.share.as_deref())
        {
            fails("No event before it says that the owner accepted the text, which binds both.");
        }
    }
}

fn has_its_version(event: &EventBody, told: &[&Disclosure]) -> bool {
    let since = told.iter().map(|fact| fact.since()).max();
    let since = since.unwrap_or(FORMAT_VERSION).max(event.since());
    let is_told = |name: &str| told.iter().any(|fact| fact.name() == name);
    let is_open = |name: &&str| event.discloses.contains_key(*name) && !is_told(name);
    // What is left out may have what the version stands for.
    event.v == since || event.v > since && EXTENDED.iter().any(is_open)
}
