//! Evidence bundles, which can be verified without this server.

use std::io::{Read, Write};

use super::platform::PortError;
use crate::digest::Digest;
use crate::ids::IdeaId;

/// Parts of a signed checkpoint, for tools that verify them one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointParts {
    /// The signed text.
    pub body: String,
    /// The Ed25519 signature (64 bytes).
    pub signature: Vec<u8>,
    /// The public key as PEM (RFC 8410).
    pub key_pem: String,
}

/// The formats of evidence bundles (`docs/evidence.md`).
pub trait BundleFormats: Send + Sync {
    /// Begins a bundle.
    fn begin<'w>(&self, to: Box<dyn Write + 'w>) -> Box<dyn BundleWriter + 'w>;

    /// Returns a proof that the event at `index` is in the log (C2SP tlog-proof).
    ///
    /// # Errors
    /// When `note` is no checkpoint.
    fn proof(&self, index: u64, hashes: &[Digest], note: &str) -> Result<Vec<u8>, PortError>;

    /// Returns a consistency proof as text: base64 hashes, one a line.
    fn consistency(&self, hashes: &[Digest]) -> String;

    /// Returns the parts of a checkpoint that the key `vkey` has signed.
    ///
    /// # Errors
    /// When `note` is no checkpoint, or that key has not signed it.
    fn parts(&self, note: &str, vkey: &str) -> Result<CheckpointParts, PortError>;

    /// Returns a file that stamps the bytes of a checkpoint (OpenTimestamps). `proofs` are
    /// what calendars answered.
    ///
    /// # Errors
    /// When `note` is no checkpoint, or a proof is not one of it.
    fn checkpoint_stamp(&self, note: &str, proofs: &[Vec<u8>]) -> Result<Vec<u8>, PortError>;

    /// Returns a file that stamps the bytes of an event, by way of a checkpoint. `place` is
    /// the event's place, with the proof that it is in that checkpoint's tree.
    ///
    /// # Errors
    /// As [`BundleFormats::checkpoint_stamp`], and when the event is not at that place.
    fn event_stamp(
        &self,
        event: &Digest,
        place: (u64, &[Digest]),
        note: &str,
        proofs: &[Vec<u8>],
    ) -> Result<Vec<u8>, PortError>;
}

/// A bundle that is being written, in bounded memory.
pub trait BundleWriter {
    /// Adds a file.
    ///
    /// # Errors
    /// When the path is taken or not safe, or reading or writing fails.
    fn add(&mut self, path: &str, content: &mut dyn Read) -> Result<(), PortError>;

    /// Notes that a disclosure that an event names is left out.
    fn withhold(&mut self, path: &str);

    /// Notes that a file is left out, because the vault has lost it.
    fn note_missing(&mut self, path: &str);

    /// Notes that an event of that kind has no place yet.
    fn note_pending(&mut self, kind: &'static str);

    /// Adds the instructions for verification, which name the idea and the key of the log, and
    /// the list of files, and ends the bundle.
    ///
    /// # Errors
    /// When writing fails.
    fn finish(self: Box<Self>, idea: IdeaId, vkey: &str) -> Result<(), PortError>;
}
