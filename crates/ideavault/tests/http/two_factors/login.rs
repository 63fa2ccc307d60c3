//! The code at login.

use chrono::Duration;
use futures_util::future::join_all;
use ideavault_mail::testing::SmtpSink;
use serde_json::json;

use super::{later, log_in, set_up, status, wants_code};
use crate::audit::kinds;
use crate::commands::{run, stdout};
use crate::harness::{App, keys};

on_both_databases!(
    a_login_requires_both_factors,
    the_second_factor_is_asked_for_only_after_the_right_password,
    a_code_works_once_even_for_concurrent_logins,
    a_code_older_than_the_last_used_one_is_refused,
    a_recovery_code_works_once,
    wrong_codes_block_an_account_like_wrong_passwords,
    wrong_codes_from_any_client_lock_the_second_factor,
    two_factor_survives_a_rotation_of_the_master_key,
);

const MISSING: &str = "Enter the code from your authenticator app.";

async fn a_login_requires_both_factors(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let (phone, _) = set_up(&app, &ada).await;
    later(&app);
    let browser = app.browser();
    for missing in [None, Some(""), Some("  ")] {
        let answer = log_in(&browser, &ada, missing).await;
        assert!(answer.cookies().is_empty(), "{:?}", answer.cookies());
        assert_eq!(wants_code(answer), MISSING);
    }
    for wrong in ["000000", "12345", "ABCD-EFGH-JKMN-PQRS", "é"] {
        let answer = log_in(&browser, &ada, Some(wrong)).await;
        assert!(answer.cookies().is_empty(), "{:?}", answer.cookies());
        assert_ne!(wants_code(answer), MISSING);
    }
    browser.get("/api/auth/me").await.expect(401);
    let answer = log_in(&browser, &ada, Some(&phone.shows(app.now()))).await;
    let body = answer.expect(200).json();
    assert_eq!(keys(&body), ["success", "user"]);
    browser.get("/api/auth/me").await.expect(200);
    // Other accounts are not asked for a code.
    log_in(&app.browser(), &bob, None).await.expect(200);
}

async fn the_second_factor_is_asked_for_only_after_the_right_password(app: App) {
    let ada = app.creator("ada").await;
    let (phone, codes) = set_up(&app, &ada).await;
    later(&app);
    let browser = app.browser();
    let wrong = |email: &str, code: Option<&str>| {
        let body = json!({ "email": email, "password": "wrong-password", "code": code });
        let browser = browser.clone();
        async move { browser.post("/api/auth/login", body).await.expect(401).body }
    };
    let unknown = wrong("nobody@example.org", None).await;
    for code in [None, Some("000000"), Some(phone.shows(app.now()).as_str())] {
        assert_eq!(wrong(&ada.email, code).await, unknown);
    }
    assert_eq!(wrong(&ada.email, Some(&codes[0])).await, unknown);
    assert_eq!(status(&ada).await["recoveryCodesLeft"], 10);
    // The code was not used up either.
    let right = phone.shows(app.now());
    log_in(&browser, &ada, Some(&right)).await.expect(200);
}

async fn a_code_works_once_even_for_concurrent_logins(app: App) {
    let ada = app.creator("ada").await;
    let (phone, codes) = set_up(&app, &ada).await;
    // The confirmation has used up its code.
    let used = phone.shows(app.now());
    wants_code(log_in(&app.browser(), &ada, Some(&used)).await);
    later(&app);
    for code in [phone.shows(app.now()), codes[3].clone()] {
        let attempts = (0..8).map(|_| {
            let (browser, code, ada) = (app.browser(), code.clone(), &ada);
            async move { log_in(&browser, ada, Some(&code)).await.status }
        });
        let mut statuses = join_all(attempts).await;
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 401, 401, 401, 401, 401, 401, 401]);
    }
}

async fn a_code_older_than_the_last_used_one_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let (phone, _) = set_up(&app, &ada).await;
    later(&app);
    let now = app.now();
    let (before, next) = (now - Duration::seconds(30), now + Duration::seconds(30));
    let code = phone.shows(next);
    log_in(&app.browser(), &ada, Some(&code)).await.expect(200);
    for old in [before, now] {
        let code = phone.shows(old);
        wants_code(log_in(&app.browser(), &ada, Some(&code)).await);
    }
}

