//! The waitlist, and who may register.

use ideavault_mail::testing::SmtpSink;
use serde_json::json;

use crate::commands::{run, stdout};
use crate::harness::{Answer, App};

on_both_databases!(
    the_waitlist_takes_everybody_once_and_answers_all_alike,
    the_waitlist_refuses_what_the_form_refuses,
    by_invitation_only_invited_people_register,
    while_registration_is_closed_nobody_registers,
    an_invitation_is_mailed_with_the_way_to_register,
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

async fn the_waitlist_takes_everybody_once_and_answers_all_alike(app: App) {
    let first = join(&app, "Ada", "ada@example.org", "Poet").await;
    let again = join(&app, "Eve", " ADA@Example.org ", "Thief").await;
    assert_eq!(first.status, 200);
    assert_eq!(first.json(), json!({ "success": true }));
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    let list = stdout(&run(&app, &["waitlist", "list"]));
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(list.contains("Ada  ") && !list.contains("Eve"), "{list}");
}

async fn the_waitlist_refuses_what_the_form_refuses(app: App) {
    for (name, email, profession, field, message) in [
        ("", "ada@example.org", "Poet", "name", "Name is required"),
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

async fn by_invitation_only_invited_people_register(app: App) {
    let app = app.restart(&["--registration", "invite"]).await;
    let refused = register(&app, "grace@example.org").await.expect(403);
    let message = refused.json()["message"].clone();
    assert!(message.as_str().unwrap().contains("by invitation only"));
    stdout(&run(&app, &["invite", " Grace@Example.org "]));
    register(&app, "eve@example.org").await.expect(403);
    register(&app, "GRACE@example.org").await.expect(201);
    register(&app, "grace@example.org").await.expect(409);
}

async fn while_registration_is_closed_nobody_registers(app: App) {
    let ada = app.creator("ada").await;
    stdout(&run(&app, &["invite", "grace@example.org"]));
    let app = app.restart(&["--registration", "closed"]).await;
    register(&app, "grace@example.org").await.expect(403);
    register(&app, "not an address").await.expect(403);
    ada.log_in(&app.browser()).await.expect(200);
}

async fn an_invitation_is_mailed_with_the_way_to_register(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    stdout(&run(&app, &["invite", "grace@example.org"]));
    let mail = sink.next();
    assert_eq!(mail.to, ["grace@example.org"]);
    assert_eq!(mail.line_after(&format!("{}/register", app.origin())), "");
    // Who asks for it again gets it again.
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
