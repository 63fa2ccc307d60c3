//! The parser of timestamps: a tree of operations, written depth first, with attestations at
//! its leaves. It recurses as deep as its limit allows.

use std::ops::Range;

use sha2::Digest as _;
use thiserror::Error;

use super::{APPEND, FORK, PREPEND, SHA256};
use crate::Digest;

/// The longest message or operand, in bytes, as in the stock client.
const MAX_MESSAGE: usize = 4096;

/// The longest payload of an attestation, in bytes, as in the stock client.
const MAX_PAYLOAD: usize = 8192;

/// The longest address of a calendar, in bytes, as in the stock client.
const MAX_URI: usize = 1000;

/// The most operations of a file.
const MAX_STEPS: usize = 4096;

/// The most attestations of a file.
const MAX_ATTESTATIONS: usize = 64;

const ATTESTATION: u8 = 0x00;
const BITCOIN: [u8; 8] = [0x05, 0x88, 0x96, 0x0d, 0x73, 0xd7, 0x19, 0x01];
const PENDING: [u8; 8] = [0x83, 0xdf, 0xe3, 0x0d, 0x2e, 0xf9, 0x0c, 0x8e];

/// Refused a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum OtsError {
    /// Not a timestamp in the one form that the stock client writes.
    #[error("this is not an OpenTimestamps proof")]
    Malformed,
    /// More bytes, operations or attestations, or deeper than is accepted.
    #[error("the OpenTimestamps proof is too large")]
    TooLarge,
    /// An operation that no calendar needs.
    #[error("the OpenTimestamps proof has an operation that is not accepted")]
    Operation,
    /// An address with characters that the standard does not allow.
    #[error("the OpenTimestamps proof names an address that is not allowed")]
    Address,
    /// There is no pending attestation to replace, or the answer is pending as well.
    #[error("this answer completes nothing that is pending")]
    NotPending,
}

/// A claim that the message at the end of the operations existed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attestation {
    /// A calendar has promised to include the message in Bitcoin.
    Pending {
        /// Address of the calendar. Nobody contacts it because a file says so.
        uri: String,
        /// The commitment to request from the calendar.
        message: Vec<u8>,
    },
    /// The message is the Merkle root of a block.
    Bitcoin {
        /// Height of the block.
        height: u64,
        /// Merkle root to compare with the header of that block, in its byte order.
        merkle_root: Digest,
    },
    /// An attestation of a kind unknown here.
    Unknown {
        /// Tag of the kind.
        tag: [u8; 8],
    },
}

/// An attestation and its place in the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) attestation: Attestation,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether no other branch for the same message follows.
    pub(super) is_last: bool,
}

/// The parsed parts of a timestamp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) attestations: Vec<Found>,
    /// The branches that begin at the first message.
    pub(super) branches: Vec<Range<usize>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) depth: usize,
}

pub(super) struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    steps: usize,
    attestations: Vec<Found>,
}

impl<'a> Parser<'a> {
    /// Parses all bytes as a timestamp of a message.
    pub(super) fn run(bytes: &'a [u8], message: &[u8], limits: Limits) -> Result<Parsed, OtsError> {
        if message.is_empty() || message.len() > MAX_MESSAGE {
            return Err(OtsError::Malformed);
        }
        let mut parser = Self {
            bytes,
            at: 0,
            steps: 0,
            attestations: Vec::new(),
        };
        let branches = parser.branches(message, limits.depth)?;
        if parser.at != bytes.len() {
            return Err(OtsError::Malformed);
        }
        Ok(Parsed {
            attestations: parser.attestations,
            branches,
        })
    }

    /// Parses everything that follows a message: branches, all but the last one marked.
    fn branches(&mut self, message: &[u8], depth: usize) -> Result<Vec<Range<usize>>, OtsError> {
        let mut branches = Vec::new();
        loop {
            let mut tag = self.byte()?;
            let is_last = tag != FORK;
            if !is_last {
                tag = self.byte()?;
            }
            let start = self.at - 1;
            self.branch(tag, message, depth, is_last)?;
            branches.push(start..self.at);
            if is_last {
                return Ok(branches);
            }
        }
    }