async fn a_recovery_code_works_once(app: App) {
    let ada = app.creator("ada").await;
    let eve = app.creator("eve").await;
    let (_, codes) = set_up(&app, &ada).await;
    let (_, others) = set_up(&app, &eve).await;
    wants_code(log_in(&app.browser(), &ada, Some(&others[0])).await);
    let typed = format!(" {} ", codes[0].to_lowercase().replace('-', " "));
    log_in(&app.browser(), &ada, Some(&typed)).await.expect(200);
    wants_code(log_in(&app.browser(), &ada, Some(&codes[0])).await);
    assert_eq!(status(&ada).await["recoveryCodesLeft"], 9);
    assert_eq!(status(&eve).await["recoveryCodesLeft"], 10);
    log_in(&app.browser(), &ada, Some(&codes[9]))
        .await
        .expect(200);
}

async fn wrong_codes_block_an_account_like_wrong_passwords(app: App) {
    let ada = app.creator("ada").await;
    let (phone, codes) = set_up(&app, &ada).await;
    let app = app.restart(&["--rate-limit-scale", "1"]).await;
    later(&app);
    let browser = app.browser();
    // A login without a code does not reset the count.
    for code in [Some("000000"), None].repeat(5) {
        wants_code(log_in(&browser, &ada, code).await);
    }
    for code in [phone.shows(app.now()), codes[0].clone()] {
        log_in(&browser, &ada, Some(&code)).await.expect(429);
    }
    app.advance(Duration::minutes(15));
    let code = phone.shows(app.now());
    log_in(&browser, &ada, Some(&code)).await.expect(200);
}

async fn wrong_codes_from_any_client_lock_the_second_factor(app: App) {
    let sink = SmtpSink::start();
    let ada = app.creator("ada").await;
    let (phone, codes) = set_up(&app, &ada).await;
    // Else the server after the restart may send it.
    app.mailed(|mail| mail.contains("Two-step sign-in is on").then_some(()))
        .await;
    let url = sink.url();
    let options = [
        "--smtp-url",
        &url,
        "--mail-from",
        "vault@example.org",
        "--trusted-proxies",
        "127.0.0.1",
    ];
    let app = app.restart(&options).await;
    later(&app);
    let from = |app: &App, client: u8, code: &str| {
        let body = json!({ "email": ada.email, "password": ada.password, "code": code });
        let browser = app.browser();
        async move {
            let via = format!("198.51.100.{client}");
            let send = browser.send(reqwest::Method::POST, "/api/auth/login", |request| {
                request.header("x-forwarded-for", via).json(&body)
            });
            send.await
        }
    };
    for client in 1..=5 {
        from(&app, client, "000000").await.expect(401);
    }
    let told = |text: &str| {
        let mail = sink.next();
        assert_eq!(mail.to, [ada.email.as_str()]);
        assert!(mail.text.contains(text), "{text}: {}", mail.text);
    };
    told("3 wrong codes in a row");
    // Ten concurrent attempts share the five that are left.
    let attempts = (10..20).map(|client| from(&app, client, "000000"));
    let mut statuses: Vec<_> = join_all(attempts)
        .await
        .iter()
        .map(|answer| answer.status)
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429, 429, 429, 429, 429]);
    told("10 wrong codes in a row");
    // Also with the right code, and after a restart.
    let app = app.restart(&options).await;
    let locked = from(&app, 99, &phone.shows(app.now())).await.expect(429);
    let wait: u64 = locked.header("retry-after").parse().unwrap();
    assert!((800..=900).contains(&wait), "{wait}");
    from(&app, 99, &codes[0]).await.expect(429);
    // The next wrong code locks for twice as long.
    app.advance(Duration::minutes(15));
    from(&app, 1, "000000").await.expect(401);
    told("11 wrong codes in a row");
    app.advance(Duration::minutes(29));
    from(&app, 99, &phone.shows(app.now())).await.expect(429);
    app.advance(Duration::minutes(1));
    from(&app, 99, &phone.shows(app.now())).await.expect(200);
    // The count begins again after that.
    for _ in 0..2 {
        from(&app, 1, "000000").await.expect(401);
    }
    later(&app);
    from(&app, 99, &phone.shows(app.now())).await.expect(200);
    let locks = kinds(&app);
    let locks = locks.iter().filter(|kind| *kind == "second-step-locked");
    assert_eq!(locks.count(), 2);
}

async fn two_factor_survives_a_rotation_of_the_master_key(app: App) {
    let ada = app.creator("ada").await;
    let (phone, codes) = set_up(&app, &ada).await;
    stdout(&run(&app, &["rotate-key"]));
    let app = app.restart(&[]).await;
    later(&app);
    let code = phone.shows(app.now());
    log_in(&app.browser(), &ada, Some(&code)).await.expect(200);
    log_in(&app.browser(), &ada, Some(&codes[0]))
        .await
        .expect(200);
}
