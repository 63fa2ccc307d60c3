//! How many round trips to its database the server needs for the reads that pages repeat.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{App, Browser, Proxy};
use crate::outages::behind_a_proxy_with;

/// How long each read is tried: background jobs and the commits of other tests add to some.
const TRY_FOR: Duration = Duration::from_secs(60);

/// Postgres only: there is no network to SQLite.
mod postgres {
    use crate::harness::App;

    // The proxy keeps running while the test blocks.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn reads_take_few_round_trips() {
        super::reads_take_few_round_trips(App::on_postgres().await).await;
    }
}

/// A read, and the most round trips that it may need.
struct Read<'a> {
    name: &'static str,
    browser: &'a Browser,
    path: String,
    /// When nothing was committed since it was read.
    cached: usize,
    /// When something was.
    after_commit: usize,
}

impl Read<'_> {
    /// Returns what began each round trip of the try that needed the fewest, until one needs no
    /// more than `bound`.
    async fn fewest(&self, proxy: &Proxy, bound: usize, prepare: impl AsyncFn()) -> Vec<String> {
        let deadline = Instant::now() + TRY_FOR;
        let mut fewest: Option<Vec<String>> = None;
        loop {
            prepare().await;
            proxy.take_trips();
            self.browser.get(&self.path).await.expect(200);
            let trips = proxy.take_trips();
            let fewest = match &mut fewest {
                Some(fewest) if fewest.len() <= trips.len() => fewest,
                fewest => fewest.insert(trips),
            };
            if fewest.len() <= bound || Instant::now() > deadline {
                return std::mem::take(fewest);
            }
        }
    }
}

async fn reads_take_few_round_trips(app: App) {
    // Limits are counted in the database, but not reached.
    let (server, proxy) = behind_a_proxy_with(&app, &["--rate-limit-scale", "1000"]).await;
    let ada = server.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>A second spout</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let (newcomer, guest, vera) = (server.visitor(), server.visitor(), server.visitor());
    guest.register(&link).await;
    vera.agree(&link).await;
    vera.read(&link).await;
    let comments = format!("/api/comments?ideaId={idea}");
    for browser in [&*ada, &*vera] {
        let body = json!({ "ideaId": idea, "content": "Noted." });
        browser.post("/api/comments", body).await.expect(201);
    }
    let page = format!("/api/share/{}", link.token);
    let read = |name, browser, path: &str, cached, after_commit| Read {
        name,
        browser,
        path: path.to_owned(),
        cached,
        after_commit,
    };
    let activity = format!("/api/ideas/{idea}/activity");
    let untouched = ada.idea("Teapot", "<p>A third spout</p>").await;
    let no_activity = format!("/api/ideas/{untouched}/activity");
    let no_comments = format!("/api/comments?ideaId={untouched}");
    let reads = [
        read("account", &*ada, "/api/auth/me", 1, 2),
        read("ideas", &*ada, "/api/ideas", 1, 2),
        read("dashboard's document", &*ada, "/dashboard", 2, 2),
        read("activity", &*ada, &activity, 1, 2),
        read("comments, owner", &*ada, &comments, 1, 2),
        read("no activity", &*ada, &no_activity, 1, 3),
        read("no comments, owner", &*ada, &no_comments, 1, 3),
        read("comments, reader", &*vera, &comments, 1, 6),
        read("notices", &*ada, "/api/notices", 2, 2),
        read("unread notices", &*ada, "/api/notices/unread", 2, 2),
        read("images", &*ada, "/api/assets", 2, 2),
        read("storage", &*ada, "/api/profile/storage", 2, 2),
        read("sessions", &*ada, "/api/auth/sessions", 2, 2),
        read("link, newcomer", &*newcomer, &page, 1, 2),
        read("link, agreement", &*guest, &page, 1, 2),
        read("link, view", &*vera, &page, 1, 2),
    ];
    let mut over = Vec::new();
    for read in &reads {
        let commit = async || app.execute("UPDATE users SET name = name");
        let after_commit = read.fewest(&proxy, read.after_commit, commit).await;
        let cached = read.fewest(&proxy, read.cached, async || {}).await;
        for (when, trips, most) in [
            ("when nothing was committed", cached, read.cached),
            ("after a commit", after_commit, read.after_commit),
        ] {
            if trips.len() != most {
                let (name, count) = (read.name, trips.len());
                over.push(format!(
                    "{name} {when}: {count} instead of {most}: {trips:#?}"
                ));
            }
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}
