//! Compares events with what they disclose: the version of the format follows from both, and what an
//! owner accepts is a text that binds both sides, for the reader who accepted that text.

use std::collections::BTreeMap;

use ideavault_domain::evidence::{
    Disclosure, EventBody, EventKind, FORMAT_VERSION, MUTUAL, SIGNATORY,
};

use super::log::Log;
use super::names::Facts;
use super::{ClaimKind, Verifier};
use crate::event::EXTENDED;

/// What is known of the text that a reader was offered last; what is left out is not known.
#[derive(Default)]
struct Offered<'a> {
    /// By which link.
    share: Option<&'a str>,
    /// Its agreement, and whether that binds both sides.
    agreement: Option<(&'a str, bool)>,
    /// SHA-256 of the exact text.
    terms: Option<&'a str>,
    /// Whether the owner accepted it for this reader.
    is_signed: bool,
}

/// What an event says of an agreement: its digest and whether it binds both sides, and the text.
type Named<'a> = (Option<(&'a str, bool)>, Option<&'a str>);

/// Checks all logs, from the oldest one to the newest one.
pub(super) fn verify(verifier: &mut Verifier<'_>, logs: &[Log], facts: &Facts) {
    let mut readers: BTreeMap<&str, Offered<'_>> = BTreeMap::new();
    // What the owner accepted towards all readers of a link.
    let mut issued: BTreeMap<Option<&str>, Option<&str>> = BTreeMap::new();
    for recorded in logs.iter().flat_map(|log| log.events.values()) {
        let event = &recorded.event;
        let told: Vec<&Disclosure> = facts.told_by(event).map(|(_, fact)| fact).collect();
        let mut fails = |reason| verifier.fails(ClaimKind::Event, &recorded.path, reason);
        if !has_its_version(event, &told) {
            fails("Its version of the format is not that of what it has.");
        }
        let (agreement, terms) = named(&told);
        let is_signed = event.discloses.contains_key(SIGNATORY);
        let Some(reader) = event.recipient.as_deref() else {
            if is_signed && agreement.is_some_and(|(_, is_mutual)| !is_mutual) {
                fails(UNBOUND);
            }
            if event.kind == EventKind::AgreementIssued {
                issued.insert(event.share.as_deref(), agreement.map(|(digest, _)| digest));
            }
            continue;
        };
        if event.discloses.contains_key("agreement") {
            let offered = readers.entry(reader).or_default();
            if is_other(offered.terms, terms) {
                *offered = Offered::default();
            }
            offered.share = event.share.as_deref();
            offered.agreement = agreement.or(offered.agreement);
            offered.terms = terms.or(offered.terms);
        }
        let Some(offered) = readers.get_mut(reader) else {
            if is_signed {
                fails(UNBOUND);
            }
            continue;
        };
        if is_signed {
            if offered.agreement.is_some_and(|(_, is_mutual)| !is_mutual) {
                fails(UNBOUND);
            }
            if is_other(offered.terms, terms) {
                fails("Its text is another one than the reader accepted.");
            }
            offered.is_signed = true;
        }
        if let (EventKind::ViewStarted, Some((digest, true))) = (event.kind, offered.agreement) {
            let of_link = issued.get(&offered.share);
            let is_issued = of_link.is_some_and(|accepted| !is_other(*accepted, Some(digest)));
            if !offered.is_signed && !is_issued {
                fails(
                    "No event before it says that the owner accepted the text, which binds both.",
                );
            }
        }
    }
}

const UNBOUND: &str = "Its text does not bind the owner, who accepted it all the same.";

/// Reports whether two digests are known and differ.
fn is_other(one: Option<&str>, other: Option<&str>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one != other)
}

fn named<'a>(told: &[&'a Disclosure]) -> Named<'a> {
    let (mut agreement, mut text) = (None, None);
    for fact in told {
        match fact {
            Disclosure::Agreement(facts) => {
                let is_mutual = facts.kind.as_deref() == Some(MUTUAL);
                agreement = Some((facts.sha256.as_str(), is_mutual));
            }
            Disclosure::Terms(terms) => text = Some(terms.sha256.as_str()),
            _ => {}
        }
    }
    (agreement, text)
}

fn has_its_version(event: &EventBody, told: &[&Disclosure]) -> bool {
    let since = told.iter().map(|fact| fact.since()).max();
    let since = since.unwrap_or(FORMAT_VERSION).max(event.since());
    let is_told = |name: &str| told.iter().any(|fact| fact.name() == name);
    let is_open = |name: &&str| event.discloses.contains_key(*name) && !is_told(name);
    // What is left out may have what the version stands for.
    event.v == since || event.v > since && EXTENDED.iter().any(is_open)
}
