//! Leftovers of crashes, and their removal.

use chrono::Duration;
use serde_json::json;

use crate::commands::{run, stdout};
use crate::harness::{App, pdf};

on_both_databases!(
    starting_removes_only_unreferenced_files,
    a_removal_that_fails_does_not_prevent_the_others,
    the_audit_trail_is_shortened_as_it_is_set,
);

async fn starting_removes_only_unreferenced_files(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.pdf_idea(&pdf(1_000)).await;
    let path = idea["content"]["pdfPath"].as_str().unwrap();
    // As if a server had crashed between storing and committing, and another in the middle
    // of storing.
    let orphan = app.stored("/api/files/0b9f1c1e-7d7b-4f5e-9a50-5b3a35a1f0aa");
    std::fs::create_dir_all(orphan.parent().unwrap()).unwrap();
    std::fs::write(&orphan, "%PDF-").unwrap();
    let unfinished = app.data_dir().join("files/incoming/.tmpAbc123");
    std::fs::write(&unfinished, "%PD").unwrap();

    app.advance(Duration::hours(26));
    let second = app.another(&[]).await;

    // The cleanup runs beside the requests; a few of them give it time.
    let browser = second.browser();
    for _ in 0..10_000 {
        if !orphan.exists() && !unfinished.exists() {
            break;
        }
        browser.get("/healthz").await.expect(200);
    }
    assert!(!orphan.exists());
    assert!(!unfinished.exists());
    // The session has expired by then.
    ada.log_in(&browser).await.expect(200);
    assert!(browser.get(path).await.expect(200).body == pdf(1_000));
}

async fn a_removal_that_fails_does_not_prevent_the_others(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    app.visitor().agree(&link).await;
    let has_notices = || app.cells().iter().any(|cell| cell.table == "notices");
    assert!(has_notices());
    // Browsers are removed before notices.
    app.execute("ALTER TABLE known_devices RENAME TO elsewhere");
    app.advance(Duration::days(91));
    let _other = app.another(&[]).await;
    for _ in 0..3_600 {
        if !has_notices() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the notices are still there");
}

async fn the_audit_trail_is_shortened_as_it_is_set(app: App) {
    let app = app
        .restart(&[
            "--address-retention",
            "7days",
            "--audit-retention",
            "30days",
        ])
        .await;
    app.creator("ada").await;
    let listed = || stdout(&run(&app, &["audit"]));
    assert!(listed().contains("registered") && listed().contains("127.0.0.1"));
    let comes_to = async |is_it: &dyn Fn(&str) -> bool| {
        for _ in 0..3_600 {
            if is_it(&listed()) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{}", listed());
    };
    app.advance(Duration::days(8));
    comes_to(&|listed| listed.contains("registered") && !listed.contains("127.0.0.1")).await;
    app.advance(Duration::days(30));
    comes_to(&|listed| !listed.contains("registered")).await;
}
