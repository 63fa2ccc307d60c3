//! Cover titles: the title of an idea can be the idea.

use ideavault_mail::testing::SmtpSink;
use serde_json::json;

use super::{agree, terms_of};
use crate::harness::App;

on_both_databases!(
    a_cover_title_stands_for_the_title_until_the_agreement,
    a_cover_title_is_changed_and_removed_by_the_owner_alone,
);

const TITLE: &str = "Canary kettle 51c0";
const COVER: &str = "Project Teapot";

async fn a_cover_title_stands_for_the_title_until_the_agreement(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Water wicks up.</p>").await;
    let mut terms = terms_of("email");
    terms["coverTitle"] = json!(COVER);
    let link = ada.share(idea, "email", terms).await;
    let invitation = sink.next();
    let mut shown = vec![format!("{invitation:?}")];
    let vera = app.visitor();
    let page = |name: &str| format!("/{name}/{}", link.token);
    let look_up = vera.open(&link).await.expect(200);
    shown.extend([look_up.text(), vera.get(&page("view")).await.text()]);
    let registered = vera
        .try_register(&link, "vera@example.org")
        .await
        .expect(201);
    let code = sink.next();
    shown.extend([registered.text(), format!("{code:?}")]);
    shown.push(vera.open(&link).await.expect(200).text());
    let id = registered.json()["id"].as_str().unwrap().to_owned();
    vera.verify(&id, code.line_after("    ")).await.expect(200);
    let offered = vera.open(&link).await.expect(200);
    shown.extend([offered.text(), vera.get(&page("nda")).await.text()]);
    for text in &shown {
        assert!(!text.contains(TITLE), "{text}");
    }
    for text in [&shown[0], &shown[1], &shown[2], &shown[shown.len() - 1]] {
        assert!(text.contains(COVER), "{text}");
    }
    let agreement = offered.json()["nda"]["text"].clone();
    assert!(agreement.to_string().contains(COVER));
    vera.accept(&id).await.expect(200);
    assert_eq!(vera.open(&link).await.json()["idea"]["title"], TITLE);
    let kept = vera
        .get(&format!("/api/recipients/{id}/agreement.txt"))
        .await;
    assert_eq!(kept.expect(200).text(), agreement.as_str().unwrap());
}

async fn a_cover_title_is_changed_and_removed_by_the_owner_alone(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea(TITLE, "<p>Water wicks up.</p>").await;
    let long = json!({ "coverTitle": "x".repeat(201) });
    let refused = ada.try_share(idea, "full-access", long.clone()).await;
    assert_eq!(refused.expect(400).json()["field"], "coverTitle");
    let link = ada.share(idea, "full-access", json!({})).await;
    let path = format!("/api/shares/{}", link.id);
    let eve = app.creator("eve").await;
    eve.put(&path, json!({ "coverTitle": COVER }))
        .await
        .expect(404);
    let refused = ada.put(&path, long).await.expect(400).json();
    assert_eq!(refused["field"], "coverTitle");
    let title = async || app.visitor().open(&link).await.json()["idea"]["title"].clone();
    for (change, cover, shown) in [
        (json!({ "coverTitle": COVER }), json!(COVER), COVER),
        (json!({ "name": "Fair" }), json!(COVER), COVER),
        (json!({ "coverTitle": " " }), json!(null), TITLE),
    ] {
        ada.put(&path, change).await.expect(204);
        assert_eq!(ada.look_at(idea, &link).await["coverTitle"], cover);
        assert_eq!(title().await, shown);
    }
    // Who has agreed has read the title.
    let vera = app.visitor();
    agree(&app, &vera, &link).await;
    ada.put(&path, json!({ "coverTitle": COVER }))
        .await
        .expect(204);
    assert_eq!(vera.open(&link).await.json()["idea"]["title"], TITLE);
    let preview = ada.get(&format!("{path}/preview")).await.expect(200).json();
    assert_eq!(preview["title"], COVER);
    assert!(preview["nda"]["text"].to_string().contains(COVER));
    assert_eq!(preview["shared"]["idea"]["title"], TITLE);
}