    fn branch(
        &mut self,
        tag: u8,
        message: &[u8],
        depth: usize,
        is_last: bool,
    ) -> Result<(), OtsError> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(OtsError::TooLarge);
        }
        if tag == ATTESTATION {
            return self.attestation(message, is_last);
        }
        let depth = depth.checked_sub(1).ok_or(OtsError::TooLarge)?;
        let next = match tag {
            SHA256 => sha2::Sha256::digest(message).to_vec(),
            APPEND => [message, self.operand()?].concat(),
            PREPEND => [self.operand()?, message].concat(),
            _ => return Err(OtsError::Operation),
        };
        if next.len() > MAX_MESSAGE {
            return Err(OtsError::TooLarge);
        }
        self.branches(&next, depth).map(|_| ())
    }

    fn attestation(&mut self, message: &[u8], is_last: bool) -> Result<(), OtsError> {
        let start = self.at - 1;
        if self.attestations.len() >= MAX_ATTESTATIONS {
            return Err(OtsError::TooLarge);
        }
        let tag = self.take(8)?;
        let tag: [u8; 8] = tag.try_into().map_err(|_| OtsError::Malformed)?;
        let payload = self.variable(MAX_PAYLOAD)?;
        let mut inner = Parser {
            bytes: payload,
            at: 0,
            steps: 0,
            attestations: Vec::new(),
        };
        let attestation = match tag {
            BITCOIN => Attestation::Bitcoin {
                height: inner.number()?,
                merkle_root: message.try_into().map_err(|_| OtsError::Malformed)?,
            },
            PENDING => Attestation::Pending {
                uri: parse_uri(inner.variable(MAX_URI)?)?,
                message: message.to_vec(),
            },
            _ => {
                inner.at = payload.len();
                Attestation::Unknown { tag }
            }
        };
        if inner.at != payload.len() {
            return Err(OtsError::Malformed);
        }
        self.attestations.push(Found {
            attestation,
            start,
            end: self.at,
            is_last,
        });
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, OtsError> {
        let byte = self.bytes.get(self.at).ok_or(OtsError::Malformed)?;
        self.at += 1;
        Ok(*byte)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], OtsError> {
        let end = self.at.checked_add(length).ok_or(OtsError::Malformed)?;
        let taken = self.bytes.get(self.at..end).ok_or(OtsError::Malformed)?;
        self.at = end;
        Ok(taken)
    }

    fn operand(&mut self) -> Result<&'a [u8], OtsError> {
        let operand = self.variable(MAX_MESSAGE)?;
        if operand.is_empty() {
            return Err(OtsError::Malformed);
        }
        Ok(operand)
    }

    /// Reads bytes behind their length.
    fn variable(&mut self, max: usize) -> Result<&'a [u8], OtsError> {
        let length = usize::try_from(self.number()?).map_err(|_| OtsError::TooLarge)?;
        if length > max {
            return Err(OtsError::TooLarge);
        }
        self.take(length)
    }

    /// Reads a number of seven bits a byte, the lowest first, below 2^35.
    fn number(&mut self) -> Result<u64, OtsError> {
        let mut number = 0;
        for place in 0..5 {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                let minimal = place == 0 || byte != 0;
                return if minimal {
                    Ok(number)
                } else {
                    Err(OtsError::Malformed)
                };
            }
        }
        Err(OtsError::TooLarge)
    }
}

/// Accepts the characters that the stock client accepts, which rule out queries and
/// credentials.
fn parse_uri(bytes: &[u8]) -> Result<String, OtsError> {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b".-_/:".contains(byte);
    if !bytes.iter().all(allowed) {
        return Err(OtsError::Address);
    }
    String::from_utf8(bytes.to_vec()).map_err(|_| OtsError::Address)
}
