//! Requests that a client repeats because it did not get their answer.

use ideavault_mail::testing::SmtpSink;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{Answer, App, Browser, Form, Process, pdf, png};
use crate::interrupted::files_on_disk;

on_both_databases!(
    an_idea_is_made_once_for_each_key,
    a_key_says_nothing_about_the_ideas_of_others,
    a_pdf_is_imported_once_for_each_key,
    an_image_is_uploaded_once_for_each_key,
    concurrent_repetitions_get_the_same_idea,
    what_was_deleted_does_not_come_back,
    a_malformed_key_is_refused_by_name,
    a_save_that_is_sent_again_is_no_conflict,
    concurrent_repetitions_of_a_save_are_one_revision,
    a_comment_is_written_once_for_each_key,
    a_link_is_made_and_mailed_once_for_each_key,
    concurrent_repetitions_make_one_comment_and_one_link,
    changes_that_are_sent_again_change_nothing_more,
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

async fn post(browser: &Browser, key: &str, path: &str, body: &Value) -> Answer {
    let send = browser.send(Method::POST, path, |request| {
        request.header("Idempotency-Key", key).json(body)
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

async fn upload(browser: &Browser, key: &str, path: &str) -> Answer {
    let form = Form::default().file("image", "Kettle.png", "image/png", &png());
    let send = browser.send(Method::POST, path, |request| {
        form.on(request.header("Idempotency-Key", key))
    });
    send.await
}

async fn an_image_is_uploaded_once_for_each_key(app: App) {
    let other = Process::beside(&app);
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    for (kept, path) in [(1, "/api/upload/image"), (2, "/api/profile/image")] {
        let mut repetitions = JoinSet::new();
        for server in [&app.browser(), &other.browser()].repeat(4) {
            let ada = ada.at(server);
            repetitions.spawn(async move { upload(&ada, path, path).await.expect(200).json() });
        }
        let stored = repetitions.join_all().await;
        assert!(stored.iter().all(|one| *one == stored[0]), "{stored:?}");
        assert_eq!(ada.list("/api/assets").await.len(), kept);
        assert_eq!(files_on_disk(&app), kept);
    }
    // Another key, another user, and none are other images.
    upload(&ada, "two", "/api/upload/image").await.expect(200);
    upload(&bob, "/api/upload/image", "/api/upload/image")
        .await
        .expect(200);
    let form = Form::default().file("image", "Kettle.png", "image/png", &png());
    for _ in 0..2 {
        ada.upload("/api/upload/image", &form).await.expect(200);
    }
    assert_eq!(ada.list("/api/assets").await.len(), 5);
    assert_eq!(bob.list("/api/assets").await.len(), 1);
    upload(&ada, "two words", "/api/upload/image")
        .await
        .refuses("idempotencyKey");
    // A photo that was chosen since stays.
    let chosen = upload(&ada, "three", "/api/profile/image").await;
    let chosen = chosen.expect(200).json();
    let late = upload(&ada, "/api/profile/image", "/api/profile/image").await;
    assert_eq!(late.expect(200).json(), chosen);
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

async fn a_save_that_is_sent_again_is_no_conflict(app: App) {
    let ada = app.creator("ada").await;
    let path = format!("{IDEAS}/{}", ada.idea("Kettle", "<p>It waits.</p>").await);
    let change = |content: &str, base: i32| json!({ "title": "Kettle", "content": content, "baseRevision": base });
    let first = ada.put(&path, change("<p>It pours.</p>", 1)).await;
    let first = first.expect(200).json();
    for _ in 0..2 {
        let again = ada.put(&path, change("<p>It pours.</p>", 1)).await;
        assert_eq!(again.expect(200).json(), first);
    }
    let revisions = format!("{path}/revisions");
    assert_eq!(ada.list(&revisions).await.len(), 2);

    // Another text, another title, and what was saved again since, are conflicts.
    ada.put(&path, change("<p>It sings.</p>", 1))
        .await
        .expect(409);
    let mut retitled = change("<p>It pours.</p>", 1);
    retitled["title"] = json!("Teapot");
    ada.put(&path, retitled).await.expect(409);
    ada.put(&path, change("<p>It pours.</p>", 2))
        .await
        .expect(200);
    let late = ada.put(&path, change("<p>It pours.</p>", 1)).await;
    assert_eq!(late.expect(409).json()["revision"], 3);
    assert_eq!(ada.list(&revisions).await.len(), 3);

    // The title of a PDF too.
    let pdf_idea = ada.pdf_idea(&pdf(300)).await;
    let path = format!("{IDEAS}/{}", pdf_idea["id"]);
    let renamed = json!({ "title": "Urn", "content": pdf_idea["content"], "baseRevision": 1 });
    let first = ada.put(&path, renamed.clone()).await.expect(200).json();
    assert_eq!(ada.put(&path, renamed).await.expect(200).json(), first);
}

async fn concurrent_repetitions_of_a_save_are_one_revision(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let path = format!("{IDEAS}/{}", ada.idea("Kettle", "<p>It waits.</p>").await);
    let mut repetitions = JoinSet::new();
    for server in [&app.browser(), &other.browser()].repeat(8) {
        let (ada, path) = (ada.at(server), path.clone());
        repetitions.spawn(async move {
            let change =
                json!({ "title": "Kettle", "content": "<p>It pours.</p>", "baseRevision": 1 });
            ada.put(&path, change).await.expect(200).json()
        });
    }
    let saved = repetitions.join_all().await;
    assert!(saved.iter().all(|idea| *idea == saved[0]), "{saved:?}");
    assert_eq!(ada.list(&format!("{path}/revisions")).await.len(), 2);
}

async fn a_comment_is_written_once_for_each_key(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits.</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    let comments = "/api/comments";
    let by_owner = json!({ "ideaId": idea, "content": "Well?" });
    let by_reader = json!({ "recipientId": recipient, "content": "Well?" });
    let browsers: [&Browser; 2] = [&ada, &vera];
    for (browser, body) in browsers.into_iter().zip([&by_owner, &by_reader]) {
        let first = post(browser, "one", comments, body)
            .await
            .expect(201)
            .json();
        let again = post(browser, "one", comments, body).await.expect(201);
        assert_eq!(again.json(), first);
        // As it is now.
        let path = format!("{comments}/{}", first["id"].as_str().unwrap());
        browser.delete(&path).await.expect(200);
        let again = post(browser, "one", comments, body)
            .await
            .expect(201)
            .json();
        assert_eq!(again["id"], first["id"]);
        assert_ne!(again["withdrawnAt"], Value::Null);
        post(browser, "two", comments, body).await.expect(201);
        post(browser, "two words", comments, body)
            .await
            .refuses("idempotencyKey");
    }
    // The same key of different writers, and one writer on different ideas.
    let other = ada.idea("Teapot", "<p>It pours.</p>").await;
    let elsewhere = json!({ "ideaId": other, "content": "Well?" });
    post(&ada, "one", comments, &elsewhere).await.expect(201);
    assert_eq!(
        ada.list(&format!("{comments}?ideaId={idea}")).await.len(),
        4
    );
    assert_eq!(
        ada.list(&format!("{comments}?ideaId={other}")).await.len(),
        1
    );
    // Who may not comment any more learns nothing.
    vera.close(&link).await.expect(204);
    post(&vera, "one", comments, &by_reader).await.expect(404);
}

async fn a_link_is_made_and_mailed_once_for_each_key(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let idea = ada.idea("Kettle", "<p>It waits.</p>").await;
    let link = json!({
        "ideaId": idea, "shareType": "email", "recipientEmail": "vera@example.org",
    });
    let first = post(&ada, "one", "/api/shares", &link).await;
    let first = first.expect(201).json();
    let again = post(&ada, "one", "/api/shares", &link).await;
    assert_eq!(again.expect(201).json(), first);
    let second = post(&ada, "two", "/api/shares", &link).await;
    let second = second.expect(201).json();
    assert_ne!(second["id"], first["id"]);
    // Mails go in order.
    for made in [&first, &second] {
        let mail = sink.next();
        assert!(mail.text.contains(made["accessLink"].as_str().unwrap()));
    }
    // As it is now.
    let path = format!("/api/shares/{}", first["id"].as_str().unwrap());
    ada.delete(&path).await.expect(204);
    let again = post(&ada, "one", "/api/shares", &link).await;
    assert_eq!(again.expect(201).json()["state"], "revoked");
    post(&bob, "one", "/api/shares", &link).await.expect(404);
    post(&ada, "two words", "/api/shares", &link)
        .await
        .refuses("idempotencyKey");
    let path = format!("{IDEAS}/{idea}/shares");
    let links = ada.get(&path).await.expect(200).json();
    assert_eq!(links.as_array().unwrap().len(), 2);
}

async fn concurrent_repetitions_make_one_comment_and_one_link(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits.</p>").await;
    let comment = json!({ "ideaId": idea, "content": "Well?" });
    let link = json!({ "ideaId": idea, "shareType": "full-access" });
    for (path, body) in [("/api/comments", comment), ("/api/shares", link)] {
        let mut repetitions = JoinSet::new();
        for server in [&app.browser(), &other.browser()].repeat(8) {
            let (ada, body) = (ada.at(server), body.clone());
            repetitions
                .spawn(async move { post(&ada, "one", path, &body).await.expect(201).json() });
        }
        let made = repetitions.join_all().await;
        assert!(made.iter().all(|one| *one == made[0]), "{made:?}");
    }
    assert_eq!(ada.list("/api/comments").await.len(), 1);
    let links = ada.get(&format!("{IDEAS}/{idea}/shares")).await;
    assert_eq!(links.expect(200).json().as_array().unwrap().len(), 1);
}

async fn changes_that_are_sent_again_change_nothing_more(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits.</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let comment = json!({ "ideaId": idea, "content": "Well?" });
    let comment = ada.post("/api/comments", comment).await.expect(201).json();
    let path = format!("/api/comments/{}", comment["id"].as_str().unwrap());
    let edit = json!({ "content": "Well!" });
    let edited = ada.put(&path, edit.clone()).await.expect(200).json();
    // Also when the time for edits is over meanwhile.
    app.advance(chrono::Duration::minutes(11));
    assert_eq!(ada.put(&path, edit).await.expect(200).json(), edited);
    ada.put(&path, json!({ "content": "Well?!" }))
        .await
        .expect(409);
    let withdrawn = ada.delete(&path).await.expect(200).json();
    assert_eq!(ada.delete(&path).await.expect(200).json(), withdrawn);

    let share = format!("/api/shares/{}", link.id);
    for _ in 0..2 {
        ada.delete(&share).await.expect(204);
    }
    let kinds = crate::audit::kinds(&app).into_iter();
    let revoked: Vec<_> = kinds.filter(|kind| kind == "share-revoked").collect();
    assert_eq!(revoked.len(), 1, "{revoked:?}");
    let published = ada.publish(idea).await;
    assert_eq!(ada.publish(idea).await, published);

    let notifications = format!("{share}/notifications");
    for (path, body) in [
        ("/api/profile", json!({ "name": "Ada King" })),
        ("/api/profile/notifications", json!({ "mode": "never" })),
        (&notifications, json!({ "mode": "daily" })),
    ] {
        let first = ada.put(path, body.clone()).await.expect(200).json();
        assert_eq!(ada.put(path, body).await.expect(200).json(), first);
    }
}
