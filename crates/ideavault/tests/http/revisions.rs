//! Revisions, agreements and activity, read back by those who may.

use chrono::Duration;
use serde_json::{Value, json};

use crate::harness::App;

on_both_databases!(
    an_old_revision_can_be_read_and_restored_by_saving_it,
    an_agreement_is_downloaded_only_by_its_reader_and_the_owner,
    activity_is_exported_as_csv_and_json,
);

async fn an_old_revision_can_be_read_and_restored_by_saving_it(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>First</p>").await;
    let path = format!("/api/ideas/{idea}");
    let body = json!({ "title": "Boiler", "content": "<p>Second</p>" });
    ada.put(&path, body).await.expect(200);
    let first = ada
        .get(&format!("{path}/revisions/1"))
        .await
        .expect(200)
        .json();
    assert_eq!(first["title"], "Kettle");
    assert_eq!(first["content"], "<p>First</p>");
    assert_eq!(first["kept"], true);
    for number in ["0", "3", "-1", "+1", "01", "x", "99999999999"] {
        ada.get(&format!("{path}/revisions/{number}"))
            .await
            .expect(404);
    }
    let back = json!({
        "title": first["title"],
        "content": first["content"],
        "baseRevision": 2
    });
    let saved = ada.put(&path, back).await.expect(200).json();
    assert_eq!(saved["revision"], 3);
    assert_eq!(saved["sha256"], first["sha256"]);
    ada.delete(&path).await.expect(204);
    ada.get(&format!("{path}/revisions/1")).await.expect(404);
}

async fn an_agreement_is_downloaded_only_by_its_reader_and_the_owner(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "one-time", json!({ "maxViews": 2 })).await;
    let (vera, other) = (app.visitor(), app.visitor());
    let recipient = vera.register(&link).await;
    let path = format!("/api/recipients/{recipient}/agreement.txt");
    // Nothing is agreed to yet.
    vera.get(&path).await.expect(404);
    ada.get(&path).await.expect(404);
    let offered = vera.open(&link).await.json()["nda"]["text"].clone();
    vera.accept(&recipient).await.expect(200);
    vera.read(&link).await;
    vera.close(&link).await;
    other.agree(&link).await;

    for reader in [&vera as &crate::harness::Browser, &ada] {
        let answer = reader.get(&path).await.expect(200);
        assert_eq!(answer.text(), offered.as_str().unwrap());
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        let name = format!("attachment; filename=\"NDA-Agreement-Idea-{idea}.txt\"");
        assert_eq!(answer.header("content-disposition"), name);
    }
    let absent = "/api/recipients/00000000-0000-4000-8000-000000000000/agreement.txt";
    let unknown = ada.get(absent).await.expect(404);
    for stranger in [&app.browser(), &other as &crate::harness::Browser, &bob] {
        assert_eq!(stranger.get(&path).await.expect(404).body, unknown.body);
    }
    // The agreement outlives the link, the idea and, for the owner, the browser.
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    vera.get(&path).await.expect(200);
    ada.get(&path).await.expect(200);
}

async fn activity_is_exported_as_csv_and_json(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada
        .share(idea, "full-access", json!({ "name": "=1+1" }))
        .await;
    for _ in 0..2 {
        let visitor = app.visitor();
        visitor.agree(&link).await;
        visitor.read(&link).await;
        app.advance(Duration::seconds(1));
    }
    let path = format!("/api/ideas/{idea}/activity");
    let listed = ada.get(&path).await.expect(200).json();
    let json = ada.get(&format!("{path}.json")).await.expect(200);
    assert_eq!(json.json(), listed);
    assert_eq!(listed.as_array().unwrap().len(), 6);
    assert_eq!(listed[0]["shareName"], "=1+1");
    let csv = ada.get(&format!("{path}.csv")).await.expect(200);
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let name = format!("attachment; filename=\"idea-{idea}-activity.csv\"");
    assert_eq!(csv.header("content-disposition"), name);
    let csv = csv.text();
    let rows: Vec<_> = csv.lines().collect();
    assert_eq!(rows.len(), 7);
    assert!(
        rows[0].starts_with("\"at\",\"type\",\"name\",\"email\""),
        "{csv}"
    );
    assert!(
        rows[1].contains("\"viewed\"") && rows[1].contains("\"'=1+1\""),
        "{csv}"
    );
    assert!(!csv.contains("\"=1+1\""));
    // Versions by number, and beside it their digest.
    assert!(rows[0].contains("\"revision\",\"revisionSha256\""), "{csv}");
    let version = format!(
        "\"{}\",{}",
        listed[0]["revision"], listed[0]["revisionSha256"]
    );
    assert!(rows[1].contains(&version), "{csv}");

    for ending in ["csv", "json"] {
        bob.get(&format!("{path}.{ending}")).await.expect(404);
    }
    let exports = crate::commands::stdout(&crate::commands::run(&app, &["audit", "--csv"]));
    assert_eq!(exports.matches("\"exported\"").count(), 2, "{exports}");
    // An idea that nobody viewed, and a deleted one, can be exported too.
    let unseen = ada.idea("Boiler", "<p>New</p>").await;
    let path = format!("/api/ideas/{unseen}/activity");
    assert_eq!(
        ada.get(&format!("{path}.json")).await.json(),
        Value::Array(Vec::new())
    );
    ada.delete(&format!("/api/ideas/{unseen}"))
        .await
        .expect(204);
    let empty = ada.get(&format!("{path}.csv")).await.expect(200);
    assert_eq!(empty.text().lines().count(), 1);
}
