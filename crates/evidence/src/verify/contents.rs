//! Verifies the contents that events name by digest: disclosures, the idea's content, agreement
//! texts.

use std::collections::{BTreeMap, BTreeSet};

use ideavault_domain::evidence::Disclosure;
use ideavault_domain::hex;

use super::layout::{IdeaFile, LogFile, files_of, is_agreement};
use super::log::Log;
use super::names::{Facts, Named, Subjects};
use super::{ClaimKind, Outcome, Verifier, sentence};
use crate::bundle::{BundleError, BundleReader};
use crate::disclosure;
use crate::sha256;

/// Returns what the disclosures say that hold.
pub(super) fn verify(verifier: &mut Verifier<'_>, logs: &[Log]) -> Result<Facts, BundleError> {
    let mut facts = Facts::default();
    for log in logs {
        verify_disclosures(verifier, log, &mut facts)?;
    }
    for log in logs {
        verify_complete(verifier, log, &facts);
    }
    verify_lists(verifier, logs);
    let bundle = verifier.bundle;
    let mut digests = BTreeMap::new();
    for path in bundle.paths().filter(|path| is_named_by_digest(path)) {
        match bundle.digest(path) {
            Ok(digest) => {
                digests.insert(path, hex::encode(&digest));
            }
            Err(error) => verifier.refused(kind_of(path), path, error)?,
        }
    }
    let named = Named::of(verifier.index.v, bundle, logs, &facts, &digests)?;
    for (path, digest) in &digests {
        let kind = kind_of(path);
        let twice = path
            .strip_suffix(".json")
            .map(|name| format!("{name}.html"))
            .filter(|other| digests.contains_key(other.as_str()));
        match (named.by(path, digest), twice) {
            (Some(_), Some(other)) => {
                verifier.fails(kind, path, format!("{other} is the same version."));
            }
            (Some(by), None) => {
                let note = Some(format!("Named by {by}."));
                verifier.note(kind, path, Outcome::Holds, note);
            }
            (None, _) => verifier.fails(kind, path, "No disclosure names this file by this name."),
        }
    }
    let present: BTreeSet<&String> = digests.values().collect();
    let mut told = BTreeSet::new();
    for (path, fact) in facts.by_digest.values() {
        let (kind, what) = match fact {
            Some(Disclosure::Content(_)) => (ClaimKind::Content, "content"),
            Some(Disclosure::Terms(_)) => (ClaimKind::Terms, "text"),
            _ => continue,
        };
        for digest in fact.iter().flat_map(Disclosure::digests) {
            if !present.contains(digest) && told.insert(digest) {
                let reason =
                    format!("The {what} with the SHA-256 {digest} is not part of this bundle.");
                verifier.unknown(kind, path, &reason, None);
            }
        }
    }
    Ok(facts)
}

/// Checks what `bundle.json` says that the bundle lacks: only what an event names can be.
fn verify_lists(verifier: &mut Verifier<'_>, logs: &[Log]) {
    let subjects = Subjects::of(logs);
    let version = verifier.index.v;
    let withheld = std::mem::take(&mut verifier.index.withheld);
    let missing = std::mem::take(&mut verifier.index.missing);
    let withheld = withheld.iter().map(|path| {
        let reason = "It was withheld from the holder of this bundle, or erased.";
        (path, subjects.disclose(path), reason)
    });
    let missing = missing.iter().map(|path| {
        let reason = "It was lost or damaged in the vault that made this bundle, or is beside it in \
                      an export.";
        (path, subjects.may_lose(version, path), reason)
    });
    for (path, is_named, reason) in withheld.chain(missing) {
        let kind = kind_of(path);
        if !is_named {
            verifier.fails(
                kind,
                path,
                "It is said to be left out, but no event names it.",
            );
        } else if is_there(verifier.bundle, path) {
            verifier.fails(kind, path, "It is said to be left out, but is there.");
        } else {
            verifier.unknown(kind, path, reason, None);
        }
    }
}

/// Reports whether a bundle has a file, whatever its ending if the path has none.
fn is_there(bundle: &BundleReader, path: &str) -> bool {
    let endings = ["html", "json", "pdf", "png", "jpg"];
    bundle.contains(path)
        || !path.contains('.')
            && endings
                .iter()
                .any(|ending| bundle.contains(&format!("{path}.{ending}")))
}

/// Reports whether a file is one whose digest a disclosure names.
fn is_named_by_digest(path: &str) -> bool {
    IdeaFile::parse(path).is_some() || is_agreement(path)
}

/// Returns what a claim about a file that is named by digest is about.
fn kind_of(path: &str) -> ClaimKind {
    if path.starts_with("idea/") {
        ClaimKind::Content
    } else if is_agreement(path) {
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
    facts: &mut Facts,
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
            Some(Some(_)) => match facts.paths.insert(digest.clone(), path.to_owned()) {
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
        facts.by_digest.insert(digest, (path.to_owned(), disclosed));
    }
    Ok(())
}

/// Checks that each disclosure that an event names is there, or listed as withheld or
/// missing.
fn verify_complete(verifier: &mut Verifier<'_>, log: &Log, facts: &Facts) {
    let kind = ClaimKind::Disclosure;
    for (place, recorded) in &log.events {
        for (name, digest) in &recorded.event.discloses {
            let path = format!("{}disclosures/{place}-{name}.json", log.prefix);
            let is_listed =
                verifier.index.withheld.contains(&path) || verifier.index.missing.contains(&path);
            let is_there = facts.paths.contains_key(digest) || verifier.bundle.contains(&path);
            if !is_there && !is_listed {
                let reason = format!("{} names it, but it is missing.", recorded.path);
                verifier.fails(kind, &path, reason);
            }
        }
    }
}
