//! `ideavault rotate-key` beside a running server.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;

use ideavault_crypto::{KeyRing, MasterKey};
use ideavault_db::SqlDatabase;
use ideavault_domain::ports::{Database as _, DatabaseError, Encryption as _};
use serde_json::json;

use crate::commands::{run, stderr, stdout};
use crate::harness::{App, Creator, Link, pdf};

on_both_databases!(
    a_running_server_continues_without_the_former_key,
    a_rotation_ends_all_sessions_only_if_asked_to,
    a_second_rotation_is_refused_during_the_first,
    an_interrupted_rotation_resumes_with_the_same_key,
    a_rotation_interrupted_between_batches_resumes_with_the_same_key,
    a_configured_key_is_replaced_by_the_one_listed_first,
    an_interrupted_rotation_of_configured_keys_resumes,
    a_new_key_listed_second_does_not_become_the_master_key,
    a_key_that_does_not_match_the_database_is_refused_at_startup,
    a_running_server_without_the_new_key_says_so,
);

mod several_machines {
    use crate::harness::App;

    #[tokio::test]
    async fn a_rotation_is_refused_during_one_on_another_machine() {
        let app = App::on_postgres().await;
        super::a_rotation_is_refused_during_one_on_another_machine(app).await;
    }
}

/// 32 bytes that anybody could guess.
pub const WEAK: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn key_file(app: &App) -> PathBuf {
    app.data_dir().join("secret.key")
}

fn key(app: &App) -> String {
    fs::read_to_string(key_file(app)).unwrap().trim().to_owned()
}

struct Vaulted {
    ada: Creator,
    idea: i64,
    pdf: String,
    link: Link,
}

async fn fill(app: &App) -> Vaulted {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let pdf = ada.pdf_idea(&pdf(200_000)).await;
    let pdf = pdf["content"]["pdfPath"].as_str().unwrap().to_owned();
    Vaulted {
        ada,
        idea,
        pdf,
        link,
    }
}

impl Vaulted {
    async fn reads_all(&self) {
        let idea = self.ada.get(&format!("/api/ideas/{}", self.idea)).await;
        assert_eq!(idea.expect(200).json()["content"], "<p>It waits</p>");
        let file = self.ada.get(&self.pdf).await.expect(200);
        assert!(file.text().starts_with("%PDF-"));
        let link = self.ada.look_at(self.idea, &self.link).await;
        assert_eq!(link["accessLink"], self.link.token);
    }
}

async fn a_running_server_continues_without_the_former_key(app: App) {
    let vaulted = fill(&app).await;
    let former = key(&app);
    let said = stdout(&run(&app, &["rotate-key"]));
    assert!(
        said.starts_with("The master key is replaced: ")
            && said.contains(" rows were re-encrypted. Copy the new"),
        "{said}"
    );
    assert_ne!(key(&app), former);
    let id = MasterKey::parse(&former).unwrap().id().unwrap();
    let id: String = id
        .as_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let kept = app.data_dir().join(format!("secret.key.{id}"));
    assert!(said.contains(kept.to_str().unwrap()), "{said}");
    assert_eq!(fs::read_to_string(kept).unwrap().trim(), former);
    assert_eq!(key(&app).lines().count(), 1);
    vaulted.reads_all().await;
    // Rows that the running server adds before it notices are rewrapped as well.
    let later = fill_more(&vaulted.ada).await;
    let app = app.restart(&[]).await;
    // Sessions go on.
    let ada = vaulted.ada.at(&app.browser());
    for idea in [vaulted.idea, later] {
        ada.get(&format!("/api/ideas/{idea}")).await.expect(200);
    }
    ada.get(&vaulted.pdf).await.expect(200);
}

async fn a_rotation_ends_all_sessions_only_if_asked_to(app: App) {
    let ada = app.creator("ada").await;
    let app = app.restart(&[]).await;
    let ada = ada.at(&app.browser());
    ada.get("/api/ideas").await.expect(200);
    let said = stdout(&run(&app, &["rotate-key", "--end-sessions"]));
    assert!(said.ends_with("that ends all sessions.\n"), "{said}");
    // The server that runs keeps its key.
    ada.get("/api/ideas").await.expect(200);
    let app = app.restart(&[]).await;
    ada.at(&app.browser()).get("/api/ideas").await.expect(401);
}

async fn fill_more(ada: &Creator) -> i64 {
    ada.pdf_idea(&pdf(1_000)).await;
    let idea = ada.idea("Later", "<p>Later</p>").await;
    ada.share(idea, "full-access", json!({})).await;
    idea
}

async fn a_second_rotation_is_refused_during_the_first(app: App) {
    let vaulted = fill(&app).await;
    let former = key(&app);
    let running = File::create(app.data_dir().join("rotation.lock")).unwrap();
    running.lock().unwrap();
    let complaint = stderr(&run(&app, &["rotate-key"]));
    assert!(
        complaint.contains("another rotate-key or backup"),
        "{complaint}"
    );
    assert_eq!(key(&app), former);
    // A lock ends with its process, even if the file remains.
    drop(running);
    stdout(&run(&app, &["rotate-key"]));
    assert_ne!(key(&app), former);
    vaulted.reads_all().await;
}

