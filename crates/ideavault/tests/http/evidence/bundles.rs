//! Bundles: what they hold for whom, and that they verify without this server.

use ideavault_evidence::bundle::{BundleReader, Limits};
use ideavault_evidence::checkpoint::VerifierKey;
use ideavault_evidence::verify::{Options, Report, Verdict, verify};
use serde_json::{Value, json};

use super::{placed, reader};
use crate::harness::{App, Browser, Creator, Link, Visitor, pdf};

on_both_databases!(
    the_owners_bundle_verifies_and_holds_the_exact_content,
    a_readers_bundle_holds_nothing_of_others,
    a_reader_who_has_not_opened_the_idea_gets_no_content,
    a_bundle_is_for_those_who_may_hold_it,
    a_bundle_of_nothing_is_refused,
    a_pdf_is_in_the_bundle_byte_for_byte,
);

pub async fn key_of(ada: &Browser, idea: i64) -> VerifierKey {
    let path = format!("/api/ideas/{idea}/evidence");
    let evidence = ada.get(&path).await.expect(200).json();
    VerifierKey::parse(evidence["log"]["vkey"].as_str().unwrap()).unwrap()
}

/// Returns the bundle at that path, and what its verification found.
pub async fn checked(
    browser: &Browser,
    path: &str,
    options: &Options<'_>,
) -> (BundleReader, Report) {
    let answer = browser.get(path).await.expect(200);
    assert_eq!(answer.header("content-type"), "application/zip");
    let bundle = BundleReader::from_bytes(answer.body.to_vec(), &Limits::default()).unwrap();
    let report = verify(&bundle, options).unwrap();
    (bundle, report)
}

/// Returns the bundle at that path, which must be valid.
async fn valid(browser: &Browser, path: &str, key: VerifierKey) -> BundleReader {
    let options = Options {
        key: Some(key),
        now: Some(chrono::Utc::now()),
        ..Options::default()
    };
    let (bundle, report) = checked(browser, path, &options).await;
    let failures: Vec<String> = report.failures().map(ToString::to_string).collect();
    assert_eq!(failures, [""; 0]);
    assert_eq!(report.verdict(), Verdict::OwnWord);
    bundle
}

/// Everything in a bundle as one text.
fn text_of(bundle: &BundleReader) -> String {
    let files = bundle.paths().filter(|path| *path != "verify.py");
    let texts = files.map(|path| String::from_utf8_lossy(&bundle.read(path).unwrap()).into_owned());
    texts.collect()
}

/// An idea with two readers who have read and commented.
async fn scene(app: &App) -> (Creator, i64, Link, Visitor, Visitor) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = reader(app, &link).await;
    let grace = app.visitor();
    grace.open(&link).await.expect(200);
    let details = json!({
        "name": "Grace", "email": "grace@example.org", "accessToken": link.token,
    });
    let grace_id = grace.post("/api/recipients", details).await.expect(201);
    let grace_id = grace_id.json()["id"].as_str().unwrap().to_owned();
    grace.accept(&grace_id).await.expect(200);
    grace.read(&link).await;
    let comment = json!({ "recipientId": grace_id, "content": "Splendid" });
    grace.post("/api/comments", comment).await.expect(201);
    placed(&ada, idea).await;
    (ada, idea, link, vera, grace)
}

