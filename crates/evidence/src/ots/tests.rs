use std::convert::Infallible;

use super::*;
use crate::checkpoint::{Checkpoint, LogKey};
use crate::tree::NodeReader;

const BITCOIN_TAG: [u8; 8] = [0x05, 0x88, 0x96, 0x0d, 0x73, 0xd7, 0x19, 0x01];
const PENDING_TAG: [u8; 8] = [0x83, 0xdf, 0xe3, 0x0d, 0x2e, 0xf9, 0x0c, 0x8e];

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

/// A checkpoint over `size` events, and the proof of the one at `index`.
fn checkpoint(index: u64, size: u64) -> (SignedCheckpoint, Vec<Digest>) {
    let events: Vec<_> = (0..size).map(event).collect();
    let tree = tree::append(0, &events, &mut Nodes(Vec::new())).unwrap();
    let mut nodes = Nodes(tree.nodes.into_iter().map(|(_, node)| node).collect());
    let key = LogKey::from_seed("vault.example.com/log1", &[1; 32]).unwrap();
    let head = Checkpoint::new("vault.example.com/log1", size, tree.root).unwrap();
    let proof = tree::inclusion_proof(index, size, &mut nodes).unwrap();
    (key.sign(head).unwrap(), proof)
}

fn attestation(tag: [u8; 8], payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    [&[0], tag.as_slice(), &[length], payload].concat()
}

fn pending(uri: &str) -> Vec<u8> {
    let length = u8::try_from(uri.len()).unwrap();
    attestation(PENDING_TAG, &[&[length], uri.as_bytes()].concat())
}

/// Block 800,000: 0x0c3500 in groups of seven bits.
fn bitcoin() -> Vec<u8> {
    attestation(BITCOIN_TAG, &[0x80, 0xea, 0x30])
}

fn append(operand: &[u8], rest: &[u8]) -> Vec<u8> {
    let length = u8::try_from(operand.len()).unwrap();
    [&[APPEND, length], operand, &[SHA256], rest].concat()
}

fn hash_with(message: &[u8], operand: &[u8]) -> Digest {
    sha256(&[message, operand].concat())
}

#[test]
fn files_of_events_and_checkpoint_lead_to_one_calendar_digest() {
    for (index, size) in [(0, 1), (4, 5), (7, 13), (12, 13), (100, 300)] {
        let (checkpoint, proof) = checkpoint(index, size);
        let digest = calendar_digest(&checkpoint);
        let answer = append(b"calendar", &bitcoin());
        let answers = [CalendarTimestamp::parse(&answer, &digest).unwrap()];
        let expected = Attestation::Bitcoin {
            height: 800_000,
            merkle_root: hash_with(&digest, b"calendar"),
        };

        let file = event_file(&event(index), index, &proof, &checkpoint, &answers).unwrap();
        let parsed = OtsFile::parse(&file).unwrap();
        assert_eq!(parsed.digest(), &event(index));
        assert_eq!(parsed.attestations().collect::<Vec<_>>(), [&expected]);

        let file = checkpoint_file(&checkpoint, &answers).unwrap();
        let parsed = OtsFile::parse(&file).unwrap();
        assert_eq!(parsed.digest(), &sha256(checkpoint.bytes()));
        assert_eq!(parsed.attestations().collect::<Vec<_>>(), [&expected]);
    }
}

#[test]
fn answers_of_several_calendars_are_joined() {
    let (checkpoint, _) = checkpoint(0, 3);
    let digest = calendar_digest(&checkpoint);
    let alone = append(b"a", &pending("https://a.example"));
    let forked = [
        &[FORK],
        append(b"b", &pending("https://b.example")).as_slice(),
        &append(b"c", &bitcoin()),
    ]
    .concat();
    for answers in [[&alone, &forked], [&forked, &alone], [&forked, &forked]] {
        let answers = answers.map(|answer| CalendarTimestamp::parse(answer, &digest).unwrap());
        let file = checkpoint_file(&checkpoint, &answers).unwrap();
        let found: Vec<_> = OtsFile::parse(&file)
            .unwrap()
            .attestations()
            .cloned()
            .collect();
        let expected: Vec<_> = answers
            .iter()
            .flat_map(CalendarTimestamp::attestations)
            .cloned()
            .collect();
        assert_eq!(found, expected);
        // A mark never follows a mark: the stock client reads no such file.
        assert!(!file.windows(2).any(|pair| pair == [FORK, FORK]));
    }
}

