//! The operator's commands about evidence, and `verify`, run with the real binary.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::Duration;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::log::{kept, pretend, signed, stopped};
use super::{placed, reader};
use crate::commands::{binary, run, stderr, stdout};
use crate::harness::{App, Browser, Creator, pdf};
use crate::secrecy::files_in;

on_both_databases!(
    a_deleted_draft_takes_its_comments_and_fits,
    the_log_is_shown_and_its_key_printed,
    an_exported_bundle_is_verified_with_exit_codes,
    the_evidence_of_a_disabled_account_is_exported_with_its_content,
    a_rotated_key_is_vouched_for_by_the_one_before,
    a_second_new_key_has_to_wait_for_the_first,
    what_was_changed_is_found_and_named,
    an_absent_event_or_node_is_named,
    rows_and_files_that_contradict_the_record_are_found,
    recording_resumes_in_another_log_that_names_the_one_before,
    recording_resumes_after_the_log_was_lost_as_a_whole,
);

async fn scene(app: &App) -> (Creator, i64) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    reader(app, &link).await;
    let events = placed(&ada, idea).await;
    signed(app, events.len() as u64 + 1).await;
    (ada, idea)
}

/// Exports the evidence of an idea. The bundle is gone with the folder.
pub fn exported(app: &App, idea: i64) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("evidence.zip");
    let (idea, path) = (idea.to_string(), bundle.to_str().unwrap());
    stdout(&run(app, &["evidence", "export", &idea, path]));
    (folder, bundle)
}

/// Verifies a bundle; returns the exit status and what was printed.
pub fn verified(bundle: &Path, options: &[&str]) -> (i32, String) {
    let mut arguments = vec!["verify", bundle.to_str().unwrap()];
    arguments.extend(options);
    let output = binary(&arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().unwrap(), said)
}

async fn the_log_is_shown_and_its_key_printed(app: App) {
    let (ada, idea) = scene(&app).await;
    let status = stdout(&run(&app, &["evidence", "status"]));
    assert!(status.contains("127.0.0.1/log1"), "{status}");
    assert!(status.contains("recording   running"), "{status}");
    let key = stdout(&run(&app, &["evidence", "key"]));
    let path = format!("/api/ideas/{idea}/evidence");
    let shown = ada.get(&path).await.expect(200).json();
    assert_eq!(key.trim(), shown["log"]["vkey"]);
    let nothing = run(&app, &["evidence", "resume", "--yes"]);
    assert_eq!(nothing.status.code(), Some(1));
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
}

async fn an_exported_bundle_is_verified_with_exit_codes(app: App) {
    let (_, idea) = scene(&app).await;
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("evidence.zip");
    let path = bundle.to_str().unwrap();
    let export = ["evidence", "export", &idea.to_string(), path];
    stdout(&run(&app, &export));
    let complaint = stderr(&run(&app, &export));
    assert!(complaint.contains("choose a new name"), "{complaint}");
    let key = stdout(&run(&app, &["evidence", "key"]));
    let (status, said) = verified(&bundle, &["--key", key.trim()]);
    assert_eq!(status, 3, "{said}");
    assert!(
        said.contains("Valid, but on the server's own word"),
        "{said}"
    );
    assert_eq!(verified(&bundle, &[]).0, 3);
    let other = "127.0.0.1/log1+8fb4ac41+AZXZ2e5WxZqWj1HZDZUXZnlnZ0dGkwvCPTpsVYUHjlIk";
    assert_ne!(verified(&bundle, &["--key", other]).0, 0);
    assert_eq!(verified(&bundle, &["--key", "nonsense"]).0, 64);
    assert_eq!(verified(&folder.path().join("absent.zip"), &[]).0, 64);
    assert_eq!(
        binary(&["verify"]).output().unwrap().status.code(),
        Some(64)
    );
    let mut bytes = fs::read(&bundle).unwrap();
    let content = b"<p>It waits</p>";
    let at = bytes
        .windows(content.len())
        .position(|part| part == content);
    bytes[at.unwrap() + 3] ^= 1;
    fs::write(&bundle, bytes).unwrap();
    let (status, said) = verified(&bundle, &["--key", key.trim()]);
    assert_eq!(status, 1);
    assert!(said.contains("FAILS    idea/version-1.html"), "{said}");
}

