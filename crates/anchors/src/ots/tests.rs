use super::build::{Path, attestation, bitcoin, fork, number, operation, pending};
use super::*;

const MESSAGE: [u8; 32] = [7; 32];
const URI: &str = "https://calendar.example";

fn parse(bytes: &[u8]) -> Result<Proof, ProofError> {
    Proof::parse(bytes, &MESSAGE)
}

fn attested(message: &[u8], attestation: Attestation) -> Attested {
    Attested {
        message: message.to_vec(),
        attestation,
    }
}

fn is_pending(uri: &str) -> Attestation {
    Attestation::Pending { uri: uri.into() }
}

/// Operations of SHA-256, one after the other.
fn hashed(times: usize) -> Vec<u8> {
    [vec![0x08; times], pending(URI)].concat()
}

#[test]
fn attestations_come_with_their_messages() {
    let long = Path::from(&MESSAGE)
        .append(b"nonce")
        .sha256()
        .prepend(b"time");
    let bytes = fork(&[
        pending("https://a.example/x_y-z:1"),
        long.clone()
            .end(&fork(&[bitcoin(840_000), attestation(b"8 bytes!", b"?")])),
        Path::from(&MESSAGE).sha256().end(&pending(URI)),
    ]);
    let proof = parse(&bytes).unwrap();
    let hashed = Path::from(&MESSAGE).sha256().message;
    assert_eq!(
        proof.attestations(),
        [
            attested(&MESSAGE, is_pending("https://a.example/x_y-z:1")),
            attested(&long.message, Attestation::Bitcoin { height: 840_000 }),
            attested(&long.message, Attestation::Unknown),
            attested(&hashed, is_pending(URI)),
        ]
    );
    assert_eq!(proof.message(), MESSAGE);
    assert_eq!(proof.to_bytes(), bytes);
}

