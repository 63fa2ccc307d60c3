//! Notices to owners: by mail, grouped and as configured, and on the page.

use chrono::Duration;
use ideavault_mail::testing::{ReceivedMail, SmtpSink};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{App, Creator, Link, Visitor};

on_both_databases!(
    events_on_a_link_are_mailed_together_without_content,
    the_owner_is_notified_of_a_used_up_or_ending_link,
    the_owner_is_notified_once_of_repeated_refusals,
    mails_follow_the_modes_of_account_and_link,
    a_daily_mail_covers_all_links,
    an_unsubscribe_token_works_without_a_login_and_for_nothing_else,
    revoked_links_and_deleted_ideas_send_no_mail,
    withdrawn_comments_are_not_mailed,
    two_servers_mail_each_notice_once,
    notices_are_private_and_marked_as_read_up_to_a_time,
    invalid_settings_are_refused,
);

async fn comment(visitor: &Visitor, recipient: &str, text: &str) {
    let body = json!({ "recipientId": recipient, "content": text });
    visitor.post("/api/comments", body).await.expect(201);
}

async fn notices(ada: &Creator) -> Vec<Value> {
    let answer = ada.get("/api/notices").await.expect(200);
    answer.json().as_array().unwrap().clone()
}

async fn set_mode(ada: &Creator, mode: &str) {
    let body = json!({ "mode": mode });
    let answer = ada
        .put("/api/profile/notifications", body)
        .await
        .expect(200);
    assert_eq!(answer.json(), json!({ "mode": mode }));
}

async fn set_link_mode(ada: &Creator, link: &Link, mode: Value) {
    let path = format!("/api/shares/{}/notifications", link.id);
    ada.put(&path, json!({ "mode": mode })).await.expect(200);
}

/// Past the time in which notices are grouped.
fn later(app: &App) {
    app.advance(Duration::seconds(25));
}

#[track_caller]
fn tells(mail: &ReceivedMail, to: &Creator, lines: &[&str]) {
    assert_eq!(mail.to, [to.email.as_str()]);
    for line in lines {
        assert!(mail.text.contains(line), "{line}: {}", mail.text);
    }
}

/// A newer notice to another owner, whose mail shows that none of the earlier notices was
/// mailed.
async fn nothing_comes_before_a_later_one(app: &App, sink: &SmtpSink, name: &str) {
    let bob = app.creator(name).await;
    let idea = bob.idea("Teapot", "<p>Pours</p>").await;
    let link = bob.share(idea, "full-access", json!({})).await;
    app.visitor().agree(&link).await;
    later(app);
    tells(&sink.next(), &bob, &["Teapot"]);
    assert_eq!(sink.try_next(), None);
}

async fn events_on_a_link_are_mailed_together_without_content(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>CANARY</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    app.advance(Duration::seconds(10));
    vera.read(&link).await;
    comment(&vera, &recipient, "CANARY two").await;
    comment(&vera, &recipient, "CANARY three").await;
    app.advance(Duration::seconds(15));

    let mail = sink.next();
    tells(
        &mail,
        &ada,
        &[
            "    \"Kettle\"",
            "  \"Vera\" accepted the non-disclosure agreement.",
            "  \"Vera\" opened the idea for the first time.",
            "  \"Vera\" left 2 comments.",
            &format!("\n{}/share/{idea}\n", app.origin()),
        ],
    );
    assert_eq!(
        mail.header("Subject"),
        Some("Vera agreed to your NDA for \"Kettle\", and 2 more events")
    );
    assert!(!mail.text.contains("CANARY"), "{}", mail.text);
    // Another view, or agreeing twice, makes no notice.
    vera.accept(&recipient).await.expect(200);
    app.advance_past_mails(Duration::hours(1)).await;
    vera.read(&link).await;
    comment(&vera, &recipient, "Four").await;
    later(&app);
    let mail = sink.next();
    tells(&mail, &ada, &["\"Vera\" left a comment."]);
    assert_eq!(mail.header("Subject"), Some("Vera commented on \"Kettle\""));
    assert!(!mail.text.contains("opened the idea"), "{}", mail.text);
    let named = json!({ "name": "Spring fair" });
    let path = format!("/api/shares/{}", link.id);
    ada.put(&path, named).await.expect(204);
    comment(&vera, &recipient, "Five").await;
    later(&app);
    let mail = sink.next();
    tells(&mail, &ada, &["Full-access link: \"Spring fair\""]);
    let subject = "Vera commented on \"Kettle\" (link \"Spring fair\")";
    assert_eq!(mail.header("Subject"), Some(subject));
    assert_eq!(notices(&ada).await[0]["shareName"], "Spring fair");
    assert_eq!(sink.try_next(), None);
}