async fn the_evidence_of_a_disabled_account_is_exported_with_its_content(app: App) {
    let (ada, idea) = scene(&app).await;
    stdout(&run(&app, &["user", "disable", &ada.email]));
    let (_folder, bundle) = exported(&app, idea);
    let (status, said) = verified(&bundle, &[]);
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("idea/version-1.html"), "{said}");
}

async fn a_rotated_key_is_vouched_for_by_the_one_before(app: App) {
    let (ada, idea) = scene(&app).await;
    let first = stdout(&run(&app, &["evidence", "key"]));
    stdout(&run(&app, &["evidence", "rotate-key"]));
    let keys = stdout(&run(&app, &["evidence", "key"]));
    assert_eq!(keys.lines().count(), 2);
    assert!(keys.starts_with(&first));
    ada.share(idea, "full-access", json!({})).await;
    let events = placed(&ada, idea).await;
    signed(&app, events.len() as u64 + 2).await;
    let (_folder, bundle) = exported(&app, idea);
    for key in keys.lines() {
        let (status, said) = verified(&bundle, &["--key", key]);
        assert_eq!(status, 3, "{said}");
        assert!(!said.contains("FAILS"), "{said}");
    }
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
}

/// Changes the database as somebody does who controls it.
pub fn tamper(app: &App, table: &str, sql: &str) {
    if app.database_url().starts_with("sqlite") {
        for event in [
            "update",
            "delete",
            "replace",
            "identity",
            "thread",
            "withdrawn",
            "details",
            "erased",
            "published_update",
        ] {
            app.execute(&format!("DROP TRIGGER IF EXISTS {table}_{event}"));
        }
    } else {
        app.execute(&format!("ALTER TABLE {table} DISABLE TRIGGER USER"));
    }
    app.execute(sql);
}

async fn a_second_new_key_has_to_wait_for_the_first(app: App) {
    // With no server, which would give the event of the first key its place.
    let stopped = app.stop();
    let rotate = || {
        binary(&["evidence", "rotate-key"])
            .env("IDEAVAULT_DATABASE_URL", stopped.database_url())
            .env("IDEAVAULT_DATA_DIR", stopped.data_dir())
            .output()
            .unwrap()
    };
    stdout(&rotate());
    let complaint = stderr(&rotate());
    assert!(complaint.contains("start the server"), "{complaint}");
}

async fn what_was_changed_is_found_and_named(app: App) {
    scene(&app).await;
    let count = |lines: &str| lines.lines().count();
    let mut before = 0;
    for (table, sql) in [
        (
            "evidence_events",
            "UPDATE evidence_events SET body = replace(body, 'view.started', 'visit.closed') \
             WHERE kind = 'view.started'",
        ),
        (
            "evidence_events",
            "UPDATE evidence_events SET kind = 'visit.closed' WHERE kind = 'share.created'",
        ),
        (
            "evidence_disclosures",
            "DELETE FROM evidence_disclosures WHERE name = 'person'",
        ),
        (
            "evidence_nodes",
            "UPDATE evidence_nodes SET hash = (SELECT digest FROM evidence_events LIMIT 1) \
             WHERE position = 2",
        ),
        (
            "evidence_checkpoints",
            "UPDATE evidence_checkpoints SET root = (SELECT digest FROM evidence_events LIMIT 1)",
        ),
    ] {
        tamper(&app, table, sql);
        let output = run(&app, &["evidence", "check", "--json"]);
        assert_eq!(output.status.code(), Some(1), "{sql}");
        let found = String::from_utf8(output.stdout).unwrap();
        assert!(count(&found) > before, "{sql}: {found}");
        before = count(&found);
        let tables: Vec<Value> = found
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["table"].clone())
            .collect();
        assert!(tables.contains(&json!(table)), "{sql}: {found}");
    }
}

