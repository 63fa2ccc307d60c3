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

use crate::harness::{Answer, App, Creator, Link, Visitor};

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
}
