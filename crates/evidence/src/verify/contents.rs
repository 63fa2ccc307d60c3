//! Verifies the contents that events name by digest: disclosures, the idea's content, agreement
//! texts.

use std::collections::{BTreeMap, BTreeSet};

use ideavault_domain::hex;

use super::layout::{LogFile, files_of};
use super::log::Log;
use super::{ClaimKind, Outcome, Verifier, sentence};
use crate::bundle::BundleError;
use crate::disclosure::{self, Disclosed};
use crate::sha256;

/// Digests that disclosures name, each with the path of a disclosure that does.
#[derive(Default)]
struct ReferencedDigests {
    content: BTreeMap<String, String>,
    terms: BTreeMap<String, String>,
}

pub(super) fn verify(verifier: &mut Verifier<'_>, logs: &[Log]) -> Result<(), BundleError> {
    let mut referenced = ReferencedDigests::default();
    let mut digests = BTreeMap::new();
    for log in logs {
        verify_disclosures(verifier, log, &mut referenced, &mut digests)?;
    }
    for log in logs {
        verify_complete(verifier, log, &digests);
    }
    let bundle = verifier.bundle;
    let missing = verifier.index.missing.clone();
    for path in missing.iter().filter(|path| !bundle.contains(path)) {
        let reason = "It was lost or damaged in the vault that made this bundle, or is beside it in \
                      an export.";
        verifier.unknown(kind_of(path), path, reason, None);
    }
    let mut present = BTreeSet::new();
    for path in bundle.paths() {
        let kind = kind_of(path);
        let known = match kind {
            ClaimKind::Content => &referenced.content,
            ClaimKind::Terms => &referenced.terms,
            _ => continue,
        };
        match bundle.digest(path) {
            Ok(digest) => {
                let digest = hex::encode(&digest);
                match known.get(&digest) {
                    Some(by) => {
                        let note = Some(format!("Named by {by}."));
                        verifier.note(kind, path, Outcome::Holds, note);
                    }
                    None => verifier.fails(kind, path, "No disclosure names this file."),
                }
                present.insert(digest);
            }
            Err(error) => verifier.refused(kind, path, error)?,
        }
    }
    for (kind, known, what) in [
        (ClaimKind::Content, &referenced.content, "content"),
        (ClaimKind::Terms, &referenced.terms, "text"),
    ] {
        for (digest, by) in known
            .iter()
            .filter(|(digest, _)| !present.contains(*digest))
        {
            let reason =
                format!("The {what} with the SHA-256 {digest} is not part of this bundle.");
            verifier.unknown(kind, by, &reason, None);
        }
    }
    Ok(())
}

/// Returns what a claim about a file that is named by digest is about.
fn kind_of(path: &str) -> ClaimKind {
    if path.starts_with("idea/") {
        ClaimKind::Content
    } else if path.starts_with("agreements/") {
        ClaimKind::Terms
    } else {
        ClaimKind::Disclosure
    }
}

/// Checks each disclosure against its event. The same disclosure of several events is in the
/// bundle once.
fn verify_disclosures(
    verifier: &mut Verifier<'_>,
    log: &Log,
    referenced: &mut ReferencedDigests,
    digests: &mut BTreeMap<String, String>,
) -> Result<(), BundleError> {
    let kind = ClaimKind::Disclosure;
    let bundle = verifier.bundle;
    for (path, file) in files_of(bundle, &log.prefix) {
        let LogFile::Disclosure(place, name) = file else {
            continue;
        };
        let Some(json) = verifier.read(kind, path)? else {
            continue;
        };
        let digest = hex::encode(&sha256(&json));
        let expected = log
            .events
            .get(&place)
            .map(|recorded| recorded.event.discloses.get(&name));
        let result = match expected {
            None => Err("Its event is missing or was refused.".to_owned()),
            Some(None) => Err(format!("The event at place {place} discloses no {name}.")),
            Some(Some(expected)) if *expected != digest => {
                Err(format!("The event at place {place} names another {name}."))
            }
            Some(Some(_)) => match digests.insert(digest, path.to_owned()) {
                Some(other) => Err(format!("The same disclosure is in {other} already.")),
                None => Ok(()),
            },
        };
        let parsed = result
            .and_then(|()| disclosure::parse(&name, &json).map_err(|error| error.to_string()));
        let disclosed = match parsed {
            Ok(disclosed) => disclosed,
            Err(reason) => {
                verifier.fails(kind, path, sentence(&reason));
                continue;
            }
        };
        verifier.holds(kind, path);
        match disclosed {
            Disclosed::Content(content) => {
                let files = content.files.into_iter().map(|file| file.sha256);
                for digest in std::iter::once(content.sha256).chain(files) {
                    let first = referenced.content.entry(digest);
                    first.or_insert_with(|| path.to_owned());
                }
            }
            Disclosed::Terms(terms) => {
                let first = referenced.terms.entry(terms.sha256);
                first.or_insert_with(|| path.to_owned());
            }
            Disclosed::Other => {}
        }
    }
    Ok(())
}

/// Checks that each disclosure that an event names is there, or listed as withheld or
/// missing.
fn verify_complete(verifier: &mut Verifier<'_>, log: &Log, digests: &BTreeMap<String, String>) {
    let kind = ClaimKind::Disclosure;
    for (place, recorded) in &log.events {
        for (name, digest) in &recorded.event.discloses {
            if digests.contains_key(digest) {
                continue;
            }
            let path = format!("{}disclosures/{place}-{name}.json", log.prefix);
            if verifier.index.withheld.contains(&path) {
                let reason = "It was withheld from the holder of this bundle, or erased.";
                verifier.unknown(kind, &path, reason, None);
            } else if !verifier.bundle.contains(&path) && !verifier.index.missing.contains(&path) {
                let reason = format!("{} names it, but it is missing.", recorded.path);
                verifier.fails(kind, &path, reason);
            }
        }
    }
}
