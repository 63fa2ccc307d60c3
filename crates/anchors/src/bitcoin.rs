//! The header of a Bitcoin block, as far as a timestamp needs it.
//!
//! Invariant: a header proves its own work and nothing else. That it is part of the chain that
//! everybody follows is known only to who got it from a node of their own, or compares its hash.

use chrono::{DateTime, Utc};
use ideavault_domain::hex;
use sha2::{Digest, Sha256};
use thiserror::Error;

const HEADER_LEN: usize = 80;

/// Why a header confirms nothing.
#[derive(Clone, Copy, Debug, Error, Eq, PartialEq)]
pub enum HeaderError {
    /// It is not 160 hexadecimal digits.
    #[error("a block header has 160 hexadecimal digits")]
    NotAHeader,
    /// The difficulty is not a number that Bitcoin allows, or less than the network's least.
    #[error("the block header states a difficulty that does not exist")]
    Difficulty,
    /// The hash is larger than the stated difficulty allows.
    #[error("the block header lacks the work that it states")]
    Work,
    /// The attested message is not the root of the block's transactions.
    #[error("the block header belongs to another block")]
    OtherBlock,
}

/// A network, by the least difficulty of its blocks.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Network {
    /// The network that everybody means.
    #[default]
    Main,
    /// Networks of one's own for tests, with next to no difficulty.
    Regtest,
}

impl Network {
    /// The target of the least difficulty, in the form that headers use.
    const fn easiest_bits(self) -> u32 {
        match self {
            Self::Main => 0x1d00_ffff,
            Self::Regtest => 0x207f_ffff,
        }
    }

    /// Returns the hash of the network's first block, as nodes print it.
    pub(crate) const fn genesis(self) -> &'static str {
        match self {
            Self::Main => "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
            Self::Regtest => "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
        }
    }
}

/// The header of a block, with its work checked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Header {
    /// In the order of the header's bytes; explorers show it reversed.
    merkle_root: [u8; 32],
    time: DateTime<Utc>,
    hash: [u8; 32],
}

impl Header {
    /// Reads a header as `bitcoin-cli getblockheader HASH false` prints it, and checks that its
    /// hash has the work that it states.
    ///
    /// # Errors
    /// [`HeaderError`], except [`HeaderError::OtherBlock`].
    pub fn from_hex(hex: &str, network: Network) -> Result<Self, HeaderError> {
        let bytes = bytes_of(hex.trim()).ok_or(HeaderError::NotAHeader)?;
        let merkle_root = part(&bytes, 36).ok_or(HeaderError::NotAHeader)?;
        let seconds = part(&bytes, 68).ok_or(HeaderError::NotAHeader)?;
        let bits = part(&bytes, 72).ok_or(HeaderError::NotAHeader)?;
        let seconds = i64::from(u32::from_le_bytes(seconds));
        let target = target(u32::from_le_bytes(bits)).ok_or(HeaderError::Difficulty)?;
        if target == [0; 32] || Some(target) > self::target(network.easiest_bits()) {
            return Err(HeaderError::Difficulty);
        }
        // The hash counts as a number whose least byte comes first.
        let mut hash: [u8; 32] = Sha256::digest(Sha256::digest(bytes)).into();
        hash.reverse();
        if hash > target {
            return Err(HeaderError::Work);
        }
        Ok(Self {
            merkle_root,
            time: DateTime::from_timestamp(seconds, 0).ok_or(HeaderError::NotAHeader)?,
            hash,
        })
    }

    /// Returns the root of the block's transactions, in the order of the header's bytes.
    #[must_use]
    pub fn merkle_root(&self) -> [u8; 32] {
        self.merkle_root
    }

    /// Returns the time that the miner set. It may be up to two hours off.
    #[must_use]
    pub fn time(&self) -> DateTime<Utc> {
        self.time
    }

    /// Checks that the message of a Bitcoin attestation is the root of the block's transactions,
    /// and returns the block's time. Miners set it, and may be up to two hours off.
    pub fn confirm(&self, message: &[u8]) -> Result<DateTime<Utc>, HeaderError> {
        if message == self.merkle_root {
            Ok(self.time)
        } else {
            Err(HeaderError::OtherBlock)
        }
    }

    /// Returns the hash of the block as explorers show it.
    #[must_use]
    pub fn hash_hex(&self) -> String {
        hex::encode(&self.hash)
    }
}

fn bytes_of(hex: &str) -> Option<[u8; HEADER_LEN]> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    if pairs.len() != HEADER_LEN || !rest.is_empty() {
        return None;
    }
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let mut bytes = [0; HEADER_LEN];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()?;
    }
    Some(bytes)
}

fn part<const LEN: usize>(bytes: &[u8], from: usize) -> Option<[u8; LEN]> {
    bytes.get(from..)?.first_chunk().copied()
}

/// Expands the short form of a target: three digits to the base 256, and their place.
fn target(bits: u32) -> Option<[u8; 32]> {
    let [place, digits @ ..] = bits.to_be_bytes();
    let [sign, ..] = digits;
    if sign & 0x80 != 0 {
        return None;
    }
    let mut target = [0; 32];
    for (index, digit) in digits.into_iter().enumerate() {
        if digit == 0 {
            continue;
        }
        // The last of the three digits counts 256 to the power of `place - 3`.
        let power = (usize::from(place) + 2).checked_sub(index + 3)?;
        *target.get_mut(31_usize.checked_sub(power)?)? = digit;
    }
    Some(target)
}

#[cfg(test)]
pub(crate) mod mine;

#[cfg(test)]
mod tests;
