//! Leaving: the export of an account, and its deletion by its owner.

use ideavault_evidence::bundle::{BundleReader, Limits};
use ideavault_evidence::verify::{Options, Verdict, verify};
use reqwest::Method;
use serde_json::{Value, json};

use crate::commands::{run, stdout};
use crate::evidence::placed;
use crate::harness::{Answer, App, Authenticator, Browser, Creator, pdf, png};

on_both_databases!(
    an_export_has_everything_of_ones_own_and_nothing_else,
    an_export_has_each_image_once,
    an_export_is_for_the_signed_in_and_limited,
    an_account_is_deleted_with_its_password,
    a_wrong_password_deletes_nothing,
    two_step_sign_in_asks_for_a_code_too,
    a_deleted_account_leaves_proofs_without_content_and_name,
);

async fn delete(browser: &Browser, body: Value) -> Answer {
    browser.json(Method::DELETE, "/api/account", body).await
}

fn entries(zip: &[u8]) -> BundleReader {
    BundleReader::from_bytes(zip.to_vec(), &Limits::default()).unwrap()
}

fn read(archive: &BundleReader, path: &str) -> Vec<u8> {
    let found: Vec<&str> = archive.paths().collect();
    let content = archive.read(path);
    content.unwrap_or_else(|error| panic!("{path}: {error}, of {found:?}"))
}

fn read_json(archive: &BundleReader, path: &str) -> Value {
    serde_json::from_slice(&read(archive, path)).unwrap()
}

async fn an_export_has_everything_of_ones_own_and_nothing_else(app: App) {
    let ada = app.creator("ada").await;
    let image = ada.image("me.png", &png()).await;
    let idea = ada
        .idea(
            "Kettle",
            format!("<p>First</p><p><img src=\"{image}\" alt=\"\"></p>"),
        )
        .await;
    let path = format!("/api/ideas/{idea}");
    ada.put(
        &path,
        json!({ "title": "Better kettle", "content": "<p>Second</p>" }),
    )
    .await
    .expect(200);
    let imported = ada.pdf_idea(&pdf(1_000)).await["id"].as_i64().unwrap();
    let link = ada
        .share(idea, "full-access", json!({ "name": "For Vera" }))
        .await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let comment = json!({ "recipientId": recipient, "content": "Splendid" });
    vera.post("/api/comments", comment).await.expect(201);
    let draft = ada.idea("Lamp", "<p>Gone</p>").await;
    ada.post(&format!("/api/ideas/{draft}/evidence/record"), json!({}))
        .await
        .expect(200);
    ada.delete(&format!("/api/ideas/{draft}")).await.expect(204);
    let eve = app.creator("eve").await;
    eve.idea("Fan", "<p>Foreign words</p>").await;
    placed(&ada, idea).await;
    placed(&ada, draft).await;

    for (writer, id, base, text) in [
        (&ada, idea.to_string(), Some(2), "Third"),
        (&ada, "new".into(), None, "Begun"),
        (&eve, "new".into(), None, "Foreign words"),
    ] {
        let content = format!("<p>{text}</p>");
        let unsaved =
            json!({ "title": text, "content": content, "baseRevision": base, "session": "a" });
        writer
            .put(&format!("/api/ideas/{id}/working-copy"), unsaved)
            .await
            .expect(204);
    }
    let answer = ada.get("/api/account/export").await.expect(200);
    assert_eq!(answer.header("content-type"), "application/zip");
    assert!(
        answer
            .header("content-disposition")
            .contains("ideavault-export.zip")
    );
    let archive = entries(&answer.body);
    let folder = format!("ideas/{idea}");
    assert_eq!(
        read_json(&archive, "profile.json")["email"],
        "ada@example.org"
    );
    let files = read_json(&archive, "files.json");
    assert_eq!(files[0]["name"], "me.png");
    assert!(read(&archive, files[0]["file"].as_str().unwrap()).starts_with(b"\x89PNG"));
    assert_eq!(
        read_json(&archive, &format!("{folder}/idea.json"))["title"],
        "Better kettle"
    );
    assert_eq!(
        read(&archive, &format!("{folder}/versions/2.exact.html")),
        b"<p>Second</p>"
    );
    let unsaved = read_json(&archive, &format!("{folder}/unsaved.json"));
    assert_eq!(unsaved[0]["content"], "<p>Third</p>");
    assert_eq!(unsaved[0]["basedOnVersion"], 2);
    let begun = read_json(&archive, "ideas/new/unsaved.json");
    assert_eq!(begun[0]["title"], "Begun");
    let beside = format!(
        "<img src=\"../../../{}\"",
        files[0]["file"].as_str().unwrap()
    );
    let first = read(&archive, &format!("{folder}/versions/1.html"));
    let first = String::from_utf8(first).unwrap();
    assert!(first.contains("<p>First</p>") && first.contains(&beside));
    assert!(!first.contains("Disclosed under"), "{first}");
    let links = read_json(&archive, &format!("{folder}/links.json"));
    assert_eq!(links[0]["name"], "For Vera");
    let activity = read_json(&archive, &format!("{folder}/activity.json"));
    assert_eq!(activity.as_array().unwrap().len(), 3);
    assert_eq!(activity[0]["type"], "viewed");
    let comments = read_json(&archive, &format!("{folder}/comments.json"));
    assert_eq!(comments[0]["text"], "Splendid");
    let events = archive
        .paths()
        .filter(|path| path.starts_with(&format!("{folder}/events/log1-")));
    assert_eq!(events.count(), 6);
    let original = archive
        .paths()
        .find(|path| path.starts_with(&format!("ideas/{imported}/")) && path.ends_with(".pdf"))
        .unwrap();
    assert_eq!(read(&archive, original), pdf(1_000));
    // The evidence in it verifies by itself, also that of the deleted draft.
    for idea in [idea, draft] {
        let bundle = entries(&read(&archive, &format!("ideas/{idea}/evidence.zip")));
        let options = Options {
            now: Some(chrono::Utc::now()),
            ..Options::default()
        };
        let report = verify(&bundle, &options).unwrap();
        assert_eq!(report.verdict(), Verdict::OwnWord);
    }
    let paths: Vec<&str> = archive.paths().collect();
    assert!(!paths.contains(&format!("ideas/{draft}/versions/1.html").as_str()));
    for path in &paths {
        let content = String::from_utf8_lossy(&read(&archive, path)).into_owned();
        assert!(!content.contains("Foreign words"), "{path}");
        assert!(!content.contains(&link.token), "{path}");
    }
    let readme = String::from_utf8(read(&archive, "README.txt")).unwrap();
    assert!(readme.contains("evidence.zip"), "{readme}");
    let audit = stdout(&run(&app, &["audit"]));
    assert!(audit.contains("exported"), "{audit}");
}

