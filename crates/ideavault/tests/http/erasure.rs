//! Erasure of a person: what goes, what stays, and who may ask for it.

use std::fs;

use ideavault_evidence::bundle::{BundleReader, Limits};
use ideavault_evidence::verify::{Options, Verdict, verify};
use ideavault_mail::testing::SmtpSink;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::commands::{run, stderr, stdout};
use crate::evidence::placed;
use crate::harness::{Answer, App, Browser, Creator, Link, PASSWORD, Visitor};

on_both_databases!(
    an_erased_person_is_gone_and_what_happened_stays,
    only_the_owner_of_the_idea_erases,
    erasing_again_answers_the_same,
    a_person_is_erased_on_all_ideas_of_the_owner_and_on_no_others,
    an_accepted_agreement_can_be_kept_and_erased_later,
    an_erased_person_may_register_anew_as_anybody_may,
    a_link_for_the_address_of_an_erased_person_ends,
    waiting_mails_to_an_erased_person_are_dropped,
    the_operator_erases_a_person_in_all_ideas,
    a_person_may_act_while_being_erased,
    what_was_stored_of_an_erased_person_is_overwritten,
);

const MESSAGE: &str = "This agreement was erased together with a person whom it names. That it was \
                       accepted stays on record.";

/// A reader called Mallory Zq, who read and commented. Returns the recipient's id.
async fn mallory(app: &App, link: &Link) -> (Visitor, String) {
    let visitor = app.visitor();
    visitor.open(link).await.expect(200);
    let details = json!({
        "name": "Mallory Zq", "email": "mallory@example.org", "phone": "+49 30 1234567",
        "accessToken": link.token,
    });
    let registered = visitor.post("/api/recipients", details).await.expect(201);
    let id = registered.json()["id"].as_str().unwrap().to_owned();
    visitor.open(link).await.expect(200);
    visitor.accept(&id).await.expect(200);
    visitor.read(link).await;
    for text in ["Nice", "Withdrawn"] {
        let comment = json!({ "recipientId": id, "content": text });
        let comment = visitor.post("/api/comments", comment).await.expect(201);
        if text == "Withdrawn" {
            let path = format!("/api/comments/{}", comment.json()["id"].as_str().unwrap());
            visitor.delete(&path).await.expect(200);
        }
    }
    (visitor, id)
}

fn person(id: &str) -> String {
    format!("/api/recipients/{id}/person")
}

fn erasing(keep_agreements: bool) -> Value {
    json!({ "password": PASSWORD, "keepAgreements": keep_agreements })
}

/// Erases a person, and every agreement.
pub async fn erase(browser: &Browser, id: &str) -> Answer {
    browser
        .json(Method::DELETE, &person(id), erasing(false))
        .await
}

async fn erase_but_agreements(browser: &Browser, id: &str) -> Answer {
    browser
        .json(Method::DELETE, &person(id), erasing(true))
        .await
}

fn agreement(id: &str) -> String {
    format!("/api/recipients/{id}/agreement.txt")
}

/// Fails if the text names the person.
fn names_nobody(text: &str) {
    for part in ["Mallory", "mallory@example.org", "1234567"] {
        assert!(!text.contains(part), "{part} in {text}");
    }
}

