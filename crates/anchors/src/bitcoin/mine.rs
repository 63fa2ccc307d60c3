//! Blocks of a chain that a test mines by itself.

use ideavault_domain::hex;
use sha2::{Digest, Sha256};

/// One hash in 256 is good enough.
const BITS: u32 = 0x2000_ffff;

/// Mines a header after `previous` with this root of transactions, in hexadecimal.
pub(crate) fn header(previous: [u8; 32], merkle_root: [u8; 32], time: u32) -> String {
    (0..u32::MAX)
        .map(|nonce| encode(previous, merkle_root, time, BITS, nonce))
        .find(|header| hash(header)[31] == 0)
        .map(|header| hex::encode(&header))
        .unwrap()
}

pub(crate) fn encode(
    previous: [u8; 32],
    merkle_root: [u8; 32],
    time: u32,
    bits: u32,
    nonce: u32,
) -> Vec<u8> {
    [
        &0x2000_0000_u32.to_le_bytes()[..],
        &previous,
        &merkle_root,
        &time.to_le_bytes(),
        &bits.to_le_bytes(),
        &nonce.to_le_bytes(),
    ]
    .concat()
}

/// The hash by which the next block names this one.
pub(crate) fn hash(header: &[u8]) -> [u8; 32] {
    Sha256::digest(Sha256::digest(header)).into()
}
