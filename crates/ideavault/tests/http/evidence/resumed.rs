//! Attacks of somebody who can write to the database on continued logs, and on the tree.

use std::fs;

use serde_json::json;

use super::commands::{problems, tamper};
use super::log::{kept, signed, stopped};
use super::{placed, reader};
use crate::commands::{run, stdout};
use crate::harness::{App, Creator};

on_both_databases!(
    a_copy_from_before_a_resumption_is_not_continued,
    the_end_of_an_earlier_log_is_missed,
    a_server_that_remembers_nothing_compares_the_tree,
    a_lost_tree_stops_recording_and_resume_mends_it,
    a_key_that_keeps_another_event_from_being_recorded_is_found,
    the_check_goes_on_after_a_checkpoint_that_cannot_be_read,
);

/// An idea with a reader and then a link, all of it on record.
async fn scene(app: &App) -> (Creator, i64) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    reader(app, &link).await;
    let size = placed(&ada, idea).await.len() as u64 + 1;
    signed(app, size).await;
    ada.share(idea, "one-time", json!({})).await;
    placed(&ada, idea).await;
    signed(app, size + 1).await;
    (ada, idea)
}

/// Stops recording, and begins another log.
async fn resumed(app: &App) {
    fs::write(app.data_dir().join("log-checkpoint"), "").unwrap();
    stopped(app).await;
    stdout(&run(app, &["evidence", "resume", "--yes"]));
}

async fn a_copy_from_before_a_resumption_is_not_continued(app: App) {
    let (ada, idea) = scene(&app).await;
    resumed(&app).await;
    ada.share(idea, "full-access", json!({})).await;
    let events = placed(&ada, idea).await;
    assert_eq!(events.last().unwrap()["log"], "127.0.0.1/log2");
    signed(&app, 2).await;
    // Its row stays.
    for table in ["evidence_checkpoints", "evidence_nodes", "evidence_events"] {
        tamper(&app, table, &format!("DELETE FROM {table} WHERE log = 2"));
    }
    let before = kept(&app).unwrap();
    let reason = stopped(&app).await;
    let told = "has signed for the log 127.0.0.1/log2, which this database does not have";
    assert!(reason.contains(told), "{reason}");
    assert_eq!(kept(&app).unwrap(), before);
    let resumed = stdout(&run(&app, &["evidence", "resume", "--yes"]));
    assert!(resumed.contains("127.0.0.1/log3"), "{resumed}");
    ada.share(idea, "full-access", json!({})).await;
    let events = placed(&ada, idea).await;
    assert_eq!(events.last().unwrap()["log"], "127.0.0.1/log3");
}

async fn the_end_of_an_earlier_log_is_missed(app: App) {
    scene(&app).await;
    resumed(&app).await;
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
    let last = "(SELECT max(place) FROM evidence_events WHERE log = 1)";
    for (table, row) in [
        ("evidence_checkpoints", format!("log = 1 AND size > {last}")),
        ("evidence_events", format!("log = 1 AND place = {last}")),
        (
            "shares",
            "id NOT IN (SELECT share_id FROM recipients)".to_owned(),
        ),
    ] {
        tamper(&app, table, &format!("DELETE FROM {table} WHERE {row}"));
    }
    let found = problems(&app);
    assert_eq!(found.len(), 1, "{found:?}");
    let told = "the checkpoint before it is gone";
    assert!(found[0].1.contains(told), "{found:?}");
}

/// A new data folder, or another server: what is signed must still extend what was.
async fn a_server_that_remembers_nothing_compares_the_tree(app: App) {
    scene(&app).await;
    let other = "(SELECT digest FROM evidence_events WHERE seq = 1)";
    let sql = format!("UPDATE evidence_nodes SET hash = {other}");
    tamper(&app, "evidence_nodes", &sql);
    let file = app.data_dir().join("log-checkpoint");
    let server = app.stop();
    fs::remove_file(&file).unwrap();
    let app = server.start().await;
    let reason = stopped(&app).await;
    assert!(reason.contains("are not those"), "{reason}");
    assert_eq!(kept(&app), None);
}

async fn a_lost_tree_stops_recording_and_resume_mends_it(app: App) {
    let (ada, idea) = scene(&app).await;
    tamper(&app, "evidence_nodes", "DELETE FROM evidence_nodes");
    let app = app.restart(&[]).await;
    let reason = stopped(&app).await;
    assert!(reason.contains("are not those"), "{reason}");
    stdout(&run(&app, &["evidence", "resume", "--yes"]));
    let ada = ada.at(&app.browser());
    let share = json!({ "ideaId": idea, "shareType": "full-access" });
    ada.post("/api/shares", share).await.expect(201);
    let events = placed(&ada, idea).await;
    assert_eq!(events.last().unwrap()["log"], "127.0.0.1/log2");
}

async fn a_key_that_keeps_another_event_from_being_recorded_is_found(app: App) {
    let (ada, idea) = scene(&app).await;
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    placed(&ada, idea).await;
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
    let kinds = [
        ("share.created", format!("'revision 2 of idea {idea}'")),
        ("revision.recorded", "NULL".to_owned()),
    ];
    for (number, (kind, key)) in kinds.iter().enumerate() {
        let first = format!("SELECT min(seq) FROM evidence_events WHERE kind = '{kind}'");
        let sql = format!("UPDATE evidence_events SET once = {key} WHERE seq = ({first})");
        tamper(&app, "evidence_events", &sql);
        let found = problems(&app);
        assert_eq!(found.len(), number + 1, "{found:?}");
        assert!(found[number].1.contains("is not its own"), "{found:?}");
    }
}

async fn the_check_goes_on_after_a_checkpoint_that_cannot_be_read(app: App) {
    scene(&app).await;
    let (unchecked, root) = match app.database_url().starts_with("sqlite") {
        true => ("PRAGMA ignore_check_constraints = ON", "X'00'"),
        false => (
            "ALTER TABLE evidence_checkpoints DROP CONSTRAINT evidence_checkpoints_root_check",
            "decode('00', 'hex')",
        ),
    };
    let smallest = "(SELECT min(size) FROM evidence_checkpoints)";
    let sql = format!("UPDATE evidence_checkpoints SET root = {root} WHERE size = {smallest}");
    tamper(&app, "evidence_checkpoints", &format!("{unchecked}; {sql}"));
    let sql = "UPDATE nda_acceptances SET revision = 7";
    tamper(&app, "nda_acceptances", sql);
    let found = problems(&app);
    for table in ["evidence_checkpoints", "nda_acceptances"] {
        let mut found = found.iter();
        assert!(found.any(|(of, _)| of == table), "{table}");
    }
}
