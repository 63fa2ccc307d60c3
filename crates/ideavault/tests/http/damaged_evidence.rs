//! Lost or damaged evidence is missing in bundles and exports; the rest is still there.

use std::fs;

use ideavault_evidence::bundle::{BundleReader, Limits};
use ideavault_evidence::verify::{Options, Outcome, Verdict, verify};
use serde_json::{Value, json};

use crate::commands::{run, stdout};
use crate::evidence::bundles::assert_valid_in_python;
use crate::evidence::commands::tamper;
use crate::evidence::log::{signed, stopped};
use crate::evidence::placed;
use crate::harness::{App, Browser, Creator, Visitor, png};

on_both_databases!(
    a_bundle_names_what_is_missing,
    an_agreement_is_there_as_long_as_an_event_names_it,
    content_that_no_disclosure_names_any_more_is_missing,
    what_is_missing_is_named_for_events_of_a_later_version_too,
    a_certificate_is_not_made_of_the_tables,
    an_idea_without_a_readable_title_has_a_bundle,
    an_export_names_what_is_missing,
    the_evidence_of_an_idea_leaves_out_what_is_damaged,
    a_damaged_key_of_the_log_is_told,
    recording_goes_on_in_a_new_log_after_a_damaged_key,
);

/// An idea on record, with an image, and a reader who commented.
struct Scene {
    ada: Creator,
    idea: i64,
    reader: Visitor,
    image: String,
}

impl Scene {
    async fn new(app: &App) -> Self {
        let ada = app.creator("ada").await;
        let image = ada.image("tea.png", &png()).await;
        let content = format!("<p>It waits</p><p><img src=\"{image}\" alt=\"\"></p>");
        let idea = ada.idea("Kettle", content.as_str()).await;
        let record = format!("/api/ideas/{idea}/evidence/record");
        ada.post(&record, json!({})).await.expect(200);
        let link = ada.share(idea, "full-access", json!({})).await;
        let reader = app.visitor();
        let recipient = reader.agree(&link).await;
        reader.read(&link).await;
        let comment = json!({ "recipientId": recipient, "content": "Splendid" });
        reader.post("/api/comments", comment).await.expect(201);
        placed(&ada, idea).await;
        Self {
            ada,
            idea,
            reader,
            image,
        }
    }

    /// Loses the image, the registration and the disclosures of that name.
    fn damage(&self, app: &App, disclosure: &str) {
        fs::remove_file(app.stored(&self.image)).unwrap();
        let other = "SELECT title FROM ideas LIMIT 1";
        let sql =
            format!("UPDATE evidence_disclosures SET body = ({other}) WHERE name = '{disclosure}'");
        tamper(app, "evidence_disclosures", &sql);
        tamper(
            app,
            "recipients",
            &format!("UPDATE recipients SET details = ({other})"),
        );
    }

    fn bundle(&self) -> String {
        format!("/api/ideas/{}/evidence.zip", self.idea)
    }
}

fn opened(zip: &[u8]) -> BundleReader {
    BundleReader::from_bytes(zip.to_vec(), &Limits::default()).unwrap()
}

fn text(archive: &BundleReader, path: &str) -> String {
    String::from_utf8(archive.read(path).unwrap()).unwrap()
}

/// Returns what a bundle says is missing. Nothing in it may be false, and verifiers name the same.
fn missing(bundle: &BundleReader) -> Vec<String> {
    let report = verify(bundle, &Options::default()).unwrap();
    let failures: Vec<String> = report.failures().map(ToString::to_string).collect();
    assert_eq!(failures, [""; 0]);
    assert_eq!(report.verdict(), Verdict::OwnWord);
    let index: Value = serde_json::from_str(&text(bundle, "bundle.json")).unwrap();
    let listed = index["missing"].as_array().into_iter().flatten();
    let listed: Vec<String> = listed
        .map(|path| path.as_str().unwrap().to_owned())
        .collect();
    let told = report.claims.iter().filter(|claim| {
        matches!(&claim.outcome, Outcome::Unknown { reason, .. } if reason.starts_with("It was lost"))
    });
    let told: Vec<&str> = told.map(|claim| claim.subject.as_str()).collect();
    assert_eq!(told, listed);
    assert_valid_in_python(bundle);
    let readme = text(bundle, "README.txt");
    assert!(listed.iter().all(|path| readme.contains(path)), "{readme}");
    listed
}

async fn downloaded(browser: &Browser, path: &str) -> BundleReader {
    opened(&browser.get(path).await.expect(200).body)
}