/// Returns the paths and texts of the owner's bundle, which must be valid.
async fn bundle(ada: &Browser, idea: i64) -> Vec<(String, String)> {
    let path = format!("/api/ideas/{idea}/evidence.zip");
    let answer = ada.get(&path).await.expect(200);
    let bundle = BundleReader::from_bytes(answer.body.to_vec(), &Limits::default()).unwrap();
    let options = Options {
        now: Some(chrono::Utc::now()),
        ..Options::default()
    };
    let report = verify(&bundle, &options).unwrap();
    let failures: Vec<String> = report.failures().map(ToString::to_string).collect();
    assert_eq!(failures, [""; 0]);
    assert_eq!(report.verdict(), Verdict::OwnWord);
    let paths: Vec<String> = bundle.paths().map(str::to_owned).collect();
    let read = |path: String| {
        let text = String::from_utf8_lossy(&bundle.read(&path).unwrap()).into_owned();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

async fn scene(app: &App) -> (Creator, i64, Link, Visitor, String) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let (visitor, id) = mallory(app, &link).await;
    (ada, idea, link, visitor, id)
}

async fn an_erased_person_is_gone_and_what_happened_stays(app: App) {
    let (ada, idea, link, visitor, id) = scene(&app).await;
    let download = format!("/api/share/{}/download", link.token);
    visitor.get(&download).await.expect(200);
    let before = placed(&ada, idea).await;

    erase(&ada, &id).await.expect(204);

    // The visit is over at once.
    assert_eq!(
        visitor.open(&link).await.expect(200).json()["stage"],
        "collect"
    );
    visitor
        .get(&format!("/api/comments?ideaId={idea}"))
        .await
        .expect(404);
    for browser in [&*ada, &*visitor] {
        let gone = browser.get(&agreement(&id)).await.expect(410);
        assert_eq!(gone.json()["message"], MESSAGE);
    }

    let activity = ada.activity(idea).await;
    assert_eq!(activity.len(), 4, "{activity:?}");
    for entry in &activity {
        assert_eq!(entry["recipient"]["name"], "An erased person");
        assert_eq!(entry["recipient"]["erased"], true);
        assert_eq!(entry["recipient"]["phone"], Value::Null);
        names_nobody(&entry.to_string());
    }
    let agreed = activity
        .iter()
        .find(|entry| entry["type"] == "agreed")
        .unwrap();
    for field in ["ip", "userAgent", "ndaSha256"] {
        assert_eq!(agreed[field], Value::Null, "{field}");
    }
    let comments = ada.list(&format!("/api/comments?ideaId={idea}")).await;
    let authors: Vec<&Value> = comments.iter().map(|comment| &comment["author"]).collect();
    assert_eq!(authors, ["An erased person", "An erased person"]);
    assert_eq!(comments[0]["content"], "Nice");
    names_nobody(&ada.get("/api/notices").await.expect(200).text());

    // Events stay byte for byte, and say what happened.
    let after = placed(&ada, idea).await;
    assert_eq!(after.len(), before.len() + 1);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before["body"], after["body"]);
        assert_eq!(before["digest"], after["digest"]);
    }
    assert_eq!(after.last().unwrap()["type"], "person.erased");
    assert_eq!(after.last().unwrap()["recipient"], id.as_str());
    for event in &after {
        names_nobody(&event.to_string());
        for name in ["person", "origin", "terms", "comment"] {
            assert_eq!(event["facts"][name], Value::Null, "{event}");
        }
    }

    // A bundle lists what was erased, and verifies.
    let files = bundle(&ada, idea).await;
    for (path, text) in &files {
        names_nobody(text);
        assert!(!path.starts_with("agreements/"), "{path}");
    }
    let (_, index) = files
        .iter()
        .find(|(path, _)| path == "bundle.json")
        .unwrap();
    let index: Value = serde_json::from_str(index).unwrap();
    assert!(index["withheld"].as_array().unwrap().len() >= 10, "{index}");
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
    let audit = stdout(&run(&app, &["audit"]));
    assert!(audit.contains("person-erased"), "{audit}");
}

async fn only_the_owner_of_the_idea_erases(app: App) {
    let (ada, idea, _, visitor, id) = scene(&app).await;
    let eve = app.creator("eve").await;
    erase(&app.browser(), &id).await.expect(401);
    erase(&visitor, &id).await.expect(401);
    let refused = erase(&eve, &id).await.expect(404).text();
    let absent = "00000000-0000-4000-8000-000000000000";
    assert_eq!(erase(&ada, absent).await.expect(404).text(), refused);
    erase(&ada, "nobody").await.expect(404);
    let ask = async |body: Value| ada.json(Method::DELETE, &person(&id), body).await;
    for wrong in ["correct horse", ""] {
        ask(json!({ "password": wrong })).await.refuses("password");
    }
    let unclear = json!({ "password": PASSWORD, "keepAgreements": "perhaps" });
    for malformed in [json!({}), unclear] {
        ask(malformed).await.expect(400);
    }
    assert_eq!(
        ada.activity(idea).await[0]["recipient"]["name"],
        "Mallory Zq"
    );
}

