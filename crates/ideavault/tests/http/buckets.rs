//! Files in a bucket of S3 instead of a folder. What a storage has to keep is tested in
//! `crates/files/tests/contract.rs`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration as Wait;

use chrono::Duration;
use ideavault_domain::ids::FileId;
use ideavault_files::testing::{ACCESS_KEY_ID, S3Server, SECRET_ACCESS_KEY};
use ideavault_files::{Blobs as _, BucketStorage, Limits};
use reqwest::Method;
use tempfile::TempDir;

use crate::commands::{binary, stderr, stdout};
use crate::harness::{App, Creator, Form, pdf, png};
use crate::uploads::path_of;

const BUCKET: &str = "s3://vault/files";

/// Starts a server that keeps its files in that bucket.
async fn app_in(bucket: &str, server: &S3Server) -> App {
    App::with(&options(bucket, server)).await
}

fn options<'a>(bucket: &'a str, server: &'a S3Server) -> [&'a str; 8] {
    [
        "--storage",
        bucket,
        "--s3-endpoint",
        server.endpoint(),
        "--s3-access-key-id",
        ACCESS_KEY_ID,
        "--s3-secret-access-key",
        SECRET_ACCESS_KEY,
    ]
}

/// A command on a database and a data folder that keeps files in that bucket.
fn command(
    arguments: &[&str],
    (database_url, data_dir): (&str, &Path),
    bucket: &str,
    server: &S3Server,
) -> Command {
    let mut command = binary(arguments);
    command
        .env("IDEAVAULT_DATABASE_URL", database_url)
        .env("IDEAVAULT_DATA_DIR", data_dir)
        .env("IDEAVAULT_STORAGE", bucket)
        .env("AWS_ENDPOINT_URL", server.endpoint())
        .env("AWS_ACCESS_KEY_ID", ACCESS_KEY_ID)
        .env("AWS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY);
    command
}

fn run(app: &App, arguments: &[&str], server: &S3Server) -> Output {
    let vault = (app.database_url(), app.data_dir());
    command(arguments, vault, BUCKET, server).output().unwrap()
}

fn keys_in(server: &S3Server) -> Vec<String> {
    server.objects().into_iter().map(|(key, _)| key).collect()
}

/// Returns the key of the file at that address.
fn key_of(path: &str) -> String {
    let id = path.strip_prefix("/api/files/").unwrap();
    format!("files/{}/{id}", &id[..2])
}

async fn part(creator: &Creator, path: &str, range: &str) -> Vec<u8> {
    let got = creator.send(Method::GET, path, |request| request.header("range", range));
    got.await.expect(206).body
}

#[tokio::test]
async fn files_in_a_bucket_are_encrypted_served_in_parts_and_deleted() {
    let server = S3Server::start();
    let app = app_in(BUCKET, &server).await;
    let ada = app.creator("ada").await;
    let content = pdf(300_000);
    let idea = ada.pdf_idea(&content).await;
    let document = path_of(&idea);
    let image = ada.image("kettle.png", &png()).await;

    assert!(ada.get(&document).await.expect(200).body == content);
    assert!(part(&ada, &document, "bytes=70000-200000").await == content[70_000..=200_000]);
    assert!(part(&ada, &document, "bytes=-9").await == content[content.len() - 9..]);
    let picture = ada.get(&image).await.expect(200).body;
    assert!(part(&ada, &image, "bytes=3-").await == picture[3..]);

    // Encrypted, in the bucket alone.
    let objects = server.objects();
    let mut keys: Vec<_> = objects.iter().map(|(key, _)| key.clone()).collect();
    keys.sort_unstable();
    let mut expected = vec![key_of(&document), key_of(&image), "files/storage-id".into()];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    for (key, stored) in &objects {
        // Long enough to stand in no encrypted file by chance.
        for clear in [&b"%PDF-1.7"[..], b"\x89PNG\r\n\x1a\n"] {
            assert!(
                !stored.windows(clear.len()).any(|part| part == clear),
                "{key}"
            );
        }
    }
    let folder = fs::read_dir(app.data_dir().join("files")).unwrap();
    let names: Vec<_> = folder.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["incoming"]);

    let id = image.rsplit('/').next().unwrap();
    ada.delete(&format!("/api/assets/{id}")).await.expect(204);
    ada.get(&image).await.expect(404);
    ada.delete(&format!("/api/ideas/{}", idea["id"]))
        .await
        .expect(204);
    ada.get(&document).await.expect(404);
    assert_eq!(keys_in(&server), ["files/storage-id"]);
}