async fn the_owner_is_notified_of_a_used_up_or_ending_link(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "one-time", json!({ "maxViews": 2 })).await;
    for ending in [
        "The link has one view left, of 2.",
        "All 2 views of the link have been used.",
    ] {
        let reader = app.visitor();
        reader.agree(&link).await;
        reader.read(&link).await;
        later(&app);
        tells(&sink.next(), &ada, &["opened the idea", ending]);
    }
    // Seven days, the last of which begins.
    ada.share(idea, "time-dependent", json!({})).await;
    app.advance_past_mails(Duration::days(6) + Duration::minutes(1))
        .await;
    ada.log_in(&ada).await.expect(200);
    // Noticed first, and mailed after the grouping window.
    let noticed = async {
        while notices(&ada).await[0]["kind"] != "ending-soon" {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let noticed = tokio::time::timeout(std::time::Duration::from_secs(180), noticed);
    noticed.await.unwrap();
    later(&app);
    let mail = sink.next();
    tells(&mail, &ada, &["The link ends on "]);
    let subject = mail.header("Subject").unwrap();
    let ends = subject.strip_prefix("Your link to \"Kettle\" ends on ");
    assert!(ends.is_some_and(|end| end.ends_with(" UTC")), "{subject}");
    assert_eq!(sink.try_next(), None);
}

async fn the_owner_is_notified_once_of_repeated_refusals(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let to = json!({ "recipientEmail": "grace@example.org" });
    let link = ada.share(idea, "email", to).await;
    for _ in 0..3 {
        let stranger = app.visitor();
        stranger.open(&link).await.expect(200);
        stranger
            .try_register(&link, "eve@example.org")
            .await
            .expect(403);
    }
    let told = notices(&ada).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["kind"], "wrong-address");
    assert_eq!(told[0]["count"], 3);
    assert_eq!(told[0]["recipientName"], Value::Null);

    // A reader who has agreed comes back to a link that ended by itself.
    let once = ada.share(idea, "one-time", json!({})).await;
    let vera = app.visitor();
    vera.agree(&once).await;
    vera.read(&once).await;
    app.advance_past_mails(Duration::hours(2)).await;
    vera.open(&once).await.expect(410);
    vera.open(&once).await.expect(410);
    let told = notices(&ada).await;
    assert_eq!(told[0]["kind"], "refused");
    assert_eq!(
        (&told[0]["recipientName"], &told[0]["count"]),
        (&json!("Vera"), &json!(2))
    );
    // A stranger's lookup of it, or of a revoked one, makes no notice.
    app.visitor().open(&once).await.expect(404);
    let path = format!("/api/shares/{}", once.id);
    ada.delete(&path).await.expect(204);
    vera.open(&once).await.expect(410);
    assert_eq!(notices(&ada).await, told);
}

async fn mails_follow_the_modes_of_account_and_link(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let silent = ada.share(idea, "full-access", json!({})).await;
    let loud = ada.share(idea, "full-access", json!({})).await;
    set_mode(&ada, "never").await;
    set_link_mode(&ada, &loud, json!("at-once")).await;
    assert_eq!(ada.look_at(idea, &loud).await["notifications"], "at-once");
    assert_eq!(
        ada.look_at(idea, &silent).await["notifications"],
        Value::Null
    );
    app.visitor().agree(&silent).await;
    app.visitor().agree(&loud).await;
    later(&app);
    let mail = sink.next();
    assert_eq!(
        mail.text.matches("accepted the non-disclosure").count(),
        2,
        "plain and HTML"
    );
    set_link_mode(&ada, &loud, Value::Null).await;
    app.visitor().agree(&loud).await;
    later(&app);
    nothing_comes_before_a_later_one(&app, &sink, "bob").await;
    // The page lists all notices.
    assert_eq!(notices(&ada).await.len(), 3);
    // Notices that were not mailed are not mailed when mails are turned on again.
    set_mode(&ada, "at-once").await;
    nothing_comes_before_a_later_one(&app, &sink, "eve").await;
}

