//! Views: what counts as one, and when it ends.

use chrono::Duration;
use ideavault_domain::Timestamp;
use serde_json::json;

use super::{CANARY, TYPES, agree, assert_dead, assert_ended, assert_gone, disclosed, terms_of};
use crate::harness::App;

on_both_databases!(
    opening_counts_one_view_and_reloading_counts_none,
    a_used_one_time_link_is_dead_for_everyone_else,
    closing_ends_the_view_immediately,
    a_one_time_view_ends_with_its_window,
    the_reader_is_shown_the_earliest_end_of_the_view_if_any,
    an_unlimited_link_counts_another_view_after_the_window,
    a_link_with_two_views_gives_no_third,
    an_expired_link_ends_active_views,
    a_revoked_link_ends_active_views,
    a_viewer_session_expires_after_a_month,
);

async fn opening_counts_one_view_and_reloading_counts_none(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", format!("<p>{CANARY}</p>")).await;
    for share_type in TYPES {
        let link = ada.share(idea, share_type, terms_of(share_type)).await;
        let vera = app.visitor();
        agree(&app, &vera, &link).await;
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

async fn a_used_one_time_link_is_dead_for_everyone_else(app: App) {
    let (ada, idea, link) = disclosed(&app, "one-time", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    willi.agree(&link).await;
    vera.agree(&link).await;
    vera.read(&link).await;
    assert_ended(&willi, idea, &link, "exhausted").await;
    assert_dead(&app.visitor(), idea, &link).await;
    vera.read(&link).await;
    assert_eq!(ada.look_at(idea, &link).await["state"], "exhausted");
}

async fn closing_ends_the_view_immediately(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    for share_type in TYPES {
        let link = ada.share(idea, share_type, terms_of(share_type)).await;
        let vera = app.visitor();
        let recipient = agree(&app, &vera, &link).await;
        vera.read(&link).await;
        vera.close(&link).await.expect(204);
        vera.close(&link).await.expect(204);
        let comment = json!({ "recipientId": recipient, "content": "One more" });
        vera.post("/api/comments", comment).await.expect(404);
        vera.get(&format!("/api/comments?ideaId={idea}"))
            .await
            .expect(404);
        vera.accept(&recipient).await.expect(404);
        let reason = match share_type {
            "one-time" => "exhausted",
            _ => "closed",
        };
        assert_ended(&vera, idea, &link, reason).await;
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
    assert_ended(&vera, idea, &link, "exhausted").await;
    assert_eq!(ada.views(idea, &link).await, 1);
    app.visitor().agree(&link).await;
}

async fn the_reader_is_shown_the_earliest_end_of_the_view_if_any(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let soon = (app.now() + Duration::minutes(20)).to_rfc3339();
    for (share_type, terms, minutes) in [
        ("time-dependent", json!({ "expiresAt": soon }), Some(20)),
        ("time-dependent", json!({}), Some(30)),
        ("one-time", json!({}), Some(30)),
        ("full-access", json!({}), None),
        ("email", terms_of("email"), None),
    ] {
        let link = ada.share(idea, share_type, terms).await;
        let vera = app.visitor();
        agree(&app, &vera, &link).await;
        for _ in 0..2 {
            let opened = vera.open(&link).await.expect(200).json();
            let end = opened["viewEndsAt"].as_str().map(|end| {
                let left = end.parse::<Timestamp>().unwrap() - app.now();
                (left + Duration::minutes(1)).num_minutes()
            });
            assert_eq!(end, minutes, "{share_type}: {opened}");
        }
    }
}

async fn an_unlimited_link_counts_another_view_after_the_window(app: App) {
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

async fn a_link_with_two_views_gives_no_third(app: App) {
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
        assert_ended(&visitors[2], idea, &link, "exhausted").await;
        visitors[0].read(&link).await;
        assert_eq!(creator.views(idea, &link).await, 2);
    }
}

async fn an_expired_link_ends_active_views(app: App) {
    let end = (app.now() + Duration::seconds(60)).to_rfc3339();
    let terms = json!({ "expiresAt": end });
    let (ada, idea, link) = disclosed(&app, "time-dependent", terms).await;
    let (vera, willi, xenia) = (app.visitor(), app.visitor(), app.visitor());
    vera.agree(&link).await;
    vera.read(&link).await;
    willi.agree(&link).await;
    let recipient = xenia.register(&link).await;
    app.advance(Duration::seconds(61));
    for visitor in [&vera, &willi] {
        assert_ended(visitor, idea, &link, "expired").await;
    }
    for visitor in [&xenia, &app.visitor()] {
        assert_gone(visitor, idea, &link).await;
    }
    xenia.accept(&recipient).await.expect(404);
    assert_eq!(ada.look_at(idea, &link).await["state"], "expired");
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn a_revoked_link_ends_active_views(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let waiting = willi.register(&link).await;
    let before = ada.activity(idea).await;
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    assert_ended(&vera, idea, &link, "revoked").await;
    for visitor in [&willi, &app.visitor()] {
        assert_gone(visitor, idea, &link).await;
    }
    willi.accept(&waiting).await.expect(404);
    let comment = json!({ "recipientId": recipient, "content": "Still here?" });
    vera.post("/api/comments", comment).await.expect(404);
    assert_eq!(ada.activity(idea).await, before);
    let shares = ada.get(&format!("/api/ideas/{idea}/shares")).await.json();
    assert_eq!(shares[0]["state"], "revoked");
}

async fn a_viewer_session_expires_after_a_month(app: App) {
    let (_ada, _, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    app.advance(Duration::days(30) + Duration::seconds(1));
    let answer = vera.open(&link).await.expect(200);
    assert_eq!(answer.json()["stage"], "collect");
    assert!(answer.json()["recipient"].is_null());
    vera.get("/api/comments").await.expect(401);
}
