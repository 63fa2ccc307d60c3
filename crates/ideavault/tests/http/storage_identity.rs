//! Servers on one database share one files folder, or refuse to run.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration as Wait;

use ideavault_db::SqlDatabase;
use tempfile::TempDir;

use crate::commands::{binary, run, stderr, stdout};
use crate::harness::{App, Browser, Process, pdf};

on_both_databases!(
    a_server_with_another_folder_does_not_start,
    one_of_two_servers_with_separate_folders_starts,
    two_servers_starting_concurrently_on_one_folder_serve,
    a_new_database_is_refused_where_a_vault_exists,
    a_wrong_setting_leaves_nothing_behind,
    an_interrupted_start_is_completed_by_the_next,
    a_running_server_detects_a_replaced_folder,
    a_restored_folder_can_be_adopted,
);

/// A data folder with the key of `app` and nothing else.
fn folder_of(app: &App) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::copy(
        app.data_dir().join("secret.key"),
        folder.path().join("secret.key"),
    )
    .unwrap();
    folder
}

fn command(arguments: &[&str], data_dir: &Path, url: &str) -> Command {
    let mut command = binary(arguments);
    command
        .env("IDEAVAULT_DATABASE_URL", url)
        .env("IDEAVAULT_DATA_DIR", data_dir);
    command
}

fn serve(data_dir: &Path, url: &str) -> Command {
    command(&["serve", "--listen", "127.0.0.1:0"], data_dir, url)
}

/// Returns the error of a server that does not start, without its log.
#[track_caller]
fn refusal(command: &mut Command) -> String {
    stderr(&command.output().unwrap())
}

fn marker(data_dir: &Path) -> std::path::PathBuf {
    data_dir.join("files").join("storage-id")
}

async fn a_server_with_another_folder_does_not_start(app: App) {
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let other = folder_of(&app);
    let complaint = refusal(&mut serve(other.path(), app.database_url()));
    for part in [
        "has no file storage-id",
        "share one files folder",
        "ideavault adopt-files",
    ] {
        assert!(complaint.contains(part), "{part}: {complaint}");
    }
    assert!(!marker(other.path()).exists());
    let foreign = "0b9f1c1e-7d7b-4f5e-9a50-5b3a35a1f0aa";
    fs::write(marker(other.path()), foreign).unwrap();
    let complaint = refusal(&mut serve(other.path(), app.database_url()));
    assert!(
        complaint.contains("belongs to another vault"),
        "{complaint}"
    );
    // With a shared folder, both run.
    let same = Process::beside(&app);
    same.browser().get("/readyz").await.expect(200);
}

/// Waits until one of them has ended, and returns it.
async fn first_to_end(servers: &mut [Child]) -> usize {
    let ending = async {
        loop {
            for (index, server) in servers.iter_mut().enumerate() {
                if server.try_wait().unwrap().is_some() {
                    return index;
                }
            }
            tokio::time::sleep(Wait::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Wait::from_secs(180), ending)
        .await
        .unwrap()
}

async fn one_of_two_servers_with_separate_folders_starts(app: App) {
    let database = app.blank_database();
    let folders = [folder_of(&app), folder_of(&app)];
    let mut servers = folders.each_ref().map(|folder| {
        let mut command = serve(folder.path(), database.url());
        command.stderr(Stdio::piped()).spawn().unwrap()
    });
    let refused = first_to_end(&mut servers).await;
    let mut complaint = String::new();
    let mut output = servers[refused].stderr.take().unwrap();
    output.read_to_string(&mut complaint).unwrap();
    assert!(complaint.contains("has no file storage-id"), "{complaint}");
    let serving = 1 - refused;
    assert!(servers[serving].try_wait().unwrap().is_none());
    servers[serving].kill().unwrap();
    servers[serving].wait().unwrap();
    assert!(marker(folders[serving].path()).exists());
    assert!(!marker(folders[refused].path()).exists());
}

async fn two_servers_starting_concurrently_on_one_folder_serve(app: App) {
    app.execute("DELETE FROM storage_identity");
    fs::remove_file(marker(app.data_dir())).unwrap();
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| Process::beside(&app));
        let second = scope.spawn(|| Process::beside(&app));
        (first.join().unwrap(), second.join().unwrap())
    });
    for server in [first, second] {
        server.browser().get("/readyz").await.expect(200);
    }
}

