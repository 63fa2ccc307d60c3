//! Proofs as bytes, put together for tests, also wrong ones.

use sha2::{Digest, Sha256};

/// Follows operations from a message and writes them down.
#[derive(Clone)]
pub(crate) struct Path {
    pub(crate) message: Vec<u8>,
    pub(crate) bytes: Vec<u8>,
}

impl Path {
    pub(crate) fn from(message: &[u8]) -> Self {
        Self {
            message: message.to_vec(),
            bytes: Vec::new(),
        }
    }

    pub(crate) fn append(mut self, operand: &[u8]) -> Self {
        self.message.extend_from_slice(operand);
        self.bytes.extend(operation(0xf0, operand));
        self
    }

    pub(crate) fn prepend(mut self, operand: &[u8]) -> Self {
        self.message.splice(0..0, operand.iter().copied());
        self.bytes.extend(operation(0xf1, operand));
        self
    }

    pub(crate) fn sha256(mut self) -> Self {
        self.message = Sha256::digest(&self.message).to_vec();
        self.bytes.push(0x08);
        self
    }

    /// Ends with what is said of the message.
    pub(crate) fn end(self, rest: &[u8]) -> Vec<u8> {
        [self.bytes, rest.to_vec()].concat()
    }
}

pub(crate) fn operation(tag: u8, operand: &[u8]) -> Vec<u8> {
    [&[tag][..], &number(operand.len()), operand].concat()
}

pub(crate) fn pending(uri: &str) -> Vec<u8> {
    let payload = [&number(uri.len())[..], uri.as_bytes()].concat();
    attestation(b"\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e", &payload)
}

pub(crate) fn bitcoin(height: usize) -> Vec<u8> {
    attestation(b"\x05\x88\x96\x0d\x73\xd7\x19\x01", &number(height))
}

pub(crate) fn attestation(kind: &[u8; 8], payload: &[u8]) -> Vec<u8> {
    [&[0], &kind[..], &number(payload.len()), payload].concat()
}

pub(crate) fn fork(branches: &[Vec<u8>]) -> Vec<u8> {
    let (last, others) = branches.split_last().unwrap();
    let begun = others
        .iter()
        .flat_map(|branch| [&[0xff], &branch[..]].concat());
    begun.chain(last.clone()).collect()
}

pub(crate) fn number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
