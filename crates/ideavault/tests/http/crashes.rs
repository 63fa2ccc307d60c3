//! The state after a server was killed during its work.
//!
//! The short runs are part of every test; `just torture` makes a hundred cycles.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::harness::{App, Creator, Form, Process, pdf};

on_both_databases!(a_few_crashes_lose_nothing);

mod torture {
    //! `just torture`.

    use crate::harness::App;

    #[tokio::test]
    #[ignore = "takes minutes: just torture"]
    async fn a_hundred_crashes_lose_nothing_on_sqlite() {
        super::crash(App::on_sqlite().await, 100).await;
    }

    #[tokio::test]
    #[ignore = "takes minutes: just torture"]
    async fn a_hundred_crashes_lose_nothing_on_postgres() {
        super::crash(App::on_postgres().await, 100).await;
    }
}

async fn a_few_crashes_lose_nothing(app: App) {
    crash(app, 3).await;
}

/// Number of concurrent writers.
const WRITERS: usize = 4;

/// A write that the server has acknowledged.
#[derive(Clone)]
enum Kept {
    /// A new idea with that content.
    Idea { id: i64, content: String },
    /// A PDF of that many bytes.
    Pdf { path: String, size: usize },
    /// A comment of the owner.
    Comment { idea: i64, text: String },
}

/// Counts acknowledged writes, and signals when there are enough.
struct Tally {
    left: AtomicUsize,
    enough: Notify,
}

impl Tally {
    fn count(&self) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.enough.notify_one();
        }
    }
}

/// Kills a server with SIGKILL during writes, `cycles` times, and checks each time that the
/// next one has everything that was acknowledged.
#[expect(clippy::print_stdout, reason = "a long run tells its figures")]
async fn crash(app: App, cycles: usize) {
    let began = Instant::now();
    let home = app.stop();
    let process = Process::of(&home);
    let ada = Arc::new(Creator::sign_up(process.browser(), "ada").await);
    process.kill();
    let mut acknowledged = 0;
    for cycle in 0..cycles {
        let process = Process::of(&home);
        let kept = work_until_killed(process, &ada, 5 + (cycle * 7) % 40, cycle).await;
        acknowledged += kept.len();
        let process = Process::of(&home);
        check(&process, &ada, &kept).await;
    }
    let process = Process::of(&home);
    let files = every_row_has_its_file(&process, &ada).await;
    println!(
        "{}: {cycles} kills, {acknowledged} acknowledged writes, {files} files, none lost, {:?}",
        home.database_url().split(':').next().unwrap(),
        began.elapsed()
    );
}

/// Lets the writers work until `enough` writes are acknowledged, and kills the server.
/// Returns the acknowledged writes.
async fn work_until_killed(
    process: Process,
    ada: &Arc<Creator>,
    enough: usize,
    cycle: usize,
) -> Vec<Kept> {
    let tally = Arc::new(Tally {
        left: AtomicUsize::new(enough),
        enough: Notify::new(),
    });
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (base, ada, tally) = (
                process.base().to_owned(),
                Arc::clone(ada),
                Arc::clone(&tally),
            );
            tokio::spawn(write(base, ada, tally, format!("{cycle} {writer}")))
        })
        .collect();
    tally.enough.notified().await;
    process.kill();
    let mut kept = Vec::new();
    for writer in writers {
        kept.extend(writer.await.unwrap());
    }
    kept
}

/// Writes until the server is gone.
async fn write(base: String, ada: Arc<Creator>, tally: Arc<Tally>, name: String) -> Vec<Kept> {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut kept = Vec::new();
    for turn in 0.. {
        let content = format!("<p>{name} {turn}</p>");
        let send = |path: &str| {
            let request = client.request(Method::POST, format!("{base}{path}"));
            request
                .header("cookie", ada.cookie_header())
                .header("sec-fetch-site", "same-origin")
        };
        let size = 1_000 + turn * 5_000 % 200_000;
        let newest = kept.iter().rev().find_map(|kept| match kept {
            Kept::Idea { id, .. } => Some(*id),
            _ => None,
        });
        let request = match (turn % 3, newest) {
            (1, Some(idea)) => {
                send("/api/comments").json(&json!({ "ideaId": idea, "content": content }))
            }
            (2, _) => {
                let form = Form::default().file("file", "a.pdf", "application/pdf", &pdf(size));
                form.on(send("/api/ideas/pdf"))
            }
            _ => send("/api/ideas").json(&json!({ "title": name, "content": content })),
        };
        let Ok(response) = request.send().await else {
            return kept;
        };
        let status = response.status();
        // A response that broke off acknowledges nothing.
        let Ok(answer) = response.json::<Value>().await else {
            return kept;
        };
        assert_eq!(status, 201, "{answer}");
        kept.push(match (turn % 3, newest) {
            (1, Some(idea)) => Kept::Comment {
                idea,
                text: content,
            },
            (2, _) => Kept::Pdf {
                path: answer["content"]["pdfPath"].as_str().unwrap().to_owned(),
                size,
            },
            _ => Kept::Idea {
                id: answer["id"].as_i64().unwrap(),
                content,
            },
        });
        tally.count();
    }
    kept
}

async fn check(process: &Process, ada: &Creator, kept: &[Kept]) {
    let browser = ada.at(&process.browser());
    for kept in kept {
        match kept {
            Kept::Idea { id, content } => {
                let idea = browser.get(&format!("/api/ideas/{id}")).await.expect(200);
                assert_eq!(idea.json()["content"], *content);
            }
            Kept::Pdf { path, size } => {
                let file = browser.get(path).await.expect(200);
                assert_eq!(file.body, pdf(*size));
            }
            Kept::Comment { idea, text } => {
                let comments = browser.list(&format!("/api/comments?ideaId={idea}")).await;
                assert!(comments.iter().any(|comment| comment["content"] == *text));
            }
        }
    }
}

/// Checks every PDF that has a row, acknowledged or not. Returns their number.
async fn every_row_has_its_file(process: &Process, ada: &Creator) -> usize {
    let browser = ada.at(&process.browser());
    let mut files = 0;
    for idea in browser.list("/api/ideas").await {
        if idea["contentKind"] == "pdf" {
            let whole = browser
                .get(&format!("/api/ideas/{}", idea["id"]))
                .await
                .json();
            let path = whole["content"]["pdfPath"].as_str().unwrap();
            let file = browser.get(path).await.expect(200);
            assert!(file.body.starts_with(b"%PDF-"));
            files += 1;
        }
    }
    files
}
