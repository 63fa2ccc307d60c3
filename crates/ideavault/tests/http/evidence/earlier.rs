//! The upgrade records events from before the start of the log.

use std::fs;

use chrono::Duration;
use ideavault_evidence::bundle::{BundleReader, Limits};
use serde_json::{Value, json};

use super::bundles::assert_valid_in_python;
use super::commands::{exported, tamper, verified};
use super::{kinds, placed, reader};
use crate::commands::{run, stdout};
use crate::harness::{App, Browser, pdf};

on_both_databases!(what_happened_before_the_log_is_recorded_with_its_time);

const TABLES: &[&str] = &[
    "evidence_anchors",
    "evidence_disclosures",
    "evidence_nodes",
    "evidence_checkpoints",
    "evidence_events",
    "evidence_log_keys",
    "evidence_logs",
];

async fn activity(ada: &Browser, idea: i64) -> Value {
    let path = format!("/api/ideas/{idea}/activity?limit=1000");
    ada.get(&path).await.expect(200).json()
}

async fn what_happened_before_the_log_is_recorded_with_its_time(app: App) {
    // Verification compares with the system's clock.
    app.advance(-Duration::hours(1));
    let ada = app.creator("ada").await;
    let imported = ada.pdf_idea(&pdf(1_000)).await;
    let idea = imported["id"].as_i64().unwrap();
    ada.publish(idea).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let grace = reader(&app, &link).await;
    grace.read(&link).await;
    let download = format!("/api/share/{}/download", link.token);
    grace.get(&download).await.expect(200);
    for text in ["Splendid", "Very splendid"] {
        let comment = json!({ "ideaId": idea, "content": text });
        ada.post("/api/comments", comment).await.expect(201);
    }
    let revoked = ada.share(idea, "one-time", json!({})).await;
    ada.delete(&format!("/api/shares/{}", revoked.id))
        .await
        .expect(204);
    let draft = ada.idea("Never shown", "<p>Nothing</p>").await;
    let before = placed(&ada, idea).await;
    let shown = activity(&ada, idea).await;
    for table in TABLES {
        tamper(&app, table, "SELECT 1");
    }
    app.advance(Duration::hours(1));
    let stopped = app.stop();

    // A database as it was before there was a log.
    stopped.execute("INSERT INTO ideas_before_log SELECT id FROM ideas");
    stopped.execute(
        "INSERT INTO downloads_before_log \
         SELECT e.idea_id, e.recipient_id, (SELECT MAX(id) FROM view_grants), e.at \
         FROM evidence_events e WHERE e.kind = 'file.delivered'",
    );
    for table in TABLES {
        stopped.execute(&format!("DELETE FROM {table}"));
    }
    fs::remove_file(stopped.data_dir().join("log-checkpoint")).unwrap();
    let app = stopped.start().await;
    let ada = ada.at(&app.browser());

    assert_eq!(activity(&ada, idea).await, shown);
    let after = placed(&ada, idea).await;
    let kept = |events: &[Value]| -> Vec<(String, Value)> {
        let listed = events.iter().filter(|event| {
            // No table says when a text or an image was sent.
            event["type"] != "agreement.delivered" && event["type"] != "revision.recorded"
        });
        let listed = listed.map(|event| {
            let kind = event["type"].as_str().unwrap().to_owned();
            (kind, event["at"].clone())
        });
        listed.collect()
    };
    assert_eq!(kept(&after), kept(&before));
    assert!(after.iter().all(|event| event["recordedLater"] == true));
    assert!(kinds(&after).contains(&"idea.published"), "{after:?}");
    assert!(placed(&ada, draft).await.is_empty());
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
    let (_folder, bundle) = exported(&app, idea);
    let (status, said) = verified(&bundle, &[]);
    assert_eq!(status, 3, "{said}");
    let bytes = fs::read(&bundle).unwrap();
    assert_valid_in_python(&BundleReader::from_bytes(bytes, &Limits::default()).unwrap());

    // Nothing is recorded twice.
    let app = app.restart(&[]).await;
    let ada = ada.at(&app.browser());
    assert_eq!(placed(&ada, idea).await.len(), after.len());
}