async fn a_bundle_names_what_is_missing(app: App) {
    let scene = Scene::new(&app).await;
    let whole = downloaded(&scene.ada, &scene.bundle()).await;
    assert_eq!(missing(&whole), [""; 0]);
    scene.damage(&app, "comment");
    let bundle = downloaded(&scene.ada, &scene.bundle()).await;
    let listed = missing(&bundle);
    let image = "idea/version-1-1.png".to_owned();
    assert!(listed.contains(&image), "{listed:?}");
    assert!(listed.iter().any(|path| path.starts_with("agreements/")));
    assert!(listed.iter().any(|path| path.ends_with("-comment.json")));
    assert_eq!(listed.len(), 3, "{listed:?}");
    // Everything else is there.
    let lost = |path: &str| listed.iter().any(|lost| lost == path);
    let expected: Vec<&str> = whole.paths().filter(|path| !lost(path)).collect();
    assert_eq!(bundle.paths().collect::<Vec<_>>(), expected);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evidence.zip");
    let idea = scene.idea.to_string();
    let output = run(&app, &["evidence", "export", &idea, file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(listed.iter().all(|path| said.contains(path)), "{said}");
    assert_eq!(missing(&opened(&fs::read(&file).unwrap())), listed);
}

/// Events after the offer name the agreement as well, each by a disclosure of its own row.
async fn an_agreement_is_there_as_long_as_an_event_names_it(app: App) {
    let scene = Scene::new(&app).await;
    tamper(
        &app,
        "evidence_disclosures",
        "UPDATE evidence_disclosures SET body = (SELECT title FROM ideas LIMIT 1) \
         WHERE name = 'terms' AND event = (SELECT seq FROM evidence_events \
         WHERE kind = 'agreement.offered')",
    );
    let bundle = downloaded(&scene.ada, &scene.bundle()).await;
    let listed = missing(&bundle);
    assert!(listed.iter().any(|path| path.ends_with("-terms.json")));
}

async fn content_that_no_disclosure_names_any_more_is_missing(app: App) {
    let scene = Scene::new(&app).await;
    scene.damage(&app, "content");
    let bundle = downloaded(&scene.ada, &scene.bundle()).await;
    let listed = missing(&bundle);
    assert!(listed.contains(&"idea/version-1".to_owned()), "{listed:?}");
    assert!(bundle.paths().all(|path| !path.starts_with("idea/")));
}

async fn what_is_missing_is_named_for_events_of_a_later_version_too(app: App) {
    let scene = Scene::new(&app).await;
    tamper(
        &app,
        "evidence_events",
        "UPDATE evidence_events SET body = replace(body, '{\"at\"', '{\"added\":1,\"at\"') \
         WHERE kind = 'comment.added'",
    );
    scene.damage(&app, "comment");
    let bundle = downloaded(&scene.ada, &scene.bundle()).await;
    let index: Value = serde_json::from_str(&text(&bundle, "bundle.json")).unwrap();
    let listed = index["missing"].as_array().unwrap();
    let is_comment = |path: &&Value| path.as_str().unwrap().ends_with("-comment.json");
    assert_eq!(listed.iter().filter(is_comment).count(), 1, "{listed:?}");
}

async fn a_certificate_is_not_made_of_the_tables(app: App) {
    let scene = Scene::new(&app).await;
    let published = scene.ada.publish(scene.idea).await;
    let document = published["documentId"].as_str().unwrap();
    let record = format!("/api/ideas/{}/public-record", scene.idea);
    let enabled = json!({ "enabled": true });
    scene.ada.put(&record, enabled).await.expect(200);
    let certificate = format!("/api/ideas/{}/certificate.pdf", scene.idea);
    let record = format!("/api/record/{document}");
    scene.ada.get(&certificate).await.expect(200);
    app.browser().get(&record).await.expect(200);
    scene.damage(&app, "content");
    for path in [&certificate, &record] {
        let told = scene.ada.get(path).await.expect(500).json();
        let told = told["message"].as_str().unwrap();
        assert!(told.contains("its stored data is damaged"), "{told}");
    }
}

async fn an_idea_without_a_readable_title_has_a_bundle(app: App) {
    let scene = Scene::new(&app).await;
    let other = scene.ada.idea("Lamp", "<p>Glows</p>").await;
    let sql = format!(
        "UPDATE ideas SET title = (SELECT title FROM ideas WHERE id = {other}) WHERE id = {}",
        scene.idea
    );
    tamper(&app, "ideas", &sql);
    let bundle = downloaded(&scene.ada, &scene.bundle()).await;
    assert_eq!(missing(&bundle), [""; 0]);
    scene.reader.get(&scene.bundle()).await.expect(401);
}

async fn an_export_names_what_is_missing(app: App) {
    let scene = Scene::new(&app).await;
    let other = scene.ada.idea("Lamp", "<p>Glows</p>").await;
    let export = downloaded(&scene.ada, "/api/account/export").await;
    assert!(export.paths().all(|path| path != "MISSING.txt"));
    scene.damage(&app, "comment");
    let sql = format!(
        "UPDATE ideas SET title = (SELECT title FROM ideas WHERE id = {}) WHERE id = {other}",
        scene.idea
    );
    tamper(&app, "ideas", &sql);
    let export = downloaded(&scene.ada, "/api/account/export").await;
    let said = text(&export, "MISSING.txt");
    let folder = format!("ideas/{}", scene.idea);
    let image = scene.image.replace("/api/files/", "");
    for part in [
        format!("\nfiles/{image}.png\n"),
        format!("\nidea/version-1-1.png in {folder}/evidence.zip\n"),
        format!("\nideas/{other}/idea.json\n"),
        format!(" in {folder}/activity.json\n"),
    ] {
        assert!(said.contains(&part), "{part} in {said}");
    }
    let page = text(&export, &format!("{folder}/versions/1.html"));
    assert!(page.contains("It waits"), "{page}");
    let lamp = text(&export, &format!("ideas/{other}/versions/1.exact.html"));
    assert_eq!(lamp, "<p>Glows</p>");
    let bundle = export.read(&format!("{folder}/evidence.zip")).unwrap();
    assert_eq!(missing(&opened(&bundle)).len(), 3);
}

async fn the_evidence_of_an_idea_leaves_out_what_is_damaged(app: App) {
    let scene = Scene::new(&app).await;
    let path = format!("/api/ideas/{}/evidence", scene.idea);
    let damaged = |evidence: Value| -> Vec<String> {
        let events = evidence["events"].as_array().unwrap().clone();
        let damaged = events.iter().filter(|event| event["isDamaged"] == true);
        damaged
            .map(|event| event["type"].as_str().unwrap().to_owned())
            .collect()
    };
    let before = scene.ada.get(&path).await.expect(200).json();
    assert_eq!(damaged(before), [""; 0]);
    scene.damage(&app, "content");
    let after = damaged(scene.ada.get(&path).await.expect(200).json());
    assert!(after.contains(&"revision.recorded".to_owned()), "{after:?}");
    assert!(after.contains(&"comment.added".to_owned()), "{after:?}");
}

async fn a_damaged_key_of_the_log_is_told(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    placed(&ada, idea).await;
    signed(&app, 2).await;
    let vkey = stdout(&run(&app, &["evidence", "key"]));
    // A value of the same key ring, which is encrypted for something else.
    app.execute("UPDATE evidence_log_keys SET seed = (SELECT content FROM idea_keys LIMIT 1)");
    let app = app.stop().start().await;
    let reason = stopped(&app).await;
    for said in [
        reason,
        stdout(&run(&app, &["status"])),
        stdout(&run(&app, &["evidence", "status"])),
    ] {
        assert!(
            said.contains("stopped: the secret part of the key"),
            "{said}"
        );
        assert!(said.contains(vkey.trim()), "{said}");
        assert!(
            said.contains("restore the database from a backup"),
            "{said}"
        );
    }
    let ada = ada.at(&app.browser());
    let evidence = ada.get(&format!("/api/ideas/{idea}/evidence")).await;
    assert_eq!(evidence.expect(200).json()["state"], "stopped");
    let path = format!("/api/ideas/{idea}/evidence.zip");
    assert_eq!(missing(&downloaded(&ada, &path).await), [""; 0]);
    let check = run(&app, &["evidence", "check"]);
    let said = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(
        said.contains("the secret part of the key cannot be read"),
        "{said}"
    );
}

async fn recording_goes_on_in_a_new_log_after_a_damaged_key(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    signed(&app, 1).await;
    app.execute("UPDATE evidence_log_keys SET seed = (SELECT content FROM idea_keys LIMIT 1)");
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    // A server that is running notices it when it has something to sign.
    stopped(&app).await;
    let resumed = stdout(&run(&app, &["evidence", "resume", "--yes"]));
    assert!(resumed.contains("127.0.0.1/log2"), "{resumed}");
    placed(&ada, idea).await;
    let path = format!("/api/ideas/{idea}/evidence.zip");
    assert_eq!(missing(&downloaded(&ada, &path).await), [""; 0]);
}
