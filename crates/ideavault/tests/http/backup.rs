//! `ideavault backup` beside a running server, and `ideavault restore`.

use std::fs;
use std::path::Path;
use std::process::Output;

use ideavault_db::testing::TestDatabase;
use ideavault_domain::digest::Digest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::commands::{binary, run, stderr, stdout, tools};
use crate::damaged_rows::{Scene, replace};
use crate::harness::{App, Creator, pdf};
use crate::rotation::WEAK;

on_both_databases!(
    a_restored_vault_has_everything,
    a_backup_taken_during_writes_is_consistent,
    a_backup_is_not_restored_without_its_key,
    a_backup_is_refused_during_a_key_rotation,
    a_backup_during_an_unfinished_rotation_needs_all_keys,
    existing_files_are_not_overwritten,
    a_refused_restore_leaves_a_running_vault_as_it_is,
    a_damaged_backup_is_detected,
    a_forged_backup_is_refused,
    a_backup_is_verified_without_being_restored,
    a_backup_from_before_a_rotation_needs_the_former_key,
    backups_and_restored_files_are_private,
    lost_files_are_reported_and_the_rest_is_backed_up,
    a_backup_with_the_files_of_another_vault_is_refused,
    damaged_rows_are_named_and_the_rest_is_restored,
    files_are_shared_with_a_former_backup,
);

/// Addresses that the server takes as well: of several hosts, and with nothing but parameters.
#[tokio::test]
async fn a_backup_takes_every_address_of_postgres() {
    let app = App::on_postgres().await;
    let original = app.database_url().to_owned();
    let rest = original.strip_prefix("postgres://").unwrap();
    let (login, rest) = rest.split_once('@').unwrap();
    let (user, password) = login.split_once(':').unwrap();
    let (host, name) = rest.split_once('/').unwrap();
    let (address, port) = host.split_once(':').unwrap();
    let (plain, parameters) = name.split_once('?').unwrap_or((name, ""));
    let parameters = Some(parameters).filter(|some| !some.is_empty());
    let parameters = parameters.unwrap_or("sslmode=prefer");
    for (number, url) in [
        format!("postgres://{login}@{host},{host}/{name}"),
        format!("postgresql:///{plain}?host={address}&port={port}&user={user}&password={password}&{parameters}"),
    ]
    .iter()
    .enumerate()
    {
        let folder = TempDir::new().unwrap();
        let to = folder.path().join(number.to_string());
        let arguments = ["backup", to.to_str().unwrap()];
        stdout(&command(&arguments, app.data_dir(), url));
        assert!(to.join("backup.json").exists());
    }
}

fn command(arguments: &[&str], data_dir: &Path, url: &str) -> Output {
    binary(arguments)
        .env("IDEAVAULT_DATABASE_URL", url)
        .env("IDEAVAULT_DATA_DIR", data_dir)
        .envs(tools())
        .output()
        .unwrap()
}

fn back_up(app: &App, to: &Path) -> Output {
    let to = to.to_str().unwrap();
    command(&["backup", to], app.data_dir(), app.database_url())
}

/// A backup folder, and a vault to restore into.
struct Drill {
    folder: TempDir,
    data_dir: TempDir,
    database: TestDatabase,
}

impl Drill {
    fn new(app: &App) -> Self {
        let drill = Self {
            folder: TempDir::new().unwrap(),
            data_dir: TempDir::new().unwrap(),
            database: app.blank_database(),
        };
        fs::copy(app.data_dir().join("secret.key"), drill.key()).unwrap();
        drill
    }

    fn key(&self) -> std::path::PathBuf {
        self.data_dir.path().join("secret.key")
    }

    fn backup(&self) -> std::path::PathBuf {
        self.folder.path().join("backup")
    }

    fn verify(&self) -> Output {
        let backup = self.backup();
        let arguments = ["backup", "--verify", backup.to_str().unwrap()];
        command(&arguments, self.data_dir.path(), self.database.url())
    }

