//! Confirmations of the time by outsiders.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};

use super::layout::{LogFile, anchored_size, files_of};
use super::log::Log;
use super::{CLOCK_SLACK, ClaimKind, Outcome, Verifier};
use crate::bundle::{BundleError, BundleReader};
use crate::checkpoint::SignedCheckpoint;
use crate::cosignature::{CosignatureError, SignatureLine};
use crate::ots::{Attestation, OtsFile, verify_command};
use crate::{Digest, sha256};

/// How far the time of a Bitcoin block may lie before the real one.
const BLOCK_SLACK: TimeDelta = TimeDelta::hours(2);

/// Time and name that a time-stamping authority gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityTime {
    /// When it had the data.
    pub time: DateTime<Utc>,
    /// Its name.
    pub authority: String,
}

/// Refused an answer of a time-stamping authority, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimestampError {
    /// It is well-formed and over this data, but none of the roots vouches for it.
    Untrusted(String),
    /// It is malformed, or not over this data.
    Invalid(String),
}

/// Verifies answers of time-stamping authorities (RFC 3161).
pub trait TimestampVerifier {
    /// Verifies an answer over `data`, at the time that it names, by the given roots alone.
    ///
    /// # Errors
    ///
    /// Fails with [`TimestampError::Invalid`] if no roots could make it valid.
    fn verify(
        &self,
        answer: &[u8],
        data: &[u8],
        roots: &[String],
    ) -> Result<AuthorityTime, TimestampError>;
}

/// Returns the heights of the Bitcoin blocks that a bundle names, whose headers decide its
/// claims. Files that cannot be parsed are left to [`super::verify`].
pub fn bitcoin_heights(bundle: &BundleReader) -> BTreeSet<u64> {
    bundle
        .paths()
        .filter(|path| path.ends_with(".ots"))
        .filter_map(|path| bundle.read(path).ok())
        .filter_map(|bytes| OtsFile::parse(&bytes).ok())
        .flat_map(|file| file.attestations().cloned().collect::<Vec<_>>())
        .filter_map(|attestation| match attestation {
            Attestation::Bitcoin { height, .. } => Some(height),
            Attestation::Pending { .. } | Attestation::Unknown { .. } => None,
        })
        .collect()
}

pub(super) fn verify(verifier: &mut Verifier<'_>, log: &Log) -> Result<(), BundleError> {
    let bundle = verifier.bundle;
    let mut anchored = BTreeMap::new();
    let mut stamped = BTreeSet::new();
    let answers = files_of(bundle, &log.prefix);
    let answers = answers.filter(|(_, file)| matches!(file, LogFile::Authority(_)));
    let answers = answers.count() as u64;
    for (path, file) in files_of(bundle, &log.prefix) {
        match file {
            LogFile::Anchored(name) => {
                if let Some(checkpoint) = verify_anchored(verifier, log, path, &name)? {
                    anchored.insert(name, checkpoint);
                }
            }
            LogFile::Root(number) if (1..=answers).contains(&number) => {
                let reason = "Nobody has signed this certificate here. Compare it with the one \
                              that the authority publishes.";
                verifier.unknown(ClaimKind::Files, path, reason, None);
            }
            LogFile::Root(_) => {
                let reason = "The bundle has fewer answers of authorities than certificates.";
                verifier.fails(ClaimKind::Files, path, reason);
            }
            LogFile::Authority(name) | LogFile::Calendar(name) | LogFile::Cosigned(name) => {
                stamped.insert(name.clone());
                let checkpoint = format!("{}anchors/{name}.checkpoint", log.prefix);
                if !bundle.contains(&checkpoint) {
                    let reason = format!("Its checkpoint {checkpoint} is missing.");
                    verifier.fails(ClaimKind::Files, path, reason);
                }
            }
            _ => {}
        }
    }
    for name in anchored.keys().filter(|name| !stamped.contains(*name)) {
        let path = format!("{}anchors/{name}", log.prefix);
        let reason = format!("None of {path}.tsr, {path}.ots and {path}.cosigned is there.");
        verifier.fails(ClaimKind::Files, &format!("{path}.checkpoint"), reason);
    }
    // One submission to a calendar serves a checkpoint and the events below it.
    let mut attested = Vec::new();
    let mut calendars = Vec::new();
    for (path, file) in files_of(bundle, &log.prefix) {
        match file {
            LogFile::Authority(name) => {
                if let Some(checkpoint) = anchored.get(&name) {
                    verify_authority(verifier, log, path, &name, checkpoint)?;
                }
            }
            LogFile::Cosigned(name) => {
                if let Some(checkpoint) = anchored.get(&name) {
                    verify_cosigned(verifier, log, path, checkpoint)?;
                }
            }
            LogFile::Calendar(name) => {
                calendars.push(path);
                if let Some(checkpoint) = anchored.get(&name) {
                    let stamped = format!("{}anchors/{name}.checkpoint", log.prefix);
                    let digest = sha256(checkpoint.bytes());
                    let size = checkpoint.checkpoint().size();
                    if let Some(file) = read_stamp(verifier, path, &stamped, &digest)? {
                        verify_blocks(verifier, log, path, size, &file);
                        attested.extend(file.attestations().cloned());
                    }
                }
            }
            _ => {}
        }
    }
    for (path, file) in files_of(bundle, &log.prefix) {
        let LogFile::EventStamp(place) = file else {
            continue;
        };
        let Some(recorded) = log.events.get(&place) else {
            continue;
        };
        let Some(file) = read_stamp(verifier, path, &recorded.path, &recorded.digest)? else {
            continue;
        };
        if file.attestations().all(|found| attested.contains(found)) {
            verify_blocks(verifier, log, path, place + 1, &file);
        } else {
            let reason = format!(
                "It does not lead where the stamp of a checkpoint leads ({}).",
                calendars.join(", ")
            );
            verifier.fails(ClaimKind::Bitcoin, path, reason);
        }
    }
    Ok(())
}

