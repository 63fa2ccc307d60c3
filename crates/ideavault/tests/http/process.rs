//! Start and stop of the real binary.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::process::Command;

use ideavault_db::testing::TestDatabase;
use serde_json::json;

use crate::audit::kinds;
use crate::commands::{binary, run, stdout};
use crate::harness::{App, Creator, Form, Process, pdf, vault};

on_both_databases!(
    the_server_finishes_started_requests_before_it_stops,
    the_server_finishes_a_large_upload_before_it_stops,
    the_server_records_denials_before_it_stops,
    an_idle_connection_does_not_delay_the_shutdown,
    a_silent_mail_server_does_not_delay_the_shutdown,
    systemd_is_told_when_the_server_is_ready,
    clients_wait_at_the_socket_that_systemd_keeps,
    a_socket_of_another_address_is_given_back,
    a_server_that_cannot_start_gives_the_socket_back,
    a_load_balancer_is_told_before_the_server_stops,
    the_start_is_logged_with_what_the_server_works_with,
    a_setting_that_cannot_work_has_an_exit_status_of_its_own,
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
    let process = Process::with(&app, &[("RUST_LOG", "debug")]);
    let held = app.hold("audit_entries");
    let nobodys = format!("/api/share/{}", "a".repeat(43));
    process.browser().get(&nobodys).await.expect(404);
    process.terminate();
    process.logs("waiting for what belongs to answers").await;
    drop(held);
    process.end();
    assert_eq!(kinds(&app), ["link-dead"]);
}

async fn systemd_is_told_when_the_server_is_ready(app: App) {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    let process = Process::with(&app, &[("NOTIFY_SOCKET", path.to_str().unwrap())]);
    assert_eq!(next_word(&manager), "FDSTORE=1\nFDNAME=listen\n");
    assert_eq!(next_word(&manager), "READY=1\n");
    process.browser().get("/readyz").await.expect(200);
    process.terminate();
    assert_eq!(next_word(&manager), "STOPPING=1\n");
    process.end();
}

/// Returns the command of a server that gets that socket from systemd.
fn with_kept(app: &App, listener: TcpListener, listen: SocketAddr) -> Command {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "exec \"$0\" serve 3<&0 </dev/null"])
        .arg(env!("CARGO_BIN_EXE_ideavault"))
        .env_clear()
        .env("LISTEN_FDS", "1")
        .env("IDEAVAULT_LISTEN", listen.to_string())
        .env("IDEAVAULT_DATABASE_URL", app.database_url())
        .env("IDEAVAULT_DATA_DIR", app.data_dir())
        .stdin(OwnedFd::from(listener));
    command
}

/// Returns what systemd is told next.
fn next_word(manager: &UnixDatagram) -> String {
    let mut told = [0; 64];
    let length = manager.recv(&mut told).unwrap();
    String::from_utf8(told[..length].to_vec()).unwrap()
}

async fn clients_wait_at_the_socket_that_systemd_keeps(app: App) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = TcpStream::connect(address).unwrap();
    waiting
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut server = with_kept(&app, listener, address).spawn().unwrap();
    let mut answer = String::new();
    waiting.read_to_string(&mut answer).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

async fn a_socket_of_another_address_is_given_back(app: App) {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    let former = TcpListener::bind("127.0.0.1:0").unwrap();
    let anywhere = "127.0.0.1:0".parse().unwrap();
    let mut command = with_kept(&app, former, anywhere);
    let mut server = command.env("NOTIFY_SOCKET", &path).spawn().unwrap();
    assert_eq!(next_word(&manager), "FDSTOREREMOVE=1\nFDNAME=listen\n");
    assert_eq!(next_word(&manager), "FDSTORE=1\nFDNAME=listen\n");
    server.kill().unwrap();
    server.wait().unwrap();
}

async fn a_server_that_cannot_start_gives_the_socket_back(app: App) {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    let kept = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = kept.local_addr().unwrap();
    let mut command = with_kept(&app, kept, address);
    let ended = command
        .env("NOTIFY_SOCKET", &path)
        .env("IDEAVAULT_VIEW_WINDOW", "0s")
        .status()
        .unwrap();
    assert_eq!(ended.code(), Some(78));
    assert_eq!(next_word(&manager), "FDSTOREREMOVE=1\nFDNAME=listen\n");
}