#[test]
fn a_later_answer_replaces_what_was_pending() {
    let digest = event(0);
    let first = append(b"a", &pending("https://a.example"));
    let second = append(b"b", &pending("https://b.example"));
    for later in [
        append(b"block", &bitcoin()),
        [
            &[FORK],
            append(b"c", &pending("https://c.example")).as_slice(),
            &append(b"block", &bitcoin()),
        ]
        .concat(),
    ] {
        for (which, operand) in [(0, b"a"), (1, b"b")] {
            let stored = [&[FORK], first.as_slice(), &second].concat();
            let stored = CalendarTimestamp::parse(&stored, &digest).unwrap();
            let asked = hash_with(&digest, operand);
            let later = CalendarTimestamp::parse(&later, &asked).unwrap();
            let upgraded = stored.upgraded(&later).unwrap();
            let mut expected: Vec<Vec<_>> = stored
                .attestations()
                .map(|found| vec![found.clone()])
                .collect();
            expected[which] = later.attestations().cloned().collect();
            let found: Vec<_> = upgraded.attestations().cloned().collect();
            assert_eq!(found, expected.concat());
            assert_eq!(upgraded.upgraded(&later), Err(OtsError::NotPending));
        }
    }
}

#[test]
fn an_answer_that_is_still_pending_replaces_nothing() {
    let stored = CalendarTimestamp::parse(&pending("https://a.example"), &[1; 32]).unwrap();
    assert_eq!(stored.upgraded(&stored), Err(OtsError::NotPending));
}

#[test]
fn a_file_is_not_built_from_what_does_not_fit() {
    let (checkpoint_5, proof) = checkpoint(2, 5);
    let (checkpoint_6, _) = checkpoint(2, 6);
    let answer = CalendarTimestamp::parse(&bitcoin(), &calendar_digest(&checkpoint_5)).unwrap();
    let answers = [answer];
    assert_eq!(
        event_file(&event(2), 2, &proof, &checkpoint_5, &[]),
        Err(BuildError::NoCalendar)
    );
    assert_eq!(
        checkpoint_file(&checkpoint_6, &answers),
        Err(BuildError::OtherCheckpoint)
    );
    for (event_index, index, checkpoint) in [
        (3, 2, &checkpoint_5),
        (2, 3, &checkpoint_5),
        (2, 2, &checkpoint_6),
    ] {
        assert_eq!(
            event_file(&event(event_index), index, &proof, checkpoint, &answers),
            Err(BuildError::Path(InvalidProof))
        );
    }
}