async fn the_owners_bundle_verifies_and_holds_the_exact_content(app: App) {
    let (ada, idea, ..) = scene(&app).await;
    ada.publish(idea).await;
    let key = key_of(&ada, idea).await;
    let path = format!("/api/ideas/{idea}/evidence.zip");
    let bundle = valid(&ada, &path, key).await;
    assert_eq!(
        bundle.read("idea/version-1.html").unwrap(),
        b"<p>It waits</p>"
    );
    let text = text_of(&bundle);
    for part in [
        "vera@example.org",
        "grace@example.org",
        "NON-DISCLOSURE AGREEMENT",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let kinds: Vec<String> = bundle
        .paths()
        .filter(|path| path.starts_with("events/") && path.ends_with(".json"))
        .map(|path| {
            let event: Value = serde_json::from_slice(&bundle.read(path).unwrap()).unwrap();
            event["type"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(
        kinds
            .iter()
            .filter(|kind| *kind == "agreement.accepted")
            .count(),
        2
    );
    assert!(kinds.contains(&"log.started".to_owned()));
    assert!(kinds.contains(&"idea.published".to_owned()));
    let report = String::from_utf8(bundle.read("report.html").unwrap()).unwrap();
    for part in [
        "<bdi>Vera</bdi>\"<br><bdi>vera@example.org</bdi><br>address not confirmed</td>",
        "Link 1 was made.",
        "\"<bdi>Grace</bdi>\" accepted the agreement \"<bdi>IdeaVault NDA",
        "opened version 1.",
        "commented.",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert_valid_in_python(&bundle);
}

/// Verifies a bundle with nothing but its files, Python and OpenSSL.
pub fn assert_valid_in_python(bundle: &BundleReader) {
    let folder = tempfile::tempdir().unwrap();
    for path in bundle.paths() {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bundle.read(path).unwrap()).unwrap();
    }
    let run = std::process::Command::new("python3")
        .arg("verify.py")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert_ne!(run.status.code(), Some(1), "{said}");
    assert!(!said.contains("FAIL"), "{said}");
}

async fn a_readers_bundle_holds_nothing_of_others(app: App) {
    let (ada, idea, link, vera, grace) = scene(&app).await;
    let key = key_of(&ada, idea).await;
    let path = format!("/api/share/{}/evidence.zip", link.token);
    let own = text_of(&valid(&vera, &path, key.clone()).await);
    assert!(own.contains("vera@example.org"));
    assert!(own.contains("It waits"));
    assert!(!own.contains("grace@example.org"));
    assert!(!own.contains("Grace"));
    let other = text_of(&valid(&grace, &path, key.clone()).await);
    assert!(other.contains("grace@example.org"));
    assert!(!other.contains("vera@example.org"));

    // Proof, but no copy, where the link allows no download.
    let change = json!({ "allowDownload": false });
    ada.put(&format!("/api/shares/{}", link.id), change)
        .await
        .expect(204);
    let without = text_of(&valid(&vera, &path, key).await);
    assert!(without.contains("vera@example.org"));
    assert!(!without.contains("It waits"));
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    vera.get(&path).await.expect(404);
}

async fn a_reader_who_has_not_opened_the_idea_gets_no_content(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "one-time", json!({ "maxViews": 2 })).await;
    let vera = reader(&app, &link).await;
    vera.close(&link).await.expect(204);
    let late = app.visitor();
    late.agree(&link).await;
    placed(&ada, idea).await;
    let key = key_of(&ada, idea).await;
    let path = format!("/api/share/{}/evidence.zip", link.token);
    let bundle = valid(&late, &path, key).await;
    let text = text_of(&bundle);
    assert!(!text.contains("It waits"));
    assert!(!bundle.paths().any(|path| path.ends_with("-content.json")));
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn a_bundle_is_for_those_who_may_hold_it(app: App) {
    let (ada, idea, link, vera, _) = scene(&app).await;
    let own = format!("/api/ideas/{idea}/evidence.zip");
    let shared = format!("/api/share/{}/evidence.zip", link.token);
    let mallory = app.creator("mallory").await;
    mallory.get(&own).await.expect(404);
    vera.get(&own).await.expect(401);
    mallory.get(&shared).await.expect(403);
    let unread = app.visitor();
    unread.register(&link).await;
    unread.get(&shared).await.expect(403);
    vera.close(&link).await.expect(204);
    vera.get(&shared).await.expect(403);
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    vera.get(&shared).await.expect(404);
}

async fn a_bundle_of_nothing_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let path = format!("/api/ideas/{idea}/evidence.zip");
    let refused = ada.get(&path).await.expect(409).text();
    assert!(
        refused.contains("Put this version on record first"),
        "{refused}"
    );
}

async fn a_pdf_is_in_the_bundle_byte_for_byte(app: App) {
    let ada = app.creator("ada").await;
    let imported = ada.pdf_idea(&pdf(5_000)).await;
    let idea = imported["id"].as_i64().unwrap();
    ada.publish(idea).await;
    placed(&ada, idea).await;
    let key = key_of(&ada, idea).await;
    let bundle = valid(&ada, &format!("/api/ideas/{idea}/evidence.zip"), key).await;
    assert_eq!(bundle.read("idea/version-1.pdf").unwrap(), pdf(5_000));
}