#[tokio::test]
async fn a_bucket_that_goes_away_stops_nothing_but_files() {
    let server = S3Server::start();
    let app = app_in(BUCKET, &server).await;
    let ada = app.creator("ada").await;
    let document = path_of(&ada.pdf_idea(&pdf(1_000)).await);
    ada.get("/readyz").await.expect(200);
    drop(server);
    let form = Form::default().file("file", "Loom.pdf", "application/pdf", &pdf(1_000));
    let (read, stored) = tokio::join!(ada.get(&document), ada.upload("/api/ideas/pdf", &form));
    let unavailable = "The service is unavailable right now. Please try again shortly.";
    let unreadable = "A file of this document cannot be read right now, and no view was counted.";
    for (refused, expected) in [(read, unreadable), (stored, unavailable)] {
        let text = refused.expect(503).text();
        assert!(text.contains(expected), "{text}");
    }
    // Nothing of the upload is left, and everything else works.
    assert_eq!(ada.list("/api/ideas").await.len(), 1);
    ada.idea("Loom", "<p>It weaves</p>").await;
    for _ in 0..3_600 {
        let ready = ada.get("/readyz").await;
        if ready.status == 503 {
            let text = ready.text();
            assert!(text.contains("the file storage cannot be read"), "{text}");
            return;
        }
        tokio::time::sleep(Wait::from_millis(50)).await;
    }
    panic!("it stayed ready");
}

#[tokio::test]
async fn a_server_with_another_storage_does_not_start() {
    let server = S3Server::start();
    let app = app_in(BUCKET, &server).await;
    app.creator("ada").await.pdf_idea(&pdf(1_000)).await;
    let vault = (app.database_url(), app.data_dir());
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let refusal = |command: &mut Command| stderr(&command.output().unwrap());

    let empty = refusal(&mut command(&serve, vault, "s3://vault/others", &server));
    let expected = "the bucket s3://vault/others is not known to be this vault's";
    assert!(empty.contains(expected), "{empty}");
    let folder = refusal(command(&serve, vault, BUCKET, &server).env_remove("IDEAVAULT_STORAGE"));
    assert!(
        folder.contains("is not known to be this vault's"),
        "{folder}"
    );
    let absent = refusal(&mut command(&serve, vault, "s3://absent", &server));
    assert!(absent.contains("cannot be read or written"), "{absent}");
    let keyless =
        refusal(command(&serve, vault, BUCKET, &server).env_remove("AWS_SECRET_ACCESS_KEY"));
    assert!(keyless.contains("set AWS_ACCESS_KEY_ID"), "{keyless}");
    let plain = refusal(
        command(&serve, vault, BUCKET, &server).env("AWS_ENDPOINT_URL", "http://s3.example.org"),
    );
    assert!(plain.contains("AWS_ALLOW_HTTP"), "{plain}");

    // Another vault does not take this bucket, either.
    let other = TempDir::new().unwrap();
    let new = format!("sqlite://{}", other.path().join("db").display());
    let taken = refusal(&mut command(&serve, (&new, other.path()), BUCKET, &server));
    assert!(
        taken.contains("but the bucket s3://vault/files belongs to a vault"),
        "{taken}"
    );
}

#[tokio::test]
async fn a_vault_in_a_bucket_is_backed_up_and_restored() {
    let server = S3Server::start();
    let app = app_in(BUCKET, &server).await;
    let ada = app.creator("ada").await;
    let document = path_of(&ada.pdf_idea(&pdf(200_000)).await);
    ada.image("kettle.png", &png()).await;
    let folder = TempDir::new().unwrap();
    let backup = folder.path().join("backup");
    let backup = backup.to_str().unwrap();
    let said = stdout(&run(&app, &["backup", backup], &server));
    assert!(said.contains("2 files are in"), "{said}");

    let data_dir = folder.path().join("data");
    fs::create_dir(&data_dir).unwrap();
    let key = "secret.key";
    fs::copy(app.data_dir().join(key), data_dir.join(key)).unwrap();
    let database = format!("sqlite://{}", data_dir.join("db").display());
    let restored = (database.as_str(), data_dir.as_path());
    let restore = |bucket: &str| {
        let arguments = ["restore", backup];
        let done = command(&arguments, restored, bucket, &server).output();
        done.unwrap()
    };
    let complaint = stderr(&restore(BUCKET));
    let expected = "the bucket s3://vault/files is not empty";
    assert!(complaint.contains(expected), "{complaint}");
    let said = stdout(&restore("s3://vault/restored"));
    assert!(
        said.contains("files: 2. All are as they were saved."),
        "{said}"
    );
    let copy = key_of(&document).replacen("files/", "restored/", 1);
    let objects = server.objects();
    let stored = |key: &str| objects.iter().find(|(name, _)| name == key).unwrap();
    assert!(stored(&copy).1 == stored(&key_of(&document)).1);
}

