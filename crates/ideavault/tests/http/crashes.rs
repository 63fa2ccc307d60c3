//! The state after a server was killed during its work. Nothing acknowledged is lost, and the
//! log of events extends every checkpoint that somebody was given.
//!
//! The short runs are part of every test; `just torture` makes a hundred cycles.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ideavault_evidence::checkpoint::SignedCheckpoint;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::commands::{binary, stdout};
use crate::evidence::public_log::{Hash, hashes, root};
use crate::harness::{App, Browser, Creator, Form, Process, pdf};

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
    let mut checkpoints = Checkpoints::new();
    for cycle in 0..cycles {
        let process = Process::of(&home);
        let enough = 5 + (cycle * 7) % 40;
        let (kept, given) = work_until_killed(process, &ada, enough, cycle).await;
        acknowledged += kept.len();
        checkpoints.extend(given);
        let process = Process::of(&home);
        check(&process, &ada, &kept).await;
        extends(&ada.at(&process.browser()), &mut checkpoints).await;
    }
    let process = Process::of(&home);
    let files = every_row_has_its_file(&process, &ada).await;
    let check = binary(&["evidence", "check"])
        .env("IDEAVAULT_DATABASE_URL", home.database_url())
        .env("IDEAVAULT_DATA_DIR", home.data_dir())
        .output();
    let said = stdout(&check.unwrap());
    assert!(said.contains("no differences"), "{said}");
    println!(
        "{}: {cycles} kills, {acknowledged} acknowledged writes, {files} files, {} checkpoints, \
         none lost, {:?}",
        home.database_url().split(':').next().unwrap(),
        checkpoints.len(),
        began.elapsed()
    );
}

/// Roots that the server has signed, by the number of events below them.
type Checkpoints = BTreeMap<u64, Hash>;

fn parsed(note: &[u8]) -> (u64, Hash) {
    let signed = SignedCheckpoint::parse(note).unwrap();
    let head = signed.checkpoint();
    (head.size(), *head.root())
}

/// Collects the checkpoints that the server hands out, until it is gone.
async fn watch(base: String, ada: Arc<Creator>) -> Checkpoints {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut given = Checkpoints::new();
    loop {
        let request = client.get(format!("{base}/log1/checkpoint"));
        let request = request.header("cookie", ada.cookie_header());
        let Ok(response) = request.send().await else {
            return given;
        };
        assert_eq!(response.status(), 200);
        // An interrupted upload was not handed out.
        let Ok(note) = response.bytes().await else {
            return given;
        };
        let (size, root) = parsed(&note);
        assert_eq!(*given.entry(size).or_insert(root), root);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Checks that the events in the log now lead to every root that was signed before.
async fn extends(browser: &Browser, checkpoints: &mut Checkpoints) {
    let (size, newest) = parsed(&browser.get("/log1/checkpoint").await.expect(200).body);
    let known = checkpoints.last_key_value().map_or(0, |(size, _)| *size);
    assert!(size >= known, "{size} events, {known} were signed for");
    checkpoints.insert(size, newest);
    let mut leaves = Vec::new();
    for tile in 0..size.div_ceil(256) {
        let part = match size - tile * 256 {
            256.. => String::new(),
            width => format!(".p/{width}"),
        };
        let path = format!("/log1/tile/0/{tile:03}{part}");
        leaves.extend(hashes(&browser.get(&path).await.expect(200).body));
    }
    for (size, signed) in checkpoints {
        let size = usize::try_from(*size).unwrap();
        assert_eq!(
            root(&leaves[..size]),
            *signed,
            "the root over {size} events"
        );
    }
}

/// Lets the writers work until `enough` writes are acknowledged, and kills the server.
/// Returns the acknowledged writes, and the checkpoints that it handed out.
async fn work_until_killed(
    process: Process,
    ada: &Arc<Creator>,
    enough: usize,
    cycle: usize,
) -> (Vec<Kept>, Checkpoints) {
    let watching = tokio::spawn(watch(process.base().to_owned(), Arc::clone(ada)));
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
    (kept, watching.await.unwrap())
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
