//! Files of disclosed ideas: as accessible as the idea, and no more.

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{App, Creator, Form, Link, Visitor, pdf, png};
use crate::uploads::path_of;

on_both_databases!(
    no_file_is_served_before_the_agreement,
    reading_the_file_counts_a_view_like_the_content,
    concurrent_range_requests_count_one_view,
    requests_without_a_body_count_no_view,
    a_used_one_time_link_serves_no_file_to_others,
    closing_ends_access_to_the_file,
    revoking_ends_access_to_the_file,
    access_to_the_file_ends_with_the_view_window,
    access_to_the_file_expires_with_its_link,
    a_deleted_draft_serves_no_file,
    only_images_of_the_current_revision_are_served,
    referencing_a_file_of_another_owner_discloses_nothing,
    files_of_another_idea_of_the_same_owner_are_not_served,
    a_lost_file_counts_no_view,
    a_lost_image_counts_no_view,
);

/// A creator with a PDF idea, a link to it, and the path of the file.
async fn disclosed(app: &App, share_type: &str, terms: Value) -> (Creator, i64, Link, String) {
    let ada = app.creator("ada").await;
    let idea = ada.pdf_idea(&pdf(1_000)).await;
    let id = idea["id"].as_i64().unwrap();
    let link = ada.share(id, share_type, terms).await;
    (ada, id, link, path_of(&idea))
}

async fn reads(visitor: &Visitor, path: &str) {
    let served = visitor.get(path).await.expect(200);
    assert!(served.body == pdf(1_000));
}

async fn is_closed(visitor: &Visitor, path: &str) {
    let absent = "/api/files/00000000-0000-4000-8000-000000000000";
    let absent = visitor.get(absent).await.expect(404);
    let refused = visitor.get(path).await.expect(404);
    assert_eq!(refused.body, absent.body);
    for method in [Method::GET, Method::HEAD] {
        let part = visitor.send(method, path, |request| request.header("range", "bytes=0-9"));
        part.await.expect(404);
    }
}

async fn no_file_is_served_before_the_agreement(app: App) {
    for share_type in ["one-time", "time-dependent", "full-access"] {
        let name = format!("ada of {share_type}");
        let ada = app.creator(&name).await;
        let idea = ada.pdf_idea(&pdf(1_000)).await;
        let path = idea["content"]["pdfPath"].as_str().unwrap();
        let id = idea["id"].as_i64().unwrap();
        let link = ada.share(id, share_type, json!({})).await;
        let vera = app.visitor();
        is_closed(&vera, path).await;
        let recipient = vera.register(&link).await;
        is_closed(&vera, path).await;
        // The file name is not disclosed either.
        for visitor in [&vera, &app.visitor()] {
            let told = visitor.open(&link).await.expect(200);
            assert!(!told.text().contains("Kettle.pdf"), "{told:?}");
            assert!(!told.text().contains("/api/files/"), "{told:?}");
        }
        vera.accept(&recipient).await.expect(200);
        reads(&vera, path).await;
        let shared = vera.read(&link).await;
        assert_eq!(shared["pdfPath"], path);
        is_closed(&app.visitor(), path).await;
        assert_eq!(ada.views(id, &link).await, 1);
    }
}

async fn reading_the_file_counts_a_view_like_the_content(app: App) {
    let (ada, idea, link, path) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    for _ in 0..3 {
        reads(&vera, &path).await;
    }
    vera.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 1);
    let viewed = ada.activity(idea).await.into_iter().next().unwrap();
    assert_eq!(viewed["type"], "viewed");
    let sha256 = ada.get(&format!("/api/ideas/{idea}")).await.json()["sha256"].clone();
    assert_eq!(viewed["revisionSha256"], sha256);
    // After the view has ended, another one is counted.
    app.advance(Duration::minutes(31));
    reads(&vera, &path).await;
    assert_eq!(ada.views(idea, &link).await, 2);
}