    fn restore(&self) -> Output {
        let from = self.backup();
        let arguments = ["restore", from.to_str().unwrap()];
        command(&arguments, self.data_dir.path(), self.database.url())
    }
}

async fn a_restored_vault_has_everything(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    ada.publish(idea).await;
    let gone = ada.idea("Gone", "<p>Gone</p>").await;
    ada.delete(&format!("/api/ideas/{gone}")).await.expect(204);
    let pdf = ada.pdf_idea(&pdf(200_000)).await;
    let path = pdf["content"]["pdfPath"].as_str().unwrap();
    let link = ada.share(idea, "full-access", json!({})).await;
    let grace = app.visitor();
    let recipient = grace.agree(&link).await;
    grace.read(&link).await;
    let comment = json!({ "recipientId": recipient, "content": "Good" });
    grace.post("/api/comments", comment).await.expect(201);
    let before = ada.activity(idea).await;

    let drill = Drill::new(&app);
    let said = stdout(&back_up(&app, &drill.backup()));
    assert!(said.contains("The database and 1 files are in"), "{said}");
    let said = stdout(&drill.restore());
    // Root, who runs tests in containers, is told more.
    let said = said.split("All of it belongs to root").next().unwrap();
    assert_eq!(
        said,
        "Restored and compared: ideas: 3, versions: 2, comments: 1, entries of evidence: 3, \
         files: 1. All are as they were saved.\n\
         Before you start the server, copy the newest log-checkpoint and newest-idea that you \
         have into the data folder. Without them, the server does not notice that events are missing which it had \
         signed after this backup.\n"
    );

    let there = app.elsewhere(drill.data_dir, drill.database).await;
    let browser = there.browser();
    ada.log_in(&browser).await.expect(200);
    let read = browser.get(&format!("/api/ideas/{idea}")).await.expect(200);
    assert_eq!(read.json()["content"], "<p>It waits</p>");
    let original = ada.get(path).await.expect(200).text();
    assert_eq!(browser.get(path).await.expect(200).text(), original);
    let activity = browser.get(&format!("/api/ideas/{idea}/activity")).await;
    assert_eq!(activity.json(), json!(before));
    browser.get(&format!("/api/ideas/{gone}")).await.expect(404);
}

async fn a_backup_taken_during_writes_is_consistent(app: App) {
    let ada = app.creator("ada").await;
    let drill = Drill::new(&app);
    let work = work(&ada);
    let copy = async {
        let (data_dir, url) = (app.data_dir().to_owned(), app.database_url().to_owned());
        let to = drill.backup();
        let run = move || command(&["backup", to.to_str().unwrap()], &data_dir, &url);
        tokio::task::spawn_blocking(run).await.unwrap()
    };
    let (mut output, ()) = tokio::join!(copy, work);
    // On a slow machine, files may go between each of its attempts. It says to try again.
    if String::from_utf8_lossy(&output.stderr).contains("please try again") {
        output = back_up(&app, &drill.backup());
    }
    stdout(&output);
    stdout(&drill.restore());
}

/// Makes and deletes ideas with and without files for a while.
async fn work(ada: &Creator) {
    for _ in 0..20 {
        let pdf = ada.pdf_idea(&pdf(2_000)).await;
        let idea = ada.idea("Kettle", "<p>1</p>").await;
        let id = pdf["id"].as_i64().unwrap();
        ada.delete(&format!("/api/ideas/{id}")).await.expect(204);
        let next = json!({ "title": "Kettle", "content": "<p>2</p>" });
        ada.put(&format!("/api/ideas/{idea}"), next)
            .await
            .expect(200);
    }
}

