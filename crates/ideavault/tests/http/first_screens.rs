//! The content of the HTML of agreement and document pages before any script has run.

use chrono::Duration;
use serde_json::json;

use crate::harness::{App, Browser, Link, Process, Visitor, pdf, require_frontend};
use crate::pages::{shows, without_nonce};

on_sqlite!(
    a_document_begins_with_its_text_within_a_view,
    an_agreement_begins_with_its_text_while_it_waits,
    nobody_else_gets_more_than_of_an_unknown_link,
    what_has_ended_is_in_no_document,
    what_ends_on_another_server_is_in_no_document,
    a_first_view_is_counted_by_the_link_alone,
    a_new_revision_is_delivered_by_the_link_alone,
    a_stored_text_adds_no_markup,
    a_document_that_begins_with_something_else_waits,
    the_file_of_a_pdf_is_named_within_a_view_alone,
);

const TITLE: &str = "Self-heating kettle";
const TEXT: &str = "A second spout";
const AGREEMENT: &str = "NON-DISCLOSURE AGREEMENT";

async fn page(browser: &Browser, screen: &str, link: &Link) -> String {
    let path = format!("/{screen}/{}", link.token);
    without_nonce(&browser.get(&path).await.expect(200))
}

/// Returns what the page says of a link that never was.
async fn of_unknown(app: &App, screen: &str) -> String {
    let path = format!("/{screen}/{}", "A".repeat(43));
    without_nonce(&app.browser().get(&path).await.expect(200))
}

/// Returns a link to an idea, and the idea.
async fn shared(app: &App) -> (crate::harness::Creator, i64, Link) {
    let ada = app.creator("Ada Lovelace").await;
    let idea = ada.idea(TITLE, format!("<p>{TEXT}</p>")).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    (ada, idea, link)
}

/// Returns somebody within a view.
async fn reader(app: &App, link: &Link) -> Visitor {
    let vera = app.visitor();
    vera.agree(link).await;
    vera.read(link).await;
    vera
}

async fn waits(app: &App, browser: &Browser, link: &Link) {
    for screen in ["nda", "document"] {
        let unknown = of_unknown(app, screen).await;
        assert!(page(browser, screen, link).await == unknown, "{screen}");
    }
}

async fn a_document_begins_with_its_text_within_a_view(app: App) {
    require_frontend();
    let (ada, idea, link) = shared(&app).await;
    let published = ada.publish(idea).await;
    let vera = reader(&app, &link).await;
    let document = page(&vera, "document", &link).await;
    let (head, body) = document.split_once("</head>").unwrap();
    for shown in [
        &format!("<p>{TEXT}</p>"),
        TITLE,
        "Shared by Ada Lovelace",
        published["documentId"].as_str().unwrap(),
    ] {
        assert!(body.contains(shown), "{shown}");
        assert!(!head.contains(shown), "{shown}");
    }
    // Nothing reacts yet.
    assert!(body.contains("Verifying access..."));
    for absent in ["{{", "{%"] {
        assert!(!body.contains(absent), "{absent}");
    }
    let path = format!("/document?accessToken={}", link.token);
    assert!(vera.get(&path).await.expect(200).text().contains(TEXT));
    // The agreement is behind this reader.
    let agreement = page(&vera, "nda", &link).await;
    assert!(agreement == of_unknown(&app, "nda").await);
}

async fn an_agreement_begins_with_its_text_while_it_waits(app: App) {
    require_frontend();
    let (_, _, link) = shared(&app).await;
    let vera = app.visitor();
    vera.register(&link).await;
    // Its delivery is recorded by the link alone.
    waits(&app, &vera, &link).await;
    vera.open(&link).await.expect(200);
    let agreement = page(&vera, "nda", &link).await;
    for shown in [AGREEMENT, TITLE, "Ada Lovelace", "Vera"] {
        assert!(agreement.contains(shown), "{shown}");
    }
    assert!(!agreement.contains(TEXT));
    let document = page(&vera, "document", &link).await;
    assert!(document == of_unknown(&app, "document").await);
}

async fn nobody_else_gets_more_than_of_an_unknown_link(app: App) {
    require_frontend();
    let (ada, _, link) = shared(&app).await;
    let vera = reader(&app, &link).await;
    waits(&app, &app.browser(), &link).await;
    let registered = app.visitor();
    registered.register(&link).await;
    waits(&app, &registered, &link).await;
    let grace = app.creator("grace").await;
    for creator in [&ada, &grace] {
        waits(&app, creator, &link).await;
    }
    // A page that is opened from another site comes with the mark alone.
    let elsewhere = app.browser();
    elsewhere.set_cookie(
        "ideavault-registered",
        &vera.cookies()["ideavault-registered"],
    );
    waits(&app, &elsewhere, &link).await;
    // A reader of another link.
    let other = ada.idea("Other", "<p>Other</p>").await;
    let other = ada.share(other, "full-access", json!({})).await;
    let other = reader(&app, &other).await;
    waits(&app, &other, &link).await;
}