#[test]
fn all_operations_give_what_they_say() {
    for (operations, expected) in [
        (&[0xf2][..], "636261"),
        (&[0xf3], "363136323633"),
        (&[0xf0, 1, b'd'], "61626364"),
        (&[0xf1, 1, b'd'], "64616263"),
        (&[0x02], "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (&[0x03], "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        (
            &[0x08],
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ),
    ] {
        let bytes = [operations, &bitcoin(1)].concat();
        let proof = Proof::parse(&bytes, b"abc").unwrap();
        let message = &proof.attestations()[0].message;
        let found: String = message.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_file_is_written_and_read() {
    let proof = parse(&hashed(3)).unwrap();
    let file = proof.to_file().unwrap();
    assert_eq!(Proof::from_file(&file).unwrap(), proof);
    let library = opentimestamps::DetachedTimestampFile::from_reader(&file[..]).unwrap();
    let mut written = Vec::new();
    library.to_writer(&mut written).unwrap();
    assert_eq!(written, file);

    let short = Proof::parse(&pending(URI), b"short").unwrap();
    assert_eq!(short.to_file(), Err(ProofError::NotAFile));
    for place in 0..FILE_HEAD.len() {
        let mut changed = file.clone();
        changed[place] ^= 1;
        assert_eq!(Proof::from_file(&changed), Err(ProofError::NotAFile));
    }
    for length in 0..file.len() {
        assert!(Proof::from_file(&file[..length]).is_err());
    }
    let longer = [&file[..], b"x"].concat();
    assert_eq!(Proof::from_file(&longer), Err(ProofError::TrailingBytes));
}

#[test]
fn proofs_of_one_message_are_merged() {
    let start = Path::from(&MESSAGE).append(b"nonce").sha256();
    let a = parse(&start.clone().end(&pending("https://a.example"))).unwrap();
    let b = parse(&start.clone().end(&pending("https://b.example"))).unwrap();
    let c = parse(
        &Path::from(&MESSAGE)
            .prepend(b"c")
            .end(&pending("https://c.example")),
    )
    .unwrap();
    let merged = a.clone().merge(b).unwrap().merge(c).unwrap();
    let both = fork(&[pending("https://a.example"), pending("https://b.example")]);
    let expected = fork(&[
        start.end(&both),
        Path::from(&MESSAGE)
            .prepend(b"c")
            .end(&pending("https://c.example")),
    ]);
    assert_eq!(merged.to_bytes(), expected);
    assert_eq!(merged.clone().merge(a).unwrap(), merged);
    assert_eq!(parse(&expected).unwrap(), merged);
    let other = Proof::parse(&pending(URI), b"other").unwrap();
    assert_eq!(merged.merge(other), Err(ProofError::OtherMessage));
}

#[test]
fn an_upgrade_replaces_what_was_pending_for_its_message() {
    let a = Path::from(&MESSAGE).append(b"a").sha256();
    let b = Path::from(&MESSAGE).append(b"b").sha256();
    let merged = parse(&fork(&[
        a.clone().end(&pending("https://a.example")),
        b.clone().end(&pending("https://b.example")),
    ]))
    .unwrap();
    let way = Path::from(&a.message).prepend(b"left").sha256();
    let upgraded = Proof::parse(&way.clone().end(&bitcoin(9)), &a.message).unwrap();
    let complete = merged.upgrade(&upgraded).unwrap();
    assert_eq!(
        complete.attestations(),
        [
            attested(&way.message, Attestation::Bitcoin { height: 9 }),
            attested(&b.message, is_pending("https://b.example")),
        ]
    );
    // Once replaced, nothing is pending there.
    assert_eq!(complete.upgrade(&upgraded), Err(ProofError::OtherMessage));
}

#[test]
fn what_was_joined_stays_within_the_bounds() {
    let deep = parse(&hashed(249)).unwrap();
    let commitment = deep.attestations()[0].message.clone();
    let further = Proof::parse(&[&[0x08][..], &bitcoin(1)].concat(), &commitment).unwrap();
    assert_eq!(deep.upgrade(&further), Err(ProofError::TooLarge));
    let big = |first: u8| {
        let branch = |tag: u8| {
            [
                operation(0xf0, &[&[first, tag], &[0; 3500][..]].concat()),
                hashed(1),
            ]
            .concat()
        };
        parse(&fork(&[branch(1), branch(2), branch(3), branch(4)])).unwrap()
    };
    let merged = (1..5).try_fold(big(0), |merged, first| merged.merge(big(first)));
    assert_eq!(merged, Err(ProofError::TooLarge));
}

#[test]
fn the_bounds_are_met_and_not_exceeded() {
    for (fits, exceeds) in [
        (hashed(249), hashed(250)),
        // 32 bytes to 4096, and to twice as many.
        (
            [vec![0xf3; 7], hashed(1)].concat(),
            [vec![0xf3; 8], hashed(1)].concat(),
        ),
        (
            [operation(0xf0, &[0; 4064]), hashed(1)].concat(),
            [operation(0xf0, &[0; 4065]), hashed(1)].concat(),
        ),
        (pending(&"x".repeat(1000)), pending(&"x".repeat(1001))),
        (
            attestation(b"8 bytes!", &[0; 8192]),
            attestation(b"8 bytes!", &[0; 8193]),
        ),
        (bitcoin((1 << 56) - 1), bitcoin(1 << 56)),
        // 241 steps each, and the limit is 4096.
        (fork(&vec![hashed(240); 16]), fork(&vec![hashed(240); 17])),
    ] {
        assert!(parse(&fits).is_ok());
        assert_eq!(parse(&exceeds).unwrap_err(), ProofError::TooLarge);
    }
}

#[test]
fn what_the_library_would_believe_is_refused() {
    let huge = [&b"\x008 bytes!"[..], &number(usize::MAX >> 8)].concat();
    assert_eq!(parse(&huge), Err(ProofError::TooLarge));
    let endless_number = [
        &b"\x00\x05\x88\x96\x0d\x73\xd7\x19\x01\x0b"[..],
        &[0xff; 11],
    ]
    .concat();
    assert_eq!(parse(&endless_number), Err(ProofError::TooLarge));
    let doubling = [vec![0xf3; 60], pending(URI)].concat();
    assert_eq!(parse(&doubling), Err(ProofError::TooLarge));
    let many = fork(&vec![[operation(0xf0, &[0; 4000]), hashed(1)].concat(); 4]);
    assert!(parse(&many).is_ok());
    let reversed = |times| [operation(0xf0, &[0; 4000]), vec![0xf2; times], pending(URI)].concat();
    assert!(parse(&reversed(200)).is_ok());
    let twice = fork(&[reversed(200), reversed(200)]);
    assert_eq!(parse(&twice), Err(ProofError::TooLarge));
    let forks = [[0xff, 0x08].repeat(8000), pending(URI)].concat();
    assert_eq!(parse(&forks), Err(ProofError::TooLarge));
}

#[test]
fn what_others_read_differently_is_malformed() {
    for bytes in [
        vec![],
        vec![0x08],
        vec![0xff],
        vec![0x67, 0x00],
        // A fork within a fork.
        [
            vec![0xff],
            fork(&[pending(URI), pending(URI)]),
            pending(URI),
        ]
        .concat(),
        [operation(0xf0, b""), pending(URI)].concat(),
        // Payloads with bytes left over, or too few.
        attestation(b"\x05\x88\x96\x0d\x73\xd7\x19\x01", &[1, 0]),
        attestation(b"\x05\x88\x96\x0d\x73\xd7\x19\x01", &[]),
        attestation(b"\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e", &[1, b'x', b'y']),
        attestation(b"\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e", &[3, b'x', b'y']),
        pending("https://x.example/?q"),
        pending("https://user@x.example"),
        pending("https://\u{e9}.example"),
    ] {
        assert_eq!(parse(&bytes), Err(ProofError::Malformed), "{bytes:?}");
    }
    let longer = [pending(URI), vec![0]].concat();
    assert_eq!(parse(&longer), Err(ProofError::TrailingBytes));
}

#[test]
fn changed_bytes_never_panic_and_what_is_read_is_written_the_same() {
    let bytes = fork(&[
        pending("https://a.example"),
        Path::from(&MESSAGE)
            .append(b"nonce")
            .sha256()
            .end(&bitcoin(840_000)),
        [vec![0xf3, 0xf2, 0x02, 0x03], attestation(b"8 bytes!", b"?")].concat(),
    ]);
    let mut read = 0;
    for place in 0..bytes.len() {
        for value in 0..=255 {
            let mut changed = bytes.clone();
            changed[place] = value;
            if let Ok(proof) = parse(&changed) {
                read += 1;
                let again = Proof::parse_within(&proof.to_bytes(), &MESSAGE, FILE_MAX).unwrap();
                assert_eq!(again, proof);
            }
        }
    }
    assert!(read > bytes.len());
}
