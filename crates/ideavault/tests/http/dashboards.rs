//! The content of the dashboard's HTML before any script has run.

use chrono::Duration;
use reqwest::Method;
use serde_json::json;

use crate::damaged_rows::replace;
use crate::harness::{App, Browser, Creator, Process, Proxy, require_frontend};
use crate::outages::{comes_back, proxy_to_database};
use crate::pages::{shows, without_nonce};
use crate::passwords::{NEW, change};
use crate::rates::LIMITED;

on_sqlite!(
    the_dashboard_shows_its_owner_the_ideas,
    a_column_shows_six_cards_and_says_how_many_follow,
    nobody_else_is_shown_an_idea,
    a_session_that_has_ended_is_shown_nothing,
    what_ends_on_another_server_is_not_shown,
    a_title_adds_no_markup,
    an_account_with_a_notice_above_its_ideas_waits,
    more_than_a_page_of_ideas_waits,
    documents_are_filled_120_times_a_minute_per_account,
);

mod postgres_only {
    use crate::harness::App;

    // The proxy keeps running while the test blocks.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_document_does_not_wait_for_a_lost_database() {
        super::the_document_does_not_wait_for_a_lost_database(App::on_postgres().await).await;
    }
}

const TITLE: &str = "Self-heating kettle";

async fn dashboard(browser: &Browser) -> String {
    let page = browser.get("/dashboard").await.expect(200);
    assert_eq!(page.header("cache-control"), "no-store");
    without_nonce(&page)
}

/// The document of somebody who is not signed in.
async fn waiting(app: &App) -> String {
    let waiting = dashboard(&app.browser()).await;
    assert!(waiting.contains("Verifying access..."));
    waiting
}

async fn waits(app: &App, browser: &Browser) {
    assert!(dashboard(browser).await == waiting(app).await);
}

/// Returns the parts of the document with drafts and with published ideas.
fn columns(document: &str) -> (&str, &str) {
    let (_, columns) = document.split_once(">Drafts</h2>").unwrap();
    columns.split_once(">Published</h2>").unwrap()
}

/// Returns a creator with one draft, which the dashboard shows.
async fn owner(app: &App) -> (Creator, i64) {
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>It waits</p>").await;
    assert!(dashboard(&ada).await.contains(TITLE));
    (ada, idea)
}

async fn the_dashboard_shows_its_owner_the_ideas(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let empty = dashboard(&ada).await;
    for shown in [
        "No drafts yet",
        "No published ideas yet",
        "Start from scratch",
    ] {
        assert!(empty.contains(shown), "{shown}");
    }
    assert!(!empty.contains("Search your ideas"));

    let draft = ada.idea(TITLE, "<p>It waits</p>").await;
    let published = ada.idea("Folding loom", "<p>It folds</p>").await;
    ada.publish(published).await;
    let document = dashboard(&ada).await;
    let (head, body) = document.split_once("</head>").unwrap();
    assert!(!head.contains(TITLE));
    let (drafts, others) = columns(body);
    assert!(drafts.contains(&format!("Idea ({draft}) : {TITLE}")));
    assert!(drafts.contains(&format!("href=\"/editor/{draft}\"")));
    assert!(others.contains(&format!("Idea ({published}) : Folding loom")));
    assert!(!drafts.contains("Folding loom") && !others.contains(TITLE));
    assert!(body.contains("Search your ideas"));
    // Nothing reacts yet.
    assert!(body.contains("Verifying access..."));
    for absent in ["No drafts yet", "{{", "{%", "Show more"] {
        assert!(!body.contains(absent), "{absent}");
    }
    assert!(!body.contains("It waits"));
    for spelling in ["/dashboard/", "/Dashboard", "/dashboard?x=1"] {
        let document = ada.get(spelling).await.expect(200);
        assert!(document.text().contains(TITLE), "{spelling}");
    }
    // Documents of other pages hold nothing of them.
    for other in ["/", "/profile", "/editor/new", "/dashboard/more"] {
        assert!(!ada.get(other).await.text().contains(TITLE), "{other}");
    }
}

async fn a_column_shows_six_cards_and_says_how_many_follow(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    for number in 1..=6 {
        ada.idea(&format!("Kettle {number}"), "<p>It waits</p>")
            .await;
    }
    assert!(!dashboard(&ada).await.contains("Show more"));
    for number in 7..=8 {
        ada.idea(&format!("Kettle {number}"), "<p>It waits</p>")
            .await;
    }
    let document = dashboard(&ada).await;
    let (drafts, published) = columns(&document);
    // Last changed first.
    for (number, is_shown) in (1..=8).map(|number| (number, number > 2)) {
        let title = format!(": Kettle {number}<");
        assert_eq!(drafts.contains(&title), is_shown, "{number}");
    }
    assert!(drafts.contains(">8</span>"));
    assert!(drafts.contains("Show more (2)"));
    assert!(!published.contains("Show more"));
}

async fn nobody_else_is_shown_an_idea(app: App) {
    require_frontend();
    let (ada, idea) = owner(&app).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    waits(&app, &vera).await;
    let grace = app.creator("grace").await;
    let of_grace = dashboard(&grace).await;
    assert!(of_grace.contains("No drafts yet") && !of_grace.contains(TITLE));

    let session = ada.cookies()["ideavault"].clone();
    // The signature comes first.
    let forged = session.replacen(|letter: char| letter.is_ascii_alphanumeric(), "_", 1);
    for value in [&forged, &session[..session.len() - 1], "", "x"] {
        let forger = app.browser();
        forger.set_cookie("ideavault", value);
        waits(&app, &forger).await;
    }
    let head = ada.raw(Method::HEAD, "/dashboard", "").await.expect(200);
    assert_eq!(head.text(), "");
}

