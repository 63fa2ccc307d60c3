//! Requests that none of our clients sends. The harness checks that no response is a 5xx and
//! that all refusals have the one error body.

mod json;
mod sizes;
mod text;

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{App, Browser, Link, Visitor};

on_both_databases!(
    malformed_and_absent_ids_are_not_found,
    an_unknown_route_returns_json,
    a_leap_second_round_trips,
);

const ABSENT: &str = "00000000-0000-4000-8000-000000000000";

/// A browser with a session and an accepted agreement on a link.
async fn everybody(app: &App) -> (Browser, i64, Link, String) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let browser = ada.stolen();
    let recipient = Visitor::new(browser.clone()).agree(&link).await;
    (browser, idea, link, recipient)
}

/// Routes that read a body, with a valid one.
fn routes_with_body(idea: i64, recipient: &str) -> Vec<(Method, String, Value)> {
    let account = json!({ "name": "Eve", "email": "eve@example.org", "password": "secret" });
    let login = json!({ "email": "ada@example.org", "password": "correct horse battery" });
    let draft = json!({ "title": "Kettle", "content": "<p>Waits</p>" });
    let link = json!({ "ideaId": idea, "shareType": "full-access" });
    let details = json!({ "name": "Eve", "email": "eve@example.org" });
    let comment = json!({ "recipientId": recipient, "content": "Hello" });
    vec![
        (Method::POST, "/api/auth/register".into(), account),
        (Method::POST, "/api/auth/login".into(), login),
        (Method::POST, "/api/ideas".into(), draft.clone()),
        (Method::PUT, format!("/api/ideas/{idea}"), draft),
        (Method::POST, "/api/shares".into(), link),
        (
            Method::PUT,
            format!("/api/recipients/{recipient}/nda"),
            json!({ "agreed": true }),
        ),
        (Method::POST, "/api/comments".into(), comment),
        // Last, because it starts a new registration.
        (Method::POST, "/api/recipients".into(), details),
    ]
}

async fn malformed_and_absent_ids_are_not_found(app: App) {
    let (browser, ..) = everybody(&app).await;
    let draft = json!({ "title": "Kettle", "content": "" });
    for id in [
        "one",
        "0",
        "-1",
        "1.5",
        "0x1",
        "+1",
        "1e0",
        "9223372036854775807",
        "9223372036854775808",
        "99999999999999999999999",
        "%00",
        "%FF",
        "%2e%2e",
        "1%2F2",
        "%F0%9F%97%9D",
        "'--",
        " ",
        ABSENT,
    ] {
        let path = format!("/api/ideas/{id}");
        browser.get(&path).await.expect(404);
        browser.put(&path, draft.clone()).await.expect(404);
        browser.delete(&path).await.expect(404);
        browser
            .put(&format!("{path}/publish"), json!({}))
            .await
            .expect(404);
        browser.get(&format!("{path}/shares")).await.expect(404);
        browser.get(&format!("{path}/activity")).await.expect(404);
        browser
            .delete(&format!("/api/shares/{id}"))
            .await
            .expect(404);
        browser.get(&format!("/api/share/{id}")).await.expect(404);
        browser
            .post(&format!("/api/share/{id}/close"), json!({}))
            .await
            .expect(404);
        let agree = json!({ "agreed": true });
        browser
            .put(&format!("/api/recipients/{id}/nda"), agree)
            .await
            .expect(404);
        let code = json!({ "code": "123456" });
        browser
            .post(&format!("/api/recipients/{id}/verify"), code)
            .await
            .expect(404);
        browser
            .post(&format!("/api/recipients/{id}/code"), json!({}))
            .await
            .expect(404);
    }
    for id in [json!(0), json!(-1), json!(i64::MAX)] {
        let share = json!({ "ideaId": id, "shareType": "full-access" });
        browser.post("/api/shares", share).await.expect(404);
        let comment = json!({ "ideaId": id, "content": "Hello" });
        browser.post("/api/comments", comment).await.expect(404);
    }
    // Tokens of the right length, and of every other length.
    for token in [
        "A".repeat(43),
        "A".repeat(42),
        "A".repeat(4_000),
        "é".repeat(43),
    ] {
        browser
            .get(&format!("/api/share/{token}"))
            .await
            .expect(404);
        let details = json!({ "name": "Eve", "email": "eve@example.org", "accessToken": token });
        browser.post("/api/recipients", details).await.expect(404);
    }
}

async fn an_unknown_route_returns_json(app: App) {
    let browser = app.browser();
    let mut bodies = Vec::new();
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/ideas/1/nothing",
        "/api/ideas/",
        "/api/%FF",
        "/api/auth",
    ] {
        for method in [
            Method::GET,
            Method::POST,
            Method::PATCH,
            Method::DELETE,
            Method::OPTIONS,
        ] {
            let answer = browser
                .send(method, path, |request| request)
                .await
                .expect(404);
            assert_eq!(answer.header("cache-control"), "no-store", "{answer:?}");
            bodies.push(answer.body);
        }
        browser
            .send(Method::HEAD, path, |request| request)
            .await
            .expect(404);
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    let made_up = Method::from_bytes(b"BREW").unwrap();
    browser
        .send(made_up, "/api/ideas", |request| request)
        .await
        .expect(404);
}

async fn a_leap_second_round_trips(app: App) {
    let (browser, idea, ..) = everybody(&app).await;
    for end in [
        "2999-12-31T23:59:60Z",
        "9999-12-31T23:59:59.999999999Z",
        "9999-12-31T23:59:59-10:00",
    ] {
        let share = json!({ "ideaId": idea, "shareType": "time-dependent", "expiresAt": end });
        let created = browser.post("/api/shares", share).await;
        if created.status == 201 {
            let listed = browser
                .get(&format!("/api/ideas/{idea}/shares"))
                .await
                .json();
            assert_eq!(listed[0], created.json());
        } else {
            created.refuses("expiresAt");
        }
    }
}
