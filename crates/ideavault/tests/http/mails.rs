//! Mails: their content, and that each of them is delivered once.

use std::fs;
use std::path::Path;
use std::time::Duration as Wait;

use chrono::Duration;
use ideavault_mail::testing::SmtpSink;
use serde_json::{Value, json};

use crate::audit::recorded;
use crate::commands::{run, stdout};
use crate::confirmations::confirm;
use crate::harness::{App, Creator, Link};

on_both_databases!(
    an_email_share_invites_its_recipient,
    an_invitation_has_a_message_and_an_address_for_answers_if_its_creator_says_so,
    other_link_types_send_no_mail,
    a_refused_share_sends_no_invitation,
    names_and_titles_cannot_inject_headers,
    mails_are_written_to_files_without_a_mail_server,
    a_mail_server_outage_fails_no_request_and_loses_no_mail,
    a_temporarily_refused_mail_is_retried,
    a_permanently_refused_mail_is_not_retried,
    two_servers_send_each_mail_once,
    waiting_mails_are_listed_without_addresses,
);

async fn invite(ada: &Creator, idea: i64, email: &str) -> Link {
    ada.share(idea, "email", json!({ "recipientEmail": email }))
        .await
}

async fn an_email_share_invites_its_recipient(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("Ada Lovelace").await;
    let idea = ada.idea("A kettle that waits", "<p>CANARY</p>").await;
    let link = invite(&ada, idea, " Grace@Example.org ").await;

    let mail = sink.next();
    assert_eq!(mail.from, "vault@example.org");
    assert_eq!(mail.to, ["grace@example.org"]);
    assert_eq!(
        mail.header("Subject"),
        Some("Ada Lovelace would like to show you an idea: \"A kettle that waits\"")
    );
    assert!(!mail.text.contains("CANARY"));
    let token = mail.line_after(&format!("{}/view/", app.origin()));
    assert_eq!(token, link.token);
    app.visitor().open(&link).await.expect(200);
}

async fn an_invitation_has_a_message_and_an_address_for_answers_if_its_creator_says_so(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let to = |more: Value| {
        let mut body = json!({ "recipientEmail": "grace@example.org" });
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        body
    };
    ada.share(idea, "email", to(json!({}))).await;
    assert_eq!(sink.next().header("Reply-To"), None);

    let answers = to(json!({ "replyToMe": true }));
    ada.try_share(idea, "email", answers).await.expect(403);
    confirm(&app, &sink, &ada).await;
    let with = to(json!({ "message": "As promised.\r\nBcc: nobody", "replyToMe": true }));
    ada.share(idea, "email", with).await;
    let mail = sink.next();
    assert_eq!(mail.header("Reply-To"), Some(ada.email.as_str()));
    assert_eq!(mail.header("Bcc"), None);
    assert_eq!(mail.line_after("    \"As promised."), " Bcc: nobody\"");

    for message in ["See evil.example", "a@b.example", &"x".repeat(301)] {
        ada.try_share(idea, "email", to(json!({ "message": message })))
            .await
            .refuses("message");
    }
    for (field, value) in [("message", json!("Hello")), ("replyToMe", json!(true))] {
        ada.try_share(idea, "full-access", json!({ field: value }))
            .await
            .refuses(field);
    }
    let other = json!({ "recipientEmail": "vera@example.org" });
    ada.share(idea, "email", other).await;
    assert_eq!(sink.next().to, ["vera@example.org"]);
}

async fn other_link_types_send_no_mail(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    for share_type in ["one-time", "time-dependent", "full-access"] {
        ada.share(idea, share_type, json!({})).await;
    }
    invite(&ada, idea, "grace@example.org").await;
    // Mails are delivered in the order in which they were queued.
    assert_eq!(sink.next().to, ["grace@example.org"]);
    assert_eq!(sink.try_next(), None);
}

async fn a_refused_share_sends_no_invitation(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let (ada, eve) = (app.creator("ada").await, app.creator("eve").await);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let to = |email: &str| json!({ "recipientEmail": email });
    eve.try_share(idea, "email", to("victim@example.org"))
        .await
        .expect(404);
    for email in ["", "nobody", "a@example.org,b@example.org"] {
        ada.try_share(idea, "email", to(email))
            .await
            .refuses("recipientEmail");
    }
    invite(&ada, idea, "grace@example.org").await;
    assert_eq!(sink.next().to, ["grace@example.org"]);
    assert_eq!(sink.try_next(), None);
}

async fn names_and_titles_cannot_inject_headers(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    for title in [
        "Bcc: eve@example.org",
        "=?utf-8?q?x=0D=0ABcc:_eve@example.org?=",
        &"Grüße 🫖 Bcc: eve@example.org ".repeat(6),
        "x\u{2028}Bcc: eve@example.org",
    ] {
        let idea = json!({ "title": title, "content": "<p>Waits</p>" });
        let answer = ada.post("/api/ideas", idea).await;
        let Some(idea) = answer.json()["id"].as_i64() else {
            answer.refuses("title");
            continue;
        };
        invite(&ada, idea, "grace@example.org").await;
        let mail = sink.next();
        assert_eq!(mail.to, ["grace@example.org"]);
        assert_eq!(mail.header("Bcc"), None, "{}", mail.text);
    }
}

