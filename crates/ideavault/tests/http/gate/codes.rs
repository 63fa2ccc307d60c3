//! Email links: only somebody who reads the mails of the address gets access.

use std::collections::BTreeSet;

use chrono::Duration;
use ideavault_mail::testing::SmtpSink;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{CANARY, assert_gone, disclosed, terms_of};
use crate::harness::{Answer, App, Creator, Link, Visitor, keys};

on_both_databases!(
    the_mailed_code_confirms_the_address,
    nothing_is_disclosed_before_the_code,
    a_code_allows_five_attempts,
    concurrent_guesses_get_five_attempts_in_total,
    a_code_works_for_ten_minutes,
    a_code_works_once,
    a_confirmed_browser_needs_no_second_code,
    the_code_lets_a_reader_read_on_in_another_browser,
    a_new_code_replaces_the_previous_one,
    a_code_works_only_in_the_browser_that_registered,
    a_malformed_code_uses_no_attempt,
    other_link_types_require_no_code,
    a_dead_link_accepts_no_code,
    agreeing_without_a_confirmed_code_is_refused,
);

/// A link for Vera's address, the server, and her mail server.
struct Setup {
    app: App,
    sink: SmtpSink,
    ada: Creator,
    idea: i64,
    link: Link,
}

async fn setup(app: App) -> Setup {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let (ada, idea, link) = disclosed(&app, "email", terms_of("email")).await;
    let invitation = sink.next();
    assert!(invitation.text.contains(&link.token));
    Setup {
        app,
        sink,
        ada,
        idea,
        link,
    }
}

impl Setup {
    /// Reads the next mail, which has to contain a code.
    fn code(&self) -> String {
        let mail = self.sink.next();
        assert_eq!(mail.to, ["vera@example.org"]);
        let subject = Some("Your IdeaVault code for \"Kettle\"");
        assert_eq!(mail.header("Subject"), subject);
        for secret in [CANARY, &self.link.token] {
            assert!(!mail.text.contains(secret), "{}", mail.text);
        }
        let code = mail.line_after("    ").to_owned();
        assert_eq!(code.len(), 6, "{code}");
        code
    }

    /// Registers in a new browser. Returns it with the recipient's id and the code.
    async fn registered(&self) -> (Visitor, String, String) {
        let vera = self.app.visitor();
        let recipient = vera.register(&self.link).await;
        (vera, recipient, self.code())
    }

    async fn stage(&self, visitor: &Visitor) -> Value {
        let answer = visitor.open(&self.link).await.expect(200);
        answer.json()["stage"].clone()
    }

    async fn attempts_left(&self, visitor: &Visitor) -> Value {
        let answer = visitor.open(&self.link).await.expect(200);
        answer.json()["verification"]["triesLeft"].clone()
    }
}

async fn ask(visitor: &Visitor, recipient: &str) -> Answer {
    let path = format!("/api/recipients/{recipient}/code");
    visitor.send(Method::POST, &path, |request| request).await
}

/// Returns a wrong code.
fn wrong(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

fn message(answer: Answer) -> String {
    answer.refuses("code").json()["message"]
        .as_str()
        .unwrap()
        .to_owned()
}

const SPENT: &str = "This code no longer works. Please request a new one.";

async fn the_mailed_code_confirms_the_address(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, code) = setup.registered().await;
    let shared = vera.open(&setup.link).await.expect(200).json();
    assert_eq!(shared["stage"], "verify");
    assert_eq!(shared["recipient"]["email"], "vera@example.org");
    let pending = &shared["verification"];
    assert_eq!(keys(pending), ["expiresIn", "resendIn", "triesLeft"]);
    assert_eq!(pending["expiresIn"], 600);
    assert_eq!(pending["resendIn"], 60);
    assert_eq!(pending["triesLeft"], 5);
    setup.app.advance(Duration::minutes(1));
    let before = setup.app.now();
    let pasted = format!(" {} {} ", &code[..3], &code[3..]);
    let state = vera.verify(&recipient, &pasted).await.expect(200).json();
    assert_eq!(
        keys(&state),
        ["agreedToNda", "email", "id", "name", "phone"]
    );
    assert_eq!(state["id"], recipient);
    assert_eq!(state["agreedToNda"], false);
    let shared = vera.open(&setup.link).await.expect(200).json();
    assert_eq!(shared["stage"], "nda");
    assert!(shared["verification"].is_null());
    setup.app.advance(Duration::minutes(1));
    vera.accept(&recipient).await.expect(200);
    assert_eq!(vera.read(&setup.link).await, format!("<p>{CANARY}</p>"));

    let activity = setup.ada.activity(setup.idea).await;
    let types: Vec<_> = activity.iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, ["viewed", "agreed", "registered"]);
    let confirmed_at = &activity[1]["emailConfirmedAt"];
    let time: ideavault_domain::Timestamp = confirmed_at.as_str().unwrap().parse().unwrap();
    assert!(before < time && time < setup.app.now() - Duration::minutes(1));
    assert_eq!(activity[1]["identity"], "emailConfirmed");
    for event in &activity {
        assert_eq!(event["recipient"]["identity"], "emailConfirmed");
        assert_eq!(&event["recipient"]["emailConfirmedAt"], confirmed_at);
    }
}

