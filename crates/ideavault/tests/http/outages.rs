//! A database that goes away, or accepts queries without responding.

use reqwest::Url;
use serde_json::json;

use crate::commands::{run, stdout};
use crate::harness::{Answer, App, Browser, Creator, Form, Process, Proxy, pdf};
use crate::uploads::path_of;

/// Postgres only: SQLite has no network that could fail.
mod postgres {
    use crate::harness::App;

    // The proxy keeps running while the test blocks.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_server_recovers_from_a_lost_database() {
        super::the_server_recovers_from_a_lost_database(App::on_postgres().await).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn concurrent_requests_do_not_wait_in_turn_for_a_lost_database() {
        super::concurrent_requests_do_not_wait_in_turn_for_a_lost_database(
            App::on_postgres().await,
        )
        .await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn logins_that_were_not_checked_do_not_count_as_failed() {
        super::logins_that_were_not_checked_do_not_count_as_failed(App::on_postgres().await).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_upload_keeps_its_bytes_if_the_answer_to_its_commit_is_lost() {
        super::an_upload_keeps_its_bytes_if_the_answer_to_its_commit_is_lost(
            App::on_postgres().await,
        )
        .await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_server_recovers_from_a_hanging_database() {
        super::the_server_recovers_from_a_hanging_database(App::on_postgres().await).await;
    }
}

/// A server that reaches its database through a proxy of its own.
pub async fn behind_a_proxy(app: &App) -> (App, Proxy) {
    behind_a_proxy_with(app, &[]).await
}

pub async fn behind_a_proxy_with(app: &App, options: &[&str]) -> (App, Proxy) {
    let (proxy, url) = proxy_to_database(app).await;
    let options = [&["--database-url", url.as_str()], options].concat();
    (app.another(&options).await, proxy)
}

/// Starts a proxy to the database, and returns the URL that leads through it.
pub async fn proxy_to_database(app: &App) -> (Proxy, String) {
    let mut url = Url::parse(app.database_url()).unwrap();
    let port = url.port().unwrap();
    let proxy = Proxy::to(([127, 0, 0, 1], port).into()).await;
    url.set_port(Some(proxy.address().port())).unwrap();
    (proxy, url.into())
}

async fn idea(ada: &Creator) -> i64 {
    ada.idea("Kettle", "<p>It waits</p>").await
}

/// Joins the waitlist, which needs no session.
async fn join(browser: &Browser, email: &str) -> Answer {
    let body = json!({ "name": "Grace", "email": email, "profession": "Poet" });
    browser.post("/api/waitlist", body).await
}

/// More requests than threads. A regression: each once waited for a connection until the
/// timeout before the next one began.
async fn concurrent_requests_do_not_wait_in_turn_for_a_lost_database(app: App) {
    let (proxy, url) = proxy_to_database(&app).await;
    let settings = [
        ("IDEAVAULT_DATABASE_URL", url.as_str()),
        ("IDEAVAULT_RATE_LIMIT_SCALE", "0"),
    ];
    let server = Process::with(&app, &settings);
    let browsers: Vec<_> = (0..80).map(|_| server.browser()).collect();
    proxy.cut();
    let crowd = browsers
        .iter()
        .map(|browser| join(browser, "refused@example.org"));
    for answer in futures_util::future::join_all(crowd).await {
        answer.expect(503);
    }
    proxy.pass();
    comes_back(&browsers[0]).await;
    server.terminate();
    let log = server.end();
    // The turn of the others came within the time of a request: of those that wait one after the
    // other for a connection, a dozen have it.
    let failed = log.lines().filter(|line| line.contains("request failed"));
    let tried = failed.filter(|line| line.contains("the database is unavailable"));
    assert!(tried.count() > 20, "{log}");
}

/// Everything that needs the database fails, and nothing of an idea is shown.
async fn everything_is_unavailable(server: &App, ada: &Creator, idea: i64) {
    let content = json!({ "title": "Lost", "content": "<p>Lost</p>" });
    let path = format!("/api/ideas/{idea}");
    let credentials = json!({ "email": ada.email, "password": ada.password });
    let somebody = server.browser();
    let (read, write, login, waitlist, ready, alive) = tokio::join!(
        ada.get(&path),
        ada.put(&path, content),
        somebody.post("/api/auth/login", credentials),
        join(&somebody, "refused@example.org"),
        ada.get("/readyz"),
        ada.get("/healthz"),
    );
    for refused in [read, write, login, waitlist, ready] {
        let refused = refused.expect(503);
        assert!(!refused.text().contains("It waits"));
    }
    alive.expect(200);
}

/// Repeats a request until it succeeds.
pub async fn comes_back(browser: &Browser) {
    for _ in 0..3_600 {
        if browser.get("/readyz").await.status == 200 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the server did not come back");
}

async fn the_server_recovers_from_a_lost_database(app: App) {
    let (server, proxy) = behind_a_proxy(&app).await;
    let ada = server.creator("ada").await;
    let idea = idea(&ada).await;
    proxy.cut();
    everything_is_unavailable(&server, &ada, idea).await;
    proxy.pass();
    comes_back(&ada).await;
    let read = ada.get(&format!("/api/ideas/{idea}")).await.expect(200);
    assert_eq!(read.json()["content"], "<p>It waits</p>");
}

async fn the_server_recovers_from_a_hanging_database(app: App) {
    let (server, proxy) = behind_a_proxy(&app).await;
    let ada = server.creator("ada").await;
    let idea = idea(&ada).await;
    proxy.stall();
    everything_is_unavailable(&server, &ada, idea).await;
    proxy.pass();
    comes_back(&ada).await;
    let read = ada.get(&format!("/api/ideas/{idea}")).await.expect(200);
    assert_eq!(read.json()["content"], "<p>It waits</p>");
    // A refused request is not executed later, when its turn comes.
    join(&server.browser(), "taken@example.org")
        .await
        .expect(200);
    let list = stdout(&run(&app, &["waitlist", "list"]));
    assert!(list.contains("taken@example.org"), "{list}");
    assert!(!list.contains("refused@example.org"), "{list}");
}

/// Every upload commits, and none hears so.
async fn an_upload_keeps_its_bytes_if_the_answer_to_its_commit_is_lost(app: App) {
    let (server, proxy) = behind_a_proxy(&app).await;
    let ada = server.creator("ada").await;
    proxy.lose_commit_after("INSERT INTO \"files\"");
    let form = Form::default().file("file", "Kettle.pdf", "application/pdf", &pdf(300));
    ada.upload("/api/ideas/pdf", &form).await.expect(503);
    proxy.pass();
    comes_back(&ada).await;
    let ideas = ada.list("/api/ideas").await;
    assert_eq!(ideas.len(), 1, "{ideas:?}");
    let idea = ada.get(&format!("/api/ideas/{}", ideas[0]["id"])).await;
    let file = ada.get(&path_of(&idea.expect(200).json())).await;
    assert!(file.expect(200).body == pdf(300));
}

async fn logins_that_were_not_checked_do_not_count_as_failed(app: App) {
    let ada = app.creator("ada").await;
    let (server, proxy) = behind_a_proxy_with(&app, &["--rate-limit-scale", "1"]).await;
    let browser = server.browser();
    proxy.cut();
    let attempts = futures_util::future::join_all((0..10).map(|_| ada.log_in(&browser))).await;
    for answer in attempts {
        answer.expect(503);
    }
    proxy.pass();
    comes_back(&browser).await;
    let wrong = json!({ "email": ada.email, "password": "wrong password" });
    for _ in 0..9 {
        let refused = browser.post("/api/auth/login", wrong.clone()).await;
        refused.expect(401);
    }
    ada.log_in(&browser).await.expect(200);
}
