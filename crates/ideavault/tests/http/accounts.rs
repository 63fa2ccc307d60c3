//! Registration, sign-in and sessions.

use chrono::Duration;
use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::{App, keys};

on_both_databases!(
    a_request_without_a_session_is_not_signed_in,
    login_returns_the_user_and_sets_protected_cookies,
    cookies_are_bound_to_the_host_over_https,
    logging_out_ends_the_session_for_every_copy_of_its_cookie,
    logging_in_again_ends_the_previous_session,
    concurrent_registrations_have_exactly_one_winner,
    wrong_password_and_unknown_email_get_the_same_response,
    passwords_have_6_to_128_characters,
    a_session_ends_after_12_idle_hours,
    an_active_session_ends_after_7_days,
    a_forged_cookie_does_not_sign_in,
    registering_does_not_sign_in,
);

/// The fields of a creator's own account.
pub const USER_KEYS: [&str; 6] = [
    "confirmationRequired",
    "email",
    "emailConfirmed",
    "id",
    "name",
    "profileImage",
];

async fn a_request_without_a_session_is_not_signed_in(app: App) {
    let answer = app.browser().get("/api/auth/me").await.expect(401);
    assert!(answer.cookies().is_empty(), "{:?}", answer.cookies());
}

async fn registering_does_not_sign_in(app: App) {
    let browser = app.browser();
    let account = json!({ "name": "Ada", "email": " Ada@Example.org ", "password": "secret" });
    let answer = browser.post("/api/auth/register", account).await;
    let user = answer.clone().expect(201).json();
    assert_eq!(keys(&user), USER_KEYS);
    assert_eq!(user["email"], "ada@example.org");
    let cookies: Vec<_> = browser.cookies().into_keys().collect();
    assert_eq!(cookies, ["ideavault-device"]);
    browser.get("/api/auth/me").await.expect(401);
}

async fn login_returns_the_user_and_sets_protected_cookies(app: App) {
    let ada = app.creator("ada").await;
    let browser = app.browser();
    let answer = ada.log_in(&browser).await.expect(200);
    let body = answer.json();
    assert_eq!(keys(&body), ["success", "user"]);
    assert_eq!(body["success"], true);
    assert_eq!(keys(&body["user"]), USER_KEYS);
    assert!(!answer.text().contains("argon2"));
    let mut cookies = answer.cookies();
    cookies.sort();
    assert_eq!(cookies.len(), 2, "{cookies:?}");
    for (cookie, name) in cookies.iter().zip(["ideavault-device=", "ideavault="]) {
        let attributes: Vec<_> = cookie.split("; ").collect();
        assert!(attributes[0].starts_with(name), "{cookies:?}");
        for wanted in ["HttpOnly", "SameSite=Strict", "Path=/"] {
            assert!(attributes.contains(&wanted), "{wanted}: {cookies:?}");
        }
        assert!(!attributes.contains(&"Secure"), "{cookies:?}");
    }
    assert_eq!(browser.get("/api/auth/me").await.json(), body["user"]);
}

async fn cookies_are_bound_to_the_host_over_https(app: App) {
    let https = app
        .another(&[
            "--public-url",
            "https://vault.example.org",
            "--trusted-proxies",
            "none",
        ])
        .await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;

    let creator = https.browser();
    let visitor = https.visitor();
    let login = ada.log_in(&creator).await.expect(200);
    let logout = creator
        .post("/api/auth/logout", json!({}))
        .await
        .expect(200);
    let lookup = visitor.open(&link).await.expect(200);
    let registration = visitor
        .try_register(&link, "vera@example.org")
        .await
        .expect(201);
    for (answer, count) in [(login, 2), (logout, 1), (lookup, 1), (registration, 2)] {
        let cookies = answer.cookies();
        assert_eq!(cookies.len(), count, "{answer:?} {cookies:?}");
        for cookie in cookies {
            let attributes: Vec<_> = cookie.split("; ").collect();
            assert!(attributes[0].starts_with("__Host-ideavault"), "{cookie}");
            // Tells only that there was a registration.
            let is_mark = attributes[0] == "__Host-ideavault-registered=1";
            let sites = if is_mark {
                "SameSite=Lax"
            } else {
                "SameSite=Strict"
            };
            for wanted in ["HttpOnly", sites, "Path=/", "Secure"] {
                assert!(attributes.contains(&wanted), "{wanted}: {cookie}");
            }
            assert!(!cookie.contains("Domain"), "{cookie}");
        }
    }
}

async fn logging_out_ends_the_session_for_every_copy_of_its_cookie(app: App) {
    let ada = app.creator("ada").await;
    let thief = ada.stolen();
    thief.get("/api/ideas").await.expect(200);
    let answer = ada.post("/api/auth/logout", json!({})).await.expect(200);
    assert_eq!(answer.json(), json!({ "success": true }));
    assert!(!ada.cookies().contains_key("ideavault"));
    thief.get("/api/ideas").await.expect(401);
    thief.get("/api/auth/me").await.expect(401);
    ada.post("/api/auth/logout", json!({})).await.expect(200);
    thief.post("/api/auth/logout", json!({})).await.expect(200);
}

