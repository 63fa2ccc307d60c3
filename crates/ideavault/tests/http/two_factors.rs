//! Two-step sign-in: turning it on and off.

use chrono::Duration;
use ideavault_mail::testing::SmtpSink;
use serde_json::{Value, json};

use crate::audit::{kinds, recorded};
use crate::commands::{run, stderr, stdout};
use crate::confirmations::confirm;
use crate::harness::{Answer, App, Authenticator, Browser, Creator, keys};

mod login;
mod recovery;

on_both_databases!(
    login_requires_only_the_password_until_setup_is_confirmed,
    setup_requires_the_password_and_a_code,
    enabling_ends_other_sessions_and_renews_this_one,
    disabling_requires_the_password,
    a_password_reset_does_not_disable_it,
    setup_and_password_changes_share_a_limit,
    changes_are_notified_to_the_owner_and_recorded,
    the_operator_can_remove_it_from_an_account,
    setup_requires_a_session,
);

pub async fn log_in(browser: &Browser, ada: &Creator, code: Option<&str>) -> Answer {
    let mut body = json!({ "email": ada.email, "password": ada.password });
    if let Some(code) = code {
        body["code"] = code.into();
    }
    browser.post("/api/auth/login", body).await
}

pub async fn set_up(app: &App, ada: &Creator) -> (Authenticator, Vec<String>) {
    Authenticator::set_up(ada, ada.password, app.now()).await
}

pub async fn status(browser: &Browser) -> Value {
    browser.get("/api/auth/totp").await.expect(200).json()
}

/// A refusal that names the missing code.
#[track_caller]
pub fn wants_code(answer: Answer) -> String {
    let body = answer.expect(401).json();
    assert_eq!(body["field"], "code", "{body}");
    body["message"].as_str().unwrap().to_owned()
}

/// Moves the clock to a time step whose codes are all unused.
pub fn later(app: &App) {
    app.advance(Duration::seconds(90));
}

fn password(ada: &Creator) -> Value {
    json!({ "currentPassword": ada.password })
}

async fn login_requires_only_the_password_until_setup_is_confirmed(app: App) {
    let ada = app.creator("ada").await;
    let off = json!({ "enabled": false, "recoveryCodesLeft": 0 });
    assert_eq!(status(&ada).await, off);
    let begun = ada.post("/api/auth/totp", password(&ada)).await.expect(200);
    let setup = begun.json();
    assert_eq!(keys(&setup), ["qr", "secret", "uri"]);
    let secret = setup["secret"].as_str().unwrap();
    assert_eq!(secret.len(), 32);
    let uri = format!(
        "otpauth://totp/IdeaVault:ada%40example.org?secret={secret}&issuer=IdeaVault\
         &algorithm=SHA1&digits=6&period=30"
    );
    assert_eq!(setup["uri"], uri);
    let rows = setup["qr"].as_array().unwrap();
    for row in rows {
        let row = row.as_str().unwrap();
        assert_eq!(row.len(), rows.len());
        assert!(row.bytes().all(|module| matches!(module, b'0' | b'1')));
    }
    // The finder pattern in the corner of every QR code.
    assert!(rows[0].as_str().unwrap().starts_with("11111110"));
    assert_eq!(status(&ada).await, off);
    log_in(&app.browser(), &ada, None).await.expect(200);
    log_in(&app.browser(), &ada, Some("000000"))
        .await
        .expect(200);
}

