//! A creator's ideas: saving, listing, publishing.

use reqwest::Method;
use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::{App, keys, pdf};
use crate::uploads::path_of;

on_both_databases!(
    a_canvas_is_stored_with_known_fields_only,
    a_saved_idea_round_trips,
    an_idea_is_compressed_for_its_author_and_its_readers,
    ideas_are_listed_without_content_and_last_changed_first,
    a_published_idea_is_final,
    concurrent_publications_return_the_same,
    concurrent_saves_lose_no_revision_silently,
    the_path_of_a_pdf_cannot_be_chosen_by_the_client,
);

const CANARY: &str = "canary-20bd";

async fn a_saved_idea_round_trips(app: App) {
    let ada = app.creator("ada").await;
    let sha = |text: &str| ideavault_domain::digest::Digest::of(text.as_bytes()).to_string();
    for (content, kind, stored) in [
        (json!("<p>Héllo 🗝 שלום</p>"), "html", "<p>Héllo 🗝 שלום</p>"),
        (json!({ "elements": [] }), "canvas", r#"{"elements":[]}"#),
        (json!({ "b": 1, "a": "x" }), "legacy", r#"{"a":"x","b":1}"#),
        (json!(""), "html", ""),
    ] {
        let body = json!({ "title": "  Kettle 🗝 ", "content": content });
        let created = ada.post("/api/ideas", body).await.expect(201).json();
        assert_eq!(
            keys(&created),
            [
                "blockchainTimestamp",
                "content",
                "contentKind",
                "documentId",
                "id",
                "lastModified",
                "revision",
                "sha256",
                "status",
                "title"
            ]
        );
        assert_eq!(created["title"], "Kettle 🗝");
        assert_eq!(created["content"], content);
        assert_eq!(created["contentKind"], kind);
        assert_eq!(created["status"], "draft");
        assert_eq!(created["revision"], 1);
        assert_eq!(created["sha256"], sha(stored));
        assert!(created["documentId"].is_null() && created["blockchainTimestamp"].is_null());
        let path = format!("/api/ideas/{}", created["id"]);
        assert_eq!(ada.get(&path).await.expect(200).json(), created);
    }
}

/// Each of them knows all of the response already, or is shown it by that very response, so that
/// nobody learns more from its size.
async fn an_idea_is_compressed_for_its_author_and_its_readers(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits.</p>".repeat(100)).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let path = format!("/api/ideas/{idea}");
    let plain = ada.get(&path).await.expect(200);
    assert_eq!(plain.header("content-encoding"), "");
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    let on_link = format!("/api/share/{}", link.token);
    // Twice: what was compressed once is sent again only to browsers that accept it.
    for (browser, path, encoding) in [
        (&*ada, &path, "gzip"),
        (&*ada, &on_link, ""),
        (&*vera, &on_link, "gzip"),
        (&*vera, &on_link, "gzip"),
    ] {
        let answer = browser
            .send_bare(Method::GET, path, |get| {
                get.header("accept-encoding", "gzip")
            })
            .await
            .expect(200);
        assert_eq!(answer.header("content-encoding"), encoding, "{path}");
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.header("cache-control"), "no-store");
        let is_gzip = answer.body.starts_with(&[0x1f, 0x8b]);
        assert_eq!(is_gzip, encoding == "gzip", "{path}");
        assert!(!is_gzip || answer.body.len() < plain.body.len() / 2);
        let uncompressed = browser.get(path).await.expect(200);
        assert_eq!(uncompressed.header("content-encoding"), "", "{path}");
        assert_eq!(uncompressed.header("vary"), answer.header("vary"));
    }
    vera.read(&link).await;
}

async fn ideas_are_listed_without_content_and_last_changed_first(app: App) {
    let ada = app.creator("ada").await;
    let first = ada.idea("First", CANARY).await;
    let second = ada.idea("Second", CANARY).await;
    let body = json!({ "title": "First again", "content": CANARY });
    ada.put(&format!("/api/ideas/{first}"), body)
        .await
        .expect(200);
    let list = ada.get("/api/ideas").await.expect(200);
    assert!(!list.text().contains(CANARY));
    let list = list.json();
    let list = list.as_array().unwrap();
    let ids: Vec<_> = list
        .iter()
        .map(|idea| idea["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, [first, second]);
    for idea in list {
        assert_eq!(
            keys(idea),
            [
                "archived",
                "blockchainTimestamp",
                "contentKind",
                "documentId",
                "id",
                "isDamaged",
                "lastModified",
                "linkCount",
                "onRecord",
                "status",
                "tags",
                "title",
                "viewCount"
            ]
        );
    }
    ada.delete(&format!("/api/ideas/{first}")).await.expect(204);
    ada.delete(&format!("/api/ideas/{first}")).await.expect(404);
    let list = ada.get("/api/ideas").await.json();
    assert_eq!(list.as_array().unwrap().len(), 1);
}

async fn a_published_idea_is_final(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let published = ada.publish(idea).await;
    assert_eq!(published["status"], "published");
    let document = published["documentId"].as_str().unwrap();
    let groups: Vec<_> = document.split('-').collect();
    assert!(groups.len() == 4 && groups[0] == "IV", "{document}");
    assert!(
        published["blockchainTimestamp"]
            .as_str()
            .unwrap()
            .ends_with('Z')
    );

    let path = format!("/api/ideas/{idea}");
    let other = json!({ "title": "Other", "content": "<p>other</p>" });
    ada.put(&path, other).await.expect(409);
    ada.delete(&path).await.expect(409);
    app.advance(chrono::Duration::hours(1));
    assert_eq!(ada.publish(idea).await, published);
    assert_eq!(ada.get(&path).await.json(), published);
    let listed = ada.get("/api/ideas").await.json();
    assert_eq!(listed[0]["documentId"], document);
}

async fn concurrent_publications_return_the_same(app: App) {
    let ada = app.creator("ada").await;
    for round in 0..5 {
        let idea = ada.idea(&format!("Kettle {round}"), CANARY).await;
        let mut running = JoinSet::new();
        for _ in 0..8 {
            let browser = ada.stolen();
            running.spawn(async move {
                let path = format!("/api/ideas/{idea}/publish");
                let publish = browser.send(Method::PUT, &path, |request| request);
                publish.await.expect(200).json()
            });
        }
        let answers = running.join_all().await;
        assert!(
            answers.iter().all(|answer| *answer == answers[0]),
            "{answers:?}"
        );
    }
}

async fn concurrent_saves_lose_no_revision_silently(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let mut running = JoinSet::new();
    for number in 0..12 {
        let browser = ada.stolen();
        running.spawn(async move {
            let draft = json!({ "title": "Kettle", "content": format!("save {number}") });
            browser.put(&format!("/api/ideas/{idea}"), draft).await
        });
    }
    let answers = running.join_all().await;
    let saved = answers.iter().filter(|answer| answer.status == 200).count();
    let refused = answers.iter().filter(|answer| answer.status == 409).count();
    assert_eq!(saved + refused, 12);
    let last = ada.get(&format!("/api/ideas/{idea}")).await.json();
    assert_eq!(last["revision"], 1 + saved);
}

async fn the_path_of_a_pdf_cannot_be_chosen_by_the_client(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let own = path_of(&ada.pdf_idea(&pdf(300)).await);
    let foreign = path_of(&app.creator("eve").await.pdf_idea(&pdf(300)).await);
    for path in [
        own.as_str(),
        &foreign,
        "/api/files/00000000-0000-4000-8000-000000000000",
        "/etc/passwd",
        "https://evil.example/x.pdf",
        "",
    ] {
        let pdf = json!({ "type": "pdf", "fileName": "a.pdf", "pdfPath": path });
        let body = json!({ "title": "Kettle", "content": pdf });
        ada.post("/api/ideas", body.clone())
            .await
            .refuses("content");
        ada.put(&format!("/api/ideas/{idea}"), body)
            .await
            .refuses("content");
    }
    assert_eq!(
        ada.get(&format!("/api/ideas/{idea}")).await.json()["content"],
        CANARY
    );
}

async fn a_canvas_is_stored_with_known_fields_only(app: App) {
    let ada = app.creator("ada").await;
    let shown = json!({ "type": "text", "x": 1.5, "y": -2, "text": "<b>\u{202e}", "fill": "#fff" });
    let mut sent = shown.clone();
    sent["id"] = json!("shape-1");
    sent["onclick"] = json!("alert(1)");
    let draft = json!({ "title": "Kettle", "content": { "elements": [sent], "width": 800 } });
    let saved = ada.post("/api/ideas", draft).await.expect(201).json();
    assert_eq!(saved["contentKind"], "canvas");
    assert_eq!(saved["content"], json!({ "elements": [shown] }));
    for wrong in [
        json!({ "type": "image", "x": 1, "y": 1 }),
        json!({ "type": "rect", "x": "1", "y": 1 }),
        json!({ "type": "rect", "x": 1, "y": 1, "width": -1 }),
        json!({ "type": "rect", "x": 1, "y": 1, "fill": "url(//evil.test)" }),
        json!(7),
    ] {
        let draft = json!({ "title": "Kettle", "content": { "elements": [wrong] } });
        ada.post("/api/ideas", draft).await.refuses("content");
    }
    let legacy = json!({ "blocks": [{ "deep": [1, { "a": null }] }], "version": 2 });
    let idea = ada.idea("Old", legacy.clone()).await;
    let read = ada.get(&format!("/api/ideas/{idea}")).await.json();
    assert_eq!(
        (&read["contentKind"], &read["content"]),
        (&json!("legacy"), &legacy)
    );
}