async fn an_export_has_each_image_once(app: App) {
    let ada = app.creator("ada").await;
    let image = ada.image("me.png", &png()).await;
    let mut ideas = Vec::new();
    for title in ["Kettle", "Pan", "Lamp"] {
        let content = format!("<p>First</p><p><img src=\"{image}\" alt=\"\"></p>");
        let idea = ada.idea(title, content).await;
        let record = format!("/api/ideas/{idea}/evidence/record");
        ada.post(&record, json!({})).await.expect(200);
        placed(&ada, idea).await;
        ideas.push(idea);
    }
    let export = ada.get("/api/account/export").await.expect(200).body;
    let archive = entries(&export);
    let name = image.replace("/api/files/", "");
    let stored = read(&archive, &format!("files/{name}.png"));
    let found = export.windows(stored.len()).filter(|part| *part == stored);
    assert_eq!(found.count(), 1);
    for idea in ideas {
        let bundle = entries(&read(&archive, &format!("ideas/{idea}/evidence.zip")));
        let options = Options {
            now: Some(chrono::Utc::now()),
            ..Options::default()
        };
        let report = verify(&bundle, &options).unwrap();
        assert_eq!(report.verdict(), Verdict::OwnWord);
        let path = "idea/version-1-1.png".to_owned();
        let readme = String::from_utf8(read(&bundle, "README.txt")).unwrap();
        assert!(readme.contains(&format!("Missing: {path}\n")), "{readme}");
        assert!(bundle.paths().all(|known| known != path));
        // By itself it has all.
        let whole = ada.get(&format!("/api/ideas/{idea}/evidence.zip")).await;
        assert_eq!(read(&entries(&whole.expect(200).body), &path), stored);
    }
}

async fn an_export_is_for_the_signed_in_and_limited(app: App) {
    app.browser().get("/api/account/export").await.expect(401);
    let ada = app.creator("ada").await;
    let app = app.restart(&["--rate-limit-scale", "1"]).await;
    let ada = ada.at(&app.browser());
    for _ in 0..5 {
        ada.get("/api/account/export").await.expect(200);
    }
    ada.get("/api/account/export").await.expect(429);
}

async fn an_account_is_deleted_with_its_password(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let reader = app.visitor();
    reader.agree(&link).await;
    reader.read(&link).await;
    let elsewhere = app.browser();
    ada.log_in(&elsewhere).await.expect(200);

    delete(&app.browser(), json!({ "password": ada.password }))
        .await
        .expect(401);
    delete(&reader, json!({ "password": ada.password }))
        .await
        .expect(401);
    let gone = delete(&ada, json!({ "password": ada.password }))
        .await
        .expect(204);
    assert!(!gone.cookies().is_empty());

    for browser in [&*ada, &elsewhere] {
        browser.get("/api/auth/me").await.expect(401);
    }
    ada.log_in(&app.browser()).await.expect(401);
    reader.open(&link).await.expect(404);
    let mail = app
        .mailed(|mail| {
            mail.contains("account was deleted")
                .then(|| mail.to_owned())
        })
        .await;
    assert!(mail.contains("To: ada@example.org"), "{mail}");
    let users = stdout(&run(&app, &["user", "list"]));
    assert!(!users.contains("ada@example.org"), "{users}");
    let audit = stdout(&run(&app, &["audit"]));
    assert!(audit.contains("account-deleted"), "{audit}");
    // The address is free again.
    let again = app.creator("ada").await;
    assert_eq!(again.list("/api/ideas").await.len(), 0);
}

