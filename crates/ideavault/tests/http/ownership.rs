//! A creator's ideas and links are inaccessible to other creators.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, App, Browser};

on_both_databases!(
    every_route_of_a_creator_requires_a_session,
    ideas_of_another_creator_are_not_found,
    content_for_an_idea_of_another_creator_is_not_validated,
    ideas_of_another_creator_cannot_be_shared,
    links_of_another_creator_cannot_be_revoked,
);

const CANARY: &str = "canary-7f3a";

/// Routes that require a signed-in creator.
fn creators_routes(idea: &str, share: &str) -> Vec<(Method, String, Option<Value>)> {
    let draft = json!({ "title": "Mine", "content": "<p>taken over</p>" });
    let link = json!({ "shareType": "full-access", "ideaId": 1 });
    let unsaved = json!({ "title": "", "content": "", "baseRevision": 1, "session": "a" });
    let copy = format!("/api/ideas/{idea}/working-copy");
    vec![
        (Method::GET, "/api/auth/me".into(), None),
        (Method::GET, "/api/ideas".into(), None),
        (Method::POST, "/api/ideas".into(), Some(draft.clone())),
        (Method::GET, format!("/api/ideas/{idea}"), None),
        (Method::PUT, format!("/api/ideas/{idea}"), Some(draft)),
        (Method::DELETE, format!("/api/ideas/{idea}"), None),
        (Method::PUT, format!("/api/ideas/{idea}/publish"), None),
        (
            Method::PUT,
            format!("/api/ideas/{idea}/organize"),
            Some(json!({ "tags": ["mine"], "archived": true })),
        ),
        (Method::PUT, copy.clone(), Some(unsaved)),
        (Method::GET, copy.clone(), None),
        (Method::DELETE, format!("{copy}?session=a"), None),
        (Method::GET, "/api/ideas/new/working-copy".into(), None),
        (Method::GET, format!("/api/ideas/{idea}/shares"), None),
        (Method::GET, format!("/api/ideas/{idea}/activity"), None),
        (Method::GET, format!("/api/ideas/{idea}/revisions"), None),
        (Method::GET, format!("/api/ideas/{idea}/revisions/1"), None),
        (Method::GET, format!("/api/ideas/{idea}/activity.csv"), None),
        (
            Method::GET,
            format!("/api/ideas/{idea}/activity.json"),
            None,
        ),
        (Method::POST, "/api/ideas/pdf".into(), Some(json!({}))),
        (Method::POST, "/api/upload/image".into(), Some(json!({}))),
        (Method::POST, "/api/profile/image".into(), Some(json!({}))),
        (Method::GET, "/api/assets".into(), None),
        (
            Method::DELETE,
            "/api/assets/00000000-0000-4000-8000-000000000000".into(),
            None,
        ),
        (Method::GET, "/api/profile/storage".into(), None),
        (Method::POST, "/api/shares".into(), Some(link)),
        (Method::GET, format!("/api/shares/{share}/preview"), None),
        (Method::DELETE, format!("/api/shares/{share}"), None),
        (
            Method::PUT,
            format!("/api/shares/{share}"),
            Some(json!({ "name": "Mine", "showsOtherReaders": true, "allowDownload": false })),
        ),
    ]
}

async fn ask(browser: &Browser, (method, path, body): (Method, String, Option<Value>)) -> Answer {
    match body {
        Some(body) => browser.json(method, &path, body).await,
        None => browser.send(method, &path, |request| request).await,
    }
}

async fn every_route_of_a_creator_requires_a_session(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let visitor = app.visitor();
    visitor.agree(&link).await;
    // A recipient of the idea does not become its creator.
    for browser in [&app.browser(), &visitor as &Browser] {
        for route in creators_routes(&idea.to_string(), &link.id) {
            let answer = ask(browser, route).await.expect(401);
            assert!(!answer.text().contains(CANARY), "{answer:?}");
        }
    }
    app.browser().get("/api/comments").await.expect(401);
    let comment = json!({ "ideaId": idea, "content": "Hello" });
    app.browser()
        .post("/api/comments", comment)
        .await
        .expect(401);
    assert_eq!(
        ada.get(&format!("/api/ideas/{idea}")).await.json()["revision"],
        1
    );
    assert_eq!(ada.look_at(idea, &link).await["state"], "active");
}

async fn ideas_of_another_creator_are_not_found(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let visitor = app.visitor();
    visitor.agree(&link).await;
    visitor.read(&link).await;
    let whole = async || {
        (
            ada.get(&format!("/api/ideas/{idea}")).await.json(),
            ada.look_at(idea, &link).await,
            ada.activity(idea).await,
        )
    };
    let before = whole().await;

    let absent_share = "00000000-0000-4000-8000-000000000000";
    let others = creators_routes(&idea.to_string(), &link.id);
    let absents = creators_routes("999999", absent_share);
    let mut tried = 0;
    for (of_ada, absent) in others.into_iter().zip(absents) {
        if of_ada.1 == absent.1 {
            continue;
        }
        let of_ada = ask(&bob, of_ada).await.expect(404);
        let absent = ask(&bob, absent).await.expect(404);
        assert_eq!(of_ada.body, absent.body);
        tried += 1;
    }
    assert_eq!(tried, 17);
    for (of_ada, absent) in [(idea, 999_999)] {
        let list = async |idea: i64| bob.get(&format!("/api/comments?ideaId={idea}")).await;
        let (of_ada_list, absent_list) = (list(of_ada).await, list(absent).await);
        assert_eq!(of_ada_list.expect(404).body, absent_list.expect(404).body);
        let add = async |idea: i64| {
            let comment = json!({ "ideaId": idea, "content": "Hello" });
            bob.post("/api/comments", comment).await
        };
        assert_eq!(
            add(of_ada).await.expect(404).body,
            add(absent).await.expect(404).body
        );
    }
    assert_eq!(whole().await, before);
    assert_eq!(bob.get("/api/ideas").await.expect(200).json(), json!([]));
    assert_eq!(bob.get("/api/comments").await.expect(200).json(), json!([]));
}

async fn ideas_of_another_creator_cannot_be_shared(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let foreign = bob
        .try_share(idea, "full-access", json!({}))
        .await
        .expect(404);
    let absent = bob
        .try_share(999_999, "full-access", json!({}))
        .await
        .expect(404);
    assert_eq!(foreign.body, absent.body);
    let shares = ada.get(&format!("/api/ideas/{idea}/shares")).await;
    assert_eq!(shares.json(), json!([]));
}

async fn links_of_another_creator_cannot_be_revoked(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    bob.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(404);
    app.visitor().open(&link).await.expect(200);
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    app.visitor().open(&link).await.expect(404);
}

/// Checking content is expensive: ownership is checked first.
async fn content_for_an_idea_of_another_creator_is_not_validated(app: App) {
    let ada = app.creator("ada").await;
    let grace = app.creator("grace").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let path = format!("/api/ideas/{idea}");
    let unreadable = json!({ "title": "Kettle", "content": { "elements": "none" } });
    ada.put(&path, unreadable.clone()).await.expect(400);
    grace.put(&path, unreadable.clone()).await.expect(404);
    ada.put(&format!("{path}/publish"), json!({}))
        .await
        .expect(200);
    ada.put(&path, unreadable).await.expect(409);
}