/// Waits until the outbox holds a mail, and reads all.
async fn files(data_dir: &Path) -> Vec<String> {
    let looking = async {
        let mut looks = tokio::time::interval(Wait::from_millis(20));
        loop {
            looks.tick().await;
            let entries = fs::read_dir(data_dir.join("outbox")).into_iter().flatten();
            let mails: Vec<_> = entries
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|kind| kind == "eml"))
                .map(|mail| fs::read_to_string(mail).unwrap())
                .collect();
            if !mails.is_empty() {
                return mails;
            }
        }
    };
    let found = tokio::time::timeout(Wait::from_secs(180), looking).await;
    found.unwrap()
}

async fn mails_are_written_to_files_without_a_mail_server(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Grüße", "<p>Waits</p>").await;
    let link = invite(&ada, idea, "grace@example.org").await;
    let mails = files(app.data_dir()).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].contains("\r\nTo: grace@example.org\r\n"));
    let url = format!("\r\n{}/view/{}\r\n", app.origin(), link.token);
    assert!(mails[0].contains(&url), "{}", mails[0]);
}

async fn a_mail_server_outage_fails_no_request_and_loses_no_mail(app: App) {
    // Nothing listens on port 1.
    let options = [
        "--smtp-url",
        "smtp://127.0.0.1:1",
        "--mail-from",
        "vault@example.org",
    ];
    let app = app.restart(&options).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    for number in 0..3 {
        invite(&ada, idea, &format!("grace{number}@example.org")).await;
    }

    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    // Past any backoff, and past the lease of an interrupted attempt.
    app.advance(Duration::minutes(16));
    let mut to: Vec<_> = (0..3).flat_map(|_| sink.next().to).collect();
    to.sort();
    let all: Vec<_> = (0..3).map(|n| format!("grace{n}@example.org")).collect();
    assert_eq!(to, all);
    assert_eq!(sink.try_next(), None);
}

async fn a_temporarily_refused_mail_is_retried(app: App) {
    let busy = SmtpSink::answering("451 later");
    let app = app.mailing_to(&busy).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    invite(&ada, idea, "grace@example.org").await;
    assert_eq!(busy.next_refused(), "grace@example.org");
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    app.advance(Duration::minutes(16));
    let mail = sink.next();
    assert_eq!(mail.to, ["grace@example.org"]);
}

async fn a_permanently_refused_mail_is_not_retried(app: App) {
    let strict = SmtpSink::answering("550 5.1.1 no such mailbox");
    let app = app.mailing_to(&strict).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    invite(&ada, idea, "nobody@example.org").await;
    assert_eq!(strict.next_refused(), "nobody@example.org");
    // The operator sees whose mail it was.
    let entry = recorded(&app, "mail-given-up").await;
    assert_eq!(entry[2], ada.get("/api/auth/me").await.json()["id"]);
    let why = "mail link: the recipient was refused: the mail server replied with status 550: \
               5.1.1 no such mailbox";
    assert_eq!(entry[3], why);
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    app.advance(Duration::minutes(16));
    let bob = app.creator("bob").await;
    let idea = bob.idea("Teapot", "<p>Pours</p>").await;
    invite(&bob, idea, "grace@example.org").await;
    assert_eq!(sink.next().to, ["grace@example.org"]);
    assert_eq!(sink.try_next(), None);
}

async fn two_servers_send_each_mail_once(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let _second = app.another_mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let mut invited = Vec::new();
    for number in 0..12 {
        let email = format!("grace{number:02}@example.org");
        invite(&ada, idea, &email).await;
        invited.push(email);
    }
    let mut to: Vec<_> = (0..12).flat_map(|_| sink.next().to).collect();
    to.sort();
    assert_eq!(to, invited);
    assert_eq!(sink.try_next(), None);
}

async fn waiting_mails_are_listed_without_addresses(app: App) {
    let none = stdout(&run(&app, &["mails"]));
    assert_eq!(none, "No mail waits.\n");
    let busy = SmtpSink::answering("451 later");
    let app = app.mailing_to(&busy).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    invite(&ada, idea, "grace@example.org").await;
    assert_eq!(busy.next_refused(), "grace@example.org");
    let listed = stdout(&run(&app, &["mails"]));
    let line = listed.lines().find(|line| line.contains(" link "));
    let line = line.unwrap_or_else(|| panic!("{listed}"));
    let id = ada.get("/api/auth/me").await.json()["id"].clone();
    assert!(line.contains(id.as_str().unwrap()), "{listed}");
    assert!(!listed.contains("example.org"), "{listed}");
}
