//! The preview of a link inside the HTML of its first page.

use chrono::Duration;
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::audit::recorded;
use crate::harness::{App, Browser, Process, require_frontend};
use crate::pages::{shows, without_nonce};
use crate::rates::LIMITED;

on_sqlite!(
    the_document_tells_a_newcomer_who_shares_what,
    only_the_first_page_of_a_link_has_a_preview,
    a_dead_link_that_only_a_document_names_is_recorded,
    a_title_is_text_in_the_document,
    the_document_of_a_dead_link_is_that_of_an_unknown_one,
    a_link_that_ends_on_another_server_has_no_preview_any_more,
    a_browser_that_has_registered_gets_no_preview,
    a_preview_counts_no_view_and_records_nothing,
    guessed_links_count_whether_a_page_or_a_call_names_them,
    previews_are_limited_and_pages_are_not,
);

const TITLE: &str = "Self-heating kettle";
const WAITING: &str = "Verifying access...";

async fn page(browser: &Browser, path: &str) -> String {
    without_nonce(&browser.get(path).await.expect(200))
}

/// Returns what the document says of an unknown link.
async fn of_unknown(app: &App) -> String {
    page(&app.browser(), &format!("/view/{}", unknown_token(0))).await
}

fn unknown_token(number: usize) -> String {
    format!("{number:02}{}", "A".repeat(41))
}

async fn the_document_tells_a_newcomer_who_shares_what(app: App) {
    require_frontend();
    let ada = app.creator("Ada Lovelace").await;
    let idea = ada.idea(TITLE, "<p>CANARY</p>").await;
    for (share_type, terms, needs_code) in [
        ("full-access", json!({}), false),
        ("one-time", json!({}), false),
        (
            "email",
            json!({ "recipientEmail": "vera@example.org" }),
            true,
        ),
    ] {
        let link = ada.share(idea, share_type, terms).await;
        for path in [
            format!("/view/{}", link.token),
            format!("/collect/{}/", link.token),
            format!("/collect?accessToken={}", link.token),
        ] {
            let document = page(&app.browser(), &path).await;
            assert!(document.contains("Ada Lovelace would like to show you"));
            assert!(document.contains(TITLE), "{path}");
            assert_eq!(document.contains("will send you a code"), needs_code);
            // Nothing reacts yet.
            assert!(document.contains(WAITING), "{path}");
            for absent in ["CANARY", "vera@example.org", "{{", "{%"] {
                let (_, root) = document.split_once("<div id=\"root\">").unwrap();
                let (root, _) = root.split_once("<div id=\"cookies\">").unwrap();
                assert!(!root.contains(absent), "{path}: {absent}");
            }
            // The preview of a link in a message tells nothing.
            let (head, _) = document.split_once("</head>").unwrap();
            assert!(!head.contains(TITLE) && !head.contains("Ada"), "{path}");
        }
    }
}

async fn only_the_first_page_of_a_link_has_a_preview(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    for path in ["/nda", "/document", "/record", "/unsubscribe", "/login"] {
        let paths = [
            format!("{path}/{}", link.token),
            format!("{path}?accessToken={}", link.token),
        ];
        for path in paths {
            let document = app.browser().get(&path).await;
            assert!(!document.text().contains(TITLE), "{path}");
        }
    }
    let first = format!("/view/{}", link.token);
    let head = app.browser().send(Method::HEAD, &first, |head| head).await;
    assert!(head.expect(200).body.is_empty());
    for (destination, has_title) in [("document", true), ("image", false), ("empty", false)] {
        let with = |request: RequestBuilder| request.header("sec-fetch-dest", destination);
        let document = app.browser().send(Method::GET, &first, with).await;
        assert_eq!(document.expect(200).text().contains(TITLE), has_title);
    }
}

async fn a_dead_link_that_only_a_document_names_is_recorded(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    page(&app.browser(), &format!("/view/{}", link.token)).await;
    let entry = recorded(&app, "link-dead").await;
    assert_eq!(entry[3], format!("share {}", link.id));
}

