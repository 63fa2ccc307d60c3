//! New recovery codes.

use ideavault_mail::testing::SmtpSink;
use serde_json::{Value, json};

use super::{log_in, set_up, status};
use crate::audit::{entries, kinds};
use crate::harness::{Answer, App, Browser, keys};

on_both_databases!(
    new_recovery_codes_replace_the_former_ones,
    new_recovery_codes_require_the_password_and_a_second_factor,
    new_recovery_codes_are_rate_limited,
    the_owner_is_notified_of_new_recovery_codes,
);

async fn replace(browser: &Browser, password: &str) -> Answer {
    let body = json!({ "currentPassword": password });
    browser.post("/api/auth/totp/recovery-codes", body).await
}

fn codes_of(answer: &Answer) -> Vec<String> {
    let body = answer.json();
    assert_eq!(keys(&body), ["recoveryCodes"]);
    let codes = body["recoveryCodes"].as_array().unwrap().iter();
    codes
        .map(|code| code.as_str().unwrap().to_owned())
        .collect()
}

async fn new_recovery_codes_replace_the_former_ones(app: App) {
    let ada = app.creator("ada").await;
    let (_, former) = set_up(&app, &ada).await;
    log_in(&app.browser(), &ada, Some(&former[0]))
        .await
        .expect(200);
    let newer = codes_of(&replace(&ada, ada.password).await.expect(200));
    assert_eq!(newer.len(), 10);
    assert!(newer.iter().all(|code| !former.contains(code)));
    let full = json!({ "enabled": true, "recoveryCodesLeft": 10 });
    assert_eq!(status(&ada).await, full);
    let refused = log_in(&app.browser(), &ada, Some(&former[1])).await;
    refused.expect(401);
    for expected in [200, 401] {
        let again = log_in(&app.browser(), &ada, Some(&newer[3])).await;
        again.expect(expected);
    }
}

async fn new_recovery_codes_require_the_password_and_a_second_factor(app: App) {
    replace(&app.browser(), "secret").await.expect(401);
    let ada = app.creator("ada").await;
    replace(&ada, ada.password).await.expect(409);
    let (_, codes) = set_up(&app, &ada).await;
    for wrong in ["", "wrong-password", "short"] {
        replace(&ada, wrong).await.refuses("currentPassword");
    }
    let on = json!({ "enabled": true, "recoveryCodesLeft": 10 });
    assert_eq!(status(&ada).await, on);
    log_in(&app.browser(), &ada, Some(&codes[0]))
        .await
        .expect(200);
    assert!(!kinds(&app).contains(&"recovery-codes-replaced".to_owned()));
}

async fn new_recovery_codes_are_rate_limited(app: App) {
    let app = app.restart(&["--rate-limit-scale", "0.1"]).await;
    let ada = app.creator("ada").await;
    for _ in 0..2 {
        replace(&ada, "wrong-password").await.expect(400);
    }
    let refused = replace(&ada, ada.password).await.expect(429);
    refused.header("retry-after");
}

async fn the_owner_is_notified_of_new_recovery_codes(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    set_up(&app, &ada).await;
    assert_eq!(
        sink.next().header("Subject"),
        Some("Two-step sign-in is on for IdeaVault")
    );
    let codes = codes_of(&replace(&ada, ada.password).await.expect(200));
    let mail = sink.next();
    assert_eq!(mail.to, [ada.email.as_str()]);
    let subject = mail.header("Subject");
    assert_eq!(subject, Some("New recovery codes for IdeaVault"));
    let account: Value = ada.get("/api/auth/me").await.json();
    let entry = entries(&app).pop().unwrap();
    assert_eq!(entry[1], "recovery-codes-replaced");
    assert_eq!(entry[2], account["id"].as_str().unwrap());
    let record = entries(&app).concat().concat();
    for code in codes {
        assert!(!mail.text.contains(&code), "{}", mail.text);
        assert!(!record.contains(&code), "{record}");
    }
}