async fn a_session_that_has_ended_is_shown_nothing(app: App) {
    require_frontend();
    let (ada, _) = owner(&app).await;
    let stolen = ada.stolen();
    assert!(dashboard(&stolen).await.contains(TITLE));
    ada.post("/api/auth/logout", json!({})).await.expect(200);
    waits(&app, &stolen).await;
    waits(&app, &ada).await;

    let grace = app.creator("grace").await;
    grace.idea(TITLE, "<p>It waits</p>").await;
    let phone = app.browser();
    grace.log_in(&phone).await.expect(200);
    assert!(dashboard(&phone).await.contains(TITLE));
    let changed = change(grace.password, NEW, NEW);
    grace
        .post("/api/auth/change-password", changed)
        .await
        .expect(200);
    waits(&app, &phone).await;
    assert!(dashboard(&grace).await.contains(TITLE));

    let credentials = json!({ "email": grace.email, "password": NEW });
    phone.post("/api/auth/login", credentials).await.expect(200);
    assert!(dashboard(&phone).await.contains(TITLE));
    let listed = grace.list("/api/auth/sessions").await;
    let other = listed.iter().find(|session| session["current"] == false);
    let path = format!(
        "/api/auth/sessions/{}",
        other.unwrap()["id"].as_str().unwrap()
    );
    grace.delete(&path).await.expect(204);
    waits(&app, &phone).await;
    app.advance(Duration::days(60));
    waits(&app, &grace).await;
}

async fn what_ends_on_another_server_is_not_shown(app: App) {
    require_frontend();
    let (ada, idea) = owner(&app).await;
    let grace = app.creator("grace").await;
    grace.idea(TITLE, "<p>It waits</p>").await;
    assert!(dashboard(&grace).await.contains(TITLE));
    let other = Process::beside(&app);
    let there = ada.at(&other.browser());
    shows(&there, "/dashboard", TITLE).await;
    let renamed = json!({ "title": "Teapot", "content": "<p>It waits</p>", "baseRevision": 1 });
    let path = format!("/api/ideas/{idea}");
    there.put(&path, renamed).await.expect(200);
    let document = dashboard(&ada).await;
    assert!(document.contains("Teapot") && !document.contains(TITLE));
    there.delete(&path).await.expect(204);
    assert!(!dashboard(&ada).await.contains("Teapot"));
    let grace_there = grace.at(&other.browser());
    grace_there
        .post("/api/auth/logout", json!({}))
        .await
        .expect(200);
    waits(&app, &grace).await;
}

async fn a_title_adds_no_markup(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let title = "<script>x</script>\"{{ csp_nonce }}{% endfor %}{% for x in y %}";
    let idea = ada.idea(title, "<p>It waits</p>").await;
    let tags = json!({ "tags": ["<script>y</script>"] });
    ada.put(&format!("/api/ideas/{idea}/organize"), tags)
        .await
        .expect(200);
    let document = ada.get("/dashboard").await.expect(200).html();
    let escaped = "&lt;script&gt;x&lt;/script&gt;&quot;{{ csp_nonce }}{% endfor %}{% for x in y %}";
    // The title of the card, and the names of its four actions.
    assert_eq!(document.matches(escaped).count(), 5);
    assert!(document.contains("&lt;script&gt;y&lt;/script&gt;"));
    assert!(!document.contains("<script>x") && !document.contains("<script>y"));
}

async fn an_account_with_a_notice_above_its_ideas_waits(app: App) {
    require_frontend();
    let (ada, idea) = owner(&app).await;
    let other = ada.idea("Teapot", "<p>It waits</p>").await;
    replace(&app, "ideas", "title", "id", (&idea, &other));
    waits(&app, &ada).await;

    let app = app.restart(&["--confirm-addresses", "always"]).await;
    let grace = app.creator("grace").await;
    waits(&app, &grace).await;
}

async fn more_than_a_page_of_ideas_waits(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    for _ in 0..200 {
        ada.idea(TITLE, "<p>It waits</p>").await;
    }
    assert!(dashboard(&ada).await.contains(">200</span>"));
    ada.idea(TITLE, "<p>It waits</p>").await;
    waits(&app, &ada).await;
}

async fn documents_are_filled_120_times_a_minute_per_account(app: App) {
    require_frontend();
    let app = app.restart(&LIMITED).await;
    let (ada, _) = owner(&app).await;
    let grace = app.creator("grace").await;
    for _ in 1..120 {
        dashboard(&ada).await;
    }
    waits(&app, &ada).await;
    assert!(dashboard(&grace).await.contains("No drafts yet"));
    app.advance(Duration::minutes(1));
    assert!(dashboard(&ada).await.contains(TITLE));
}

/// It goes without the ideas, and the page says what is the matter.
async fn the_document_does_not_wait_for_a_lost_database(app: App) {
    require_frontend();
    let (ada, _) = owner(&app).await;
    let (proxy, url) = proxy_to_database(&app).await;
    let server = app.another_impatient(&["--database-url", &url]).await;
    let ada = ada.at(&server.browser());
    for stop in [Proxy::cut, Proxy::stall] {
        stop(&proxy);
        waits(&server, &ada).await;
        proxy.pass();
        comes_back(&ada).await;
        shows(&ada, "/dashboard", TITLE).await;
    }
}
