//! The log: its checkpoint, its keys, its events and how it grew.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use ideavault_domain::evidence::{EventBody, OtherLog};
use ideavault_domain::hex;

use super::layout::{LogFile, files_of};
use super::{CLOCK_SLACK, ClaimKind, Verifier};
use crate::bundle::BundleError;
use crate::checkpoint::{SignedCheckpoint, VerifierKey};
use crate::event;
use crate::proof::{TlogProof, parse_hashes};
use crate::{Digest, sha256, tree};

/// The most keys of one log.
const MAX_KEYS: usize = 100;

/// An event of the bundle.
pub(super) struct Recorded {
    pub(super) path: String,
    pub(super) event: EventBody,
    pub(super) time: DateTime<Utc>,
    pub(super) digest: Digest,
}

/// The verified part of a log. Everything in it is covered by the checkpoint.
pub(super) struct Log {
    /// Folder in the bundle, with a slash at its end, or empty.
    pub(super) prefix: String,
    pub(super) checkpoint: SignedCheckpoint,
    /// The key that the bundle brings for it.
    pub(super) vkey: String,
    /// Events by place.
    pub(super) events: BTreeMap<u64, Recorded>,
    /// Places and times of the events that are later than all before them.
    latest: Vec<(u64, DateTime<Utc>)>,
    /// Keys by the place of the event that names them.
    keys: BTreeMap<u64, VerifierKey>,
    /// Checkpoints by size that the checkpoint extends, itself included.
    pub(super) heads: BTreeMap<u64, SignedCheckpoint>,
}

impl Log {
    /// Returns the name of the log.
    pub(super) fn origin(&self) -> &str {
        self.checkpoint.checkpoint().origin()
    }

    /// Returns the log that this one continues. Events that were waiting for their places when it
    /// stopped have them in this one.
    pub(super) fn previous(&self) -> Option<&OtherLog> {
        self.events.get(&0)?.event.previous.as_ref()
    }

    /// Returns the key that the log itself names for a checkpoint of this size: that of the
    /// last event about keys below it.
    pub(super) fn key_for(&self, size: u64) -> Option<VerifierKey> {
        self.keys
            .range(..size)
            .next_back()
            .map(|(_, key)| key.clone())
    }

    /// Returns the path of the first event below `size` that claims to be later than `time`.
    pub(super) fn later_event(&self, size: u64, time: DateTime<Utc>) -> Option<&str> {
        // The first event that is later than `time` is later than all before it.
        let first = self.latest.partition_point(|(_, latest)| *latest <= time);
        let (place, _) = self.latest.get(first).filter(|(place, _)| *place < size)?;
        self.events
            .get(place)
            .map(|recorded| recorded.path.as_str())
    }

    /// Checks that a checkpoint is a state of this log, as far as the bundle shows.
    pub(super) fn includes(&self, other: &SignedCheckpoint) -> Result<(), &'static str> {
        let head = other.checkpoint();
        let key = self.key_for(head.size());
        let key = key.ok_or("No event of the bundle names the key of this checkpoint.")?;
        other
            .verify(&key)
            .map_err(|_| "The key of the log at that time has not signed this checkpoint.")?;
        match self.heads.get(&head.size()) {
            Some(known) if known.checkpoint() == head => Ok(()),
            Some(_) => Err("The log has another root at this size: it was rewritten."),
            None => Err("Nothing connects this checkpoint with log/checkpoint."),
        }
    }
}

pub(super) fn verify(
    verifier: &mut Verifier<'_>,
    prefix: &str,
) -> Result<Option<Log>, BundleError> {
    let Some((checkpoint, key)) = verify_signature(verifier, prefix)? else {
        return Ok(None);
    };
    let mut log = Log {
        prefix: prefix.to_owned(),
        heads: BTreeMap::from([(checkpoint.checkpoint().size(), checkpoint.clone())]),
        checkpoint,
        vkey: key.to_string(),
        events: BTreeMap::new(),
        latest: Vec::new(),
        keys: BTreeMap::new(),
    };
    verify_events(verifier, &mut log)?;
    for (place, recorded) in &log.events {
        if log
            .latest
            .last()
            .is_none_or(|(_, latest)| *latest < recorded.time)
        {
            log.latest.push((*place, recorded.time));
        }
    }
    verify_order(verifier, &log);
    verify_heads(verifier, &mut log)?;
    verify_keys(verifier, &log, &key);
    Ok(Some(log))
}