#[test]
fn hostile_answers_are_refused() {
    let parse = |bytes: &[u8]| CalendarTimestamp::parse(bytes, &[1; 32]).unwrap_err();
    let uri = |uri: &str| parse(&pending(uri));
    assert_eq!(parse(b""), OtsError::Malformed);
    assert_eq!(parse(&[FORK]), OtsError::Malformed);
    assert_eq!(parse(&[FORK, FORK]), OtsError::Operation);
    // SHA-1, RIPEMD-160, Keccak-256, reverse, hexlify.
    for operation in [0x02, 0x03, 0x67, 0xf2, 0xf3] {
        let bytes = [&[operation], bitcoin().as_slice()].concat();
        assert_eq!(parse(&bytes), OtsError::Operation);
    }
    assert_eq!(
        parse(&[bitcoin(), vec![0]].concat()),
        OtsError::Malformed,
        "something follows"
    );
    assert_eq!(
        parse(&[&[SHA256; 129], bitcoin().as_slice()].concat()),
        OtsError::TooLarge,
        "too deep"
    );
    assert_eq!(
        parse(&append(&[], &bitcoin())),
        OtsError::Malformed,
        "an empty operand"
    );
    assert_eq!(parse(&vec![0; MAX_CALENDAR_LENGTH + 1]), OtsError::TooLarge);
    // Lengths of four gigabytes without the bytes.
    assert_eq!(
        parse(&[APPEND, 0xff, 0xff, 0xff, 0xff, 0x0f]),
        OtsError::TooLarge
    );
    let tag = [&[0], [9; 8].as_slice(), &[0xff, 0xff, 0xff, 0xff, 0x0f]].concat();
    assert_eq!(parse(&tag), OtsError::TooLarge);
    assert_eq!(
        parse(&[APPEND, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
        OtsError::TooLarge
    );
    // A number with a needless last byte.
    assert_eq!(
        parse(&attestation(BITCOIN_TAG, &[0x81, 0x00])),
        OtsError::Malformed
    );
    assert_eq!(
        parse(&attestation(BITCOIN_TAG, &[1, 1])),
        OtsError::Malformed
    );
    // A message that is no Merkle root.
    let bytes = [&[APPEND, 1, 1], bitcoin().as_slice()].concat();
    assert_eq!(parse(&bytes), OtsError::Malformed);
    for address in [
        "https://a.example/?q",
        "https://user@a.example",
        "https://a.example/%2e",
        "https://a.example/ ",
        "https://\u{e4}.example",
    ] {
        assert_eq!(uri(address), OtsError::Address, "{address}");
    }
    let many = [
        [&[FORK], bitcoin().as_slice()].concat().repeat(64),
        bitcoin(),
    ]
    .concat();
    assert_eq!(parse(&many), OtsError::TooLarge, "too many attestations");
    // Messages that grow.
    let grow = [&[APPEND, 0xa0, 0x1f], [7; 4000].as_slice()].concat();
    let bytes = [grow.repeat(2), bitcoin()].concat();
    assert_eq!(parse(&bytes), OtsError::TooLarge, "a message too long");
}

#[test]
fn an_attestation_of_an_unknown_kind_is_kept() {
    let bytes = attestation([9; 8], b"anything");
    let parsed = CalendarTimestamp::parse(&bytes, &[1; 32]).unwrap();
    assert_eq!(
        parsed.attestations().collect::<Vec<_>>(),
        [&Attestation::Unknown { tag: [9; 8] }]
    );
}

#[test]
fn a_file_with_another_start_is_refused() {
    let (checkpoint, _) = checkpoint(0, 1);
    let answer = CalendarTimestamp::parse(&bitcoin(), &calendar_digest(&checkpoint)).unwrap();
    let file = checkpoint_file(&checkpoint, &[answer]).unwrap();
    for byte in 0..FILE_HEADER.len() {
        let mut changed = file.clone();
        changed[byte] ^= 1;
        assert_eq!(OtsFile::parse(&changed), Err(OtsError::Malformed));
    }
    for length in 0..file.len() {
        assert!(OtsFile::parse(&file[..length]).is_err(), "{length}");
    }
}

#[test]
fn the_header_of_the_first_block_is_parsed() {
    let mut header = vec![1, 0, 0, 0];
    header.extend_from_slice(&[0; 32]);
    header.extend_from_slice(&[0x3b; 32]);
    header.extend_from_slice(&1_231_006_505_u32.to_le_bytes());
    header.extend_from_slice(&[0xff, 0xff, 0x00, 0x1d, 0x1d, 0xac, 0x2b, 0x7c]);
    assert_eq!(
        BlockHeader::parse(&header),
        Some(BlockHeader {
            merkle_root: [0x3b; 32],
            time: 1_231_006_505
        })
    );
    assert_eq!(BlockHeader::parse(&header[1..]), None);
    assert_eq!(BlockHeader::parse(&[header, vec![0]].concat()), None);
}
