//! Password changes, password resets, and the profile.

use chrono::Duration;
use futures_util::future::{join, join_all};
use ideavault_mail::testing::{ReceivedMail, SmtpSink};
use serde_json::{Value, json};

use crate::accounts::USER_KEYS;
use crate::harness::{Answer, App, Browser, Creator, keys};

on_both_databases!(
    known_and_unknown_addresses_get_the_same_response,
    a_blank_address_is_refused,
    a_reset_changes_the_password_ends_all_sessions_and_sets_no_cookie,
    a_used_superseded_expired_or_unknown_token_resets_nothing,
    a_token_is_valid_until_its_last_second,
    an_invalid_new_password_does_not_consume_the_token,
    changing_the_password_ends_other_sessions_and_renews_this_one,
    a_login_overtaken_by_a_change_gives_no_session,
    an_invalid_change_changes_nothing,
    changing_the_password_invalidates_a_pending_reset,
    concurrent_resets_have_one_winner,
    a_profile_update_changes_only_the_name,
);

pub const NEW: &str = "another horse battery";

async fn forgot(browser: &Browser, email: &str) -> Answer {
    let body = json!({ "email": email });
    browser.post("/api/auth/forgot-password", body).await
}

pub async fn reset(browser: &Browser, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "newPassword": password });
    browser.post("/api/auth/reset-password", body).await
}

pub async fn log_in(browser: &Browser, email: &str, password: &str) -> u16 {
    let body = json!({ "email": email, "password": password });
    browser.post("/api/auth/login", body).await.status
}

pub fn change(current: &str, new: &str, confirmation: &str) -> Value {
    json!({ "currentPassword": current, "newPassword": new, "confirmPassword": confirmation })
}

fn token(app: &App, mail: &ReceivedMail) -> String {
    let link = format!("{}/reset-password/", app.origin());
    mail.line_after(&link).to_owned()
}

/// Requests a reset for `ada` and returns its token.
pub async fn ask(app: &App, sink: &SmtpSink, ada: &Creator) -> String {
    forgot(&app.browser(), &ada.email).await.expect(200);
    // Earlier changes to the account sent mails as well.
    let mail = loop {
        let mail = sink.next();
        assert_eq!(mail.to, [ada.email.as_str()]);
        if mail.header("Subject") == Some("Your request to change your IdeaVault password") {
            break mail;
        }
    };
    token(app, &mail)
}

async fn known_and_unknown_addresses_get_the_same_response(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let browser = app.browser();
    let unknown = forgot(&browser, "nobody@example.org").await.expect(200);
    let malformed = forgot(&browser, "ada").await.expect(200);
    let known = forgot(&browser, " ADA@example.org ").await.expect(200);
    assert_eq!(known.json(), json!({ "success": true }));
    assert_eq!(known.body, unknown.body);
    assert_eq!(known.body, malformed.body);
    for answer in [&known, &unknown] {
        let names: Vec<_> = answer.headers.keys().collect();
        assert!(answer.cookies().is_empty());
        assert_eq!(names, known.headers.keys().collect::<Vec<_>>());
    }
    assert_eq!(sink.next().to, [ada.email.as_str()]);
    assert_eq!(sink.try_next(), None);
}

async fn a_blank_address_is_refused(app: App) {
    for email in ["", "  \t"] {
        let answer = forgot(&app.browser(), email).await.refuses("email");
        assert_eq!(answer.json()["message"], "Please enter your email address.");
    }
}

async fn a_reset_changes_the_password_ends_all_sessions_and_sets_no_cookie(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let elsewhere = app.browser();
    ada.log_in(&elsewhere).await.expect(200);
    let bob = app.creator("bob").await;
    let token = ask(&app, &sink, &ada).await;

    // From a browser with a session, which is the harder case.
    let answer = reset(&ada, &token, NEW).await.expect(200);

    assert_eq!(answer.json(), json!({ "success": true }));
    assert!(answer.cookies().is_empty(), "{:?}", answer.cookies());
    ada.get("/api/auth/me").await.expect(401);
    elsewhere.get("/api/ideas").await.expect(401);
    bob.get("/api/auth/me").await.expect(200);
    assert_eq!(log_in(&app.browser(), &ada.email, ada.password).await, 401);
    assert_eq!(log_in(&app.browser(), &ada.email, NEW).await, 200);
}

async fn a_used_superseded_expired_or_unknown_token_resets_nothing(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let superseded = ask(&app, &sink, &ada).await;
    let used = ask(&app, &sink, &ada).await;
    let browser = app.browser();
    let mut bodies = vec![reset(&browser, &superseded, "hacked!").await];
    reset(&browser, &used, NEW).await.expect(200);
    bodies.push(reset(&browser, &used, "hacked!").await);
    let old = ask(&app, &sink, &ada).await;
    app.advance_past_mails(Duration::minutes(31)).await;
    for token in [&old, &"A".repeat(43), "", "x", "../../etc/passwd", "é\0"] {
        bodies.push(reset(&browser, token, "hacked!").await);
    }
    for answer in bodies {
        let answer = answer.refuses("token");
        assert_eq!(
            answer.json()["message"],
            "This reset link has expired or has already been used. Please request a new one."
        );
    }
    assert_eq!(log_in(&browser, &ada.email, NEW).await, 200);
}

