//! Rate limits (docs/rules.md#rate-limits).

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, App, Browser, Creator, Link, PASSWORD, Visitor};

mod bursts;
mod comments;
mod daily;
mod links;
mod networks;

on_both_databases!(
    the_thirty_first_login_of_a_minute_is_refused,
    forged_forwarding_headers_do_not_evade_the_limit,
    clients_behind_a_trusted_proxy_are_counted_separately,
    ten_wrong_passwords_block_the_account_for_that_client,
    guesses_of_passwords_are_counted_across_servers_and_restarts,
    guesses_in_a_session_are_counted_across_servers_and_restarts,
    only_wrong_passwords_count_when_readers_are_erased,
    guesses_of_tokens_are_counted_across_servers_and_restarts,
    guesses_of_links_are_counted_across_servers_and_restarts,
    guessing_links_is_limited_and_reading_is_not,
    a_guess_by_a_document_counts_once,
    password_reset_mails_are_limited_to_three_an_hour,
    changes_to_ideas_are_limited_to_120_a_minute,
    uploads_are_limited_to_60_an_hour_per_client,
    one_client_does_not_exhaust_a_link_for_others,
    a_link_takes_registrations_from_120_networks_an_hour,
    codes_are_limited_to_five_an_hour_per_link_and_client,
    codes_are_limited_to_ten_an_hour_per_link,
    codes_are_limited_to_one_a_minute_per_recipient,
    code_attempts_are_limited_to_60_an_hour_per_client,
);

pub const LIMITED: [&str; 2] = ["--rate-limit-scale", "1"];
/// The server with rate limits, behind a proxy that sends client addresses.
const PROXIED: [&str; 4] = ["--rate-limit-scale", "1", "--trusted-proxies", "127.0.0.1"];

/// Registers a new browser for Vera from that client address.
async fn register_from(app: &App, address: &str, link: &Link) -> Answer {
    let body = json!({ "name": "Vera", "email": FOR_VERA, "accessToken": link.token });
    post_recipient(&app.visitor(), address, body).await
}

/// Registers again on the link that the browser looked up before.
async fn register_by_cookie(app: &App, address: &str, link: &Link) -> Answer {
    let visitor = app.visitor();
    visitor.open(link).await.expect(200);
    post_recipient(
        &visitor,
        address,
        json!({ "name": "Vera", "email": FOR_VERA }),
    )
    .await
}

async fn post_recipient(visitor: &Visitor, address: &str, body: Value) -> Answer {
    visitor
        .send(Method::POST, "/api/recipients", |request| {
            request.header("x-forwarded-for", address).json(&body)
        })
        .await
}

async fn sign_in(browser: &Browser, email: &str, via: &str) -> Answer {
    let body = json!({ "email": email, "password": "wrong password", "x": via });
    browser
        .send(Method::POST, "/api/auth/login", |request| {
            request.header("x-forwarded-for", via).json(&body)
        })
        .await
}

#[track_caller]
fn must_wait(answer: Answer, at_most: u64) {
    let answer = answer.expect(429);
    let wait: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=at_most + 1).contains(&wait), "{wait}");
    assert_eq!(
        answer.json()["message"],
        "Too many requests. Please try again later."
    );
}

async fn the_thirty_first_login_of_a_minute_is_refused(app: App) {
    let app = app.restart(&LIMITED).await;
    // Without a password, so that nothing has to be hashed.
    let attempt = || async { app.browser().post("/api/auth/login", json!({})).await };
    for _ in 0..30 {
        attempt().await.expect(400);
    }
    must_wait(attempt().await, 60);
    app.browser().get("/api/auth/me").await.expect(401);
    app.advance(Duration::seconds(61));
    attempt().await.expect(400);
}

async fn forged_forwarding_headers_do_not_evade_the_limit(app: App) {
    let app = app.restart(&LIMITED).await;
    for n in 0..30 {
        sign_in(&app.browser(), "nobody", &format!("198.51.100.{n}")).await;
    }
    must_wait(sign_in(&app.browser(), "nobody", "203.0.113.9").await, 60);
}

async fn clients_behind_a_trusted_proxy_are_counted_separately(app: App) {
    let proxied = [&LIMITED[..], &["--trusted-proxies", "127.0.0.1"]].concat();
    let app = app.restart(&proxied).await;
    for _ in 0..30 {
        sign_in(&app.browser(), "nobody", "198.51.100.7").await;
    }
    must_wait(sign_in(&app.browser(), "nobody", "198.51.100.7").await, 60);
    sign_in(&app.browser(), "nobody", "198.51.100.8")
        .await
        .expect(400);
    for n in 0..30 {
        sign_in(&app.browser(), "nobody", &format!("2001:db8::{n}")).await;
    }
    must_wait(
        sign_in(&app.browser(), "nobody", "2001:db8::ffff").await,
        60,
    );
}

