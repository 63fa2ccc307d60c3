//! The keys of a log.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{SignatureError, SigningKey, VerifyingKey};
use signed_note::{Note, StandardVerifier, Verifier};

use super::{Checkpoint, CheckpointError, SignedCheckpoint, is_origin, read_note};

/// The DER of an Ed25519 public key up to the key itself (RFC 8410 section 4).
const SPKI_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

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
    pub fn from_seed(origin: &str, seed: &[u8; 32]) -> Result<Self, CheckpointError> {
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