fn verify_signature(
    verifier: &mut Verifier<'_>,
    prefix: &str,
) -> Result<Option<(SignedCheckpoint, VerifierKey)>, BundleError> {
    let kind = ClaimKind::Signature;
    let path = format!("{prefix}log/checkpoint");
    let key_path = format!("{prefix}log/vkey");
    let Some(checkpoint) = verifier.read(kind, &path)? else {
        return Ok(None);
    };
    let checkpoint = match SignedCheckpoint::parse(&checkpoint) {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            verifier.check(kind, &path, Err(error));
            return Ok(None);
        }
    };
    let folder = prefix.trim_end_matches('/');
    if !folder.is_empty() && checkpoint.checkpoint().origin().rsplit('/').next() != Some(folder) {
        verifier.fails(kind, &path, "Its folder has the name of another log.");
    }
    let Some(key) = verifier.read(kind, &key_path)? else {
        return Ok(None);
    };
    let key = str::from_utf8(&key).ok().and_then(|text| {
        let key = VerifierKey::parse(text).ok()?;
        (format!("{key}\n") == text).then_some(key)
    });
    let Some(key) = key else {
        verifier.fails(kind, &key_path, "This is not a key.");
        return Ok(None);
    };
    if !verifier.check(kind, &path, checkpoint.verify(&key)) {
        return Ok(None);
    }
    let signature = checkpoint
        .signature(&key)
        .map(Vec::from)
        .unwrap_or_default();
    for (name, expected) in [
        (
            "checkpoint.body",
            checkpoint.checkpoint().body().into_bytes(),
        ),
        ("checkpoint.sig", signature),
        ("key.pem", key.pem().into_bytes()),
    ] {
        let path = format!("{prefix}log/{name}");
        if let Some(found) = verifier.read(kind, &path)? {
            let same = (found == expected)
                .then_some(())
                .ok_or("It contradicts log/checkpoint and log/vkey.");
            verifier.check(kind, &path, same);
        }
    }
    Ok(Some((checkpoint, key)))
}