async fn a_token_is_valid_until_its_last_second(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let token = ask(&app, &sink, &ada).await;
    app.advance(Duration::minutes(30) - Duration::seconds(1));
    reset(&app.browser(), &token, NEW).await.expect(200);
}

async fn an_invalid_new_password_does_not_consume_the_token(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let token = ask(&app, &sink, &ada).await;
    let browser = app.browser();
    let answer = reset(&browser, &token, "12345").await;
    assert_eq!(
        answer.refuses("newPassword").json()["message"],
        "New password must be at least 6 characters"
    );
    reset(&browser, &token, &"x".repeat(129))
        .await
        .refuses("newPassword");
    reset(&browser, &token, "123456").await.expect(200);
    assert_eq!(log_in(&browser, &ada.email, "123456").await, 200);
}

async fn changing_the_password_ends_other_sessions_and_renews_this_one(app: App) {
    let ada = app.creator("ada").await;
    let other = app.browser();
    ada.log_in(&other).await.expect(200);
    let before = ada.stolen();

    let answer = ada
        .post("/api/auth/change-password", change(ada.password, NEW, NEW))
        .await
        .expect(200);

    assert_eq!(answer.json(), json!({ "success": true }));
    assert_eq!(answer.cookies().len(), 1);
    assert_ne!(ada.cookies(), before.cookies());
    ada.get("/api/auth/me").await.expect(200);
    before.get("/api/auth/me").await.expect(401);
    other.get("/api/auth/me").await.expect(401);
    assert_eq!(log_in(&app.browser(), &ada.email, ada.password).await, 401);
    assert_eq!(log_in(&app.browser(), &ada.email, NEW).await, 200);
}

async fn a_login_overtaken_by_a_change_gives_no_session(app: App) {
    let ada = app.creator("ada").await;
    let browsers: Vec<Browser> = (0..8).map(|_| app.browser()).collect();
    let logins = browsers.iter().map(|browser| ada.log_in(browser));
    let form = change(ada.password, NEW, NEW);
    let (_, changed) = join(
        join_all(logins),
        ada.post("/api/auth/change-password", form),
    )
    .await;
    changed.expect(200);
    ada.get("/api/auth/me").await.expect(200);
    for browser in browsers {
        browser.get("/api/auth/me").await.expect(401);
    }
}

async fn an_invalid_change_changes_nothing(app: App) {
    let ada = app.creator("ada").await;
    let before = ada.cookies();
    let current = ada.password;
    for (form, field, message) in [
        (
            change("", NEW, NEW),
            "currentPassword",
            "Current password is required",
        ),
        (
            change(current, "12345", "12345"),
            "newPassword",
            "New password must be at least 6 characters",
        ),
        (
            change(current, NEW, ""),
            "confirmPassword",
            "Please confirm your new password",
        ),
        (
            change(current, NEW, "another"),
            "confirmPassword",
            "Passwords don't match",
        ),
        (
            change("wrong one", NEW, NEW),
            "currentPassword",
            "Current password is incorrect",
        ),
    ] {
        let answer = ada.post("/api/auth/change-password", form).await;
        assert_eq!(answer.refuses(field).json()["message"], message);
    }
    app.browser()
        .post("/api/auth/change-password", change(current, NEW, NEW))
        .await
        .expect(401);
    assert_eq!(ada.cookies(), before);
    ada.get("/api/auth/me").await.expect(200);
    assert_eq!(log_in(&app.browser(), &ada.email, current).await, 200);
}

async fn changing_the_password_invalidates_a_pending_reset(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let token = ask(&app, &sink, &ada).await;
    ada.post("/api/auth/change-password", change(ada.password, NEW, NEW))
        .await
        .expect(200);
    reset(&app.browser(), &token, "hacked!")
        .await
        .refuses("token");
}

async fn concurrent_resets_have_one_winner(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let token = ask(&app, &sink, &ada).await;
    let mut running = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (browser, token) = (app.browser(), token.clone());
        running.spawn(async move {
            let password = format!("password {number}");
            reset(&browser, &token, &password).await.status
        });
    }
    let mut statuses = running.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400, 400, 400, 400, 400, 400, 400]);
}

async fn a_profile_update_changes_only_the_name(app: App) {
    let ada = app.creator("ada").await;
    let name = json!({ "name": " Ada King ", "email": "eve@example.org" });
    let user = ada.put("/api/profile", name).await.expect(200).json();
    assert_eq!(keys(&user), USER_KEYS);
    assert_eq!(user["name"], "Ada King");
    assert_eq!(user["email"], ada.email);
    assert_eq!(ada.get("/api/auth/me").await.json(), user);

    for name in ["", " A ", "Ada\r\nBcc: x", &"x".repeat(121)] {
        let answer = ada.put("/api/profile", json!({ "name": name })).await;
        answer.refuses("name");
    }
    let answer = ada.put("/api/profile", json!({ "name": "A" })).await;
    assert_eq!(
        answer.json()["message"],
        "Name must be at least 2 characters"
    );
    app.browser()
        .put("/api/profile", json!({ "name": "Eve" }))
        .await
        .expect(401);
    assert_eq!(ada.get("/api/auth/me").await.json(), user);
}
