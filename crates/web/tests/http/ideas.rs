//! A creator's ideas, and that they are nobody else's.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{App, Browser, Link, keys};

on_both_databases!(
    every_route_of_a_creator_needs_a_session,
    another_creators_idea_looks_like_no_idea_at_all,
    nobody_shares_an_idea_of_others,
    nobody_revokes_a_link_of_others,
    a_saved_idea_comes_back_as_it_was,
    ideas_are_listed_without_content_and_last_changed_first,
    a_published_idea_is_final,
    publishing_twice_at_once_answers_the_same,
    saving_at_once_loses_no_revision_silently,
    the_path_of_a_pdf_is_the_servers,
    a_link_has_the_limits_of_its_type_and_no_others,
    a_link_is_shown_to_its_owner_only_and_without_secrets_of_the_store,
);

const CANARY: &str = "canary-7f3a";

/// The routes that only a signed-in creator may use.
fn creators_routes(idea: &str, share: &str) -> Vec<(Method, String, Option<Value>)> {
    let draft = json!({ "title": "Mine", "content": "<p>taken over</p>" });
    let link = json!({ "shareType": "full-access", "ideaId": 1 });
    vec![
        (Method::GET, "/api/auth/me".into(), None),
        (Method::GET, "/api/ideas".into(), None),
        (Method::POST, "/api/ideas".into(), Some(draft.clone())),
        (Method::GET, format!("/api/ideas/{idea}"), None),
        (Method::PUT, format!("/api/ideas/{idea}"), Some(draft)),
        (Method::DELETE, format!("/api/ideas/{idea}"), None),
        (Method::PUT, format!("/api/ideas/{idea}/publish"), None),
        (Method::GET, format!("/api/ideas/{idea}/shares"), None),
        (Method::GET, format!("/api/ideas/{idea}/activity"), None),
        (Method::POST, "/api/shares".into(), Some(link)),
        (Method::DELETE, format!("/api/shares/{share}"), None),
    ]
}

async fn ask(
    browser: &Browser,
    (method, path, body): (Method, String, Option<Value>),
) -> crate::harness::Answer {
    match body {
        Some(body) => browser.json(method, &path, body).await,
        None => browser.send(method, &path, |request| request).await,
    }
}

async fn every_route_of_a_creator_needs_a_session(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let visitor = app.visitor();
    visitor.agree(&link).await;
    // To have read the idea as a recipient makes nobody its creator.
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

async fn another_creators_idea_looks_like_no_idea_at_all(app: App) {
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
    assert_eq!(tried, 7);
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

async fn nobody_shares_an_idea_of_others(app: App) {
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

async fn nobody_revokes_a_link_of_others(app: App) {
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

async fn a_saved_idea_comes_back_as_it_was(app: App) {
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
                "blockchainTimestamp",
                "contentKind",
                "documentId",
                "id",
                "lastModified",
                "status",
                "title"
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

async fn publishing_twice_at_once_answers_the_same(app: App) {
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

async fn saving_at_once_loses_no_revision_silently(app: App) {
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

async fn the_path_of_a_pdf_is_the_servers(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    for path in [
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

async fn a_link_has_the_limits_of_its_type_and_no_others(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let soon = (app.now() + chrono::Duration::minutes(1)).to_rfc3339();
    let past = (app.now() - chrono::Duration::seconds(1)).to_rfc3339();
    for (share_type, terms, field) in [
        ("one-time", json!({ "maxViews": 0 }), "maxViews"),
        ("one-time", json!({ "maxViews": -1 }), "maxViews"),
        ("one-time", json!({ "maxViews": 1.5 }), "maxViews"),
        (
            "one-time",
            json!({ "maxViews": 2_147_483_648_i64 }),
            "maxViews",
        ),
        ("one-time", json!({ "maxViews": "3" }), "maxViews"),
        ("one-time", json!({ "expiresAt": soon }), "expiresAt"),
        ("time-dependent", json!({ "expiresAt": past }), "expiresAt"),
        (
            "time-dependent",
            json!({ "expiresAt": "soon" }),
            "expiresAt",
        ),
        ("time-dependent", json!({ "expiresAt": 1 }), "expiresAt"),
        ("full-access", json!({ "maxViews": 2 }), "maxViews"),
        (
            "full-access",
            json!({ "recipientEmail": "a@example.org" }),
            "recipientEmail",
        ),
        ("email", json!({}), "recipientEmail"),
        ("email", json!({ "recipientEmail": "" }), "recipientEmail"),
        (
            "email",
            json!({ "recipientEmail": "nobody" }),
            "recipientEmail",
        ),
        ("forever", json!({}), "shareType"),
        ("", json!({}), "shareType"),
    ] {
        ada.try_share(idea, share_type, terms).await.refuses(field);
    }
    let shares = ada.get(&format!("/api/ideas/{idea}/shares")).await;
    assert_eq!(shares.json(), json!([]));
}

async fn a_link_is_shown_to_its_owner_only_and_without_secrets_of_the_store(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let in_a_week = (app.now() + chrono::Duration::days(7)).timestamp();
    let mut links: Vec<Link> = Vec::new();
    for (share_type, terms) in [
        ("one-time", json!({})),
        ("time-dependent", json!({})),
        ("full-access", json!({})),
        ("email", json!({ "recipientEmail": " Vera@Example.org" })),
    ] {
        let created = ada
            .try_share(idea, share_type, terms)
            .await
            .expect(201)
            .json();
        assert_eq!(
            keys(&created),
            [
                "accessLink",
                "createdAt",
                "expiresAt",
                "id",
                "ideaId",
                "maxViews",
                "recipientEmail",
                "shareType",
                "state",
                "viewCount"
            ]
        );
        let link = Link {
            id: created["id"].as_str().unwrap().into(),
            token: created["accessLink"].as_str().unwrap().into(),
        };
        assert_eq!(link.token.len(), 43);
        assert_eq!(ada.look_at(idea, &link).await, created);
        links.push(link);
    }
    assert_eq!(ada.look_at(idea, &links[0]).await["maxViews"], 1);
    let end = ada.look_at(idea, &links[1]).await["expiresAt"].clone();
    let end = chrono::DateTime::parse_from_rfc3339(end.as_str().unwrap()).unwrap();
    assert_eq!(end.timestamp(), in_a_week);
    let email = ada.look_at(idea, &links[3]).await["recipientEmail"].clone();
    assert_eq!(email, "vera@example.org");
    let listed = ada.get(&format!("/api/ideas/{idea}/shares")).await.json();
    let listed: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|share| share["id"].clone())
        .collect();
    let newest_first: Vec<_> = links.iter().rev().map(|link| json!(link.id)).collect();
    assert_eq!(listed, newest_first);
}
