//! OpenTimestamps files (<https://opentimestamps.org>), read and written for the stock client.
//!
//! A calendar is sent one digest for each checkpoint: the SHA-256 of the tree's root followed
//! by the SHA-256 of the checkpoint. An event's file leads there through the tree, and the
//! checkpoint's file by prepending the root, so that one answer serves all.
//!
//! Calendars may be hostile. What they send is parsed here in full before it is stored: its
//! length, depth, number of steps and length of messages are bounded, only the operations
//! that calendars need are accepted, and nothing it names is ever contacted by this crate.

use sha2::Digest as _;
use thiserror::Error;

use crate::checkpoint::SignedCheckpoint;
use crate::tree::{self, InvalidProof, Side};
use crate::{Digest, sha256};

use parser::{Limits, Parsed, Parser};

mod parser;
#[cfg(test)]
mod tests;

pub use parser::{Attestation, OtsError};

/// The longest answer of a calendar, in bytes. Real ones with a Bitcoin attestation have
/// about 2,000.
pub const MAX_CALENDAR_LENGTH: usize = 64 * 1024;

/// The longest file, in bytes: a path through the tree and the answers of some calendars.
const MAX_FILE_LENGTH: usize = 1024 * 1024;

/// Operations from a calendar's digest to an attestation; real ones have up to about 90. With
/// those of a tree of 2^41 events they stay within [`MAX_FILE_DEPTH`].
const MAX_CALENDAR_DEPTH: usize = 128;

/// Operations from a file's digest to an attestation that the stock client follows.
const MAX_FILE_DEPTH: usize = 255;

/// Start of a file: magic bytes, version 1, and SHA-256 as the file's digest.
const FILE_HEADER: &[u8] =
    b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94\x01\x08";

/// Failed to build a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BuildError {
    /// No calendar has answered yet.
    #[error("no calendar has answered")]
    NoCalendar,
    /// The answer is for another checkpoint.
    #[error("the calendar's answer is for another checkpoint")]
    OtherCheckpoint,
    /// The proof does not lead from the event to the checkpoint's root.
    #[error(transparent)]
    Path(#[from] InvalidProof),
}

/// Returns the digest of a checkpoint that is sent to calendars. The checkpoint has the log's
/// own signature only.
pub fn calendar_digest(checkpoint: &SignedCheckpoint) -> Digest {
    let mut hasher = sha2::Sha256::new();
    hasher.update(checkpoint.checkpoint().root());
    hasher.update(sha256(checkpoint.bytes()));
    hasher.finalize().into()
}

/// A calendar's answer: operations from a message to attestations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarTimestamp {
    message: Vec<u8>,
    bytes: Vec<u8>,
    parsed: Parsed,
}

impl CalendarTimestamp {
    /// Parses the answer to a digest that was sent, or to the message of a pending
    /// attestation.
    ///
    /// # Errors
    ///
    /// Fails if it is malformed, exceeds a limit, or something follows it.
    pub fn parse(bytes: &[u8], message: &[u8]) -> Result<Self, OtsError> {
        if bytes.len() > MAX_CALENDAR_LENGTH {
            return Err(OtsError::TooLarge);
        }
        let limits = Limits {
            depth: MAX_CALENDAR_DEPTH,
        };
        Ok(Self {
            message: message.to_vec(),
            bytes: bytes.to_vec(),
            parsed: Parser::run(bytes, message, limits)?,
        })
    }

    /// The bytes that were parsed.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns what the answer attests.
    pub fn attestations(&self) -> impl Iterator<Item = &Attestation> {
        self.parsed
            .attestations
            .iter()
            .map(|found| &found.attestation)
    }

    /// Returns this answer with each pending attestation for the message of `later` replaced
    /// by `later`, the calendar's answer to that message.
    ///
    /// # Errors
    ///
    /// Fails if there is no such attestation, if `later` is still pending for the same
    /// message, or the result exceeds a limit.
    pub fn upgraded(&self, later: &Self) -> Result<Self, OtsError> {
        let asked_again = |found: &Attestation| matches!(found, Attestation::Pending { message, .. } if *message == later.message);
        if later.attestations().any(asked_again) {
            return Err(OtsError::NotPending);
        }
        let mut bytes = Vec::with_capacity(self.bytes.len() + later.bytes.len());
        let mut copied = 0;
        for found in &self.parsed.attestations {
            if !asked_again(&found.attestation) {
                continue;
            }
            bytes.extend_from_slice(self.bytes.get(copied..found.start).unwrap_or_default());
            let branches = later.branches();
            bytes.extend_from_slice(&join(&branches, found.is_last));
            copied = found.end;
        }
        if copied == 0 {
            return Err(OtsError::NotPending);
        }
        bytes.extend_from_slice(self.bytes.get(copied..).unwrap_or_default());
        Self::parse(&bytes, &self.message)
    }

    fn branches(&self) -> Vec<&[u8]> {
        self.parsed
            .branches
            .iter()
            .filter_map(|range| self.bytes.get(range.clone()))
            .collect()
    }
}

/// Returns the file `anchors/X.ots`, which stamps the bytes of a checkpoint.
///
/// # Errors
///
/// Fails without answers, or if one is for another checkpoint.
pub fn checkpoint_file(
    checkpoint: &SignedCheckpoint,
    answers: &[CalendarTimestamp],
) -> Result<Vec<u8>, BuildError> {
    let mut file = FILE_HEADER.to_vec();
    file.extend_from_slice(&sha256(checkpoint.bytes()));
    push_operand(&mut file, PREPEND, checkpoint.checkpoint().root());
    file.push(SHA256);
    file.extend_from_slice(&joined_answers(checkpoint, answers)?);
    Ok(file)
}