async fn erasing_again_answers_the_same(app: App) {
    let (ada, idea, _, _, id) = scene(&app).await;
    erase(&ada, &id).await.expect(204);
    let first = placed(&ada, idea).await;
    erase(&ada, &id).await.expect(204);
    erase_but_agreements(&ada, &id).await.expect(204);
    // Erased data cannot be kept.
    ada.get(&agreement(&id)).await.expect(410);
    assert_eq!(placed(&ada, idea).await, first);
}

async fn a_person_is_erased_on_all_ideas_of_the_owner_and_on_no_others(app: App) {
    let (ada, idea, link, _, id) = scene(&app).await;
    // Another device of the same person, another idea, another person, another owner.
    let (_, second) = mallory(&app, &link).await;
    let lamp = ada.idea("Lamp", "<p>Shines</p>").await;
    let lamp_link = ada.share(lamp, "full-access", json!({})).await;
    mallory(&app, &lamp_link).await;
    let vera = app.visitor().agree(&link).await;
    let eve = app.creator("eve").await;
    let foreign = eve.idea("Fan", "<p>Blows</p>").await;
    let foreign_link = eve.share(foreign, "full-access", json!({})).await;
    let (_, at_eve) = mallory(&app, &foreign_link).await;

    erase(&ada, &id).await.expect(204);

    ada.get(&agreement(&second)).await.expect(410);
    names_nobody(&format!("{:?}", ada.activity(idea).await));
    names_nobody(&format!("{:?}", ada.activity(lamp).await));
    ada.get(&agreement(&vera)).await.expect(200);
    let text = eve.get(&agreement(&at_eve)).await.expect(200).text();
    assert!(text.contains("Mallory Zq"), "{text}");
}

async fn an_accepted_agreement_can_be_kept_and_erased_later(app: App) {
    let (ada, idea, link, visitor, id) = scene(&app).await;
    let text = ada.get(&agreement(&id)).await.expect(200).text();
    // Somebody who never accepted leaves no agreement behind.
    let other = app.visitor();
    other.open(&link).await.expect(200);
    let details = json!({
        "name": "Mallory Zq", "email": "mallory@example.org", "accessToken": link.token,
    });
    let other_id = other.post("/api/recipients", details).await.expect(201);
    let other_id = other_id.json()["id"].as_str().unwrap().to_owned();

    let elsewhere = ada.share(idea, "full-access", json!({})).await;
    let (_, second) = mallory(&app, &elsewhere).await;

    // Unless the owner says otherwise, as the law may ask for them.
    let by_default = json!({ "password": PASSWORD });
    let kept = ada.json(Method::DELETE, &person(&id), by_default).await;
    kept.expect(204);
    erase_but_agreements(&ada, &id).await.expect(204);
    for browser in [&*ada, &*visitor] {
        let kept = browser.get(&agreement(&id)).await.expect(200).text();
        assert_eq!(kept, text);
    }
    ada.get(&agreement(&other_id)).await.expect(410);
    names_nobody(&format!("{:?}", ada.activity(idea).await));
    placed(&ada, idea).await;
    let files = bundle(&ada, idea).await;
    let agreements: Vec<&String> = files
        .iter()
        .filter(|(path, _)| path.starts_with("agreements/"))
        .map(|(_, agreement)| agreement)
        .collect();
    assert_eq!(agreements.len(), 2);
    assert!(agreements.contains(&&text));

    // Erasing the other registration reaches this one, too.
    erase(&ada, &second).await.expect(204);
    ada.get(&agreement(&id)).await.expect(410);
    ada.get(&agreement(&second)).await.expect(410);
    for (_, text) in bundle(&ada, idea).await {
        names_nobody(&text);
    }
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
}

async fn an_erased_person_may_register_anew_as_anybody_may(app: App) {
    let (ada, idea, link, visitor, id) = scene(&app).await;
    erase(&ada, &id).await.expect(204);
    let again = visitor.agree(&link).await;
    assert_ne!(again, id);
    visitor.read(&link).await;
    ada.get(&agreement(&again)).await.expect(200);
    let activity = ada.activity(idea).await;
    assert_eq!(activity[0]["recipient"]["name"], "Vera");
    assert_eq!(activity[0]["recipient"]["erased"], false);
}

