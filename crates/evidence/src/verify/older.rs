//! Comparison with older evidence of the same log.

use std::collections::BTreeMap;

use ideavault_domain::evidence::EventKind;
use ideavault_domain::hex;

use super::layout::{Layout, LogFile, files_of};
use super::log::{Log, vouched_for};
use super::{ClaimKind, Older, Verifier};
use crate::bundle::{BundleError, BundleReader};
use crate::checkpoint::SignedCheckpoint;
use crate::proof::parse_hashes;
use crate::{sha256, tree};

/// Stands for a bare checkpoint, which has no path in the bundle.
const OLDER: &str = "log/checkpoint";

/// A log of the older evidence.
struct OlderLog<'a> {
    checkpoint: SignedCheckpoint,
    /// The bundle that it is from, and its folder there.
    bundle: Option<(&'a BundleReader, String)>,
}

pub(super) fn verify(verifier: &mut Verifier<'_>, logs: &[Log]) -> Result<(), BundleError> {
    let options = verifier.options;
    let older = match &options.older {
        None => return Ok(()),
        Some(Older::Checkpoint(checkpoint)) => vec![OlderLog {
            checkpoint: checkpoint.clone(),
            bundle: None,
        }],
        Some(Older::Bundle(bundle)) => read_logs(verifier, bundle)?,
    };
    let vouched = vouched_for(logs);
    let mut others = Vec::new();
    for older in &older {
        let origin = older.checkpoint.checkpoint().origin();
        match logs.iter().find(|log| log.origin() == origin) {
            Some(log) => {
                compare_checkpoints(verifier, log, older, vouched.contains(log.origin()))?;
                compare_events(verifier, log, older)?;
            }
            None => others.push(older),
        }
    }
    // Only a bundle that goes back to the first log shows that there is no other one.
    let first = logs.first().and_then(|log| log.events.get(&0));
    let is_whole = first.is_some_and(|first| first.event.kind == EventKind::LogStarted);
    let is_foreign = is_whole && others.len() == older.len();
    for other in others {
        compare_other(verifier, logs, &other.checkpoint, is_foreign);
    }
    Ok(())
}

fn read_logs<'a>(
    verifier: &mut Verifier<'_>,
    bundle: &'a BundleReader,
) -> Result<Vec<OlderLog<'a>>, BundleError> {
    let mut found = Vec::new();
    for prefix in Layout::of(bundle).prefixes {
        let parsed = match bundle.read(&format!("{prefix}{OLDER}")) {
            Ok(bytes) => SignedCheckpoint::parse(&bytes).ok(),
            Err(error) if error.is_unreadable() => return Err(error),
            Err(_) => None,
        };
        match parsed {
            Some(checkpoint) => found.push(OlderLog {
                checkpoint,
                bundle: Some((bundle, prefix)),
            }),
            None => verifier.fails(
                ClaimKind::Older,
                OLDER,
                "The older bundle has no checkpoint.",
            ),
        }
    }
    Ok(found)
}

/// Compares the checkpoint of a log that the bundle does not have.
fn compare_other(
    verifier: &mut Verifier<'_>,
    logs: &[Log],
    older: &SignedCheckpoint,
    is_foreign: bool,
) {
    let kind = ClaimKind::Older;
    let origin = older.checkpoint().origin();
    let digest = hex::encode(&sha256(older.bytes()));
    let continues = |log: &&Log| {
        log.previous()
            .is_some_and(|named| named.checkpoint == digest)
    };
    if let Some(log) = logs.iter().find(continues) {
        verifier.holds(kind, &format!("{}events/0.json", log.prefix));
    } else if is_foreign {
        verifier.fails(kind, OLDER, format!("The older evidence is of {origin}."));
    } else {
        let reason = format!(
            "The older evidence is of {origin}, with which nothing in this bundle connects it: \
             the log was resumed since."
        );
        verifier.unknown(kind, OLDER, &reason, None);
    }
}

fn compare_checkpoints(
    verifier: &mut Verifier<'_>,
    log: &Log,
    older: &OlderLog<'_>,
    is_vouched_for: bool,
) -> Result<(), BundleError> {
    let kind = ClaimKind::Older;
    let path = format!("{}{OLDER}", log.prefix);
    let newest = log.checkpoint.checkpoint();
    let head = older.checkpoint.checkpoint();
    let mut result = None;
    if log.heads.contains_key(&head.size()) {
        result = Some(log.includes(&older.checkpoint));
    } else if head.size() > newest.size()
        && let Some((bundle, prefix)) = &older.bundle
        && log
            .key_for(head.size())
            .is_some_and(|key| older.checkpoint.verify(&key).is_ok())
    {
        // The evidence that is called older is newer, and may itself show the connection.
        let name = format!(
            "{prefix}log/consistency-{}-{}.txt",
            newest.size(),
            head.size()
        );
        let hashes = match bundle.read(&name) {
            Ok(text) => parse_hashes(&text),
            Err(error) if error.is_unreadable() => return Err(error),
            Err(_) => None,
        };
        result = hashes.map(|hashes| {
            let (old, new) = ((newest.size(), newest.root()), (head.size(), head.root()));
            tree::verify_consistency(old.0, old.1, new.0, new.1, &hashes)
                .map_err(|_| "The other bundle's log does not extend this one.")
        });
    }
    match result {
        Some(Ok(())) if !is_vouched_for => {
            let reason = "It is a state of this log, but the log that continues it names another \
                          one, and vouches for neither.";
            verifier.unknown(kind, &path, reason, None);
        }
        Some(result) => {
            verifier.check(kind, &path, result);
        }
        None => {
            let reason = format!(
                "Nothing in the bundle connects the sizes {} and {}. Ask for a bundle that is \
                 made from both.",
                head.size(),
                newest.size()
            );
            verifier.unknown(kind, &path, &reason, None);
        }
    }
    Ok(())
}

/// Checks that both bundles have the same events at the same places.
fn compare_events(
    verifier: &mut Verifier<'_>,
    log: &Log,
    older: &OlderLog<'_>,
) -> Result<(), BundleError> {
    let Some((bundle, prefix)) = &older.bundle else {
        return Ok(());
    };
    let mut places = BTreeMap::new();
    let mut digests = BTreeMap::new();
    for (path, file) in files_of(bundle, prefix) {
        let LogFile::Event(place) = file else {
            continue;
        };
        match bundle.digest(path) {
            Ok(digest) => {
                places.insert(digest, place);
                digests.insert(place, Some(digest));
            }
            Err(error) if error.is_unreadable() => return Err(error),
            Err(_) => {
                digests.insert(place, None);
            }
        }
    }
    for (place, recorded) in &log.events {
        let at_place = digests.get(place);
        if at_place.is_some_and(|digest| *digest != Some(recorded.digest)) {
            let reason = "The older bundle has another event at this place.";
            verifier.fails(ClaimKind::Older, &recorded.path, reason);
        }
        if let Some(other) = places.get(&recorded.digest).filter(|other| *other != place) {
            let reason = format!("The older bundle has this event at place {other}.");
            verifier.fails(ClaimKind::Older, &recorded.path, reason);
        }
    }
    Ok(())
}
