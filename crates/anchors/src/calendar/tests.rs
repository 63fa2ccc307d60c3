use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::build::{Path, bitcoin, fork, pending};
use super::*;
use crate::bitcoin::{Header, HeaderError, Network, mine};
use crate::http::WebClient;
use crate::http::stub::{Behaviour, Request, Stub, response};

const OCTETS: &str = "application/octet-stream";

const DIGEST: [u8; 32] = [3; 32];

fn client() -> WebClient {
    WebClient::new(Duration::from_secs(10)).unwrap()
}

/// A calendar with a chain of blocks of its own.
#[derive(Default)]
struct Ledger {
    waiting: Vec<Vec<u8>>,
    /// The rest of the proof of each commitment.
    proofs: BTreeMap<String, Vec<u8>>,
    headers: Vec<String>,
}

impl Ledger {
    fn respond(&mut self, request: &Request, uri: &str) -> Vec<u8> {
        let mut words = request.head.split(' ');
        match (words.next().unwrap(), words.next().unwrap()) {
            ("POST", "/digest") => {
                let path = Path::from(&request.body)
                    .append(uri.as_bytes())
                    .sha256()
                    .prepend(&[0x66, 1, 2, 3])
                    .append(b"8 bytes!");
                self.waiting.push(path.message.clone());
                response("200 OK", OCTETS, &path.end(&pending(uri)))
            }
            ("GET", path) => {
                let commitment = path.strip_prefix("/timestamp/").unwrap();
                match self.proofs.get(commitment) {
                    Some(proof) => response("200 OK", OCTETS, proof),
                    None => response("404 Not Found", "text/plain", b"Pending confirmation"),
                }
            }
            other => panic!("{other:?}"),
        }
    }

