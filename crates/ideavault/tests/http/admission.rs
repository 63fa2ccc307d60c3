//! The waitlist, and registration by invitation.

use chrono::Duration;
use ideavault_mail::testing::SmtpSink;
use serde_json::json;

use crate::commands::{run, stdout};
use crate::harness::{Answer, App};

on_both_databases!(
    the_waitlist_adds_an_address_once_and_always_responds_equally,
    the_waitlist_validates_its_fields,
    registration_by_invitation_admits_only_invited_addresses,
    concurrent_registrations_use_an_invitation_once,
    an_invitation_expires_and_is_replaced_by_the_next,
    closed_registration_refuses_everyone,
    an_invitation_mail_contains_the_registration_link,
    two_servers_announce_an_invitation_once,
);

async fn join(app: &App, name: &str, email: &str, profession: &str) -> Answer {
    let body = json!({ "name": name, "email": email, "profession": profession });
    app.browser().post("/api/waitlist", body).await
}

async fn register(app: &App, email: &str) -> Answer {
    let account = json!({ "name": "Grace", "email": email, "password": "secret" });
    app.browser().post("/api/auth/register", account).await
}

async fn the_waitlist_adds_an_address_once_and_always_responds_equally(app: App) {
    let first = join(&app, "Ada", "ada@example.org", "Poet").await;
    let again = join(&app, "Eve", " ADA@Example.org ", "Thief").await;
    assert_eq!(first.status, 200);
    assert_eq!(first.json(), json!({ "success": true }));
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    let list = stdout(&run(&app, &["waitlist", "list"]));
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(list.contains("Ada  ") && !list.contains("Eve"), "{list}");
}

async fn the_waitlist_validates_its_fields(app: App) {
    for (name, email, profession, field, message) in [
        ("", "ada@example.org", "Poet", "name", "Name is required"),
        (
            "王",
            "ada@example.org",
            "Poet",
            "name",
            "Name must be at least 2 characters",
        ),
        ("Ada", "", "Poet", "email", "Please enter a valid email"),
        ("Ada", "ada@", "Poet", "email", "Please enter a valid email"),
        (
            "Ada",
            "ada@example.org",
            " ",
            "profession",
            "Profession is required",
        ),
    ] {
        let answer = join(&app, name, email, profession).await;
        assert_eq!(answer.refuses(field).json()["message"], message);
    }
    for (name, profession, field) in [
        ("Ada\u{1b}[2J", "Poet", "name"),
        ("Ada", "Poet\r\nx", "profession"),
        (&*"x".repeat(121), "Poet", "name"),
        ("Ada", &"x".repeat(121), "profession"),
    ] {
        join(&app, name, "ada@example.org", profession)
            .await
            .refuses(field);
    }
    let list = stdout(&run(&app, &["waitlist", "list"]));
    assert_eq!(list, "Nobody is on the waitlist.\n");
}

async fn register_with(app: &App, email: &str, token: &str) -> Answer {
    let account = json!({
        "name": "Grace", "email": email, "password": "secret", "invitationToken": token,
    });
    app.browser().post("/api/auth/register", account).await
}

/// Invites that address and returns the token in the mail.
fn invited(app: &App, sink: &SmtpSink, email: &str) -> String {
    stdout(&run(app, &["invite", email]));
    let mail = sink.next();
    assert_eq!(mail.to, [email.to_lowercase()]);
    let link = mail.line_after(&format!("{}/register?invitation=", app.origin()));
    let (token, address) = link.split_once("&email=").unwrap();
    assert_eq!(address, email.to_lowercase().replace('@', "%40"));
    token.to_owned()
}

async fn by_invitation_only(app: App, sink: &SmtpSink) -> App {
    let url = sink.url();
    let options = [
        "--registration",
        "invite",
        "--smtp-url",
        &url,
        "--mail-from",
        "vault@example.org",
        "--confirm-addresses",
        "auto",
    ];
    app.restart(&options).await
}