async fn ten_wrong_passwords_block_the_account_for_that_client(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let app = app.restart(&LIMITED).await;
    let wrong = |email: &'static str| {
        let browser = app.browser();
        async move { sign_in(&browser, email, "").await }
    };
    // A successful login resets the count.
    for _ in 0..5 {
        wrong("ada@example.org").await.expect(401);
    }
    ada.log_in(&app.browser()).await.expect(200);
    for n in 0..10 {
        let email = if n % 2 == 0 {
            " ADA@example.org"
        } else {
            "ada@example.org"
        };
        wrong(email).await.expect(401);
    }
    must_wait(wrong("ada@example.org").await, 15 * 60);
    must_wait(ada.log_in(&app.browser()).await, 15 * 60);
    bob.log_in(&app.browser()).await.expect(200);
    app.advance(Duration::minutes(16));
    ada.log_in(&app.browser()).await.expect(200);
}

async fn guesses_of_passwords_are_counted_across_servers_and_restarts(app: App) {
    let ada = app.creator("ada").await;
    let app = app.restart(&LIMITED).await;
    let email = "ada@example.org";
    for _ in 0..4 {
        sign_in(&app.browser(), email, "").await.expect(401);
    }
    let app = app.restart(&LIMITED).await;
    let other = app.another(&LIMITED).await;
    for _ in 0..3 {
        sign_in(&app.browser(), email, "").await.expect(401);
        sign_in(&other.browser(), email, "").await.expect(401);
    }
    for server in [&app, &other] {
        must_wait(sign_in(&server.browser(), email, "").await, 15 * 60);
        must_wait(ada.log_in(&server.browser()).await, 15 * 60);
    }
    app.advance(Duration::minutes(16));
    // A right password on one server resets the count of all.
    for _ in 0..9 {
        sign_in(&app.browser(), email, "").await.expect(401);
    }
    ada.log_in(&other.browser()).await.expect(200);
    sign_in(&other.browser(), email, "").await.expect(401);
}

async fn guesses_in_a_session_are_counted_across_servers_and_restarts(app: App) {
    let ada = app.creator("ada").await;
    let app = app.restart(&LIMITED).await;
    let guess = async |server: &App| {
        let body = json!({
            "currentPassword": "wrong password", "newPassword": "new password",
            "confirmPassword": "new password",
        });
        let browser = ada.at(&server.browser());
        browser.post("/api/auth/change-password", body).await
    };
    for _ in 0..10 {
        guess(&app).await.refuses("currentPassword");
    }
    let app = app.restart(&LIMITED).await;
    let other = app.another(&LIMITED).await;
    for _ in 0..10 {
        guess(&other).await.refuses("currentPassword");
    }
    must_wait(guess(&app).await, 3600);
    must_wait(guess(&other).await, 3600);
}

async fn only_wrong_passwords_count_when_readers_are_erased(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let reader = app.visitor().agree(&link).await;
    let app = app.restart(&LIMITED).await;
    let browser = ada.at(&app.browser());
    let path = format!("/api/recipients/{reader}/person");
    let erase = async |password: &str| {
        let body = json!({ "password": password });
        browser.json(Method::DELETE, &path, body).await
    };
    for _ in 0..21 {
        erase(PASSWORD).await.expect(204);
    }
    for _ in 0..20 {
        erase("wrong password").await.refuses("password");
    }
    must_wait(erase("wrong password").await, 3600);
    must_wait(erase(PASSWORD).await, 3600);
}

async fn guesses_of_tokens_are_counted_across_servers_and_restarts(app: App) {
    let app = app.restart(&LIMITED).await;
    let guess = async |server: &App| {
        let body = json!({ "token": "x".repeat(43), "newPassword": "another password" });
        let browser = server.browser();
        browser.post("/api/auth/reset-password", body).await
    };
    for _ in 0..10 {
        guess(&app).await.expect(400);
    }
    let app = app.restart(&LIMITED).await;
    let other = app.another(&LIMITED).await;
    for _ in 0..5 {
        guess(&app).await.expect(400);
        guess(&other).await.expect(400);
    }
    must_wait(guess(&app).await, 3600);
    must_wait(guess(&other).await, 3600);
}

