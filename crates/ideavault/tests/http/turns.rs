//! Callers take turns: what one of them asks for, however much, does not keep others from being
//! served.

use std::sync::Arc;

use serde_json::json;

use crate::harness::App;
use crate::metrics::{ANYWHERE, metrics, value};

on_both_databases!(
    whoever_waits_for_many_answers_keeps_nobody_else_waiting,
    a_reader_who_waits_for_many_answers_keeps_nobody_else_waiting,
    a_long_document_is_written_once_for_all_who_ask_at_once,
);

/// More than there are threads.
const AT_ONCE: usize = 16;

async fn whoever_waits_for_many_answers_keeps_nobody_else_waiting(app: App) {
    let (ada, grace) = (
        Arc::new(app.creator("ada").await),
        app.creator("grace").await,
    );
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    grace.idea("Teapot", "<p>Waits, too</p>").await;
    // All that is written there waits.
    let held = app.hold("comments");
    let flood: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let ada = Arc::clone(&ada);
            let body = json!({ "ideaId": idea, "content": "Hi" });
            tokio::spawn(async move { ada.post("/api/comments", body).await })
        })
        .collect();
    for path in [
        "/api/ideas",
        "/api/notices",
        "/api/assets",
        "/api/auth/sessions",
    ] {
        grace.get(path).await.expect(200);
    }
    // Those who were before did not have to end first.
    assert!(!flood.iter().any(|asked| asked.is_finished()));
    drop(held);
    for asked in flood {
        asked.await.unwrap();
    }
}

async fn a_reader_who_waits_for_many_answers_keeps_nobody_else_waiting(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let held = app.hold("recipients");
    let flood: Vec<_> = (0..AT_ONCE)
        .map(|nth| {
            let (vera, link) = (app.visitor(), link.clone());
            let email = format!("vera{nth}@example.org");
            tokio::spawn(async move { vera.try_register(&link, &email).await })
        })
        .collect();
    ada.get("/api/ideas").await.expect(200);
    ada.get("/api/notices").await.expect(200);
    assert!(!flood.iter().any(|asked| asked.is_finished()));
    drop(held);
    for asked in flood {
        asked.await.unwrap();
    }
}

async fn a_long_document_is_written_once_for_all_who_ask_at_once(app: App) {
    let app = app.restart(&ANYWHERE).await;
    let ada = Arc::new(app.creator("ada").await);
    let text = format!("<p>{}</p>", "A kettle waits. ".repeat(8_000));
    let path = format!("/api/ideas/{}", ada.idea("Kettle", text.as_str()).await);
    let hits = async || {
        let series = "ideavault_cache_lookups_total{cache=\"responses\",result=\"hit\"}";
        value(&metrics(&app).await, series)
    };
    // Something else may be committed meanwhile, after which all is read anew.
    for _ in 0..20 {
        app.execute("UPDATE users SET name = name");
        let before = hits().await;
        let asked: Vec<_> = (0..8)
            .map(|_| {
                let (ada, path) = (Arc::clone(&ada), path.clone());
                tokio::spawn(async move { ada.get(&path).await.expect(200).json() })
            })
            .collect();
        for asked in asked {
            assert_eq!(asked.await.unwrap()["content"], text);
        }
        if hits().await - before >= 7.0 {
            return;
        }
    }
    panic!("each of them was read and written anew");
}