async fn a_backup_is_not_restored_without_its_key(app: App) {
    app.creator("ada").await.idea("Kettle", "<p>1</p>").await;
    let drill = Drill::new(&app);
    stdout(&back_up(&app, &drill.backup()));
    fs::remove_file(drill.key()).unwrap();
    let complaint = stderr(&drill.restore());
    assert!(
        complaint.contains("secret key that is not here"),
        "{complaint}"
    );
    assert!(!drill.key().exists());
    // The failed restore left nothing behind: with the key it succeeds.
    fs::copy(app.data_dir().join("secret.key"), drill.key()).unwrap();
    stdout(&drill.restore());
}

async fn a_backup_is_refused_during_a_key_rotation(app: App) {
    let drill = Drill::new(&app);
    let running = fs::File::create(app.data_dir().join("rotation.lock")).unwrap();
    running.lock().unwrap();
    let complaint = stderr(&back_up(&app, &drill.backup()));
    assert!(
        complaint.contains("another rotate-key or backup"),
        "{complaint}"
    );
    assert!(!drill.backup().exists());
    drop(running);
    let said = stdout(&back_up(&app, &drill.backup()));
    assert!(said.contains("secret key is not"), "{said}");
}

async fn a_backup_during_an_unfinished_rotation_needs_all_keys(app: App) {
    let drill = Drill::new(&app);
    let keys = app.data_dir().join("secret.key");
    let former = fs::read_to_string(&keys).unwrap();
    fs::write(&keys, format!("{WEAK}\n{former}")).unwrap();
    let said = stdout(&back_up(&app, &drill.backup()));
    assert!(said.contains("keep all of them"), "{said}");
}

async fn existing_files_are_not_overwritten(app: App) {
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let drill = Drill::new(&app);
    stdout(&back_up(&app, &drill.backup()));
    let complaint = stderr(&back_up(&app, &drill.backup()));
    assert!(complaint.contains("choose a new folder"), "{complaint}");
    stdout(&drill.restore());
    let complaint = stderr(&drill.restore());
    assert!(complaint.contains("is not empty"), "{complaint}");
    // Into a database with content, but a new data folder.
    let from = drill.backup();
    let other = TempDir::new().unwrap();
    fs::copy(drill.key(), other.path().join("secret.key")).unwrap();
    let arguments = ["restore", from.to_str().unwrap()];
    let complaint = stderr(&command(&arguments, other.path(), app.database_url()));
    assert!(complaint.contains("restore into a new one"), "{complaint}");
    assert!(!other.path().join("files").exists());
}

async fn a_refused_restore_leaves_a_running_vault_as_it_is(app: App) {
    let ada = app.creator("ada").await;
    let drill = Drill::new(&app);
    stdout(&back_up(&app, &drill.backup()));
    let from = drill.backup();
    let complaint = stderr(&run(&app, &["restore", from.to_str().unwrap()]));
    assert!(complaint.contains("restore into a new one"), "{complaint}");
    // It has no files yet, so its folders are empty.
    ada.pdf_idea(&pdf(1_000)).await;
}

async fn a_damaged_backup_is_detected(app: App) {
    let ada = app.creator("ada").await;
    let pdf = ada.pdf_idea(&pdf(1_000)).await;
    let drill = Drill::new(&app);
    stdout(&back_up(&app, &drill.backup()));
    let id = pdf["content"]["pdfPath"].as_str().unwrap();
    let id = id.rsplit('/').next().unwrap();
    let file = drill.backup().join("files").join(&id[..2]).join(id);
    let mut bytes = fs::read(&file).unwrap();
    bytes[500] ^= 1;
    fs::write(&file, bytes).unwrap();
    let complaint = stderr(&drill.restore());
    let named = format!("file {id} was changed");
    assert!(complaint.contains(&named), "{complaint}");
    // Nothing was restored.
    assert!(!drill.data_dir.path().join("files").exists());
}

