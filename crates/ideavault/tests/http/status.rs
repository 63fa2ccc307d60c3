//! The state of the vault for the operator.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::process::Output;

use reqwest::Method;
use serde_json::{Value, json};

use crate::commands::{binary, run, stderr, stdout};
use crate::harness::App;

on_both_databases!(
    the_status_reports_mails_backups_space_and_the_database,
    details_are_shown_only_to_requests_from_this_machine,
    the_status_of_a_missing_vault_is_an_error,
    a_health_check_succeeds_only_while_the_server_can_serve,
);

fn status(app: &App) -> String {
    stdout(&run(app, &["status"]))
}

fn json_status(app: &App) -> Value {
    serde_json::from_str(&stdout(&run(app, &["status", "--json"]))).unwrap()
}

/// Returns the rest of the line that begins with `name`.
fn figure(text: &str, name: &str) -> String {
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix(name));
    let figure = line.unwrap_or_else(|| panic!("{name}: {text}"));
    figure.trim_start_matches(':').trim().to_owned()
}

fn back_up(app: &App) {
    let folder = tempfile::TempDir::new().unwrap();
    let target = folder.path().join("backup");
    let backup = binary(&["backup", target.to_str().unwrap()])
        .env("IDEAVAULT_DATABASE_URL", app.database_url())
        .env("IDEAVAULT_DATA_DIR", app.data_dir())
        .env("PATH", std::env::var_os("PATH").unwrap())
        .output();
    stdout(&backup.unwrap());
}

async fn ready(app: &App) -> Value {
    app.browser().get("/readyz").await.expect(200).json()
}

async fn the_status_reports_mails_backups_space_and_the_database(app: App) {
    let kind = if app.database_url().starts_with("sqlite") {
        "SQLite "
    } else {
        "Postgres "
    };
    let text = status(&app);
    assert_eq!(figure(&text, "witnesses"), "none");
    let public = stdout(&run(&app, &["status", "--anchors", "recommended"]));
    assert!(
        figure(&public, "witnesses").contains("timestamp.digicert.com, "),
        "{public}"
    );
    assert_eq!(
        figure(&text, "version"),
        concat!(env!("CARGO_PKG_VERSION"), " (commit unknown)")
    );
    assert!(figure(&text, "database").starts_with(kind), "{text}");
    assert_eq!(figure(&text, "schema"), "current");
    assert_eq!(figure(&text, "mails waiting"), "0");
    assert_eq!(figure(&text, "mails given up"), "0");
    assert_eq!(figure(&text, "last backup"), "never");
    assert!(figure(&text, "free space").ends_with(" MB"), "{text}");
    assert_eq!(figure(&text, "recording"), "running");
    for told in [json_status(&app), ready(&app).await] {
        assert_eq!(told["database"]["schema"], "current");
        assert_eq!(told["mails"]["waiting"], 0);
        assert_eq!(told["mails"]["oldestSince"], Value::Null);
        assert_eq!(told["lastBackup"], "never");
        assert_eq!(told["recording"]["state"], "running");
        assert!(told["freeBytes"].as_u64().unwrap() > 0, "{told}");
    }
    back_up(&app);
    let last = figure(&status(&app), "last backup");
    assert!(last.starts_with("20"), "{last}");
    assert_eq!(json_status(&app)["lastBackup"], last.as_str());
    assert_eq!(ready(&app).await["lastBackup"], last.as_str());
    // It is in the audit trail, too.
    let trail = stdout(&run(&app, &["audit", "--csv"]));
    assert!(trail.contains("\"backed-up\""), "{trail}");
}

async fn details_are_shown_only_to_requests_from_this_machine(app: App) {
    let proxied = app.another(&["--trusted-proxies", "127.0.0.1"]).await;
    for name in ["x-forwarded-for", "forwarded", "via", "x-real-ip"] {
        let browser = proxied.browser();
        let asked = browser.send_bare(Method::GET, "/readyz", |head| {
            // Not even if the header names this machine.
            head.header(name, "127.0.0.1")
        });
        let told = asked.await.expect(200).json();
        assert_eq!(told, json!({ "ready": true }), "{name}");
    }
    assert_eq!(ready(&proxied).await["mails"]["waiting"], 0);
}

async fn the_status_of_a_missing_vault_is_an_error(app: App) {
    let folder = tempfile::TempDir::new().unwrap();
    let elsewhere = folder.path().join("nothing");
    let mut command = binary(&["status", "--data-dir", elsewhere.to_str().unwrap()]);
    let blank = app.blank_database();
    command.env("IDEAVAULT_DATABASE_URL", blank.url());
    let complaint = stderr(&command.output().unwrap());
    assert!(complaint.contains("no vault was found"), "{complaint}");
    assert!(!elsewhere.exists());
}

fn health(listen: SocketAddr) -> Output {
    let mut command = binary(&["health"]);
    command.env("IDEAVAULT_LISTEN", listen.to_string());
    command.output().unwrap()
}

async fn a_health_check_succeeds_only_while_the_server_can_serve(app: App) {
    let address = app.address();
    assert_eq!(stdout(&health(address)), "");
    std::fs::write(
        app.data_dir().join("files").join("storage-id"),
        "0b9f1c1e-7d7b-4f5e-9a50-5b3a35a1f0aa",
    )
    .unwrap();
    let mut complaint = stderr_of_health(address);
    while complaint.is_empty() {
        complaint = stderr_of_health(address);
    }
    let begin = format!("error: the server at {address} is not ready: ");
    assert!(complaint.starts_with(&begin), "{complaint}");
    assert!(
        complaint.contains("not the one of this database"),
        "{complaint}"
    );
    let stopped = app.stop();
    let complaint = stderr(&health(address));
    let nobody = format!("error: no server of IdeaVault answers at {address}\n");
    assert!(complaint.starts_with(&nobody), "{complaint}");
    drop(stopped);
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = other.accept().unwrap();
        let read = stream.read(&mut [0; 1_024]).unwrap();
        assert!(read > 0);
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi")
            .unwrap();
    });
    let complaint = stderr(&health(address));
    answering.join().unwrap();
    let foreign = format!(
        "error: what answers at {address}, with status 200, is not a server of IdeaVault\n"
    );
    assert_eq!(complaint, foreign);
}

/// Returns what a health check complains about; nothing if it succeeds.
fn stderr_of_health(address: SocketAddr) -> String {
    String::from_utf8(health(address).stderr).unwrap()
}
