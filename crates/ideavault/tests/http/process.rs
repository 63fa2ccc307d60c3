//! Shutdown of the real binary.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::json;

use crate::audit::kinds;
use crate::harness::{App, Creator, Form, Process, pdf};

on_both_databases!(
    the_server_finishes_started_requests_before_it_stops,
    the_server_finishes_a_large_upload_before_it_stops,
    the_server_records_denials_before_it_stops,
    an_idle_connection_does_not_delay_the_shutdown,
    a_silent_mail_server_does_not_delay_the_shutdown,
);

/// A request without its body. The interim response to `expect` shows that it has begun.
fn begin(process: &Process, head: &str, length: usize) -> TcpStream {
    let mut stream = process.connect();
    write!(
        stream,
        "{head}host: x\r\ncontent-length: {length}\r\nexpect: 100-continue\r\n\r\n"
    )
    .unwrap();
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).unwrap();
    assert!(interim.starts_with(b"HTTP/1.1 100"));
    stream
}

/// Sends SIGTERM, and waits until new connections are refused.
async fn stop(process: &Process) {
    process.terminate();
    while TcpStream::connect(process.address()).is_ok() {
        tokio::task::yield_now().await;
    }
}

fn answer(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

async fn the_server_finishes_started_requests_before_it_stops(app: App) {
    let process = Process::start(&app);
    let body = br#"{"name":"Ada","email":"ada@example.org","password":"secret"}"#;
    let (first, second) = body.split_at(20);
    let head = "POST /api/auth/register HTTP/1.1\r\ncontent-type: application/json\r\n";
    let mut stream = begin(&process, head, body.len());
    stream.write_all(first).unwrap();
    stop(&process).await;
    stream.write_all(second).unwrap();
    let answer = answer(stream);
    let log = process.end();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}\n{log}");
    let login = json!({ "email": "ada@example.org", "password": "secret" });
    app.browser()
        .post("/api/auth/login", login)
        .await
        .expect(200);
}

async fn the_server_finishes_a_large_upload_before_it_stops(app: App) {
    let process = Process::beside(&app);
    let ada = Creator::sign_up(process.browser(), "ada").await;
    let whole = pdf(9_000_000);
    let body = Form::default()
        .file("file", "Kettle.pdf", "application/pdf", &whole)
        .body();
    let head = format!(
        "POST /api/ideas/pdf HTTP/1.1\r\ncookie: {}\r\ncontent-type: {}\r\n",
        ada.cookie_header(),
        Form::media_type(),
    );
    let (first, second) = body.split_at(4_000_000);
    let mut stream = begin(&process, &head, body.len());
    stream.write_all(first).unwrap();
    stop(&process).await;
    stream.write_all(second).unwrap();
    let answer = answer(stream);
    let log = process.end();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}\n{log}");
    let ada = ada.at(&app.browser());
    let listed = ada.get("/api/ideas").await.json();
    let idea = ada.get(&format!("/api/ideas/{}", listed[0]["id"])).await;
    let path = crate::uploads::path_of(&idea.json());
    assert!(ada.get(&path).await.expect(200).body == whole);
}

async fn an_idle_connection_does_not_delay_the_shutdown(app: App) {
    let process = Process::start(&app);
    let unused = process.connect();
    let mut used = process.connect();
    used.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        .unwrap();
    let mut status = [0; 15];
    used.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 200 OK");
    process.terminate();
    process.end();
    drop((unused, used));
}

async fn a_silent_mail_server_does_not_delay_the_shutdown(app: App) {
    let ada = app.creator("ada").await;
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", silent.local_addr().unwrap());
    let process = Process::with(
        &app,
        &[
            ("IDEAVAULT_SMTP_URL", &url),
            ("IDEAVAULT_MAIL_FROM", "vault@example.org"),
        ],
    );
    let forgotten = json!({ "email": ada.email });
    let browser = process.browser();
    let asked = browser.post("/api/auth/forgot-password", forgotten).await;
    assert_eq!(asked.status / 100, 2);
    let connected = silent.accept().unwrap();
    process.terminate();
    let log = process.end();
    assert!(log.contains("stopped in the middle of a job"), "{log}");
    drop(connected);
}

async fn the_server_records_denials_before_it_stops(app: App) {
    let process = Process::beside(&app);
    let held = app.hold("audit_entries");
    let nobodys = format!("/api/share/{}", "a".repeat(43));
    process.browser().get(&nobodys).await.expect(404);
    stop(&process).await;
    // Long enough for a server to end if it does not wait.
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    drop(held);
    process.end();
    assert_eq!(kinds(&app), ["link-dead"]);
}
