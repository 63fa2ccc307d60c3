//! `ideavault database copy`. What each table keeps is tested in
//! `crates/db/tests/contract/copy.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use ideavault_db::SqlDatabase;
use ideavault_db::testing::{Cell, Column, TestDatabase};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::commands::{binary, run, stderr, stdout, tools};
use crate::erasure::erase;
use crate::evidence::placed;
use crate::harness::{App, Form, Link, png, vault};
use crate::secrecy::markers::Markers;
use crate::secrecy::{UsedVault, used_vault};

/// Makes each of the functions a test in both directions. They take a vault, and an empty database
/// of the other kind.
macro_rules! both_ways {
    ($($test:ident),+ $(,)?) => {
        mod from_sqlite_to_postgres {
            $(#[tokio::test]
            async fn $test() {
                let other = super::TestDatabase::postgres(super::vault()).blank_like();
                super::$test(super::App::on_sqlite().await, other).await;
            })+
        }

        mod from_postgres_to_sqlite {
            $(#[tokio::test]
            async fn $test() {
                let other = super::TestDatabase::sqlite(super::vault()).blank_like();
                super::$test(super::App::on_postgres().await, other).await;
            })+
        }
    };
}

both_ways!(
    a_vault_goes_on_in_the_other_database,
    a_refused_copy_leaves_the_vault_as_it_is,
);

fn command(arguments: &[&str], data_dir: &Path, url: &str) -> Command {
    let mut command = binary(arguments);
    command
        .env("IDEAVAULT_DATABASE_URL", url)
        .env("IDEAVAULT_DATA_DIR", data_dir)
        .envs(tools());
    command
}

fn copy(data_dir: &Path, from: &str, to: &str) -> Output {
    let mut command = command(&["database", "copy"], data_dir, from);
    command.env("IDEAVAULT_COPY_TO", to).output().unwrap()
}

/// Returns all values that a copy has to have; the storage gets another id.
fn values(cells: Vec<Cell>) -> Vec<(String, String, Vec<u8>)> {
    let values = cells
        .into_iter()
        .map(|cell| (cell.table, cell.column, cell.bytes));
    let others = [
        "storage_identity",
        "sqlite_sequence",
        "__diesel_schema_migrations",
    ];
    let mut values: Vec<_> = values
        .filter(|(table, ..)| !others.contains(&table.as_str()))
        .collect();
    values.sort();
    values
}

/// Returns the evidence of all ideas, or why there is none, as the operator exports it.
fn bundles(cells: &[Cell], data_dir: &Path, url: &str) -> Vec<Result<Vec<u8>, String>> {
    let folder = TempDir::new().unwrap();
    let ids = cells
        .iter()
        .filter(|cell| cell.table == "ideas" && cell.column == "id");
    let exported = ids.map(|id| {
        let id = str::from_utf8(&id.bytes).unwrap();
        let path = folder.path().join(id);
        let arguments = ["evidence", "export", id, path.to_str().unwrap()];
        let output = command(&arguments, data_dir, url).output().unwrap();
        fs::read(path).map_err(|_| String::from_utf8(output.stderr).unwrap())
    });
    exported.collect()
}

/// Returns the areas in which something fails: the doctor has another clock than the vault.
fn failed(data_dir: &Path, url: &str) -> Vec<String> {
    let report = command(&["doctor"], data_dir, url).output().unwrap();
    let report = String::from_utf8(report.stdout).unwrap();
    let failed = report.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let is_failure = words.next() == Some("failed");
        words.next().filter(|_| is_failure).map(str::to_owned)
    });
    failed.collect()
}

