//! Rate limits on share links, and on email addresses on links.

use chrono::Duration;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::{FOR_VERA, LIMITED, must_wait, statuses};
use crate::harness::{Answer, App, Link};

on_both_databases!(
    guesses_are_limited_across_all_routes_of_a_link,
    guessing_the_address_of_a_link_is_limited,
    concurrent_readers_of_one_address_are_admitted_up_to_the_limit,
    successful_requests_do_not_count_as_guesses,
);

/// A link for Vera, and the server with rate limits, behind a proxy.
async fn setup(app: App) -> (App, Link) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let for_vera = json!({ "recipientEmail": FOR_VERA });
    let link = ada.share(idea, "email", for_vera).await;
    let proxied = [&LIMITED[..], &["--trusted-proxies", "127.0.0.1"]].concat();
    (app.restart(&proxied).await, link)
}

fn body(token: &str, email: &str) -> Value {
    json!({ "name": "Vera", "email": email, "accessToken": token })
}

async fn close(app: &App, token: &str) -> Answer {
    let path = format!("/api/share/{token}/close");
    app.visitor().post(&path, json!({})).await
}

async fn register(app: &App, token: &str, email: &str) -> Answer {
    let visitor = app.visitor();
    visitor.post("/api/recipients", body(token, email)).await
}

async fn guesses_are_limited_across_all_routes_of_a_link(app: App) {
    let (app, link) = setup(app).await;
    for n in 0..10 {
        let token = if n % 2 == 0 {
            "x".repeat(43)
        } else {
            "short".into()
        };
        register(&app, &token, FOR_VERA).await.expect(404);
        close(&app, &token).await.expect(404);
        let path = format!("/api/share/{token}");
        app.visitor().get(&path).await.expect(404);
    }
    must_wait(register(&app, &link.token, FOR_VERA).await, 60);
    must_wait(close(&app, &link.token).await, 60);
    must_wait(app.visitor().open(&link).await, 60);
    // Other client addresses are not affected.
    let elsewhere = app.visitor();
    let registered = elsewhere.send(Method::POST, "/api/recipients", |request| {
        let body = body(&link.token, FOR_VERA);
        request
            .header("x-forwarded-for", "198.51.100.7")
            .json(&body)
    });
    registered.await.expect(201);
    app.advance(Duration::seconds(61));
    app.visitor().register(&link).await;
}

async fn guessing_the_address_of_a_link_is_limited(app: App) {
    let (app, link) = setup(app).await;
    for n in 0..30 {
        let guess = format!("v{n}@example.org");
        register(&app, &link.token, &guess).await.expect(403);
    }
    must_wait(register(&app, &link.token, FOR_VERA).await, 60);
    app.advance(Duration::seconds(61));
    register(&app, &link.token, FOR_VERA).await.expect(201);
}

/// For instance when people of one company open a link that was just sent around.
async fn concurrent_readers_of_one_address_are_admitted_up_to_the_limit(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let readers: Vec<_> = (0..40).map(|_| app.visitor()).collect();
    let opened = join_all(readers.iter().map(|reader| reader.open_in_crowd(&link))).await;
    assert_eq!(statuses(&opened, 200), [40, 0]);
    let registered = readers
        .iter()
        .map(|reader| reader.try_register(&link, FOR_VERA));
    // More than thirty an hour from one address have to wait; other addresses do not.
    assert_eq!(statuses(&join_all(registered).await, 201), [30, 10]);
}

async fn successful_requests_do_not_count_as_guesses(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    for _ in 0..29 {
        register(&app, "short", FOR_VERA).await.expect(404);
    }
    for _ in 0..25 {
        let visitor = app.visitor();
        visitor.register(&link).await;
        visitor.close(&link).await.expect(204);
        // A registration that is refused for its input does not count either.
        register(&app, &link.token, "vera").await.refuses("email");
    }
    register(&app, "short", FOR_VERA).await.expect(404);
    must_wait(register(&app, &link.token, FOR_VERA).await, 60);
}
