//! The events that requests record, and their order.

mod anchors;
mod attacks;
pub mod bundles;
pub mod commands;
mod every_request;
pub mod log;
pub mod public_log;
mod resumed;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{App, Browser, Link, Visitor, pdf};
use crate::uploads::path_of;

on_both_databases!(
    every_step_of_a_disclosure_is_recorded_in_order,
    an_event_reveals_nothing_without_its_disclosures,
    an_acceptance_names_the_delivery_of_the_text,
    a_version_is_put_on_record_once,
    an_edit_that_a_reader_is_shown_is_put_on_record,
    readers_of_a_publication_do_not_change_when_it_was_recorded,
    refused_and_repeated_requests_record_nothing,
    the_list_says_whether_the_current_revision_is_on_record,
    a_deleted_draft_keeps_its_evidence,
    revoking_by_a_reset_is_recorded,
    evidence_is_for_the_owner_only,
    events_are_paged,
);

/// Waits until every event of the idea has a place, and returns them, oldest first.
pub async fn placed(ada: &Browser, idea: i64) -> Vec<Value> {
    let waiting = async {
        loop {
            let path = format!("/api/ideas/{idea}/evidence?limit=1000");
            let evidence = ada.get(&path).await.expect(200).json();
            let signed = evidence["log"]["size"].as_u64().unwrap_or_default();
            let events = oldest_first(&evidence);
            let is_signed = |event: &Value| match event["index"].as_u64() {
                Some(index) => index < signed || event["log"] != evidence["log"]["origin"],
                None => false,
            };
            if events.iter().all(is_signed) {
                return events;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let placed = tokio::time::timeout(std::time::Duration::from_secs(180), waiting).await;
    placed.unwrap()
}

/// Returns the events of the idea, oldest first.
pub async fn events(ada: &Browser, idea: i64) -> Vec<Value> {
    let path = format!("/api/ideas/{idea}/evidence?limit=1000");
    oldest_first(&ada.get(&path).await.expect(200).json())
}

fn oldest_first(evidence: &Value) -> Vec<Value> {
    let mut events = evidence["events"].as_array().unwrap().clone();
    events.reverse();
    events
}

fn kinds(events: &[Value]) -> Vec<&str> {
    let kinds = events.iter();
    kinds.map(|event| event["type"].as_str().unwrap()).collect()
}

async fn every_step_of_a_disclosure_is_recorded_in_order(app: App) {
    let ada = app.creator("ada").await;
    let imported = ada.pdf_idea(&pdf(1_000)).await;
    let idea = imported["id"].as_i64().unwrap();
    let link = ada
        .share(
            idea,
            "email",
            json!({ "recipientEmail": "vera@example.org" }),
        )
        .await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let code = app.mailed_code().await;
    vera.verify(&recipient, &code).await.expect(200);
    vera.open(&link).await.expect(200);
    vera.accept(&recipient).await.expect(200);
    vera.read(&link).await;
    vera.get(&path_of(&imported)).await.expect(200);
    let comment = json!({ "recipientId": recipient, "content": "Nice" });
    let comment = vera.post("/api/comments", comment).await.expect(201).json();
    let comment = format!("/api/comments/{}", comment["id"].as_str().unwrap());
    vera.put(&comment, json!({ "content": "Very nice" }))
        .await
        .expect(200);
    vera.delete(&comment).await.expect(200);
    vera.close(&link).await.expect(204);
    ada.publish(idea).await;
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    let grace = app.visitor();
    let other = ada.share(idea, "full-access", json!({})).await;
    grace.register(&other).await;
    let decline = format!("/api/share/{}/decline", other.token);
    grace.post(&decline, json!({})).await.expect(204);

    let events = placed(&ada, idea).await;
    assert_eq!(
        kinds(&events),
        [
            "share.created",
            "agreement.offered",
            "email.confirmed",
            "agreement.delivered",
            "agreement.accepted",
            "revision.recorded",
            "view.started",
            "file.delivered",
            "comment.added",
            "comment.changed",
            "comment.withdrawn",
            "visit.closed",
            "idea.published",
            "share.revoked",
            "share.created",
            "agreement.offered",
            "agreement.declined",
        ]
    );
    let indexes: Vec<u64> = events
        .iter()
        .map(|event| event["index"].as_u64().unwrap())
        .collect();
    assert!(indexes.is_sorted(), "{indexes:?}");
    let accepted = &events[4];
    assert_eq!(accepted["name"], "Vera");
    assert_eq!(accepted["facts"]["person"]["email"], "vera@example.org");
    assert_eq!(accepted["facts"]["person"]["identity"], "email-confirmed");
    assert_eq!(accepted["facts"]["origin"]["address"], "127.0.0.1");
    let content = &events[5]["facts"]["content"];
    assert_eq!(content["creator"], "ada");
    assert_eq!(content["files"][0]["sha256"], content["sha256"]);
    assert_eq!(events[7]["facts"]["file"]["sha256"], content["sha256"]);
    assert_eq!(events[12]["facts"]["content"]["documentId"], {
        let idea = ada.get(&format!("/api/ideas/{idea}")).await.json();
        idea["documentId"].clone()
    });
}

async fn an_event_reveals_nothing_without_its_disclosures(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let comment = json!({ "recipientId": recipient, "content": "Nice" });
    vera.post("/api/comments", comment).await.expect(201);
    let content = ada.get(&format!("/api/ideas/{idea}/evidence")).await.json();
    let digest = content["sha256"].as_str().unwrap().to_owned();
    for event in placed(&ada, idea).await {
        let body = event["body"].as_str().unwrap();
        let mut body: Value = serde_json::from_str(body).unwrap();
        // Random letters, which may be those of a name.
        assert!(body.as_object_mut().unwrap().remove("salt").is_some());
        let body = body.to_string();
        for secret in ["Vera", "vera@", "Kettle", "Waits", "Nice", &digest] {
            assert!(!body.contains(secret), "{secret}: {body}");
        }
    }
}

async fn an_acceptance_names_the_delivery_of_the_text(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    // Accepted by a program that never asked for the text.
    app.visitor().agree(&link).await;
    let reader = app.visitor();
    let recipient = reader.register(&link).await;
    reader.open(&link).await.expect(200);
    reader.accept(&recipient).await.expect(200);
    let events = placed(&ada, idea).await;
    let delivered: Vec<Value> = events
        .iter()
        .filter(|event| event["type"] == "agreement.accepted")
        .map(|event| {
            let body: Value = serde_json::from_str(event["body"].as_str().unwrap()).unwrap();
            body["delivered"].clone()
        })
        .collect();
    let delivery = events
        .iter()
        .find(|event| event["type"] == "agreement.delivered");
    assert_eq!(
        delivered,
        [json!(false), delivery.unwrap()["digest"].clone()]
    );
}

async fn a_version_is_put_on_record_once(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let path = format!("/api/ideas/{idea}/evidence");
    let before = ada.get(&path).await.expect(200).json();
    assert_eq!(before["onRecord"], false);
    assert_eq!(before["recordedAt"], Value::Null);
    assert_eq!(before["events"], json!([]));
    let record = format!("{path}/record");
    let mut recording = JoinSet::new();
    for _ in 0..8 {
        let (ada, record) = (ada.stolen(), record.clone());
        recording.spawn(async move { ada.post(&record, json!({})).await });
    }
    for answer in recording.join_all().await {
        assert_eq!(answer.expect(200).json()["onRecord"], true);
    }
    assert_eq!(kinds(&placed(&ada, idea).await), ["revision.recorded"]);
    let edit = json!({ "title": "Kettle", "content": "<p>Boils</p>" });
    ada.put(&format!("/api/ideas/{idea}"), edit)
        .await
        .expect(200);
    let edited = ada.get(&path).await.expect(200).json();
    assert_eq!(edited["onRecord"], false);
    assert!(edited["recordedAt"].is_string());
    ada.post(&record, json!({})).await.expect(200);
    let events = placed(&ada, idea).await;
    let revisions: Vec<_> = events.iter().map(|event| &event["revision"]).collect();
    assert_eq!(revisions, [1, 2]);
}

async fn an_edit_that_a_reader_is_shown_is_put_on_record(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = reader(&app, &link).await;
    let edit = json!({ "title": "Kettle", "content": "<p>Boils</p>" });
    ada.put(&format!("/api/ideas/{idea}"), edit)
        .await
        .expect(200);
    for _ in 0..2 {
        assert_eq!(vera.read(&link).await, "<p>Boils</p>");
    }
    let events = placed(&ada, idea).await;
    let shown = events
        .iter()
        .skip_while(|event| event["type"] != "view.started");
    let shown: Vec<_> = shown
        .map(|event| (event["type"].as_str().unwrap(), &event["revision"]))
        .collect();
    let expected = [
        ("view.started", &json!(1)),
        ("revision.recorded", &json!(2)),
        ("file.delivered", &json!(2)),
    ];
    assert_eq!(shown, expected);
    // Another reader's view begins with it.
    let grace = reader(&app, &link).await;
    grace.read(&link).await;
    let newest = placed(&ada, idea).await.pop().unwrap();
    assert_eq!(newest["type"], "view.started");
    assert_eq!(newest["revision"], 2);
}

async fn readers_of_a_publication_do_not_change_when_it_was_recorded(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let reader = app.visitor();
    reader.agree(&link).await;
    reader.read(&link).await;
    app.advance(chrono::Duration::minutes(1));
    let recorded = async || {
        placed(&ada, idea).await;
        let path = format!("/api/ideas/{idea}/evidence");
        let evidence = ada.get(&path).await.expect(200).json();
        (evidence["recordedAt"].clone(), evidence["index"].clone())
    };
    let of_draft = recorded().await;
    let edited = json!({ "title": "Kettle", "content": "<p>It sings</p>", "baseRevision": 1 });
    ada.put(&format!("/api/ideas/{idea}"), edited)
        .await
        .expect(200);
    ada.publish(idea).await;
    let published = recorded().await;
    assert_ne!(published, of_draft);
    app.advance(chrono::Duration::minutes(1));
    reader.read(&link).await;
    assert_eq!(recorded().await, published);
}

async fn refused_and_repeated_requests_record_nothing(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "one-time", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    vera.open(&link).await.expect(200);
    vera.open(&link).await.expect(200);
    vera.accept(&recipient).await.expect(200);
    vera.accept(&recipient).await.expect(200);
    vera.read(&link).await;
    vera.read(&link).await;
    let late = app.visitor();
    late.open(&link).await.expect(404);
    late.try_register(&link, "late@example.org")
        .await
        .expect(404);
    let long = json!({ "recipientId": recipient, "content": "x".repeat(5_001) });
    vera.post("/api/comments", long).await.expect(400);
    vera.close(&link).await.expect(204);
    vera.close(&link).await.expect(204);
    for _ in 0..2 {
        ada.delete(&format!("/api/shares/{}", link.id))
            .await
            .expect(204);
    }
    assert_eq!(
        kinds(&placed(&ada, idea).await),
        [
            "share.created",
            "agreement.offered",
            "agreement.delivered",
            "agreement.accepted",
            "revision.recorded",
            "view.started",
            "visit.closed",
            "share.revoked",
        ]
    );
}

async fn the_list_says_whether_the_current_revision_is_on_record(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let on_record = async || ada.get("/api/ideas").await.json()[0]["onRecord"].clone();
    assert_eq!(on_record().await, false);
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    assert_eq!(on_record().await, true);
    let edit = json!({ "title": "Kettle", "content": "<p>Boils</p>" });
    let path = format!("/api/ideas/{idea}");
    ada.put(&path, edit).await.expect(200);
    assert_eq!(on_record().await, false);
    ada.publish(idea).await;
    assert_eq!(on_record().await, true);
}

async fn a_deleted_draft_keeps_its_evidence(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    let events = placed(&ada, idea).await;
    assert_eq!(kinds(&events), ["revision.recorded", "idea.deleted"]);
    ada.post(&record, json!({})).await.expect(404);
}

async fn revoking_by_a_reset_is_recorded(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.share(idea, "full-access", json!({})).await;
    let email = json!({ "email": ada.email });
    ada.post("/api/auth/forgot-password", email)
        .await
        .expect(200);
    let token = app
        .mailed(|mail| {
            let (_, rest) = mail.split_once("/reset-password/")?;
            let end = rest.find(|letter: char| letter.is_whitespace())?;
            Some(rest[..end].to_owned())
        })
        .await;
    let reset = json!({ "token": token, "newPassword": "another secret" });
    app.browser()
        .post("/api/auth/reset-password", reset)
        .await
        .expect(200);
    let login = json!({ "email": ada.email, "password": "another secret" });
    ada.post("/api/auth/login", login).await.expect(200);
    let events = placed(&ada, idea).await;
    assert_eq!(kinds(&events), ["share.created", "share.revoked"]);
}

async fn evidence_is_for_the_owner_only(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    let mallory = app.creator("mallory").await;
    let path = format!("/api/ideas/{idea}/evidence");
    let record = format!("{path}/record");
    mallory.get(&path).await.expect(404);
    mallory.post(&record, json!({})).await.expect(404);
    vera.get(&path).await.expect(401);
    vera.post(&record, json!({})).await.expect(401);
    mallory.get("/api/ideas/999999/evidence").await.expect(404);
}

async fn events_are_paged(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    for _ in 0..5 {
        ada.share(idea, "full-access", json!({})).await;
    }
    let all = placed(&ada, idea).await;
    let mut found = Vec::new();
    let mut path = format!("/api/ideas/{idea}/evidence?limit=2");
    loop {
        let page = ada.get(&path).await.expect(200).json();
        found.extend(page["events"].as_array().unwrap().clone());
        match page["next"].as_str() {
            Some(cursor) => path = format!("/api/ideas/{idea}/evidence?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    found.reverse();
    assert_eq!(found, all);
    ada.get(&format!("/api/ideas/{idea}/evidence?limit=0"))
        .await
        .refuses("limit");
}

/// A person who reads, for the tests of the log.
pub async fn reader(app: &App, link: &Link) -> Visitor {
    let reader = app.visitor();
    reader.agree(link).await;
    reader.read(link).await;
    reader
}