async fn a_vault_goes_on_in_the_other_database(app: App, other: TestDatabase) {
    let vault = used_vault(app, &mut Markers::default()).await;
    use_the_rest(&vault).await;
    let UsedVault {
        app, ada, draft, ..
    } = vault;
    let newest = ada.list("/api/ideas").await;
    let newest = newest.iter().map(|idea| idea["id"].as_i64().unwrap());
    let newest = newest.max().unwrap();
    let stopped = app.stop();
    let original = stopped.cells();
    let filled: BTreeSet<_> = original
        .iter()
        .map(|cell| (cell.table.clone(), cell.column.clone()))
        .collect();
    let columns = stopped.columns().into_iter();
    let is_empty =
        |column: &Column| !filled.contains(&(column.table.clone(), column.column.clone()));
    let mut empty: Vec<_> = columns.filter(is_empty).collect();
    empty.sort();
    // What outsiders have sent is copied in the contract tests.
    let elsewhere = ["artefact", "block", "chain", "seal", "time"].map(|column| Column {
        table: "evidence_anchors".to_owned(),
        column: column.to_owned(),
    });
    assert_eq!(empty, elsewhere, "extend `use_the_rest`");

    let (data_dir, from, to) = (stopped.data_dir(), stopped.database_url(), other.url());
    let before = bundles(&original, data_dir, from);
    assert!(before.iter().filter(|bundle| bundle.is_ok()).count() > 3);
    let ailing = failed(data_dir, from);
    let said = stdout(&copy(data_dir, from, to));
    for part in [
        "no differences",
        "ideavault doctor",
        "IDEAVAULT_DATABASE_URL",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(bundles(&original, data_dir, to) == before);
    assert_eq!(failed(data_dir, to), ailing);
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let refused = stderr(&command(&serve, data_dir, from).output().unwrap());
    assert!(refused.contains("belongs to another vault"), "{refused}");

    // On the way back, nothing was lost on the way there.
    let back = stopped.blank_database();
    stdout(&copy(data_dir, to, back.url()));
    assert!(values(back.cells()) == values(original));

    stdout(&command(&["adopt-files"], data_dir, to).output().unwrap());
    let app = stopped.start_with(&["--database-url", to]).await;
    let ada = ada.at(&app.browser());
    let path = format!("/api/ideas/{draft}");
    let idea = ada.get(&path).await.expect(200).text();
    assert!(idea.contains("zqsecondcontent"), "{idea}");
    let new = json!({ "title": "Kettle", "content": "<p>It waits</p>" });
    let new = ada.post("/api/ideas", new).await.expect(201).json();
    assert_eq!(new["id"], newest + 1);
    let record = format!("/api/ideas/{}/evidence/record", new["id"]);
    ada.post(&record, json!({})).await.expect(200);
    placed(&ada, newest + 1).await;
    let check = command(&["evidence", "check"], app.data_dir(), to).output();
    assert!(stdout(&check.unwrap()).contains("no differences"));
}

/// Uses what the test of secrecy does not use, so that every column has a value.
async fn use_the_rest(vault: &UsedVault) {
    let UsedVault { app, ada, .. } = vault;
    let image = Form::default().file("image", "kettle.png", "image/png", &png());
    let sent = ada.send(Method::POST, "/api/upload/image", |request| {
        image.on(request.header("Idempotency-Key", "0123456789abcdef"))
    });
    sent.await.expect(200);
    let new = json!({ "title": "Kettle", "content": "<p>It waits</p>" });
    let sent = ada.send(Method::POST, "/api/ideas", |request| {
        let request = request.header("Idempotency-Key", "0123456789abcdef");
        request.json(&new)
    });
    let idea = sent.await.expect(201).json()["id"].clone();
    let path = format!("/api/ideas/{idea}");
    ada.send(Method::PUT, &format!("{path}/publish"), |request| request)
        .await
        .expect(200);
    ada.put(&format!("{path}/public-record"), json!({ "enabled": true }))
        .await
        .expect(200);
    let share = async |terms: Value| {
        let link = ada.post("/api/shares", terms).await.expect(201).json();
        let text = |name: &str| link[name].as_str().unwrap().to_owned();
        Link {
            id: text("id"),
            token: text("accessLink"),
        }
    };
    let link = share(json!({ "ideaId": idea, "shareType": "full-access" })).await;
    let path = format!("/api/shares/{}", link.id);
    ada.put(&format!("{path}/notifications"), json!({ "mode": "never" }))
        .await
        .expect(200);
    let vera = app.visitor();
    let erased = vera.agree(&link).await;
    vera.read(&link).await;
    vera.close(&link).await.expect(204);
    erase(ada, &erased).await.expect(204);
    ada.delete(&path).await.expect(204);
    let email = "grace@example.org";
    let link = json!({
        "ideaId": idea, "shareType": "email", "recipientEmail": email, "coverTitle": "Teapot",
    });
    let link = share(link).await;
    let (grace, declining) = (app.visitor(), app.visitor());
    for reader in [&grace, &declining] {
        reader.open(&link).await.expect(200);
        reader.try_register(&link, email).await.expect(201);
    }
    let decline = format!("/api/share/{}/decline", link.token);
    let reason = json!({ "reason": "Too strict" });
    declining.post(&decline, reason).await.expect(204);
    let bob = app.creator("bob").await;
    stdout(&run(app, &["user", "quota", &bob.email, "500MB"]));
    let eve = app.creator("eve").await;
    let wrong = json!({ "email": eve.email, "password": "not-the-password" });
    app.browser()
        .post("/api/auth/login", wrong)
        .await
        .expect(401);
    stdout(&run(app, &["user", "delete", "--yes", &eve.email]));
    for sql in [
        "UPDATE users SET email_confirmed_at = created_at, registration_told_at = created_at",
        "INSERT INTO email_confirmations
         SELECT (SELECT max(id) FROM users WHERE deleted_at IS NULL), key_hash, created_at,
             created_at, created_at
         FROM viewer_sessions LIMIT 1",
        "UPDATE viewer_sessions SET replaces = browser_id",
        "UPDATE two_factors SET locked_until = confirmed_at",
        "UPDATE notices SET read_at = last_at",
        "UPDATE jobs SET run_id = name, last_success_at = due_at",
        "UPDATE audit_retention SET entries_before = (SELECT min(created_at) FROM users),
             addresses_before = (SELECT min(created_at) FROM users)",
        "INSERT INTO limit_counts SELECT key_hash, last_seen_at, 3 FROM known_devices",
        "INSERT INTO muted_recipients SELECT id FROM recipients",
        "INSERT INTO document_links
         SELECT key_hash, key_hash, key_hash, created_at, created_at
         FROM viewer_sessions LIMIT 1",
        "INSERT INTO unsubscribe_tokens
         SELECT key_hash, NULL, (SELECT max(id) FROM recipients), created_at FROM viewer_sessions",
        "INSERT INTO evidence_anchors
             (log, size, kind, name, state, attempts, asked_at, next_attempt_at, error)
         SELECT log, size, 'tsa', 'tsa.example.org', 'submitted', 1, made_at, made_at, 'away'
         FROM evidence_checkpoints LIMIT 1",
    ] {
        app.execute(sql);
    }
}

async fn a_refused_copy_leaves_the_vault_as_it_is(app: App, other: TestDatabase) {
    app.creator("ada").await.idea("Kettle", "<p>1</p>").await;
    let complaint = stderr(&copy(app.data_dir(), app.database_url(), other.url()));
    assert!(complaint.contains("stop all servers"), "{complaint}");
    app.browser().get("/readyz").await.expect(200);
    let stopped = app.stop();
    let (data_dir, from) = (stopped.data_dir(), stopped.database_url());
    let complaint = stderr(&copy(data_dir, from, from));
    assert!(complaint.contains("of the same kind"), "{complaint}");
    // Another folder than that of the vault.
    let folder = TempDir::new().unwrap();
    fs::copy(
        data_dir.join("secret.key"),
        folder.path().join("secret.key"),
    )
    .unwrap();
    fs::create_dir_all(folder.path().join("files/incoming")).unwrap();
    let complaint = stderr(&copy(folder.path(), from, other.url()));
    assert!(complaint.contains("has no file storage-id"), "{complaint}");
    SqlDatabase::require_empty(other.url()).unwrap();

    let address = folder.path().join("address");
    fs::write(&address, format!("{}\n", other.url())).unwrap();
    let arguments = ["database", "copy", "--to-file", address.to_str().unwrap()];
    stdout(&command(&arguments, data_dir, from).output().unwrap());
    let complaint = stderr(&copy(data_dir, from, other.url()));
    assert!(
        complaint.contains("belongs to another vault"),
        "{complaint}"
    );
    stdout(&command(&["adopt-files"], data_dir, from).output().unwrap());
    let complaint = stderr(&copy(data_dir, from, other.url()));
    assert!(
        complaint.contains("database of --to is not empty"),
        "{complaint}"
    );
    let app = stopped.start().await;
    app.browser().get("/readyz").await.expect(200);
}

#[tokio::test]
async fn an_address_of_postgres_that_fails_is_said_to_be_that_of_the_copy() {
    let app = App::on_sqlite().await;
    let stopped = app.stop();
    for to in [
        "postgres://u:hush@127.0.0.1:1/x",
        "postgres://u:hush@127.0.0.1:hush/x",
    ] {
        let complaint = stderr(&copy(stopped.data_dir(), stopped.database_url(), to));
        assert!(
            complaint.contains("the database of --to cannot be used"),
            "{complaint}"
        );
        assert!(
            complaint.contains("in --to") || complaint.contains("correct --to"),
            "{complaint}"
        );
        assert!(!complaint.contains("IDEAVAULT_DATABASE_URL"), "{complaint}");
    }
    let without = command(
        &["database", "copy"],
        stopped.data_dir(),
        stopped.database_url(),
    );
    let without = { without }.output().unwrap();
    assert_eq!(without.status.code(), Some(2));
    assert!(String::from_utf8(without.stderr).unwrap().contains("--to"));
}
