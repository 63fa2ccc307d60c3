//! Rate limits on comments.

use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{LIMITED, must_wait, statuses};
use crate::harness::App;

on_both_databases!(
    comments_are_limited_to_twenty_a_minute_per_recipient,
    other_spellings_of_a_recipient_id_share_its_limit,
    comments_without_a_recipient_id_are_limited_per_reader,
    concurrent_comments_do_not_exceed_the_limit,
);

async fn comments_are_limited_to_twenty_a_minute_per_recipient(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let (grace, vera) = (app.visitor(), app.visitor());
    let recipient = grace.agree(&link).await;
    grace.read(&link).await;
    let body = json!({ "recipientId": recipient, "content": "Noted." });
    // Refusals of others do not count for the recipient.
    vera.agree(&link).await;
    for _ in 0..25 {
        vera.post("/api/comments", body.clone()).await.expect(404);
    }
    for _ in 0..20 {
        grace.post("/api/comments", body.clone()).await.expect(201);
    }
    must_wait(grace.post("/api/comments", body.clone()).await, 60);
    app.advance(Duration::seconds(61));
    grace.post("/api/comments", body).await.expect(201);
}

async fn other_spellings_of_a_recipient_id_share_its_limit(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let grace = app.visitor();
    let id = grace.agree(&link).await;
    let spellings = [
        json!(id),
        json!(id.to_uppercase()),
        json!(id.replace('-', "")),
        json!(format!("{{{id}}}")),
        json!(format!("urn:uuid:{id}")),
        json!(null),
    ];
    let comment = |spelling: &Value| {
        let body = json!({ "recipientId": spelling, "content": "Noted." });
        let grace = grace.clone();
        async move { grace.post("/api/comments", body).await }
    };
    for spelling in spellings.iter().cycle().take(20) {
        comment(spelling).await.expect(201);
    }
    for spelling in &spellings {
        must_wait(comment(spelling).await, 60);
    }
}

async fn comments_without_a_recipient_id_are_limited_per_reader(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let (grace, vera) = (app.visitor(), app.visitor());
    grace.agree(&link).await;
    vera.agree(&link).await;
    let body = json!({ "content": "Noted." });
    for _ in 0..20 {
        grace.post("/api/comments", body.clone()).await.expect(201);
    }
    must_wait(grace.post("/api/comments", body.clone()).await, 60);
    vera.post("/api/comments", body).await.expect(201);
}

async fn concurrent_comments_do_not_exceed_the_limit(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let grace = app.visitor();
    let recipient = grace.agree(&link).await;
    let body = json!({ "recipientId": recipient, "content": "Noted." });
    let attempts = (0..40).map(|_| grace.post("/api/comments", body.clone()));
    assert_eq!(statuses(&join_all(attempts).await, 201), [20, 20]);
}