async fn a_rotation_is_refused_during_one_on_another_machine(app: App) {
    let former = key(&app);
    let ring = KeyRing::new(&[MasterKey::parse(&former).unwrap()]).unwrap();
    let there = SqlDatabase::connect(app.database_url(), Arc::new(ring)).unwrap();
    let running = there.lock_rotation().unwrap().unwrap();
    let complaint = stderr(&run(&app, &["rotate-key"]));
    assert!(
        complaint.contains("another rotate-key or backup"),
        "{complaint}"
    );
    assert_eq!(key(&app), former);
    drop(running);
    stdout(&run(&app, &["rotate-key"]));
}

async fn an_interrupted_rotation_resumes_with_the_same_key(app: App) {
    let vaulted = fill(&app).await;
    // As if it had been interrupted after writing the new key.
    fs::write(key_file(&app), format!("{WEAK}\n{}\n", key(&app))).unwrap();
    let app = app.restart(&[]).await;
    let browser = app.browser();
    vaulted.ada.log_in(&browser).await.expect(200);
    browser.get(&vaulted.pdf).await.expect(200);
    stdout(&run(&app, &["rotate-key"]));
    assert_eq!(key(&app), WEAK);
    browser.get(&vaulted.pdf).await.expect(200);
}

/// Changes the database as a rotation to [`WEAK`] does before it is interrupted.
fn begin_rotation(app: &App, former: &str) {
    let keys = [WEAK, former].map(|key| MasterKey::parse(key).unwrap());
    let ring = KeyRing::new(&keys).unwrap();
    let weak = ring.master_key().unwrap();
    let database = SqlDatabase::connect(app.database_url(), Arc::new(ring)).unwrap();
    let renewed = database.write(|tx| {
        tx.master_keys().replace_master_key(weak)?;
        tx.master_keys().rewrap_batch(1, &mut Vec::new())
    });
    assert_eq!(
        renewed.map_err(|error: DatabaseError| error.to_string()),
        Ok(1)
    );
}

async fn a_rotation_interrupted_between_batches_resumes_with_the_same_key(app: App) {
    let vaulted = fill(&app).await;
    let former = key(&app);
    fs::write(key_file(&app), format!("{WEAK}\n{former}\n")).unwrap();
    begin_rotation(&app, &former);
    let said = stdout(&run(&app, &["rotate-key"]));
    assert!(said.contains(" rows were re-encrypted"), "{said}");
    assert_eq!(key(&app), WEAK);
    let app = app.restart(&[]).await;
    let browser = app.browser();
    vaulted.ada.log_in(&browser).await.expect(200);
    browser.get(&vaulted.pdf).await.expect(200);
}

async fn a_configured_key_is_replaced_by_the_one_listed_first(app: App) {
    let vaulted = fill(&app).await;
    let former = key(&app);
    fs::remove_file(key_file(&app)).unwrap();
    let complaint = stderr(&run(&app, &["rotate-key", "--secret-key", &former]));
    assert!(
        complaint.contains("put one before the present key"),
        "{complaint}"
    );
    let both = format!("{WEAK},{former}");
    let app = app.restart(&["--secret-key", &both]).await;
    let said = stdout(&run(&app, &["rotate-key", "--secret-key", &both]));
    assert!(said.contains("Remove all but the first key"), "{said}");
    let app = app.restart(&["--secret-key", WEAK]).await;
    let browser = app.browser();
    vaulted.ada.log_in(&browser).await.expect(200);
    browser.get(&vaulted.pdf).await.expect(200);
}

async fn an_interrupted_rotation_of_configured_keys_resumes(app: App) {
    let vaulted = fill(&app).await;
    let former = key(&app);
    fs::remove_file(key_file(&app)).unwrap();
    begin_rotation(&app, &former);
    let both = format!("{WEAK},{former}");
    let said = stdout(&run(&app, &["rotate-key", "--secret-key", &both]));
    assert!(said.contains(" rows were re-encrypted"), "{said}");
    // Also when nothing is left to do.
    stdout(&run(&app, &["rotate-key", "--secret-key", &both]));
    let app = app.restart(&["--secret-key", WEAK]).await;
    let browser = app.browser();
    vaulted.ada.log_in(&browser).await.expect(200);
    browser.get(&vaulted.pdf).await.expect(200);
}

async fn a_new_key_listed_second_does_not_become_the_master_key(app: App) {
    let present = key(&app);
    fs::remove_file(key_file(&app)).unwrap();
    let both = format!("{present},{WEAK}");
    let said = stdout(&run(&app, &["rotate-key", "--secret-key", &both]));
    assert!(
        said.contains("first key was the master key already"),
        "{said}"
    );
    assert!(said.contains("Remove all but the first key"), "{said}");
    let audit = stdout(&run(&app, &["audit", "--secret-key", &present]));
    assert!(!audit.contains("key-rotated"), "{audit}");
}

async fn a_key_that_does_not_match_the_database_is_refused_at_startup(app: App) {
    let complaint = stderr(&run(&app, &["waitlist", "list", "--secret-key", WEAK]));
    assert!(
        complaint.contains("encrypted with another secret key"),
        "{complaint}"
    );
}

async fn a_running_server_without_the_new_key_says_so(app: App) {
    let former = key(&app);
    fs::remove_file(key_file(&app)).unwrap();
    let app = app.restart(&["--secret-key", &former]).await;
    let browser = app.browser();
    browser.get("/readyz").await.expect(200);
    let both = format!("{WEAK},{former}");
    stdout(&run(&app, &["rotate-key", "--secret-key", &both]));
    let reason = browser.get("/readyz").await.expect(503).text();
    assert!(reason.contains("does not have the new one"), "{reason}");
}
