//! Downloads of shared documents: who may, what they contain, and what the owner sees.

use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::{App, Link, pdf, png};

on_both_databases!(
    a_text_is_downloaded_as_one_page_with_its_images,
    a_pdf_is_downloaded_as_it_was_imported,
    only_an_open_document_can_be_downloaded,
    a_link_can_forbid_downloads,
    downloads_of_an_existing_link_can_be_forbidden_and_allowed_again,
    concurrent_downloads_are_queued_and_limited,
    a_revision_that_is_downloaded_before_it_is_shown_is_put_on_record,
);

async fn a_text_is_downloaded_as_one_page_with_its_images(app: App) {
    let ada = app.creator("ada").await;
    let image = ada.image("kettle.png", &png()).await;
    let text = format!("<p>Waits</p><img src=\"{image}\" alt=\"A kettle\">");
    let idea = ada.idea("A <kettle>", text).await;
    let link = ada.share(idea, "one-time", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    let path = format!("/api/share/{}/download", link.token);
    let answer = vera.get(&path).await.expect(200);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert!(answer.header("content-security-policy").contains("sandbox"));
    let name = answer.header("content-disposition");
    assert!(
        name.starts_with("attachment; filename=\"A kettle.html\""),
        "{name}"
    );
    let page = answer.text();
    for expected in [
        "<title>A &lt;kettle&gt;</title>",
        "<p>Waits</p>",
        "src=\"data:image/png;base64,",
        "<dd>ada</dd>",
        "<dd>Vera</dd>",
        "Confidential.",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert!(!page.contains("/api/files/"), "{page}");
    // Neither this download nor another uses a view.
    vera.get(&path).await.expect(200);
    assert_eq!(ada.views(idea, &link).await, 1);
    let activity = ada.activity(idea).await;
    let kinds: Vec<_> = activity
        .iter()
        .map(|entry| entry["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["downloaded", "downloaded", "viewed", "agreed", "registered"]
    );
}

async fn a_pdf_is_downloaded_as_it_was_imported(app: App) {
    let ada = app.creator("ada").await;
    let bytes = pdf(2_000);
    let idea = ada.pdf_idea(&bytes).await["id"].as_i64().unwrap();
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    let path = format!("/api/share/{}/download", link.token);
    let answer = vera.get(&path).await.expect(200);
    assert_eq!(answer.header("content-type"), "application/pdf");
    assert!(
        answer
            .header("content-disposition")
            .starts_with("attachment; ")
    );
    assert_eq!(answer.body, bytes);
}

async fn only_an_open_document_can_be_downloaded(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let path = format!("/api/share/{}/download", link.token);
    let vera = app.visitor();
    for browser in [&*vera, &*ada, &app.browser()] {
        assert!(
            !browser
                .get(&path)
                .await
                .expect(403)
                .text()
                .contains("Waits")
        );
    }
    vera.register(&link).await;
    vera.get(&path).await.expect(403);
    vera.agree(&link).await;
    // Agreed but not opened: a download counts no view, so it needs a running one.
    vera.get(&path).await.expect(403);
    vera.read(&link).await;
    vera.get(&path).await.expect(200);
    app.visitor().get(&path).await.expect(403);
    vera.close(&link).await.expect(204);
    vera.get(&path).await.expect(403);

    vera.agree(&link).await;
    vera.read(&link).await;
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    let dead = vera.get(&path).await.expect(404);
    let absent = vera.get(&path.replace(&link.token, "x")).await.expect(404);
    assert_eq!(dead.body, absent.body);
}

async fn a_link_can_forbid_downloads(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada
        .share(idea, "full-access", json!({ "allowDownload": false }))
        .await;
    assert_eq!(ada.look_at(idea, &link).await["allowDownload"], false);
    let vera = app.visitor();
    vera.agree(&link).await;
    let opened = vera.open(&link).await.expect(200).json();
    assert_eq!(opened["allowDownload"], false);
    let path = format!("/api/share/{}/download", link.token);
    let refused = vera.get(&path).await.expect(403);
    assert!(refused.text().contains("does not allow"), "{refused:?}");
    assert!(
        ada.activity(idea)
            .await
            .iter()
            .all(|entry| entry["type"] != "downloaded")
    );
    let open = ada.share(idea, "full-access", json!({})).await;
    assert_eq!(ada.look_at(idea, &open).await["allowDownload"], true);
}

async fn downloads_of_an_existing_link_can_be_forbidden_and_allowed_again(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let closed = json!({ "allowDownload": false });
    let closed = ada.share(idea, "full-access", closed).await;
    let vera = app.visitor();
    for link in [&link, &closed] {
        vera.agree(link).await;
        vera.read(link).await;
    }
    let download = |link: &Link| format!("/api/share/{}/download", link.token);
    vera.get(&download(&link)).await.expect(200);
    let refused = vera.get(&download(&closed)).await.expect(403);

    let path = format!("/api/shares/{}", link.id);
    let change = |allowed: bool| json!({ "name": "Mill", "allowDownload": allowed });
    let stranger = app.creator("grace").await;
    stranger.put(&path, change(false)).await.expect(404);
    vera.get(&download(&link)).await.expect(200);
    ada.put(&path, change(false)).await.expect(204);
    assert_eq!(ada.look_at(idea, &link).await["allowDownload"], false);
    let forbidden = vera.get(&download(&link)).await.expect(403);
    assert_eq!(forbidden.body, refused.body);
    let opened = vera.open(&link).await.expect(200).json();
    assert_eq!(opened["allowDownload"], false);
    // Changing the name only leaves the setting as it is.
    ada.put(&path, json!({ "name": "Mill" })).await.expect(204);
    vera.get(&download(&link)).await.expect(403);
    ada.put(&path, change(true)).await.expect(204);
    vera.get(&download(&link)).await.expect(200);
}

async fn concurrent_downloads_are_queued_and_limited(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    // None of them ends meanwhile.
    let held = app.hold("evidence_events");
    let mut asked = JoinSet::new();
    for _ in 0..20 {
        let browser = vera.stolen();
        let path = format!("/api/share/{}/download", link.token);
        asked.spawn(async move { browser.get(&path).await.status });
    }
    let mut statuses = vec![asked.join_next().await.unwrap().unwrap()];
    drop(held);
    statuses.extend(asked.join_all().await);
    let made = statuses.iter().filter(|status| **status == 200).count();
    assert_eq!(statuses[0], 429);
    assert!(made >= 16, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 429].contains(status)));
}

async fn a_revision_that_is_downloaded_before_it_is_shown_is_put_on_record(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>First</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    let body = json!({ "title": "Kettle", "content": "<p>Second</p>" });
    ada.put(&format!("/api/ideas/{idea}"), body)
        .await
        .expect(200);
    let path = format!("/api/share/{}/download", link.token);
    for _ in 0..2 {
        let page = vera.get(&path).await.expect(200).text();
        assert!(page.contains("<p>Second</p>"), "{page}");
    }
    let path = format!("/api/ideas/{idea}/evidence");
    let evidence = ada.get(&path).await.expect(200).json();
    let shown: Vec<_> = evidence["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["revision"].is_i64())
        .map(|event| {
            (
                event["type"].as_str().unwrap(),
                event["revision"].as_i64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("file.delivered", 2),
            ("revision.recorded", 2),
            ("view.started", 1),
            ("revision.recorded", 1),
            ("agreement.accepted", 1),
        ]
    );
}