async fn guesses_of_links_are_counted_across_servers_and_restarts(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let look = async |server: &App, token: &str| {
        let browser = server.browser();
        browser.get(&format!("/api/share/{token}")).await
    };
    let wrong = "A".repeat(43);
    for _ in 0..20 {
        look(&app, &wrong).await.expect(404);
    }
    let app = app.restart(&LIMITED).await;
    let other = app.another(&LIMITED).await;
    // The right one is in the memory of one server.
    look(&other, &link.token).await.expect(200);
    look(&other, &link.token).await.expect(200);
    for _ in 0..5 {
        look(&app, &wrong).await.expect(404);
        look(&other, &wrong).await.expect(404);
    }
    for server in [&app, &other] {
        must_wait(look(server, &wrong).await, 60);
        must_wait(look(server, &link.token).await, 60);
        let page = server.browser().get(&format!("/view/{}", link.token)).await;
        assert!(!page.expect(200).text().contains("Kettle"));
    }
    app.advance(Duration::seconds(61));
    for server in [&app, &other] {
        look(server, &link.token).await.expect(200);
        let page = server.browser().get(&format!("/view/{}", link.token)).await;
        assert!(page.expect(200).text().contains("Kettle"));
    }
}

async fn guessing_links_is_limited_and_reading_is_not(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let look = |token: String| {
        let browser = app.browser();
        async move { browser.get(&format!("/api/share/{token}")).await }
    };
    for _ in 0..60 {
        look(link.token.clone()).await.expect(200);
    }
    for n in 0..30 {
        let token = if n % 2 == 0 {
            "x".repeat(43)
        } else {
            "short".into()
        };
        look(token).await.expect(404);
    }
    must_wait(look(link.token.clone()).await, 60);
    app.advance(Duration::seconds(61));
    for _ in 0..120 {
        look(link.token.clone()).await.expect(200);
    }
    must_wait(look(link.token.clone()).await, 60);
}

async fn a_guess_by_a_document_counts_once(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let wrong = format!("/view/{}", "A".repeat(43));
    let right = format!("/api/share/{}", link.token);
    for _ in 0..29 {
        app.browser().get(&wrong).await.expect(200);
    }
    app.browser().get(&right).await.expect(200);
    app.browser().get(&wrong).await.expect(200);
    must_wait(app.browser().get(&right).await, 60);
}

/// Returns how many of the responses have that status, and how many are 429.
fn statuses(answers: &[Answer], wanted: u16) -> [usize; 2] {
    [wanted, 429].map(|status| answers.iter().filter(|one| one.status == status).count())
}

async fn password_reset_mails_are_limited_to_three_an_hour(app: App) {
    let app = app.restart(&LIMITED).await;
    let forgot = |email: &'static str| {
        let browser = app.browser();
        async move {
            let body = json!({ "email": email });
            browser.post("/api/auth/forgot-password", body).await
        }
    };
    for _ in 0..3 {
        forgot("ada@example.org").await.expect(200);
    }
    must_wait(forgot(" Ada@Example.org").await, 3600);
    forgot("bob@example.org").await.expect(200);
}

async fn changes_to_ideas_are_limited_to_120_a_minute(app: App) {
    let app = app.restart(&LIMITED).await;
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    for _ in 0..120 {
        ada.delete("/api/ideas/999").await.expect(404);
    }
    must_wait(ada.post("/api/ideas", json!({})).await, 60);
    must_wait(ada.put("/api/ideas/1", json!({})).await, 60);
    must_wait(ada.put("/api/ideas/1/publish", json!({})).await, 60);
    bob.idea("Kettle", "<p>Waits</p>").await;
    ada.get("/api/ideas").await.expect(200);
}

async fn one_client_does_not_exhaust_a_link_for_others(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let first = ada.share(idea, "full-access", json!({})).await;
    let second = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&PROXIED).await;
    for n in 0..30 {
        // By the link's token and by the cookie of its lookup: both count.
        if n % 2 == 0 {
            register_from(&app, "198.51.100.1", &first)
                .await
                .expect(201);
        } else {
            register_by_cookie(&app, "198.51.100.1", &first)
                .await
                .expect(201);
        }
    }
    must_wait(register_from(&app, "198.51.100.1", &first).await, 3600);
    must_wait(register_by_cookie(&app, "198.51.100.1", &first).await, 3600);
    register_from(&app, "198.51.100.1", &second)
        .await
        .expect(201);
    register_from(&app, "198.51.100.2", &first)
        .await
        .expect(201);
}

async fn a_link_takes_registrations_from_120_networks_an_hour(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let first = ada.share(idea, "full-access", json!({})).await;
    let second = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&PROXIED).await;
    // However often somebody registers: four networks do not keep others out.
    for n in 0..120 {
        let from = format!("198.51.100.{}", n % 4);
        register_from(&app, &from, &first).await.expect(201);
    }
    for n in 4..120 {
        let from = format!("198.51.100.{n}");
        register_from(&app, &from, &first).await.expect(201);
    }
    must_wait(register_from(&app, "198.51.100.120", &first).await, 3600);
    register_from(&app, "198.51.100.120", &second)
        .await
        .expect(201);
}

