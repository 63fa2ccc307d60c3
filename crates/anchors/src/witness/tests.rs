use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use chrono::{TimeDelta, Utc};
use ed25519_dalek::{Signer as _, SigningKey};
use ideavault_domain::Timestamp;
use ideavault_domain::hex;
use ideavault_domain::ports::{AnchorError, Witness as _, WitnessAnswer};
use ideavault_evidence::checkpoint::{Checkpoint, LogKey, SignedCheckpoint};
use ideavault_evidence::cosignature::WitnessKey;
use ideavault_evidence::sha256;
use ideavault_evidence::tree::{self, NodeReader, verify_consistency};
use tokio::task::spawn_blocking;

use super::*;
use crate::adapters::LogWitness;
use crate::http::WebClient;
use crate::http::stub::{Behaviour, Request, Stub, response};

const ORIGIN: &str = "vault.example.org/log1";
const NAME: &str = "witness.example.org/w1";

/// A log of events, whose n-th one is the number n.
#[derive(Default)]
struct Log {
    nodes: Vec<[u8; 32]>,
}

struct Nodes<'a>(&'a [[u8; 32]]);

impl NodeReader for Nodes<'_> {
    type Error = std::convert::Infallible;

    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<[u8; 32]>, Self::Error> {
        let at = |position: &u64| self.0[usize::try_from(*position).unwrap()];
        Ok(positions.iter().map(at).collect())
    }
}

impl Log {
    fn of(size: u64) -> Self {
        let mut log = Self::default();
        for event in 0..size {
            let leaf = sha256(&event.to_be_bytes());
            let appended = tree::append(event, &[leaf], &mut Nodes(&log.nodes)).unwrap();
            log.nodes
                .extend(appended.nodes.iter().map(|(_, hash)| hash));
        }
        log
    }

    fn root(&self, size: u64) -> [u8; 32] {
        tree::root(size, &mut Nodes(&self.nodes)).unwrap()
    }

    fn proof(&self, old: u64, new: u64) -> Vec<[u8; 32]> {
        tree::consistency_proof(old, new, &mut Nodes(&self.nodes)).unwrap()
    }

    fn note(&self, size: u64) -> Vec<u8> {
        let checkpoint = Checkpoint::new(ORIGIN, size, self.root(size)).unwrap();
        let key = LogKey::from_seed(ORIGIN, &[3; 32]).unwrap();
        key.sign(checkpoint).unwrap().bytes().to_vec()
    }
}

fn secret() -> SigningKey {
    SigningKey::from_bytes(&[9; 32])
}

fn id_and_key(name: &str) -> ([u8; 4], String) {
    let typed = [&[4], secret().verifying_key().as_bytes().as_slice()].concat();
    let digest = sha256(&[name.as_bytes(), b"\n", &typed].concat());
    let id = [digest[0], digest[1], digest[2], digest[3]];
    let digits: String = hex::encode(&id);
    let key = format!("{name}+{digits}+{}", BASE64_STANDARD.encode(typed));
    (id, key)
}

/// Signs as a witness of that name.
fn line(name: &str, body: &str, time: i64) -> String {
    let message = format!("cosignature/v1\ntime {time}\n{body}");
    let signature = secret().sign(message.as_bytes()).to_bytes();
    let (id, _) = id_and_key(name);
    let bytes = [id.as_slice(), &time.to_be_bytes(), &signature];
    format!(
        "\u{2014} {name} {}\n",
        BASE64_STANDARD.encode(bytes.concat())
    )
}

/// Handles a request as the specification of witnesses requires.
fn serve(seen: &mut (u64, [u8; 32]), request: &Request) -> Vec<u8> {
    assert!(request.head.starts_with("POST /w/add-checkpoint "));
    let text = String::from_utf8(request.body.clone()).unwrap();
    let (proof, note) = text.split_once("\n\n").unwrap();
    let mut lines = proof.split('\n');
    let old = lines.next().and_then(|line| line.strip_prefix("old "));
    let old: u64 = old.unwrap().parse().unwrap();
    let hashes: Vec<[u8; 32]> = lines
        .map(|hash| BASE64_STANDARD.decode(hash).unwrap().try_into().unwrap())
        .collect();
    let signed = SignedCheckpoint::parse(note.as_bytes()).unwrap();
    let head = signed.checkpoint();
    if old != seen.0 {
        return response("409 Conflict", SIZE, format!("{}\n", seen.0).as_bytes());
    }
    if verify_consistency(old, &seen.1, head.size(), head.root(), &hashes).is_err() {
        return response("422 Unprocessable Entity", TEXT, b"");
    }
    *seen = (head.size(), *head.root());
    let own = line(NAME, &head.body(), Utc::now().timestamp());
    let other = line("witness.example.org/w0", &head.body(), 0);
    response("200 OK", TEXT, format!("{other}{own}").as_bytes())
}