/// An attacker without the key who can change the backup.
async fn a_forged_backup_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let pdf = ada.pdf_idea(&pdf(1_000)).await;
    let id = pdf["content"]["pdfPath"].as_str().unwrap();
    let id = id.rsplit('/').next().unwrap();
    let drill = Drill::new(&app);
    stdout(&back_up(&app, &drill.backup()));
    let folder = drill.backup();
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let names = ["database", "backup.json", "backup.json.hmac-sha256"];
    let genuine = names.map(read);
    let refuses = |complaint: &str| {
        for output in [drill.restore(), drill.verify()] {
            let said = stderr(&output);
            assert!(said.contains(complaint), "{complaint}: {said}");
        }
        // Nothing was restored.
        assert!(!drill.data_dir.path().join("files").exists());
        for (name, content) in names.iter().zip(&genuine) {
            fs::write(folder.join(name), content).unwrap();
        }
    };
    let mut forged = genuine[0].clone();
    *forged.last_mut().unwrap() ^= 1;
    fs::write(folder.join("database"), &forged).unwrap();
    refuses("database was changed");
    fs::remove_file(folder.join("database")).unwrap();
    refuses("database is missing");
    // The manifest matches the changed file, except for the hashes that need the key.
    fs::write(folder.join("database"), &forged).unwrap();
    let mut manifest: Value = serde_json::from_slice(&genuine[1]).unwrap();
    manifest["databaseHash"] = Digest::of(&forged).to_string().into();
    let manifest = serde_json::to_vec_pretty(&manifest).unwrap();
    fs::write(folder.join("backup.json"), &manifest).unwrap();
    refuses("not written with this vault's secret key");
    fs::write(folder.join("backup.json"), &manifest).unwrap();
    let plain = Digest::of(&manifest).to_string();
    fs::write(folder.join("backup.json.hmac-sha256"), plain).unwrap();
    refuses("not written with this vault's secret key");
    fs::remove_file(folder.join("backup.json.hmac-sha256")).unwrap();
    refuses("not written with this vault's secret key");
    let file = folder.join("files").join(&id[..2]).join(id);
    let other = "00000000-0000-4000-8000-000000000000";
    fs::create_dir_all(folder.join("files/00")).unwrap();
    let planted = folder.join("files/00").join(other);
    fs::copy(&file, &planted).unwrap();
    refuses(&format!("file {other} does not belong to it"));
    fs::remove_file(planted).unwrap();
    fs::rename(&file, folder.join("aside")).unwrap();
    refuses(&format!("file {id} is missing"));
    fs::rename(folder.join("aside"), &file).unwrap();
    stdout(&drill.restore());
}

async fn a_backup_is_verified_without_being_restored(app: App) {
    let drill = Drill::new(&app);
    let complaint = stderr(&drill.verify());
    assert!(complaint.contains("is not a backup"), "{complaint}");
    stdout(&back_up(&app, &drill.backup()));
    let said = stdout(&drill.verify());
    assert!(said.contains("is complete and unchanged"), "{said}");
    assert!(said.contains("the database and 0 files"), "{said}");
    // Verification needs only the key, and creates nothing.
    assert_eq!(fs::read_dir(drill.data_dir.path()).unwrap().count(), 1);
    fs::remove_file(drill.key()).unwrap();
    let complaint = stderr(&drill.verify());
    assert!(
        complaint.contains("secret key that is not here"),
        "{complaint}"
    );
}

async fn a_backup_from_before_a_rotation_needs_the_former_key(app: App) {
    app.creator("ada").await.idea("Kettle", "<p>1</p>").await;
    let drill = Drill::new(&app);
    stdout(&back_up(&app, &drill.backup()));
    let said = stdout(&run(&app, &["rotate-key"]));
    let (_, rest) = said.split_once("is kept as ").unwrap();
    let (kept, _) = rest.split_once(": backups").unwrap();
    // Verification finds the former key in the file where the rotation stored it.
    let to = drill.backup();
    let verify = ["backup", "--verify", to.to_str().unwrap()];
    stdout(&run(&app, &verify));
    fs::copy(app.data_dir().join("secret.key"), drill.key()).unwrap();
    let complaint = stderr(&drill.restore());
    let name = Path::new(kept).file_name().unwrap().to_str().unwrap();
    assert!(complaint.contains(name), "{complaint}");
    fs::copy(kept, drill.key()).unwrap();
    stdout(&drill.restore());
}