async fn a_new_database_is_refused_where_a_vault_exists(app: App) {
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let database = app.blank_database();
    let refuses = |data_dir: &Path, part: &str| {
        let complaint = refusal(&mut serve(data_dir, database.url()));
        assert!(complaint.contains(part), "{complaint}");
        // It stays new, so that a backup can be restored.
        SqlDatabase::require_empty(database.url()).unwrap();
    };
    refuses(app.data_dir(), "but the data folder");
    // A running server would write it again.
    let stopped = app.stop();
    fs::remove_file(stopped.data_dir().join("log-checkpoint")).unwrap();
    refuses(stopped.data_dir(), "but the files folder");
}

async fn a_wrong_setting_leaves_nothing_behind(app: App) {
    let folder = TempDir::new().unwrap();
    let database = app.blank_database();
    for wrong in ["--view-window=0s", "--smtp-url=http://mail.example.org"] {
        refusal(serve(folder.path(), database.url()).arg(wrong));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{wrong}");
        SqlDatabase::require_empty(database.url()).unwrap();
    }
}

async fn an_interrupted_start_is_completed_by_the_next(app: App) {
    // An interrupted start: the folder had its id, and the database not yet.
    app.execute("DELETE FROM storage_identity");
    let server = Process::beside(&app);
    server.browser().get("/readyz").await.expect(200);
}

/// Waits until `/readyz` responds with that status. Returns the body.
async fn becomes(browser: &Browser, status: u16) -> String {
    for _ in 0..3_600 {
        let answer = browser.get("/readyz").await;
        if answer.status == status {
            return answer.text();
        }
        tokio::time::sleep(Wait::from_millis(50)).await;
    }
    panic!("it did not become {status}");
}

async fn a_running_server_detects_a_replaced_folder(app: App) {
    let browser = app.browser();
    browser.get("/readyz").await.expect(200);
    let id = fs::read_to_string(marker(app.data_dir())).unwrap();
    fs::remove_file(marker(app.data_dir())).unwrap();
    let reason = becomes(&browser, 503).await;
    assert!(reason.contains("has no storage-id any more"), "{reason}");
    browser.get("/healthz").await.expect(200);
    fs::write(marker(app.data_dir()), &id).unwrap();
    let ready = becomes(&browser, 200).await;
    assert!(ready.contains("\"ready\":true"), "{ready}");
    fs::write(
        marker(app.data_dir()),
        "0b9f1c1e-7d7b-4f5e-9a50-5b3a35a1f0aa",
    )
    .unwrap();
    let reason = becomes(&browser, 503).await;
    assert!(reason.contains("not the one of this database"), "{reason}");
}

async fn a_restored_folder_can_be_adopted(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.pdf_idea(&pdf(1_000)).await;
    let path = idea["content"]["pdfPath"].as_str().unwrap();
    let other = folder_of(&app);
    let adopt = |more: &[&str]| {
        let arguments = [&["adopt-files"], more].concat();
        command(&arguments, other.path(), app.database_url())
            .output()
            .unwrap()
    };
    let complaint = stderr(&adopt(&[]));
    let expected = "1 of the 1 files that the database knows are not in";
    assert!(complaint.contains(expected), "{complaint}");
    assert!(complaint.contains("--accept-missing"), "{complaint}");
    assert!(!marker(other.path()).exists());

    let id = path.rsplit('/').next().unwrap();
    let shard = other.path().join("files").join(&id[..2]);
    fs::create_dir_all(&shard).unwrap();
    fs::copy(app.stored(path), shard.join(id)).unwrap();
    let said = stdout(&adopt(&[]));
    assert!(said.contains("1 file, none missing."), "{said}");
    let there = Process::elsewhere(&app, other.path());
    there.browser().get("/readyz").await.expect(200);
    // A server with the former folder reports it.
    let reason = becomes(&ada, 503).await;
    assert!(reason.contains("not the one of this database"), "{reason}");
    // And back again, to the folder of a running server.
    stdout(&run(&app, &["adopt-files"]));
    becomes(&ada, 200).await;

    fs::remove_file(shard.join(id)).unwrap();
    let said = stdout(&adopt(&["--accept-missing"]));
    assert!(said.contains("1 file, 1 missing."), "{said}");
}
