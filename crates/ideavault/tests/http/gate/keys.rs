//! Viewer keys: a key that somebody planted in a recipient's browser must not stay valid.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

use super::{CANARY, TYPES, agree, disclosed, terms_of};
use crate::harness::{App, Link, Visitor};

on_both_databases!(
    a_planted_key_gives_no_access_to_the_progress_of_its_victim,
    a_new_key_keeps_other_links_and_invalidates_the_former_key,
    a_lost_response_loses_no_other_link,
    a_reload_concurrent_with_the_agreement_loses_nothing,
    a_new_key_works_for_changes_to_comments_first_of_all,
    one_browser_gets_one_view_of_a_one_time_link,
    a_spent_view_ends_the_comments_of_concurrent_registrations,
    concurrent_registrations_of_one_browser_get_one_one_time_view,
    a_declined_agreement_is_reported_and_discloses_nothing,
    closing_an_unopened_document_is_not_reported,
);

/// Another person who knows the cookies of that browser.
fn planter(visitor: &Visitor) -> Visitor {
    Visitor::new(visitor.stolen())
}

async fn stage(visitor: &Visitor, link: &Link) -> String {
    let opened = visitor.open(link).await.expect(200);
    assert!(!opened.text().contains(CANARY), "{opened:?}");
    opened.json()["stage"].as_str().unwrap().to_owned()
}

async fn a_planted_key_gives_no_access_to_the_progress_of_its_victim(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", format!("<p>{CANARY}</p>")).await;
    let elsewhere = ada.share(idea, "full-access", json!({})).await;
    for share_type in TYPES {
        let link = ada.share(idea, share_type, terms_of(share_type)).await;
        // Vera registers in a browser whose key Mallory knows.
        let vera = app.visitor();
        vera.register(&elsewhere).await;
        let mallory = planter(&vera);
        let recipient = vera.register(&link).await;
        assert_eq!(stage(&mallory, &link).await, "collect");
        mallory.accept(&recipient).await.expect(404);
        // Before each step, Mallory copies the browser again and knows its key.
        let mallory = planter(&vera);
        if share_type == "email" {
            let code = app.mailed_code().await;
            vera.verify(&recipient, &code).await.expect(200);
            assert_eq!(stage(&mallory, &link).await, "collect");
        }
        let mallory = planter(&vera);
        vera.accept(&recipient).await.expect(200);
        for _ in 0..2 {
            // Once its only view is used, a link is dead for all others.
            let seen = mallory.open(&link).await;
            assert!(!seen.text().contains(CANARY), "{seen:?}");
            assert!(
                seen.status == 404 || seen.json()["stage"] == "collect",
                "{seen:?}"
            );
            mallory.accept(&recipient).await.expect(404);
            let comment = json!({ "recipientId": recipient, "content": "As Vera" });
            let comment = mallory.post("/api/comments", comment).await;
            assert!(matches!(comment.status, 401 | 404), "{comment:?}");
            vera.read(&link).await;
        }
    }
}

async fn a_new_key_keeps_other_links_and_invalidates_the_former_key(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", format!("<p>{CANARY}</p>")).await;
    let once = ada.share(idea, "one-time", json!({})).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&once).await;
    vera.read(&once).await;
    let former = planter(&vera);
    vera.register(&link).await;
    // First used by a request that only reads.
    vera.read(&once).await;
    former.open(&once).await.expect(404);
    former.get("/api/comments").await.expect(401);
    let recipient = vera.register(&link).await;
    vera.accept(&recipient).await.expect(200);
    vera.read(&link).await;
    vera.read(&once).await;
    assert_eq!(ada.views(idea, &once).await, 1);
}

async fn a_lost_response_loses_no_other_link(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", format!("<p>{CANARY}</p>")).await;
    let once = ada.share(idea, "one-time", json!({})).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&once).await;
    vera.read(&once).await;
    let recipient = vera.register(&link).await;
    // The browser never receives the new key that a clone of it was sent.
    planter(&vera).accept(&recipient).await.expect(200);
    vera.read(&once).await;
    assert_eq!(stage(&vera, &link).await, "collect");
    vera.agree(&link).await;
    vera.read(&link).await;
    vera.read(&once).await;
}

async fn a_reload_concurrent_with_the_agreement_loses_nothing(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", format!("<p>{CANARY}</p>")).await;
    for _ in 0..4 {
        let link = ada.share(idea, "one-time", json!({})).await;
        let vera = app.visitor();
        let recipient = vera.register(&link).await;
        let (agreed, reloaded) =
            futures_util::future::join(vera.accept(&recipient), vera.open(&link)).await;
        agreed.expect(200);
        reloaded.expect(200);
        vera.read(&link).await;
        assert_eq!(ada.views(idea, &link).await, 1);
    }
}

async fn a_new_key_works_for_changes_to_comments_first_of_all(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let elsewhere = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    for method in [Method::PUT, Method::DELETE] {
        let comment = json!({ "recipientId": recipient, "content": "Hurry" });
        let comment = vera.post("/api/comments", comment).await.expect(201).json();
        let path = format!("/api/comments/{}", comment["id"].as_str().unwrap());
        // In another tab, without looking at the link again.
        vera.try_register(&elsewhere, "vera@example.org")
            .await
            .expect(201);
        let changed = json!({ "content": "Wait" });
        vera.json(method, &path, changed).await.expect(200);
    }
}

