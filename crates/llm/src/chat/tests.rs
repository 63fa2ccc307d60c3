use std::net::SocketAddr;

use ideavault_domain::language::{Role, Turn};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::*;

/// Starts a service that answers one request with the given bytes and returns the request.
async fn service(answer: Vec<u8>) -> (SocketAddr, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let asked = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut seen = Vec::new();
        let mut buffer = [0; 4096];
        while !is_whole(&seen) {
            let count = stream.read(&mut buffer).await.unwrap();
            assert!(count > 0, "the request broke off");
            seen.extend_from_slice(&buffer[..count]);
        }
        // A client may hang up early.
        let _ = stream.write_all(&answer).await;
        String::from_utf8(seen).unwrap()
    });
    (address, asked)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.parse::<usize>().unwrap());
    body.len() >= length
}

fn http(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}\r\n{body}").into_bytes()
}

fn prompt() -> Prompt {
    Prompt {
        purpose: Purpose::Searching,
        instructions: "Look.",
        turns: vec![Turn {
            role: Role::User,
            content: "A kettle".into(),
        }],
    }
}

async fn ask(address: SocketAddr) -> Result<ModelAnswer, ModelError> {
    ask_within(Duration::from_secs(30), address).await
}

async fn ask_within(deadline: Duration, address: SocketAddr) -> Result<ModelAnswer, ModelError> {
    let base = format!("http://{address}/v1/").parse().unwrap();
    let config = ChatConfig {
        api_key: Some("key-1".into()),
        search_model: "seeker".into(),
        deadline,
        ..ChatConfig::new(base, "writer".into())
    };
    ChatModel::new(config).unwrap().ask(prompt()).await
}

#[tokio::test]
async fn a_request_and_its_response_follow_the_protocol() {
    let reply = r#"{"choices":[{"message":{"role":"assistant","content":"None."}}]}"#;
    let (address, asked) = service(http("200 OK", "", reply)).await;
    assert_eq!(ask(address).await.unwrap().text, "None.");
    let asked = asked.await.unwrap();
    assert!(
        asked.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{asked}"
    );
    assert!(
        asked
            .to_lowercase()
            .contains("authorization: bearer key-1\r\n")
    );
    let (_, body) = asked.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(
        body,
        serde_json::json!({
            "model": "seeker",
            "stream": false,
            "messages": [
                {"role": "system", "content": "Look."},
                {"role": "user", "content": "A kettle"},
            ],
        })
    );
}

#[tokio::test]
async fn error_statuses_and_malformed_responses_are_failures() {
    for answer in [
        http("500 Internal Server Error", "", "{}"),
        http("401 Unauthorized", "", r#"{"error":"key-1 is wrong"}"#),
        http("200 OK", "", "<html>"),
        http("200 OK", "", r#"{"choices":[]}"#),
        http("302 Found", "Location: http://127.0.0.1:1/\r\n", ""),
        http("200 OK", "", &"x".repeat(ANSWER_MAX + 1)),
        b"garbage".to_vec(),
    ] {
        let (address, _asked) = service(answer).await;
        let error = ask(address).await.unwrap_err();
        let ModelError::Failed(source) = &error else {
            panic!("{error:?}");
        };
        assert!(!format!("{source:?}").contains("key-1"));
    }
}

#[tokio::test]
async fn a_hanging_service_times_out() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let asked = ask_within(Duration::from_millis(500), address).await;
    let error = asked.unwrap_err();
    assert!(matches!(error, ModelError::TimedOut), "{error:?}");
}

#[tokio::test]
async fn an_unreachable_service_is_a_failure() {
    let address = SocketAddr::from(([127, 0, 0, 1], 1));
    assert!(matches!(ask(address).await, Err(ModelError::Failed(_))));
}
