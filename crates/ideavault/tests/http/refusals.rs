//! Audit entries of refused files and comments.

use chrono::Duration;
use serde_json::json;

use crate::audit::{entries, kinds, recorded, recorded_such};
use crate::harness::{App, Link, pdf};
use crate::uploads::path_of;

on_both_databases!(
    a_refused_file_is_recorded_by_the_link_that_shows_it,
    a_refused_file_of_another_owner_is_recorded_by_its_id,
    refused_comments_are_recorded_once_a_minute,
    recorded_refusals_at_links_are_limited_to_ten_a_minute_per_client,
);

async fn a_refused_file_is_recorded_by_the_link_that_shows_it(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.pdf_idea(&pdf(1_000)).await;
    let path = path_of(&idea);
    let id = idea["id"].as_i64().unwrap();
    let link = ada.share(id, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    vera.get(&path).await.expect(404);
    let entry = recorded(&app, "file-refused").await;
    assert_eq!(entry[2], "");
    assert_eq!(entry[3], format!("share {}", link.id));
    assert_eq!(entry[4], "127.0.0.1");

    vera.accept(&recipient).await.expect(200);
    vera.get(&path).await.expect(200);
    app.advance(Duration::minutes(1));
    let revoked = format!("/api/shares/{}", link.id);
    ada.delete(&revoked).await.expect(204);
    vera.get(&path).await.expect(404);
    let again = |cells: &[String]| cells[0] != entry[0];
    let entry = recorded_such(&app, "file-refused", again).await;
    assert_eq!(entry[3], format!("share {}", link.id));
}

async fn a_refused_file_of_another_owner_is_recorded_by_its_id(app: App) {
    let ada = app.creator("ada").await;
    let path = path_of(&ada.pdf_idea(&pdf(1_000)).await);
    let file = path.rsplit('/').next().unwrap();
    let eve = app.creator("eve").await;
    let account = eve.get("/api/auth/me").await.json()["id"].clone();
    eve.get(&path).await.expect(404);
    let entry = recorded(&app, "file-refused").await;
    assert_eq!(entry[2], account.as_str().unwrap());
    assert_eq!(entry[3], format!("file {file}"));

    let made_up = "/api/files/00000000-0000-4000-8000-000000000000";
    app.browser().get(made_up).await.expect(404);
    let nameless = |cells: &[String]| cells[3].is_empty();
    let entry = recorded_such(&app, "file-refused", nameless).await;
    assert_eq!(entry[2], "");
    // Owners' reads of their own files are not recorded.
    ada.get(&path).await.expect(200);
    assert_eq!(entries(&app).last(), Some(&entry));
}

async fn refused_comments_are_recorded_once_a_minute(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    // A caller without any identity does not reach the gate.
    app.browser().get("/api/comments").await.expect(401);
    let comment = json!({ "recipientId": recipient, "content": "CANARY" });
    vera.post("/api/comments", comment).await.expect(403);
    let first = recorded(&app, "comments-refused").await;
    assert_eq!(first[3], format!("share {}", link.id));
    vera.get("/api/comments").await.expect(403);

    app.advance(Duration::minutes(1));
    let path = format!("/api/shares/{}", link.id);
    ada.delete(&path).await.expect(204);
    vera.get("/api/comments").await.expect(404);
    let later = |cells: &[String]| cells[0] != first[0];
    let second = recorded_such(&app, "comments-refused", later).await;
    assert_eq!(second[3], format!("share {}", link.id));

    let eve = app.creator("eve").await;
    let path = format!("/api/comments?ideaId={idea}");
    eve.get(&path).await.expect(404);
    let named = format!("idea {idea}");
    recorded_such(&app, "comments-refused", |cells| cells[3] == named).await;
    let refused = kinds(&app).into_iter();
    let refused = refused.filter(|kind| kind == "comments-refused");
    assert_eq!(refused.count(), 3);
    let everything = entries(&app).concat().concat();
    assert!(!everything.contains("CANARY"), "{everything}");
}

async fn recorded_refusals_at_links_are_limited_to_ten_a_minute_per_client(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let mut links = Vec::new();
    for _ in 0..12 {
        let terms = json!({ "recipientEmail": "vera@example.org" });
        links.push(ada.share(idea, "email", terms).await);
    }
    let app = app.restart(&["--rate-limit-scale", "1"]).await;
    let refused = async |link: &Link| {
        let answer = app.visitor().try_register(link, "willi@example.org").await;
        answer.expect(403);
    };
    let is_about = |cells: &[String], link: &Link| cells[3] == format!("share {}", link.id);
    let recorded = async |link: &Link| {
        recorded_such(&app, "address-refused", |cells| is_about(cells, link)).await
    };
    for link in &links[..10] {
        refused(link).await;
        recorded(link).await;
    }
    refused(&links[10]).await;
    app.advance(Duration::minutes(2));
    // Entries are in order: when the later one is recorded, this one would have been.
    refused(&links[11]).await;
    recorded(&links[11]).await;
    let mut refusals = entries(&app);
    refusals.retain(|cells| cells[1] == "address-refused");
    assert_eq!(refusals.len(), 11);
    assert!(!refusals.iter().any(|cells| is_about(cells, &links[10])));
}
