//! Requests whose session is ended between head and body. The session was valid when the
//! head was checked, and has to be checked again before anything is changed.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration as Wait;

use chrono::{DateTime, Duration, FixedOffset};
use ideavault_mail::testing::SmtpSink;
use serde_json::{Value, json};

use crate::audit::kinds;
use crate::harness::{App, Authenticator, Browser, Creator};
use crate::passwords::{NEW, ask, change, log_in, reset};
use crate::two_factors::{set_up, status};

on_both_databases!(
    a_confirmation_overtaken_by_a_reset_does_not_enable_two_factor,
    pending_requests_of_an_ended_session_set_up_and_change_nothing,
    pending_requests_of_an_ended_session_do_not_disable_two_factor,
);

/// A request that the server has received except for its body.
struct Held {
    stream: TcpStream,
    body: String,
}

impl Held {
    fn send(browser: &Browser, app: &App, request: &str, body: &Value) -> Self {
        let body = body.to_string();
        let head = format!(
            "{request} HTTP/1.1\r\nHost: vault\r\nCookie: {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            browser.cookie_header(),
            body.len(),
        );
        let mut stream = TcpStream::connect(app.address()).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        Self { stream, body }
    }

    fn must_be_refused(mut self) {
        self.stream.write_all(self.body.as_bytes()).unwrap();
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        assert!(!answer.contains("ideavault="), "{answer}");
    }
}

/// Another person who has signed in to `ada`'s account.
async fn thief(app: &App, ada: &Creator) -> Browser {
    let browser = app.browser();
    ada.log_in(&browser).await.expect(200);
    browser
}

/// Advances the clock until the next request of each session is recorded.
fn later(app: &App) {
    app.advance(Duration::minutes(6));
}

/// Waits until all sessions of the account were used since [`later`].
async fn until_let_in(app: &App, ada: &Creator) {
    let since = app.now() - Duration::minutes(3);
    let looking = async {
        loop {
            let sessions = ada.get("/api/auth/sessions").await.expect(200).json();
            let mut sessions = sessions.as_array().unwrap().iter();
            if sessions.all(|session| last_seen(session) > since) {
                return;
            }
        }
    };
    let patience = Wait::from_secs(180);
    tokio::time::timeout(patience, looking).await.unwrap();
}

fn last_seen(session: &Value) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(session["lastSeenAt"].as_str().unwrap()).unwrap()
}

async fn a_confirmation_overtaken_by_a_reset_does_not_enable_two_factor(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let thief = thief(&app, &ada).await;
    let password = json!({ "currentPassword": ada.password });
    let setup = thief.post("/api/auth/totp", password).await.expect(200);
    let phone = Authenticator::new(setup.json()["secret"].as_str().unwrap());
    later(&app);
    let token = ask(&app, &sink, &ada).await;
    let code = json!({ "code": phone.shows(app.now()) });
    let confirmation = Held::send(&thief, &app, "PUT /api/auth/totp", &code);
    until_let_in(&app, &ada).await;

    reset(&ada, &token, NEW).await.expect(200);
    confirmation.must_be_refused();

    thief.get("/api/auth/me").await.expect(401);
    assert_eq!(log_in(&ada, &ada.email, NEW).await, 200);
    assert_eq!(status(&ada).await["enabled"], false);
    assert!(!kinds(&app).contains(&"second-factor-on".to_owned()));
}

async fn pending_requests_of_an_ended_session_set_up_and_change_nothing(app: App) {
    let ada = app.creator("ada").await;
    let setup = ada.post("/api/auth/totp", json!({ "currentPassword": ada.password }));
    let phone = Authenticator::new(setup.await.expect(200).json()["secret"].as_str().unwrap());
    let thieves = [thief(&app, &ada).await, thief(&app, &ada).await];
    later(&app);
    // The password stays the same, so that only the session is invalid.
    let begin = json!({ "currentPassword": ada.password });
    let other = change(ada.password, NEW, NEW);
    let held = [
        Held::send(&thieves[0], &app, "POST /api/auth/totp", &begin),
        Held::send(&thieves[1], &app, "POST /api/auth/change-password", &other),
    ];
    until_let_in(&app, &ada).await;

    ada.delete("/api/auth/sessions").await.expect(204);
    held.into_iter().for_each(Held::must_be_refused);

    ada.get("/api/auth/me").await.expect(200);
    ada.log_in(&app.browser()).await.expect(200);
    // The secret was not replaced either.
    let code = json!({ "code": phone.shows(app.now()) });
    ada.put("/api/auth/totp", code).await.expect(200);
}

async fn pending_requests_of_an_ended_session_do_not_disable_two_factor(app: App) {
    let ada = app.creator("ada").await;
    let (_, codes) = set_up(&app, &ada).await;
    let thieves = [app.browser(), app.browser()];
    for (thief, code) in thieves.iter().zip(&codes) {
        let form = json!({ "email": ada.email, "password": ada.password, "code": code });
        thief.post("/api/auth/login", form).await.expect(200);
    }
    later(&app);
    let password = json!({ "currentPassword": ada.password });
    let held = [
        Held::send(
            &thieves[0],
            &app,
            "POST /api/auth/totp/recovery-codes",
            &password,
        ),
        Held::send(&thieves[1], &app, "DELETE /api/auth/totp", &password),
    ];
    until_let_in(&app, &ada).await;

    ada.delete("/api/auth/sessions").await.expect(204);
    held.into_iter().for_each(Held::must_be_refused);

    let untouched = json!({ "enabled": true, "recoveryCodesLeft": 8 });
    assert_eq!(status(&ada).await, untouched);
}
