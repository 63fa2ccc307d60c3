//! The gate: no byte of content before all conditions are met, and none after a view.

mod codes;
mod covers;
mod ends;
mod entry;
mod keys;
mod record;
mod repetitions;
mod views;

use serde_json::{Value, json};

use crate::harness::{Answer, App, Creator, Link, Visitor, keys};

const CANARY: &str = "canary-51c0";

const TYPES: [&str; 4] = ["one-time", "time-dependent", "full-access", "email"];

const UNKNOWN: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A creator with a draft and a link to it.
async fn disclosed(app: &App, share_type: &str, terms: Value) -> (Creator, i64, Link) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", format!("<p>{CANARY}</p>")).await;
    let link = ada.share(idea, share_type, terms).await;
    (ada, idea, link)
}

fn terms_of(share_type: &str) -> Value {
    match share_type {
        "email" => json!({ "recipientEmail": "vera@example.org" }),
        _ => json!({}),
    }
}

/// Takes all steps to reading on a link of any type, with the first code of its address.
/// Returns the recipient's id.
async fn agree(app: &App, visitor: &Visitor, link: &Link) -> String {
    let recipient = visitor.register(link).await;
    if visitor.open(link).await.json()["stage"] == "verify" {
        let code = app.mailed_code().await;
        visitor.verify(&recipient, &code).await.expect(200);
    }
    visitor.accept(&recipient).await.expect(200);
    recipient
}

/// Asserts that a link looks like one that never existed.
async fn assert_dead(visitor: &Visitor, idea: i64, link: &Link) {
    let unknown = Link {
        token: UNKNOWN.into(),
        ..link.clone()
    };
    let same = |dead: Answer, unknown: Answer| {
        let (dead, unknown) = (dead.expect(404), unknown.expect(404));
        assert_eq!(dead.body, unknown.body);
        assert!(dead.cookies().is_empty(), "{dead:?}");
    };
    same(visitor.open(link).await, visitor.open(&unknown).await);
    same(
        visitor.try_register(link, "vera@example.org").await,
        visitor.try_register(&unknown, "vera@example.org").await,
    );
    assert_shows_nothing(visitor, idea).await;
}

/// Asserts that a visitor who had agreed is told how the visit ended, and shown nothing else.
async fn assert_ended(visitor: &Visitor, idea: i64, link: &Link, reason: &str) {
    let answer = visitor.open(link).await.expect(410);
    let body = answer.json();
    assert_eq!(keys(&body), ["ended", "message"]);
    assert_eq!(keys(&body["ended"]), ["at", "reason", "recipientId"]);
    assert_eq!(body["ended"]["reason"], reason);
    let recipient = body["ended"]["recipientId"].as_str().unwrap();
    for document in ["agreement.txt", "receipt.pdf"] {
        let path = format!("/api/recipients/{recipient}/{document}");
        visitor.get(&path).await.expect(200);
    }
    assert_shows_nothing(visitor, idea).await;
}

async fn assert_shows_nothing(visitor: &Visitor, idea: i64) {
    let comments = visitor.get(&format!("/api/comments?ideaId={idea}")).await;
    assert!(matches!(comments.status, 401 | 404), "{comments:?}");
    let comment = json!({ "ideaId": idea, "content": "Still here?" });
    let comment = visitor.post("/api/comments", comment).await;
    assert!(matches!(comment.status, 401 | 404), "{comment:?}");
}

/// Asserts that a link is dead for good: not even a registration is left to close.
async fn assert_gone(visitor: &Visitor, idea: i64, link: &Link) {
    assert_dead(visitor, idea, link).await;
    visitor.close(link).await.expect(404);
    reopen(visitor, link).await.expect(404);
}

/// Opens a document again.
async fn reopen(visitor: &Visitor, link: &Link) -> Answer {
    let path = format!("/api/share/{}/reopen", link.token);
    visitor.post(&path, json!({})).await
}