async fn what_has_ended_is_in_no_document(app: App) {
    require_frontend();
    let (ada, idea, closed) = shared(&app).await;
    let share = async |share_type| ada.share(idea, share_type, json!({})).await;
    let (revoked, once, expired) = (
        share("full-access").await,
        share("one-time").await,
        share("time-dependent").await,
    );
    let mut readers = Vec::new();
    for link in [&closed, &revoked, &once, &expired] {
        let vera = reader(&app, link).await;
        assert!(page(&vera, "document", link).await.contains(TEXT));
        readers.push(vera);
    }
    let [at_closed, at_revoked, at_once, at_expired] = &readers[..] else {
        panic!("four readers");
    };
    at_closed.close(&closed).await.expect(204);
    waits(&app, at_closed, &closed).await;
    ada.delete(&format!("/api/shares/{}", revoked.id))
        .await
        .expect(204);
    waits(&app, at_revoked, &revoked).await;
    app.advance(Duration::minutes(31));
    waits(&app, at_once, &once).await;
    app.advance(Duration::days(40));
    waits(&app, at_expired, &expired).await;
}

async fn what_ends_on_another_server_is_in_no_document(app: App) {
    require_frontend();
    let (ada, idea, revoked) = shared(&app).await;
    let deleted = ada.share(idea, "full-access", json!({})).await;
    let other = Process::beside(&app);
    let readers = [reader(&app, &revoked).await, reader(&app, &deleted).await];
    for (vera, link) in readers.iter().zip([&revoked, &deleted]) {
        assert!(page(vera, "document", link).await.contains(TEXT));
        let there = vera.at(&other.browser());
        shows(&there, &format!("/document/{}", link.token), TEXT).await;
    }
    let there = ada.at(&other.browser());
    there
        .delete(&format!("/api/shares/{}", revoked.id))
        .await
        .expect(204);
    waits(&app, &readers[0], &revoked).await;
    assert!(page(&readers[1], "document", &deleted).await.contains(TEXT));
    there
        .delete(&format!("/api/ideas/{idea}"))
        .await
        .expect(204);
    waits(&app, &readers[1], &deleted).await;
}

async fn a_first_view_is_counted_by_the_link_alone(app: App) {
    require_frontend();
    let (ada, idea, link) = shared(&app).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    let before = ada.activity(idea).await;
    waits(&app, &vera, &link).await;
    assert_eq!(ada.views(idea, &link).await, 0);
    vera.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 1);
    let within = ada.activity(idea).await;
    assert_ne!(before, within);
    assert!(page(&vera, "document", &link).await.contains(TEXT));
    assert_eq!(ada.views(idea, &link).await, 1);
    assert_eq!(ada.activity(idea).await, within);
}

async fn a_new_revision_is_delivered_by_the_link_alone(app: App) {
    require_frontend();
    let (ada, idea, link) = shared(&app).await;
    let vera = reader(&app, &link).await;
    let newer = json!({ "title": TITLE, "content": "<p>A third spout</p>", "baseRevision": 1 });
    ada.put(&format!("/api/ideas/{idea}"), newer)
        .await
        .expect(200);
    waits(&app, &vera, &link).await;
    vera.read(&link).await;
    let document = page(&vera, "document", &link).await;
    assert!(document.contains("A third spout") && !document.contains(TEXT));
}

async fn a_stored_text_adds_no_markup(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let title = "<script>x</script>{{ csp_nonce }}";
    let text = "{% if vault %}{{ csp_nonce }} &lt;script&gt;x&lt;/script&gt;";
    let content = format!("<p>{text}</p><p><a href=\"https://example.org/\">link</a></p>");
    let idea = ada.idea(title, content).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = reader(&app, &link).await;
    let path = format!("/document/{}", link.token);
    let document = vera.get(&path).await.expect(200).html();
    assert!(document.contains(&format!("<p>{text}</p><p>link</p>")));
    assert!(document.contains("&lt;script&gt;x&lt;/script&gt;{{ csp_nonce }}"));
}

async fn a_document_that_begins_with_something_else_waits(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let video = "<iframe src=\"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ\"></iframe>";
    let idea = ada.idea(TITLE, format!("{video}<p>{TEXT}</p>")).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = reader(&app, &link).await;
    waits(&app, &vera, &link).await;
    let idea = ada
        .idea(TITLE, format!("<p>{TEXT}</p>{video}<p>More</p>"))
        .await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = reader(&app, &link).await;
    let document = page(&vera, "document", &link).await;
    assert!(document.contains(TEXT) && !document.contains("embed/"));
}

async fn the_file_of_a_pdf_is_named_within_a_view_alone(app: App) {
    require_frontend();
    let ada = app.creator("ada").await;
    let imported = ada.pdf_idea(&pdf(1_000)).await;
    let idea = imported["id"].as_i64().unwrap();
    let file = imported["content"]["pdfPath"].as_str().unwrap();
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    waits(&app, &vera, &link).await;
    vera.get(file).await.expect(404);
    vera.accept(&recipient).await.expect(200);
    waits(&app, &vera, &link).await;
    vera.read(&link).await;

    let before = ada.activity(idea).await;
    let document = page(&vera, "document", &link).await;
    assert!(document.contains(&format!("data-pdf=\"{file}\"")));
    vera.get(file).await.expect(200);
    assert_eq!(ada.views(idea, &link).await, 1);
    assert_eq!(ada.activity(idea).await, before);
    for other in [&app.browser(), &*ada] {
        waits(&app, other, &link).await;
    }

    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    waits(&app, &vera, &link).await;
    vera.get(file).await.expect(404);
}