fn verify_anchored(
    verifier: &mut Verifier<'_>,
    log: &Log,
    path: &str,
    name: &str,
) -> Result<Option<SignedCheckpoint>, BundleError> {
    let kind = ClaimKind::Consistency;
    let Some(bytes) = verifier.read(kind, path)? else {
        return Ok(None);
    };
    let checkpoint = match SignedCheckpoint::parse(&bytes) {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            verifier.check(kind, path, Err(error));
            return Ok(None);
        }
    };
    let result = match anchored_size(name) == Some(checkpoint.checkpoint().size()) {
        true => log.includes(&checkpoint),
        false => Err("It is of another size than its name says."),
    };
    let included = verifier.check(kind, path, result);
    Ok(included.then_some(checkpoint))
}

fn verify_authority(
    verifier: &mut Verifier<'_>,
    log: &Log,
    path: &str,
    name: &str,
    checkpoint: &SignedCheckpoint,
) -> Result<(), BundleError> {
    let kind = ClaimKind::Authority;
    let Some(answer) = verifier.read(kind, path)? else {
        return Ok(());
    };
    if !is_answer(&answer, &sha256(checkpoint.bytes())) {
        let reason = format!(
            "This is not the answer of a time-stamping authority for {}anchors/{name}.checkpoint.",
            log.prefix
        );
        verifier.fails(kind, path, reason);
        return Ok(());
    }
    let prefix = &log.prefix;
    let command = Some(format!(
        "openssl ts -verify -data {prefix}anchors/{name}.checkpoint -in {path} -CAfile ROOTS.pem"
    ));
    let options = verifier.options;
    let Some(timestamps) = options.timestamps else {
        let reason = "Answers of time-stamping authorities are not verified here.";
        verifier.unknown(kind, path, reason, command);
        return Ok(());
    };
    match timestamps.verify(&answer, checkpoint.bytes(), &options.roots) {
        Ok(confirmed) => {
            let size = checkpoint.checkpoint().size();
            let note = format!(
                "Confirmed by {} at {}.",
                confirmed.authority,
                ideavault_domain::evidence::timestamp(confirmed.time)
            );
            match log.later_event(size, confirmed.time + CLOCK_SLACK) {
                Some(later) => verifier.fails(kind, path, contradiction(later)),
                None => verifier.note(kind, path, Outcome::Holds, Some(note)),
            }
        }
        Err(TimestampError::Untrusted(_)) if options.roots.is_empty() => {
            let reason = "No roots of authorities were given, and those in the bundle are not \
                          trusted by themselves.";
            verifier.unknown(kind, path, reason, command);
        }
        Err(TimestampError::Untrusted(reason)) => {
            verifier.unknown(kind, path, &super::sentence(&reason), command);
        }
        Err(TimestampError::Invalid(reason)) => {
            verifier.fails(kind, path, super::sentence(&reason));
        }
    }
    Ok(())
}

/// Reports whether bytes have the form of an answer for what has that SHA-256: one SEQUENCE in DER,
/// with nothing behind it, and in it an OCTET STRING with the digest.
fn is_answer(bytes: &[u8], digest: &Digest) -> bool {
    let named = [&[0x04, 32], digest.as_slice()].concat();
    let length = match bytes {
        [0x30, length @ ..=0x7f, rest @ ..] => Some((usize::from(*length), rest)),
        [0x30, 0x81, length, rest @ ..] => Some((usize::from(*length), rest)),
        [0x30, 0x82, high, low, rest @ ..] => {
            Some((usize::from(u16::from_be_bytes([*high, *low])), rest))
        }
        _ => None,
    };
    length.is_some_and(|(length, rest)| rest.len() == length)
        && bytes.windows(named.len()).any(|part| part == named)
}

