//! Share links as their creator makes and sees them.

use serde_json::json;

use crate::evidence::placed;
use crate::harness::{App, Link, keys};

on_both_databases!(
    a_link_accepts_only_the_limits_of_its_type,
    a_link_is_shown_only_to_its_owner_and_without_stored_secrets,
    a_link_with_a_damaged_token_is_listed_and_can_be_revoked,
    dead_links_stay_listed_with_the_reason_and_time_of_their_end,
    the_name_of_a_link_is_seen_and_changed_only_by_its_owner,
    the_owner_of_a_link_previews_it_without_a_trace,
    a_link_is_found_by_its_token_for_its_owner_alone,
);

async fn a_link_accepts_only_the_limits_of_its_type(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
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

async fn a_link_is_shown_only_to_its_owner_and_without_stored_secrets(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
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
                "allowDownload",
                "coverTitle",
                "createdAt",
                "endedAt",
                "expiresAt",
                "foldedRegistrations",
                "id",
                "ideaId",
                "lastViewAt",
                "maxViews",
                "name",
                "notifications",
                "recipientEmail",
                "shareType",
                "showsOtherReaders",
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

async fn a_link_with_a_damaged_token_is_listed_and_can_be_revoked(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let kept = ada.share(idea, "full-access", json!({})).await;
    let damaged = ada.share(idea, "full-access", json!({})).await;
    // A token that was moved does not decrypt.
    app.execute(&format!(
        "UPDATE shares SET token_sealed = \
         (SELECT token_sealed FROM shares WHERE id = '{}') WHERE id = '{}'",
        kept.id, damaged.id,
    ));
    let listed = ada.look_at(idea, &damaged).await;
    assert_eq!(listed["accessLink"], json!(null));
    assert_eq!(ada.look_at(idea, &kept).await["accessLink"], kept.token);
    app.visitor().open(&damaged).await.expect(200);
    let path = format!("/api/shares/{}", damaged.id);
    ada.delete(&path).await.expect(204);
    app.visitor().open(&damaged).await.expect(404);
}

async fn dead_links_stay_listed_with_the_reason_and_time_of_their_end(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let soon = app.now() + chrono::Duration::minutes(2);
    let terms = json!({ "expiresAt": soon.to_rfc3339() });
    let live = ada.share(idea, "full-access", json!({})).await;
    let expired = ada.share(idea, "time-dependent", terms).await;
    let used = ada.share(idea, "one-time", json!({})).await;
    let revoked = ada.share(idea, "full-access", json!({})).await;
    let visitor = app.visitor();
    visitor.agree(&used).await;
    visitor.read(&used).await;
    let path = format!("/api/shares/{}", revoked.id);
    ada.delete(&path).await.expect(204);
    app.advance(chrono::Duration::minutes(3));

    let when = |share: &serde_json::Value, key: &str| {
        let time = share[key].as_str();
        time.map(|time| chrono::DateTime::parse_from_rfc3339(time).unwrap())
    };
    for (link, state) in [
        (&live, "active"),
        (&expired, "expired"),
        (&used, "exhausted"),
        (&revoked, "revoked"),
    ] {
        let share = ada.look_at(idea, link).await;
        assert_eq!(share["state"], state);
        assert_eq!(when(&share, "endedAt").is_some(), state != "active");
    }
    let expired = ada.look_at(idea, &expired).await;
    assert_eq!(
        when(&expired, "endedAt").unwrap().timestamp(),
        soon.timestamp()
    );
    let used = ada.look_at(idea, &used).await;
    assert_eq!(used["endedAt"], used["lastViewAt"]);
    let listed = ada.get("/api/ideas").await.json();
    assert_eq!(listed[0]["linkCount"], 4);
    assert_eq!(listed[0]["viewCount"], 1);
}

async fn the_name_of_a_link_is_seen_and_changed_only_by_its_owner(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada
        .share(idea, "full-access", json!({ "name": "  For canary-77 " }))
        .await;
    assert_eq!(ada.look_at(idea, &link).await["name"], "For canary-77");
    let seen = app.visitor().open(&link).await.expect(200);
    assert!(!seen.text().contains("canary-77"));

    let path = format!("/api/shares/{}", link.id);
    let rename = |name: &str| json!({ "name": name });
    bob.put(&path, rename("Mine")).await.expect(404);
    ada.put(&path, rename(&"n".repeat(121)))
        .await
        .refuses("name");
    ada.put(&path, rename("a\u{7}b")).await.refuses("name");
    assert_eq!(ada.look_at(idea, &link).await["name"], "For canary-77");
    ada.put(&path, rename(&"n".repeat(120))).await.expect(204);
    ada.delete(&path).await.expect(204);
    ada.put(&path, rename("For Grace")).await.expect(204);
    let others = json!({ "showsOtherReaders": true });
    ada.put(&path, others).await.expect(204);
    assert_eq!(ada.look_at(idea, &link).await["name"], "For Grace");
    ada.put(&path, rename(" ")).await.expect(204);
    assert!(ada.look_at(idea, &link).await["name"].is_null());
    ada.put(&path, rename("For Grace")).await.expect(204);
    ada.put(&path, json!({ "name": null })).await.expect(204);
    assert!(ada.look_at(idea, &link).await["name"].is_null());
}

async fn the_owner_of_a_link_previews_it_without_a_trace(app: App) {
    let ada = app.creator("Ada Lovelace").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    for (share_type, terms) in [
        ("one-time", json!({})),
        ("email", json!({ "recipientEmail": "vera@example.org" })),
    ] {
        let link = ada.share(idea, share_type, terms).await;
        let preview = format!("/api/shares/{}/preview", link.id);
        let traces = async || {
            let shares = ada.get(&format!("/api/ideas/{idea}/shares")).await.json();
            (placed(&ada, idea).await, shares, ada.activity(idea).await)
        };
        let before = traces().await;
        let answer = ada.get(&preview).await.expect(200);
        assert!(answer.headers.get("set-cookie").is_none());
        let shown = answer.json();
        assert_eq!(shown["shared"]["stage"], "open");
        assert_eq!(shown["shared"]["idea"]["content"], "<p>Waits</p>");
        assert_eq!(shown["shared"]["shareType"], share_type);
        assert!(shown["shared"]["recipient"].is_null());
        let text = shown["nda"]["text"].as_str().unwrap();
        for part in [
            "\"Kettle\"",
            "\"Ada Lovelace\"",
            "\"[receiving party]\"",
            "[email address]",
            "[date]",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(traces().await, before);

        ada.publish(idea).await;
        let published = ada.get(&preview).await.expect(200).json();
        let id = published["shared"]["idea"]["documentId"].as_str().unwrap();
        assert!(published["nda"]["text"].as_str().unwrap().contains(id));
        ada.delete(&format!("/api/shares/{}", link.id))
            .await
            .expect(204);
        ada.get(&preview).await.expect(200);
    }
    ada.get("/api/shares/kettle/preview").await.expect(404);
}

async fn a_link_is_found_by_its_token_for_its_owner_alone(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let by_token = format!("/api/shares/by-token/{}", link.token);
    let found = async || ada.get(&by_token).await.expect(200).json();
    assert_eq!(found().await, json!({ "id": link.id }));
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    assert_eq!(found().await["id"], link.id);
    let none = json!({ "id": null });
    assert_eq!(bob.get(&by_token).await.expect(200).json(), none);
    for unknown in ["A".repeat(43), "short".into()] {
        let unknown = format!("/api/shares/by-token/{unknown}");
        assert_eq!(ada.get(&unknown).await.expect(200).json(), none);
    }
    app.browser().get(&by_token).await.expect(401);
}
