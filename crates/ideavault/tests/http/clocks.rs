//! The real binary with a clock that is set forward and back.

use chrono::Duration;
use serde_json::json;

use crate::audit::recorded;
use crate::harness::{App, Creator, Link, Process, Visitor};

on_both_databases!(
    a_process_ends_sessions_after_12_idle_hours_or_7_days,
    setting_the_clock_back_does_not_revive_expired_links,
    links_that_expired_unnoticed_stay_expired_after_a_restart,
    a_running_server_ignores_a_clock_that_is_set_back,
);

async fn a_process_ends_sessions_after_12_idle_hours_or_7_days(app: App) {
    let process = Process::beside(&app);
    let ada = Creator::sign_up(process.browser(), "ada").await;
    let phone = process.browser();
    ada.log_in(&phone).await.expect(200);
    for hours in [11, 22, 33] {
        process.set_clock(Duration::hours(hours));
        ada.get("/api/auth/me").await.expect(200);
    }
    // No request used it in the meantime.
    phone.get("/api/auth/me").await.expect(401);
    process.set_clock(Duration::hours(45));
    ada.get("/api/auth/me").await.expect(401);

    ada.log_in(&ada).await.expect(200);
    for hours in (10..168).step_by(10) {
        process.set_clock(Duration::hours(45 + hours));
        ada.get("/api/auth/me").await.expect(200);
    }
    process.set_clock(Duration::hours(45 + 169));
    ada.get("/api/auth/me").await.expect(401);
}

/// A link that was read and has expired since.
struct Expired {
    ada: Creator,
    idea: i64,
    vera: Visitor,
    link: Link,
}

impl Expired {
    async fn on(process: &Process) -> Self {
        let ada = Creator::sign_up(process.browser(), "ada").await;
        let idea = ada.idea("Kettle", "<p>Waits</p>").await;
        let end = (chrono::Utc::now() + Duration::minutes(30)).to_rfc3339();
        let link = ada
            .share(idea, "time-dependent", json!({ "expiresAt": end }))
            .await;
        let vera = Visitor::new(process.browser());
        vera.agree(&link).await;
        vera.read(&link).await;
        process.set_clock(Duration::minutes(31));
        Self {
            ada,
            idea,
            vera,
            link,
        }
    }
}

async fn setting_the_clock_back_does_not_revive_expired_links(app: App) {
    let process = Process::beside(&app);
    let Expired {
        ada,
        idea,
        vera,
        link,
    } = Expired::on(&process).await;
    vera.open(&link).await.expect(410);
    recorded(&app, "link-dead").await;
    process.set_clock(Duration::minutes(-29));
    process.kill();

    let process = Process::beside(&app);
    let vera = Visitor::new(vera.at(&process.browser()));
    vera.open(&link).await.expect(410);
    let ada = ada.at(&process.browser());
    let shares = ada.get(&format!("/api/ideas/{idea}/shares")).await;
    assert_eq!(shares.expect(200).json()[0]["state"], "expired");
    process.terminate();
    let log = process.end();
    assert!(log.contains("the clock was set back"), "{log}");
}

async fn links_that_expired_unnoticed_stay_expired_after_a_restart(app: App) {
    let process = Process::beside(&app);
    let Expired { vera, link, .. } = Expired::on(&process).await;
    process.terminate();
    process.end();

    std::fs::write(app.data_dir().join("clock"), "-1740").unwrap();
    let process = Process::beside(&app);
    let vera = Visitor::new(vera.at(&process.browser()));
    vera.open(&link).await.expect(410);
}

async fn a_running_server_ignores_a_clock_that_is_set_back(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "time-dependent", json!({})).await;
    let once = ada.share(idea, "one-time", json!({ "maxViews": 2 })).await;
    let vera = app.visitor();
    for link in [&link, &once] {
        vera.agree(link).await;
        vera.read(link).await;
    }
    let phone = ada.stolen();
    app.advance(Duration::minutes(31));
    vera.open(&once).await.expect(410);
    app.advance(Duration::hours(-1));
    vera.open(&once).await.expect(410);
    app.advance(Duration::hours(1) + Duration::days(7));
    vera.open(&link).await.expect(410);
    phone.get("/api/auth/me").await.expect(401);
    app.advance(Duration::hours(-12));
    vera.open(&link).await.expect(410);
    phone.get("/api/auth/me").await.expect(401);
    assert_eq!(app.visitor().open(&link).await.status, 404);
}