async fn a_wrong_password_deletes_nothing(app: App) {
    let ada = app.creator("ada").await;
    let app = app.restart(&["--rate-limit-scale", "1"]).await;
    let ada = ada.at(&app.browser());
    let refused = delete(&ada, json!({ "password": "not-it" }))
        .await
        .expect(400);
    let message = refused.json()["message"].clone();
    assert_eq!(message, "This is not your password. Nothing was deleted.");
    refused.refuses("password");
    delete(&ada, json!({ "password": "" }))
        .await
        .expect(400)
        .refuses("password");
    delete(&ada, json!({})).await.expect(400);
    for _ in 0..17 {
        delete(&ada, json!({ "password": "not-it" }))
            .await
            .expect(400);
    }
    delete(&ada, json!({ "password": "not-it" }))
        .await
        .expect(429);
    ada.get("/api/auth/me").await.expect(200);
}

async fn two_step_sign_in_asks_for_a_code_too(app: App) {
    let ada = app.creator("ada").await;
    let (authenticator, _) = Authenticator::set_up(&ada, ada.password, app.now()).await;
    let password = ada.password;
    delete(&ada, json!({ "password": password }))
        .await
        .expect(400)
        .refuses("code");
    delete(&ada, json!({ "password": password, "code": "000000" }))
        .await
        .expect(400)
        .refuses("code");
    ada.get("/api/auth/me").await.expect(200);
    // The code that confirmed the set-up is used up.
    app.advance(chrono::Duration::seconds(60));
    let code = authenticator.shows(app.now());
    delete(&ada, json!({ "password": password, "code": code }))
        .await
        .expect(204);
    ada.get("/api/auth/me").await.expect(401);
}

/// The same for the owner's call and the operator's command.
async fn a_deleted_account_leaves_proofs_without_content_and_name(app: App) {
    for by_operator in [false, true] {
        let ada: Creator = app.creator("Zqada").await;
        let idea = ada.idea("Zqtitle", "<p>Zqcontent</p>").await;
        ada.publish(idea).await;
        let link = ada.share(idea, "full-access", json!({})).await;
        let reader = app.visitor();
        let recipient = reader.agree(&link).await;
        reader.read(&link).await;
        let comment = json!({ "ideaId": idea, "content": "Mine" });
        ada.post("/api/comments", comment).await.expect(201);
        // A draft with a comment, and a link that was revoked before.
        let draft = ada.idea("Zqdraft", "<p>Zqcontent</p>").await;
        let comment = json!({ "ideaId": draft, "content": "Mine" });
        ada.post("/api/comments", comment).await.expect(201);
        let ended = ada.share(draft, "full-access", json!({})).await;
        ada.delete(&format!("/api/shares/{}", ended.id))
            .await
            .expect(204);
        placed(&ada, idea).await;
        // The bundle that a reader kept still verifies afterwards.
        let held = reader
            .get(&format!("/api/share/{}/evidence.zip", link.token))
            .await
            .expect(200);

        if by_operator {
            stdout(&run(&app, &["user", "delete", "--yes", &ada.email]));
        } else {
            delete(&ada, json!({ "password": ada.password }))
                .await
                .expect(204);
        }

        let cells = app.cells();
        let of = |table: &str, column: &str| {
            let found = cells
                .iter()
                .filter(|cell| cell.table == table && cell.column == column);
            found
                .map(|cell| String::from_utf8_lossy(&cell.bytes).into_owned())
                .collect::<Vec<_>>()
        };
        // The facts about content, which name the creator, are gone; those of readers stay.
        let names = of("evidence_disclosures", "name");
        assert!(!names.contains(&"content".to_owned()), "{names:?}");
        assert!(names.contains(&"terms".to_owned()), "{names:?}");
        assert!(names.contains(&"person".to_owned()), "{names:?}");
        let kinds = of("evidence_events", "kind");
        assert!(kinds.contains(&"person.erased".to_owned()), "{kinds:?}");
        assert!(kinds.contains(&"share.revoked".to_owned()), "{kinds:?}");
        for cell in &cells {
            let text = String::from_utf8_lossy(&cell.bytes);
            assert!(
                !text.contains("Zqada") && !text.contains("zqada"),
                "{}",
                cell.table
            );
        }
        let check = stdout(&run(&app, &["evidence", "check"]));
        assert!(check.contains("no differences"), "{check}");
        let gone = reader
            .get(&format!("/api/recipients/{recipient}/agreement.txt"))
            .await;
        gone.expect(410);
        let options = Options {
            now: Some(chrono::Utc::now()),
            ..Options::default()
        };
        let report = verify(&entries(&held.body), &options).unwrap();
        assert_eq!(report.verdict(), Verdict::OwnWord);
    }
}