async fn nothing_is_disclosed_before_the_code(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, _) = setup.registered().await;
    let answer = vera.open(&setup.link).await.expect(200);
    assert!(!answer.text().contains(CANARY), "{answer:?}");
    assert!(answer.json()["nda"].is_null());
    vera.accept(&recipient).await.expect(403);
    let list = format!("/api/comments?ideaId={}", setup.idea);
    vera.get(&list).await.expect(403);
    let comment = json!({ "recipientId": recipient, "content": "Hello" });
    vera.post("/api/comments", comment).await.expect(403);
    assert_eq!(setup.stage(&vera).await, "verify");
    assert_eq!(setup.ada.views(setup.idea, &setup.link).await, 0);
    let activity = setup.ada.activity(setup.idea).await;
    assert_eq!(activity.len(), 1);
    assert_eq!(activity[0]["recipient"]["identity"], "selfDeclared");
    assert!(activity[0]["recipient"]["emailConfirmedAt"].is_null());
}

async fn a_code_allows_five_attempts(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, code) = setup.registered().await;
    for left in ["4 tries", "3 tries", "2 tries", "one try"] {
        let answer = vera.verify(&recipient, wrong(&code)).await;
        let expected = format!("That code is not right. You have {left} left.");
        assert_eq!(message(answer), expected);
    }
    assert_eq!(setup.attempts_left(&vera).await, 1);
    assert_eq!(message(vera.verify(&recipient, wrong(&code)).await), SPENT);
    assert_eq!(setup.attempts_left(&vera).await, 0);
    // The sixth attempt fails even with the right code.
    assert_eq!(message(vera.verify(&recipient, &code).await), SPENT);
    assert_eq!(setup.stage(&vera).await, "verify");
    vera.accept(&recipient).await.expect(403);
    // The fifth attempt still counts.
    ask(&vera, &recipient).await.expect(202);
    let code = setup.code();
    for _ in 0..4 {
        message(vera.verify(&recipient, wrong(&code)).await);
    }
    vera.verify(&recipient, &code).await.expect(200);
}

async fn concurrent_guesses_get_five_attempts_in_total(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, code) = setup.registered().await;
    let mut running = JoinSet::new();
    for _ in 0..20 {
        let (vera, recipient, code) = (vera.clone(), recipient.clone(), wrong(&code));
        running.spawn(async move { message(vera.verify(&recipient, code).await) });
    }
    let answers = running.join_all().await;
    let spent = answers.iter().filter(|answer| *answer == SPENT).count();
    let told: BTreeSet<_> = answers.iter().collect();
    // The first four attempts report different numbers; from the fifth on, none is left.
    assert_eq!((spent, told.len()), (16, 5), "{answers:?}");
    assert_eq!(message(vera.verify(&recipient, &code).await), SPENT);
    assert_eq!(setup.stage(&vera).await, "verify");
}

async fn a_code_works_for_ten_minutes(app: App) {
    let setup = setup(app).await;
    let (early, early_id, early_code) = setup.registered().await;
    let (late, late_id, late_code) = setup.registered().await;
    setup
        .app
        .advance(Duration::minutes(9) + Duration::seconds(59));
    early.verify(&early_id, &early_code).await.expect(200);
    setup.app.advance(Duration::seconds(1));
    assert_eq!(message(late.verify(&late_id, &late_code).await), SPENT);
    let shared = late.open(&setup.link).await.expect(200).json();
    assert_eq!(shared["stage"], "verify");
    assert_eq!(shared["verification"]["expiresIn"], 0);
    assert_eq!(shared["verification"]["resendIn"], 0);
}