async fn a_title_is_text_in_the_document(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let title = "<script>x</script>{% if vault %}{{ csp_nonce }}&\"'";
    let idea = ada.idea(title, "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let answer = app.browser().get(&format!("/view/{}", link.token)).await;
    let escaped = "&lt;script&gt;x&lt;/script&gt;{% if vault %}{{ csp_nonce }}&amp;&quot;&#x27;";
    assert!(answer.expect(200).html().contains(escaped));
}

async fn the_document_of_a_dead_link_is_that_of_an_unknown_one(app: App) {
    require_frontend();
    let unknown = of_unknown(&app).await;
    assert!(unknown.contains(WAITING));
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Waits</p>").await;
    let revoked = ada.share(idea, "full-access", json!({})).await;
    ada.delete(&format!("/api/shares/{}", revoked.id))
        .await
        .expect(204);
    let used_up = ada.share(idea, "one-time", json!({})).await;
    let vera = app.visitor();
    vera.agree(&used_up).await;
    vera.read(&used_up).await;
    let expired = ada.share(idea, "time-dependent", json!({})).await;
    app.advance(Duration::days(40));
    ada.log_in(&ada).await.expect(200);
    let draft = ada.idea(TITLE, "<p>Goes</p>").await;
    let deleted = ada.share(draft, "full-access", json!({})).await;
    ada.delete(&format!("/api/ideas/{draft}")).await.expect(204);
    for link in [revoked, used_up, expired, deleted] {
        let path = format!("/view/{}", link.token);
        assert!(page(&app.browser(), &path).await == unknown);
    }
    for malformed in ["nothing", "%FF", "%00", "%7B%7Bcsp_nonce%7D%7D"] {
        let path = format!("/view/{malformed}");
        assert!(page(&app.browser(), &path).await == unknown, "{malformed}");
    }
    for query in ["", "?accessToken=", "?accessToken=%FF", "?other=1"] {
        let path = format!("/collect{query}");
        assert!(page(&app.browser(), &path).await == unknown, "{query}");
    }
}

async fn a_link_that_ends_on_another_server_has_no_preview_any_more(app: App) {
    require_frontend();
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let path = format!("/view/{}", link.token);
    assert!(page(&app.browser(), &path).await.contains(TITLE));
    shows(&other.browser(), &path, TITLE).await;
    ada.at(&other.browser())
        .delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    assert!(!page(&app.browser(), &path).await.contains(TITLE));
    assert!(!page(&other.browser(), &path).await.contains(TITLE));
}

async fn a_browser_that_has_registered_gets_no_preview(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let path = format!("/view/{}", link.token);
    let vera = app.visitor();
    vera.register(&link).await;
    assert!(page(&vera, &path).await.contains(WAITING));
    // A page that is opened from another site comes with the mark alone.
    let mark = vera.cookies()["ideavault-registered"].clone();
    let elsewhere = app.browser();
    elsewhere.set_cookie("ideavault-registered", &mark);
    assert!(page(&elsewhere, &path).await.contains(WAITING));
    elsewhere
        .post("/api/comments", json!({ "content": "x", "ideaId": idea }))
        .await
        .expect(401);
}

async fn a_preview_counts_no_view_and_records_nothing(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Waits</p>").await;
    let link = ada.share(idea, "one-time", json!({})).await;
    let before = ada.activity(idea).await;
    for _ in 0..3 {
        let answer = app.browser().get(&format!("/view/{}", link.token)).await;
        assert!(answer.expect(200).cookies().is_empty());
    }
    assert_eq!(ada.views(idea, &link).await, 0);
    assert_eq!(ada.activity(idea).await, before);
}

async fn guessed_links_count_whether_a_page_or_a_call_names_them(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let live = format!("/view/{}", link.token);
    for guess in 0..15 {
        let token = unknown_token(guess);
        page(&app.browser(), &format!("/view/{token}")).await;
        app.browser()
            .get(&format!("/api/share/{token}"))
            .await
            .expect(404);
    }
    assert!(page(&app.browser(), &live).await.contains(WAITING));
    app.visitor().open(&link).await.expect(429);
    app.advance(Duration::seconds(61));
    assert!(page(&app.browser(), &live).await.contains(TITLE));
    app.visitor().open(&link).await.expect(200);
}

async fn previews_are_limited_and_pages_are_not(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let app = app.restart(&LIMITED).await;
    let path = format!("/view/{}", link.token);
    for _ in 0..120 {
        assert!(page(&app.browser(), &path).await.contains(TITLE));
    }
    assert!(page(&app.browser(), &path).await.contains(WAITING));
    app.visitor().open(&link).await.expect(200);
}
