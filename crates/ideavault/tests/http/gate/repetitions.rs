//! Steps that a page sends again because it did not get their answer, each named by a secret of the
//! page.

use futures_util::future::join_all;
use ideavault_mail::testing::SmtpSink;
use reqwest::Method;
use serde_json::{Value, json};

use super::{CANARY, disclosed, terms_of};
use crate::harness::{Answer, App, Creator, Link, Process, Proxy, Visitor};

on_both_databases!(
    a_registration_that_is_sent_again_registers_nobody_anew,
    a_code_that_is_sent_again_confirms_again,
    an_agreement_that_is_sent_again_is_recorded_once,
    fifty_presses_are_one_agreement,
    a_cut_connection_loses_no_step,
    a_former_key_repeats_nothing_once_the_new_one_was_used,
    who_planted_the_former_key_cannot_repeat_a_step,
    another_browser_cannot_repeat_a_step,
    a_short_key_is_refused,
);

const SECRET: &str = "5f2d8c3b1e9a47d6b0c4f7a2e8d1936c";
const OTHER: &str = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";

/// Subject of mails with a code.
const CODE: &str = "Your IdeaVault code for \"Kettle\"";

/// A step: how it is sent, where to, and with what.
type Step = (Method, String, Value);

fn registration(link: &Link) -> Step {
    let details = json!({
        "name": "Vera", "email": "vera@example.org", "accessToken": link.token,
    });
    (Method::POST, "/api/recipients".into(), details)
}

fn confirmation(recipient: &str, code: &str) -> Step {
    let path = format!("/api/recipients/{recipient}/verify");
    (Method::POST, path, json!({ "code": code }))
}

fn agreement(recipient: &str) -> Step {
    let path = format!("/api/recipients/{recipient}/nda");
    (Method::PUT, path, json!({ "agreed": true }))
}

async fn take(visitor: &Visitor, secret: &str, (method, path, body): &Step) -> Answer {
    let send = visitor.send(method.clone(), path, |request| {
        request.header("Idempotency-Key", secret).json(body)
    });
    send.await
}

/// Takes a step, of which the visitor gets no answer.
async fn lose(visitor: &Visitor, step: &Step) -> Answer {
    take(&Visitor::new(visitor.stolen()), SECRET, step).await
}

fn key(answer: &Answer) -> Option<String> {
    let mut cookies = answer.cookies().into_iter();
    cookies.find(|cookie| cookie.starts_with("ideavault-viewer="))
}

async fn told(ada: &Creator, idea: i64) -> Vec<String> {
    let told = ada.activity(idea).await.into_iter();
    told.map(|entry| entry["type"].as_str().unwrap().to_owned())
        .collect()
}

async fn a_registration_that_is_sent_again_registers_nobody_anew(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    let step = registration(&link);
    let first = lose(&vera, &step).await.expect(201);
    let again = take(&vera, SECRET, &step).await.expect(201);
    assert_eq!(again.json(), first.json());
    assert_eq!(key(&again), key(&first));
    // The browser has the new key, and the rest of that answer was lost.
    let again = take(&vera, SECRET, &step).await.expect(201);
    assert_eq!(again.json(), first.json());
    assert_eq!(told(&ada, idea).await, ["registered"]);

    // Other details, another secret or none are other requests.
    let mut other = step.clone();
    other.2["name"] = json!("Vera Rubin");
    let renamed = take(&vera, SECRET, &other).await.expect(201);
    assert_ne!(renamed.json()["id"], first.json()["id"]);
    let other = take(&vera, OTHER, &step).await.expect(201);
    assert_ne!(other.json()["id"], first.json()["id"]);
    vera.try_register(&link, "vera@example.org")
        .await
        .expect(201);
    assert_eq!(ada.activity(idea).await.len(), 4);
}

