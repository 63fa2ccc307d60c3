//! `ideavault doctor`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Output;

use chrono::Duration;
use ideavault_mail::testing::SmtpSink;
use serde_json::Value;

use crate::commands::{binary, run, tools};
use crate::harness::{App, pdf};

on_both_databases!(
    a_healthy_vault_has_no_failure_beside_a_running_server,
    the_doctor_changes_nothing_of_a_stopped_vault,
    an_old_schema_is_told_and_left_alone,
    what_is_wrong_is_told_with_what_to_do,
    the_mail_server_is_asked_and_gets_no_mail,
    a_clock_that_was_set_back_is_told,
    outsiders_are_asked_only_online,
    a_missing_vault_fails_and_is_not_made,
);

/// Returns exit status and report with another database.
fn doctor_of(app: &App, url: &str) -> (i32, String) {
    doctor(app, &["--database-url", url])
}

#[tokio::test]
async fn a_database_that_cannot_be_used_is_told_with_what_to_do() {
    let app = App::on_postgres().await;
    let url = app.database_url().to_owned();
    let (server, name) = url.rsplit_once('/').unwrap();
    let (login, host) = server.split_once('@').unwrap();
    let (user, _) = login.rsplit_once(':').unwrap();
    for (url, told) in [
        (format!("{user}:wrong@{host}/{name}"), "%40"),
        (format!("{login}nobody@{host}/{name}"), "createuser"),
        (format!("{server}/missing"), "createdb"),
        // Nothing listens on port 1.
        (
            format!("{login}@127.0.0.1:1/{name}"),
            "systemctl start postgresql",
        ),
        (format!("{login}@127.0.0.1:hush/{name}"), "postgres://USER"),
    ] {
        let (status, report) = doctor_of(&app, &url);
        assert_eq!(status, 1, "{report}");
        expect(&report, "failed", "database", told);
    }
    let without = binary(&["doctor"])
        .env("IDEAVAULT_DATABASE_URL", app.database_url())
        .env("IDEAVAULT_DATA_DIR", app.data_dir())
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    expect(&told(&without), "failed", "backup", "postgresql-client");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_told_with_what_to_do() {
    let app = App::on_sqlite().await;
    let other = app.data_dir().join("other.sqlite");
    fs::write(&other, "no database ".repeat(100)).unwrap();
    let url = format!("sqlite://{}", other.display());
    let (status, report) = doctor_of(&app, &url);
    assert_eq!(status, 1, "{report}");
    expect(&report, "failed", "database", "ideavault restore FOLDER");
    assert_eq!(fs::read_to_string(&other).unwrap().len(), 1_200);
}

fn told(output: &Output) -> String {
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns exit status and report.
fn doctor(app: &App, arguments: &[&str]) -> (i32, String) {
    let output = run(app, &[&["doctor"], arguments].concat());
    (output.status.code().unwrap(), told(&output))
}

/// Asserts that the report has a line that begins with outcome and area, and contains `part`.
#[track_caller]
fn expect(report: &str, outcome: &str, area: &str, part: &str) {
    let begin = format!("{outcome:<9}{area:<12}");
    let mut lines = report.lines().filter(|line| line.starts_with(&begin));
    assert!(lines.any(|line| line.contains(part)), "{part}: {report}");
}

/// Returns all paths below a folder with the content of the files.
fn content(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(content(&path));
            found.insert(path, None);
        } else {
            found.insert(path.clone(), Some(fs::read(&path).unwrap()));
        }
    }
    found
}

