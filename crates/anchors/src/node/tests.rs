use std::fs;
use std::sync::Mutex;

use super::*;
use crate::bitcoin::mine;
use crate::http::WebClient;
use crate::http::stub::{Behaviour, Request, Stub, response};

const HEIGHT: u64 = 871_234;
const ROOT: [u8; 32] = [7; 32];
const TIME: u32 = 1_800_000_000;

fn header() -> String {
    mine::header([1; 32], ROOT, TIME)
}

fn hash() -> String {
    Header::from_hex(&header(), Network::Regtest)
        .unwrap()
        .hash_hex()
}

fn result(value: &Value) -> Behaviour {
    let body = json!({ "result": value, "error": null, "id": "ideavault" }).to_string();
    Behaviour::Sends(response("200 OK", JSON, body.as_bytes()))
}

fn failure(status: &str, code: i64) -> Behaviour {
    let error = json!({ "code": code, "message": "\u{1b}[31mred" });
    let body = json!({ "result": null, "error": error, "id": "ideavault" }).to_string();
    Behaviour::Sends(response(status, JSON, body.as_bytes()))
}

/// Responds like a correct node of the regtest network.
fn honest(request: &Request) -> Behaviour {
    let asked: Value = serde_json::from_slice(&request.body).unwrap();
    match (
        asked["method"].as_str().unwrap(),
        asked["params"][0].as_u64(),
    ) {
        ("getblockhash", Some(0)) => result(&json!(Network::Regtest.genesis())),
        ("getblockhash", Some(HEIGHT)) => result(&json!(hash())),
        ("getblockhash", _) => failure("500 Internal Server Error", -8),
        ("getblockheader", _) => {
            assert_eq!(asked["params"], json!([hash(), false]));
            result(&json!(header()))
        }
        _ => failure("404 Not Found", -32601),
    }
}

fn node(endpoint: Endpoint, cookie: Option<PathBuf>) -> BitcoinNode {
    node_within(Duration::from_secs(30), endpoint, cookie)
}

fn node_within(timeout: Duration, endpoint: Endpoint, cookie: Option<PathBuf>) -> BitcoinNode {
    let client = WebClient::without_proxy(timeout).unwrap();
    BitcoinNode::new(endpoint, cookie, Network::Regtest, Arc::new(client))
}

/// Asks for the header of a node that responds to everything like this.
async fn asked(respond: impl FnMut(&Request) -> Behaviour + Send + 'static) -> NodeError {
    let stub = Stub::start(respond).await;
    node(stub.endpoint("/"), None)
        .header(HEIGHT)
        .await
        .unwrap_err()
}

#[tokio::test]
async fn the_header_of_a_block_is_returned() {
    let stub = Stub::start(honest).await;
    let node = node(stub.endpoint("/"), None);
    node.check_network().await.unwrap();
    let header = node.header(HEIGHT).await.unwrap();
    assert_eq!(header.merkle_root(), ROOT);
    assert_eq!(header.time().timestamp(), i64::from(TIME));
}

#[tokio::test]
async fn a_node_with_a_shorter_chain_has_no_such_block() {
    let stub = Stub::start(honest).await;
    let error = node(stub.endpoint("/"), None).header(HEIGHT + 1).await;
    assert!(matches!(error, Err(NodeError::NoBlock(height)) if height == HEIGHT + 1));
    let error = error.unwrap_err();
    assert!(!error.is_about_node());
}

#[tokio::test]
async fn a_node_of_another_network_is_told_apart() {
    let genesis = Network::Main.genesis();
    let stub = Stub::start(move |_| result(&json!(genesis))).await;
    let error = node(stub.endpoint("/"), None).check_network().await;
    assert!(matches!(error, Err(NodeError::OtherNetwork)));
}