fn witness(stub: &Stub) -> Arc<LogWitness> {
    let client = WebClient::new(Duration::from_secs(5)).unwrap();
    let key = WitnessKey::parse(&id_and_key(NAME).1).unwrap();
    Arc::new(LogWitness::new(stub.endpoint("/w"), key, Arc::new(client)))
}

fn window() -> RangeInclusive<Timestamp> {
    Utc::now() - TimeDelta::minutes(5)..=Utc::now() + TimeDelta::minutes(5)
}

/// Asks in a thread that may block.
async fn cosign(
    witness: &Arc<LogWitness>,
    old: u64,
    proof: Vec<[u8; 32]>,
    note: Vec<u8>,
) -> Result<WitnessAnswer, AnchorError> {
    let witness = Arc::clone(witness);
    spawn_blocking(move || witness.cosign(old, &proof, &note, &window()))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_witness_signs_a_log_that_grows_and_names_what_it_has_seen() {
    let mut seen = (0, tree::EMPTY_ROOT);
    let stub = Stub::start(move |request| Behaviour::Sends(serve(&mut seen, request))).await;
    let witness = witness(&stub);
    assert_eq!(witness.name(), NAME);
    let log = Log::of(21);
    for (old, new) in [(0, 7), (7, 7), (7, 21)] {
        let answer = cosign(&witness, old, log.proof(old, new), log.note(new)).await;
        let WitnessAnswer::Cosigned(signed) = answer.unwrap() else {
            panic!("not signed");
        };
        assert!(signed.line.starts_with(&format!("\u{2014} {NAME} ")));
        assert!(signed.line.ends_with("=\n"));
        assert!(window().contains(&signed.time));
    }
    let answer = cosign(&witness, 7, log.proof(7, 21), log.note(21)).await;
    assert_eq!(answer.unwrap(), WitnessAnswer::Seen(21));
    // Another log of the same name.
    let forked = cosign(&witness, 21, vec![digest()], log.note(20)).await;
    assert!(matches!(forked, Err(AnchorError::Refused(_))), "{forked:?}");
}

fn digest() -> [u8; 32] {
    sha256(b"other")
}

#[tokio::test]
async fn a_witness_that_sends_something_else_is_refused() {
    let body = Log::of(3).note(3);
    let body = SignedCheckpoint::parse(&body).unwrap().checkpoint().body();
    let now = Utc::now().timestamp();
    let other_text = line(NAME, "something else\n", now);
    let late = line(NAME, &body, now + 3_600);
    let unknown = line("witness.example.org/w2", &body, now);
    let many = "\u{2014} a AAAAAAAA\n".repeat(2_000);
    for (status, media_type, sent) in [
        ("200 OK", TEXT, "nonsense"),
        ("200 OK", TEXT, ""),
        ("200 OK", TEXT, &other_text),
        ("200 OK", TEXT, &late),
        ("200 OK", TEXT, &unknown),
        ("200 OK", TEXT, &many),
        ("403 Forbidden", TEXT, ""),
        ("404 Not Found", TEXT, ""),
        ("409 Conflict", SIZE, "many\n"),
        ("409 Conflict", TEXT, "3\n"),
        ("302 Found", TEXT, ""),
    ] {
        let sent = response(status, media_type, sent.as_bytes());
        let stub = Stub::start(move |_| Behaviour::Sends(sent.clone())).await;
        let refused = cosign(&witness(&stub), 0, Vec::new(), Log::of(3).note(3)).await;
        assert!(
            matches!(refused, Err(AnchorError::Refused(_))),
            "{status} {refused:?}"
        );
    }
    for status in ["500 Oops", "429 Slow down"] {
        let stub = Stub::start(move |_| Behaviour::Sends(response(status, TEXT, b""))).await;
        let failed = cosign(&witness(&stub), 0, Vec::new(), Log::of(3).note(3)).await;
        assert!(
            matches!(failed, Err(AnchorError::Unavailable(_))),
            "{failed:?}"
        );
    }
}
