//! Saves based on an outdated revision, which must not overwrite a newer one.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{Answer, App, Browser, keys, pdf};

on_both_databases!(
    a_second_tab_is_refused_until_it_has_loaded_the_newer_revision,
    concurrent_saves_on_one_revision_have_one_winner,
    a_save_without_a_base_revision_replaces_the_current_one,
    a_nonexistent_base_revision_is_refused,
    a_save_to_a_published_idea_reports_the_publication,
    publishing_an_unseen_revision_is_refused,
    a_pdf_keeps_the_newer_title,
);

fn draft(text: &str, base: impl Into<Value>) -> Value {
    let base: Value = base.into();
    json!({ "title": "Kettle", "content": text, "baseRevision": base })
}

/// A refusal that names the current revision.
#[track_caller]
fn outdated(answer: Answer, revision: i32) {
    let body = answer.expect(409).json();
    assert_eq!(keys(&body), ["message", "revision"]);
    assert_eq!(body["revision"], revision);
    let message = body["message"].as_str().unwrap();
    assert!(message.contains("saved elsewhere"), "{message}");
}

async fn content(browser: &Browser, path: &str) -> (Value, Value) {
    let idea = browser.get(path).await.expect(200).json();
    (idea["revision"].clone(), idea["content"].clone())
}

async fn a_second_tab_is_refused_until_it_has_loaded_the_newer_revision(app: App) {
    let ada = app.creator("ada").await;
    let path = format!("/api/ideas/{}", ada.idea("Kettle", "<p>One</p>").await);
    let (one, two) = (ada.stolen(), ada.stolen());
    let saved = one.put(&path, draft("<p>Two</p>", 1)).await.expect(200);
    assert_eq!(saved.json()["revision"], 2);

    outdated(two.put(&path, draft("<p>Mine</p>", 1)).await, 2);
    assert_eq!(content(&two, &path).await, (json!(2), json!("<p>Two</p>")));
    let history = two.get(&format!("{path}/revisions")).await.json();
    assert_eq!(history.as_array().unwrap().len(), 2);

    let saved = two.put(&path, draft("<p>Mine</p>", 2)).await.expect(200);
    assert_eq!(saved.json()["revision"], 3);
    outdated(one.put(&path, draft("<p>Again</p>", 2)).await, 3);
}

async fn concurrent_saves_on_one_revision_have_one_winner(app: App) {
    let ada = app.creator("ada").await;
    let path = format!("/api/ideas/{}", ada.idea("Kettle", "<p>0</p>").await);
    for base in 1..=3 {
        let mut running = JoinSet::new();
        for number in 0..8 {
            let (browser, path) = (ada.stolen(), path.clone());
            running.spawn(async move {
                let text = format!("<p>{base}-{number}</p>");
                (browser.put(&path, draft(&text, base)).await, text)
            });
        }
        let mut won = Vec::new();
        for (answer, text) in running.join_all().await {
            if answer.status == 200 {
                assert_eq!(answer.json()["revision"], base + 1);
                won.push(text);
            } else {
                outdated(answer, base + 1);
            }
        }
        assert_eq!(won.len(), 1, "{won:?}");
        assert_eq!(content(&ada, &path).await, (json!(base + 1), json!(won[0])));
    }
}

async fn a_save_without_a_base_revision_replaces_the_current_one(app: App) {
    let ada = app.creator("ada").await;
    let path = format!("/api/ideas/{}", ada.idea("Kettle", "<p>One</p>").await);
    let plain = json!({ "title": "Kettle", "content": "<p>Two</p>" });
    for (body, revision) in [(plain, 2), (draft("<p>Three</p>", Value::Null), 3)] {
        let saved = ada.put(&path, body).await.expect(200).json();
        assert_eq!(saved["revision"], revision);
    }
}

async fn a_nonexistent_base_revision_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let path = format!("/api/ideas/{}", ada.idea("Kettle", "<p>One</p>").await);
    let numbers = [json!(2), json!(0), json!(-1), json!(i32::MAX)];
    let others = [
        json!(i64::MAX),
        json!(1.0),
        json!("1"),
        json!(true),
        json!([1]),
        json!({}),
    ];
    for base in numbers.into_iter().chain(others) {
        let body = draft("<p>x</p>", base);
        ada.put(&path, body).await.refuses("baseRevision");
    }
    let twice = r#"{"title":"K","content":"","baseRevision":1,"baseRevision":1}"#;
    ada.raw(Method::PUT, &path, twice).await.expect(400);
    assert_eq!(content(&ada, &path).await, (json!(1), json!("<p>One</p>")));
}

async fn a_save_to_a_published_idea_reports_the_publication(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>One</p>").await;
    let path = format!("/api/ideas/{idea}");
    ada.put(&path, draft("<p>Two</p>", 1)).await.expect(200);
    ada.publish(idea).await;
    for base in [json!(1), json!(2), json!(9), Value::Null] {
        let body = ada.put(&path, draft("<p>x</p>", base)).await.expect(409);
        assert_eq!(
            body.json(),
            json!({ "message": "Published ideas cannot be edited or deleted" })
        );
    }
    let eve = app.creator("eve").await;
    eve.put(&path, draft("<p>x</p>", 1)).await.expect(404);
}

async fn publishing_an_unseen_revision_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let path = format!("/api/ideas/{}", ada.idea("Kettle", "<p>One</p>").await);
    ada.put(&path, draft("<p>Two</p>", 1)).await.expect(200);
    let publish = async |base: &str| {
        let path = format!("{path}/publish?baseRevision={base}");
        ada.send(Method::PUT, &path, |request| request).await
    };

    outdated(publish("1").await, 2);
    for base in ["0", "3", "-1", "x", "", "1.0", "4294967297"] {
        publish(base).await.refuses("baseRevision");
    }
    assert_eq!(ada.get(&path).await.json()["status"], "draft");

    let published = publish("2").await.expect(200).json();
    assert_eq!(published["content"], "<p>Two</p>");
    assert_eq!(publish("2").await.expect(200).json(), published);
    outdated(publish("1").await, 2);
}

async fn a_pdf_keeps_the_newer_title(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.pdf_idea(&pdf(300)).await;
    let path = format!("/api/ideas/{}", idea["id"]);
    let titled =
        |title: &str| json!({ "title": title, "content": idea["content"], "baseRevision": 1 });
    ada.put(&path, titled("First")).await.expect(200);
    outdated(ada.put(&path, titled("Second")).await, 2);
    assert_eq!(ada.get(&path).await.json()["title"], "First");
}