#[tokio::test]
async fn credentials_come_from_the_address_or_from_the_cookie_file() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let stub = Stub::start(move |request| {
        let head = request.head.clone();
        let sent = head
            .lines()
            .find(|line| line.to_lowercase().starts_with("authorization:"));
        let sent = sent.map(|line| line.split_once(": ").unwrap().1.to_owned());
        log.lock().unwrap().push(sent);
        honest(request)
    })
    .await;
    let in_address: Endpoint = format!("http://ann:hush%3a@{}/", stub.address())
        .parse()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cookie = folder.path().join(".cookie");
    fs::write(&cookie, "__cookie__:beef\n").unwrap();
    let by_cookie = node(stub.endpoint("/"), Some(cookie.clone()));
    node(in_address, None).check_network().await.unwrap();
    by_cookie.check_network().await.unwrap();
    // The node was restarted.
    fs::write(&cookie, "__cookie__:cafe").unwrap();
    by_cookie.check_network().await.unwrap();
    node(stub.endpoint("/"), None)
        .check_network()
        .await
        .unwrap();
    let expected = [
        Some("Basic YW5uOmh1c2g6"),
        Some("Basic X19jb29raWVfXzpiZWVm"),
        Some("Basic X19jb29raWVfXzpjYWZl"),
        None,
    ];
    let seen = seen.lock().unwrap();
    let seen: Vec<Option<&str>> = seen.iter().map(Option::as_deref).collect();
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_cookie_file_that_is_none_is_an_error_of_its_own() {
    let stub = Stub::start(honest).await;
    let folder = tempfile::tempdir().unwrap();
    let absent = node(stub.endpoint("/"), Some(folder.path().join("absent")));
    assert!(matches!(
        absent.check_network().await,
        Err(NodeError::Cookie(_))
    ));
    let other = folder.path().join("other");
    fs::write(&other, "no password").unwrap();
    let other = node(stub.endpoint("/"), Some(other));
    assert!(matches!(
        other.check_network().await,
        Err(NodeError::CookieForm)
    ));
}

#[tokio::test]
async fn what_a_node_reports_is_told_apart_and_not_repeated() {
    let refused = asked(|_| Behaviour::Sends(response("401 Unauthorized", "text/html", b""))).await;
    assert!(matches!(refused, NodeError::Credentials));
    let starting = asked(|_| failure("500 Internal Server Error", -28)).await;
    assert!(matches!(starting, NodeError::Starting));
    assert!(starting.is_about_node());
    // As JSON-RPC 2.0 has it.
    let other = asked(|_| failure("200 OK", -5)).await;
    assert_eq!(other.to_string(), "the Bitcoin node reports error -5");
    let away = asked(|_| Behaviour::Sends(response("503 Away", "text/html", b"<b>"))).await;
    assert!(matches!(away, NodeError::Http(HttpError::Status(503))));
}

#[tokio::test]
async fn a_hostile_node_gets_nowhere() {
    let huge = asked(|_| Behaviour::NeverEnds(b"HTTP/1.1 200 OK\r\n\r\n{\"result\":\"".to_vec()));
    assert!(matches!(
        huge.await,
        NodeError::Http(HttpError::TooLarge(_))
    ));
    let stalling = Stub::start(|_| Behaviour::Stalls(b"HTTP/1.1 200 OK\r\n\r\n".to_vec())).await;
    let impatient = node_within(Duration::from_millis(300), stalling.endpoint("/"), None);
    let slow = impatient.header(HEIGHT).await.unwrap_err();
    assert!(matches!(slow, NodeError::Http(HttpError::TimedOut)));
    for value in [json!(7), json!([hash()]), json!({ "a": 1 }), json!(null)] {
        let wrong = asked(move |_| result(&value)).await;
        assert!(matches!(wrong, NodeError::NotANode), "{wrong}");
    }
    let nested = b"[".repeat(10_000);
    for body in [
        &b"no JSON"[..],
        b"",
        b"[]",
        b"{\"error\":\"text\"}",
        &nested,
    ] {
        let body = body.to_vec();
        let wrong = asked(move |_| Behaviour::Sends(response("200 OK", JSON, &body))).await;
        assert!(matches!(wrong, NodeError::NotANode), "{wrong}");
    }
    // A redirect would take the password elsewhere.
    let led = asked(|_| {
        let away =
            b"HTTP/1.1 307 Away\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
        Behaviour::Sends(away.to_vec())
    });
    assert!(matches!(led.await, NodeError::Http(HttpError::Status(307))));
}

#[tokio::test]
async fn a_header_without_its_work_or_of_another_block_is_refused() {
    let answering = |header: String| {
        asked(move |request| {
            match String::from_utf8_lossy(&request.body).contains("getblockhash") {
                true => result(&json!(hash())),
                false => result(&json!(header)),
            }
        })
    };
    let other = answering(mine::header([2; 32], ROOT, TIME)).await;
    assert!(matches!(other, NodeError::OtherHeader), "{other}");
    for header in [
        String::new(),
        "0".repeat(159),
        "g".repeat(160),
        "f".repeat(160),
    ] {
        let wrong = answering(header).await;
        assert!(matches!(wrong, NodeError::Header(_)), "{wrong}");
    }
}

#[tokio::test]
async fn a_node_that_is_down_is_told_apart_without_its_password() {
    let endpoint = "http://ann:hush@127.0.0.1:1/".parse().unwrap();
    let error = node(endpoint, None).check_network().await.unwrap_err();
    assert!(matches!(error, NodeError::Http(HttpError::Transport(_))));
    assert!(error.is_about_node());
    let said = format!("{error} {error:?}");
    assert!(!said.contains("hush"), "{said}");
}