#[tokio::test]
async fn the_doctor_says_what_a_bucket_lacks() {
    let server = S3Server::start();
    let app = app_in(BUCKET, &server).await;
    app.creator("ada").await.image("kettle.png", &png()).await;
    let before = keys_in(&server);
    let files = |output: Output| {
        let report = String::from_utf8(output.stdout).unwrap();
        let lines = report.lines().filter(|line| line.contains(" files "));
        lines.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    let healthy = files(run(&app, &["doctor"], &server));
    assert!(
        healthy.contains("writable, and the ones of the database"),
        "{healthy}"
    );
    assert_eq!(keys_in(&server), before);
    let vault = (app.database_url(), app.data_dir());
    let mut forged = command(&["doctor"], vault, BUCKET, &server);
    forged.env("AWS_SECRET_ACCESS_KEY", "another");
    let refused = files(forged.output().unwrap());
    for part in ["failed", "list the bucket", "delete its objects"] {
        assert!(refused.contains(part), "{part}: {refused}");
    }
}

/// As if a server had crashed between storing and committing.
#[tokio::test]
async fn orphans_in_a_bucket_are_swept_once_they_are_old() {
    let server = S3Server::start();
    let app = app_in(BUCKET, &server).await;
    let kept = app.creator("ada").await.image("kettle.png", &png()).await;
    let bucket = BucketStorage::new(&server.settings("files"), Limits::default()).unwrap();
    let orphan: FileId = "0b9f1c1e-7d7b-4f5e-9a50-5b3a35a1f0aa".parse().unwrap();
    bucket.put(orphan, &mut &b"sealed"[..]).unwrap();
    app.advance(Duration::hours(24));
    let _soon = app.another(&options(BUCKET, &server)).await;
    app.advance(Duration::hours(2));
    let _later = app.another(&options(BUCKET, &server)).await;
    for _ in 0..3_600 {
        let keys = keys_in(&server);
        if keys.len() == 2 {
            assert!(keys.contains(&key_of(&kept)), "{keys:?}");
            return;
        }
        assert!(keys.contains(&key_of(&format!("/api/files/{orphan}"))));
        tokio::time::sleep(Wait::from_millis(50)).await;
    }
    panic!("the orphan stayed");
}

#[tokio::test]
async fn a_vault_moves_from_its_folder_to_a_bucket_and_back() {
    let server = S3Server::start();
    let app = App::on_sqlite().await;
    let ada = app.creator("ada").await;
    let content = pdf(200_000);
    let document = path_of(&ada.pdf_idea(&content).await);
    let (home, url) = (app.data_dir().to_owned(), app.database_url().to_owned());
    let vault = (url.as_str(), home.as_path());
    let in_folder = |arguments: &[&str]| {
        let mut command = command(arguments, vault, BUCKET, &server);
        command.env_remove("IDEAVAULT_STORAGE").output().unwrap()
    };
    let in_bucket = |arguments: &[&str]| {
        let done = command(arguments, vault, BUCKET, &server).output();
        done.unwrap()
    };
    let foreign = BucketStorage::new(&server.settings("foreign"), Limits::default()).unwrap();
    let stranger: FileId = "0b9f1c1e-7d7b-4f5e-9a50-5b3a35a1f0aa".parse().unwrap();
    foreign.put(stranger, &mut &b"sealed"[..]).unwrap();
    let refused = stderr(&in_folder(&[
        "storage",
        "copy",
        "--to",
        "s3://vault/foreign",
    ]));
    assert!(
        refused.contains("holds the files of another vault"),
        "{refused}"
    );
    let to_bucket = ["storage", "copy", "--to", BUCKET];
    let said = stdout(&in_folder(&to_bucket));
    assert!(said.starts_with("1 files were copied"), "{said}");
    let late = ada.image("kettle.png", &png()).await;
    // Not all files are there yet, and the servers are told apart from those that moved.
    let refused = stderr(&in_bucket(&["adopt-files"]));
    assert!(refused.contains("1 of the 2 files"), "{refused}");
    let said = stdout(&in_folder(&to_bucket));
    let expected = "1 files were copied to the bucket s3://vault/files, 1 were there already";
    assert!(said.starts_with(expected), "{said}");
    assert!(
        said.contains("set IDEAVAULT_STORAGE=s3://vault/files"),
        "{said}"
    );
    // A copy that nobody compared, because an earlier run was ended, is compared now.
    let bucket = BucketStorage::new(&server.settings("files"), Limits::default()).unwrap();
    let id: FileId = late.rsplit('/').next().unwrap().parse().unwrap();
    bucket.discard(id);
    bucket.put(id, &mut &b"something else"[..]).unwrap();
    let said = stdout(&in_folder(&to_bucket));
    assert!(said.starts_with(expected), "{said}");
    let said = stdout(&in_bucket(&["adopt-files"]));
    assert!(said.contains("2 files, none missing"), "{said}");

    // The server that stayed behind is not ready, and another like it does not start.
    let refused = stderr(&in_folder(&["serve", "--listen", "127.0.0.1:0"]));
    assert!(refused.contains("belongs to another vault"), "{refused}");
    let app = app.restart(&options(BUCKET, &server)).await;
    let ada = ada.at(&app.browser());
    assert!(ada.get(&document).await.expect(200).body == content);
    ada.get(&late).await.expect(200);

    // Back, where a damaged file is named and not taken.
    fs::remove_dir_all(home.join("files")).unwrap();
    bucket.discard(id);
    bucket.put(id, &mut &b"something else"[..]).unwrap();
    let output = in_bucket(&["storage", "copy", "--to", "folder"]);
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(
        complaint.contains(&format!("file {id} is damaged")),
        "{complaint}"
    );
    assert!(app.stored(&document).exists());
    assert!(!app.stored(&late).exists());
    let same = stderr(&in_bucket(&to_bucket));
    assert!(same.contains("already"), "{same}");
}
