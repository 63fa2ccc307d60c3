//! Comparison with older evidence of the same log.

use super::log::Log;
use super::{ClaimKind, Older, Verifier};
use crate::bundle::{BundleError, BundleReader};
use crate::checkpoint::SignedCheckpoint;
use crate::proof::parse_hashes;
use crate::{sha256, tree};

/// Stands for a bare checkpoint, which has no path in the bundle.
const OLDER: &str = "log/checkpoint";

pub(super) fn verify(verifier: &mut Verifier<'_>, logs: &[Log]) -> Result<(), BundleError> {
    let kind = ClaimKind::Older;
    let options = verifier.options;
    let checkpoint = match &options.older {
        None => return Ok(()),
        Some(Older::Checkpoint(checkpoint)) => checkpoint.clone(),
        Some(Older::Bundle(older)) => {
            let parsed = match older.read(OLDER) {
                Ok(bytes) => SignedCheckpoint::parse(&bytes).ok(),
                Err(error) if error.is_unreadable() => return Err(error),
                Err(_) => None,
            };
            let Some(checkpoint) = parsed else {
                verifier.fails(kind, OLDER, "The older bundle has no checkpoint.");
                return Ok(());
            };
            checkpoint
        }
    };
    let origin = checkpoint.checkpoint().origin();
    let Some(log) = logs.iter().find(|log| log.origin() == origin) else {
        verifier.fails(kind, OLDER, format!("The older evidence is of {origin}."));
        return Ok(());
    };
    let path = format!("{}{OLDER}", log.prefix);
    let older = match &options.older {
        Some(Older::Bundle(older)) => Some(*older),
        _ => None,
    };
    compare_checkpoints(verifier, log, &path, &checkpoint, older)?;
    if let Some(older) = older {
        compare_events(verifier, log, older)?;
    }
    Ok(())
}

fn compare_checkpoints(
    verifier: &mut Verifier<'_>,
    log: &Log,
    path: &str,
    older: &SignedCheckpoint,
    bundle: Option<&BundleReader>,
) -> Result<(), BundleError> {
    let kind = ClaimKind::Older;
    let newest = log.checkpoint.checkpoint();
    let head = older.checkpoint();
    if log.heads.contains_key(&head.size()) {
        verifier.check(kind, path, log.includes(older));
        return Ok(());
    }
    if head.size() > newest.size()
        && let Some(bundle) = bundle
    {
        // The evidence that is called older is newer, and may itself show the connection.
        let name = format!("log/consistency-{}-{}.txt", newest.size(), head.size());
        let hashes = match bundle.read(&name) {
            Ok(text) => parse_hashes(&text),
            Err(error) if error.is_unreadable() => return Err(error),
            Err(_) => None,
        };
        if let Some(hashes) = hashes {
            let result = tree::verify_consistency(
                newest.size(),
                newest.root(),
                head.size(),
                head.root(),
                &hashes,
            )
            .map_err(|_| "The other bundle's log does not extend this one.");
            verifier.check(kind, path, result);
            return Ok(());
        }
    }
    let reason = format!(
        "Nothing in the bundle connects the sizes {} and {}. Ask for a bundle that is made from \
         both.",
        head.size(),
        newest.size()
    );
    verifier.unknown(kind, path, &reason, None);
    Ok(())
}

/// Checks that events of both bundles are the same where their places are.
fn compare_events(
    verifier: &mut Verifier<'_>,
    log: &Log,
    older: &BundleReader,
) -> Result<(), BundleError> {
    for (place, recorded) in &log.events {
        let path = format!("events/{place}.json");
        if !older.contains(&path) {
            continue;
        }
        match older.read(&path) {
            Ok(json) if sha256(&json) == recorded.digest => {}
            Err(error) if error.is_unreadable() => return Err(error),
            _ => {
                let reason = "The older bundle has another event at this place.";
                verifier.fails(ClaimKind::Older, &recorded.path, reason);
            }
        }
    }
    Ok(())
}