async fn a_code_that_is_sent_again_confirms_again(app: App) {
    let (ada, idea, link) = disclosed(&app, "email", terms_of("email")).await;
    let vera = app.visitor();
    let registered = lose(&vera, &registration(&link)).await.expect(201);
    take(&vera, SECRET, &registration(&link)).await.expect(201);
    let recipient = registered.json()["id"].as_str().unwrap().to_owned();
    let code = app.mailed_code().await;
    let step = confirmation(&recipient, &code);
    let first = lose(&vera, &step).await.expect(200);
    let again = take(&vera, SECRET, &step).await.expect(200);
    assert_eq!(again.json(), first.json());
    assert_eq!(key(&again), key(&first));
    take(&vera, SECRET, &step).await.expect(200);
    take(&vera, OTHER, &step).await.refuses("code");
    assert_eq!(vera.open(&link).await.json()["stage"], "nda");
    assert_eq!(told(&ada, idea).await, ["registered"]);
}

async fn an_agreement_that_is_sent_again_is_recorded_once(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let (ada, idea, link) = disclosed(&app, "email", terms_of("email")).await;
    assert!(sink.next().text.contains(&link.token));
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let code = sink.next().line_after("    ").to_owned();
    vera.verify(&recipient, &code).await.expect(200);
    let step = agreement(&recipient);
    let first = lose(&vera, &step).await.expect(200);
    assert_eq!(first.json()["agreedToNda"], true);
    for _ in 0..3 {
        let again = take(&vera, SECRET, &step).await.expect(200);
        assert_eq!(again.json(), first.json());
        assert_eq!(key(&again), key(&first));
    }
    vera.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 1);
    assert_eq!(told(&ada, idea).await, ["viewed", "agreed", "registered"]);
    app.advance(chrono::Duration::minutes(1));
    let mut to_her = std::iter::repeat_with(|| sink.next())
        .filter(|mail| mail.to == ["vera@example.org"])
        .map(|mail| mail.header("Subject").unwrap().to_owned());
    assert_ne!(to_her.next().unwrap(), CODE);
    // Mails to a reader go in order, so that a second receipt would come before the next code.
    app.visitor().register(&link).await;
    assert_eq!(to_her.next().unwrap(), CODE);
}

async fn fifty_presses_are_one_agreement(app: App) {
    let other = Process::beside(&app);
    let (ada, idea, link) = disclosed(&app, "email", terms_of("email")).await;
    let vera = app.visitor();
    let servers = [app.browser(), other.browser()];
    let presses = async |step: &Step, status: u16| {
        let tabs = servers.iter().cycle().take(50);
        let tabs: Vec<_> = tabs.map(|server| Visitor::new(vera.at(server))).collect();
        let answers = join_all(tabs.iter().map(|tab| take(tab, SECRET, step))).await;
        let answers: Vec<_> = answers.into_iter().map(|one| one.expect(status)).collect();
        for answer in &answers {
            assert_eq!(answer.json(), answers[0].json());
            assert_eq!(key(answer), key(&answers[0]));
        }
        take(&vera, SECRET, step).await.expect(status)
    };
    let registered = presses(&registration(&link), 201).await;
    let recipient = registered.json()["id"].as_str().unwrap().to_owned();
    let code = app.mailed_code().await;
    presses(&confirmation(&recipient, &code), 200).await;
    presses(&agreement(&recipient), 200).await;
    vera.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 1);
    // The servers have clocks of their own.
    let mut told = told(&ada, idea).await;
    told.sort();
    assert_eq!(told, ["agreed", "registered", "viewed"]);
    assert!(!crate::audit::kinds(&app).contains(&"code-refused".to_owned()));
}

