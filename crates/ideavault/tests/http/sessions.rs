//! Listing and ending the sessions of an account.

use chrono::Duration;
use serde_json::{Value, json};

use crate::commands::{run, stdout};
use crate::harness::{App, Browser, keys};

on_both_databases!(
    own_sessions_are_listed_without_credentials,
    an_ended_session_no_longer_signs_in,
    signing_out_everywhere_else_keeps_the_current_session,
    sessions_of_others_cannot_be_seen_or_ended,
    listing_sessions_requires_a_session,
);

async fn sessions(browser: &Browser) -> Vec<Value> {
    let listed = browser.get("/api/auth/sessions").await.expect(200);
    listed.json().as_array().unwrap().clone()
}

fn path(session: &Value) -> String {
    format!("/api/auth/sessions/{}", session["id"].as_str().unwrap())
}

/// Returns the session that is not the browser's own.
async fn other(browser: &Browser) -> Value {
    let listed = sessions(browser).await;
    let mut others = listed.iter().filter(|session| session["current"] == false);
    let other = others.next().unwrap().clone();
    assert!(others.next().is_none(), "{listed:?}");
    other
}

async fn own_sessions_are_listed_without_credentials(app: App) {
    let ada = app.creator("ada").await;
    app.advance(Duration::minutes(1));
    let phone = app.browser();
    let credentials = json!({ "email": ada.email, "password": ada.password });
    let agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1";
    let login =
        |request: reqwest::RequestBuilder| request.header("user-agent", agent).json(&credentials);
    let login = phone.send(reqwest::Method::POST, "/api/auth/login", login);
    login.await.expect(200);

    let listed = sessions(&ada).await;
    assert_eq!(listed.len(), 2, "{listed:?}");
    for session in &listed {
        assert_eq!(
            keys(session),
            ["browser", "createdAt", "current", "id", "ip", "lastSeenAt"]
        );
        assert_eq!(session["ip"], "127.0.0.1");
    }
    assert_eq!(listed[0]["browser"], "Safari on iOS");
    assert_eq!(listed[0]["current"], false);
    assert_eq!(listed[1]["browser"], "Unknown browser");
    assert_eq!(listed[1]["current"], true);
    // Each browser sees its own session and the other.
    assert_eq!(other(&phone).await["id"], listed[1]["id"]);

    // The listed ids are no credentials.
    let genuine = ada.cookies()["ideavault"].clone();
    for session in &listed {
        let id = session["id"].as_str().unwrap();
        assert!(!genuine.contains(id));
        let thief = app.browser();
        thief.set_cookie("ideavault", id);
        thief.get("/api/auth/me").await.expect(401);
    }
}

async fn an_ended_session_no_longer_signs_in(app: App) {
    let ada = app.creator("ada").await;
    let phone = app.browser();
    ada.log_in(&phone).await.expect(200);
    let session = other(&ada).await;
    ada.delete(&path(&session)).await.expect(204);
    phone.get("/api/auth/me").await.expect(401);
    ada.get("/api/auth/me").await.expect(200);
    ada.delete(&path(&session)).await.expect(404);
    assert_eq!(sessions(&ada).await.len(), 1);

    let record = stdout(&run(&app, &["audit", "--csv"]));
    let entry = format!("\"session {}\"", session["id"].as_str().unwrap());
    let line = record.lines().find(|line| line.contains(&entry)).unwrap();
    assert!(line.contains("\"session-revoked\""), "{line}");
}

async fn signing_out_everywhere_else_keeps_the_current_session(app: App) {
    let ada = app.creator("ada").await;
    let others = [app.browser(), app.browser()];
    for browser in &others {
        ada.log_in(browser).await.expect(200);
    }
    let eve = app.creator("eve").await;
    for _ in 0..2 {
        ada.delete("/api/auth/sessions").await.expect(204);
    }
    for browser in &others {
        browser.get("/api/auth/me").await.expect(401);
    }
    eve.get("/api/auth/me").await.expect(200);
    let left = sessions(&ada).await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["current"], true);
}

async fn sessions_of_others_cannot_be_seen_or_ended(app: App) {
    let (ada, eve) = (app.creator("ada").await, app.creator("eve").await);
    let (hers, own) = (sessions(&ada).await, sessions(&eve).await);
    assert_eq!((hers.len(), own.len()), (1, 1));
    assert_ne!(hers[0]["id"], own[0]["id"]);
    let foreign = eve.delete(&path(&hers[0])).await.expect(404);
    let unknown = "/api/auth/sessions/7f3d1b9a-0b6f-4c39-9c55-0e8f3a1c4d21";
    assert_eq!(eve.delete(unknown).await.expect(404).body, foreign.body);
    eve.delete("/api/auth/sessions/none").await.expect(404);
    ada.get("/api/auth/me").await.expect(200);
}

async fn listing_sessions_requires_a_session(app: App) {
    let nobody = app.browser();
    nobody.get("/api/auth/sessions").await.expect(401);
    nobody.delete("/api/auth/sessions").await.expect(401);
    let unknown = "/api/auth/sessions/7f3d1b9a-0b6f-4c39-9c55-0e8f3a1c4d21";
    nobody.delete(unknown).await.expect(401);
}