async fn setup_requires_the_password_and_a_code(app: App) {
    let ada = app.creator("ada").await;
    for wrong in ["", "wrong-password", "short"] {
        let body = json!({ "currentPassword": wrong });
        ada.post("/api/auth/totp", body)
            .await
            .refuses("currentPassword");
    }
    let code = |code: &str| json!({ "code": code });
    ada.put("/api/auth/totp", code("123456")).await.expect(409);
    let first = ada.post("/api/auth/totp", password(&ada)).await.expect(200);
    let first = Authenticator::new(first.json()["secret"].as_str().unwrap());
    let second = ada.post("/api/auth/totp", password(&ada)).await.expect(200);
    let second = Authenticator::new(second.json()["secret"].as_str().unwrap());
    for wrong in ["", "12345", "abcdef", &first.shows(app.now())] {
        ada.put("/api/auth/totp", code(wrong)).await.refuses("code");
    }
    let right = code(&second.shows(app.now()));
    let confirmed = ada.put("/api/auth/totp", right.clone()).await.expect(200);
    let codes = confirmed.json()["recoveryCodes"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(codes.len(), 10);
    let on = json!({ "enabled": true, "recoveryCodesLeft": 10 });
    assert_eq!(status(&ada).await, on);
    ada.put("/api/auth/totp", right).await.expect(409);
    ada.post("/api/auth/totp", password(&ada)).await.expect(409);
}

async fn enabling_ends_other_sessions_and_renews_this_one(app: App) {
    let ada = app.creator("ada").await;
    let elsewhere = app.browser();
    ada.log_in(&elsewhere).await.expect(200);
    let copied = ada.stolen();
    set_up(&app, &ada).await;
    elsewhere.get("/api/auth/me").await.expect(401);
    copied.get("/api/auth/me").await.expect(401);
    ada.get("/api/auth/me").await.expect(200);
}

async fn disabling_requires_the_password(app: App) {
    let ada = app.creator("ada").await;
    let (_, codes) = set_up(&app, &ada).await;
    let delete = |body: Value| {
        let ada = ada.clone();
        async move {
            ada.json(reqwest::Method::DELETE, "/api/auth/totp", body)
                .await
        }
    };
    let wrong = json!({ "currentPassword": "wrong-password" });
    delete(wrong).await.refuses("currentPassword");
    wants_code(log_in(&app.browser(), &ada, None).await);
    delete(password(&ada)).await.expect(204);
    let off = json!({ "enabled": false, "recoveryCodesLeft": 0 });
    assert_eq!(status(&ada).await, off);
    log_in(&app.browser(), &ada, None).await.expect(200);
    // Turning it off again changes nothing, and it can be set up again.
    delete(password(&ada)).await.expect(204);
    let (_, others) = set_up(&app, &ada).await;
    wants_code(log_in(&app.browser(), &ada, Some(&codes[0])).await);
    log_in(&app.browser(), &ada, Some(&others[0]))
        .await
        .expect(200);
}

async fn a_password_reset_does_not_disable_it(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let mut ada = app.creator("ada").await;
    // If the address was never confirmed, the reset turns it off.
    confirm(&app, &sink, &ada).await;
    let (phone, _) = set_up(&app, &ada).await;
    later(&app);
    let forgotten = json!({ "email": ada.email });
    app.browser()
        .post("/api/auth/forgot-password", forgotten)
        .await
        .expect(200);
    let mail = loop {
        let mail = sink.next();
        if mail.header("Subject") == Some("Your request to change your IdeaVault password") {
            break mail;
        }
    };
    let token = mail.line_after(&format!("{}/reset-password/", app.origin()));
    ada.password = "another horse battery";
    let reset = json!({ "token": token, "newPassword": ada.password });
    app.browser()
        .post("/api/auth/reset-password", reset)
        .await
        .expect(200);
    wants_code(log_in(&app.browser(), &ada, None).await);
    let code = phone.shows(app.now());
    log_in(&app.browser(), &ada, Some(&code)).await.expect(200);
}

async fn setup_and_password_changes_share_a_limit(app: App) {
    let ada = app.creator("ada").await;
    let app = app.restart(&["--rate-limit-scale", "1"]).await;
    let ada = ada.at(&app.browser());
    let bob = app.creator("bob").await;
    let guess = json!({
        "currentPassword": "wrong-password",
        "newPassword": "another-password",
        "confirmPassword": "another-password",
    });
    let change = "/api/auth/change-password";
    for _ in 0..10 {
        ada.put("/api/auth/totp", json!({ "code": "000000" }))
            .await
            .expect(409);
        ada.post(change, guess.clone()).await.expect(400);
    }
    ada.put("/api/auth/totp", json!({ "code": "000000" }))
        .await
        .expect(429);
    ada.post(change, guess.clone()).await.expect(429);
    // Other accounts are not affected.
    bob.post(change, guess).await.expect(400);
    // Reading the state is not limited.
    status(&ada).await;
}

async fn changes_are_notified_to_the_owner_and_recorded(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let (_, codes) = set_up(&app, &ada).await;
    log_in(&ada, &ada, Some(&codes[0])).await.expect(200);
    log_in(&app.browser(), &ada, Some("000000"))
        .await
        .expect(401);
    log_in(&app.browser(), &ada, None).await.expect(401);
    ada.json(reqwest::Method::DELETE, "/api/auth/totp", password(&ada))
        .await
        .expect(204);
    for (subject, text) in [
        ("Two-step sign-in is on for IdeaVault", "needs a code"),
        (
            "A recovery code of IdeaVault was used",
            "9 recovery codes are left",
        ),
        ("Two-step sign-in is off for IdeaVault", "password alone"),
    ] {
        let mail = sink.next();
        assert_eq!(mail.to, [ada.email.as_str()]);
        assert_eq!(mail.header("Subject"), Some(subject), "{}", mail.text);
        assert!(mail.text.contains(text), "{}", mail.text);
        assert!(!mail.text.contains(&codes[0]), "{}", mail.text);
    }
    assert_eq!(sink.try_next(), None);
    // Denials are recorded after the response.
    recorded(&app, "login-failed").await;
    let kinds = kinds(&app);
    for kind in [
        "second-factor-on",
        "recovery-code-used",
        "second-factor-off",
        "login-failed",
    ] {
        let count = kinds.iter().filter(|found| *found == kind).count();
        assert_eq!(count, 1, "{kind}: {kinds:?}");
    }
}

async fn the_operator_can_remove_it_from_an_account(app: App) {
    let ada = app.creator("ada").await;
    set_up(&app, &ada).await;
    let said = run(&app, &["second-factor", "remove", " ADA@example.org "]);
    assert_eq!(
        stdout(&said),
        "ada@example.org signs in with the password alone from now on.\n"
    );
    log_in(&app.browser(), &ada, None).await.expect(200);
    assert!(kinds(&app).contains(&"second-factor-removed".to_owned()));
    for nobody in [ada.email.as_str(), "nobody@example.org", "ada"] {
        let refused = run(&app, &["second-factor", "remove", nobody]);
        assert!(!refused.status.success(), "{nobody}");
        assert!(!stderr(&refused).is_empty(), "{nobody}");
    }
}

async fn setup_requires_a_session(app: App) {
    let browser = app.browser();
    let body = json!({ "currentPassword": "secret" });
    browser.get("/api/auth/totp").await.expect(401);
    browser
        .post("/api/auth/totp", body.clone())
        .await
        .expect(401);
    browser
        .put("/api/auth/totp", json!({ "code": "123456" }))
        .await
        .expect(401);
    browser
        .json(reqwest::Method::DELETE, "/api/auth/totp", body)
        .await
        .expect(401);
}
