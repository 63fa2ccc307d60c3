//! Concurrent requests count like sequential ones, and failed ones do not count.

use chrono::Duration;
use futures_util::future::join_all;
use serde_json::json;

use super::{FOR_VERA, LIMITED, PROXIED, must_wait, register_from, statuses};
use crate::harness::App;

on_both_databases!(
    concurrent_invitations_do_not_exceed_the_limit,
    concurrent_registrations_do_not_exceed_the_limit,
    invalid_registrations_do_not_count_towards_the_limit,
    codes_refused_by_the_hourly_limit_do_not_count_for_the_day,
);

async fn concurrent_invitations_do_not_exceed_the_limit(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let app = app.restart(&LIMITED).await;
    let ada = ada.at(&app.browser());
    let invite = |email: &str| {
        let share = json!({ "ideaId": idea, "shareType": "email", "recipientEmail": email });
        let ada = ada.clone();
        async move { ada.post("/api/shares", share).await }
    };
    // A refused link sends no invitation, and does not count as one.
    for _ in 0..25 {
        invite("vera").await.expect(400);
    }
    let invitations = join_all((0..30).map(|_| invite(FOR_VERA))).await;
    assert_eq!(statuses(&invitations, 201), [20, 10]);
    must_wait(invite(FOR_VERA).await, 24 * 3600);
    let other = json!({ "ideaId": idea, "shareType": "full-access" });
    ada.post("/api/shares", other).await.expect(201);
}

async fn concurrent_registrations_do_not_exceed_the_limit(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&PROXIED).await;
    for _ in 0..24 {
        register_from(&app, "198.51.100.1", &link).await.expect(201);
    }
    // 30 from one address, and from others as many networks as the link has left.
    let registrations = (0..8).map(|_| register_from(&app, "198.51.100.1", &link));
    assert_eq!(statuses(&join_all(registrations).await, 201), [6, 2]);
    for n in 2..115 {
        let from = format!("198.51.100.{n}");
        register_from(&app, &from, &link).await.expect(201);
    }
    let addresses: Vec<_> = (0..8).map(|n| format!("203.0.113.{n}")).collect();
    let registrations = addresses
        .iter()
        .map(|from| register_from(&app, from, &link));
    assert_eq!(statuses(&join_all(registrations).await, 201), [6, 2]);
}

async fn invalid_registrations_do_not_count_towards_the_limit(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    for _ in 0..130 {
        app.visitor()
            .try_register(&link, "vera")
            .await
            .refuses("email");
    }
    app.visitor()
        .try_register(&link, FOR_VERA)
        .await
        .expect(201);
}

async fn codes_refused_by_the_hourly_limit_do_not_count_for_the_day(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let for_vera = json!({ "recipientEmail": FOR_VERA });
    let link = ada.share(idea, "email", for_vera).await;
    let app = app.restart(&PROXIED).await;
    let ask = |from: String| {
        let (app, link) = (&app, &link);
        async move { register_from(app, &from, link).await }
    };
    for hour in 0..3 {
        for n in 0..10 {
            ask(format!("198.51.10{hour}.{n}")).await.expect(201);
        }
        for n in 0..5 {
            ask(format!("198.51.10{hour}.{n}")).await.expect(429);
        }
        app.advance(Duration::minutes(61));
    }
    must_wait(ask("198.51.100.1".into()).await, 24 * 3600);
}
