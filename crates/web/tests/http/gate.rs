//! The gate: no byte of content before everything is met, and none after.

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, App, Creator, Link, Visitor, keys};

on_both_databases!(
    looking_a_link_up_shows_no_content,
    registering_alone_opens_nothing,
    only_the_browser_that_registered_can_agree,
    agreeing_takes_a_plain_yes,
    agreeing_counts_one_view_and_reloads_none,
    knowing_a_recipient_opens_nothing,
    a_read_one_time_link_is_dead_for_everybody_else,
    closing_ends_the_visit_at_once,
    a_one_time_view_ends_with_its_window,
    an_unlimited_link_counts_again_after_the_window,
    link_previews_count_nothing,
    an_expired_link_is_dead_in_the_middle_of_a_visit,
    two_views_are_two_and_no_third,
    a_revoked_link_is_dead_in_the_middle_of_a_visit,
    deleting_the_draft_kills_its_links_and_keeps_the_evidence,
    an_email_link_admits_one_address_and_does_not_tell_which,
    a_recipient_sees_the_latest_draft_and_the_record_tells_which,
    the_agreement_shown_is_the_one_on_record,
    the_share_cookie_stands_in_for_the_token,
    a_browser_is_forgotten_after_a_week,
    nobody_chooses_their_own_viewer_key,
);

const CANARY: &str = "canary-51c0";
const TYPES: [&str; 4] = ["one-time", "time-dependent", "full-access", "email"];
const UNKNOWN: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A creator with a draft and a link to it.
async fn disclosed(app: &App, share_type: &str, terms: Value) -> (Creator, i64, Link) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", format!("<p>{CANARY}</p>")).await;
    let link = ada.share(idea, share_type, terms).await;
    (ada, idea, link)
}

fn terms_of(share_type: &str) -> Value {
    match share_type {
        "email" => json!({ "recipientEmail": "vera@example.org" }),
        _ => json!({}),
    }
}

/// Asserts that a link is as dead for somebody as one that never was.
async fn assert_dead(visitor: &Visitor, idea: i64, link: &Link) {
    let unknown = Link {
        token: UNKNOWN.into(),
        ..link.clone()
    };
    let same = |dead: Answer, unknown: Answer| {
        let (dead, unknown) = (dead.expect(404), unknown.expect(404));
        assert_eq!(dead.body, unknown.body);
        assert!(dead.cookies().is_empty(), "{dead:?}");
    };
    same(visitor.open(link).await, visitor.open(&unknown).await);
    same(
        visitor.try_register(link, "vera@example.org").await,
        visitor.try_register(&unknown, "vera@example.org").await,
    );
    let comments = visitor.get(&format!("/api/comments?ideaId={idea}")).await;
    assert!(matches!(comments.status, 401 | 404), "{comments:?}");
    let comment = json!({ "ideaId": idea, "content": "Still here?" });
    let comment = visitor.post("/api/comments", comment).await;
    assert!(matches!(comment.status, 401 | 404), "{comment:?}");
}

/// Asserts that a link is dead for good: not even a visit is left to close.
async fn assert_gone(visitor: &Visitor, idea: i64, link: &Link) {
    assert_dead(visitor, idea, link).await;
    visitor.close(link).await.expect(404);
}

async fn looking_a_link_up_shows_no_content(app: App) {
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
                "idea",
                "nda",
                "recipient",
                "shareType",
                "stage",
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
            &shared["idea"]["content"],
        ] {
            assert!(absent.is_null(), "{shared}");
        }
        assert_eq!(ada.views(idea, &link).await, 0);
    }
}