async fn a_link_for_the_address_of_an_erased_person_ends(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let terms = json!({ "recipientEmail": "vera@example.org" });
    let link = ada.share(idea, "email", terms).await;
    let vera = app.visitor();
    let id = vera.register(&link).await;
    let code = app.mailed_code().await;
    vera.verify(&id, &code).await.expect(200);
    vera.accept(&id).await.expect(200);
    vera.read(&link).await;

    erase(&ada, &id).await.expect(204);
    vera.open(&link).await.expect(404);
    let shares = ada
        .get(&format!("/api/ideas/{idea}/shares"))
        .await
        .expect(200);
    assert!(
        !shares.text().contains("vera@example.org"),
        "{}",
        shares.text()
    );
    assert_eq!(shares.json()[0]["recipientEmail"], Value::Null);
    let kinds: Vec<Value> = placed(&ada, idea).await;
    let kinds: Vec<&Value> = kinds.iter().map(|event| &event["type"]).collect();
    assert_eq!(kinds[kinds.len() - 2..], ["share.revoked", "person.erased"]);
}

async fn waiting_mails_to_an_erased_person_are_dropped(app: App) {
    let busy = SmtpSink::answering("451 try again later");
    let app = app.mailing_to(&busy).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    for address in ["vera@example.org", "grace@example.org"] {
        let terms = json!({ "recipientEmail": address });
        let link = ada.share(idea, "email", terms).await;
        let visitor = app.visitor();
        visitor.open(&link).await.expect(200);
        visitor.try_register(&link, address).await.expect(201);
    }
    let waiting = || {
        let cells = app.cells();
        let ids = cells.iter().filter(|cell| cell.table == "outbox_mails");
        ids.filter(|cell| cell.column == "id").count()
    };
    // An invitation and a code for each, and the confirmation of ada's address.
    let before = waiting();
    let activity = ada.activity(idea).await;
    let vera = activity
        .iter()
        .find(|entry| entry["recipient"]["email"] == "vera@example.org")
        .unwrap();
    let vera = vera["recipient"]["id"].as_str().unwrap();
    erase(&ada, vera).await.expect(204);
    assert_eq!(waiting(), before - 2);
}

async fn the_operator_erases_a_person_in_all_ideas(app: App) {
    let (ada, idea, _, _, id) = scene(&app).await;
    let eve = app.creator("eve").await;
    let foreign = eve.idea("Fan", "<p>Blows</p>").await;
    let foreign_link = eve.share(foreign, "full-access", json!({})).await;
    let (_, at_eve) = mallory(&app, &foreign_link).await;

    let erase = ["erase-person", "mallory@example.org"];
    let unconfirmed = run(&app, &erase);
    assert_eq!(unconfirmed.status.code(), Some(1));
    let plan = String::from_utf8_lossy(&unconfirmed.stdout).into_owned();
    assert!(
        plan.contains("2 registrations, 2 accepted agreements"),
        "{plan}"
    );
    assert!(plan.contains("backups"), "{plan}");
    let complaint = String::from_utf8_lossy(&unconfirmed.stderr).into_owned();
    assert!(complaint.contains("--yes"), "{complaint}");
    ada.get(&agreement(&id)).await.expect(200);

    let keeping = [
        "erase-person",
        "mallory@example.org",
        "--yes",
        "--keep-agreements",
    ];
    let done = stdout(&run(&app, &keeping));
    assert!(
        done.contains("mallory@example.org is erased: 2 registrations"),
        "{done}"
    );
    names_nobody(&format!("{:?}", ada.activity(idea).await));
    names_nobody(&format!("{:?}", eve.activity(foreign).await));
    ada.get(&agreement(&id)).await.expect(200);

    let done = stdout(&run(
        &app,
        &["erase-person", "--yes", "MALLORY@example.org"],
    ));
    assert!(done.contains("2 accepted agreements"), "{done}");
    ada.get(&agreement(&id)).await.expect(410);
    eve.get(&agreement(&at_eve)).await.expect(410);

    let again = ["erase-person", "--yes", "mallory@example.org"];
    let said = stdout(&run(&app, &again));
    assert_eq!(said, "The vault has nothing of mallory@example.org.\n");
    let applying = json!({
        "name": "Mallory",
        "email": "mallory@example.org",
        "profession": "Spy",
    });
    app.visitor()
        .post("/api/waitlist", applying)
        .await
        .expect(200);
    let done = stdout(&run(&app, &again));
    assert!(done.contains("1 entry in the waitlist"), "{done}");
    assert!(!stdout(&run(&app, &["waitlist", "list"])).contains("Mallory"));
    let complaint = stderr(&run(&app, &["erase-person", "--yes", "nobody"]));
    assert!(complaint.contains("valid email address"), "{complaint}");
}

