//! The bounds of a proof, checked before the library reads it.
//!
//! Invariant: the library neither panics nor allocates much on what passes here. On its own it
//! believes every stated length, shifts by more bits than a number has, and doubles messages
//! without end. The stock client is as strict as this, or stricter.

use thiserror::Error;

/// Most levels of operations and forks: the library allows 256.
const LEVELS_MAX: usize = 250;
/// Most operations and attestations.
const STEPS_MAX: usize = 4096;
/// Most bytes of a message, as in the stock client.
const MESSAGE_MAX: usize = 4096;
/// Most bytes of all messages together.
const MESSAGES_MAX: usize = 1024 * 1024;
/// Most bytes of an attestation, as in the stock client.
const PAYLOAD_MAX: usize = 8192;
/// Most bytes of a pending attestation's address, as in the stock client.
const URI_MAX: usize = 1000;
/// Most bytes of a number, of seven bits each.
const NUMBER_LEN_MAX: u32 = 8;

const ATTESTATION: u8 = 0x00;
const FORK: u8 = 0xff;
const PENDING: &[u8; 8] = b"\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e";
const BITCOIN: &[u8; 8] = b"\x05\x88\x96\x0d\x73\xd7\x19\x01";

/// Why a proof is refused.
#[derive(Clone, Copy, Debug, Error, Eq, PartialEq)]
pub enum ProofError {
    /// It is not an OpenTimestamps file of a SHA-256.
    #[error("this is not an OpenTimestamps file")]
    NotAFile,
    /// It ends early, or does not follow the format.
    #[error("the proof is malformed")]
    Malformed,
    /// Bytes follow the proof.
    #[error("bytes follow the proof")]
    TrailingBytes,
    /// It exceeds a limit: of bytes, of depth, or of the messages in it.
    #[error("the proof is too large")]
    TooLarge,
    /// It is about another message.
    #[error("the proof is of another message")]
    OtherMessage,
}

/// Checks a proof of a message of this length.
///
/// # Errors
/// [`ProofError`].
pub(super) fn check(bytes: &[u8], message_len: usize, max: usize) -> Result<(), ProofError> {
    if bytes.len() > max || message_len > MESSAGE_MAX {
        return Err(ProofError::TooLarge);
    }
    let mut walk = Walk {
        rest: bytes,
        steps_left: STEPS_MAX,
        messages_left: MESSAGES_MAX,
    };
    walk.node(message_len, LEVELS_MAX)?;
    if walk.rest.is_empty() {
        Ok(())
    } else {
        Err(ProofError::TrailingBytes)
    }
}

struct Walk<'a> {
    rest: &'a [u8],
    steps_left: usize,
    messages_left: usize,
}

impl<'a> Walk<'a> {
    /// Passes over everything that is said of one message.
    fn node(&mut self, message_len: usize, mut levels: usize) -> Result<(), ProofError> {
        let mut tag = self.byte()?;
        if tag == FORK {
            levels = below(levels)?;
        }
        while tag == FORK {
            tag = self.byte()?;
            self.branch(tag, message_len, levels)?;
            tag = self.byte()?;
        }
        self.branch(tag, message_len, levels)
    }

    fn branch(&mut self, tag: u8, message_len: usize, levels: usize) -> Result<(), ProofError> {
        let levels = below(levels)?;
        self.steps_left = below(self.steps_left)?;
        let result_len = match tag {
            ATTESTATION => return self.attestation(),
            // SHA-1, RIPEMD-160, SHA-256
            0x02 | 0x03 => 20,
            0x08 => 32,
            // Append, prepend
            0xf0 | 0xf1 => {
                let operand = self.bytes(MESSAGE_MAX)?;
                if operand.is_empty() {
                    return Err(ProofError::Malformed);
                }
                message_len + operand.len()
            }
            // Reverse, hexadecimal
            0xf2 => message_len,
            0xf3 => message_len * 2,
            _ => return Err(ProofError::Malformed),
        };
        let left = self.messages_left.checked_sub(result_len);
        self.messages_left = left.ok_or(ProofError::TooLarge)?;
        if result_len > MESSAGE_MAX {
            return Err(ProofError::TooLarge);
        }
        self.node(result_len, levels)
    }

    fn attestation(&mut self) -> Result<(), ProofError> {
        let kind = self.take(PENDING.len())?;
        let payload = self.bytes(PAYLOAD_MAX)?;
        let mut inner = Walk {
            rest: payload,
            steps_left: 0,
            messages_left: 0,
        };
        if kind == PENDING {
            inner.bytes(URI_MAX)?;
        } else if kind == BITCOIN {
            inner.number()?;
        } else {
            return Ok(());
        }
        match inner.rest.is_empty() {
            true => Ok(()),
            false => Err(ProofError::Malformed),
        }
    }

    fn byte(&mut self) -> Result<u8, ProofError> {
        let (byte, rest) = self.rest.split_first().ok_or(ProofError::Malformed)?;
        self.rest = rest;
        Ok(*byte)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], ProofError> {
        let parts = self.rest.split_at_checked(count);
        let (taken, rest) = parts.ok_or(ProofError::Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    fn bytes(&mut self, max: usize) -> Result<&'a [u8], ProofError> {
        let count = usize::try_from(self.number()?).map_err(|_| ProofError::TooLarge)?;
        if count > max {
            return Err(ProofError::TooLarge);
        }
        self.take(count)
    }

    fn number(&mut self) -> Result<u64, ProofError> {
        let mut number = 0;
        for place in 0..NUMBER_LEN_MAX {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(ProofError::TooLarge)
    }
}

fn below(left: usize) -> Result<usize, ProofError> {
    left.checked_sub(1).ok_or(ProofError::TooLarge)
}