async fn registering_alone_opens_nothing(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    for share_type in TYPES {
        let link = ada.share(idea, share_type, terms_of(share_type)).await;
        let vera = app.visitor();
        let recipient = vera.register(&link).await;
        let answer = vera.open(&link).await.expect(200);
        assert!(!answer.text().contains(CANARY), "{answer:?}");
        let shared = answer.json();
        assert_eq!(shared["stage"], "nda");
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

async fn agreeing_takes_a_plain_yes(app: App) {
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

async fn agreeing_counts_one_view_and_reloads_none(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", format!("<p>{CANARY}</p>")).await;
    for share_type in TYPES {
        let link = ada.share(idea, share_type, terms_of(share_type)).await;
        let vera = app.visitor();
        vera.agree(&link).await;
        assert_eq!(ada.views(idea, &link).await, 0);
        let opened = vera.open(&link).await.expect(200).json();
        assert_eq!(opened["stage"], "open");
        assert_eq!(opened["idea"]["content"], format!("<p>{CANARY}</p>"));
        assert!(opened["nda"].is_null());
        for _ in 0..5 {
            assert_eq!(vera.open(&link).await.expect(200).json(), opened);
        }
        assert_eq!(ada.views(idea, &link).await, 1);
    }
}

async fn knowing_a_recipient_opens_nothing(app: App) {
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
    // The same details typed again are another registration, not the same one.
    let again = willi
        .try_register(&link, "vera@example.org")
        .await
        .expect(201);
    assert_ne!(again.json()["id"], recipient);
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn a_read_one_time_link_is_dead_for_everybody_else(app: App) {
    let (ada, idea, link) = disclosed(&app, "one-time", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    willi.agree(&link).await;
    vera.agree(&link).await;
    vera.read(&link).await;
    assert_dead(&willi, idea, &link).await;
    assert_dead(&app.visitor(), idea, &link).await;
    vera.read(&link).await;
    assert_eq!(ada.look_at(idea, &link).await["state"], "exhausted");
}

async fn closing_ends_the_visit_at_once(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    for share_type in TYPES {
        let link = ada.share(idea, share_type, terms_of(share_type)).await;
        let vera = app.visitor();
        let recipient = vera.agree(&link).await;
        vera.read(&link).await;
        vera.close(&link).await.expect(204);
        vera.close(&link).await.expect(204);
        let comment = json!({ "recipientId": recipient, "content": "One more" });
        vera.post("/api/comments", comment).await.expect(404);
        vera.get(&format!("/api/comments?ideaId={idea}"))
            .await
            .expect(404);
        vera.accept(&recipient).await.expect(404);
        if share_type == "one-time" {
            vera.open(&link).await.expect(404);
        } else {
            let answer = vera.open(&link).await.expect(200);
            assert_eq!(answer.json()["stage"], "collect");
            assert!(!answer.text().contains(CANARY));
        }
        assert_eq!(ada.views(idea, &link).await, 1);
    }
    let types = ada.activity(idea).await;
    let closed = types.iter().filter(|event| event["type"] == "closed");
    assert_eq!(closed.count(), TYPES.len());
}

async fn a_one_time_view_ends_with_its_window(app: App) {
    let (ada, idea, link) = disclosed(&app, "one-time", json!({ "maxViews": 2 })).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    app.advance(Duration::minutes(30) - Duration::seconds(1));
    vera.read(&link).await;
    app.advance(Duration::seconds(1));
    assert_dead(&vera, idea, &link).await;
    assert_eq!(ada.views(idea, &link).await, 1);
    app.visitor().agree(&link).await;
}

async fn an_unlimited_link_counts_again_after_the_window(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    app.advance(Duration::minutes(31));
    vera.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 2);
    let brief = app.another(&["--view-window", "2s"]).await;
    let willi = brief.visitor();
    willi.agree(&link).await;
    willi.read(&link).await;
    app.advance(Duration::seconds(2));
    willi.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 4);
}

async fn link_previews_count_nothing(app: App) {
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
    // Also one that runs scripts sees no more than a person who just came.
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

async fn an_expired_link_is_dead_in_the_middle_of_a_visit(app: App) {
    let end = (app.now() + Duration::seconds(60)).to_rfc3339();
    let terms = json!({ "expiresAt": end });
    let (ada, idea, link) = disclosed(&app, "time-dependent", terms).await;
    let (vera, willi, xenia) = (app.visitor(), app.visitor(), app.visitor());
    vera.agree(&link).await;
    vera.read(&link).await;
    willi.agree(&link).await;
    let recipient = xenia.register(&link).await;
    app.advance(Duration::seconds(61));
    for visitor in [&vera, &willi, &xenia, &app.visitor()] {
        assert_gone(visitor, idea, &link).await;
    }
    xenia.accept(&recipient).await.expect(404);
    assert_eq!(ada.look_at(idea, &link).await["state"], "expired");
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn two_views_are_two_and_no_third(app: App) {
    for share_type in ["one-time", "time-dependent"] {
        let creator = app.creator(share_type).await;
        let idea = creator.idea("Kettle", CANARY).await;
        let link = creator
            .share(idea, share_type, json!({ "maxViews": 2 }))
            .await;
        let visitors = [app.visitor(), app.visitor(), app.visitor()];
        for visitor in &visitors {
            visitor.agree(&link).await;
        }
        visitors[0].read(&link).await;
        visitors[1].read(&link).await;
        assert_dead(&visitors[2], idea, &link).await;
        visitors[0].read(&link).await;
        assert_eq!(creator.views(idea, &link).await, 2);
    }
}

async fn a_revoked_link_is_dead_in_the_middle_of_a_visit(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let waiting = willi.register(&link).await;
    let before = ada.activity(idea).await;
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    for visitor in [&vera, &willi, &app.visitor()] {
        assert_gone(visitor, idea, &link).await;
    }
    willi.accept(&waiting).await.expect(404);
    let comment = json!({ "recipientId": recipient, "content": "Still here?" });
    vera.post("/api/comments", comment).await.expect(404);
    assert_eq!(ada.activity(idea).await, before);
    let shares = ada.get(&format!("/api/ideas/{idea}/shares")).await.json();
    assert_eq!(shares, json!([]));
}

async fn deleting_the_draft_kills_its_links_and_keeps_the_evidence(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let other = ada.share(idea, "one-time", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let comment = json!({ "recipientId": recipient, "content": "Nice" });
    vera.post("/api/comments", comment).await.expect(201);
    let waiting = willi.register(&other).await;
    let before = ada.activity(idea).await;
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    assert_gone(&vera, idea, &link).await;
    assert_gone(&willi, idea, &other).await;
    willi.accept(&waiting).await.expect(404);
    for path in ["", "/shares"] {
        ada.get(&format!("/api/ideas/{idea}{path}"))
            .await
            .expect(404);
    }
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(404);
    ada.try_share(idea, "full-access", json!({}))
        .await
        .expect(404);
    ada.get(&format!("/api/comments?ideaId={idea}"))
        .await
        .expect(404);
    assert_eq!(ada.get("/api/comments").await.json(), json!([]));
    let after = ada.activity(idea).await;
    assert_eq!(after, before);
    assert_eq!(after[0]["recipient"]["name"], "Vera");
    assert!(!json!(after).to_string().contains(CANARY));
}

async fn an_email_link_admits_one_address_and_does_not_tell_which(app: App) {
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

async fn a_recipient_sees_the_latest_draft_and_the_record_tells_which(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let path = format!("/api/ideas/{idea}");
    let first = ada.get(&path).await.json()["sha256"].clone();
    let vera = app.visitor();
    vera.agree(&link).await;
    let draft = json!({ "title": "Better kettle", "content": "<p>Second</p>" });
    let second = ada.put(&path, draft).await.expect(200).json()["sha256"].clone();
    assert_eq!(vera.read(&link).await, "<p>Second</p>");
    let draft = json!({ "title": "Best kettle", "content": "<p>Third</p>" });
    ada.put(&path, draft).await.expect(200);
    assert_eq!(vera.read(&link).await, "<p>Third</p>");
    let activity = ada.activity(idea).await;
    let types: Vec<_> = activity.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, ["viewed", "agreed", "registered"]);
    assert_eq!(activity[0]["revisionSha256"], second);
    assert_eq!(activity[1]["revisionSha256"], first);
    let common = ["at", "id", "recipient", "shareId", "shareType", "type"];
    let with = |more: &[&'static str]| {
        let mut all = [&common[..], more].concat();
        all.sort_unstable();
        all
    };
    assert_eq!(keys(&activity[0]), with(&["endsAt", "revisionSha256"]));
    assert_eq!(
        keys(&activity[1]),
        with(&[
            "ip",
            "ndaSha256",
            "ndaVersion",
            "revisionSha256",
            "userAgent"
        ])
    );
    assert_eq!(keys(&activity[2]), common);
    assert_eq!(
        keys(&activity[2]["recipient"]),
        ["email", "id", "name", "phone"]
    );
}

async fn the_agreement_shown_is_the_one_on_record(app: App) {
    let ada = app.creator("Zoë שלום 🗝").await;
    let idea = ada.idea("Kettle مرحبا 🫖", CANARY).await;
    let document = ada.publish(idea).await["documentId"].clone();
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let nda = vera.open(&link).await.json()["nda"].clone();
    assert_eq!(keys(&nda), ["sha256", "text", "version"]);
    let text = nda["text"].as_str().unwrap();
    for part in [
        "Zoë שלום 🗝",
        "Kettle مرحبا 🫖",
        "Vera <vera@example.org>",
        document.as_str().unwrap(),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let sha256 = <sha2::Sha256 as sha2::Digest>::digest(text.as_bytes());
    let sha256: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(nda["sha256"], sha256);
    app.advance(Duration::hours(1));
    assert_eq!(vera.open(&link).await.json()["nda"], nda);
    let path = format!("/api/recipients/{recipient}/nda");
    let agent = "x".repeat(2_000);
    vera.send(Method::PUT, &path, |request| {
        request
            .header("user-agent", &agent)
            .header("x-forwarded-for", "198.51.100.7")
            .json(&json!({ "agreed": true }))
    })
    .await
    .expect(200);
    let agreed = ada.activity(idea).await[0].clone();
    assert_eq!(agreed["type"], "agreed");
    assert_eq!(agreed["ndaSha256"], sha256);
    assert_eq!(agreed["ndaVersion"], nda["version"]);
    assert_eq!(agreed["ip"], "127.0.0.1");
    assert_eq!(agreed["userAgent"], agent[..512]);
}

async fn the_share_cookie_stands_in_for_the_token(app: App) {
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
    // The cookie names the share in the open, so its signature has to hold.
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

async fn a_browser_is_forgotten_after_a_week(app: App) {
    let (_ada, _, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    app.advance(Duration::days(7) + Duration::seconds(1));
    let answer = vera.open(&link).await.expect(200);
    assert_eq!(answer.json()["stage"], "collect");
    assert!(answer.json()["recipient"].is_null());
    vera.get("/api/comments").await.expect(401);
}

async fn nobody_chooses_their_own_viewer_key(app: App) {
    let (_ada, _, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.set_cookie("ideavault-viewer", UNKNOWN);
    let answer = vera
        .try_register(&link, "vera@example.org")
        .await
        .expect(201);
    let cookies = answer.cookies();
    assert_eq!(cookies.len(), 1);
    for wanted in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(
            cookies[0].split("; ").any(|part| part == wanted),
            "{cookies:?}"
        );
    }
    assert_ne!(vera.cookies()["ideavault-viewer"], UNKNOWN);
}
