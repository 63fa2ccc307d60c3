//! Signed tree heads: <https://c2sp.org/tlog-checkpoint> over <https://c2sp.org/signed-note>,
//! with Ed25519.
//!
//! What is read is read strictly: bytes that parse are the bytes that would be written.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{SignatureError, SigningKey, VerifyingKey};
use signed_note::{Note, Signature, StandardVerifier, Verifier, VerifierList};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::Digest;
use crate::tree::MAX_SIZE;

#[cfg(test)]
mod tests;

/// The longest checkpoint that is read, in bytes, with 16 signatures of post-quantum length.
const MAX_LENGTH: usize = 128 * 1024;

/// The longest origin, in bytes.
const MAX_ORIGIN: usize = 255;

/// The DER of an Ed25519 public key up to the key itself (RFC 8410 section 4).
const SPKI_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

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
        if self.checkpoint.origin != key.origin {
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

/// The public key of a log with the log's name, which others pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    origin: String,
    id: u32,
    key: VerifyingKey,
}

impl VerifierKey {
    /// Parses a key in the form `ORIGIN+ID+KEY` of <https://c2sp.org/signed-note>. White space
    /// around it is ignored.
    ///
    /// # Errors
    ///
    /// Fails if it is not an Ed25519 key in the one form that is written.
    pub fn parse(text: &str) -> Result<Self, CheckpointError> {
        let text = text.trim();
        let standard = StandardVerifier::new(text).map_err(|_| CheckpointError::Key)?;
        let key = text
            .rsplit_once(&format!("+{:08x}+", standard.key_id()))
            .and_then(|(_, key)| BASE64_STANDARD.decode(key).ok())
            .and_then(|key| <[u8; 33]>::try_from(key).ok())
            .ok_or(CheckpointError::Key)?;
        let [_algorithm, key @ ..] = key;
        let parsed = Self::from_public_key(standard.name(), &key)?;
        if parsed.to_string() == text {
            Ok(parsed)
        } else {
            Err(CheckpointError::Key)
        }
    }

    /// Names a public key.
    ///
    /// # Errors
    ///
    /// Fails if the origin is no valid name or the key is not a point of the curve.
    pub fn from_public_key(origin: &str, key: &[u8; 32]) -> Result<Self, CheckpointError> {
        let key = VerifyingKey::from_bytes(key).map_err(|_| CheckpointError::Key)?;
        if key.is_weak() {
            return Err(CheckpointError::Key);
        }
        Self::new(origin, key)
    }

    fn new(origin: &str, key: VerifyingKey) -> Result<Self, CheckpointError> {
        if !is_origin(origin) {
            return Err(CheckpointError::Origin);
        }
        let text = signed_note::new_ed25519_verifier_key(origin, &key);
        let standard = StandardVerifier::new(&text).map_err(|_| CheckpointError::Key)?;
        Ok(Self {
            origin: origin.to_owned(),
            id: standard.key_id(),
            key,
        })
    }

    /// The log's name.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The public key.
    pub fn public_key(&self) -> [u8; 32] {
        self.key.to_bytes()
    }

    /// Returns the public key as PEM, which OpenSSL reads.
    pub fn pem(&self) -> String {
        let der = [SPKI_PREFIX.as_slice(), self.key.as_bytes()].concat();
        let base64 = BASE64_STANDARD.encode(der);
        format!("-----BEGIN PUBLIC KEY-----\n{base64}\n-----END PUBLIC KEY-----\n")
    }
}

/// Writes the key in the form `ORIGIN+ID+KEY` of <https://c2sp.org/signed-note>.
impl fmt::Display for VerifierKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = signed_note::new_ed25519_verifier_key(&self.origin, &self.key);
        formatter.write_str(&text)
    }
}

impl Verifier for VerifierKey {
    fn name(&self) -> &str {
        &self.origin
    }

    fn key_id(&self) -> u32 {
        self.id
    }

    fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        ed25519_dalek::Signature::from_slice(signature)
            .is_ok_and(|signature| self.key.verify_strict(message, &signature).is_ok())
    }
}

/// The key that signs a log. It is overwritten when dropped, and `Debug` does not show it.
pub struct LogKey {
    verifier: VerifierKey,
    secret: SigningKey,
}

impl LogKey {
    /// Derives the key of a log from 32 secret random bytes (RFC 8032).
    ///
    /// # Errors
    ///
    /// Fails if the origin is no valid name.
    pub fn from_seed(origin: &str, seed: &Zeroizing<[u8; 32]>) -> Result<Self, CheckpointError> {
        let secret = SigningKey::from_bytes(seed);
        let verifier = VerifierKey::new(origin, secret.verifying_key())?;
        Ok(Self { verifier, secret })
    }

    /// The public half.
    pub fn verifier(&self) -> &VerifierKey {
        &self.verifier
    }

    /// Signs a checkpoint. The caller has made sure that it extends every earlier one.
    ///
    /// # Errors
    ///
    /// Fails if the checkpoint is of another log.
    pub fn sign(&self, checkpoint: Checkpoint) -> Result<SignedCheckpoint, CheckpointError> {
        if checkpoint.origin != self.verifier.origin {
            return Err(CheckpointError::OtherLog);
        }
        let note =
            Note::new(checkpoint.body().as_bytes(), &[]).map_err(|_| CheckpointError::Malformed)?;
        self.add_to(note, checkpoint)
    }

    /// Adds a signature to a checkpoint that another key has signed. A key that is replaced
    /// signs the first checkpoint that covers its `key.rotated` as well, so that whoever
    /// trusts it can trust its successor.
    ///
    /// # Errors
    ///
    /// Fails if the checkpoint is of another log.
    pub fn cosign(&self, signed: &SignedCheckpoint) -> Result<SignedCheckpoint, CheckpointError> {
        if signed.checkpoint.origin != self.verifier.origin {
            return Err(CheckpointError::OtherLog);
        }
        self.add_to(read_note(&signed.bytes)?, signed.checkpoint.clone())
    }

    fn add_to(
        &self,
        mut note: Note,
        checkpoint: Checkpoint,
    ) -> Result<SignedCheckpoint, CheckpointError> {
        note.add_sigs(&[self])
            .map_err(|_| CheckpointError::Signature)?;
        Ok(SignedCheckpoint {
            checkpoint,
            bytes: note.to_bytes(),
        })
    }
}

impl fmt::Debug for LogKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LogKey")
            .field("verifier", &self.verifier)
            .finish_non_exhaustive()
    }
}

impl signed_note::Signer for LogKey {
    fn name(&self) -> &str {
        &self.verifier.origin
    }

    fn key_id(&self) -> u32 {
        self.verifier.id
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SignatureError> {
        use ed25519_dalek::Signer as _;

        Ok(self.secret.try_sign(message)?.to_vec())
    }
}

/// Whether a signed note allows this as the name of a key.
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
