//! What a person was shown, by a mailed link: what it shows, to whom, and for how long.

use chrono::Duration;
use ideavault_mail::testing::SmtpSink;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::code_in;
use crate::harness::{Answer, App, Browser, Creator, Link, Visitor, keys};

on_both_databases!(
    known_and_unknown_addresses_get_the_same_answer,
    an_address_that_cannot_be_one_is_refused,
    a_mailed_link_shows_what_was_shown_in_another_browser,
    a_used_expired_or_unknown_link_shows_nothing,
    the_use_of_a_link_can_be_sent_again_by_who_named_it,
    nobody_gets_what_others_were_shown,
    ended_links_deleted_ideas_and_closed_visits_stay,
    the_list_ends_when_asked_and_by_itself,
    requests_are_limited_for_each_address_and_client,
);

const LIST: &str = "/api/my-documents";

async fn ask(browser: &Browser, email: &str) -> Answer {
    browser.post(LIST, json!({ "email": email })).await
}

async fn open(browser: &Browser, token: &str) -> Answer {
    let body = json!({ "token": token });
    browser.post("/api/my-documents/open", body).await
}

fn files(recipient: &str) -> [String; 2] {
    ["receipt.pdf", "agreement.txt"].map(|file| format!("{LIST}/{recipient}/{file}"))
}

/// A vault whose mails arrive, with somebody who was shown an idea.
struct Scene {
    app: App,
    sink: SmtpSink,
    ada: Creator,
    idea: i64,
    link: Link,
    vera: Visitor,
    recipient: String,
}

const VERA: &str = "vera@example.org";

async fn scene(app: App) -> Scene {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let (idea, link, vera, recipient) = shown(&app, &sink, &ada, VERA).await;
    Scene {
        app,
        sink,
        ada,
        idea,
        link,
        vera,
        recipient,
    }
}

/// Shows another idea to the person with that address, who confirms it.
async fn shown(
    app: &App,
    sink: &SmtpSink,
    ada: &Creator,
    email: &str,
) -> (i64, Link, Visitor, String) {
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let to = json!({ "recipientEmail": email });
    let link = ada.share(idea, "email", to).await;
    let visitor = app.visitor();
    visitor.open(&link).await.expect(200);
    let registered = visitor.try_register(&link, email).await.expect(201);
    let recipient = registered.json()["id"].as_str().unwrap().to_owned();
    let code = loop {
        if let Some(code) = code_in(&sink.next().text) {
            break code;
        }
    };
    visitor.verify(&recipient, &code).await.expect(200);
    visitor.accept(&recipient).await.expect(200);
    visitor.read(&link).await;
    (idea, link, visitor, recipient)
}

impl Scene {
    /// Asks for a link, and returns the token that is mailed.
    async fn token(&self, email: &str) -> String {
        ask(&self.app.browser(), email).await.expect(202);
        let start = format!("{}/my-documents/", self.app.origin());
        loop {
            let mail = self.sink.next();
            if mail.header("Subject") == Some("Your documents in IdeaVault") {
                assert_eq!(mail.to, [email]);
                assert!(!mail.text.contains("Kettle"));
                return mail.line_after(&start).to_owned();
            }
        }
    }

    /// Returns a browser that has used a link.
    async fn opened(&self, email: &str) -> Browser {
        let browser = self.app.browser();
        let token = self.token(email).await;
        open(&browser, &token).await.expect(204);
        browser
    }
}

async fn list(browser: &Browser) -> Vec<Value> {
    let answer = browser.get(LIST).await.expect(200).json();
    answer["documents"].as_array().unwrap().clone()
}

async fn known_and_unknown_addresses_get_the_same_answer(app: App) {
    let scene = scene(app).await;
    let browser = scene.app.browser();
    let unknown = ask(&browser, "nobody@example.org").await.expect(202);
    // Somebody typed this one, and nobody confirmed it.
    let link = scene.ada.share(scene.idea, "full-access", json!({})).await;
    let other = scene.app.visitor();
    other.open(&link).await.expect(200);
    let typed = other.try_register(&link, "typed@example.org").await;
    let typed = typed.expect(201).json()["id"].as_str().unwrap().to_owned();
    other.accept(&typed).await.expect(200);
    let unconfirmed = ask(&browser, "typed@example.org").await.expect(202);
    let known = ask(&browser, " VERA@example.org ").await.expect(202);
    let names = |answer: &Answer| {
        let mut names: Vec<_> = answer.headers.keys().map(ToString::to_string).collect();
        names.sort_unstable();
        names
    };
    for answer in [&unknown, &unconfirmed] {
        assert_eq!(answer.body, known.body);
        assert_eq!(names(answer), names(&known));
        assert!(answer.cookies().is_empty());
    }
    let mail = loop {
        let mail = scene.sink.next();
        if mail.header("Subject") == Some("Your documents in IdeaVault") {
            break mail;
        }
    };
    assert_eq!(mail.to, [VERA]);
}