async fn backups_and_restored_files_are_private(app: App) {
    use std::os::unix::fs::PermissionsExt as _;
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let drill = Drill::new(&app);
    stdout(&back_up(&app, &drill.backup()));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&drill.backup()), 0o700);
    assert_eq!(mode(&drill.backup().join("database")), 0o600);
    // Restored permissions do not depend on those of the backup.
    let open = fs::Permissions::from_mode(0o644);
    fs::set_permissions(drill.backup().join("database"), open).unwrap();
    stdout(&drill.restore());
    if let Some(path) = drill.database.url().strip_prefix("sqlite://") {
        assert_eq!(mode(Path::new(path)), 0o600);
    }
    let files = drill.data_dir.path().join("files");
    assert_eq!(mode(&files), 0o700);
}

/// Returns the file id in the address of a file.
fn id_of(idea: &Value) -> String {
    let path = idea["content"]["pdfPath"].as_str().unwrap();
    path.rsplit('/').next().unwrap().to_owned()
}

async fn lost_files_are_reported_and_the_rest_is_backed_up(app: App) {
    let ada = app.creator("ada").await;
    let mut ideas = Vec::new();
    for _ in 0..4 {
        ideas.push(ada.pdf_idea(&pdf(1_000)).await);
    }
    let [kept, missing, damaged, unreadable] = ideas.as_slice() else {
        panic!();
    };
    let stored = |idea: &Value| app.stored(idea["content"]["pdfPath"].as_str().unwrap());
    let aside = app.data_dir().join("aside");
    fs::rename(stored(missing), &aside).unwrap();
    let mut bytes = fs::read(stored(damaged)).unwrap();
    bytes[500] ^= 1;
    fs::write(stored(damaged), bytes).unwrap();
    fs::remove_file(stored(unreadable)).unwrap();
    fs::create_dir(stored(unreadable)).unwrap();
    let named = [
        (missing, "missing"),
        (damaged, "damaged"),
        (unreadable, "unreadable"),
    ]
    .map(|(idea, reason)| format!("file {} is {reason} (idea {})", id_of(idea), idea["id"]));

    let drill = Drill::new(&app);
    let says = |output: &Output, code, lead: &str| {
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        let said = String::from_utf8(said).unwrap();
        for part in named.iter().map(String::as_str).chain([lead]) {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(!said.contains(&id_of(kept)), "{said}");
    };
    let output = back_up(&app, &drill.backup());
    says(&output, 3, "The database and 1 files are in");
    assert!(stdout(&command(&["audit"], app.data_dir(), app.database_url())).contains("backed-up"));
    says(&drill.verify(), 3, "is unchanged, but not complete");
    // Exactly this set: no other file is missing, and none is surplus.
    let in_backup = |idea: &Value| {
        let id = id_of(idea);
        drill.backup().join("files").join(&id[..2]).join(id)
    };
    let kept_aside = drill.backup().join("aside");
    fs::rename(in_backup(kept), &kept_aside).unwrap();
    let complaint = stderr(&drill.restore());
    let expected = format!("file {} is missing", id_of(kept));
    assert!(complaint.contains(&expected), "{complaint}");
    fs::rename(&kept_aside, in_backup(kept)).unwrap();
    fs::create_dir_all(in_backup(missing).parent().unwrap()).unwrap();
    fs::copy(&aside, in_backup(missing)).unwrap();
    let complaint = stderr(&drill.verify());
    assert!(complaint.contains("does not belong to it"), "{complaint}");
    fs::remove_file(in_backup(missing)).unwrap();

    says(&drill.restore(), 0, "ideas: 4, versions: 4");
    let there = app.elsewhere(drill.data_dir, drill.database).await;
    let browser = there.browser();
    ada.log_in(&browser).await.expect(200);
    let path = |idea: &Value| idea["content"]["pdfPath"].as_str().unwrap().to_owned();
    assert!(browser.get(&path(kept)).await.expect(200).body == pdf(1_000));
    assert_ne!(browser.get(&path(missing)).await.status, 200);
}

async fn a_backup_with_the_files_of_another_vault_is_refused(app: App) {
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let drill = Drill::new(&app);
    let to = drill.backup();
    let arguments = ["backup", to.to_str().unwrap()];
    let complaint = stderr(&command(
        &arguments,
        drill.data_dir.path(),
        app.database_url(),
    ));
    assert!(complaint.contains("no file storage-id"), "{complaint}");
    assert!(!to.exists());
}

async fn damaged_rows_are_named_and_the_rest_is_restored(app: App) {
    let Scene {
        ada, idea, damaged, ..
    } = Scene::damaged(&app).await;
    let title = ada.idea("Lamp", "<p>Glows</p>").await;
    replace(&app, "ideas", "title", "id", (&title, &idea));
    let drill = Drill::new(&app);
    stdout(&back_up(&app, &drill.backup()));
    stdout(&drill.verify());
    let output = drill.restore();
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    for named in [
        format!("idea {title} cannot be read"),
        format!("comment {damaged} cannot be read"),
        "event of the activity".to_owned(),
    ] {
        assert!(complaint.contains(&named), "{named}: {complaint}");
    }
    let there = app.elsewhere(drill.data_dir, drill.database).await;
    let browser = there.browser();
    ada.log_in(&browser).await.expect(200);
    let read = browser.get(&format!("/api/ideas/{idea}")).await.expect(200);
    assert_eq!(read.json()["content"], "<p>It waits</p>");
}

async fn files_are_shared_with_a_former_backup(app: App) {
    use std::os::unix::fs::MetadataExt as _;

    let ada = app.creator("ada").await;
    let mut paths = Vec::new();
    for size in [1_000, 2_000, 3_000] {
        let idea = ada.pdf_idea(&pdf(size)).await;
        let path = idea["content"]["pdfPath"].as_str().unwrap().to_owned();
        paths.push(path.strip_prefix("/api/files/").unwrap().to_owned());
    }
    let drill = Drill::new(&app);
    stdout(&back_up(&app, &drill.backup()));
    let inside = |folder: &Path, id: &str| folder.join("files").join(&id[..2]).join(id);
    // One is damaged in the backup, and one in the vault.
    fs::write(inside(&drill.backup(), &paths[1]), "damaged").unwrap();
    fs::remove_file(inside(app.data_dir(), &paths[2])).unwrap();
    let second = drill.folder.path().join("second");
    let linking = |from: &Path| {
        let arguments = [
            "backup",
            second.to_str().unwrap(),
            "--link",
            from.to_str().unwrap(),
        ];
        command(&arguments, app.data_dir(), app.database_url())
    };
    let complaint = stderr(&linking(drill.folder.path()));
    assert!(complaint.contains("is not a backup"), "{complaint}");
    let output = linking(&drill.backup());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("2 files are in"), "{said}");
    assert!(said.contains("1 of them are shared with"), "{said}");
    let links = |id: &str| fs::metadata(inside(&second, id)).unwrap().nlink();
    assert_eq!([links(&paths[0]), links(&paths[1])], [2, 1]);
    // Each is whole without the other.
    fs::remove_dir_all(drill.backup()).unwrap();
    let verified = command(
        &["backup", "--verify", second.to_str().unwrap()],
        app.data_dir(),
        app.database_url(),
    );
    assert_eq!(verified.status.code(), Some(3), "{verified:?}");
}
