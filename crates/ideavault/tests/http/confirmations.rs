//! Confirmation of email addresses, and what requires it.

use chrono::Duration;
use futures_util::future::join_all;
use ideavault_mail::testing::{ReceivedMail, SmtpSink};
use serde_json::{Value, json};

use crate::harness::{Answer, App, Authenticator, Browser, Creator};

on_both_databases!(
    a_new_account_shares_only_after_confirming_its_address,
    a_link_that_a_scanner_opens_confirms_nothing,
    concurrent_confirmations_use_a_link_once,
    a_newer_link_invalidates_the_previous_one,
    a_link_works_for_three_days,
    resending_is_limited_and_requires_a_session,
    without_a_mail_server_confirmation_is_optional,
    confirmation_can_be_disabled,
    resetting_an_unconfirmed_account_takes_it_over,
    a_reset_offers_to_turn_off_a_second_step_of_the_first_two_weeks,
    the_owner_is_notified_of_repeated_registrations_three_times_a_day,
);

/// Restarts the server with that mail server, which makes confirmation mandatory.
async fn mailing_to(app: App, sink: &SmtpSink) -> App {
    let url = sink.url();
    let options = [
        "--smtp-url",
        &url,
        "--mail-from",
        "vault@example.org",
        "--confirm-addresses",
        "auto",
    ];
    app.restart(&options).await
}

/// Returns the token in a confirmation mail.
pub fn token_in(app: &App, mail: &ReceivedMail) -> String {
    mail.line_after(&format!("{}/confirm-email/", app.origin()))
        .to_owned()
}

/// Confirms in a session of the account.
pub async fn confirm_with(browser: &Browser, token: &str) -> Answer {
    let body = json!({ "token": token });
    browser.post("/api/auth/confirm-email", body).await
}

/// Confirms in any browser.
async fn confirm_by_password(browser: &Browser, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "password": password });
    browser.post("/api/auth/confirm-email", body).await
}

async fn look(browser: &Browser, token: &str) -> Answer {
    let body = json!({ "token": token });
    browser.post("/api/auth/confirm-email/look", body).await
}

async fn resend(browser: &Browser) -> Answer {
    let path = "/api/auth/confirm-email/resend";
    browser.post(path, json!({})).await
}

/// Confirms the address of a signed-in creator.
pub async fn confirm(app: &App, sink: &SmtpSink, creator: &Creator) {
    resend(creator).await.expect(204);
    let token = token_in(app, &sink.next());
    confirm_with(creator, &token).await.expect(200);
}

async fn me(browser: &Browser) -> Value {
    browser.get("/api/auth/me").await.expect(200).json()
}

/// A refusal that names the missing confirmation.
#[track_caller]
fn wants_confirmation(answer: Answer) {
    let message = answer.expect(403).json()["message"].clone();
    let message = message.as_str().unwrap();
    assert!(message.contains("confirm your email address"), "{message}");
}

async fn a_new_account_shares_only_after_confirming_its_address(app: App) {
    let sink = SmtpSink::start();
    let app = mailing_to(app, &sink).await;
    let ada = app.creator("ada").await;
    let mail = sink.next();
    assert_eq!(mail.to, [ada.email.as_str()]);
    let before = me(&ada).await;
    assert_eq!(before["emailConfirmed"], false);
    assert_eq!(before["confirmationRequired"], true);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.publish(idea).await;
    for kind in ["full-access", "one-time", "time-dependent"] {
        wants_confirmation(ada.try_share(idea, kind, json!({})).await);
    }
    let to = json!({ "recipientEmail": "vera@example.org" });
    wants_confirmation(ada.try_share(idea, "email", to).await);
    let password = json!({ "currentPassword": ada.password });
    let totp = ada.post("/api/auth/totp", password).await;
    wants_confirmation(totp);
    assert_eq!(sink.try_next(), None);
    // Callers without such an idea learn nothing else.
    ada.try_share(idea + 1, "full-access", json!({}))
        .await
        .expect(404);

    // The mail may be read in any browser.
    let elsewhere = app.browser();
    let token = token_in(&app, &mail);
    for wrong in ["", "x", &"A".repeat(43)] {
        confirm_by_password(&elsewhere, wrong, ada.password)
            .await
            .refuses("token");
        look(&elsewhere, wrong).await.refuses("token");
    }
    let confirmed = confirm_by_password(&elsewhere, &token, ada.password)
        .await
        .expect(200);
    assert!(confirmed.cookies().is_empty());
    confirm_with(&elsewhere, &token).await.expect(409);
    look(&elsewhere, &token).await.expect(409);
    assert_eq!(me(&ada).await["emailConfirmed"], true);
    ada.share(idea, "full-access", json!({})).await;
    Authenticator::set_up(&ada, ada.password, app.now()).await;
}

