//! Changes to PDF ideas, and the history of every idea.

use serde_json::{Value, json};

use crate::harness::{App, keys, pdf};
use crate::uploads::{path_of, sha256};

on_both_databases!(
    a_pdf_idea_accepts_a_new_title_but_no_other_pdf,
    deleting_a_draft_deletes_its_pdf,
    a_published_pdf_cannot_be_changed_or_deleted,
    every_saved_revision_is_listed,
);

async fn a_pdf_idea_accepts_a_new_title_but_no_other_pdf(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.pdf_idea(&pdf(300)).await;
    let other = ada.pdf_idea(&pdf(200)).await;
    let path = format!("/api/ideas/{}", idea["id"]);
    let save = async |content: Value| {
        let body = json!({ "title": "Hurry", "content": content });
        ada.put(&path, body).await
    };
    let saved = save(idea["content"].clone()).await.expect(200).json();
    assert_eq!(saved["title"], "Hurry");
    assert_eq!(saved["revision"], 2);
    assert_eq!(saved["sha256"], idea["sha256"]);
    assert_eq!(saved["content"], idea["content"]);
    let mut renamed = idea["content"].clone();
    renamed["fileName"] = json!("other.pdf");
    let saved = save(renamed).await.expect(200).json();
    assert_eq!(saved["content"], idea["content"]);
    let mut elsewhere = idea["content"].clone();
    for path in [
        path_of(&other),
        "/etc/passwd".into(),
        "https://evil.test/a.pdf".into(),
    ] {
        elsewhere["pdfPath"] = json!(path);
        save(elsewhere.clone()).await.refuses("content");
    }
    for content in [
        json!("<p>text</p>"),
        json!({ "elements": [] }),
        json!({ "old": 1 }),
    ] {
        save(content).await.refuses("content");
    }
    assert_eq!(ada.get(&path).await.json(), saved);
}

async fn deleting_a_draft_deletes_its_pdf(app: App) {
    let ada = app.creator("ada").await;
    let (gone, kept) = (ada.pdf_idea(&pdf(300)).await, ada.pdf_idea(&pdf(200)).await);
    let paths = [&gone, &kept].map(path_of);
    let on_disk = paths.clone().map(|path| app.stored(&path));
    assert!(on_disk.iter().all(|path| path.exists()));
    ada.delete(&format!("/api/ideas/{}", gone["id"]))
        .await
        .expect(204);
    ada.get(&paths[0]).await.expect(404);
    assert!(!on_disk[0].exists());
    ada.get(&paths[1]).await.expect(200);
    assert!(on_disk[1].exists());
}

async fn a_published_pdf_cannot_be_changed_or_deleted(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.pdf_idea(&pdf(300)).await;
    let published = ada.publish(idea["id"].as_i64().unwrap()).await;
    assert_eq!(published["sha256"], idea["sha256"]);
    let path = format!("/api/ideas/{}", idea["id"]);
    let again = json!({ "title": "Other", "content": idea["content"] });
    ada.put(&path, again).await.expect(409);
    ada.delete(&path).await.expect(409);
    assert!(ada.get(&path_of(&idea)).await.expect(200).body == pdf(300));
}

async fn every_saved_revision_is_listed(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>first</p>").await;
    let path = format!("/api/ideas/{idea}");
    let next = json!({ "title": "Hurry", "content": { "elements": [] } });
    ada.put(&path, next).await.expect(200);
    let listed = ada
        .get(&format!("{path}/revisions"))
        .await
        .expect(200)
        .json();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), 2);
    assert_eq!(
        keys(&listed[0]),
        [
            "contentKind",
            "createdAt",
            "kept",
            "revision",
            "sha256",
            "title"
        ]
    );
    assert_eq!(
        (
            &listed[0]["revision"],
            &listed[0]["title"],
            &listed[0]["contentKind"]
        ),
        (&json!(2), &json!("Hurry"), &json!("canvas"))
    );
    assert_eq!(listed[0]["sha256"], sha256(br#"{"elements":[]}"#));
    assert_eq!(listed[1]["revision"], 1);
    assert_eq!(listed[1]["sha256"], sha256(b"<p>first</p>"));
    let imported = ada.pdf_idea(&pdf(300)).await;
    let history = ada
        .get(&format!("/api/ideas/{}/revisions", imported["id"]))
        .await;
    assert_eq!(history.json()[0]["sha256"], sha256(&pdf(300)));
}
