//! A proof as a tree in which every message occurs once, so that proofs can be joined.

use opentimestamps::attestation::Attestation;
use opentimestamps::op::Op;
use opentimestamps::timestamp::{Step, StepData};

const ATTESTATION: u8 = 0x00;
const FORK: u8 = 0xff;
const PENDING: [u8; 8] = *b"\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e";
const BITCOIN: [u8; 8] = *b"\x05\x88\x96\x0d\x73\xd7\x19\x01";

/// A message with everything that is said of it: at least one attestation or operation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Node {
    pub(super) message: Vec<u8>,
    attestations: Vec<Attestation>,
    operations: Vec<(Op, Node)>,
}

impl Node {
    /// Converts what the library parsed.
    pub(super) fn new(message: Vec<u8>, step: Step) -> Self {
        let mut node = Self {
            message,
            attestations: Vec::new(),
            operations: Vec::new(),
        };
        node.add_step(step);
        node
    }

    fn add_step(&mut self, step: Step) {
        match step.data {
            StepData::Fork => {
                for branch in step.next {
                    self.add_step(branch);
                }
            }
            StepData::Attestation(attestation) => self.add_attestation(attestation),
            StepData::Op(operation) => {
                for next in step.next {
                    self.add_operation(operation.clone(), Self::new(step.output.clone(), next));
                }
            }
        }
    }

    fn add_attestation(&mut self, attestation: Attestation) {
        if !self.attestations.contains(&attestation) {
            self.attestations.push(attestation);
        }
    }

    fn add_operation(&mut self, operation: Op, result: Self) {
        let same = self
            .operations
            .iter_mut()
            .find(|(own, _)| *own == operation);
        match same {
            Some((_, own)) => own.absorb(result),
            None => self.operations.push((operation, result)),
        }
    }

    /// Adds all that another tree says of the same message.
    pub(super) fn absorb(&mut self, other: Self) {
        for attestation in other.attestations {
            self.add_attestation(attestation);
        }
        for (operation, result) in other.operations {
            self.add_operation(operation, result);
        }
    }

    /// Puts `upgraded` in place of the pending attestations of its message; returns the number of
    /// places.
    pub(super) fn replace_pending(&mut self, upgraded: &Self) -> usize {
        let mut places: usize = self
            .operations
            .iter_mut()
            .map(|(_, result)| result.replace_pending(upgraded))
            .sum();
        let is_pending = |own: &Attestation| matches!(own, Attestation::Pending { .. });
        if self.message == upgraded.message && self.attestations.iter().any(is_pending) {
            self.attestations.retain(|own| !is_pending(own));
            self.absorb(upgraded.clone());
            places += 1;
        }
        places
    }

    /// Calls `see` with every attestation and its message.
    pub(super) fn visit(&self, see: &mut impl FnMut(&[u8], &Attestation)) {
        for attestation in &self.attestations {
            see(&self.message, attestation);
        }
        for (_, result) in &self.operations {
            result.visit(see);
        }
    }

    /// Writes attestations, then operations, as the stock client does.
    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        let mut left = self.attestations.len() + self.operations.len();
        let mut begin = |bytes: &mut Vec<u8>| {
            left = left.saturating_sub(1);
            if left > 0 {
                bytes.push(FORK);
            }
        };
        for attestation in &self.attestations {
            begin(bytes);
            bytes.push(ATTESTATION);
            encode_attestation(attestation, bytes);
        }
        for (operation, result) in &self.operations {
            begin(bytes);
            bytes.push(operation.tag());
            if let Op::Append(operand) | Op::Prepend(operand) = operation {
                encode_bytes(operand, bytes);
            }
            result.encode(bytes);
        }
    }
}

fn encode_attestation(attestation: &Attestation, bytes: &mut Vec<u8>) {
    let mut payload = Vec::new();
    let kind = match attestation {
        Attestation::Pending { uri } => {
            encode_bytes(uri.as_bytes(), &mut payload);
            &PENDING[..]
        }
        Attestation::Bitcoin { height } => {
            encode_number(*height, &mut payload);
            &BITCOIN
        }
        Attestation::Unknown { tag, data } => {
            payload.extend_from_slice(data);
            tag
        }
    };
    bytes.extend_from_slice(kind);
    encode_bytes(&payload, bytes);
}

fn encode_bytes(content: &[u8], bytes: &mut Vec<u8>) {
    encode_number(content.len(), bytes);
    bytes.extend_from_slice(content);
}

fn encode_number(mut number: usize, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        // Cannot fail: only seven bits are left.
        bytes.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap_or_default());
}