async fn a_link_that_a_scanner_opens_confirms_nothing(app: App) {
    let sink = SmtpSink::start();
    let app = mailing_to(app, &sink).await;
    let ada = app.creator("ada").await;
    let token = token_in(&app, &sink.next());
    let bob = app.creator("bob").await;
    let scanner = app.browser();
    for browser in [&scanner, &*bob] {
        for _ in 0..2 {
            let seen = look(browser, &token).await.expect(200).json();
            assert_eq!(seen, json!({ "email": ada.email, "needsPassword": true }));
            confirm_with(browser, &token).await.refuses("password");
            confirm_by_password(browser, &token, "not hers")
                .await
                .refuses("password");
        }
    }
    assert_eq!(me(&ada).await["emailConfirmed"], false);
    let seen = look(&ada, &token).await.expect(200).json();
    assert_eq!(seen["needsPassword"], false);
    confirm_with(&ada, &token).await.expect(200);
    assert_eq!(me(&ada).await["emailConfirmed"], true);
}

async fn concurrent_confirmations_use_a_link_once(app: App) {
    let sink = SmtpSink::start();
    let app = mailing_to(app, &sink).await;
    let ada = app.creator("ada").await;
    let token = token_in(&app, &sink.next());
    let attempts = (0..8).map(|_| {
        let (ada, token) = (&ada, &token);
        async move { confirm_with(ada, token).await.status }
    });
    let mut statuses = join_all(attempts).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
}

async fn a_newer_link_invalidates_the_previous_one(app: App) {
    let sink = SmtpSink::start();
    let app = mailing_to(app, &sink).await;
    let ada = app.creator("ada").await;
    let former = token_in(&app, &sink.next());
    resend(&ada).await.expect(204);
    let newest = token_in(&app, &sink.next());
    confirm_with(&ada, &former).await.refuses("token");
    confirm_with(&ada, &newest).await.expect(200);
    resend(&ada).await.expect(409);
}

async fn a_link_works_for_three_days(app: App) {
    let sink = SmtpSink::start();
    let app = mailing_to(app, &sink).await;
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let tokens = [&ada, &bob].map(|creator| {
        let mail = sink.next();
        assert_eq!(mail.to, [creator.email.as_str()]);
        token_in(&app, &mail)
    });
    let browser = app.browser();
    app.advance_past_mails(Duration::days(3) - Duration::minutes(1))
        .await;
    confirm_by_password(&browser, &tokens[0], ada.password)
        .await
        .expect(200);
    app.advance(Duration::minutes(1));
    confirm_by_password(&browser, &tokens[1], bob.password)
        .await
        .refuses("token");
}

async fn resending_is_limited_and_requires_a_session(app: App) {
    let ada = app.creator("ada").await;
    resend(&app.browser()).await.expect(401);
    let app = app.restart(&["--rate-limit-scale", "1"]).await;
    let ada_here = app.browser();
    ada.log_in(&ada_here).await.expect(200);
    for _ in 0..3 {
        resend(&ada_here).await.expect(204);
    }
    let limited = resend(&ada_here).await.expect(429);
    assert!(!limited.header("retry-after").is_empty());
}

async fn without_a_mail_server_confirmation_is_optional(app: App) {
    let app = app.restart(&["--confirm-addresses", "auto"]).await;
    let ada = app.creator("ada").await;
    let before = me(&ada).await;
    assert_eq!(before["emailConfirmed"], false);
    assert_eq!(before["confirmationRequired"], false);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.share(idea, "full-access", json!({})).await;
    // Confirming is possible all the same.
    let link = format!("{}/confirm-email/", app.origin());
    let token = app
        .mailed(|mail| {
            let mut lines = mail.lines();
            lines.find_map(|line| line.strip_prefix(&link).map(str::to_owned))
        })
        .await;
    confirm_with(&ada, &token).await.expect(200);
    assert_eq!(me(&ada).await["emailConfirmed"], true);
    // `always` applies without a mail server, too.
    let app = app.restart(&["--confirm-addresses", "always"]).await;
    let bob = app.creator("bob").await;
    let idea = bob.idea("Lamp", "<p>Glows</p>").await;
    wants_confirmation(bob.try_share(idea, "full-access", json!({})).await);
}

async fn confirmation_can_be_disabled(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    assert_eq!(me(&ada).await["confirmationRequired"], false);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.share(idea, "full-access", json!({})).await;
    assert_eq!(sink.try_next(), None);
    assert_eq!(me(&ada).await["emailConfirmed"], false);
    confirm(&app, &sink, &ada).await;
    assert_eq!(me(&ada).await["emailConfirmed"], true);
}