async fn an_absent_event_or_node_is_named(app: App) {
    scene(&app).await;
    tamper(
        &app,
        "evidence_nodes",
        "DELETE FROM evidence_nodes WHERE position = 2",
    );
    let found = problems(&app);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "evidence_nodes");
    assert!(found[0].1.ends_with("the node is missing"), "{found:?}");

    let of_third = "(SELECT seq FROM evidence_events WHERE place = 2)";
    tamper(
        &app,
        "evidence_disclosures",
        &format!("DELETE FROM evidence_disclosures WHERE event = {of_third}"),
    );
    tamper(
        &app,
        "evidence_events",
        "DELETE FROM evidence_events WHERE place = 2",
    );
    let found = problems(&app);
    let gap = "no event has this place";
    assert!(
        found
            .iter()
            .any(|(table, problem)| table == "evidence_events" && problem.contains(gap)),
        "{found:?}"
    );

    tamper(
        &app,
        "evidence_events",
        "UPDATE evidence_events SET kind = 'nonsense' WHERE seq = 2",
    );
    // The check goes on after it.
    let found = problems(&app);
    let told = "a stored value is damaged";
    assert!(
        found
            .iter()
            .any(|(table, problem)| table == "evidence_events" && problem.contains(told)),
        "{found:?}"
    );
    assert!(found.iter().any(|(table, _)| table == "ideas"), "{found:?}");
}

/// Tables and problems of the differences.
pub fn problems(app: &App) -> Vec<(String, String)> {
    let found = differences(app).into_iter();
    found
        .map(|(table, line)| {
            let found: Value = serde_json::from_str(&line).unwrap();
            (table, found["problem"].as_str().unwrap().to_owned())
        })
        .collect()
}

async fn rows_and_files_that_contradict_the_record_are_found(app: App) {
    let (ada, idea) = scene(&app).await;
    let imported = ada.pdf_idea(&pdf(5_000)).await;
    ada.publish(imported["id"].as_i64().unwrap()).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let grace = reader(&app, &link).await;
    for text in ["Splendid", "Very splendid"] {
        let comment = json!({ "ideaId": idea, "content": text });
        ada.post("/api/comments", comment).await.expect(201);
    }
    grace.read(&link).await;
    let other = ada.share(idea, "one-time", json!({})).await;
    ada.delete(&format!("/api/shares/{}", other.id))
        .await
        .expect(204);
    placed(&ada, idea).await;
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("1 file of 2 ideas"), "{check}");
    let mut known = std::collections::BTreeSet::new();
    for (table, sql) in [
        ("nda_acceptances", "UPDATE nda_acceptances SET revision = 7"),
        (
            "nda_acceptances",
            "UPDATE nda_acceptances SET email_confirmed_at = accepted_at",
        ),
        (
            "recipients",
            "UPDATE recipients SET created_at = (SELECT created_at FROM users LIMIT 1)",
        ),
        ("view_grants", "UPDATE view_grants SET revision = 9"),
        ("shares", "UPDATE shares SET revoked_at = NULL"),
        ("shares", "UPDATE shares SET revoked_at = created_at"),
        ("comments", "UPDATE comments SET withdrawn_at = created_at"),
        (
            "comments",
            "UPDATE comments SET sealed = (SELECT sealed FROM comments ORDER BY seq LIMIT 1)",
        ),
        (
            "ideas",
            "UPDATE ideas SET deleted_at = created_at WHERE published_at IS NULL",
        ),
    ] {
        tamper(&app, table, sql);
        let found = differences(&app);
        let new: Vec<_> = found.difference(&known).collect();
        let names = |(of, _): &&(String, String)| of == table || of == "evidence_events";
        assert!(!new.is_empty() && new.iter().all(names), "{sql}: {new:?}");
        known = found;
    }
    // The bytes of the file.
    for file in files_in(&app.data_dir().join("files")) {
        let mut bytes = fs::read(&file).unwrap();
        if let Some(last) = bytes.last_mut() {
            *last ^= 1;
            fs::write(&file, bytes).unwrap();
        }
    }
    let found = differences(&app);
    assert!(found.iter().any(|(table, _)| table == "files"), "{found:?}");

    let sql = "UPDATE idea_revisions SET content = NULL WHERE idea_id IN \
               (SELECT id FROM ideas WHERE published_at IS NOT NULL)";
    tamper(&app, "idea_revisions", sql);
    let gone = differences(&app);
    let is_named = |row: &str| row.contains("the content on record is gone");
    assert!(gone.iter().any(|(_, row)| is_named(row)), "{gone:?}");
}