    /// Mines a block with a transaction that holds everything that waits.
    fn mine(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let (first, others) = waiting.split_first().unwrap();
        let beside = others.first().cloned().unwrap_or_else(|| vec![9; 44]);
        let previous = match self.headers.last() {
            Some(header) => mine::hash(&bytes_of(header)),
            None => [0; 32],
        };
        let height = self.headers.len();
        let to_block = |path: Path| {
            path.sha256()
                .prepend(b"transaction with 0x6a20")
                .append(b"and its end")
                .sha256()
                .sha256()
                .prepend(&Sha256::digest(b"coinbase"))
                .sha256()
                .sha256()
        };
        let left = to_block(Path::from(first).append(&beside));
        let right = to_block(Path::from(&beside).prepend(first));
        assert_eq!(left.message, right.message);
        let root = left.message.clone().try_into().unwrap();
        self.headers
            .push(mine::header(previous, root, 1_800_000_000));
        self.proofs
            .insert(hex::encode(first), left.end(&bitcoin(height)));
        self.proofs
            .insert(hex::encode(&beside), right.end(&bitcoin(height)));
    }
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

async fn calendar(uri: &'static str) -> (Stub, Arc<Mutex<Ledger>>) {
    let ledger = Arc::new(Mutex::new(Ledger::default()));
    let shared = Arc::clone(&ledger);
    let stub =
        Stub::start(move |request| Behaviour::Sends(shared.lock().unwrap().respond(request, uri)))
            .await;
    (stub, ledger)
}

/// Submits a digest to a calendar that responds with `bytes`. Returns the parsed response.
async fn submitted(bytes: Vec<u8>) -> Result<CalendarTimestamp, CalendarError> {
    let stub = Stub::start(move |_| Behaviour::Sends(bytes.clone())).await;
    submit(&client(), &stub.endpoint("/"), &DIGEST).await
}

/// Returns what a proof attests, if it is one thing.
fn only(proof: &CalendarTimestamp) -> Attestation {
    let mut attestations = proof.attestations().cloned();
    let only = attestations.next().unwrap();
    assert_eq!(attestations.next(), None);
    only
}

/// Returns what a calendar is asked for by a proof with one promise, and its address.
fn promise_of(proof: &CalendarTimestamp) -> (Vec<u8>, String) {
    match only(proof) {
        Attestation::Pending { uri, message } => (message, uri),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_digest_gets_from_a_promise_to_a_block() {
    let (stub, ledger) = calendar("https://one.example").await;
    let endpoint = stub.endpoint("/");
    // A block before, so that the chain is one.
    submit(&client(), &endpoint, &[1; 32]).await.unwrap();
    ledger.lock().unwrap().mine();

    let promise = submit(&client(), &endpoint, &DIGEST).await.unwrap();
    let (commitment, uri) = promise_of(&promise);
    assert_eq!(uri, "https://one.example");
    let early = upgrade(&client(), &endpoint, &commitment).await.unwrap();
    assert_eq!(early, None);

    ledger.lock().unwrap().mine();
    let rest = upgrade(&client(), &endpoint, &commitment).await.unwrap();
    let complete = promise.upgraded(&rest.unwrap()).unwrap();
    let Attestation::Bitcoin {
        height: 1,
        merkle_root,
    } = only(&complete)
    else {
        panic!("{complete:?}");
    };
    let headers = ledger.lock().unwrap().headers.clone();
    let [before, block] =
        [0, 1].map(|height: usize| Header::from_hex(&headers[height], Network::Regtest).unwrap());
    assert_eq!(
        block.confirm(&merkle_root).unwrap().timestamp(),
        1_800_000_000
    );
    assert_eq!(before.confirm(&merkle_root), Err(HeaderError::OtherBlock));
}

#[tokio::test]
async fn addresses_in_an_answer_are_never_contacted() {
    let contacted = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&contacted);
    let elsewhere = Stub::start(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Behaviour::Sends(response("200 OK", OCTETS, &bitcoin(1)))
    })
    .await;
    let uri: &'static str = format!("http://{}", elsewhere.address()).leak();
    let (stub, _) = calendar(uri).await;
    let promise = submit(&client(), &stub.endpoint("/"), &DIGEST)
        .await
        .unwrap();
    let (commitment, promised) = promise_of(&promise);
    assert_eq!(promised, uri);
    assert_eq!(
        upgrade(&client(), &stub.endpoint("/"), &commitment)
            .await
            .unwrap(),
        None
    );
    assert_eq!(contacted.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn an_upgrade_that_leads_to_no_block_is_pending() {
    let stub = Stub::start(|_| {
        let proof = [&[0x08][..], &pending("https://other.example")].concat();
        Behaviour::Sends(response("200 OK", OCTETS, &proof))
    })
    .await;
    let found = upgrade(&client(), &stub.endpoint("/"), b"commitment").await;
    assert_eq!(found.unwrap(), None);
}

#[tokio::test]
async fn what_is_not_a_proof_is_refused() {
    let good = pending("https://one.example");
    for media_type in [ACCEPT, OCTETS, "text/plain"] {
        assert!(
            submitted(response("200 OK", media_type, &good))
                .await
                .is_ok()
        );
    }
    for status in ["404 Not Found", "400 Bad Request", "503 Busy", "302 Found"] {
        let error = submitted(response(status, OCTETS, &good))
            .await
            .unwrap_err();
        let expected: u16 = status[..3].parse().unwrap();
        assert!(
            matches!(error, CalendarError::Http(HttpError::Status(found)) if found == expected)
        );
    }
    let longer = [&good[..], b"x"].concat();
    for (body, expected) in [
        (&b"<html>"[..], OtsError::Operation),
        (b"", OtsError::Malformed),
        (&longer, OtsError::Malformed),
        (&[0xf3; 64], OtsError::Operation),
    ] {
        let error = submitted(response("200 OK", OCTETS, body))
            .await
            .unwrap_err();
        assert!(
            matches!(error, CalendarError::Proof(found) if found == expected),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn large_and_endless_answers_are_cut_at_16_kib() {
    let huge = response("200 OK", OCTETS, &vec![0xf2; RESPONSE_MAX + 1]);
    let error = submitted(huge).await.unwrap_err();
    assert!(
        matches!(error, CalendarError::Http(HttpError::TooLarge(16_384))),
        "{error:?}"
    );
    let stub = Stub::start(|_| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {OCTETS}\r\n\r\n");
        Behaviour::NeverEnds(head.into_bytes())
    })
    .await;
    let error = upgrade(&client(), &stub.endpoint("/"), &DIGEST)
        .await
        .unwrap_err();
    assert!(
        matches!(error, CalendarError::Http(HttpError::TooLarge(16_384))),
        "{error:?}"
    );
}

#[tokio::test]
async fn the_calendar_may_live_below_a_path() {
    let stub = Stub::start(|request| {
        let line = format!("GET /calendar/timestamp/{} HTTP/1.1", "0a".repeat(32));
        assert!(request.head.starts_with(&line));
        let proof = fork(&[pending("https://one.example"), bitcoin(5)]);
        Behaviour::Sends(response("200 OK", OCTETS, &proof))
    })
    .await;
    let found = upgrade(&client(), &stub.endpoint("/calendar"), &[0x0a; 32]).await;
    assert_eq!(found.unwrap().unwrap().attestations().count(), 2);
}