/// Returns the file `events/N.json.ots`, which stamps the bytes of an event, given the
/// event's SHA-256, its place, and its proof in the checkpoint's tree.
///
/// # Errors
///
/// Fails without answers, if one is for another checkpoint, or if the proof does not lead to
/// the checkpoint's root.
pub fn event_file(
    event: &Digest,
    index: u64,
    proof: &[Digest],
    checkpoint: &SignedCheckpoint,
    answers: &[CalendarTimestamp],
) -> Result<Vec<u8>, BuildError> {
    let head = checkpoint.checkpoint();
    tree::verify_inclusion(event, index, head.size(), head.root(), proof)?;
    let mut file = FILE_HEADER.to_vec();
    file.extend_from_slice(event);
    push_operand(&mut file, PREPEND, &[0]);
    file.push(SHA256);
    for (side, hash) in tree::sides(index, head.size(), proof)? {
        let operation = match side {
            Side::Left => PREPEND,
            Side::Right => APPEND,
        };
        push_operand(&mut file, operation, &hash);
        push_operand(&mut file, PREPEND, &[1]);
        file.push(SHA256);
    }
    push_operand(&mut file, APPEND, &sha256(checkpoint.bytes()));
    file.push(SHA256);
    file.extend_from_slice(&joined_answers(checkpoint, answers)?);
    Ok(file)
}

/// A parsed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtsFile {
    digest: Digest,
    parsed: Parsed,
}

impl OtsFile {
    /// Parses a file that stamps a SHA-256.
    ///
    /// # Errors
    ///
    /// Fails if it is malformed, exceeds a limit, or something follows it.
    pub fn parse(bytes: &[u8]) -> Result<Self, OtsError> {
        if bytes.len() > MAX_FILE_LENGTH {
            return Err(OtsError::TooLarge);
        }
        let rest = bytes.strip_prefix(FILE_HEADER).ok_or(OtsError::Malformed)?;
        let (digest, rest) = rest.split_first_chunk::<32>().ok_or(OtsError::Malformed)?;
        let limits = Limits {
            depth: MAX_FILE_DEPTH,
        };
        Ok(Self {
            digest: *digest,
            parsed: Parser::run(rest, digest, limits)?,
        })
    }

    /// The SHA-256 of what is stamped.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// Returns what the file attests.
    pub fn attestations(&self) -> impl Iterator<Item = &Attestation> {
        self.parsed
            .attestations
            .iter()
            .map(|found| &found.attestation)
    }
}

/// Returns the command of the stock client. It finds the stamped file by the name, except for
/// `anchors/X.ots`.
pub fn verify_command(path: &str) -> String {
    match path.strip_suffix(".ots") {
        Some(name) if !name.ends_with(".json") => {
            format!("ots verify -f {name}.checkpoint {path}")
        }
        _ => format!("ots verify {path}"),
    }
}

/// A block header of Bitcoin, which the caller has from a source that it trusts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHeader {
    /// Root over the block's transactions, in the order of the header.
    pub merkle_root: Digest,
    /// Time in the header, in seconds since 1970.
    pub time: u32,
}

impl BlockHeader {
    /// Parses the 80 bytes of a header.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (_, rest) = bytes.split_first_chunk::<36>()?;
        let (merkle_root, rest) = rest.split_first_chunk::<32>()?;
        let (time, rest) = rest.split_first_chunk::<4>()?;
        (rest.len() == 8).then_some(Self {
            merkle_root: *merkle_root,
            time: u32::from_le_bytes(*time),
        })
    }
}

const APPEND: u8 = 0xf0;
const PREPEND: u8 = 0xf1;
const SHA256: u8 = 0x08;
const FORK: u8 = 0xff;

/// Writes an operation with an operand of less than 128 bytes.
fn push_operand(file: &mut Vec<u8>, operation: u8, operand: &[u8]) {
    debug_assert!(operand.len() < 128);
    file.push(operation);
    file.push(operand.len() as u8);
    file.extend_from_slice(operand);
}

fn joined_answers(
    checkpoint: &SignedCheckpoint,
    answers: &[CalendarTimestamp],
) -> Result<Vec<u8>, BuildError> {
    let digest = calendar_digest(checkpoint);
    if answers.is_empty() {
        return Err(BuildError::NoCalendar);
    }
    if answers.iter().any(|answer| answer.message != digest) {
        return Err(BuildError::OtherCheckpoint);
    }
    let branches: Vec<_> = answers
        .iter()
        .flat_map(CalendarTimestamp::branches)
        .collect();
    Ok(join(&branches, true))
}

/// Joins what follows the same message. A mark stands before each branch that another one
/// follows: before all but the last one, or, if `is_last` is false, before all but the first
/// one, which has the mark already.
fn join(branches: &[&[u8]], is_last: bool) -> Vec<u8> {
    let mut joined = Vec::new();
    for (place, branch) in branches.iter().enumerate() {
        let marked = if is_last {
            place + 1 < branches.len()
        } else {
            place > 0
        };
        if marked {
            joined.push(FORK);
        }
        joined.extend_from_slice(branch);
    }
    joined
}
