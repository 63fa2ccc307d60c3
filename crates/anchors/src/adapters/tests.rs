use std::time::Duration;

use chrono::Utc;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::*;
use crate::bitcoin::{Network, mine};
use crate::calendar::build::{Path, bitcoin, fork, pending as promise};
use crate::http::WebClient;
use crate::http::stub::{Behaviour, Request, Stub, response};

const OTS: &str = "application/vnd.opentimestamps.v1";

fn client() -> Arc<dyn HttpClient> {
    Arc::new(WebClient::new(Duration::from_secs(5)).unwrap())
}

fn digest() -> Digest {
    Digest::of(b"checkpoint")
}

fn promised() -> Path {
    Path::from(digest().as_bytes()).append(b"salt").sha256()
}

/// The proof that a calendar first sends.
fn first() -> Vec<u8> {
    promised().end(&promise("http://elsewhere.invalid"))
}

async fn calendar(
    respond: impl Fn(&Request) -> Behaviour + Send + 'static,
) -> (Stub, Arc<OtsCalendar>) {
    let stub = Stub::start(respond).await;
    let calendar = OtsCalendar::new(stub.endpoint(""), client());
    (stub, Arc::new(calendar))
}

#[tokio::test]
async fn a_promise_becomes_a_proof_of_a_block() {
    let (_stub, calendar) = calendar(|request| {
        let post = request.head.starts_with("POST /digest ");
        let body = match post {
            true => first(),
            false => Path::from(&promised().message)
                .prepend(b"a")
                .sha256()
                .end(&bitcoin(871_234)),
        };
        Behaviour::Sends(response("200 OK", OTS, &body))
    })
    .await;
    let upgraded = spawn_blocking(move || {
        let proof = calendar.submit(&digest()).unwrap();
        assert_eq!(proof, first());
        calendar.upgrade(&digest(), &proof).unwrap().unwrap()
    })
    .await
    .unwrap();
    assert_eq!(upgraded.block, 871_234);
    let proof = CalendarTimestamp::parse(&upgraded.proof, digest().as_bytes()).unwrap();
    assert_eq!(proof.attestations().count(), 1);
}

const HEIGHT: usize = 871_234;

/// A proof of [`digest`] that leads to blocks at these heights, and the root there.
fn proof(heights: &[usize]) -> (Vec<u8>, [u8; 32]) {
    let path = promised();
    let root = path.message.as_slice().try_into().unwrap();
    let branches: Vec<Vec<u8>> = heights.iter().map(|height| bitcoin(*height)).collect();
    (path.end(&fork(&branches)), root)
}

/// A node that has one block, and says of others that its chain is shorter.
async fn node_with(root: [u8; 32]) -> (Stub, NodeBlocks) {
    let header = mine::header([0; 32], root, 1_800_000_000);
    let hash = Header::from_hex(&header, Network::Regtest)
        .unwrap()
        .hash_hex();
    let stub = Stub::start(move |request| {
        let asked: Value = serde_json::from_slice(&request.body).unwrap();
        let of = &asked["params"][0];
        let result = match asked["method"].as_str().unwrap() {
            "getblockheader" => json!(header),
            _ if *of == 0 => json!(Network::Regtest.genesis()),
            _ if *of == HEIGHT => json!(hash),
            _ => Value::Null,
        };
        let (status, error) = match result {
            Value::Null => ("500 Internal Server Error", json!({ "code": -8 })),
            _ => ("200 OK", Value::Null),
        };
        let body = json!({ "result": result, "error": error }).to_string();
        Behaviour::Sends(response(status, "application/json", body.as_bytes()))
    })
    .await;
    let node = BitcoinNode::new(stub.endpoint("/"), None, Network::Regtest, client());
    (stub, NodeBlocks::new(node))
}

/// Lets a node confirm a proof of [`digest`].
async fn confirm(blocks: NodeBlocks, proof: Vec<u8>) -> Result<ConfirmedBlock, AnchorError> {
    spawn_blocking(move || blocks.confirm(&digest(), &proof))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_node_confirms_a_block_with_the_root_of_the_proof() {
    // A later block of two is not there yet.
    for heights in [&[HEIGHT][..], &[HEIGHT, HEIGHT + 1]] {
        let (proof, root) = proof(heights);
        let (_stub, blocks) = node_with(root).await;
        let confirmed = confirm(blocks, proof).await.unwrap();
        assert_eq!(confirmed.block, HEIGHT as u64);
        assert_eq!(confirmed.time.timestamp(), 1_800_000_000);
    }
}

#[tokio::test]
async fn a_block_with_another_root_is_refused_and_a_missing_one_waited_for() {
    let (stub, blocks) = node_with([9; 32]).await;
    let refused = confirm(blocks, proof(&[HEIGHT]).0).await;
    assert!(matches!(refused, Err(AnchorError::Refused(_))));
    drop(stub);
    let (proof, root) = proof(&[HEIGHT + 1]);
    let (stub, blocks) = node_with(root).await;
    let missing = confirm(blocks, proof.clone()).await;
    assert!(matches!(missing, Err(AnchorError::Unavailable(_))));
    let endpoint = stub.endpoint("/");
    drop(stub);
    let node = BitcoinNode::new(endpoint, None, Network::Regtest, client());
    let down = confirm(NodeBlocks::new(node), proof).await;
    assert!(matches!(down, Err(AnchorError::Unavailable(_))));
}

#[tokio::test]
async fn a_calendar_without_a_promise_or_a_root_is_refused() {
    let (_stub, calendar) = calendar(|request| {
        let post = request.head.starts_with("POST /digest ");
        let body = match post {
            true => promised().end(&bitcoin(1)),
            false => Path::from(&promised().message)
                .append(b"a")
                .end(&bitcoin(1)),
        };
        Behaviour::Sends(response("200 OK", OTS, &body))
    })
    .await;
    spawn_blocking(move || {
        let refused = calendar.submit(&digest());
        assert!(matches!(refused, Err(AnchorError::Refused(_))));
        let refused = calendar.upgrade(&digest(), &first());
        assert!(matches!(refused, Err(AnchorError::Refused(_))));
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn a_missing_answer_is_told_from_a_bad_one() {
    for (status, is_missing) in [
        ("500 Oops", true),
        ("429 Slow down", true),
        ("302 Found", false),
        ("404 Not Found", false),
        ("200 OK", false),
    ] {
        let (_stub, calendar) =
            calendar(move |_| Behaviour::Sends(response(status, OTS, b"nonsense"))).await;
        let failed = spawn_blocking(move || calendar.submit(&digest()));
        let error = failed.await.unwrap().unwrap_err();
        let found = matches!(error, AnchorError::Unavailable(_));
        assert_eq!(found, is_missing, "{status}: {error:?}");
    }
}

#[tokio::test]
async fn an_authority_that_sends_something_else_is_refused() {
    let stub =
        Stub::start(|_| Behaviour::Sends(response("200 OK", "application/timestamp-reply", b"0")))
            .await;
    let roots = Roots::from_pem(include_str!("root.pem")).unwrap();
    let authority = Rfc3161Authority::new(stub.endpoint("/tsr"), Arc::new(roots), client());
    assert_eq!(authority.name(), stub.address().to_string());
    let window = Utc::now()..=Utc::now();
    let refused = spawn_blocking(move || authority.stamp(b"data", [1; 8], &window));
    let error = refused.await.unwrap().unwrap_err();
    assert!(matches!(error, AnchorError::Refused(_)), "{error:?}");
}
