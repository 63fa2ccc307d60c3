//! Requests that a client repeats because it did not get their answer.

use reqwest::Method;
use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::{Answer, App, Browser, Form, Process, pdf};
use crate::interrupted::files_on_disk;

on_both_databases!(
    an_idea_is_made_once_for_each_key,
    a_key_says_nothing_about_the_ideas_of_others,
    a_pdf_is_imported_once_for_each_key,
    concurrent_repetitions_get_the_same_idea,
    what_was_deleted_does_not_come_back,
    a_malformed_key_is_refused_by_name,
);

const IDEAS: &str = "/api/ideas";
const PDFS: &str = "/api/ideas/pdf";

async fn save(browser: &Browser, key: &str, title: &str) -> Answer {
    let idea = json!({ "title": title, "content": "<p>It waits.</p>" });
    let send = browser.send(Method::POST, IDEAS, |request| {
        request.header("Idempotency-Key", key).json(&idea)
    });
    send.await
}

async fn import(browser: &Browser, key: &str, content: &[u8]) -> Answer {
    let form = Form::default().file("file", "Kettle.pdf", "application/pdf", content);
    let send = browser.send(Method::POST, PDFS, |request| {
        form.on(request.header("Idempotency-Key", key))
    });
    send.await
}

async fn an_idea_is_made_once_for_each_key(app: App) {
    let ada = app.creator("ada").await;
    let first = save(&ada, "one", "Kettle").await.expect(201).json();
    let repeated = save(&ada, "one", "Kettle").await.expect(201).json();
    assert_eq!(repeated, first);

    // It is returned as it is now, and not changed by what the repetition says.
    let path = format!("{IDEAS}/{}", first["id"]);
    let changed = json!({ "title": "Teapot", "content": "<p>It pours.</p>" });
    let changed = ada.put(&path, changed).await.expect(200).json();
    assert_eq!(
        save(&ada, "one", "Kettle").await.expect(201).json(),
        changed
    );
    assert_eq!(ada.get(&path).await.expect(200).json(), changed);

    let second = save(&ada, "two", "Kettle").await.expect(201).json();
    assert_ne!(second["id"], first["id"]);
    ada.idea("Kettle", "<p>Without a key.</p>").await;
    ada.idea("Kettle", "<p>Without a key.</p>").await;
    assert_eq!(ada.list(IDEAS).await.len(), 4);
}

async fn a_key_says_nothing_about_the_ideas_of_others(app: App) {
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let adas = save(&ada, "one", "Kettle").await.expect(201).json();
    let bobs = save(&bob, "one", "Teapot").await.expect(201).json();
    assert_ne!(bobs["id"], adas["id"]);
    assert_eq!(bobs["title"], "Teapot");
    save(&app.browser(), "one", "Kettle").await.expect(401);
    import(&app.browser(), "one", &pdf(300)).await.expect(401);
    assert_eq!(ada.list(IDEAS).await.len(), 1);
    assert_eq!(bob.list(IDEAS).await.len(), 1);
}

async fn a_pdf_is_imported_once_for_each_key(app: App) {
    let ada = app.creator("ada").await;
    let first = import(&ada, "one", &pdf(300)).await.expect(201).json();
    let used = ada.get("/api/profile/storage").await.expect(200).json();
    let repeated = import(&ada, "one", &pdf(300)).await.expect(201).json();
    assert_eq!(repeated, first);
    assert_eq!(files_on_disk(&app), 1);
    let used_now = ada.get("/api/profile/storage").await.expect(200).json();
    assert_eq!(used_now, used);
    let path = first["content"]["pdfPath"].as_str().unwrap();
    assert_eq!(ada.get(path).await.expect(200).body, pdf(300));
}

async fn concurrent_repetitions_get_the_same_idea(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    for pdfs in [false, true] {
        let mut repetitions = JoinSet::new();
        for server in [&app.browser(), &other.browser()].repeat(4) {
            let ada = ada.at(server);
            repetitions.spawn(async move {
                let answer = if pdfs {
                    import(&ada, "pdf", &pdf(300)).await
                } else {
                    save(&ada, "text", "Kettle").await
                };
                answer.expect(201).json()["id"].clone()
            });
        }
        let ids = repetitions.join_all().await;
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    }
    assert_eq!(ada.list(IDEAS).await.len(), 2);
    assert_eq!(files_on_disk(&app), 1);
}

async fn what_was_deleted_does_not_come_back(app: App) {
    let ada = app.creator("ada").await;
    let text = save(&ada, "one", "Kettle").await.expect(201).json();
    let pdf_idea = import(&ada, "two", &pdf(300)).await.expect(201).json();
    for idea in [&text, &pdf_idea] {
        let path = format!("{IDEAS}/{}", idea["id"]);
        ada.delete(&path).await.expect(204);
    }
    save(&ada, "one", "Kettle").await.expect(404);
    import(&ada, "two", &pdf(300)).await.expect(404);
    assert_eq!(ada.list(IDEAS).await.len(), 0);
    assert_eq!(files_on_disk(&app), 0);
}

async fn a_malformed_key_is_refused_by_name(app: App) {
    let ada = app.creator("ada").await;
    for key in ["", "two words", &"k".repeat(65)] {
        save(&ada, key, "Kettle").await.refuses("idempotencyKey");
        import(&ada, key, &pdf(300)).await.refuses("idempotencyKey");
    }
    assert_eq!(ada.list(IDEAS).await.len(), 0);
}