/// Tables and rows of the differences.
fn differences(app: &App) -> std::collections::BTreeSet<(String, String)> {
    let output = run(app, &["evidence", "check", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("is not as it was recorded"), "{said}");
    let found = String::from_utf8(output.stdout).unwrap();
    let lines = found.lines();
    lines
        .map(|line| {
            let found: Value = serde_json::from_str(line).unwrap();
            (found["table"].as_str().unwrap().to_owned(), line.to_owned())
        })
        .collect()
}

async fn recording_resumes_in_another_log_that_names_the_one_before(app: App) {
    let (ada, idea) = scene(&app).await;
    let note = kept(&app).unwrap();
    let size = note.lines().nth(1).unwrap().to_owned();
    let app = pretend(app, &note.replacen(&format!("\n{size}\n"), "\n2000\n", 1)).await;
    stopped(&app).await;
    let status = stdout(&run(&app, &["status"]));
    assert!(
        status.contains("stopped: the database has only"),
        "{status}"
    );
    let status: Value = serde_json::from_str(&stdout(&run(&app, &["status", "--json"]))).unwrap();
    assert_eq!(status["recording"]["state"], "stopped");
    let reason = status["recording"]["reason"].as_str().unwrap();
    assert!(reason.contains("of the 2000 events"), "{reason}");
    let ada: Browser = ada.at(&app.browser());
    let share = json!({ "ideaId": idea, "shareType": "full-access" });
    ada.post("/api/shares", share).await.expect(201);
    app.advance(Duration::hours(3));
    // Nobody can answer here.
    let asked = run(&app, &["evidence", "resume"]);
    assert_eq!(asked.status.code(), Some(1));
    let explained = String::from_utf8(asked.stdout).unwrap();
    for part in [
        "of the 2000 events",
        "begins a new log",
        "nothing undoes it",
    ] {
        assert!(explained.contains(part), "{explained}");
    }
    let refused = String::from_utf8(asked.stderr).unwrap();
    assert!(refused.contains("--yes"), "{refused}");
    stopped(&app).await;
    let resumed = stdout(&run(&app, &["evidence", "resume", "--yes"]));
    assert!(resumed.contains("127.0.0.1/log2"), "{resumed}");
    let events = placed(&ada, idea).await;
    assert_eq!(events.last().unwrap()["log"], "127.0.0.1/log2");
    assert_eq!(events[0]["log"], "127.0.0.1/log1");
    let (_folder, bundle) = exported(&app, idea);
    let (status, said) = verified(&bundle, &[]);
    assert_eq!(status, 3, "{said}");
    let again = run(&app, &["evidence", "resume", "--yes"]);
    assert_eq!(again.status.code(), Some(1));
}

/// An older copy was restored, recording resumed, and then a copy from before that was restored.
async fn recording_resumes_after_the_log_was_lost_as_a_whole(app: App) {
    let (ada, idea) = scene(&app).await;
    let lost = kept(&app).unwrap().replacen("/log1\n", "/log5\n", 1);
    let app = pretend(app, &lost).await;
    let reason = stopped(&app).await;
    assert!(reason.contains("127.0.0.1/log5"), "{reason}");
    let ada: Browser = ada.at(&app.browser());
    let share = json!({ "ideaId": idea, "shareType": "full-access" });
    ada.post("/api/shares", share).await.expect(201);
    app.advance(Duration::hours(3));
    let resumed = stdout(&run(&app, &["evidence", "resume", "--yes"]));
    assert!(resumed.contains("127.0.0.1/log6"), "{resumed}");
    let events = placed(&ada, idea).await;
    assert_eq!(events.last().unwrap()["log"], "127.0.0.1/log6");
    let (_folder, bundle) = exported(&app, idea);
    let (status, said) = verified(&bundle, &[]);
    assert_eq!(status, 3, "{said}");
    // Another server signed the lost log too, and goes on.
    let app = pretend(app, &lost).await;
    let again = run(&app, &["evidence", "resume", "--yes"]);
    assert_eq!(again.status.code(), Some(1));
    let ready = app.browser().get("/readyz").await.expect(200).json();
    assert_eq!(ready["recording"]["state"], "running", "{ready}");
}

async fn a_deleted_draft_takes_its_comments_and_fits(app: App) {
    let (ada, idea) = scene(&app).await;
    let comment = json!({ "ideaId": idea, "content": "Mine" });
    ada.post("/api/comments", comment).await.expect(201);
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    placed(&ada, idea).await;
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
}