fn verify_events(verifier: &mut Verifier<'_>, log: &mut Log) -> Result<(), BundleError> {
    let bundle = verifier.bundle;
    let prefix = log.prefix.clone();
    for (path, file) in files_of(bundle, &prefix) {
        match file {
            LogFile::Event(place) => {
                if let Some(recorded) = verify_event(verifier, log, place, path)? {
                    if let Ok(key) = event::key_of(&recorded.event) {
                        log.keys.insert(place, key);
                    }
                    log.events.insert(place, recorded);
                }
            }
            LogFile::Proof(place) | LogFile::EventStamp(place) => {
                let event = format!("{prefix}events/{place}.json");
                if !bundle.contains(&event) {
                    let reason = format!("Its event {event} is missing.");
                    verifier.fails(ClaimKind::Files, path, reason);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn verify_event(
    verifier: &mut Verifier<'_>,
    log: &Log,
    place: u64,
    path: &str,
) -> Result<Option<Recorded>, BundleError> {
    let kind = ClaimKind::Event;
    let Some(json) = verifier.read(kind, path)? else {
        return Ok(None);
    };
    let digest = sha256(&json);
    verify_place(verifier, log, place, &digest)?;
    let parsed = event::parse(&json).and_then(|event| Ok((event::time_of(&event)?, event)));
    let (time, event) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            verifier.check(kind, path, Err(error));
            return Ok(None);
        }
    };
    let of_this_log = event.log == log.origin()
        || log
            .previous()
            .is_some_and(|previous| previous.log == event.log);
    let result = if !of_this_log {
        Err("The event is of another log.")
    } else if event.kind.begins_log() != (place == 0) {
        Err("A log begins with its first event and not later.")
    } else {
        Ok(())
    };
    if !verifier.check(kind, path, result) {
        return Ok(None);
    }
    Ok(Some(Recorded {
        path: path.to_owned(),
        event,
        time,
        digest,
    }))
}

fn verify_place(
    verifier: &mut Verifier<'_>,
    log: &Log,
    place: u64,
    digest: &Digest,
) -> Result<(), BundleError> {
    let kind = ClaimKind::Place;
    let path = format!("{}events/{place}.tlog-proof", log.prefix);
    let Some(text) = verifier.read(kind, &path)? else {
        return Ok(());
    };
    let result = match TlogProof::parse(&text) {
        Err(error) => Err(error.to_string()),
        Ok(proof) if proof.checkpoint.bytes() != log.checkpoint.bytes() => {
            Err("the proof is for another checkpoint than log/checkpoint".to_owned())
        }
        Ok(proof) if proof.index != place => Err("the proof is for another place".to_owned()),
        Ok(proof) => proof.verify_path(digest).map_err(|_| {
            let event = format!("{}events/{place}.json", log.prefix);
            format!("the proof does not lead from {event} to log/checkpoint")
        }),
    };
    verifier.check(kind, &path, result);
    Ok(())
}

/// Checks the times of events against each other.
fn verify_order(verifier: &mut Verifier<'_>, log: &Log) {
    let kind = ClaimKind::Event;
    // The latest event of each log: what waited when a log stopped is older than the event that
    // began the one that continues it.
    let mut latest: BTreeMap<&str, &Recorded> = BTreeMap::new();
    let began = log.events.get(&0).map(|first| first.time);
    let mut goes_on = false;
    for recorded in log.events.values() {
        let is_own = recorded.event.log == log.origin();
        if !is_own && goes_on {
            let reason = "It is of the log that had stopped, but follows events of this one.";
            verifier.fails(kind, &recorded.path, reason);
        }
        // Events being recorded when the log began get their place shortly after.
        goes_on |= is_own && began.is_some_and(|began| recorded.time > began + CLOCK_SLACK);
        // Events of several servers get their places in the order of their commits.
        if let Some(former) = latest.insert(&recorded.event.log, recorded)
            && former.time > recorded.time + CLOCK_SLACK
        {
            let reason = format!("Its time is before that of {}.", former.path);
            verifier.fails(kind, &recorded.path, reason);
        }
        if verifier
            .options
            .now
            .is_some_and(|now| recorded.time > now + CLOCK_SLACK)
        {
            verifier.fails(kind, &recorded.path, "Its time is in the future.");
        }
    }
}

fn verify_heads(verifier: &mut Verifier<'_>, log: &mut Log) -> Result<(), BundleError> {
    let kind = ClaimKind::Consistency;
    let bundle = verifier.bundle;
    let prefix = log.prefix.clone();
    let newest = log.checkpoint.checkpoint().clone();
    for (path, file) in files_of(bundle, &prefix) {
        let size = match file {
            LogFile::Head(size) => size,
            LogFile::Consistency(old, new) => {
                if new != newest.size()
                    || !bundle.contains(&format!("{prefix}log/checkpoint-{old}"))
                {
                    verifier.fails(kind, path, "It connects checkpoints that are not there.");
                }
                continue;
            }
            _ => continue,
        };
        let Some(bytes) = verifier.read(kind, path)? else {
            continue;
        };
        let head = match SignedCheckpoint::parse(&bytes) {
            Ok(head) => head,
            Err(error) => {
                verifier.check(kind, path, Err(error));
                continue;
            }
        };
        let Some(hashes) = read_hashes(verifier, &prefix, size, newest.size())? else {
            continue;
        };
        let old = head.checkpoint();
        let result = if old.origin() != newest.origin() || old.size() != size {
            Err("It is of another log or size than its name says.".to_owned())
        } else if tree::verify_consistency(
            old.size(),
            old.root(),
            newest.size(),
            newest.root(),
            &hashes,
        )
        .is_err()
        {
            let hashes = consistency_path(&prefix, size, newest.size());
            Err(format!(
                "By {hashes}, log/checkpoint does not extend it: the log was rewritten."
            ))
        } else if log
            .key_for(size)
            .is_none_or(|key| head.verify(&key).is_err())
        {
            Err("The key of the log at that time has not signed it.".to_owned())
        } else {
            Ok(())
        };
        if verifier.check(kind, path, result) {
            log.heads.entry(size).or_insert(head);
        }
    }
    Ok(())
}

fn consistency_path(prefix: &str, old: u64, new: u64) -> String {
    format!("{prefix}log/consistency-{old}-{new}.txt")
}

fn read_hashes(
    verifier: &mut Verifier<'_>,
    prefix: &str,
    old: u64,
    new: u64,
) -> Result<Option<Vec<Digest>>, BundleError> {
    let path = consistency_path(prefix, old, new);
    let Some(text) = verifier.read(ClaimKind::Consistency, &path)? else {
        return Ok(None);
    };
    let hashes = parse_hashes(&text);
    if hashes.is_none() {
        verifier.fails(ClaimKind::Consistency, &path, "These are not hashes.");
    }
    Ok(hashes)
}

/// Checks that the log names the key that signed it, and that the caller trusts that key.
fn verify_keys(verifier: &mut Verifier<'_>, log: &Log, key: &VerifierKey) {
    let kind = ClaimKind::Key;
    let path = format!("{}log/vkey", log.prefix);
    let size = log.checkpoint.checkpoint().size();
    if !log.events.contains_key(&0) {
        let path = format!("{}events/0.json", log.prefix);
        verifier.fails(kind, &path, "The event that began the log is missing.");
    }
    if log.key_for(size).as_ref() != Some(key) {
        verifier.fails(
            kind,
            &path,
            "The log names another key for this checkpoint.",
        );
        return;
    }
    if log.keys.len() > MAX_KEYS {
        verifier.fails(kind, &path, "The log names too many keys.");
        return;
    }
    // An older log is vouched for by the one that continues it.
    if !log.prefix.is_empty() {
        return;
    }
    match &verifier.options.key {
        Some(pinned) if pins(log, pinned, key) => {
            verifier.note(kind, &path, super::Outcome::Holds, Some(key.to_string()));
        }
        Some(pinned) => {
            let reason = format!("The key is not the one you gave, {pinned}.");
            verifier.fails(kind, &path, reason);
        }
        None => {
            let reason = "Nobody but the bundle says that this is the server's key. Compare it \
                          with one that you have from elsewhere.";
            let command = Some("ideavault verify BUNDLE --key VKEY".to_owned());
            verifier.unknown(kind, &path, reason, command);
        }
    }
}

/// Reports whether trust in `pinned` leads to `key`: a trusted key vouches for each key that
/// an event names below a checkpoint that it signed. Keys sign what follows the events that
/// name them, so that one pass by size is enough.
fn pins(log: &Log, pinned: &VerifierKey, key: &VerifierKey) -> bool {
    let mut trusted = vec![pinned];
    for (size, head) in &log.heads {
        if trusted.iter().any(|key| head.verify(key).is_ok()) {
            let named = log.keys.range(..*size).map(|(_, key)| key);
            trusted = std::iter::once(pinned).chain(named).collect();
        }
    }
    trusted.contains(&key)
}

/// Returns the names of the logs that the newest one vouches for, itself included.
pub(super) fn vouched_for(logs: &[Log]) -> BTreeSet<&str> {
    let mut vouched = BTreeSet::new();
    let mut next = logs.iter().find(|log| log.prefix.is_empty());
    while let Some(log) = next {
        // A false bundle may name its logs in a circle.
        if !vouched.insert(log.origin()) {
            break;
        }
        next = log.previous().and_then(|previous| {
            logs.iter().find(|log| {
                log.origin() == previous.log
                    && hex::encode(&sha256(log.checkpoint.bytes())) == previous.checkpoint
            })
        });
    }
    vouched
}

/// Checks that each log but the first continues one of the bundle.
pub(super) fn verify_links(verifier: &mut Verifier<'_>, logs: &[Log]) {
    let kind = ClaimKind::Consistency;
    let mut by_origin = BTreeMap::new();
    for log in logs {
        // Otherwise one of them could vouch for what the other one shows.
        if by_origin.insert(log.origin(), log).is_some() {
            let path = format!("{}log/checkpoint", log.prefix);
            verifier.fails(kind, &path, "Another log of the bundle has the same name.");
        }
    }
    let mut continued = BTreeSet::new();
    for log in logs {
        let Some(first) = log.events.get(&0) else {
            continue;
        };
        let Some(previous) = &first.event.previous else {
            continue;
        };
        let found = by_origin.get(previous.log.as_str());
        let digest = found.map(|found| hex::encode(&sha256(found.checkpoint.bytes())));
        continued.insert(previous.log.as_str());
        if digest.as_ref() == Some(&previous.checkpoint) {
            verifier.holds(kind, &first.path);
        } else {
            let reason = "It continues a log whose last checkpoint is not in the bundle: the \
                          database had lost what that one covered.";
            verifier.unknown(kind, &first.path, reason, None);
            if let Some(found) = found {
                let path = format!("{}log/vkey", found.prefix);
                let reason = "Nobody but the bundle says that this is the key of the older log: \
                              the log that continues it names another state of it.";
                verifier.unknown(ClaimKind::Key, &path, reason, None);
            }
        }
    }
    for log in logs.iter().filter(|log| !log.prefix.is_empty()) {
        if !continued.contains(log.origin()) {
            let path = format!("{}log/checkpoint", log.prefix);
            verifier.fails(
                kind,
                &path,
                "No other log of the bundle continues this one.",
            );
        }
    }
}
