//! A server beside its successor, on one database: the successor has migrated it already.

use serde_json::json;

use crate::commands::{run, stderr, stdout};
use crate::harness::{App, Process, Visitor};

on_both_databases!(
    a_server_goes_on_and_starts_beside_its_successor,
    a_server_that_cannot_use_the_schema_is_not_ready,
);

/// A migration that no program knows yet.
const FUTURE: &str = "29991231000000";

/// Applies a migration from the future that this program is compatible with.
fn migrate_to_the_future(app: &App) {
    app.execute("CREATE TABLE future (id INTEGER PRIMARY KEY)");
    app.execute("ALTER TABLE ideas ADD COLUMN future TEXT");
    app.execute("ALTER TABLE shares ADD COLUMN future INTEGER NOT NULL DEFAULT 0");
    app.execute(&format!(
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('{FUTURE}')"
    ));
}

async fn a_server_goes_on_and_starts_beside_its_successor(app: App) {
    let ada = app.creator("ada").await;
    let before = ada.idea("Kettle", "<p>Waits</p>").await;
    migrate_to_the_future(&app);
    let other = Process::beside(&app);
    let idea = ada.idea("Teapot", "<p>Pours</p>").await;
    ada.publish(idea).await;
    ada.delete(&format!("/api/ideas/{before}"))
        .await
        .expect(204);
    let link = ada.share(idea, "one-time", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    let elsewhere = Visitor::new(vera.at(&other.browser()));
    assert_eq!(elsewhere.read(&link).await, "<p>Pours</p>");
    for server in [app.browser(), other.browser()] {
        server.get("/readyz").await.expect(200);
    }
    let status = stdout(&run(&app, &["status"]));
    assert!(status.contains("of a newer version"), "{status}");
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
}

async fn a_server_that_cannot_use_the_schema_is_not_ready(app: App) {
    migrate_to_the_future(&app);
    app.execute(&format!(
        "UPDATE schema_compatibility SET oldest_version = '{FUTURE}'"
    ));
    let told = app.browser().get("/readyz").await.expect(503).text();
    assert!(told.contains("replace the binary"), "{told}");
    let refused = stderr(&run(&app, &["serve", "--listen", "127.0.0.1:0"]));
    assert!(refused.contains(FUTURE), "{refused}");
}