async fn logging_in_again_ends_the_previous_session(app: App) {
    let ada = app.creator("ada").await;
    let before = ada.stolen();
    let elsewhere = app.browser();
    ada.log_in(&elsewhere).await.expect(200);
    ada.log_in(&ada).await.expect(200);
    assert_ne!(ada.cookies(), before.cookies());
    before.get("/api/auth/me").await.expect(401);
    ada.get("/api/auth/me").await.expect(200);
    elsewhere.get("/api/auth/me").await.expect(200);
}

async fn concurrent_registrations_have_exactly_one_winner(app: App) {
    let mut running = JoinSet::new();
    for number in 0..20 {
        let browser = app.browser();
        let email = match number % 4 {
            0 => "ada@example.org",
            1 => "ADA@example.org",
            2 => "  ada@EXAMPLE.org",
            _ => "Ada@Example.Org\t",
        };
        let account = json!({ "name": "Ada", "email": email, "password": "secret" });
        running.spawn(async move { browser.post("/api/auth/register", account).await.status });
    }
    let mut statuses = running.join_all().await;
    statuses.sort_unstable();
    let mut expected = [409; 20];
    expected[0] = 201;
    assert_eq!(statuses, expected);
}

async fn wrong_password_and_unknown_email_get_the_same_response(app: App) {
    let ada = app.creator("ada").await;
    let log_in = |email: &str| {
        let credentials = json!({ "email": email, "password": "something else" });
        let browser = app.browser();
        async move {
            browser
                .post("/api/auth/login", credentials)
                .await
                .expect(401)
        }
    };
    let wrong = log_in(&ada.email).await;
    let unknown = log_in("nobody@example.org").await;
    assert_eq!(wrong.body, unknown.body);
    assert!(wrong.cookies().is_empty() && unknown.cookies().is_empty());
    assert!(!wrong.text().contains(&ada.email));
}

async fn passwords_have_6_to_128_characters(app: App) {
    let browser = app.browser();
    let post = async |route: &str, email: &str, password: &str| {
        let body = json!({ "name": "Ada", "email": email, "password": password });
        browser.post(&format!("/api/auth/{route}"), body).await
    };
    let register = async |email: &str, password: &str| post("register", email, password).await;
    let login = async |email: &str, password: &str| post("login", email, password).await.status;

    register("five@example.org", "12345")
        .await
        .refuses("password");
    register("long@example.org", &"x".repeat(129))
        .await
        .refuses("password");
    register("huge@example.org", &"x".repeat(1_000_000))
        .await
        .expect(413);
    assert_eq!(login("five@example.org", &"x".repeat(1_000_000)).await, 413);

    let longest = "é".repeat(128);
    for (email, password) in [
        ("six@example.org", "123456"),
        ("emoji@example.org", "🗝🗝🗝🗝🗝🗝"),
        ("space@example.org", " a\0b  "),
        ("most@example.org", &longest),
    ] {
        register(email, password).await.expect(201);
        assert_eq!(login(email, password).await, 200, "{email}");
        let longer = login(email, &format!("{password}x")).await;
        assert!(matches!(longer, 400 | 401), "{email}");
        // An additional space makes another password.
        let trimmed = login(email, &format!("{}yy", password.trim())).await;
        assert!(matches!(trimmed, 400 | 401), "{email}");
    }
}

async fn a_session_ends_after_12_idle_hours(app: App) {
    let ada = app.creator("ada").await;
    app.advance(Duration::hours(12) - Duration::seconds(1));
    ada.get("/api/auth/me").await.expect(200);
    app.advance(Duration::hours(12) - Duration::seconds(1));
    ada.get("/api/auth/me").await.expect(200);
    app.advance(Duration::hours(12));
    ada.get("/api/auth/me").await.expect(401);
    ada.get("/api/ideas").await.expect(401);
}

async fn an_active_session_ends_after_7_days(app: App) {
    let ada = app.creator("ada").await;
    for _ in 0..16 {
        app.advance(Duration::hours(10));
        ada.get("/api/auth/me").await.expect(200);
    }
    app.advance(Duration::hours(7));
    ada.get("/api/auth/me").await.expect(200);
    app.advance(Duration::hours(1));
    ada.get("/api/auth/me").await.expect(401);
}

async fn a_forged_cookie_does_not_sign_in(app: App) {
    let ada = app.creator("ada").await;
    let genuine = ada.cookies()["ideavault"].clone();
    let cut = &genuine[..genuine.len() - 1];
    let key = genuine.rsplit_once('=').map_or("", |(_, key)| key);
    for forged in ["", "x", key, cut, "%00", "%FF", "é", &"A".repeat(3_000)] {
        let browser = app.browser();
        browser.set_cookie("ideavault", forged);
        browser.get("/api/auth/me").await.expect(401);
        browser.set_cookie("ideavault-viewer", forged);
        browser.set_cookie("ideavault-share", forged);
        browser.get("/api/comments").await.expect(401);
    }
}