async fn a_cut_connection_loses_no_step(app: App) {
    let (ada, idea, link) = disclosed(&app, "email", terms_of("email")).await;
    let proxy = Proxy::to(app.address()).await;
    let vera = Visitor::new(app.browser().through(&proxy));
    let cut = async |step: Step| {
        proxy.lose_answers();
        for _ in 0..2 {
            let (method, path, body) = &step;
            vera.send_in_vain(method.clone(), path, SECRET, body).await;
        }
        proxy.pass();
        take(&vera, SECRET, &step).await
    };
    let registered = cut(registration(&link)).await.expect(201).json();
    let recipient = registered["id"].as_str().unwrap();
    let code = app.mailed_code().await;
    cut(confirmation(recipient, &code)).await.expect(200);
    cut(agreement(recipient)).await.expect(200);
    vera.read(&link).await;
    assert_eq!(told(&ada, idea).await, ["viewed", "agreed", "registered"]);
}

async fn a_former_key_repeats_nothing_once_the_new_one_was_used(app: App) {
    let (_, _, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let former = Visitor::new(vera.stolen());
    let step = agreement(&recipient);
    take(&vera, SECRET, &step).await.expect(200);
    vera.read(&link).await;
    let refused = take(&former, SECRET, &step).await.expect(404);
    assert_eq!(key(&refused), None);
    let anew = Visitor::new(app.browser());
    take(&anew, SECRET, &step).await.expect(404);

    // The same with a registration by a browser that was known already.
    let elsewhere = Visitor::new(vera.stolen());
    let step = registration(&link);
    let second = take(&vera, SECRET, &step).await.expect(201);
    vera.open(&link).await.expect(200);
    for other in [elsewhere, app.visitor()] {
        let answer = take(&other, SECRET, &step).await.expect(201);
        assert_ne!(answer.json()["id"], second.json()["id"]);
        assert_ne!(key(&answer), key(&second));
    }
}

/// Mallory planted the key with which Vera takes a step. He knows it, and sees what he can make of
/// it while Vera's answer is lost, and afterwards.
async fn who_planted_the_former_key_cannot_repeat_a_step(app: App) {
    let (_, _, link) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.register(&link).await;
    let mallory = Visitor::new(vera.stolen());
    let step = registration(&link);
    let registered = lose(&vera, &step).await.expect(201);
    // With a secret of his own he registers himself.
    let own = take(&mallory, OTHER, &step).await.expect(201);
    assert_ne!(own.json()["id"], registered.json()["id"]);
    assert_ne!(key(&own), key(&registered));
    take(&vera, SECRET, &step).await.expect(201);

    let mallory = Visitor::new(vera.stolen());
    let recipient = registered.json()["id"].as_str().unwrap().to_owned();
    let step = agreement(&recipient);
    lose(&vera, &step).await.expect(200);
    for _ in 0..2 {
        for guess in [OTHER, &"0".repeat(32)] {
            let refused = take(&mallory, guess, &step).await.expect(404);
            assert_eq!(key(&refused), None);
        }
        mallory.accept(&recipient).await.expect(404);
        assert!(!mallory.open(&link).await.text().contains(CANARY));
        take(&vera, SECRET, &step).await.expect(200);
        vera.read(&link).await;
    }
}

/// Whoever learns the secret of a step, but has not the key of the browser that took it.
async fn another_browser_cannot_repeat_a_step(app: App) {
    let (ada, idea, link) = disclosed(&app, "full-access", json!({})).await;
    let elsewhere = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let step = agreement(&recipient);
    lose(&vera, &step).await.expect(200);
    let stranger = app.visitor();
    take(&stranger, SECRET, &step).await.expect(404);
    stranger.register(&elsewhere).await;
    take(&stranger, SECRET, &step).await.expect(404);
    take(&vera, SECRET, &step).await.expect(200);
}

async fn a_short_key_is_refused(app: App) {
    let (_, _, link) = disclosed(&app, "email", terms_of("email")).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    for step in [
        registration(&link),
        confirmation(&recipient, "123456"),
        agreement(&recipient),
    ] {
        for short in ["one", &"k".repeat(21)] {
            take(&vera, short, &step).await.refuses("idempotencyKey");
        }
    }
}