async fn a_healthy_vault_has_no_failure_beside_a_running_server(app: App) {
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let (status, report) = doctor(&app, &[]);
    assert_eq!(status, 0, "{report}");
    for (outcome, area, part) in [
        ("ok", "settings", "can be used"),
        ("ok", "user", "to whom the data folder belongs"),
        ("ok", "keys", "secret.key"),
        ("ok", "keys", "the key of the database"),
        ("ok", "database", "schema current"),
        ("ok", "clock", "not behind"),
        ("ok", "files", "writable, and the ones of the database"),
        ("warning", "mail", "Set IDEAVAULT_SMTP_URL"),
        ("warning", "witnesses", "Set IDEAVAULT_ANCHORS=recommended"),
        ("ok", "jobs", "none is failing"),
        ("warning", "backup", "ideavault backup FOLDER"),
        ("ok", "recording", "running"),
        (
            "warning",
            "recording",
            "127.0.0.1/log1: the log of events has the name",
        ),
    ] {
        expect(&report, outcome, area, part);
    }
    let on_postgres = app.database_url().starts_with("postgres");
    let compared = report.contains("agrees with that of the database");
    assert_eq!(compared, on_postgres, "{report}");
    let tried = report.contains("can read the database");
    assert_eq!(tried, on_postgres, "{report}");
    assert!(!report.contains("online"), "{report}");
    let (status, json) = doctor(&app, &["--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((status, &json["failed"]), (0, &0.into()), "{json}");
    let checks = json["checks"].as_array().unwrap();
    assert_eq!(checks.len(), report.lines().count());
    assert_eq!(checks[0]["area"], "settings");
    assert_eq!(checks[0]["outcome"], "ok");
}

async fn the_doctor_changes_nothing_of_a_stopped_vault(app: App) {
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let stopped = app.stop();
    // The first command after the server empties SQLite's write-ahead log.
    let ask = || {
        binary(&["doctor"])
            .env("IDEAVAULT_DATABASE_URL", stopped.database_url())
            .env("IDEAVAULT_DATA_DIR", stopped.data_dir())
            .envs(tools())
            .output()
            .unwrap()
    };
    told(&ask());
    let cells = || {
        let cells = stopped.cells().into_iter();
        let cells = cells.map(|cell| (cell.table, cell.column, cell.bytes));
        let mut cells: Vec<_> = cells.collect();
        cells.sort();
        cells
    };
    let stored = cells();
    let before = content(stopped.data_dir());
    let report = told(&ask());
    expect(&report, "ok", "database", "schema current");
    assert_eq!(content(stopped.data_dir()), before);
    assert!(cells() == stored);
}

async fn an_old_schema_is_told_and_left_alone(app: App) {
    app.execute(
        "DELETE FROM __diesel_schema_migrations WHERE version = \
         (SELECT max(version) FROM __diesel_schema_migrations)",
    );
    for _ in 0..2 {
        let (status, report) = doctor(&app, &[]);
        assert_eq!(status, 0, "{report}");
        expect(&report, "warning", "database", "1 migration is pending");
    }
    app.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('29991231000000')");
    let (status, report) = doctor(&app, &[]);
    assert_eq!(status, 1, "{report}");
    expect(&report, "failed", "database", "29991231000000");
}

async fn what_is_wrong_is_told_with_what_to_do(app: App) {
    let marker = app.data_dir().join("files").join("storage-id");
    fs::rename(&marker, app.data_dir().join("aside")).unwrap();
    let key = app.data_dir().join("secret.key");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    }
    let (status, report) = doctor(
        &app,
        &[
            "--public-url",
            "https://vault.example.org",
            "--metrics-address",
            "0.0.0.0:9464",
        ],
    );
    assert_eq!(status, 1, "{report}");
    expect(&report, "warning", "settings", "IDEAVAULT_METRICS_ADDRESS");
    expect(&report, "failed", "files", "ideavault adopt-files");
    expect(&report, "failed", "keys", "chmod 600");
    expect(&report, "failed", "settings", "IDEAVAULT_TRUSTED_PROXIES");
    let same = [
        "--listen",
        "127.0.0.1:9464",
        "--metrics-address",
        "127.0.0.1:9464",
    ];
    let (_, report) = doctor(&app, &same);
    expect(&report, "failed", "settings", "choose another port");
    fs::rename(app.data_dir().join("files"), app.data_dir().join("gone")).unwrap();
    let other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let (status, report) = doctor(&app, &["--secret-key", other]);
    assert_eq!(status, 1, "{report}");
    expect(&report, "failed", "keys", "another secret key");
    assert!(!report.contains("recording"), "{report}");
    expect(&report, "failed", "files", "put it back or mount it");
    assert!(!app.data_dir().join("files").exists());
    fs::rename(app.data_dir().join("gone"), app.data_dir().join("files")).unwrap();
    fs::remove_file(&key).unwrap();
    let (status, report) = doctor(&app, &[]);
    assert_eq!(status, 1, "{report}");
    expect(&report, "failed", "keys", "IDEAVAULT_SECRET_KEY");
    assert!(!key.exists());
}

async fn the_mail_server_is_asked_and_gets_no_mail(app: App) {
    let sink = SmtpSink::start();
    let mail = ["--mail-from", "vault@example.org", "--smtp-url"];
    let (status, report) = doctor(&app, &[&mail[..], &[&sink.url()]].concat());
    assert_eq!(status, 0, "{report}");
    expect(&report, "ok", "mail", "accepts connections");
    expect(&report, "warning", "settings", "links in mails lead to");
    assert_eq!(sink.try_next(), None);
    // Nothing listens on port 1.
    let closed = "smtp://user:hush@127.0.0.1:1";
    let (status, report) = doctor(&app, &[&mail[..], &[closed]].concat());
    assert_eq!(status, 1, "{report}");
    expect(&report, "failed", "mail", "check IDEAVAULT_SMTP_URL");
    assert!(!report.contains("hush"), "{report}");
    let encrypted = format!("{}?tls=required", sink.url());
    let (status, report) = doctor(&app, &[&mail[..], &[&encrypted]].concat());
    assert_eq!(status, 1, "{report}");
    expect(&report, "failed", "mail", "STARTTLS");
}

async fn a_clock_that_was_set_back_is_told(app: App) {
    app.advance(Duration::hours(1));
    app.creator("ada").await;
    let (status, report) = doctor(&app, &[]);
    assert_eq!(status, 0, "{report}");
    expect(&report, "warning", "clock", "behind the newest time");
    app.advance(Duration::days(2));
    app.creator("bob").await;
    let (status, report) = doctor(&app, &[]);
    assert_eq!(status, 1, "{report}");
    expect(&report, "failed", "clock", "behind the newest time");
}

async fn outsiders_are_asked_only_online(app: App) {
    let calendars = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let addresses = calendars
        .each_ref()
        .map(|calendar| format!("http://{}", calendar.local_addr().unwrap()));
    let node = "http://user:hush@127.0.0.1:1";
    let calendar_list = addresses.join(",");
    let settings = ["--ots-calendars", &calendar_list, "--bitcoin-node", node];
    let (status, report) = doctor(&app, &settings);
    assert_eq!(status, 0, "{report}");
    let names = calendar_list.replace("http://", "").replace(',', ", ");
    expect(&report, "ok", "witnesses", &names);
    for calendar in &calendars {
        calendar.set_nonblocking(true).unwrap();
        assert!(calendar.accept().is_err());
        calendar.set_nonblocking(false).unwrap();
    }
    let answering = calendars.map(|calendar| {
        std::thread::spawn(move || {
            let (mut client, _) = calendar.accept().unwrap();
            let mut request = [0; 1_024];
            let length = client.read(&mut request).unwrap();
            let answer = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
            client.write_all(answer.as_bytes()).unwrap();
            String::from_utf8_lossy(&request[..length]).into_owned()
        })
    });
    let (status, report) = doctor(&app, &[&settings[..], &["--online"]].concat());
    assert_eq!(status, 0, "{report}");
    for (answering, address) in answering.into_iter().zip(&addresses) {
        let request = answering.join().unwrap();
        assert!(request.starts_with("GET / HTTP/1.1\r\n"), "{request}");
        let host = address.trim_start_matches("http://");
        expect(&report, "ok", "online", &format!("{host} answers"));
    }
    expect(&report, "warning", "online", "check IDEAVAULT_BITCOIN_NODE");
    assert!(!report.contains("hush"), "{report}");
}

async fn a_missing_vault_fails_and_is_not_made(app: App) {
    let home = tempfile::TempDir::new().unwrap();
    let missing = home.path().join("missing");
    let blank = app.blank_database();
    let mut command = binary(&["doctor"]);
    command.env("IDEAVAULT_DATABASE_URL", blank.url());
    command.env("IDEAVAULT_DATA_DIR", &missing);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report = told(&output);
    expect(&report, "failed", "database", "no vault was found");
    // Keys and files of a vault that does not exist are not missing.
    assert_eq!(report.matches("failed").count(), 1, "{report}");
    assert!(!missing.exists());
    // With what a server has left there, it is the database that is missing.
    fs::create_dir(&missing).unwrap();
    fs::write(missing.join("log-checkpoint"), "").unwrap();
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = "belongs to a vault that exists: put its database back";
    expect(&told(&output), "failed", "database", text);
}