async fn the_start_is_logged_with_what_the_server_works_with(app: App) {
    let process = Process::with(&app, &[]);
    let address = process.address().to_owned();
    process.terminate();
    let log = process.end();
    let line = log.lines().find(|line| line.contains("listening"));
    let line = line.unwrap_or_else(|| panic!("{log}"));
    let database = match app.database_url().starts_with("sqlite") {
        true => "database=\"SQLite 3",
        false => "database=\"Postgres ",
    };
    for part in [
        concat!(
            "version=\"",
            env!("CARGO_PKG_VERSION"),
            "\" commit=\"unknown\""
        ),
        &format!("address={address}"),
        database,
        "storage=\"files folder ",
        "mail=\"folder outbox",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    // It may hold a password.
    assert!(!line.contains("postgres://"), "{line}");
    let version = stdout(&run(&app, &["--version"]));
    let expected = concat!(
        "ideavault ",
        env!("CARGO_PKG_VERSION"),
        " (commit unknown)\n"
    );
    assert_eq!(version, expected);
}

async fn a_setting_that_cannot_work_has_an_exit_status_of_its_own(app: App) {
    let missing = tempfile::TempDir::new().unwrap();
    let missing = missing.path().join("missing");
    let used = app.address().to_string();
    for (setting, value, status) in [
        ("IDEAVAULT_VIEW_WINDOW", "0s", 78),
        ("IDEAVAULT_ADDRESS_RETENTION", "1h", 78),
        ("IDEAVAULT_LISTEN", "nowhere", 78),
        ("IDEAVAULT_DATABASE_URL", "mysql://db/x", 78),
        ("IDEAVAULT_PUBLIC_URL", "https://vault.example.org", 78),
        ("IDEAVAULT_DATA_DIR", missing.to_str().unwrap(), 78),
        (
            "IDEAVAULT_DATABASE_URL",
            "postgres://u:p@ss@127.0.0.1/x",
            78,
        ),
        // Nothing listens on port 1.
        ("IDEAVAULT_DATABASE_URL", "postgres://127.0.0.1:1/x", 75),
        ("IDEAVAULT_LISTEN", &used, 1),
    ] {
        let output = binary(&["serve"])
            .env("IDEAVAULT_LISTEN", "127.0.0.1:0")
            .env("IDEAVAULT_DATABASE_URL", app.database_url())
            .env("IDEAVAULT_DATA_DIR", app.data_dir())
            .env(setting, value)
            .output()
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(status),
            "{setting}={value}: {output:?}"
        );
    }
}

#[test]
fn a_file_that_is_locked_may_be_free_later() {
    let home = tempfile::TempDir::new().unwrap();
    let database = TestDatabase::sqlite(vault()).blank_like();
    let _held = database.hold("");
    let output = binary(&["serve"])
        .env("IDEAVAULT_LISTEN", "127.0.0.1:0")
        .env("IDEAVAULT_DATABASE_URL", database.url())
        .env("IDEAVAULT_DATA_DIR", home.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(75), "{output:?}");
}

async fn a_load_balancer_is_told_before_the_server_stops(app: App) {
    let process = Process::with(&app, &[("IDEAVAULT_DRAIN_TIME", "5m")]);
    let browser = process.browser();
    browser.get("/readyz").await.expect(200);
    process.terminate();
    let mut answer = browser.get("/readyz").await;
    while answer.status == 200 {
        tokio::task::yield_now().await;
        answer = browser.get("/readyz").await;
    }
    assert_eq!(answer.status, 503);
    let told = json!({ "ready": false, "reason": "the server is about to stop" });
    assert_eq!(answer.json(), told);
    // It serves all the same.
    browser.get("/healthz").await.expect(200);
    browser.get("/api/ideas").await.expect(401);
    // Somebody is in a hurry.
    process.terminate();
    process.end();
}
