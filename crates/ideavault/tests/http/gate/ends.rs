//! The end of a visit, and what is left of it.

use chrono::Duration;
use serde_json::json;

use super::{CANARY, assert_ended, disclosed, reopen};
use crate::harness::App;

on_both_databases!(
    who_closed_the_document_reads_on_in_the_same_browser_alone,
    another_text_has_to_be_accepted,
    a_reason_for_declining_is_for_the_owner_alone,
);

async fn who_closed_the_document_reads_on_in_the_same_browser_alone(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    reopen(&vera, &link).await.expect(404);
    vera.agree(&link).await;
    reopen(&willi, &link).await.expect(404);
    vera.read(&link).await;
    vera.close(&link).await.expect(204);
    assert_ended(&vera, idea, &link, "closed").await;
    for _ in 0..2 {
        reopen(&vera, &link).await.expect(204);
    }
    assert!(vera.read(&link).await.to_string().contains(CANARY));
    // The view that was closed is over; this is another one.
    assert_eq!(ada.views(idea, &link).await, 2);
    let types = ada.activity(idea).await;
    let types: Vec<_> = types.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(
        types,
        ["viewed", "closed", "viewed", "agreed", "registered"]
    );
    vera.close(&link).await.expect(204);
    app.advance(Duration::days(29));
    assert_ended(&vera, idea, &link, "closed").await;
    // Who never agreed has nothing to read on.
    willi.register(&link).await;
    willi.close(&link).await.expect(204);
    assert_eq!(
        willi.open(&link).await.expect(200).json()["stage"],
        "collect"
    );
    reopen(&willi, &link).await.expect(404);
}

async fn another_text_has_to_be_accepted(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    vera.close(&link).await.expect(204);
    let renamed = json!({ "title": "Better kettle", "content": CANARY });
    ada.put(&format!("/api/ideas/{idea}"), renamed)
        .await
        .expect(200);
    let refused = reopen(&vera, &link).await.expect(409).json();
    let message = "The agreement has changed since your visit. Please enter your details again to \
                   read it.";
    assert_eq!(refused["message"], message);
    vera.try_register(&link, "vera@example.org")
        .await
        .expect(201);
    assert_eq!(vera.open(&link).await.expect(200).json()["stage"], "nda");
}

async fn a_reason_for_declining_is_for_the_owner_alone(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    let path = format!("/api/share/{}/decline", link.token);
    vera.register(&link).await;
    let too_long = json!({ "reason": "x".repeat(501) });
    let refused = vera.post(&path, too_long).await.expect(400).json();
    assert_eq!(refused["field"], "reason");
    vera.post(&path, json!({ "reason": 1 })).await.expect(400);
    vera.post(&path, json!({ "reason": "Clause 6\nis too long" }))
        .await
        .expect(204);
    // The first one stays.
    vera.post(&path, json!({ "reason": "Another one" }))
        .await
        .expect(204);
    willi.register(&link).await;
    willi
        .send(reqwest::Method::POST, &path, |request| request)
        .await
        .expect(204);
    let declined = |activity: Vec<serde_json::Value>| -> Vec<serde_json::Value> {
        let entries = activity.into_iter();
        entries
            .filter(|entry| entry["type"] == "declined")
            .map(|entry| entry["reason"].clone())
            .collect()
    };
    let reasons = declined(ada.activity(idea).await);
    assert_eq!(reasons, [json!(null), json!("Clause 6 is too long")]);
    let csv = ada.get(&format!("/api/ideas/{idea}/activity.csv")).await;
    assert!(csv.text().contains("Clause 6 is too long"));
}
