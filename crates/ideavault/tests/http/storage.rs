//! Storage quotas, release of storage, and deletion of images.

use chrono::Duration;
use serde_json::{Value, json};

use crate::commands::{run, stdout};
use crate::harness::{App, Creator, Form, pdf, png};

on_both_databases!(
    an_account_stores_no_more_than_its_quota,
    concurrent_saves_and_uploads_do_not_exceed_the_quota,
    the_vault_stores_no_more_than_its_quota,
    the_operator_sets_the_quota_of_an_account,
    old_revisions_of_drafts_are_thinned_except_viewed_ones,
    an_image_can_be_deleted_once_no_revision_shows_it,
);

async fn storage(ada: &Creator) -> (i64, i64) {
    let storage = ada.get("/api/profile/storage").await.expect(200).json();
    let bytes = |key: &str| storage[key].as_i64().unwrap();
    (bytes("usedBytes"), bytes("quotaBytes"))
}

fn idea_of(bytes: usize) -> Value {
    json!({ "title": "Kettle", "content": "a".repeat(bytes) })
}

async fn an_account_stores_no_more_than_its_quota(app: App) {
    let app = app.restart(&["--account-quota", "10kB"]).await;
    let ada = app.creator("ada").await;
    assert_eq!(storage(&ada).await, (0, 10_000));
    let created = ada.post("/api/ideas", idea_of(6_000)).await.expect(201);
    let path = format!("/api/ideas/{}", created.json()["id"]);
    ada.put(&path, idea_of(3_000)).await.expect(200);
    assert_eq!(storage(&ada).await, (9_000, 10_000));

    for refused in [
        ada.put(&path, idea_of(1_001)).await,
        ada.post("/api/ideas", idea_of(1_001)).await,
        ada.upload("/api/ideas/pdf", &pdf_form(2_000)).await,
    ] {
        let message = refused.expect(413).json()["message"].clone();
        assert!(
            message.as_str().unwrap().contains("quota of 10 kB"),
            "{message}"
        );
    }
    assert_eq!(storage(&ada).await, (9_000, 10_000));
    assert_eq!(ada.get(&path).await.json()["revision"], 2);
    assert_eq!(
        ada.get("/api/ideas").await.json().as_array().unwrap().len(),
        1
    );
    // Exactly the quota is allowed, and deleting releases storage.
    ada.put(&path, idea_of(1_000)).await.expect(200);
    ada.delete(&path).await.expect(204);
    assert_eq!(storage(&ada).await, (0, 10_000));
    ada.upload("/api/ideas/pdf", &pdf_form(2_000))
        .await
        .expect(201);
    // Other accounts have their own quota.
    let bob = app.creator("bob").await;
    bob.post("/api/ideas", idea_of(10_000)).await.expect(201);
}

fn pdf_form(bytes: usize) -> Form {
    Form::default().file("file", "Kettle.pdf", "application/pdf", &pdf(bytes))
}

async fn concurrent_saves_and_uploads_do_not_exceed_the_quota(app: App) {
    const OPTIONS: [&str; 2] = ["--account-quota", "10kB"];
    let app = app.restart(&OPTIONS).await;
    let second = app.another(&OPTIONS).await;
    let ada = app.creator("ada").await;
    let elsewhere = second.browser();
    ada.log_in(&elsewhere).await.expect(200);
    let form = pdf_form(3_000);
    let mut saves = Vec::new();
    for number in 0..12 {
        let browser = if number % 2 == 0 {
            ada.stolen()
        } else {
            elsewhere.stolen()
        };
        let form = &form;
        saves.push(async move {
            if number % 3 == 0 {
                browser.upload("/api/ideas/pdf", form).await.status
            } else {
                browser.post("/api/ideas", idea_of(3_000)).await.status
            }
        });
    }
    let statuses = futures_util::future::join_all(saves).await;
    let saved = statuses.iter().filter(|status| **status == 201).count();
    let refused = statuses.iter().filter(|status| **status == 413).count();
    assert_eq!((saved, refused), (3, 9), "{statuses:?}");
    let (used, _) = storage(&ada).await;
    assert!((9_000..=10_000).contains(&used), "{used}");
}

