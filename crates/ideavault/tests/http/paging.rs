//! Pages of lists: no entry twice, none missing, and access checked at each page.

use serde_json::json;

use crate::harness::{App, Creator, Link, Visitor};

on_both_databases!(
    following_all_pages_lists_everything,
    a_request_without_a_limit_returns_a_bounded_page,
    invalid_limits_and_cursors_are_refused,
    every_page_requires_the_session,
    a_cursor_discloses_nothing_of_another_creator,
    a_revoked_link_has_no_next_page,
);

/// A creator with five ideas, one of them with a reader and five comments.
async fn vault(app: &App) -> (Creator, i64, Link, Visitor) {
    let ada = app.creator("ada").await;
    let mut idea = 0;
    for number in 0..5 {
        idea = ada.idea(&format!("Kettle {number}"), "<p>Waits</p>").await;
    }
    for number in 0..4 {
        let next = json!({ "title": "Kettle", "content": format!("<p>{number}</p>") });
        let path = format!("/api/ideas/{idea}");
        ada.put(&path, next).await.expect(200);
    }
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    for number in 0..5 {
        let comment = json!({ "recipientId": recipient, "content": number.to_string() });
        vera.post("/api/comments", comment).await.expect(201);
    }
    (ada, idea, link, vera)
}

async fn following_all_pages_lists_everything(app: App) {
    let (ada, idea, _, vera) = vault(&app).await;
    let ideas = "/api/ideas".to_owned();
    let activity = format!("/api/ideas/{idea}/activity");
    let comments = "/api/comments".to_owned();
    let on_idea = format!("/api/comments?ideaId={idea}");
    let revisions = format!("/api/ideas/{idea}/revisions");
    for (browser, list, length) in [
        (&*ada, &ideas, 5),
        (&*ada, &activity, 3),
        (&*ada, &revisions, 5),
        (&*ada, &comments, 5),
        (&*ada, &on_idea, 5),
        (&*vera, &comments, 5),
        (&*vera, &on_idea, 5),
    ] {
        let whole = browser.get(list).await.expect(200);
        assert_eq!(whole.next_page(), None);
        assert_eq!(whole.json().as_array().unwrap().len(), length);
        let separator = if list.contains('?') { '&' } else { '?' };
        let first = format!("{list}{separator}limit=2");
        let page = browser.get(&first).await.expect(200);
        assert_eq!(page.json().as_array().unwrap().len(), 2);
        assert!(page.next_page().unwrap().starts_with(&first));
        assert_eq!(json!(browser.list(&first).await), whole.json());
    }
}

async fn a_request_without_a_limit_returns_a_bounded_page(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    for number in 0..201 {
        let comment = json!({ "ideaId": idea, "content": number.to_string() });
        ada.post("/api/comments", comment).await.expect(201);
    }
    let page = ada.get("/api/comments").await.expect(200);
    assert_eq!(page.json().as_array().unwrap().len(), 200);
    let rest = ada.list(&page.next_page().unwrap()).await;
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["content"], "200");
}

async fn invalid_limits_and_cursors_are_refused(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let [activity, revisions] =
        ["activity", "revisions"].map(|list| format!("/api/ideas/{idea}/{list}"));
    for list in ["/api/ideas", "/api/comments", &activity, &revisions] {
        for limit in ["", "0", "-1", "1001", "2.5", "two", "%00"] {
            let answer = ada.get(&format!("{list}?limit={limit}")).await;
            answer.refuses("limit");
        }
        for cursor in ["", "x", "AAAA", "%00", "9999999999999999999999999999"] {
            let answer = ada.get(&format!("{list}?cursor={cursor}")).await;
            answer.refuses("cursor");
        }
        ada.get(&format!("{list}?limit=1000")).await.expect(200);
    }
}

async fn every_page_requires_the_session(app: App) {
    let (ada, idea, ..) = vault(&app).await;
    let nobody = app.visitor();
    for list in [
        "/api/ideas",
        "/api/comments",
        &format!("/api/ideas/{idea}/activity"),
        &format!("/api/ideas/{idea}/revisions"),
    ] {
        let page = ada.get(&format!("{list}?limit=1")).await.expect(200);
        nobody.get(&page.next_page().unwrap()).await.expect(401);
    }
}

async fn a_cursor_discloses_nothing_of_another_creator(app: App) {
    let (ada, idea, ..) = vault(&app).await;
    let bob = app.creator("bob").await;
    for list in ["/api/ideas", "/api/comments"] {
        let page = ada.get(&format!("{list}?limit=1")).await.expect(200);
        let next = bob.get(&page.next_page().unwrap()).await.expect(200);
        assert_eq!(next.json(), json!([]));
    }
    for list in [
        format!("/api/ideas/{idea}/activity?limit=1"),
        format!("/api/ideas/{idea}/revisions?limit=1"),
        format!("/api/comments?ideaId={idea}&limit=1"),
    ] {
        let page = ada.get(&list).await.expect(200);
        bob.get(&page.next_page().unwrap()).await.expect(404);
    }
}

async fn a_revoked_link_has_no_next_page(app: App) {
    let (ada, idea, link, vera) = vault(&app).await;
    let first = format!("/api/comments?ideaId={idea}&limit=2");
    let page = vera.get(&first).await.expect(200);
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    vera.get(&page.next_page().unwrap()).await.expect(404);
}
