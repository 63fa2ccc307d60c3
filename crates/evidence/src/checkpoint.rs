//! Signed tree heads: <https://c2sp.org/tlog-checkpoint> over <https://c2sp.org/signed-note>,
//! with Ed25519.
//!
//! Parsing is strict: a parsed checkpoint is written as the same bytes again.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use signed_note::{Note, Signature, VerifierList};
use thiserror::Error;

pub use self::keys::{LogKey, VerifierKey};
use crate::Digest;
use crate::tree::MAX_SIZE;

mod keys;

#[cfg(test)]
mod tests;

/// The longest checkpoint that is read, in bytes, with 16 signatures of post-quantum length.
const MAX_LENGTH: usize = 128 * 1024;

/// The longest origin, in bytes.
const MAX_ORIGIN: usize = 255;

/// Refused a key, an origin or a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CheckpointError {
    /// Not a name that a signed note allows: empty, too long, or with spaces, plus signs or
    /// control characters.
    #[error("the origin is not a valid name of a log")]
    Origin,
    /// Not a checkpoint in the one form that is written.
    #[error("this is not a checkpoint")]
    Malformed,
    /// Not an Ed25519 verifier key in the one form that is written.
    #[error("this is not an Ed25519 verifier key")]
    Key,
    /// The checkpoint and the key belong to different logs.
    #[error("the checkpoint is of another log than the key")]
    OtherLog,
    /// The key has not signed the checkpoint.
    #[error("the checkpoint has no signature by this key")]
    Unsigned,
    /// The signature in the key's name is not by the key.
    #[error("the signature is not by this key")]
    Signature,
}

/// A tree head: the log, the number of its events, and the root over them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    origin: String,
    size: u64,
    root: Digest,
}

impl Checkpoint {
    /// Describes the head of a log's tree.
    ///
    /// # Errors
    ///
    /// Fails if the origin is no valid name, or `size` is above
    /// [`MAX_SIZE`].
    pub fn new(origin: &str, size: u64, root: Digest) -> Result<Self, CheckpointError> {
        if !is_origin(origin) {
            return Err(CheckpointError::Origin);
        }
        if size > MAX_SIZE {
            return Err(CheckpointError::Malformed);
        }
        Ok(Self {
            origin: origin.to_owned(),
            size,
            root,
        })
    }

    /// The log's name.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Number of events.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Root of the tree.
    pub fn root(&self) -> &Digest {
        &self.root
    }

    /// Returns the text that is signed. It has no extension lines.
    pub fn body(&self) -> String {
        let root = BASE64_STANDARD.encode(self.root);
        format!("{}\n{}\n{root}\n", self.origin, self.size)
    }

    /// Parses the text that is signed. Extension lines are refused: no log of ours has any.
    fn parse_body(body: &[u8]) -> Result<Self, CheckpointError> {
        let text = str::from_utf8(body).map_err(|_| CheckpointError::Malformed)?;
        let mut lines = text.split('\n');
        let (Some(origin), Some(size), Some(root), Some(""), None) = (
            lines.next(),
            lines.next(),
            lines.next(),
            lines.next(),
            lines.next(),
        ) else {
            return Err(CheckpointError::Malformed);
        };
        let size = size.parse().map_err(|_| CheckpointError::Malformed)?;
        let root = BASE64_STANDARD
            .decode(root)
            .ok()
            .and_then(|root| root.try_into().ok())
            .ok_or(CheckpointError::Malformed)?;
        let checkpoint = Self::new(origin, size, root)?;
        if checkpoint.body() == text {
            Ok(checkpoint)
        } else {
            Err(CheckpointError::Malformed)
        }
    }
}

/// A checkpoint with signatures, which are not verified by parsing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCheckpoint {
    checkpoint: Checkpoint,
    bytes: Vec<u8>,
}

impl SignedCheckpoint {
    /// Parses a signed note whose text is a checkpoint.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are anything else or spelled otherwise than they are written.
    pub fn parse(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let note = read_note(bytes)?;
        Ok(Self {
            checkpoint: Checkpoint::parse_body(note.text())?,
            bytes: bytes.to_vec(),
        })
    }

    /// The tree head.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The checkpoint with all its signatures, as it is published and stored.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Checks the signature by `key`, and ignores those of unknown keys.
    ///
    /// # Errors
    ///
    /// Fails if the key belongs to another log, has not signed, or its signature is wrong.
    pub fn verify(&self, key: &VerifierKey) -> Result<(), CheckpointError> {
        self.verified(key).map(|_| ())
    }

    /// Returns the 64 bytes of the verified signature by `key` over [`Checkpoint::body`].
    ///
    /// # Errors
    ///
    /// Fails if the key belongs to another log, has not signed, or its signature is wrong.
    pub fn signature(&self, key: &VerifierKey) -> Result<[u8; 64], CheckpointError> {
        let signature = self.verified(key)?;
        signature
            .signature()
            .try_into()
            .map_err(|_| CheckpointError::Signature)
    }

    /// Returns the checkpoint with the signature by `key` alone, which is what anchors stamp.
    ///
    /// # Errors
    ///
    /// Fails if the key belongs to another log, has not signed, or its signature is wrong.
    pub fn signed_only_by(&self, key: &VerifierKey) -> Result<Self, CheckpointError> {
        let signature = self.verified(key)?;
        let note = Note::new(self.checkpoint.body().as_bytes(), &[signature])
            .map_err(|_| CheckpointError::Malformed)?;
        Ok(Self {
            checkpoint: self.checkpoint.clone(),
            bytes: note.to_bytes(),
        })
    }

    fn verified(&self, key: &VerifierKey) -> Result<Signature, CheckpointError> {
        if self.checkpoint.origin != key.origin() {
            return Err(CheckpointError::OtherLog);
        }
        let note = read_note(&self.bytes)?;
        let known = VerifierList::new(vec![Box::new(key.clone())]);
        let (verified, _) = note.verify(&known).map_err(|error| match error {
            signed_note::NoteError::UnverifiedNote => CheckpointError::Unsigned,
            _ => CheckpointError::Signature,
        })?;
        verified.into_iter().next().ok_or(CheckpointError::Unsigned)
    }
}

/// Returns whether a signed note allows this as the name of a key.
pub(crate) fn is_origin(text: &str) -> bool {
    signed_note::is_key_name_valid(text)
        && text.len() <= MAX_ORIGIN
        && !text.chars().any(char::is_control)
}

fn read_note(bytes: &[u8]) -> Result<Note, CheckpointError> {
    if bytes.len() > MAX_LENGTH {
        return Err(CheckpointError::Malformed);
    }
    let note = Note::from_bytes(bytes).map_err(|_| CheckpointError::Malformed)?;
    if note.to_bytes() == bytes {
        Ok(note)
    } else {
        Err(CheckpointError::Malformed)
    }
}