async fn concurrent_range_requests_count_one_view(app: App) {
    for share_type in ["one-time", "full-access"] {
        let ada = app.creator(&format!("ada of {share_type}")).await;
        let idea = ada.pdf_idea(&pdf(100_000)).await;
        let path = path_of(&idea);
        let id = idea["id"].as_i64().unwrap();
        let link = ada.share(id, share_type, json!({})).await;
        let vera = app.visitor();
        vera.agree(&link).await;
        let mut running = JoinSet::new();
        for step in 0..12 {
            let (vera, path) = (vera.clone(), path.clone());
            running.spawn(async move {
                let range = format!("bytes={}-{}", step * 8_000, step * 8_000 + 7_999);
                let part = vera.send(Method::GET, &path, |request| request.header("range", range));
                (step, part.await.expect(206).body)
            });
        }
        for (step, part) in running.join_all().await {
            assert!(part == pdf(100_000)[step * 8_000..][..8_000]);
        }
        assert_eq!(ada.views(id, &link).await, 1);
    }
}

async fn requests_without_a_body_count_no_view(app: App) {
    let (ada, idea, link, path) = disclosed(&app, "one-time", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    let tag = path.replace("/api/files/", "");
    for (method, header, value, status) in [
        (Method::HEAD, "accept", "*/*", 200),
        (
            Method::GET,
            "if-none-match",
            format!("\"{tag}\"").as_str(),
            304,
        ),
        (Method::GET, "range", "bytes=5000-", 416),
    ] {
        let answer = vera.send(method, &path, |request| request.header(header, value));
        let answer = answer.await.expect(status);
        assert!(!answer.body.starts_with(b"%PDF"));
    }
    assert_eq!(ada.views(idea, &link).await, 0);
    reads(&vera, &path).await;
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn a_used_one_time_link_serves_no_file_to_others(app: App) {
    let (ada, idea, link, path) = disclosed(&app, "one-time", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    vera.agree(&link).await;
    willi.agree(&link).await;
    reads(&vera, &path).await;
    is_closed(&willi, &path).await;
    willi.open(&link).await.expect(410);
    reads(&vera, &path).await;
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn closing_ends_access_to_the_file(app: App) {
    let (_ada, _, link, path) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    reads(&vera, &path).await;
    vera.close(&link).await.expect(204);
    is_closed(&vera, &path).await;
}

async fn revoking_ends_access_to_the_file(app: App) {
    let (ada, idea, link, path) = disclosed(&app, "full-access", json!({})).await;
    let other = ada.share(idea, "full-access", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    vera.agree(&link).await;
    willi.agree(&other).await;
    reads(&vera, &path).await;
    let revoke = format!("/api/shares/{}", link.id);
    ada.delete(&revoke).await.expect(204);
    is_closed(&vera, &path).await;
    reads(&willi, &path).await;
    ada.get(&path).await.expect(200);
}

async fn access_to_the_file_ends_with_the_view_window(app: App) {
    let terms = json!({ "maxViews": 2 });
    let (ada, idea, link, path) = disclosed(&app, "one-time", terms).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    vera.read(&link).await;
    app.advance(Duration::minutes(30) - Duration::seconds(1));
    reads(&vera, &path).await;
    app.advance(Duration::seconds(1));
    is_closed(&vera, &path).await;
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn access_to_the_file_expires_with_its_link(app: App) {
    let ends = (app.now() + Duration::minutes(1)).to_rfc3339();
    let terms = json!({ "expiresAt": ends });
    let (_ada, _, link, path) = disclosed(&app, "time-dependent", terms).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    reads(&vera, &path).await;
    app.advance(Duration::minutes(1));
    is_closed(&vera, &path).await;
}

async fn a_deleted_draft_serves_no_file(app: App) {
    let (ada, idea, link, path) = disclosed(&app, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    reads(&vera, &path).await;
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    is_closed(&vera, &path).await;
    ada.get(&path).await.expect(404);
}

fn showing(images: &[&str]) -> String {
    images
        .iter()
        .map(|image| format!("<p><img src=\"{image}\" alt=\"\"></p>"))
        .collect()
}

async fn only_images_of_the_current_revision_are_served(app: App) {
    let ada = app.creator("ada").await;
    let [first, second, unused] =
        ["1.png", "2.png", "3.png"].map(async |name| ada.image(name, &png()).await);
    let (first, second, unused) = (first.await, second.await, unused.await);
    let idea = ada.idea("Kettle", showing(&[&first])).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    is_closed(&vera, &first).await;
    vera.agree(&link).await;
    vera.get(&first).await.expect(200);
    is_closed(&vera, &second).await;
    is_closed(&vera, &unused).await;
    let next = json!({ "title": "Kettle", "content": showing(&[&second]) });
    ada.put(&format!("/api/ideas/{idea}"), next)
        .await
        .expect(200);
    vera.get(&second).await.expect(200);
    is_closed(&vera, &first).await;
    ada.publish(idea).await;
    vera.get(&second).await.expect(200);
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn referencing_a_file_of_another_owner_discloses_nothing(app: App) {
    let (ada, eve) = (app.creator("ada").await, app.creator("eve").await);
    let secret = ada.image("secret.png", &png()).await;
    let paper = ada.pdf_idea(&pdf(1_000)).await["content"]["pdfPath"].clone();
    let paper = paper.as_str().unwrap();
    let idea = eve.idea("Mine", showing(&[&secret, paper])).await;
    let link = eve.share(idea, "full-access", json!({})).await;
    let accomplice = app.visitor();
    accomplice.agree(&link).await;
    accomplice.read(&link).await;
    for path in [secret.as_str(), paper] {
        is_closed(&accomplice, path).await;
        eve.get(path).await.expect(404);
    }
}

async fn files_of_another_idea_of_the_same_owner_are_not_served(app: App) {
    let (ada, _, link, path) = disclosed(&app, "full-access", json!({})).await;
    let other = ada.pdf_idea(&pdf(2_000)).await;
    let other = other["content"]["pdfPath"].as_str().unwrap();
    let form = Form::default().file("image", "me.png", "image/png", &png());
    let user = ada.upload("/api/profile/image", &form).await.json();
    let vera = app.visitor();
    vera.agree(&link).await;
    reads(&vera, &path).await;
    is_closed(&vera, other).await;
    is_closed(&vera, user["profileImage"].as_str().unwrap()).await;
}

/// Moves the stored bytes of a file away, and restores them with [`Lost::comes_back`].
struct Lost {
    at: std::path::PathBuf,
    kept: std::path::PathBuf,
}

impl Lost {
    fn of(app: &App, path: &str) -> Self {
        let id = path.rsplit('/').next().unwrap();
        let at = app.data_dir().join("files").join(&id[..2]).join(id);
        let kept = app.data_dir().join("elsewhere");
        std::fs::rename(&at, &kept).unwrap();
        Self { at, kept }
    }

    fn comes_back(self) {
        std::fs::rename(self.kept, self.at).unwrap();
    }
}

async fn a_lost_file_counts_no_view(app: App) {
    let (ada, idea, link, path) = disclosed(&app, "one-time", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    let lost = Lost::of(&app, &path);
    for refused in [vera.get(&path).await, vera.open(&link).await] {
        let told = refused.expect(503).text();
        assert!(told.contains("no view was counted"), "{told}");
    }
    assert_eq!(ada.views(idea, &link).await, 0);
    lost.comes_back();
    vera.read(&link).await;
    reads(&vera, &path).await;
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn a_lost_image_counts_no_view(app: App) {
    let ada = app.creator("ada").await;
    let path = ada.image("kettle.png", &png()).await;
    let idea = ada
        .idea("Kettle", format!("<p><img src=\"{path}\" alt=\"\"></p>"))
        .await;
    let link = ada.share(idea, "one-time", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    let lost = Lost::of(&app, &path);
    vera.open(&link).await.expect(503);
    assert_eq!(ada.views(idea, &link).await, 0);
    lost.comes_back();
    vera.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 1);
}
