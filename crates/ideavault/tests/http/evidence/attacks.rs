//! Somebody who can write to the database, and has no key: what is signed stays true, and what was
//! changed is told.

use std::fs;

use ideavault_domain::digest::Digest;
use serde_json::{Value, json};

use super::commands::{problems, tamper};
use super::log::{kept, signed, stopped};
use super::{placed, reader};
use crate::commands::{run, stdout};
use crate::harness::{App, Creator, pdf};

on_both_databases!(
    an_inserted_event_is_not_signed_and_stops_recording,
    an_inserted_erasure_is_not_signed_and_is_found,
    an_inserted_checkpoint_is_not_signed,
    an_inserted_key_is_not_shown_and_stops_recording,
    a_damaged_log_checkpoint_stops_recording_and_resume_mends_it,
    numbers_of_ideas_that_a_restored_copy_lacks_are_not_given_again,
    removed_checkpoints_and_changed_times_are_found,
    every_changed_column_that_is_on_record_is_found,
);

async fn scene(app: &App) -> (Creator, i64, u64) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    reader(app, &link).await;
    let size = placed(&ada, idea).await.len() as u64 + 1;
    signed(app, size).await;
    (ada, idea, size)
}

/// Inserts an event without a place, in the form that the server writes.
fn insert_event(app: &App, kind: &str, columns: &[(&str, String)], members: &Value) {
    let mut event = json!({
        "v": 1,
        "log": "127.0.0.1/log1",
        "type": kind,
        "at": "2026-11-27T12:00:00.000000Z",
        "salt": "A".repeat(43),
        "discloses": {},
    });
    for (name, value) in members.as_object().unwrap() {
        event[name] = value.clone();
    }
    let body = event.to_string();
    let digest: String = Digest::of(body.as_bytes()).to_string();
    let digest = if app.database_url().starts_with("sqlite") {
        format!("X'{digest}'")
    } else {
        format!("decode('{digest}', 'hex')")
    };
    let names: String = columns
        .iter()
        .map(|(name, _)| format!("{name}, "))
        .collect();
    let values: String = columns
        .iter()
        .map(|(_, value)| format!("{value}, "))
        .collect();
    app.execute(&format!(
        "INSERT INTO evidence_events ({names}kind, at, body, digest, seal) VALUES ({values}'{kind}', \
         '2026-11-27T12:00:00.000000Z', '{body}', {digest}, {digest})"
    ));
}

/// Returns how many events are signed for.
fn size_of(app: &App) -> u64 {
    let note = kept(app).unwrap();
    note.lines().nth(1).unwrap().parse().unwrap()
}

async fn an_inserted_event_is_not_signed_and_stops_recording(app: App) {
    let (ada, idea, size) = scene(&app).await;
    let keys = stdout(&run(&app, &["evidence", "key"]));
    let foreign = "127.0.0.1/log1+8fb4ac41+AZXZ2e5WxZqWj1HZDZUXZnlnZ0dGkwvCPTpsVYUHjlIk";
    insert_event(&app, "key.rotated", &[], &json!({ "vkey": foreign }));
    // The server looks when it has something of its own to record.
    ada.share(idea, "full-access", json!({})).await;
    let reason = stopped(&app).await;
    assert!(reason.contains("waits for its place"), "{reason}");
    assert_eq!(size_of(&app), size);
    let found = problems(&app);
    let told = "no server of this vault has written it so";
    assert!(
        found
            .iter()
            .any(|(table, problem)| table == "evidence_events" && problem.contains(told)),
        "{found:?}"
    );
    // The server's own events go on in a new log; the inserted row stays where it is.
    stdout(&run(&app, &["evidence", "resume", "--yes"]));
    let events = placed(&ada, idea).await;
    assert_eq!(events.last().unwrap()["log"], "127.0.0.1/log2");
    let status = stdout(&run(&app, &["evidence", "status"]));
    assert!(status.contains("recording   running"), "{status}");
    assert!(!stdout(&run(&app, &["evidence", "key"])).contains(foreign));
    assert!(!keys.contains(foreign));
    let app = app.restart(&[]).await;
    let ada = ada.at(&app.browser());
    let share = json!({ "ideaId": idea, "shareType": "full-access" });
    ada.post("/api/shares", share).await.expect(201);
    placed(&ada, idea).await;
    let found = problems(&app);
    assert_eq!(found.len(), 1, "{found:?}");
}

