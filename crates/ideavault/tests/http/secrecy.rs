//! A copy of the database and of the stored files, without the master key, discloses only the
//! values that `docs/security.md` lists as not encrypted.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::Duration;
use ideavault_mail::testing::{ReceivedMail, SmtpSink};
use reqwest::Method;
use serde_json::{Value, json};

use crate::commands::{run, stdout};
use crate::harness::{App, Authenticator, Browser, Creator, Form, Link, pdf, png};

use self::markers::Markers;

pub mod markers;

on_both_databases!(the_database_and_the_files_show_only_what_is_documented);

async fn the_database_and_the_files_show_only_what_is_documented(app: App) {
    let mut markers = Markers::default();
    let UsedVault { app, .. } = &used_vault(app, &mut markers).await;
    let cells = app.cells();
    for table in [
        "outbox_mails",
        "notices",
        "recovery_codes",
        "password_resets",
    ] {
        assert!(cells.iter().any(|cell| cell.table == table), "{table}");
    }
    markers.check_cells(&cells);
    if let Some(database) = app.database_url().strip_prefix("sqlite://") {
        let files = files_in(Path::new(database).parent().unwrap());
        let is_log = |file: &&PathBuf| file.to_str().unwrap().ends_with("-wal");
        let log = files.iter().find(is_log).unwrap();
        assert!(fs::metadata(log).unwrap().len() > 0);
        markers.check_raw(&files, true);
    }
    // Two PDFs, an image and a photo; all files of the data folder are searched.
    assert!(files_in(&app.data_dir().join("files")).len() >= 4);
    markers.check_raw(&files_in(app.data_dir()), false);
}

/// A vault in which people have used everything, with the creator's browser, a draft with links and
/// readers, and a mail server that puts off every mail.
pub struct UsedVault {
    pub app: App,
    pub ada: Browser,
    pub draft: i64,
    _busy: SmtpSink,
}

/// Has people use everything, with the values of `markers`.
pub async fn used_vault(app: App, markers: &mut Markers) -> UsedVault {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    ask_for_admission(&app, &sink, markers).await;
    let ada = sign_up(&app, markers).await;
    let draft = write_ideas(&ada, markers).await;
    for link in share(&ada, draft, markers).await {
        read_and_comment(&app, &sink, &ada, draft, &link, markers).await;
    }
    // The address in a notice's mail stops further ones.
    app.advance(Duration::seconds(60));
    let stop = format!("Stop these emails: {}/unsubscribe/", app.origin());
    let notice = mail_that(&sink, |mail| mail.text.contains(&stop));
    markers.token(notice.line_after(&stop));
    let ada = secure_the_account(&app, &sink, &ada, markers).await;
    leave_mails_waiting(app, &ada, draft, markers).await
}

/// The waitlist and an invitation.
async fn ask_for_admission(app: &App, sink: &SmtpSink, markers: &mut Markers) {
    let waiting = json!({
        "name": markers.clear("Zqwaiting Name", &[("waitlist", "name")]),
        "email": markers.clear("zqwaiting@example.org", &[("waitlist", "email")]),
        "profession": markers.clear("Zqprofession", &[("waitlist", "profession")]),
    });
    app.browser()
        .post("/api/waitlist", waiting)
        .await
        .expect(200);
    let invited = markers.clear("zqinvited@example.org", &[("invitations", "email")]);
    stdout(&run(app, &["invite", &invited]));
    let mail = mail_that(sink, |mail| mail.to == [invited.as_str()]);
    let link = mail.line_after(&format!("{}/register?invitation=", app.origin()));
    let (token, _) = link.split_once('&').unwrap();
    markers.token(token);
}

/// An account with a photo, and a login from a browser that names itself.
async fn sign_up(app: &App, markers: &mut Markers) -> Creator {
    let name = markers.clear("Zqcreator Name", &[("users", "name")]);
    let ada = app.creator(&name).await;
    markers.clear(&*ada.email, &[("users", "email")]);
    markers.secret(ada.password);
    let photo = markers.secret("zqphoto.png");
    let form = Form::default().file("image", &photo, "image/png", &png());
    let profile = ada.upload("/api/profile/image", &form).await.expect(200);
    let photo = profile.json()["profileImage"].as_str().unwrap().to_owned();
    markers.clear(photo, &[("users", "profile_image")]);
    ada
}