async fn the_vault_stores_no_more_than_its_quota(app: App) {
    let app = app.restart(&["--vault-quota", "10kB"]).await;
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    ada.post("/api/ideas", idea_of(6_000)).await.expect(201);
    bob.post("/api/ideas", idea_of(4_000)).await.expect(201);
    let refused = bob.post("/api/ideas", idea_of(1)).await.expect(507).json();
    let message = refused["message"].as_str().unwrap();
    assert!(
        message.contains("This vault has no storage left."),
        "{message}"
    );
    assert_eq!(storage(&bob).await.0, 4_000);
}

async fn the_operator_sets_the_quota_of_an_account(app: App) {
    let ada = app.creator("ada").await;
    ada.post("/api/ideas", idea_of(6_000)).await.expect(201);
    let said = stdout(&run(&app, &["user", "quota", "ADA@example.org", "6kB"]));
    assert_eq!(
        said,
        "ada@example.org may store 6 kB, and stores 6 kB now.\n"
    );
    ada.post("/api/ideas", idea_of(1)).await.expect(413);
    assert_eq!(storage(&ada).await, (6_000, 6_000));
    stdout(&run(&app, &["user", "quota", "ada@example.org", "default"]));
    assert_eq!(storage(&ada).await, (6_000, 2_000_000_000));
    ada.post("/api/ideas", idea_of(1)).await.expect(201);
    for arguments in [["nobody@example.org", "1MB"], ["ada@example.org", "much"]] {
        let refused = run(&app, &["user", "quota", arguments[0], arguments[1]]);
        assert!(!refused.status.success(), "{refused:?}");
    }
}

async fn old_revisions_of_drafts_are_thinned_except_viewed_ones(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "1".repeat(100)).await;
    let path = format!("/api/ideas/{idea}");
    ada.put(&path, idea_of(100)).await.expect(200);
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    for _ in 0..3 {
        ada.put(&path, idea_of(100)).await.expect(200);
    }
    app.advance(Duration::hours(26));
    let second = app.another(&[]).await;
    let browser = second.browser();
    ada.log_in(&browser).await.expect(200);
    let kept = async || {
        let listed = browser
            .get(&format!("{path}/revisions"))
            .await
            .expect(200)
            .json();
        let listed = listed.as_array().unwrap().clone();
        let kept = listed.iter().filter(|revision| revision["kept"] == true);
        kept.map(|revision| revision["revision"].as_i64().unwrap())
            .collect::<Vec<_>>()
    };
    // The cleanup runs beside the requests; a few of them give it time.
    for _ in 0..2_000 {
        if kept().await.len() < 5 {
            break;
        }
    }
    assert_eq!(kept().await, [5, 2]);
    let gone = browser
        .get(&format!("{path}/revisions/1"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&gone["kept"], &gone["content"]),
        (&json!(false), &Value::Null)
    );
    let used = browser.get("/api/profile/storage").await.json()["usedBytes"].clone();
    assert_eq!(used, 200);
    assert_eq!(browser.get(&path).await.expect(200).json()["revision"], 5);
}

async fn an_image_can_be_deleted_once_no_revision_shows_it(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let image = ada.image("kettle.png", &png()).await;
    let asset = image.replace("/api/files/", "/api/assets/");
    let content = format!("<p><img src=\"{image}\"></p>");
    let idea = ada.idea("Kettle", content).await;
    let path = format!("/api/ideas/{idea}");
    let refused = ada.delete(&asset).await.expect(409).json();
    let message = refused["message"].as_str().unwrap();
    assert!(
        message.starts_with("“Kettle” still shows this image"),
        "{message}"
    );
    // An earlier revision can be restored, and would show the image again.
    let body = json!({ "title": "Kettle", "content": "<p>Without</p>" });
    ada.put(&path, body).await.expect(200);
    ada.delete(&asset).await.expect(409);
    bob.delete(&asset).await.expect(404);
    ada.get(&image).await.expect(200);
    ada.delete(&path).await.expect(204);
    assert!(app.stored(&image).exists());
    ada.delete(&asset).await.expect(204);
    ada.delete(&asset).await.expect(404);
    ada.get(&image).await.expect(404);
    assert!(!app.stored(&image).exists());
    assert_eq!(ada.get("/api/assets").await.json(), json!([]));
    assert_eq!(storage(&ada).await.0, 0);

    let photo = Form::default().file("image", "me.png", "image/png", &png());
    let me = ada
        .upload("/api/profile/image", &photo)
        .await
        .expect(200)
        .json();
    let photo = me["profileImage"].as_str().unwrap();
    ada.delete(&photo.replace("/api/files/", "/api/assets/"))
        .await
        .expect(409);
}
