//! Servers that are killed during uploads: no row without its file, and no file for good
//! without its row.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration as Wait;

use chrono::Duration;
use serde_json::Value;
use tokio::task::JoinSet;

use crate::harness::{App, Form, Process, pdf};
use crate::interrupted::{files_on_disk, head};
use crate::uploads::path_of;

on_both_databases!(
    kills_during_uploads_separate_no_file_from_its_row,
    cleanup_removes_a_file_stored_by_a_killed_server_before_its_commit,
);

mod torture {
    //! `just torture`.

    use crate::harness::App;

    #[tokio::test]
    #[ignore = "takes minutes: just torture"]
    async fn fifty_kills_during_uploads_on_sqlite() {
        super::tear(App::on_sqlite().await, 50).await;
    }

    #[tokio::test]
    #[ignore = "takes minutes: just torture"]
    async fn fifty_kills_during_uploads_on_postgres() {
        super::tear(App::on_postgres().await, 50).await;
    }
}

const SIZE: usize = 400_000;

async fn kills_during_uploads_separate_no_file_from_its_row(app: App) {
    tear(app, 3).await;
}

/// Kills a server `times` during uploads, each time at another point, and checks everything
/// afterwards.
#[expect(clippy::print_stdout, reason = "a long run tells its figures")]
async fn tear(app: App, times: usize) {
    let ada = app.creator("ada").await;
    let mut acknowledged = 0;
    for turn in 0..times {
        let process = Process::beside(&app);
        let browser = ada.at(&process.browser());
        // One upload stalls in the middle of its body, the others complete.
        let body = form().body();
        let length = format!("Content-Length: {}", body.len());
        let mut hanging = process.connect();
        hanging
            .write_all(head(&browser, &length).as_bytes())
            .unwrap();
        hanging
            .write_all(&body[..body.len() * (turn % 10) / 10])
            .unwrap();
        let mut running = JoinSet::new();
        for _ in 0..4 {
            running.spawn(upload(process.base().to_owned(), browser.cookie_header()));
        }
        // None, some or all of them are complete by then.
        for _ in 0..turn % 5 {
            acknowledged += usize::from(running.join_next().await.unwrap().unwrap());
        }
        process.kill();
        acknowledged += running
            .join_all()
            .await
            .into_iter()
            .filter(|ok| *ok)
            .count();
    }
    let ideas = ada.list("/api/ideas").await;
    assert!(
        ideas.len() >= acknowledged,
        "{} of {acknowledged}",
        ideas.len()
    );
    for idea in &ideas {
        let idea = ada.get(&format!("/api/ideas/{}", idea["id"])).await.json();
        assert!(ada.get(&path_of(&idea)).await.expect(200).body == pdf(SIZE));
    }
    sweep(&app, ideas.len()).await;
    println!(
        "{times} kills, {} files, {acknowledged} acknowledged",
        ideas.len()
    );
}

fn form() -> Form {
    Form::default().file("file", "Kettle.pdf", "application/pdf", &pdf(SIZE))
}

/// Returns whether the upload was acknowledged.
async fn upload(base: String, cookies: String) -> bool {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.post(format!("{base}/api/ideas/pdf"));
    let answer = form().on(request.header("cookie", cookies)).send().await;
    match answer {
        Ok(answer) if answer.status() == 201 => answer.json::<Value>().await.is_ok(),
        _ => false,
    }
}

/// Starts a server more than a day later, and checks that every remaining file has a row.
async fn sweep(app: &App, rows: usize) {
    app.advance(Duration::hours(26));
    let _later = app.another(&[]).await;
    let looking = async {
        let mut looks = tokio::time::interval(Wait::from_millis(20));
        while files_on_disk(app) != rows {
            looks.tick().await;
        }
    };
    let swept = tokio::time::timeout(Wait::from_secs(180), looking).await;
    assert!(swept.is_ok(), "{} files, {rows} rows", files_on_disk(app));
}

async fn cleanup_removes_a_file_stored_by_a_killed_server_before_its_commit(app: App) {
    let ada = app.creator("ada").await;
    let kept = ada.pdf_idea(&pdf(1_000)).await;
    let process = Process::beside(&app);
    let browser = ada.at(&process.browser());
    let held = app.hold("files");
    let uploading = tokio::spawn(upload(process.base().to_owned(), browser.cookie_header()));
    // The file has its final name, and the row waits for the database.
    let storing = async {
        while complete_files(&app).len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Wait::from_secs(180), storing)
        .await
        .unwrap();
    process.kill();
    assert!(!uploading.await.unwrap());
    drop(held);
    assert_eq!(complete_files(&app).len(), 2);
    assert_eq!(ada.list("/api/ideas").await.len(), 1);
    sweep(&app, 1).await;
    // The session has expired by then.
    let browser = app.browser();
    ada.log_in(&browser).await.expect(200);
    assert!(browser.get(&path_of(&kept)).await.expect(200).body == pdf(1_000));
}

/// Returns the files that have their final name.
fn complete_files(app: &App) -> Vec<PathBuf> {
    let entries = |folder: PathBuf| {
        std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    entries(app.data_dir().join("files"))
        .filter(|shard| shard.is_dir() && !shard.ends_with("incoming"))
        .flat_map(entries)
        .collect()
}