/// Whatever comes first, nothing of the person is left, and no request fails.
async fn a_person_may_act_while_being_erased(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    for _ in 0..6 {
        let accepting = app.visitor();
        accepting.open(&link).await.expect(200);
        let details = json!({
            "name": "Mallory Zq", "email": "mallory@example.org", "accessToken": link.token,
        });
        let id = accepting.post("/api/recipients", details).await.expect(201);
        let id = id.json()["id"].as_str().unwrap().to_owned();
        let (commenting, other) = mallory(&app, &link).await;
        let mut running = JoinSet::new();
        {
            let id = id.clone();
            running.spawn(async move { accepting.accept(&id).await.status });
        }
        let eraser = ada.at(&ada);
        running.spawn(async move { erase(&eraser, &id).await.status });
        running.spawn(async move {
            let comment = json!({ "recipientId": other, "content": "One more" });
            commenting.post("/api/comments", comment).await.status
        });
        for status in running.join_all().await {
            assert!([200, 201, 204, 401, 403, 404].contains(&status), "{status}");
        }
        names_nobody(&format!("{:?}", ada.activity(idea).await));
        let comments = ada.list(&format!("/api/comments?ideaId={idea}")).await;
        names_nobody(&format!("{comments:?}"));
        for event in placed(&ada, idea).await {
            names_nobody(&event.to_string());
        }
    }
    let check = stdout(&run(&app, &["evidence", "check"]));
    assert!(check.contains("no differences"), "{check}");
}

/// The ciphertexts are gone from the tables and, in SQLite, from the file and its
/// write-ahead log: a key that leaks later opens nothing.
async fn what_was_stored_of_an_erased_person_is_overwritten(app: App) {
    let (ada, idea, _, _, id) = scene(&app).await;
    placed(&ada, idea).await;
    let personal = |table: &str, column: &str| {
        matches!(
            (table, column),
            ("recipients" | "nda_acceptances", "details") | ("comments", "sealed")
        )
    };
    let before: Vec<Vec<u8>> = app
        .cells()
        .into_iter()
        .filter(|cell| personal(&cell.table, &cell.column))
        .map(|cell| cell.bytes)
        .collect();
    assert_eq!(before.len(), 4);
    erase(&ada, &id).await.expect(204);
    let cells = app.cells();
    for sealed in &before {
        assert!(cells.iter().all(|cell| cell.bytes != *sealed));
    }
    let disclosures = cells
        .iter()
        .filter(|cell| cell.table == "evidence_disclosures");
    let names = disclosures.filter(|cell| cell.column == "name");
    let names = names.map(|cell| String::from_utf8_lossy(&cell.bytes).into_owned());
    let names: Vec<String> = names.collect();
    assert!(!names.is_empty());
    for name in names {
        assert!(["content", "agreement"].contains(&name.as_str()), "{name}");
    }
    if let Some(database) = app.database_url().strip_prefix("sqlite://") {
        let log = format!("{database}-wal");
        for file in [database, log.as_str()] {
            let bytes = fs::read(file).unwrap_or_default();
            for sealed in &before {
                // Past the nonce; a page may cut a long value.
                let part = sealed.get(..48.min(sealed.len())).unwrap();
                let found = bytes.windows(part.len()).any(|window| window == part);
                assert!(!found, "{file}");
            }
        }
    }
}