/// Ideas of all kinds: a draft with an earlier revision, published ones, and one that was
/// deleted. Returns the draft.
async fn write_ideas(ada: &Creator, markers: &mut Markers) -> i64 {
    let image = markers.secret("zqasset.png");
    let image = ada.image(&image, &png()).await;
    let first = markers.secret("zqfirstcontent");
    let draft = ada
        .idea(&markers.secret("Zqfirsttitle"), format!("<p>{first}</p>"))
        .await;
    let second = markers.secret("zqsecondcontent");
    let content = format!("<p>{second}</p><p><img src=\"{image}\" alt=\"\"></p>");
    let body = json!({ "title": markers.secret("Zqsecondtitle"), "content": content });
    let path = format!("/api/ideas/{draft}");
    let saved = ada.put(&path, body).await.expect(200).json();
    markers.digest(&saved["sha256"]);

    let tags = json!({ "tags": [markers.secret("zqtag")] });
    ada.put(&format!("{path}/organize"), tags).await.expect(200);
    let unsaved = json!({
        "title": markers.secret("Zqunsavedtitle"),
        "content": format!("<p>{}</p>", markers.secret("zqunsavedcontent")),
        "baseRevision": 2,
        "session": "zqsession",
    });
    ada.put(&format!("{path}/working-copy"), unsaved)
        .await
        .expect(204);
    let text = markers.secret("zqcanvastext");
    let element = json!({ "type": "text", "x": 1, "y": 2, "text": text, "fill": "#fff" });
    ada.idea(
        &markers.secret("Zqcanvastitle"),
        json!({ "elements": [element] }),
    )
    .await;
    let legacy = json!({ markers.secret("zqlegacykey"): markers.secret("zqlegacyvalue") });
    let legacy = ada.idea(&markers.secret("Zqlegacytitle"), legacy).await;
    publish(ada, legacy, markers).await;

    for (file_name, text, is_kept) in [
        ("Zqkept.pdf", "zqkeptpdf", true),
        ("Zqdeleted.pdf", "zqdeletedpdf", false),
    ] {
        let file = [pdf(300), markers.secret(text).into_bytes()].concat();
        let name = markers.secret(file_name);
        let form = Form::default().file("file", &name, "application/pdf", &file);
        let idea = ada.upload("/api/ideas/pdf", &form).await.expect(201).json();
        markers.digest(&idea["sha256"]);
        if is_kept {
            publish(ada, idea["id"].as_i64().unwrap(), markers).await;
        } else {
            ada.delete(&format!("/api/ideas/{}", idea["id"]))
                .await
                .expect(204);
        }
    }
    let text = markers.secret("zqdeletedcontent");
    let deleted = ada
        .idea(&markers.secret("Zqdeletedtitle"), format!("<p>{text}</p>"))
        .await;
    let link = json!({ "name": markers.secret("Zqdeletedlink") });
    let link = ada.share(deleted, "full-access", link).await;
    markers.token(&link.token);
    ada.delete(&format!("/api/ideas/{deleted}"))
        .await
        .expect(204);
    draft
}

async fn publish(ada: &Creator, idea: i64, markers: &mut Markers) {
    let published = ada.publish(idea).await;
    let document = published["documentId"].as_str().unwrap();
    markers.clear(document, &[("ideas", "document_id")]);
    markers.digest(&published["sha256"]);
}

/// A link of each type.
async fn share(ada: &Creator, idea: i64, markers: &mut Markers) -> Vec<Link> {
    let mut links = Vec::new();
    for share_type in ["one-time", "time-dependent", "full-access", "email"] {
        let letters = share_type.replace('-', "");
        let mut terms = json!({ "name": markers.secret(format!("Zqformer{letters}")) });
        if share_type == "email" {
            terms["recipientEmail"] = json!(reader_of(share_type));
        }
        let link = ada.share(idea, share_type, terms).await;
        markers.token(&link.token);
        let name = json!({ "name": markers.secret(format!("Zqlink{letters}")) });
        ada.put(&format!("/api/shares/{}", link.id), name)
            .await
            .expect(204);
        links.push(link);
    }
    links
}

fn reader_of(share_type: &str) -> String {
    format!("zqreader-{share_type}@example.org")
}

