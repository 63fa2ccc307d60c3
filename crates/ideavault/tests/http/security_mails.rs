//! Mails that notify the owner of an account of changes to it.

use chrono::Duration;
use ideavault_mail::testing::{ReceivedMail, SmtpSink};
use reqwest::Method;
use serde_json::json;

use crate::harness::{Answer, App, Browser, Creator};

on_both_databases!(
    a_login_from_a_new_browser_is_notified_once,
    a_browser_shared_by_two_accounts_is_known_to_both,
    a_failed_login_sends_no_mail,
    a_browser_is_known_for_half_a_year,
    a_password_change_is_notified_and_makes_other_browsers_unknown,
    a_reset_is_notified_and_makes_all_browsers_unknown,
    a_planted_device_key_is_replaced_at_login,
);

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const NEW: &str = "another horse battery";

async fn log_in_with(browser: &Browser, ada: &Creator, agent: &str) -> Answer {
    let credentials = json!({ "email": ada.email, "password": ada.password });
    browser
        .send(Method::POST, "/api/auth/login", |request| {
            request.header("user-agent", agent).json(&credentials)
        })
        .await
}

#[track_caller]
fn tells(mail: &ReceivedMail, ada: &Creator, subject: &str) {
    assert_eq!(mail.to, [ada.email.as_str()]);
    assert_eq!(mail.header("Subject"), Some(subject), "{}", mail.text);
}

const NEW_BROWSER: &str = "A new browser is signed in to IdeaVault";
const PASSWORD_CHANGED: &str = "Your IdeaVault password was changed";

/// Mails are delivered in the order in which they were queued, so this one shows that there
/// was none before it.
#[track_caller]
fn only_the_next_is(sink: &SmtpSink, ada: &Creator, subject: &str) {
    tells(&sink.next(), ada, subject);
    assert_eq!(sink.try_next(), None);
}

async fn a_login_from_a_new_browser_is_notified_once(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    // Registration and first login send no mail.
    let ada = app.creator("ada").await;
    let elsewhere = app.browser();
    log_in_with(&elsewhere, &ada, FIREFOX).await.expect(200);

    let mail = sink.next();
    tells(&mail, &ada, NEW_BROWSER);
    for line in ["    With:  Firefox on Linux", "    From:  127.0.0.1"] {
        assert!(mail.text.contains(line), "{line}: {}", mail.text);
    }
    let forgot = format!("{}/forgot-password", app.origin());
    assert!(mail.text.contains(&forgot), "{}", mail.text);

    elsewhere
        .post("/api/auth/logout", json!({}))
        .await
        .expect(200);
    ada.log_in(&elsewhere).await.expect(200);
    ada.log_in(&ada).await.expect(200);
    ada.log_in(&app.browser()).await.expect(200);
    only_the_next_is(&sink, &ada, NEW_BROWSER);
}

async fn a_browser_shared_by_two_accounts_is_known_to_both(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let shared = app.browser();
    for creator in [&ada, &bob] {
        creator.log_in(&shared).await.expect(200);
        only_the_next_is(&sink, creator, NEW_BROWSER);
    }
    ada.log_in(&shared).await.expect(200);
    bob.log_in(&shared).await.expect(200);
    ada.log_in(&app.browser()).await.expect(200);
    only_the_next_is(&sink, &ada, NEW_BROWSER);
}

async fn a_failed_login_sends_no_mail(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    for email in [ada.email.as_str(), "nobody@example.org"] {
        let wrong = json!({ "email": email, "password": "wrong-password" });
        let browser = app.browser();
        let answer = browser.post("/api/auth/login", wrong).await.expect(401);
        // The browser does not become a known device either.
        assert!(answer.cookies().is_empty());
    }
    ada.log_in(&app.browser()).await.expect(200);
    only_the_next_is(&sink, &ada, NEW_BROWSER);
}

async fn a_browser_is_known_for_half_a_year(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    app.advance(Duration::days(179));
    let answer = ada.log_in(&ada).await.expect(200);
    let half_a_year = |cookie: &String| {
        cookie.starts_with("ideavault-device=") && cookie.contains("; Max-Age=15552000")
    };
    assert!(
        answer.cookies().iter().any(half_a_year),
        "{:?}",
        answer.cookies()
    );
    app.advance_past_mails(Duration::days(181)).await;
    ada.log_in(&ada).await.expect(200);
    only_the_next_is(&sink, &ada, NEW_BROWSER);
}

async fn a_password_change_is_notified_and_makes_other_browsers_unknown(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let mut ada = app.creator("ada").await;
    let elsewhere = app.browser();
    ada.log_in(&elsewhere).await.expect(200);
    only_the_next_is(&sink, &ada, NEW_BROWSER);
    let change = json!({
        "currentPassword": ada.password, "newPassword": NEW, "confirmPassword": NEW,
    });
    ada.post("/api/auth/change-password", change)
        .await
        .expect(200);
    only_the_next_is(&sink, &ada, PASSWORD_CHANGED);
    ada.password = NEW;
    ada.log_in(&ada).await.expect(200);
    ada.log_in(&elsewhere).await.expect(200);
    only_the_next_is(&sink, &ada, NEW_BROWSER);
}

async fn a_reset_is_notified_and_makes_all_browsers_unknown(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let mut ada = app.creator("ada").await;
    let forgotten = json!({ "email": ada.email });
    ada.post("/api/auth/forgot-password", forgotten)
        .await
        .expect(200);
    let mail = sink.next();
    let token = mail.line_after(&format!("{}/reset-password/", app.origin()));
    let reset = json!({ "token": token, "newPassword": NEW });
    let stranger = app.browser();
    stranger
        .post("/api/auth/reset-password", reset)
        .await
        .expect(200);
    only_the_next_is(&sink, &ada, PASSWORD_CHANGED);
    ada.password = NEW;
    ada.log_in(&ada).await.expect(200);
    only_the_next_is(&sink, &ada, NEW_BROWSER);
}

async fn a_planted_device_key_is_replaced_at_login(app: App) {
    const DEVICE: &str = "ideavault-device";
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let (ada, eve) = (app.creator("ada").await, app.creator("eve").await);
    let planted = eve.cookies()[DEVICE].clone();
    let victim = app.browser();
    for cookie in [&planted, &"A".repeat(43)] {
        victim.set_cookie(DEVICE, cookie);
        ada.log_in(&victim).await.expect(200);
        only_the_next_is(&sink, &ada, NEW_BROWSER);
        assert_ne!(victim.cookies()[DEVICE], *cookie);
        // The person who planted the key is not taken for her.
        let thief = app.browser();
        thief.set_cookie(DEVICE, cookie);
        ada.log_in(&thief).await.expect(200);
        only_the_next_is(&sink, &ada, NEW_BROWSER);
    }
    // A copied key ends with the next login.
    let copied = victim.cookies()[DEVICE].clone();
    ada.log_in(&victim).await.expect(200);
    let thief = app.browser();
    thief.set_cookie(DEVICE, &copied);
    ada.log_in(&thief).await.expect(200);
    only_the_next_is(&sink, &ada, NEW_BROWSER);
    // Registration renews the key as well.
    let register = app.browser();
    register.set_cookie(DEVICE, &planted);
    let account = json!({ "name": "Grace", "email": "grace@example.org", "password": "secret" });
    register
        .post("/api/auth/register", account)
        .await
        .expect(201);
    assert_ne!(register.cookies()[DEVICE], planted);
}
