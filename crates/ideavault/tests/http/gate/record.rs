//! Evidence that stays on record.

use chrono::Duration;
use ideavault_domain::Timestamp;
use reqwest::Method;
use serde_json::json;

use super::{CANARY, assert_gone, disclosed};
use crate::harness::{App, keys};

on_both_databases!(
    deleting_the_draft_ends_its_links_and_keeps_the_evidence,
    a_recipient_sees_the_latest_draft_and_its_revision_is_recorded,
    the_recorded_agreement_is_the_one_that_was_shown,
    a_recorded_view_ends_when_it_ends_for_its_reader,
);

async fn deleting_the_draft_ends_its_links_and_keeps_the_evidence(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let other = ada.share(idea, "one-time", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let comment = json!({ "recipientId": recipient, "content": "Nice" });
    vera.post("/api/comments", comment).await.expect(201);
    let waiting = willi.register(&other).await;
    let before = ada.activity(idea).await;
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    assert_gone(&vera, idea, &link).await;
    assert_gone(&willi, idea, &other).await;
    willi.accept(&waiting).await.expect(404);
    for path in ["", "/shares"] {
        ada.get(&format!("/api/ideas/{idea}{path}"))
            .await
            .expect(404);
    }
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(404);
    ada.try_share(idea, "full-access", json!({}))
        .await
        .expect(404);
    ada.get(&format!("/api/comments?ideaId={idea}"))
        .await
        .expect(404);
    assert_eq!(ada.get("/api/comments").await.json(), json!([]));
    let after = ada.activity(idea).await;
    assert_eq!(after, before);
    assert_eq!(after[0]["recipient"]["name"], "Vera");
    assert!(!json!(after).to_string().contains(CANARY));
}

async fn a_recipient_sees_the_latest_draft_and_its_revision_is_recorded(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let path = format!("/api/ideas/{idea}");
    let first = ada.get(&path).await.json()["sha256"].clone();
    let vera = app.visitor();
    vera.agree(&link).await;
    let draft = json!({ "title": "Better kettle", "content": "<p>Second</p>" });
    let second = ada.put(&path, draft).await.expect(200).json()["sha256"].clone();
    assert_eq!(vera.read(&link).await, "<p>Second</p>");
    let draft = json!({ "title": "Best kettle", "content": "<p>Third</p>" });
    ada.put(&path, draft).await.expect(200);
    assert_eq!(vera.read(&link).await, "<p>Third</p>");
    let activity = ada.activity(idea).await;
    let types: Vec<_> = activity.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, ["viewed", "agreed", "registered"]);
    assert_eq!(activity[0]["revisionSha256"], second);
    assert_eq!(activity[1]["revisionSha256"], first);
    assert_eq!(activity[0]["revision"], 2);
    assert_eq!(activity[1]["revision"], 1);
    let common = ["at", "id", "recipient", "shareId", "shareType", "type"];
    let with = |more: &[&'static str]| {
        let mut all = [&common[..], more].concat();
        all.sort_unstable();
        all
    };
    assert_eq!(
        keys(&activity[0]),
        with(&["endsAt", "revision", "revisionSha256"])
    );
    assert_eq!(
        keys(&activity[1]),
        with(&[
            "emailConfirmedAt",
            "identity",
            "ip",
            "ndaSha256",
            "ndaVersion",
            "revision",
            "revisionSha256",
            "userAgent"
        ])
    );
    assert_eq!(keys(&activity[2]), common);
    assert_eq!(
        keys(&activity[2]["recipient"]),
        [
            "email",
            "emailConfirmedAt",
            "erased",
            "id",
            "identity",
            "name",
            "phone"
        ]
    );
}

async fn a_recorded_view_ends_when_it_ends_for_its_reader(app: App) {
    let ada = app.creator("ada").await;
    let soon = (app.now() + Duration::minutes(5)).to_rfc3339();
    for (share_type, terms) in [
        ("full-access", json!({})),
        ("time-dependent", json!({ "expiresAt": soon })),
        ("one-time", json!({})),
    ] {
        let idea = ada.idea("Kettle", CANARY).await;
        let link = ada.share(idea, share_type, terms).await;
        let vera = app.visitor();
        vera.agree(&link).await;
        vera.read(&link).await;
        let shown = vera.open(&link).await.json()["viewEndsAt"].clone();
        assert_eq!(shown.is_null(), share_type == "full-access");
        let activity = ada.activity(idea).await;
        assert_eq!(activity[0]["endsAt"], shown, "{share_type}");
        // A revocation ends it for its reader.
        let revoked = app.now();
        ada.delete(&format!("/api/shares/{}", link.id))
            .await
            .expect(204);
        app.advance(Duration::minutes(1));
        let end = ada.activity(idea).await[0]["endsAt"].clone();
        assert_eq!(end.is_null(), share_type == "full-access");
        if let Some(end) = end.as_str() {
            let end: Timestamp = end.parse().unwrap();
            let soon = revoked + Duration::seconds(59);
            assert!((revoked..soon).contains(&end), "{share_type}: {end}");
        }
    }
}

async fn the_recorded_agreement_is_the_one_that_was_shown(app: App) {
    let ada = app.creator("Zoë שלום 🗝").await;
    let idea = ada.idea("Kettle مرحبا 🫖", CANARY).await;
    let document = ada.publish(idea).await["documentId"].clone();
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let nda = vera.open(&link).await.json()["nda"].clone();
    assert_eq!(
        keys(&nda),
        [
            "clauses", "preamble", "sha256", "terms", "text", "title", "version"
        ]
    );
    let heading = nda["clauses"][8]["heading"].clone();
    assert_eq!(heading, "Acknowledgement");
    let idea_number = json!({ "label": "Idea number", "value": idea.to_string() });
    assert_eq!(nda["terms"][2], idea_number);
    let text = nda["text"].as_str().unwrap();
    for part in [
        "Zoë שלום 🗝",
        "Kettle مرحبا 🫖",
        "Receiving Party:  \"Vera\"\n",
        "Email address:    vera@example.org\n",
        document.as_str().unwrap(),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let sha256 = <sha2::Sha256 as sha2::Digest>::digest(text.as_bytes());
    let sha256: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(nda["sha256"], sha256);
    app.advance(Duration::hours(1));
    assert_eq!(vera.open(&link).await.json()["nda"], nda);
    let path = format!("/api/recipients/{recipient}/nda");
    let agent = "x".repeat(2_000);
    vera.send(Method::PUT, &path, |request| {
        request
            .header("user-agent", &agent)
            .header("x-forwarded-for", "198.51.100.7")
            .json(&json!({ "agreed": true }))
    })
    .await
    .expect(200);
    let agreed = ada.activity(idea).await[0].clone();
    assert_eq!(agreed["type"], "agreed");
    assert_eq!(agreed["ndaSha256"], sha256);
    assert_eq!(agreed["ndaVersion"], nda["version"]);
    assert_eq!(agreed["ip"], "127.0.0.1");
    assert_eq!(agreed["userAgent"], agent[..512]);
}