/// Returns the token of the reset mail, and skips other mails.
fn reset_token(app: &App, sink: &SmtpSink) -> String {
    loop {
        let mail = sink.next();
        if mail.header("Subject") == Some("Your request to change your IdeaVault password") {
            let link = format!("{}/reset-password/", app.origin());
            return mail.line_after(&link).to_owned();
        }
    }
}

async fn resetting_an_unconfirmed_account_takes_it_over(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    // Another person registers with Ada's address, which locks her out.
    let mallory = app.creator("ada").await;
    mallory.idea("Trap", "<p>Not hers</p>").await;
    Authenticator::set_up(&mallory, mallory.password, app.now()).await;

    let ada = app.browser();
    let forgotten = json!({ "email": mallory.email });
    ada.post("/api/auth/forgot-password", forgotten)
        .await
        .expect(200);
    let token = reset_token(&app, &sink);
    let reset = json!({ "token": token, "newPassword": "a horse of my own" });
    let answer = ada.post("/api/auth/reset-password", reset).await;
    let expected = json!({ "success": true, "unprovenIdeas": true });
    assert_eq!(answer.expect(200).json(), expected);
    let mail = sink.next();
    for text in [
        "Two-step sign-in, which was on, was turned off",
        "were kept",
    ] {
        assert!(mail.text.contains(text), "{text}: {}", mail.text);
    }

    mallory.get("/api/auth/me").await.expect(401);
    let login = json!({ "email": mallory.email, "password": "a horse of my own" });
    ada.post("/api/auth/login", login).await.expect(200);
    assert_eq!(me(&ada).await["emailConfirmed"], true);
    let totp = ada.get("/api/auth/totp").await.expect(200).json();
    assert_eq!(totp["enabled"], false);
    assert_eq!(ada.list("/api/ideas").await[0]["title"], "Trap");
}

async fn a_reset_offers_to_turn_off_a_second_step_of_the_first_two_weeks(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let (early, late) = (app.creator("ada").await, app.creator("bob").await);
    confirm(&app, &sink, &early).await;
    confirm(&app, &sink, &late).await;
    Authenticator::set_up(&early, early.password, app.now()).await;
    app.advance_past_mails(Duration::days(14)).await;
    let late_again = app.browser();
    late.log_in(&late_again).await.expect(200);
    Authenticator::set_up(&late_again, late.password, app.now()).await;
    for (account, is_removable) in [(&early, true), (&late, false)] {
        let browser = app.browser();
        let forgotten = json!({ "email": account.email });
        browser
            .post("/api/auth/forgot-password", forgotten)
            .await
            .expect(200);
        let token = reset_token(&app, &sink);
        let seen = browser
            .post("/api/auth/reset-password/look", json!({ "token": token }))
            .await;
        let expected = json!({ "twoFactorRemovable": is_removable });
        assert_eq!(seen.expect(200).json(), expected);
        let reset = json!({
            "token": token,
            "newPassword": "a horse of my own",
            "removeTwoFactor": true,
        });
        browser
            .post("/api/auth/reset-password", reset)
            .await
            .expect(200);
        let login = json!({ "email": account.email, "password": "a horse of my own" });
        let answer = browser.post("/api/auth/login", login).await;
        answer.expect(if is_removable { 200 } else { 401 });
    }
    for dead in ["x", &"A".repeat(43)] {
        let seen = app
            .browser()
            .post("/api/auth/reset-password/look", json!({ "token": dead }))
            .await;
        let expected = json!({ "twoFactorRemovable": false });
        assert_eq!(seen.expect(200).json(), expected);
    }
}

async fn the_owner_is_notified_of_repeated_registrations_three_times_a_day(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let register = async || {
        let account = json!({ "name": "Eve", "email": ada.email, "password": "secret" });
        let answer = app.browser().post("/api/auth/register", account).await;
        let message = answer.expect(409).json()["message"].clone();
        assert_eq!(message, "An account with this email address already exists");
    };
    for _ in 0..3 {
        for _ in 0..3 {
            register().await;
        }
        let mail = sink.next();
        assert_eq!(mail.to, [ada.email.as_str()]);
        let subject = "You already have an IdeaVault account";
        assert_eq!(mail.header("Subject"), Some(subject));
        assert!(!mail.text.contains("Eve"), "{}", mail.text);
        app.advance_past_mails(Duration::hours(8)).await;
    }
    assert_eq!(sink.try_next(), None);
}