const FOR_VERA: &str = "vera@example.org";

/// A link for Vera and another one, and the server with rate limits behind a proxy.
async fn two_links_for_vera(app: App) -> (App, Owned, Link, Link) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let for_vera = json!({ "recipientEmail": FOR_VERA });
    let first = ada.share(idea, "email", for_vera.clone()).await;
    let second = ada.share(idea, "email", for_vera).await;
    (
        app.restart(&PROXIED).await,
        Owned { ada, idea },
        first,
        second,
    )
}

/// An idea, and the creator who can read its activity.
struct Owned {
    ada: Creator,
    idea: i64,
}

async fn codes_are_limited_to_five_an_hour_per_link_and_client(app: App) {
    let (app, _, link, other) = two_links_for_vera(app).await;
    for _ in 0..5 {
        register_from(&app, "198.51.100.1", &link).await.expect(201);
    }
    must_wait(register_from(&app, "198.51.100.1", &link).await, 3600);
    register_from(&app, "198.51.100.1", &other)
        .await
        .expect(201);
    register_from(&app, "198.51.100.2", &link).await.expect(201);
    for codes in [5, 2] {
        app.advance(Duration::minutes(61));
        for _ in 0..codes {
            register_from(&app, "198.51.100.1", &link).await.expect(201);
        }
        register_from(&app, "198.51.100.1", &link).await.expect(429);
    }
    // Twelve codes a day.
    app.advance(Duration::minutes(61));
    must_wait(register_from(&app, "198.51.100.1", &link).await, 24 * 3600);
}

async fn codes_are_limited_to_ten_an_hour_per_link(app: App) {
    let (app, Owned { ada, idea }, first, second) = two_links_for_vera(app).await;
    // One client takes half of them, and nobody else more than one of the others.
    for n in 0..10 {
        let from = format!("198.51.100.{}", if n < 5 { 0 } else { n });
        // A refused registration sends no mail, however the link is named.
        app.visitor()
            .try_register(&first, "willi@example.org")
            .await
            .expect(403);
        if n % 2 == 0 {
            register_from(&app, &from, &first).await.expect(201);
        } else {
            register_by_cookie(&app, &from, &first).await.expect(201);
        }
    }
    must_wait(register_from(&app, "198.51.100.99", &first).await, 3600);
    // No registration exists whose code was not sent: five are listed, five counted.
    let ada = ada.at(&app.browser());
    let activity = ada.get(&format!("/api/ideas/{idea}/activity")).await.json();
    assert_eq!(activity.as_array().unwrap().len(), 5);
    let links = ada.get(&format!("/api/ideas/{idea}/shares")).await.json();
    let folded = links
        .as_array()
        .unwrap()
        .iter()
        .map(|link| &link["foldedRegistrations"]);
    assert_eq!(folded.filter_map(Value::as_i64).sum::<i64>(), 5);
    register_from(&app, "198.51.100.1", &second)
        .await
        .expect(201);
    app.advance(Duration::minutes(61));
    register_from(&app, "198.51.100.1", &first)
        .await
        .expect(201);
}

async fn codes_are_limited_to_one_a_minute_per_recipient(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let for_vera = json!({ "recipientEmail": FOR_VERA });
    let link = ada.share(idea, "email", for_vera).await;
    let app = app.restart(&LIMITED).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let path = format!("/api/recipients/{recipient}/code");
    must_wait(vera.post(&path, json!({})).await, 60);
    // Refusals of others do not count for the recipient.
    for _ in 0..3 {
        app.visitor().post(&path, json!({})).await.expect(404);
    }
    let pending = vera.open(&link).await.json()["verification"].clone();
    let wait = pending["resendIn"].as_i64().unwrap();
    app.advance(Duration::seconds(wait));
    vera.post(&path, json!({})).await.expect(202);
    must_wait(vera.post(&path, json!({})).await, 60);
}

async fn code_attempts_are_limited_to_60_an_hour_per_client(app: App) {
    let app = app.restart(&LIMITED).await;
    let vera = app.visitor();
    let nobody = "00000000-0000-4000-8000-000000000000";
    for _ in 0..60 {
        vera.verify(nobody, "123456").await.expect(404);
    }
    must_wait(vera.verify(nobody, "123456").await, 3600);
}

async fn uploads_are_limited_to_60_an_hour_per_client(app: App) {
    let app = app.restart(&LIMITED).await;
    let ada = app.creator("ada").await;
    let routes = ["/api/ideas/pdf", "/api/upload/image", "/api/profile/image"];
    for route in routes.iter().cycle().take(60) {
        ada.post(route, json!({})).await.expect(415);
    }
    for route in routes {
        must_wait(ada.post(route, json!({})).await, 3600);
    }
}