async fn a_daily_mail_covers_all_links(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    // Daily mails are sent at seven: not while the test takes its steps.
    app.advance_to_midnight();
    let ada = app.creator("ada").await;
    set_mode(&ada, "daily").await;
    for title in ["Kettle", "Lamp"] {
        let idea = ada.idea(title, "<p>Waits</p>").await;
        let link = ada.share(idea, "full-access", json!({})).await;
        app.visitor().agree(&link).await;
    }
    later(&app);
    nothing_comes_before_a_later_one(&app, &sink, "bob").await;
    app.advance_past_mails(Duration::hours(24)).await;
    let mail = sink.next();
    tells(&mail, &ada, &["\"Kettle\"", "\"Lamp\""]);
    let subject = Some("Your daily summary: 2 agreed");
    assert_eq!(mail.header("Subject"), subject);
    assert_eq!(sink.try_next(), None);
}

async fn an_unsubscribe_token_works_without_a_login_and_for_nothing_else(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    app.visitor().agree(&link).await;
    later(&app);
    let mail = sink.next();
    assert_eq!(
        mail.header("List-Unsubscribe-Post"),
        Some("List-Unsubscribe=One-Click")
    );
    let shown = mail.line_after(&format!("Stop these emails: {}", app.origin()));
    let token = shown.strip_prefix("/unsubscribe/").unwrap().to_owned();
    let unfolded = mail.text.replace("\n ", " ");
    let header = format!(
        "List-Unsubscribe: <{}/api/unsubscribe/{token}>",
        app.origin()
    );
    assert!(unfolded.contains(&header), "{}", mail.text);

    let nobody = app.browser();
    let path = format!("/api/unsubscribe/{token}");
    let page = nobody.get(&path).await.expect(303);
    assert_eq!(
        page.headers["location"],
        format!("{}/unsubscribe/{token}", app.origin()).as_str()
    );
    let mode = ada.get("/api/profile/notifications").await.expect(200);
    assert_eq!(mode.json()["mode"], "at-once", "looking changes nothing");
    for wrong in [link.token.as_str(), "x"] {
        let wrong = format!("/api/unsubscribe/{wrong}");
        nobody.post(&wrong, json!({})).await.expect(404);
    }
    // The one-click request of a mail program (RFC 8058).
    let stopped = nobody.send_bare(Method::POST, &path, |request| {
        request
            .header("content-type", "application/x-www-form-urlencoded")
            .body("List-Unsubscribe=One-Click")
    });
    let stopped = stopped.await.expect(204);
    assert!(stopped.text().is_empty());
    nobody.get("/api/auth/me").await.expect(401);
    let mode = ada.get("/api/profile/notifications").await.expect(200);
    assert_eq!(mode.json()["mode"], "never");
    app.visitor().agree(&link).await;
    later(&app);
    nothing_comes_before_a_later_one(&app, &sink, "bob").await;
}

async fn revoked_links_and_deleted_ideas_send_no_mail(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let (kettle, lamp) = (
        ada.idea("Kettle", "<p>Waits</p>").await,
        ada.idea("Lamp", "<p>Shines</p>").await,
    );
    let revoked = ada.share(kettle, "full-access", json!({})).await;
    let of_deleted = ada.share(lamp, "full-access", json!({})).await;
    for link in [&revoked, &of_deleted] {
        app.visitor().agree(link).await;
    }
    let path = format!("/api/shares/{}", revoked.id);
    ada.delete(&path).await.expect(204);
    ada.delete(&format!("/api/ideas/{lamp}")).await.expect(204);
    later(&app);
    nothing_comes_before_a_later_one(&app, &sink, "bob").await;
    let told = notices(&ada).await;
    assert_eq!(told.len(), 1, "of the draft nothing is left to tell");
}

