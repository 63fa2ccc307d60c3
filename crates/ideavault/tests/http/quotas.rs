//! Rate limits by route (docs/rules.md#rate-limits), and that they bound the work that they
//! are meant to bound.

use chrono::Duration;
use ideavault_mail::testing::SmtpSink;
use serde_json::json;

use crate::harness::App;

on_both_databases!(
    each_route_is_limited_to_its_quota_and_recovers,
    ten_reset_requests_for_one_address_send_three_mails,
    the_twenty_first_invitation_of_a_day_is_refused,
    guessing_links_does_not_block_other_clients,
);

const LIMITED: [&str; 2] = ["--rate-limit-scale", "1"];

async fn each_route_is_limited_to_its_quota_and_recovers(app: App) {
    let app = app.restart(&LIMITED).await;
    let ada = app.creator("ada").await;
    for (path, quota) in [
        // One of these requests was her own.
        ("/api/auth/register", 29),
        ("/api/auth/forgot-password", 20),
        ("/api/auth/reset-password", 20),
        ("/api/waitlist", 20),
        ("/api/ai-search", 20),
        ("/api/ai-writing-assistant", 60),
        ("/api/shares", 60),
    ] {
        for _ in 0..quota {
            ada.post(path, json!({})).await.expect(400);
        }
        let refused = ada.post(path, json!({})).await.expect(429);
        let wait: i64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=3_601).contains(&wait), "{wait}");
    }
    app.advance(Duration::minutes(61));
    ada.post("/api/waitlist", json!({})).await.expect(400);
}

async fn ten_reset_requests_for_one_address_send_three_mails(app: App) {
    let ada = app.creator("ada").await;
    app.creator("bob").await;
    let sink = SmtpSink::start();
    let options = [
        &LIMITED[..],
        &[
            "--smtp-url",
            &sink.url(),
            "--mail-from",
            "vault@example.org",
        ],
    ];
    let app = app.restart(&options.concat()).await;
    let forgot = async |email: &str| {
        let body = json!({ "email": email });
        let answer = app.browser().post("/api/auth/forgot-password", body).await;
        answer.status
    };
    let mut statuses = Vec::new();
    for number in 0..10 {
        let email = [ada.email.as_str(), " ADA@Example.org "][number % 2];
        statuses.push(forgot(email).await);
    }
    assert_eq!(statuses, [[200; 3].as_slice(), &[429; 7]].concat());
    for _ in 0..3 {
        assert_eq!(sink.next().to, [ada.email.as_str()]);
    }
    // Mails are delivered in the order in which they were queued.
    assert_eq!(forgot("bob@example.org").await, 200);
    assert_eq!(sink.next().to, ["bob@example.org"]);
    assert_eq!(sink.try_next(), None);
}

async fn the_twenty_first_invitation_of_a_day_is_refused(app: App) {
    let app = app.restart(&LIMITED).await;
    app.advance_to_midnight();
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let invite = async |number: usize| {
        let terms = json!({ "recipientEmail": format!("grace{number}@example.org") });
        ada.try_share(idea, "email", terms).await
    };
    for number in 0..20 {
        invite(number).await.expect(201);
    }
    invite(20).await.expect(429);
    let shares = ada.get(&format!("/api/ideas/{idea}/shares")).await.json();
    assert_eq!(shares.as_array().unwrap().len(), 20);
    ada.share(idea, "full-access", json!({})).await;
    app.advance(Duration::hours(11));
    invite(21).await.expect(429);
    ada.get("/api/auth/me").await.expect(200);
    app.advance(Duration::hours(11));
    ada.get("/api/auth/me").await.expect(200);
    app.advance(Duration::hours(3));
    invite(22).await.expect(201);
}

async fn guessing_links_does_not_block_other_clients(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let options = [&LIMITED[..], &["--trusted-proxies", "127.0.0.1"]].concat();
    let app = app.restart(&options).await;
    let look = async |token: &str, from: &str| {
        let path = format!("/api/share/{token}");
        let lookup = app
            .browser()
            .send(reqwest::Method::GET, &path, |request| {
                request.header("x-forwarded-for", from)
            })
            .await;
        lookup.status
    };
    let mut statuses = Vec::new();
    for number in 0..500 {
        let token = format!("{number:0>43}");
        statuses.push(look(&token, "198.51.100.7").await);
    }
    let guessed = statuses.iter().filter(|status| **status == 404).count();
    let refused = statuses.iter().filter(|status| **status == 429).count();
    assert_eq!((guessed, refused), (30, 470));
    assert_eq!(look(&link.token, "198.51.100.7").await, 429);
    assert_eq!(look(&link.token, "203.0.113.9").await, 200);
}
