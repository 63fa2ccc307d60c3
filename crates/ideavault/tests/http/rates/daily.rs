//! Daily caps on mails, which the database counts.

use chrono::Duration;
use ideavault_mail::testing::{ReceivedMail, SmtpSink};
use reqwest::Method;
use serde_json::json;

use super::{FOR_VERA, LIMITED, must_wait, register_from as recipient_from};
use crate::harness::{Answer, App, Browser};

on_both_databases!(
    the_daily_cap_of_mailed_links_survives_a_restart,
    the_daily_cap_of_codes_spans_the_links_of_an_account_and_survives_a_restart,
    registering_works_after_the_daily_cap_of_confirmation_mails,
);

const DAY: u64 = 24 * 3600;

async fn invite(owner: &Browser, idea: i64) -> Answer {
    let link = json!({ "ideaId": idea, "shareType": "email", "recipientEmail": FOR_VERA });
    owner.post("/api/shares", link).await
}

async fn the_daily_cap_of_mailed_links_survives_a_restart(app: App) {
    app.advance_to_midnight();
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let of_bob = bob.idea("Pan", "<p>Waits</p>").await;
    let app = app.restart(&LIMITED).await;
    let here = ada.at(&app.browser());
    for _ in 0..10 {
        let link = invite(&here, idea).await.expect(201).json()["id"].clone();
        // Revoked links were mailed all the same.
        let path = format!("/api/shares/{}", link.as_str().unwrap());
        here.delete(&path).await.expect(204);
    }
    let app = app.restart(&LIMITED).await;
    let other = app.another(&LIMITED).await;
    let (here, there) = (ada.at(&app.browser()), ada.at(&other.browser()));
    for _ in 0..5 {
        invite(&here, idea).await.expect(201);
        invite(&there, idea).await.expect(201);
    }
    must_wait(invite(&here, idea).await, DAY);
    must_wait(invite(&there, idea).await, DAY);
    // A refused link does not exist, and other accounts and links are not affected.
    let links = here.get(&format!("/api/ideas/{idea}/shares")).await.json();
    assert_eq!(links.as_array().unwrap().len(), 20);
    invite(&bob.at(&app.browser()), of_bob).await.expect(201);
    let other = json!({ "ideaId": idea, "shareType": "full-access" });
    here.post("/api/shares", other).await.expect(201);
    app.advance(Duration::days(1));
    let tomorrow = app.browser();
    ada.log_in(&tomorrow).await.expect(200);
    invite(&tomorrow, idea).await.expect(201);
}

async fn the_daily_cap_of_codes_spans_the_links_of_an_account_and_survives_a_restart(app: App) {
    app.advance_to_midnight();
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let mut links = Vec::new();
    for owner in [&ada, &ada, &ada, &ada, &bob] {
        let idea = owner.idea("Kettle", "<p>Waits</p>").await;
        links.push(
            owner
                .share(idea, "email", json!({ "recipientEmail": FOR_VERA }))
                .await,
        );
    }
    // Two codes a day for the links of an account, and one an hour for each link.
    let options = [
        "--rate-limit-scale",
        "0.01",
        "--trusted-proxies",
        "127.0.0.1",
    ];
    let app = app.restart(&options).await;
    recipient_from(&app, "198.51.100.1", &links[0])
        .await
        .expect(201);
    recipient_from(&app, "198.51.100.2", &links[1])
        .await
        .expect(201);
    must_wait(recipient_from(&app, "198.51.100.3", &links[2]).await, DAY);
    recipient_from(&app, "198.51.100.4", &links[4])
        .await
        .expect(201);
    let app = app.restart(&options).await;
    must_wait(recipient_from(&app, "198.51.100.5", &links[3]).await, DAY);
    app.advance(Duration::days(1));
    recipient_from(&app, "198.51.100.6", &links[3])
        .await
        .expect(201);
}

pub(super) async fn register_from(app: &App, address: &str, name: &str) -> Answer {
    let email = format!("{name}@example.org");
    let account = json!({ "name": name, "email": email, "password": "secret" });
    let browser = app.browser();
    let sent = browser.send(Method::POST, "/api/auth/register", |request| {
        request.header("x-forwarded-for", address).json(&account)
    });
    sent.await
}

/// Signs in from that address and asks for another mail.
async fn ask_from(browser: &Browser, address: &str, name: &str) -> Answer {
    let account = json!({ "email": format!("{name}@example.org"), "password": "secret" });
    let signed_in = browser.send(Method::POST, "/api/auth/login", |request| {
        request.header("x-forwarded-for", address).json(&account)
    });
    signed_in.await.expect(200);
    let path = "/api/auth/confirm-email/resend";
    browser.post(path, json!({})).await
}

async fn registering_works_after_the_daily_cap_of_confirmation_mails(app: App) {
    app.advance_to_midnight();
    let sink = SmtpSink::start();
    let url = sink.url();
    // Two mails a day.
    let options = [
        "--smtp-url",
        &url,
        "--mail-from",
        "vault@example.org",
        "--confirm-addresses",
        "auto",
        "--rate-limit-scale",
        "0.002",
        "--trusted-proxies",
        "127.0.0.1",
    ];
    let app = app.restart(&options).await;
    for (address, name) in [("198.51.100.1", "ada"), ("198.51.100.2", "bob")] {
        register_from(&app, address, name).await.expect(201);
        assert_eq!(sink.next().to, [format!("{name}@example.org")]);
    }
    register_from(&app, "198.51.100.3", "cleo")
        .await
        .expect(201);
    let app = app.restart(&options).await;
    let browser = app.browser();
    must_wait(ask_from(&browser, "198.51.100.3", "cleo").await, DAY);
    // Only that somebody signed in.
    assert!(!confirms(&sink.next()));
    assert_eq!(sink.try_next(), None);
    app.advance_past_mails(Duration::days(1)).await;
    let browser = app.browser();
    ask_from(&browser, "198.51.100.3", "cleo").await.expect(204);
    let mails = [sink.next(), sink.next()];
    assert!(mails.iter().all(|mail| mail.to == ["cleo@example.org"]));
    assert_eq!(mails.iter().filter(|mail| confirms(mail)).count(), 1);
}

/// Whether a mail asks to confirm an address.
fn confirms(mail: &ReceivedMail) -> bool {
    mail.text.contains("/confirm-email/")
}
