//! Proofs that a log holds an event, in the text form of <https://c2sp.org/tlog-proof>. A
//! proof carries its checkpoint, so that it can be verified with the log's key alone.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use thiserror::Error;

use crate::Digest;
use crate::checkpoint::{CheckpointError, SignedCheckpoint, VerifierKey};
use crate::tree::{self, InvalidProof, MAX_PROOF_HASHES};

#[cfg(test)]
mod tests;

/// The first line, which names format and version.
const HEADER: &str = "c2sp.org/tlog-proof@v1";

/// The longest proof that is read, in bytes.
const MAX_LENGTH: usize = 256 * 1024;

/// Refused a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ProofError {
    /// Not a proof in the one form that is written.
    #[error("this is not a proof of a transparency log")]
    Malformed,
    /// The checkpoint inside is malformed, or not signed by the key.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The hashes do not lead from the event to the checkpoint's root.
    #[error(transparent)]
    Path(#[from] InvalidProof),
}

/// A proof that the log holds an event at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlogProof {
    /// Place of the event in the log, from 0.
    pub index: u64,
    /// Hashes from the leaf's sibling up to a child of the root.
    pub hashes: Vec<Digest>,
    /// The checkpoint whose root the hashes lead to.
    pub checkpoint: SignedCheckpoint,
}

impl TlogProof {
    /// Returns the proof as text. Extra data is never written: it would not be authenticated.
    pub fn to_text(&self) -> Vec<u8> {
        let mut text = format!("{HEADER}\nindex {}\n", self.index);
        for hash in &self.hashes {
            text.push_str(&BASE64_STANDARD.encode(hash));
            text.push('\n');
        }
        text.push('\n');
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(self.checkpoint.bytes());
        bytes
    }

    /// Parses a proof. A line `extra` is refused: no proof of ours has one.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are anything else or spelled otherwise than they are written.
    pub fn parse(bytes: &[u8]) -> Result<Self, ProofError> {
        if bytes.len() > MAX_LENGTH {
            return Err(ProofError::Malformed);
        }
        let text = str::from_utf8(bytes).map_err(|_| ProofError::Malformed)?;
        let (head, checkpoint) = text.split_once("\n\n").ok_or(ProofError::Malformed)?;
        let mut lines = head.split('\n');
        if lines.next() != Some(HEADER) {
            return Err(ProofError::Malformed);
        }
        let index = lines
            .next()
            .and_then(|line| line.strip_prefix("index "))
            .and_then(|index| index.parse().ok())
            .ok_or(ProofError::Malformed)?;
        let hashes = lines
            .take(MAX_PROOF_HASHES)
            .map(parse_hash)
            .collect::<Option<_>>()
            .ok_or(ProofError::Malformed)?;
        let proof = Self {
            index,
            hashes,
            checkpoint: SignedCheckpoint::parse(checkpoint.as_bytes())?,
        };
        if proof.to_text() == bytes {
            Ok(proof)
        } else {
            Err(ProofError::Malformed)
        }
    }

    /// Checks that the log of `key` holds the event with this SHA-256 at [`Self::index`].
    ///
    /// # Errors
    ///
    /// Fails if the key has not signed the checkpoint, or the hashes do not lead to its root.
    pub fn verify(&self, event: &Digest, key: &VerifierKey) -> Result<(), ProofError> {
        self.checkpoint.verify(key)?;
        self.verify_path(event)?;
        Ok(())
    }

    /// Checks the hashes alone, for a checkpoint that is verified already.
    ///
    /// # Errors
    ///
    /// Fails if the hashes do not lead to the checkpoint's root.
    pub fn verify_path(&self, event: &Digest) -> Result<(), InvalidProof> {
        let head = self.checkpoint.checkpoint();
        tree::verify_inclusion(event, self.index, head.size(), head.root(), &self.hashes)
    }
}

/// Returns the hashes of a proof as text, one a line in base64.
pub fn hashes_to_text(hashes: &[Digest]) -> String {
    hashes
        .iter()
        .map(|hash| BASE64_STANDARD.encode(hash) + "\n")
        .collect()
}

/// Parses hashes as [`hashes_to_text`] writes them, at most [`MAX_PROOF_HASHES`].
pub fn parse_hashes(text: &[u8]) -> Option<Vec<Digest>> {
    let text = str::from_utf8(text).ok()?;
    if text.is_empty() {
        return Some(Vec::new());
    }
    let lines = text.strip_suffix('\n')?.split('\n');
    let hashes: Vec<_> = lines
        .take(MAX_PROOF_HASHES + 1)
        .map(parse_hash)
        .collect::<Option<_>>()?;
    (hashes.len() <= MAX_PROOF_HASHES && hashes_to_text(&hashes) == text).then_some(hashes)
}

fn parse_hash(line: &str) -> Option<Digest> {
    BASE64_STANDARD.decode(line).ok()?.try_into().ok()
}
