//! Bodies that are too large, addresses that are too long, and input that is not HTTP.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use super::{everybody, routes_with_body};
use crate::harness::App;

on_both_databases!(
    bodies_over_the_limit_are_refused,
    a_body_without_a_length_has_the_same_limit,
    malformed_http_requests_do_no_harm,
);

async fn bodies_over_the_limit_are_refused(app: App) {
    let (browser, idea, _, recipient) = everybody(&app).await;
    for (method, path, good) in routes_with_body(idea, &recipient) {
        let cap = match path.as_str() {
            path if path.starts_with("/api/auth") => 4 * 1024,
            path if path.starts_with("/api/ideas") => 8 * 1024 * 1024,
            _ => 64 * 1024,
        };
        let good = good.to_string();
        let padded = |length: usize| format!("{good}{}", " ".repeat(length - good.len()));
        let fits = browser.raw(method.clone(), &path, padded(cap)).await;
        assert!(fits.status < 300, "{fits:?}");
        let answer = browser
            .raw(method, &path, padded(cap + 1))
            .await
            .expect(413);
        assert!(answer.text().contains("KiB"), "{answer:?}");
    }
    let text = "Waits. ".repeat(1_000_000);
    let big = json!({ "title": "Big", "content": { "pages": [{ "text": text }] } });
    let saved = browser
        .post("/api/ideas", big.clone())
        .await
        .expect(201)
        .json();
    assert!(saved["content"] == big["content"]);
}

async fn a_body_without_a_length_has_the_same_limit(app: App) {
    let address = app.address();
    // Registration needs no cookie. The body continues for as long as it is read.
    let mut stream = TcpStream::connect(address).unwrap();
    let head = "POST /api/auth/register HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                transfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("400\r\n{}\r\n", " ".repeat(1024));
    for _ in 0..5 {
        stream.write_all(chunk.as_bytes()).unwrap();
    }
    let answer = read_head(&mut stream);
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

async fn malformed_http_requests_do_no_harm(app: App) {
    for request in [
        "\0\0\0\0\r\n\r\n".to_owned(),
        "GET\r\n\r\n".into(),
        "GET / HTTP/9.9\r\n\r\n".into(),
        format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(200_000)),
        format!("GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "a".repeat(200_000)),
        format!("GET / HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(10_000)),
        "POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n".into(),
        "POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}".into(),
        "POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\nzz\r\n".into(),
    ] {
        let mut stream = TcpStream::connect(app.address()).unwrap();
        // The server may close the connection in the middle.
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let head = read_head(&mut stream);
        assert!(!head.starts_with("HTTP/1.1 5"), "{head}");
        assert!(!head.starts_with("HTTP/1.1 2"), "{head}");
    }
    app.browser().get("/healthz").await.expect(200);
}

/// Returns status line and headers of a response, or all that came before the connection
/// ended.
fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.extend(byte);
    }
    String::from_utf8_lossy(&head).into_owned()
}
