//! Cosignatures of witnesses: <https://c2sp.org/tlog-cosignature>, version 1, with Ed25519.
//!
//! A witness signs that a checkpoint extends all earlier ones of the same log that it has seen,
//! and when it saw it.

use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use ed25519_dalek::{Signature, VerifyingKey};
use ideavault_domain::hex;
use thiserror::Error;

use crate::checkpoint::is_origin;
use crate::sha256;

#[cfg(test)]
mod tests;

/// The type of signature in a key and in its id.
const ALGORITHM: u8 = 0x04;
/// The prefix of a signature line.
const MARK: &str = "\u{2014} ";

/// Refused a key or a cosignature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CosignatureError {
    /// Not a verifier key of a witness in the one form that is written.
    #[error("this is not the verifier key of a witness")]
    Key,
    /// Not a line with a signature.
    #[error("this is not a line with a signature")]
    Malformed,
    /// The line is by another key.
    #[error("it is by another key")]
    OtherKey,
    /// The signature is not by the key, or over something else.
    #[error("the signature of the witness is wrong")]
    Signature,
}

/// A signature line of a note, not verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureLine {
    name: String,
    key_id: [u8; 4],
    signature: Vec<u8>,
}

impl SignatureLine {
    /// The name of the key.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Parses a line of <https://c2sp.org/signed-note> without its end.
impl FromStr for SignatureLine {
    type Err = CosignatureError;

    fn from_str(line: &str) -> Result<Self, CosignatureError> {
        let (name, encoded) = line
            .strip_prefix(MARK)
            .and_then(|line| line.split_once(' '))
            .filter(|(name, _)| is_origin(name))
            .ok_or(CosignatureError::Malformed)?;
        let bytes = BASE64_STANDARD.decode(encoded);
        let bytes = bytes.map_err(|_| CosignatureError::Malformed)?;
        let (key_id, signature) = bytes
            .split_first_chunk::<4>()
            .ok_or(CosignatureError::Malformed)?;
        Ok(Self {
            name: name.to_owned(),
            key_id: *key_id,
            signature: signature.to_vec(),
        })
    }
}

/// The public key of a witness with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessKey {
    name: String,
    id: [u8; 4],
    key: VerifyingKey,
}

impl WitnessKey {
    /// Parses a key in the form `NAME+ID+KEY`. White space around it is ignored.
    ///
    /// # Errors
    ///
    /// Fails if it is not an Ed25519 key for cosignatures in the one form that is written.
    pub fn parse(text: &str) -> Result<Self, CosignatureError> {
        let mut parts = text.trim().splitn(3, '+');
        let (Some(name), Some(id), Some(encoded)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(CosignatureError::Key);
        };
        let typed = BASE64_STANDARD.decode(encoded);
        let typed = typed.map_err(|_| CosignatureError::Key)?;
        let key = match typed.split_first() {
            Some((&ALGORITHM, key)) => <[u8; 32]>::try_from(key),
            _ => return Err(CosignatureError::Key),
        };
        let key = key.map_err(|_| CosignatureError::Key)?;
        let key = VerifyingKey::from_bytes(&key).map_err(|_| CosignatureError::Key)?;
        let parsed = Self::new(name, key)?;
        if hex::encode(&parsed.id) == id && !parsed.key.is_weak() {
            Ok(parsed)
        } else {
            Err(CosignatureError::Key)
        }
    }

    fn new(name: &str, key: VerifyingKey) -> Result<Self, CosignatureError> {
        if !is_origin(name) {
            return Err(CosignatureError::Key);
        }
        let named = [name.as_bytes(), b"\n", &[ALGORITHM], key.as_bytes()].concat();
        let [a, b, c, d, ..] = sha256(&named);
        Ok(Self {
            name: name.to_owned(),
            id: [a, b, c, d],
            key,
        })
    }

    /// The witness's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Verifies that the witness cosigned the checkpoint with that text, and returns when.
    ///
    /// # Errors
    ///
    /// Fails with [`CosignatureError::OtherKey`] if the line is by another key.
    pub fn verify(
        &self,
        body: &str,
        line: &SignatureLine,
    ) -> Result<DateTime<Utc>, CosignatureError> {
        if (line.name.as_str(), line.key_id) != (self.name.as_str(), self.id) {
            return Err(CosignatureError::OtherKey);
        }
        let (time, signature) = line
            .signature
            .split_first_chunk::<8>()
            .ok_or(CosignatureError::Signature)?;
        let time = u64::from_be_bytes(*time);
        let signature =
            Signature::from_slice(signature).map_err(|_| CosignatureError::Signature)?;
        let message = format!("cosignature/v1\ntime {time}\n{body}");
        self.key
            .verify_strict(message.as_bytes(), &signature)
            .map_err(|_| CosignatureError::Signature)?;
        i64::try_from(time)
            .ok()
            .and_then(|time| DateTime::from_timestamp(time, 0))
            .ok_or(CosignatureError::Signature)
    }
}