async fn an_address_that_cannot_be_one_is_refused(app: App) {
    for email in ["", "vera", "vera@"] {
        ask(&app.browser(), email).await.refuses("email");
    }
}

async fn a_mailed_link_shows_what_was_shown_in_another_browser(app: App) {
    let scene = scene(app).await;
    let second = shown(&scene.app, &scene.sink, &scene.ada, VERA).await;
    let token = scene.token(VERA).await;
    let browser = scene.app.browser();
    // Programs that scan mails open links.
    let page = format!("/my-documents/{token}");
    let opened = browser.get(&page).await.expect(200);
    assert_eq!(opened.header("x-robots-tag"), "noindex, nofollow");
    browser.get(LIST).await.expect(401);

    let used = open(&browser, &token).await.expect(204);

    let [cookie] = used.cookies().try_into().unwrap();
    for part in [
        "HttpOnly",
        "SameSite=Strict",
        "Path=/api/my-documents",
        "Max-Age=1800",
    ] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let answer = browser.get(LIST).await.expect(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    let answer = answer.json();
    assert_eq!(answer["email"], VERA);
    assert_eq!(answer["hasMore"], false);
    let documents = answer["documents"].as_array().unwrap();
    let recipients: Vec<_> = documents.iter().map(|one| &one["recipientId"]).collect();
    assert_eq!(recipients, [&second.3, &scene.recipient]);
    let one = &documents[1];
    assert_eq!(
        keys(one),
        [
            "acceptedAt",
            "agreement",
            "firstOpenedAt",
            "lastOpenedAt",
            "linkEnded",
            "recipientId",
            "versions"
        ]
    );
    let agreed = json!({ "title": "Kettle", "documentId": null, "sharer": "ada" });
    assert_eq!(one["agreement"], agreed);
    assert_eq!(one["versions"], json!([1]));
    assert_eq!(one["linkEnded"], false);
    assert!(one["firstOpenedAt"].is_string());
    let [receipt, agreement] = files(&scene.recipient);
    let receipt = browser.get(&receipt).await.expect(200);
    assert_eq!(receipt.header("content-type"), "application/pdf");
    assert!(receipt.body.starts_with(b"%PDF-1.7"));
    let text = format!("/api/recipients/{}/agreement.txt", scene.recipient);
    assert_eq!(
        browser.get(&agreement).await.expect(200).body,
        scene.ada.get(&text).await.expect(200).body
    );
    // The key is for nothing else.
    browser.get(&text).await.expect(404);
    browser.get("/api/ideas").await.expect(401);
}

async fn a_used_expired_or_unknown_link_shows_nothing(app: App) {
    let scene = scene(app).await;
    let (used, late) = (scene.token(VERA).await, scene.token(VERA).await);
    open(&scene.app.browser(), &used).await.expect(204);
    let browser = scene.app.browser();
    open(&browser, &used).await.refuses("token");
    scene.app.advance(Duration::minutes(31));
    for token in [&late, &"A".repeat(43), "", "x", "../../etc/passwd", "é\0"] {
        let answer = open(&browser, token).await.refuses("token");
        assert_eq!(
            answer.json()["message"],
            "This link has expired or has already been used. Please ask for another one."
        );
        assert!(answer.cookies().is_empty());
    }
    browser.get(LIST).await.expect(401);
}

async fn the_use_of_a_link_can_be_sent_again_by_who_named_it(app: App) {
    let scene = scene(app).await;
    let token = scene.token(VERA).await;
    let send = async |browser: &Browser, key: &str| {
        let body = json!({ "token": token });
        browser
            .send(Method::POST, "/api/my-documents/open", |request| {
                request.header("Idempotency-Key", key).json(&body)
            })
            .await
    };
    let (browser, other) = (scene.app.browser(), scene.app.browser());
    let (name, guess) = ("k".repeat(22), "g".repeat(22));
    send(&browser, "short").await.refuses("idempotencyKey");
    // Its answer is lost: the cookie does not arrive.
    send(&scene.app.browser(), &name).await.expect(204);
    send(&other, &guess).await.refuses("token");
    open(&other, &token).await.refuses("token");
    for _ in 0..2 {
        send(&browser, &name).await.expect(204);
        assert_eq!(list(&browser).await.len(), 1);
    }
    other.get(LIST).await.expect(401);
}

async fn nobody_gets_what_others_were_shown(app: App) {
    let scene = scene(app).await;
    let bob = shown(&scene.app, &scene.sink, &scene.ada, "bob@example.org").await;
    let vera = scene.opened(VERA).await;
    let bobs = scene.opened("bob@example.org").await;
    assert_eq!(list(&bobs).await[0]["recipientId"], bob.3);
    let missing = files("00000000-0000-4000-8000-000000000000");
    for (theirs, missing) in files(&bob.3).iter().zip(&missing) {
        let unknown = vera.get(missing).await.expect(404);
        assert_eq!(vera.get(theirs).await.expect(404).body, unknown.body);
        bobs.get(theirs).await.expect(200);
        // Neither a session nor the browser that registered is enough here.
        for browser in [&scene.app.browser(), &scene.ada, &bob.2 as &Browser] {
            browser.get(theirs).await.expect(401);
        }
    }
    let forged = scene.app.browser();
    forged.set_cookie("ideavault-documents", &"A".repeat(43));
    forged.get(LIST).await.expect(401);
}

async fn ended_links_deleted_ideas_and_closed_visits_stay(app: App) {
    let scene = scene(app).await;
    let revoked = shown(&scene.app, &scene.sink, &scene.ada, VERA).await;
    scene.vera.close(&scene.link).await.expect(204);
    let idea = format!("/api/ideas/{}", scene.idea);
    scene.ada.delete(&idea).await.expect(204);
    let link = format!("/api/shares/{}", revoked.1.id);
    scene.ada.delete(&link).await.expect(204);
    let browser = scene.opened(VERA).await;
    let documents = list(&browser).await;
    assert_eq!(documents.len(), 2);
    for document in &documents {
        assert_eq!(document["linkEnded"], true);
        for file in files(document["recipientId"].as_str().unwrap()) {
            browser.get(&file).await.expect(200);
        }
    }
}

async fn the_list_ends_when_asked_and_by_itself(app: App) {
    let scene = scene(app).await;
    let browser = scene.opened(VERA).await;
    let key = browser.cookies()["ideavault-documents"].clone();
    let end = "/api/my-documents/end";
    browser.post(end, json!({})).await.expect(204);
    browser.get(LIST).await.expect(401);
    // Not only the cookie is gone, and its answer may have been lost.
    let kept = scene.app.browser();
    kept.set_cookie("ideavault-documents", &key);
    kept.get(LIST).await.expect(401);
    kept.post(end, json!({})).await.expect(204);

    let browser = scene.opened(VERA).await;
    scene.app.advance(Duration::minutes(31));
    browser.get(LIST).await.expect(401);
    for file in files(&scene.recipient) {
        browser.get(&file).await.expect(401);
    }
}

async fn requests_are_limited_for_each_address_and_client(app: App) {
    let limited = ["--rate-limit-scale", "1", "--trusted-proxies", "127.0.0.1"];
    let app = app.restart(&limited).await;
    let from = async |address: &str, email: &str| {
        let body = json!({ "email": email });
        let browser = app.browser();
        let asked = browser.send(Method::POST, LIST, |request| {
            request.header("x-forwarded-for", address).json(&body)
        });
        asked.await.status
    };
    for number in 0..5 {
        let client = format!("198.51.100.{number}");
        assert_eq!(from(&client, VERA).await, 202);
        let email = format!("reader-{number}@example.org");
        assert_eq!(from("203.0.113.9", &email).await, 202);
    }
    // Whether or not the address is known.
    assert_eq!(from("198.51.100.9", VERA).await, 429);
    assert_eq!(from("203.0.113.9", "another@example.org").await, 429);
    assert_eq!(from("198.51.100.9", "another@example.org").await, 202);
    app.advance(Duration::minutes(61));
    assert_eq!(from("203.0.113.9", VERA).await, 202);
}