async fn an_inserted_erasure_is_not_signed_and_is_found(app: App) {
    let (_, idea, size) = scene(&app).await;
    let recipient = app
        .cells()
        .into_iter()
        .find(|cell| cell.table == "nda_acceptances" && cell.column == "recipient_id");
    let recipient = String::from_utf8(recipient.unwrap().bytes).unwrap();
    let columns = [
        ("idea_id", idea.to_string()),
        ("recipient_id", format!("'{recipient}'")),
    ];
    let members = json!({ "idea": idea.to_string(), "recipient": recipient });
    insert_event(&app, "person.erased", &columns, &members);
    app.execute(&format!(
        "DELETE FROM evidence_disclosures WHERE name = 'person' AND event IN \
         (SELECT seq FROM evidence_events WHERE recipient_id = '{recipient}')"
    ));
    stopped(&app).await;
    assert_eq!(size_of(&app), size);
    let found = problems(&app);
    let of = |table: &str| found.iter().any(|(found, _)| found == table);
    assert!(of("evidence_events"), "{found:?}");
    // An event that no server of this vault wrote excuses nothing.
    assert!(of("evidence_disclosures"), "{found:?}");
}

async fn an_inserted_checkpoint_is_not_signed(app: App) {
    let (ada, idea, size) = scene(&app).await;
    app.execute(&format!(
        "INSERT INTO evidence_checkpoints (log, size, root, made_at, previous, seal) \
         SELECT log, size + 1, root, made_at, size, seal FROM evidence_checkpoints WHERE size = {size}"
    ));
    let reason = stopped(&app).await;
    assert!(reason.contains("has written the checkpoint"), "{reason}");
    assert_eq!(size_of(&app), size);
    stdout(&run(&app, &["evidence", "resume", "--yes"]));
    ada.share(idea, "full-access", json!({})).await;
    let events = placed(&ada, idea).await;
    assert_eq!(events.last().unwrap()["log"], "127.0.0.1/log2");
}