async fn withdrawn_comments_are_not_mailed(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    let write = async |text: &str| {
        let body = json!({ "recipientId": recipient, "content": text });
        let comment = vera.post("/api/comments", body).await.expect(201).json();
        comment["id"].as_str().unwrap().to_owned()
    };
    let kept = write("First").await;
    later(&app);
    tells(&sink.next(), &ada, &["\"Vera\" left a comment."]);

    let path = |comment: &str| format!("/api/comments/{comment}");
    let comment = write("Second").await;
    vera.delete(&path(&comment)).await.expect(200);
    vera.delete(&path(&comment)).await.expect(200);
    let reply = json!({ "ideaId": idea, "replyTo": kept, "content": "Never mind" });
    let reply = ada.post("/api/comments", reply).await.expect(201).json();
    ada.delete(&path(reply["id"].as_str().unwrap()))
        .await
        .expect(200);
    later(&app);
    nothing_comes_before_a_later_one(&app, &sink, "bob").await;

    let comment = write("Third").await;
    write("Fourth").await;
    vera.delete(&path(&comment)).await.expect(200);
    later(&app);
    tells(&sink.next(), &ada, &["\"Vera\" left a comment."]);
}

async fn two_servers_mail_each_notice_once(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let _second = app.another_mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let mut told = Vec::new();
    for number in 0..6 {
        let title = format!("Kettle {number}");
        let idea = ada.idea(&title, "<p>Waits</p>").await;
        let link = ada.share(idea, "full-access", json!({})).await;
        app.visitor().agree(&link).await;
        told.push(format!("Vera agreed to your NDA for \"{title}\""));
    }
    later(&app);
    let mut subjects: Vec<_> = (0..6)
        .map(|_| sink.next().header("Subject").unwrap().to_owned())
        .collect();
    subjects.sort();
    assert_eq!(subjects, told);
    nothing_comes_before_a_later_one(&app, &sink, "bob").await;
}

async fn notices_are_private_and_marked_as_read_up_to_a_time(app: App) {
    let (ada, eve) = (app.creator("ada").await, app.creator("eve").await);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    app.advance(Duration::seconds(1));
    vera.read(&link).await;
    let told = notices(&ada).await;
    let kinds: Vec<_> = told.iter().map(|notice| &notice["kind"]).collect();
    assert_eq!(kinds, ["first-read", "agreed"]);
    assert_eq!(told[0]["ideaTitle"], "Kettle");
    assert_eq!(told[0]["ideaId"], idea);
    assert_eq!(told[0]["shareId"], link.id);
    assert_eq!(told[0]["recipientName"], "Vera");
    assert_eq!(notices(&eve).await, Vec::<Value>::new());

    let unread = async |creator: &Creator| {
        let answer = creator.get("/api/notices/unread").await.expect(200);
        answer.json()["unread"].as_i64().unwrap()
    };
    assert_eq!((unread(&ada).await, unread(&eve).await), (2, 0));
    let read = |at: &Value| json!({ "upTo": at });
    // Notices cannot be marked as read by others, or ahead of time.
    eve.post("/api/notices/read", read(&told[0]["at"]))
        .await
        .expect(204);
    assert_eq!(unread(&ada).await, 2);
    ada.post("/api/notices/read", read(&told[1]["at"]))
        .await
        .expect(204);
    assert_eq!(unread(&ada).await, 1);
    let read_by_now = |told: &[Value]| told.iter().map(|it| it["read"].clone()).collect::<Vec<_>>();
    assert_eq!(read_by_now(&notices(&ada).await), [false, true]);
    ada.post(
        "/api/notices/read",
        json!({ "upTo": "2999-01-01T00:00:00Z" }),
    )
    .await
    .expect(204);
    assert_eq!(unread(&ada).await, 0);
    app.advance(Duration::seconds(1));
    app.visitor().agree(&link).await;
    assert_eq!(unread(&ada).await, 1);
    ada.post("/api/notices/read", json!({ "upTo": "yesterday" }))
        .await
        .refuses("upTo");
}

async fn invalid_settings_are_refused(app: App) {
    let (ada, eve) = (app.creator("ada").await, app.creator("eve").await);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let path = format!("/api/shares/{}/notifications", link.id);
    eve.put(&path, json!({ "mode": "never" })).await.expect(404);
    ada.put(&path, json!({ "mode": "weekly" }))
        .await
        .refuses("mode");
    ada.put("/api/profile/notifications", json!({ "mode": "weekly" }))
        .await
        .refuses("mode");
    assert_eq!(ada.look_at(idea, &link).await["notifications"], Value::Null);
}
