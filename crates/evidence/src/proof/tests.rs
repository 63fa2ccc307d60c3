use std::convert::Infallible;

use super::*;
use crate::checkpoint::{Checkpoint, LogKey};
use crate::sha256;
use crate::tree::NodeReader;

struct Nodes(Vec<Digest>);

impl NodeReader for Nodes {
    type Error = Infallible;

    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<Digest>, Infallible> {
        Ok(positions
            .iter()
            .map(|position| self.0[usize::try_from(*position).unwrap()])
            .collect())
    }
}

fn event(index: u64) -> Digest {
    sha256(&index.to_be_bytes())
}

fn key() -> LogKey {
    LogKey::from_seed("vault.example.com/log1", &[1; 32]).unwrap()
}

fn proof(index: u64, size: u64) -> TlogProof {
    let events: Vec<_> = (0..size).map(event).collect();
    let tree = tree::append(0, &events, &mut Nodes(Vec::new())).unwrap();
    let mut nodes = Nodes(tree.nodes.into_iter().map(|(_, node)| node).collect());
    let checkpoint = Checkpoint::new(key().verifier().origin(), size, tree.root).unwrap();
    TlogProof {
        index,
        hashes: tree::inclusion_proof(index, size, &mut nodes).unwrap(),
        checkpoint: key().sign(checkpoint).unwrap(),
    }
}

#[test]
fn a_proof_is_written_as_it_is_read_and_verifies() {
    for (index, size) in [(0, 1), (0, 2), (12, 13), (5, 300)] {
        let proof = proof(index, size);
        let read = TlogProof::parse(&proof.to_text()).unwrap();
        assert_eq!(read, proof);
        assert_eq!(read.verify(&event(index), key().verifier()), Ok(()));
    }
}

#[test]
fn a_proof_has_the_form_of_the_standard() {
    let proof = proof(2, 3);
    let text = String::from_utf8(proof.to_text()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "c2sp.org/tlog-proof@v1");
    assert_eq!(lines[1], "index 2");
    assert_eq!(lines[2], BASE64_STANDARD.encode(proof.hashes[0]));
    assert_eq!(lines[3], "");
    assert_eq!(lines[4], "vault.example.com/log1");
}

#[test]
fn a_proof_of_another_event_place_or_log_does_not_verify() {
    let proof = proof(5, 13);
    let path = Err(ProofError::Path(InvalidProof));
    assert_eq!(proof.verify(&event(6), key().verifier()), path);
    let moved = TlogProof {
        index: 6,
        ..proof.clone()
    };
    assert_eq!(moved.verify(&event(5), key().verifier()), path);
    assert_eq!(moved.verify(&event(6), key().verifier()), path);
    let other = LogKey::from_seed("vault.example.com/log1", &[2; 32]).unwrap();
    assert_eq!(
        proof.verify(&event(5), other.verifier()),
        Err(ProofError::Checkpoint(CheckpointError::Unsigned))
    );
}

#[test]
fn every_flipped_bit_is_refused() {
    let proof = proof(5, 13);
    let text = proof.to_text();
    for byte in 0..text.len() {
        for bit in 0..8 {
            let mut changed = text.clone();
            changed[byte] ^= 1 << bit;
            let verified = TlogProof::parse(&changed)
                .and_then(|proof| proof.verify(&event(5), key().verifier()));
            assert!(verified.is_err(), "byte {byte}, bit {bit}");
        }
    }
}

#[test]
fn only_the_one_spelling_of_a_proof_is_parsed() {
    let text = String::from_utf8(proof(5, 13).to_text()).unwrap();
    for (from, to) in [
        ("@v1", "@v2"),
        ("index 5", "index 05"),
        ("index 5", "index +5"),
        ("index 5", "index  5"),
        ("index 5\n", ""),
        ("index 5", "extra AAAA\nindex 5"),
        ("\n\n", "\n"),
        ("\n\n", "\n\n\n"),
        ("\n", "\r\n"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert!(TlogProof::parse(changed.as_bytes()).is_err(), "{changed}");
    }
    let (head, tail) = text.split_once("\n\n").unwrap();
    let line = format!("\n{}", BASE64_STANDARD.encode([0; 32]));
    let endless = format!("{head}{}\n\n{tail}", line.repeat(1000));
    assert!(TlogProof::parse(endless.as_bytes()).is_err());
}

#[test]
fn hashes_are_written_one_a_line_and_read_strictly() {
    let hashes = [event(1), event(2)];
    let text = hashes_to_text(&hashes);
    assert_eq!(text.lines().count(), 2);
    assert_eq!(parse_hashes(text.as_bytes()).unwrap(), hashes);
    assert_eq!(parse_hashes(b""), Some(Vec::new()));
    for bad in [
        "\n".to_owned(),
        text.trim_end().to_owned(),
        format!("{text}\n"),
        format!(" {text}"),
        text.repeat(28),
    ] {
        assert_eq!(parse_hashes(bad.as_bytes()), None, "{bad}");
    }
}