/// A reader with all details, who agrees, comments, and is answered.
async fn read_and_comment(
    app: &App,
    sink: &SmtpSink,
    ada: &Creator,
    idea: i64,
    link: &Link,
    markers: &mut Markers,
) {
    let shown = ada.look_at(idea, link).await;
    let share_type = shown["shareType"].as_str().unwrap();
    let letters = share_type.replace('-', "");
    let vera = app.visitor();
    vera.open(link).await.expect(200);
    let email = markers.secret(reader_of(share_type));
    let details = json!({
        "name": markers.secret(format!("Zqreader {letters}")),
        "email": email,
        "phone": markers.secret(format!("+49 30 7351 {:04}", 4000 + letters.len())),
        "accessToken": link.token,
    });
    let recipient = vera
        .post("/api/recipients", details)
        .await
        .expect(201)
        .json();
    let recipient = recipient["id"].as_str().unwrap();
    if share_type == "email" {
        let has_code = |subject: &str| subject.starts_with("Your IdeaVault code for ");
        let mail = mail_that(sink, |mail| mail.header("Subject").is_some_and(has_code));
        assert_eq!(mail.to, [email.as_str()]);
        vera.verify(recipient, mail.line_after("    "))
            .await
            .expect(200);
    }
    let agent = markers.secret(format!("zqreading{letters}/1"));
    let path = format!("/api/recipients/{recipient}/nda");
    let agreed = vera.send(Method::PUT, &path, |request| {
        let agreed = json!({ "agreed": true });
        request.header("user-agent", agent).json(&agreed)
    });
    agreed.await.expect(200);
    vera.read(link).await;
    markers.cookies(&vera);

    let asks = markers.secret(format!("zqcomment{letters}"));
    let asked = comment(&vera, json!({ "recipientId": recipient, "content": asks })).await;
    let answers = markers.secret(format!("zqanswer{letters}"));
    let answers = json!({ "ideaId": idea, "replyTo": asked, "content": answers });
    let answer = comment(ada, answers).await;
    let edited = json!({ "content": markers.secret(format!("zqedited{letters}")) });
    ada.put(&format!("/api/comments/{answer}"), edited)
        .await
        .expect(200);
    let withdrawn = markers.secret(format!("zqwithdrawn{letters}"));
    let withdrawn = json!({ "recipientId": recipient, "content": withdrawn });
    let withdrawn = comment(&vera, withdrawn).await;
    vera.delete(&format!("/api/comments/{withdrawn}"))
        .await
        .expect(200);
}

async fn comment(author: &Browser, body: Value) -> String {
    let comment = author.post("/api/comments", body).await.expect(201).json();
    comment["id"].as_str().unwrap().to_owned()
}

/// Two-step sign-in, a login with it, and a reset of the password on its way.
async fn secure_the_account(
    app: &App,
    sink: &SmtpSink,
    ada: &Creator,
    markers: &mut Markers,
) -> Browser {
    let (authenticator, codes) = Authenticator::set_up(ada, ada.password, app.now()).await;
    markers.bytes(authenticator.secret().to_vec());
    for code in codes {
        markers.secret(code.replace('-', ""));
        markers.secret(code);
    }
    markers.cookies(ada);
    app.advance(Duration::seconds(90));
    let agent = markers.clear(
        "zqloginagent/1",
        &[("user_sessions", "state"), ("audit_entries", "user_agent")],
    );
    let login = json!({
        "email": ada.email, "password": ada.password, "code": authenticator.shows(app.now()),
    });
    let browser = app.browser();
    let signed_in = browser.send(Method::POST, "/api/auth/login", |request| {
        request.header("user-agent", agent).json(&login)
    });
    signed_in.await.expect(200);
    markers.cookies(&browser);
    let forgot = json!({ "email": ada.email });
    browser
        .post("/api/auth/forgot-password", forgot)
        .await
        .expect(200);
    let link = format!("{}/reset-password/", app.origin());
    let mail = mail_that(sink, |mail| mail.text.contains(&link));
    markers.token(mail.line_after(&link));
    browser
}

/// Restarts with a mail server that puts off every mail.
async fn leave_mails_waiting(
    app: App,
    ada: &Browser,
    draft: i64,
    markers: &mut Markers,
) -> UsedVault {
    let busy = SmtpSink::answering("451 try again later");
    let app = app.mailing_to(&busy).await;
    let ada = ada.at(&app.browser());
    let email = markers.secret("zqwaitingreader@example.org");
    let link = json!({ "ideaId": draft, "shareType": "email", "recipientEmail": email });
    let link = ada.post("/api/shares", link).await.expect(201).json();
    markers.token(link["accessLink"].as_str().unwrap());
    markers.cookies(&ada);
    UsedVault {
        app,
        ada,
        draft,
        _busy: busy,
    }
}

/// Waits for a mail that fulfils the condition.
fn mail_that(sink: &SmtpSink, fulfils: impl Fn(&ReceivedMail) -> bool) -> ReceivedMail {
    std::iter::repeat_with(|| sink.next())
        .find(fulfils)
        .unwrap()
}

/// Returns all files in a folder and the folders in it.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files_in(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
