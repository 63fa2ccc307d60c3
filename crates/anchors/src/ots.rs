//! Proofs of OpenTimestamps: a tree of operations that leads from a message to the attestations
//! of calendars and of Bitcoin.
//!
//! Invariant: every proof here, also after a merge, is within the bounds that the stock client
//! and the library hold.

mod bounds;
mod tree;

pub use self::bounds::ProofError;

use std::io::Cursor;

use opentimestamps::attestation::Attestation as Parsed;
use opentimestamps::ser::Deserializer;
use opentimestamps::timestamp::Timestamp;

use self::tree::Node;

/// Most bytes of a calendar's response.
pub const RESPONSE_MAX: usize = 16 * 1024;
/// Most bytes of a file.
pub const FILE_MAX: usize = 64 * 1024;

/// The beginning of a file whose message is a SHA-256: name of the format, version, hash function.
const FILE_HEAD: &[u8; 33] =
    b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94\x01\x08";
const DIGEST_LEN: usize = 32;

/// What is said of a message by the end of a branch.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Attestation {
    /// A calendar promises an attestation of Bitcoin. The address is the calendar's own claim:
    /// it is never contacted.
    Pending {
        /// Where the calendar says that it can be found.
        uri: String,
    },
    /// The message is the root of the transactions of a block.
    Bitcoin {
        /// Number of the block.
        height: u64,
    },
    /// An attestation of another kind.
    Unknown,
}

/// An attestation with the message that it is about.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Attested {
    /// Calendars call the message of a pending attestation the commitment.
    pub message: Vec<u8>,
    /// What is said of the message.
    pub attestation: Attestation,
}

/// A proof that a message existed before its attestations.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Proof {
    root: Node,
}

impl Proof {
    /// Parses the response of a calendar, which proves something of `message`.
    ///
    /// # Errors
    /// [`ProofError`].
    pub fn parse(bytes: &[u8], message: &[u8]) -> Result<Self, ProofError> {
        Self::parse_within(bytes, message, RESPONSE_MAX)
    }

    /// Parses a file with a proof of a SHA-256.
    ///
    /// # Errors
    /// [`ProofError`].
    pub fn from_file(bytes: &[u8]) -> Result<Self, ProofError> {
        let body = bytes.strip_prefix(FILE_HEAD).ok_or(ProofError::NotAFile)?;
        let (message, body) = body
            .split_at_checked(DIGEST_LEN)
            .ok_or(ProofError::NotAFile)?;
        Self::parse_within(body, message, FILE_MAX)
    }

    fn parse_within(bytes: &[u8], message: &[u8], max: usize) -> Result<Self, ProofError> {
        bounds::check(bytes, message.len(), max)?;
        let mut reader = Deserializer::new(Cursor::new(bytes));
        let timestamp = Timestamp::deserialize(&mut reader, message.to_vec())
            .map_err(|_| ProofError::Malformed)?;
        Ok(Self {
            root: Node::new(message.to_vec(), timestamp.first_step),
        })
    }

    /// Returns the message of which something is proven.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.root.message
    }

    /// Joins two proofs of the same message, such as those of two calendars.
    ///
    /// # Errors
    /// [`ProofError::OtherMessage`], or that the result is too large.
    pub fn merge(mut self, other: Self) -> Result<Self, ProofError> {
        if self.root.message != other.root.message {
            return Err(ProofError::OtherMessage);
        }
        self.root.absorb(other.root);
        self.checked()
    }

    /// Puts what a calendar sent for a commitment in place of the pending attestations of that
    /// commitment. Those of other calendars stay.
    ///
    /// # Errors
    /// [`ProofError::OtherMessage`] if nothing is pending for the message of `upgraded`, or that
    /// the result is too large.
    pub fn upgrade(mut self, upgraded: &Self) -> Result<Self, ProofError> {
        if self.root.replace_pending(&upgraded.root) == 0 {
            return Err(ProofError::OtherMessage);
        }
        self.checked()
    }

    /// Returns all attestations, in the order of the encoding.
    #[must_use]
    pub fn attestations(&self) -> Vec<Attested> {
        let mut found = Vec::new();
        self.root.visit(&mut |message, attestation| {
            found.push(Attested {
                message: message.to_vec(),
                attestation: match attestation {
                    Parsed::Pending { uri } => Attestation::Pending { uri: uri.clone() },
                    Parsed::Bitcoin { height } => Attestation::Bitcoin {
                        height: u64::try_from(*height).unwrap_or(u64::MAX),
                    },
                    Parsed::Unknown { .. } => Attestation::Unknown,
                },
            });
        });
        found
    }

    /// Encodes the proof as calendars do: without its message.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.root.encode(&mut bytes);
        bytes
    }

    /// Encodes the proof as a file for the stock client, which reads the message as the SHA-256
    /// of the file beside it.
    ///
    /// # Errors
    /// [`ProofError::NotAFile`] if the message is not as long as a SHA-256.
    pub fn to_file(&self) -> Result<Vec<u8>, ProofError> {
        if self.root.message.len() != DIGEST_LEN {
            return Err(ProofError::NotAFile);
        }
        Ok([&FILE_HEAD[..], &self.root.message, &self.to_bytes()].concat())
    }

    /// Reads back what was put together.
    fn checked(self) -> Result<Self, ProofError> {
        bounds::check(&self.to_bytes(), self.root.message.len(), FILE_MAX)?;
        Ok(self)
    }
}

#[cfg(test)]
pub(crate) mod build;

#[cfg(test)]
mod tests;