async fn an_inserted_key_is_not_shown_and_stops_recording(app: App) {
    let (ada, idea, size) = scene(&app).await;
    let shown = stdout(&run(&app, &["evidence", "key"]));
    let foreign = "127.0.0.1/log1+8fb4ac41+AZXZ2e5WxZqWj1HZDZUXZnlnZ0dGkwvCPTpsVYUHjlIk";
    app.execute(&format!(
        "INSERT INTO evidence_log_keys (log, from_size, vkey, seed) \
         SELECT log, 2, '{foreign}', seed FROM evidence_log_keys"
    ));
    ada.share(idea, "full-access", json!({})).await;
    let reason = stopped(&app).await;
    assert!(reason.contains(foreign), "{reason}");
    assert_eq!(size_of(&app), size);
    let path = format!("/api/ideas/{idea}/evidence");
    let evidence = ada.get(&path).await.expect(200).json();
    assert_eq!(evidence["log"]["vkey"], shown.trim());
    let refused = run(&app, &["evidence", "key"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(refused.stdout.is_empty());
}

async fn a_damaged_log_checkpoint_stops_recording_and_resume_mends_it(app: App) {
    let (ada, idea, _) = scene(&app).await;
    let file = app.data_dir().join("log-checkpoint");
    let note = kept(&app).unwrap();
    for damaged in [b"".as_slice(), &note.as_bytes()[..20], &[0xFF, 0xFE]] {
        fs::write(&file, damaged).unwrap();
        ada.share(idea, "full-access", json!({})).await;
        let reason = stopped(&app).await;
        assert!(reason.contains("log-checkpoint"), "{reason}");
        let status = stdout(&run(&app, &["evidence", "status"]));
        assert!(status.contains("is empty or damaged"), "{status}");
        stdout(&run(&app, &["evidence", "resume", "--yes"]));
        placed(&ada, idea).await;
    }
    let events = placed(&ada, idea).await;
    assert_eq!(events.last().unwrap()["log"], "127.0.0.1/log4");
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
}

async fn numbers_of_ideas_that_a_restored_copy_lacks_are_not_given_again(app: App) {
    let (_, idea, _) = scene(&app).await;
    let file = app.data_dir().join("newest-idea");
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{idea}\n"));
    // As when an older copy of the database is put under the data folder.
    let stopped = app.stop();
    fs::write(&file, "50\n").unwrap();
    let app = stopped.start().await;
    let eve = app.creator("eve").await;
    assert_eq!(eve.idea("Lamp", "<p>Glows</p>").await, 51);
    let app = app.restart(&[]).await;
    let eve = app.creator("mallory").await;
    assert_eq!(eve.idea("Loom", "<p>Weaves</p>").await, 52);
}

async fn removed_checkpoints_and_changed_times_are_found(app: App) {
    let (ada, idea, _) = scene(&app).await;
    for _ in 0..2 {
        ada.share(idea, "full-access", json!({})).await;
        placed(&ada, idea).await;
    }
    let smallest = "(SELECT min(size) FROM evidence_checkpoints)";
    let later = "(SELECT max(made_at) FROM evidence_checkpoints)";
    for (table, sql) in [
        (
            "evidence_checkpoints",
            format!("UPDATE evidence_checkpoints SET made_at = {later} WHERE size = {smallest}"),
        ),
        (
            "evidence_checkpoints",
            format!("DELETE FROM evidence_checkpoints WHERE size = {smallest}"),
        ),
        (
            "evidence_events",
            "UPDATE evidence_events SET at = (SELECT max(at) FROM evidence_events) WHERE seq = 1"
                .to_owned(),
        ),
    ] {
        tamper(&app, table, &sql);
        let found = problems(&app);
        assert_eq!(found.last().unwrap().0, table, "{sql}: {found:?}");
    }
}

async fn every_changed_column_that_is_on_record_is_found(app: App) {
    let (ada, idea, _) = scene(&app).await;
    let imported = ada.pdf_idea(&pdf(5_000)).await;
    ada.publish(imported["id"].as_i64().unwrap()).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let comment = json!({ "recipientId": recipient, "content": "Splendid" });
    let comment = vera.post("/api/comments", comment).await.expect(201).json();
    let path = format!("/api/comments/{}", comment["id"].as_str().unwrap());
    let changed = json!({ "content": "Very splendid" });
    vera.put(&path, changed).await.expect(200);
    let olga = app.visitor();
    olga.register(&link).await;
    let path = format!("/api/share/{}/decline", link.token);
    olga.post(&path, json!({})).await.expect(204);
    placed(&ada, idea).await;
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
    let mut known = 0;
    for (table, sql) in [
        (
            "files",
            "UPDATE files SET kind = 'image', media_type = 'image/png'",
        ),
        (
            "ideas",
            "UPDATE ideas SET document_id = 'IV-1111-1111-1111' WHERE published_at IS NOT NULL",
        ),
        (
            "idea_revisions",
            "UPDATE idea_revisions SET sha256 = (SELECT title FROM ideas ORDER BY id LIMIT 1) \
             WHERE idea_id = (SELECT min(id) FROM ideas)",
        ),
        ("comments", "UPDATE comments SET edited_at = NULL"),
        ("comments", "UPDATE comments SET share_id = NULL"),
        (
            "recipients",
            "UPDATE recipients SET closed_at = NULL, end_reason = NULL \
             WHERE end_reason = 'declined'",
        ),
        (
            "recipients",
            "UPDATE recipients SET erased_at = created_at WHERE seq = 1",
        ),
        (
            "recipients",
            "UPDATE recipients SET agreement_erased = NOT agreement_erased WHERE seq = 2",
        ),
        (
            "view_grants",
            "UPDATE view_grants SET id = (SELECT max(id) FROM shares) WHERE seq = 1",
        ),
    ] {
        tamper(&app, table, sql);
        let found = problems(&app);
        assert!(found.len() > known, "{sql}: {found:?}");
        known = found.len();
    }
    // There is no other version that could be read.
    let sql = "UPDATE nda_acceptances SET nda_version = '1.0'";
    tamper(&app, "nda_acceptances", sql);
    let found = problems(&app);
    assert!(
        found
            .iter()
            .any(|(table, problem)| table == "recipients" && problem.contains("cannot be read")),
        "{found:?}"
    );
}