/// Verifies the lines of witnesses below a checkpoint.
fn verify_cosigned(
    verifier: &mut Verifier<'_>,
    log: &Log,
    path: &str,
    checkpoint: &SignedCheckpoint,
) -> Result<(), BundleError> {
    let kind = ClaimKind::Witness;
    let Some(bytes) = verifier.read(kind, path)? else {
        return Ok(());
    };
    let lines = bytes
        .strip_prefix(checkpoint.bytes())
        .and_then(|lines| str::from_utf8(lines).ok())
        .and_then(|lines| lines.strip_suffix('\n'));
    let Some(lines) = lines else {
        let reason = "It is not its checkpoint with signatures of witnesses.";
        verifier.fails(kind, path, reason);
        return Ok(());
    };
    let body = checkpoint.checkpoint().body();
    for line in lines.split('\n') {
        let line: SignatureLine = match line.parse() {
            Ok(line) => line,
            Err(error) => {
                verifier.check(kind, path, Err(error));
                continue;
            }
        };
        let keys = verifier.options.witnesses.iter();
        let verified = keys
            .map(|key| key.verify(&body, &line))
            .find(|verified| *verified != Err(CosignatureError::OtherKey));
        let name = line.name();
        match verified {
            Some(Ok(time)) => {
                match log.later_event(checkpoint.checkpoint().size(), time + CLOCK_SLACK) {
                    Some(later) => verifier.fails(kind, path, contradiction(later)),
                    None => {
                        let time = ideavault_domain::evidence::timestamp(time);
                        let note = format!("Confirmed by {name} at {time}.");
                        verifier.note(kind, path, Outcome::Holds, Some(note));
                    }
                }
            }
            Some(Err(error)) => {
                verifier.check(kind, path, Err(error));
            }
            None => {
                let reason = format!("It has a signature of {name}, whose key was not given.");
                verifier.unknown(kind, path, &reason, None);
            }
        }
    }
    Ok(())
}

fn read_stamp(
    verifier: &mut Verifier<'_>,
    path: &str,
    stamped: &str,
    digest: &Digest,
) -> Result<Option<OtsFile>, BundleError> {
    let kind = ClaimKind::Bitcoin;
    let Some(bytes) = verifier.read(kind, path)? else {
        return Ok(None);
    };
    match OtsFile::parse(&bytes) {
        Ok(file) if file.digest() == digest => Ok(Some(file)),
        Ok(_) => {
            let reason = format!("It stamps another file than {stamped}.");
            verifier.fails(kind, path, reason);
            Ok(None)
        }
        Err(error) => {
            verifier.check(kind, path, Err(error));
            Ok(None)
        }
    }
}

/// Compares the blocks that a stamp names with the headers that the caller knows.
fn verify_blocks(verifier: &mut Verifier<'_>, log: &Log, path: &str, size: u64, file: &OtsFile) {
    let kind = ClaimKind::Bitcoin;
    let mut unchecked = None;
    let mut pending = Vec::new();
    for attestation in file.attestations() {
        let (height, merkle_root) = match attestation {
            Attestation::Bitcoin {
                height,
                merkle_root,
            } => (*height, merkle_root),
            Attestation::Pending { uri, .. } => {
                pending.push(uri.clone());
                continue;
            }
            Attestation::Unknown { .. } => continue,
        };
        let headers = &verifier.options.headers;
        let found = headers.iter().find(|known| {
            known.header.merkle_root == *merkle_root
                && known.height.is_none_or(|known| known == height)
        });
        if let Some(known) = found {
            let time = DateTime::from_timestamp(i64::from(known.header.time), 0);
            let time = time.unwrap_or(DateTime::UNIX_EPOCH);
            match log.later_event(size, time + BLOCK_SLACK) {
                Some(later) => verifier.fails(kind, path, contradiction(later)),
                None => {
                    let time = ideavault_domain::evidence::timestamp(time);
                    let note = format!("In Bitcoin block {height}, at most {time}.");
                    verifier.note(kind, path, Outcome::Holds, Some(note));
                }
            }
            return;
        }
        if headers.iter().any(|known| known.height == Some(height)) {
            let reason = format!("Bitcoin block {height} has another Merkle root.");
            verifier.fails(kind, path, reason);
            return;
        }
        unchecked = Some(height);
    }
    match (unchecked, pending.is_empty()) {
        (Some(height), _) => {
            let mut reason = format!("It is said to be in Bitcoin block {height}.");
            if let Some(missing) = verifier.options.missing_headers.get(&height) {
                reason = format!("{reason} {missing}");
            }
            verifier.unknown(kind, path, &reason, Some(verify_command(path)));
        }
        (None, false) => {
            let reason = format!("Bitcoin is pending at {}.", pending.join(", "));
            verifier.unknown(kind, path, &reason, Some(format!("ots upgrade {path}")));
        }
        (None, true) => {
            // Nothing that could confirm the time one day.
            let reason = "It names no Bitcoin block.";
            let command = Some(format!("ots info {path}"));
            verifier.unknown(ClaimKind::Files, path, reason, command);
        }
    }
}

fn contradiction(path: &str) -> String {
    format!("{path} claims to be later than this confirmation, which covers it.")
}