async fn one_browser_gets_one_view_of_a_one_time_link(app: App) {
    let terms = json!({ "maxViews": 3 });
    let (ada, idea, link) = disclosed(&app, "one-time", terms).await;
    let vera = app.visitor();
    // Registered twice before the first view, with a new key each time.
    vera.agree(&link).await;
    let again = vera.try_register(&link, "vera@example.org").await;
    let again = again.expect(201).json()["id"].clone();
    vera.accept(again.as_str().unwrap()).await.expect(200);
    vera.read(&link).await;
    vera.try_register(&link, "vera@example.org")
        .await
        .expect(404);
    vera.read(&link).await;
    vera.close(&link).await.expect(204);
    vera.try_register(&link, "willi@example.org")
        .await
        .expect(404);
    vera.open(&link).await.expect(410);
    assert_eq!(ada.views(idea, &link).await, 1);
    // Another device registers and agrees again, and uses a view.
    let phone = app.visitor();
    phone.agree(&link).await;
    phone.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 2);
}

/// Two registrations agree, both of which replace an earlier one, and one of them reads.
async fn a_spent_view_ends_the_comments_of_concurrent_registrations(app: App) {
    let (ada, idea, link) = disclosed(&app, "one-time", json!({ "maxViews": 3 })).await;
    let elsewhere = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.register(&elsewhere).await;
    let (reading, late) = (planter(&vera), planter(&vera));
    let mut recipients = Vec::new();
    for tab in [&reading, &late] {
        let registered = tab.try_register(&link, "vera@example.org").await;
        let id = registered.expect(201).json()["id"].clone();
        let id = id.as_str().unwrap().to_owned();
        tab.accept(&id).await.expect(200);
        recipients.push(id);
    }
    let write = async |tab: &Visitor, recipient: &str| {
        let comment = json!({ "recipientId": recipient, "content": "Hurry" });
        tab.post("/api/comments", comment).await
    };
    write(&late, &recipients[1]).await.expect(201);
    reading.read(&link).await;
    write(&reading, &recipients[0]).await.expect(201);
    write(&late, &recipients[1]).await.expect(404);
    late.open(&link).await.expect(410);
    late.try_register(&link, "vera@example.org")
        .await
        .expect(404);
    reading.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn concurrent_registrations_of_one_browser_get_one_one_time_view(app: App) {
    let (ada, idea, link) = disclosed(&app, "one-time", json!({ "maxViews": 4 })).await;
    let elsewhere = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.register(&elsewhere).await;
    // Each answer has a key of its own, and the browser could keep any of them.
    let tabs = [(); 3].map(|()| planter(&vera));
    let late = planter(&vera);
    let registered = join_all(tabs.iter().map(|tab| tab.register(&link))).await;
    for (tab, recipient) in tabs.iter().zip(&registered) {
        tab.accept(recipient).await.expect(200);
    }
    let opened = join_all(tabs.iter().map(|tab| tab.open(&link))).await;
    let seen = opened.iter().filter(|seen| seen.text().contains(CANARY));
    assert_eq!(seen.count(), 1);
    // The key that all of them sent is replaced by now.
    let recipient = late.register(&link).await;
    late.accept(&recipient).await.expect(404);
    late.open(&link).await.expect(404);
    assert_eq!(ada.views(idea, &link).await, 1);
    // Other browsers have their views.
    let willi = app.visitor();
    willi.agree(&link).await;
    willi.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 2);
}

async fn a_declined_agreement_is_reported_and_discloses_nothing(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", format!("<p>{CANARY}</p>")).await;
    for share_type in TYPES {
        let link = ada.share(idea, share_type, terms_of(share_type)).await;
        let path = format!("/api/share/{}/decline", link.token);
        let decline = async |visitor: &Visitor| visitor.post(&path, json!({})).await;
        let vera = app.visitor();
        decline(&vera).await.expect(404);
        let recipient = vera.register(&link).await;
        for _ in 0..2 {
            decline(&vera).await.expect(204);
        }
        vera.accept(&recipient).await.expect(404);
        assert_eq!(stage(&vera, &link).await, "collect");
        let told = ada.activity(idea).await;
        let told: Vec<_> = told.iter().take(2).map(|entry| &entry["type"]).collect();
        assert_eq!(told, ["declined", "registered"]);
        // Also after closing.
        let olga = app.visitor();
        let recipient = olga.register(&link).await;
        olga.close(&link).await.expect(204);
        for _ in 0..2 {
            decline(&olga).await.expect(204);
        }
        olga.accept(&recipient).await.expect(404);
        let told = ada.activity(idea).await;
        let told: Vec<_> = told.iter().take(2).map(|entry| &entry["type"]).collect();
        assert_eq!(told, ["declined", "registered"]);
        let notices = ada.get("/api/notices").await.expect(200).json();
        let declined = notices.as_array().unwrap().iter();
        let declined = declined.filter(|notice| notice["kind"] == "declined");
        let declined = declined.filter(|notice| notice["shareId"] == link.id);
        assert_eq!(declined.count(), 2);
        if share_type == "email" {
            // The code of Vera's registration is still valid for that address.
            continue;
        }
        // An accepted agreement cannot be withdrawn.
        let willi = app.visitor();
        agree(&app, &willi, &link).await;
        decline(&willi).await.expect(409);
        willi.read(&link).await;
    }
    let other = app.visitor();
    let path = format!("/api/share/{}/decline", "x".repeat(43));
    other.send(Method::POST, &path, |ask| ask).await.expect(404);
}

async fn closing_an_unopened_document_is_not_reported(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.close(&link).await.expect(204);
    let willi = app.visitor();
    willi.register(&link).await;
    willi.register(&link).await;
    willi.open(&link).await.expect(200);
    let told = ada.activity(idea).await;
    assert!(
        told.iter().all(|entry| entry["type"] != "closed"),
        "{told:?}"
    );
    vera.agree(&link).await;
    vera.read(&link).await;
    vera.close(&link).await.expect(204);
    assert_eq!(ada.activity(idea).await[0]["type"], "closed");
}
