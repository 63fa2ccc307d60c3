//! Conditions for access to content.

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};

use super::{CANARY, TYPES, UNKNOWN, disclosed, terms_of};
use crate::harness::{App, keys, require_frontend};

on_both_databases!(
    opening_a_link_discloses_no_content,
    registering_alone_discloses_nothing,
    only_the_browser_that_registered_can_agree,
    agreeing_requires_an_explicit_true,
    a_recipient_id_alone_discloses_nothing,
    link_previews_count_no_view,
    an_email_link_admits_one_address_and_does_not_reveal_it,
    the_share_cookie_replaces_the_token,
    the_client_cannot_choose_its_viewer_key,
);

async fn opening_a_link_discloses_no_content(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    for share_type in TYPES {
        let link = ada.share(idea, share_type, terms_of(share_type)).await;
        let answer = app.visitor().open(&link).await.expect(200);
        assert!(!answer.text().contains(CANARY), "{answer:?}");
        assert!(!answer.text().contains("vera@example.org"), "{answer:?}");
        let shared = answer.json();
        assert_eq!(
            keys(&shared),
            [
                "allowDownload",
                "idea",
                "nda",
                "recipient",
                "shareType",
                "stage",
                "verification",
                "viewEndsAt"
            ]
        );
        assert_eq!(
            keys(&shared["idea"]),
            ["content", "documentId", "id", "status", "title", "user"]
        );
        assert_eq!(shared["idea"]["user"], json!({ "name": "ada" }));
        assert_eq!(shared["shareType"], share_type);
        assert_eq!(shared["stage"], "collect");
        for absent in [
            &shared["nda"],
            &shared["recipient"],
            &shared["verification"],
            &shared["idea"]["content"],
        ] {
            assert!(absent.is_null(), "{shared}");
        }
        assert_eq!(ada.views(idea, &link).await, 0);
    }
}

async fn registering_alone_discloses_nothing(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    for share_type in TYPES {
        let link = ada.share(idea, share_type, terms_of(share_type)).await;
        let vera = app.visitor();
        let recipient = vera.register(&link).await;
        let answer = vera.open(&link).await.expect(200);
        assert!(!answer.text().contains(CANARY), "{answer:?}");
        let shared = answer.json();
        let next = if share_type == "email" {
            "verify"
        } else {
            "nda"
        };
        assert_eq!(shared["stage"], next);
        assert!(shared["idea"]["content"].is_null());
        let own = &shared["recipient"];
        assert_eq!(keys(own), ["agreedToNda", "email", "id", "name", "phone"]);
        assert_eq!(own["id"], recipient);
        assert_eq!(own["agreedToNda"], false);
        let list = format!("/api/comments?ideaId={idea}");
        vera.get(&list).await.expect(403);
        vera.get("/api/comments").await.expect(403);
        let comment = json!({ "recipientId": recipient, "content": "Hello" });
        vera.post("/api/comments", comment).await.expect(403);
        let comment = json!({ "ideaId": idea, "content": "Hello" });
        vera.post("/api/comments", comment).await.expect(403);
        assert_eq!(ada.views(idea, &link).await, 0);
    }
}