async fn registration_by_invitation_admits_only_invited_addresses(app: App) {
    let sink = SmtpSink::start();
    let app = by_invitation_only(app, &sink).await;
    let refused = register(&app, "grace@example.org").await.expect(403);
    let message = refused.json()["message"].clone();
    assert!(message.as_str().unwrap().contains("by invitation only"));
    let token = invited(&app, &sink, "Grace@example.org");
    // Neither the address without the link works, nor the link with another address.
    register(&app, "grace@example.org").await.expect(403);
    register_with(&app, "eve@example.org", &token)
        .await
        .expect(403);
    for wrong in ["x", &token.to_uppercase(), &"A".repeat(43)] {
        register_with(&app, "grace@example.org", wrong)
            .await
            .expect(403);
    }
    let grace = register_with(&app, "GRACE@example.org", &token).await;
    assert_eq!(grace.expect(201).json()["emailConfirmed"], true);
    for again in ["grace@example.org", "eve@example.org"] {
        register_with(&app, again, &token).await.expect(403);
    }
    // An invitation confirms the address, so no further confirmation is mailed.
    assert_eq!(sink.try_next(), None);
    let browser = app.browser();
    let login = json!({ "email": "grace@example.org", "password": "secret" });
    browser.post("/api/auth/login", login).await.expect(200);
    let idea = json!({ "title": "Kettle", "content": "<p>Waits</p>" });
    let idea = browser.post("/api/ideas", idea).await.expect(201).json();
    let share = json!({ "ideaId": idea["id"], "shareType": "full-access" });
    browser.post("/api/shares", share).await.expect(201);
}

async fn concurrent_registrations_use_an_invitation_once(app: App) {
    let sink = SmtpSink::start();
    let app = by_invitation_only(app, &sink).await;
    let token = invited(&app, &sink, "grace@example.org");
    let attempts = (0..8).map(|_| register_with(&app, "grace@example.org", &token));
    let answers = futures_util::future::join_all(attempts).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    let made = statuses.iter().filter(|status| **status == 201).count();
    assert_eq!(made, 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 201 | 403)));
}

async fn an_invitation_expires_and_is_replaced_by_the_next(app: App) {
    let sink = SmtpSink::start();
    let app = by_invitation_only(app, &sink).await;
    let former = invited(&app, &sink, "grace@example.org");
    let newest = invited(&app, &sink, "grace@example.org");
    register_with(&app, "grace@example.org", &former)
        .await
        .expect(403);
    app.advance_past_mails(Duration::days(14)).await;
    register_with(&app, "grace@example.org", &newest)
        .await
        .expect(403);
    let another = invited(&app, &sink, "grace@example.org");
    register_with(&app, "grace@example.org", &another)
        .await
        .expect(201);
}

async fn closed_registration_refuses_everyone(app: App) {
    let ada = app.creator("ada").await;
    stdout(&run(&app, &["invite", "grace@example.org"]));
    let app = app.restart(&["--registration", "closed"]).await;
    register(&app, "grace@example.org").await.expect(403);
    register(&app, "not an address").await.expect(403);
    ada.log_in(&app.browser()).await.expect(200);
}

async fn an_invitation_mail_contains_the_registration_link(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    stdout(&run(&app, &["invite", "grace@example.org"]));
    let mail = sink.next();
    assert_eq!(mail.to, ["grace@example.org"]);
    let inviter = format!("You are invited to the IdeaVault at {}.", app.origin());
    assert!(mail.text.contains(&inviter), "{}", mail.text);
    // A repeated command sends another invitation.
    stdout(&run(&app, &["invite", "grace@example.org"]));
    assert_eq!(sink.next().to, mail.to);
}

async fn two_servers_announce_an_invitation_once(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let options = [
        "--smtp-url",
        &sink.url(),
        "--mail-from",
        "vault@example.org",
    ];
    let _second = app.another(&options).await;
    let invited: Vec<_> = (0..6).map(|n| format!("grace{n}@example.org")).collect();
    for email in &invited {
        stdout(&run(&app, &["invite", email]));
    }
    let mut to: Vec<_> = (0..6).flat_map(|_| sink.next().to).collect();
    to.sort();
    assert_eq!(to, invited);
    assert_eq!(sink.try_next(), None);
}