async fn a_code_works_once(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, code) = setup.registered().await;
    let mut running = JoinSet::new();
    for _ in 0..4 {
        let (vera, recipient, code) = (vera.clone(), recipient.clone(), code.clone());
        running.spawn(async move { vera.verify(&recipient, &code).await.status });
    }
    let mut statuses = running.join_all().await;
    statuses.sort_unstable();
    // The slower requests carry the former key, or the new one with a code that is used up.
    assert_eq!(statuses[0], 200);
    assert!(
        statuses[1..]
            .iter()
            .all(|status| matches!(status, 400 | 404)),
        "{statuses:?}"
    );
    vera.verify(&recipient, &code).await.refuses("code");
    ask(&vera, &recipient).await.expect(409);
    assert_eq!(setup.stage(&vera).await, "nda");
    // The code does not work for another registration either.
    let (other, other_id, other_code) = setup.registered().await;
    if other_code != code {
        other.verify(&other_id, &code).await.refuses("code");
    }
    other.verify(&other_id, &other_code).await.expect(200);
}

async fn a_confirmed_browser_needs_no_second_code(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, code) = setup.registered().await;
    vera.verify(&recipient, &code).await.expect(200);
    for _ in 0..2 {
        let again = vera.register(&setup.link).await;
        assert_eq!(setup.stage(&vera).await, "nda");
        vera.accept(&again).await.expect(200);
        vera.read(&setup.link).await;
        vera.close(&setup.link).await.expect(204);
    }
    assert_eq!(setup.sink.try_next(), None);
    // On another link, and in another browser, it is needed.
    let other = setup
        .ada
        .share(setup.idea, "email", terms_of("email"))
        .await;
    assert!(setup.sink.next().text.contains(&other.token));
    vera.register(&other).await;
    setup.code();
    assert_eq!(vera.open(&other).await.json()["stage"], "verify");
    let (willi, ..) = setup.registered().await;
    assert_eq!(setup.stage(&willi).await, "verify");
}

async fn the_code_lets_a_reader_read_on_in_another_browser(app: App) {
    let setup = setup(app).await;
    let (ada, idea, link) = (&setup.ada, setup.idea, &setup.link);
    let (desk, accepted, code) = setup.registered().await;
    desk.verify(&accepted, &code).await.expect(200);
    desk.accept(&accepted).await.expect(200);
    desk.read(link).await;
    desk.close(link).await.expect(204);
    let (phone, registered, code) = setup.registered().await;
    let confirmed = phone.verify(&registered, &code).await.expect(200).json();
    assert_eq!(confirmed["id"], accepted.as_str());
    assert_eq!(confirmed["agreedToNda"], true);
    assert!(phone.read(link).await.to_string().contains(CANARY));
    assert_eq!(ada.views(idea, link).await, 2);
    // The visit has moved there.
    assert_eq!(setup.stage(&desk).await, "collect");
    // Another name is another agreement.
    let other = setup.app.visitor();
    let details =
        json!({ "name": "Vera Rubin", "email": "vera@example.org", "accessToken": link.token });
    let registered = other.post("/api/recipients", details).await.expect(201);
    let registered = registered.json()["id"].as_str().unwrap().to_owned();
    let confirmed = other.verify(&registered, &setup.code()).await.expect(200);
    assert_eq!(confirmed.json()["agreedToNda"], false);
    assert_eq!(setup.stage(&other).await, "nda");
    phone.read(link).await;
}

async fn a_new_code_replaces_the_previous_one(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, first) = setup.registered().await;
    vera.verify(&recipient, wrong(&first)).await.refuses("code");
    setup.app.advance(Duration::minutes(9));
    let pending = ask(&vera, &recipient).await.expect(202).json();
    assert_eq!(keys(&pending), ["expiresIn", "resendIn", "triesLeft"]);
    assert_eq!(pending["expiresIn"], 600);
    assert_eq!(pending["triesLeft"], 5);
    let second = setup.code();
    if first != second {
        vera.verify(&recipient, &first).await.refuses("code");
        assert_eq!(setup.attempts_left(&vera).await, 4);
    }
    setup.app.advance(Duration::minutes(9));
    vera.verify(&recipient, &second).await.expect(200);
}

