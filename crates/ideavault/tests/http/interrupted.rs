//! Uploads that break off, and uploads that do not end.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::path::Path;

use reqwest::Method;
use serde_json::json;

use crate::audit::kinds;
use crate::harness::{App, Browser, Creator, Form, Process, pdf};

/// SQLite only: there one lock delays every write.
mod sqlite_only {
    #[tokio::test]
    async fn a_denial_is_recorded_although_its_caller_hangs_up() {
        super::a_denial_is_recorded_although_its_caller_hangs_up(
            crate::harness::App::on_sqlite().await,
        )
        .await;
    }
}

on_both_databases!(
    a_truncated_upload_is_refused,
    an_upload_of_a_disconnected_client_leaves_nothing,
    a_chunked_upload_is_aborted_at_the_limit,
);

fn form(content: &[u8]) -> Form {
    Form::default().file("file", "Kettle.pdf", "application/pdf", content)
}

/// Returns the number of files below the files folder.
pub fn files_on_disk(app: &App) -> usize {
    fn count(folder: &Path) -> usize {
        let entries = std::fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| !path.ends_with("storage-id"))
            .map(|path| if path.is_dir() { count(&path) } else { 1 })
            .sum()
    }
    count(&app.data_dir().join("files"))
}

/// The head of a raw upload with the browser's cookies.
pub fn head(browser: &Browser, length: &str) -> String {
    format!(
        "POST /api/ideas/pdf HTTP/1.1\r\nHost: vault\r\nCookie: {}\r\nContent-Type: {}\r\n{length}\r\n\r\n",
        browser.cookie_header(),
        Form::media_type(),
    )
}

async fn a_truncated_upload_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let whole = form(&pdf(100_000)).body();
    let unfinished = form(&pdf(100_000)).unfinished();
    for body in [
        &unfinished[..],
        &whole[..50_000],
        &whole[..100],
        &whole[..10],
        b"",
        b"nothing like a form",
    ] {
        let answer = ada.send(Method::POST, "/api/ideas/pdf", |request| {
            request
                .header("content-type", Form::media_type())
                .body(body.to_vec())
        });
        answer.await.expect(400);
    }
    assert_eq!(ada.get("/api/ideas").await.json(), json!([]));
    assert_eq!(files_on_disk(&app), 0);
}

async fn an_upload_of_a_disconnected_client_leaves_nothing(app: App) {
    let ada = app.creator("ada").await;
    let body = form(&pdf(2_000_000)).body();
    for sent in [0, 100, 1_500_000] {
        let mut stream = TcpStream::connect(app.address()).unwrap();
        let length = format!("Content-Length: {}", body.len());
        stream.write_all(head(&ada, &length).as_bytes()).unwrap();
        stream.write_all(&body[..sent]).unwrap();
        drop(stream);
    }
    // Unfinished uploads have no name on the disk.
    assert_eq!(files_on_disk(&app), 0);
    ada.pdf_idea(&pdf(2_000_000)).await;
    assert_eq!(files_on_disk(&app), 1);
    let ideas = ada.get("/api/ideas").await.json();
    assert_eq!(ideas.as_array().unwrap().len(), 1);
}

/// Sends 60 MB in chunks without a length, as long as the server accepts them. Returns the
/// number of accepted bytes and the response.
fn send_without_end(mut stream: TcpStream, head: &str) -> (usize, String) {
    let total = 60_000_000;
    let start = form(&pdf(1_000)).unfinished();
    let chunk = vec![b'x'; 100_000];
    let mut sent = 0;
    let mut send = |stream: &mut TcpStream, bytes: &[u8]| {
        let framed = [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
        let taken = stream.write_all(&framed).is_ok();
        sent += if taken { bytes.len() } else { 0 };
        taken && sent < total
    };
    stream.write_all(head.as_bytes()).unwrap();
    // Without the final line break, so that the file continues.
    if send(&mut stream, &start[..start.len() - 2]) {
        while send(&mut stream, &chunk) {}
    }
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    // The connection is reset if the server was still being sent data.
    let _ = stream.read_to_end(&mut answer);
    (sent, String::from_utf8_lossy(&answer).into_owned())
}

async fn a_chunked_upload_is_aborted_at_the_limit(app: App) {
    let process = Process::start(&app);
    let ada = Creator::sign_up(process.browser(), "ada").await;
    // The first upload allocates memory for good, which must not count.
    ada.pdf_idea(&pdf(10_485_760)).await;
    let before = process.peak_memory();
    for _ in 0..3 {
        let head = head(&ada, "Transfer-Encoding: chunked");
        let (_, answer) = send_without_end(process.connect(), &head);
        assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
        assert!(
            answer.contains("PDF files must be less than 10MB"),
            "{answer}"
        );
    }
    let grown = process.peak_memory() - before;
    assert!(grown < 16 * 1024 * 1024, "{grown}");
    assert_eq!(files_on_disk(&app), 1);
    ada.pdf_idea(&pdf(1_000)).await;
}

async fn a_denial_is_recorded_although_its_caller_hangs_up(app: App) {
    let ada = app.creator("ada").await;
    let recorded = || kinds(&app).iter().any(|kind| kind == "comments-refused");
    // A caller that hangs up before the work begins is not denied anything.
    // Neither is one whose request a busy machine has not begun: the pauses grow.
    for pause in [1, 2, 4, 8, 16, 32].map(|halves| std::time::Duration::from_millis(500 * halves)) {
        let held = app.hold("comments");
        let mut stream = TcpStream::connect(app.address()).unwrap();
        // The unread answer to the first request makes closing a reset.
        let request = format!(
            "GET /healthz HTTP/1.1\r\nHost: vault\r\n\r\n\
             DELETE /api/comments/0b9f1c1e-7d7b-4f5e-9a50-5b3a35a1f0aa HTTP/1.1\r\n\
             Host: vault\r\nCookie: {}\r\n\r\n",
            ada.cookie_header(),
        );
        stream.write_all(request.as_bytes()).unwrap();
        tokio::time::sleep(pause).await;
        drop(stream);
        // Long enough for the handler to end before the work.
        tokio::time::sleep(pause).await;
        drop(held);
        tokio::time::sleep(pause).await;
        if recorded() {
            return;
        }
    }
    panic!("the denial was not recorded");
}