async fn only_the_browser_that_registered_can_agree(app: App) {
    let (_ada, _, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let willi = app.visitor();
    willi.accept(&recipient).await.expect(404);
    willi.register(&link).await;
    willi.accept(&recipient).await.expect(404);
    assert_eq!(vera.open(&link).await.json()["stage"], "nda");
}

async fn agreeing_requires_an_explicit_true(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let path = format!("/api/recipients/{recipient}/nda");
    for body in [
        json!({ "agreed": false }),
        json!({ "agreed": "true" }),
        json!({ "agreed": 1 }),
        json!({ "agreed": null }),
        json!({}),
    ] {
        vera.put(&path, body).await.expect(400);
    }
    assert_eq!(vera.open(&link).await.json()["stage"], "nda");
    let agreed = vera.accept(&recipient).await.expect(200).json();
    assert_eq!(
        keys(&agreed),
        ["agreedToNda", "email", "id", "name", "phone"]
    );
    assert_eq!(agreed["agreedToNda"], true);
    let times = async || -> Vec<Value> {
        let activity = ada.activity(idea).await;
        let agreed = activity.iter().filter(|event| event["type"] == "agreed");
        agreed.map(|event| event["at"].clone()).collect()
    };
    let first = times().await;
    app.advance(Duration::minutes(1));
    vera.put(&path, json!({ "agreed": false }))
        .await
        .expect(400);
    assert_eq!(vera.accept(&recipient).await.expect(200).json(), agreed);
    vera.read(&link).await;
    assert_eq!(vera.accept(&recipient).await.expect(200).json(), agreed);
    assert_eq!(times().await, first);
    assert_eq!(first.len(), 1);
}

async fn a_recipient_id_alone_discloses_nothing(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let willi = app.visitor();
    let answer = willi.open(&link).await.expect(200);
    assert_eq!(answer.json()["stage"], "collect");
    assert!(!answer.text().contains(CANARY));
    willi.accept(&recipient).await.expect(404);
    let comment = json!({ "recipientId": recipient, "content": "As Vera" });
    willi
        .post("/api/comments", comment.clone())
        .await
        .expect(401);
    willi.agree(&link).await;
    willi.post("/api/comments", comment).await.expect(404);
    // The same details again make another registration.
    let again = willi
        .try_register(&link, "vera@example.org")
        .await
        .expect(201);
    assert_ne!(again.json()["id"], recipient);
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn link_previews_count_no_view(app: App) {
    require_frontend();
    let (ada, idea, link) = disclosed(&app, "one-time", json!({})).await;
    for agent in [
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        "WhatsApp/2.23.20.0",
        "Mozilla/5.0 (compatible; Microsoft SafeLinks)",
        "Twitterbot/1.0",
        "",
    ] {
        for path in ["api/share", "view", "collect", "nda", "document"] {
            for method in [Method::GET, Method::HEAD] {
                let path = format!("/{path}/{}", link.token);
                let bot = app.browser();
                let answer = bot
                    .send_bare(method, &path, |request| request.header("user-agent", agent))
                    .await;
                assert!(!answer.text().contains(CANARY), "{answer:?}");
            }
        }
    }
    // A bot that runs scripts sees no more than a new visitor.
    let robot = app.visitor();
    robot.open(&link).await.expect(200);
    robot.register(&link).await;
    robot.open(&link).await.expect(200);
    assert_eq!(ada.views(idea, &link).await, 0);
    let vera = app.visitor();
    vera.agree(&link).await;
    let head = vera
        .send(
            Method::HEAD,
            &format!("/api/share/{}", link.token),
            |head| head,
        )
        .await;
    assert!(head.body.is_empty());
    assert_eq!(ada.views(idea, &link).await, 0);
    vera.read(&link).await;
}

async fn an_email_link_admits_one_address_and_does_not_reveal_it(app: App) {
    let terms = json!({ "recipientEmail": "vera@example.org" });
    let (ada, idea, link) = disclosed(&app, "email", terms).await;
    let willi = app.visitor();
    for address in ["willi@example.org", "vera@example.com", "avera@example.org"] {
        let answer = willi.try_register(&link, address).await.expect(403);
        assert!(!answer.text().contains("example.org"), "{answer:?}");
        assert!(answer.cookies().is_empty());
    }
    assert_eq!(willi.open(&link).await.json()["stage"], "collect");
    assert_eq!(ada.activity(idea).await, Vec::<Value>::new());
    let vera = app.visitor();
    vera.try_register(&link, "  VERA@Example.ORG ")
        .await
        .expect(201);
}

async fn the_share_cookie_replaces_the_token(app: App) {
    let (_ada, _, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    let details = json!({ "name": "Vera", "email": "vera@example.org" });
    vera.post("/api/recipients", details.clone())
        .await
        .expect(404);
    vera.open(&link).await.expect(200);
    let registered = vera.post("/api/recipients", details.clone()).await;
    let registered = registered.expect(201).json();
    assert_eq!(
        keys(&registered),
        ["agreedToNda", "email", "id", "name", "phone"]
    );
    assert_eq!(vera.open(&link).await.json()["stage"], "nda");
    // The cookie names the share in plain text, so its signature has to be valid.
    let willi = app.visitor();
    let genuine = vera.cookies()["ideavault-share"].clone();
    for forged in [
        link.id.clone(),
        genuine.replace(&link.id[..8], "00000000"),
        String::new(),
    ] {
        willi.set_cookie("ideavault-share", &forged);
        willi
            .post("/api/recipients", details.clone())
            .await
            .expect(404);
    }
}

async fn the_client_cannot_choose_its_viewer_key(app: App) {
    let (_ada, _, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.set_cookie("ideavault-viewer", UNKNOWN);
    let answer = vera
        .try_register(&link, "vera@example.org")
        .await
        .expect(201);
    let cookies = answer.cookies();
    let key = cookies
        .iter()
        .find(|set| set.starts_with("ideavault-viewer="));
    let attributes: Vec<_> = key.unwrap().split("; ").collect();
    for wanted in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(attributes.contains(&wanted), "{cookies:?}");
    }
    assert_ne!(vera.cookies()["ideavault-viewer"], UNKNOWN);
}