async fn a_code_works_only_in_the_browser_that_registered(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, code) = setup.registered().await;
    let (willi, own, _) = setup.registered().await;
    let unknown = "00000000-0000-4000-8000-000000000000";
    let absent = willi.verify(unknown, &code).await.expect(404);
    for stranger in [&willi, &setup.app.visitor()] {
        for _ in 0..6 {
            let answer = stranger.verify(&recipient, &code).await.expect(404);
            assert_eq!(answer.body, absent.body);
        }
        let answer = ask(stranger, &recipient).await.expect(404);
        assert_eq!(answer.body, absent.body);
        stranger.verify("one", &code).await.expect(404);
    }
    // None of this used up her limits or sent her a mail.
    assert_eq!(setup.sink.try_next(), None);
    assert_eq!(setup.attempts_left(&vera).await, 5);
    vera.verify(&recipient, &code).await.expect(200);
    assert_eq!(setup.stage(&willi).await, "verify");
    willi.accept(&own).await.expect(403);
}

async fn a_malformed_code_uses_no_attempt(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, code) = setup.registered().await;
    let path = format!("/api/recipients/{recipient}/verify");
    for body in [
        json!({}),
        json!({ "code": null }),
        json!({ "code": 123_456 }),
        json!({ "code": [code] }),
        json!({ "code": { "code": code } }),
        json!({ "code": true }),
        json!([code]),
        json!(code),
    ] {
        vera.post(&path, body).await.expect(400);
    }
    let long = "1".repeat(10_000);
    for text in [
        "",
        " ",
        "12345",
        "1234567",
        "12345a",
        "+12345",
        "１２３４５６",
        &long,
    ] {
        assert_eq!(
            message(vera.verify(&recipient, text).await),
            "Please enter the 6 digits of the code"
        );
    }
    assert_eq!(setup.attempts_left(&vera).await, 5);
    vera.verify(&recipient, &code).await.expect(200);
}

async fn other_link_types_require_no_code(app: App) {
    let setup = setup(app).await;
    for share_type in ["one-time", "time-dependent", "full-access"] {
        let link = setup.ada.share(setup.idea, share_type, json!({})).await;
        let vera = setup.app.visitor();
        let recipient = vera.register(&link).await;
        assert_eq!(vera.open(&link).await.json()["stage"], "nda");
        vera.verify(&recipient, "123456").await.expect(409);
        ask(&vera, &recipient).await.expect(409);
        vera.accept(&recipient).await.expect(200);
    }
    assert_eq!(setup.sink.try_next(), None);
    let activity = setup.ada.activity(setup.idea).await;
    for event in activity {
        assert_eq!(event["recipient"]["identity"], "selfDeclared");
        if event["type"] == "agreed" {
            assert_eq!(event["identity"], "selfDeclared");
            assert!(event["emailConfirmedAt"].is_null());
        }
    }
}

async fn a_dead_link_accepts_no_code(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, code) = setup.registered().await;
    let (willi, willis, willis_code) = setup.registered().await;
    // Closed by the recipient's own browser.
    willi.close(&setup.link).await.expect(204);
    willi.verify(&willis, &willis_code).await.expect(404);
    ask(&willi, &willis).await.expect(404);
    let path = format!("/api/shares/{}", setup.link.id);
    setup.ada.delete(&path).await.expect(204);
    vera.verify(&recipient, &code).await.expect(404);
    ask(&vera, &recipient).await.expect(404);
    assert_gone(&vera, setup.idea, &setup.link).await;
    assert_eq!(setup.sink.try_next(), None);
    for event in setup.ada.activity(setup.idea).await {
        assert_eq!(event["recipient"]["identity"], "selfDeclared");
    }
}

async fn agreeing_without_a_confirmed_code_is_refused(app: App) {
    let setup = setup(app).await;
    let (vera, recipient, code) = setup.registered().await;
    for _ in 0..3 {
        vera.accept(&recipient).await.expect(403);
    }
    vera.verify(&recipient, &code).await.expect(200);
    assert_eq!(setup.stage(&vera).await, "nda");
    let types: Vec<_> = setup.ada.activity(setup.idea).await;
    assert_eq!(types.len(), 1);
}
