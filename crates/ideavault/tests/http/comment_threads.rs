//! Replies, edits and withdrawals of comments: who may, and who sees them.

use chrono::Duration;
use serde_json::{Value, json};

use crate::harness::{Answer, App, Browser};

on_both_databases!(
    a_reply_is_visible_to_everyone_who_sees_the_comment,
    only_visible_comments_can_be_replied_to,
    an_author_can_edit_for_ten_minutes_and_withdraw,
    comments_of_others_cannot_be_changed,
    a_reader_without_access_cannot_change_comments,
);

async fn said(answer: Answer) -> (String, Value) {
    let comment = answer.expect(201).json();
    (comment["id"].as_str().unwrap().to_owned(), comment)
}

async fn contents(browser: &Browser, idea: i64) -> Vec<String> {
    let list = browser.list(&format!("/api/comments?ideaId={idea}")).await;
    let texts = list.iter().map(|comment| comment["content"].as_str());
    texts.map(|text| text.unwrap().to_owned()).collect()
}

async fn a_reply_is_visible_to_everyone_who_sees_the_comment(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let one = ada.share(idea, "full-access", json!({})).await;
    let two = ada.share(idea, "full-access", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    let of_vera = vera.agree(&one).await;
    let of_willi = willi.agree(&two).await;
    let asks = json!({ "recipientId": of_vera, "content": "Why?" });
    let (question, _) = said(vera.post("/api/comments", asks).await).await;
    let answers = json!({ "ideaId": idea, "replyTo": question, "content": "Because." });
    let (answer, shown) = said(ada.post("/api/comments", answers).await).await;
    assert_eq!(shown["replyTo"], question);
    // A reply to a reply joins the same thread.
    let thanks = json!({ "recipientId": of_vera, "replyTo": answer, "content": "I see." });
    let (_, thanks) = said(vera.post("/api/comments", thanks).await).await;
    assert_eq!(thanks["replyTo"], question);
    let to_all = json!({ "ideaId": idea, "content": "To all" });
    let (to_all, _) = said(ada.post("/api/comments", to_all).await).await;
    let asks = json!({ "recipientId": of_willi, "replyTo": to_all, "content": "Me too?" });
    let (asked, _) = said(willi.post("/api/comments", asks).await).await;
    let answers = json!({ "ideaId": idea, "replyTo": asked, "content": "You too." });
    said(ada.post("/api/comments", answers).await).await;

    let all = [
        "Why?", "Because.", "I see.", "To all", "Me too?", "You too.",
    ];
    assert_eq!(contents(&ada, idea).await, all);
    assert_eq!(contents(&vera, idea).await, all[..4]);
    assert_eq!(contents(&willi, idea).await, all[3..]);
    let unfiltered = willi.list("/api/comments").await;
    assert_eq!(unfiltered.len(), 3);
}

async fn only_visible_comments_can_be_replied_to(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let other = ada.idea("Mill", "<p>Grinds</p>").await;
    let one = ada.share(idea, "full-access", json!({})).await;
    let two = ada.share(idea, "full-access", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    let of_vera = vera.agree(&one).await;
    let of_willi = willi.agree(&two).await;
    let by_willi = json!({ "recipientId": of_willi, "content": "Mine" });
    let (by_willi, _) = said(willi.post("/api/comments", by_willi).await).await;
    let on_other = json!({ "ideaId": other, "content": "Elsewhere" });
    let (on_other, _) = said(ada.post("/api/comments", on_other).await).await;
    let absent = "00000000-0000-4000-8000-000000000000";
    for answered in [by_willi.as_str(), on_other.as_str(), absent, "one"] {
        let answer = json!({ "recipientId": of_vera, "replyTo": answered, "content": "Hm" });
        vera.post("/api/comments", answer).await.expect(404);
    }
    let answer = json!({ "ideaId": idea, "replyTo": on_other, "content": "Hm" });
    ada.post("/api/comments", answer).await.expect(404);

    let withdrawn = ada.delete(&format!("/api/comments/{on_other}")).await;
    withdrawn.expect(200);
    let answer = json!({ "ideaId": other, "replyTo": on_other, "content": "Hm" });
    ada.post("/api/comments", answer).await.expect(409);
    assert_eq!(contents(&ada, other).await, [""]);
}

async fn an_author_can_edit_for_ten_minutes_and_withdraw(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    let as_vera = json!({ "recipientId": recipient, "content": "Frist" });
    let as_ada = json!({ "ideaId": idea, "content": "Frist" });
    let by_vera = said(vera.post("/api/comments", as_vera).await).await;
    let by_ada = said(ada.post("/api/comments", as_ada).await).await;
    for (author, (id, original)) in [(&*vera, by_vera), (&*ada, by_ada)] {
        assert!(original["editedAt"].is_null() && original["withdrawnAt"].is_null());
        let path = format!("/api/comments/{id}");
        for content in ["", "a\0b", &"x".repeat(5_001)] {
            let text = json!({ "content": content });
            author.put(&path, text).await.refuses("content");
        }
        let edited = author.put(&path, json!({ "content": "First" })).await;
        let edited = edited.expect(200).json();
        assert_eq!(edited["content"], "First");
        assert!(edited["editedAt"].is_string(), "{edited}");
        assert_eq!(edited["createdAt"], original["createdAt"]);
    }
    assert_eq!(contents(&ada, idea).await, ["First", "First"]);

    app.advance(Duration::minutes(10));
    vera.read(&link).await;
    let list = ada.list(&format!("/api/comments?ideaId={idea}")).await;
    for (author, comment) in [(&*vera, &list[0]), (&*ada, &list[1])] {
        let path = format!("/api/comments/{}", comment["id"].as_str().unwrap());
        author
            .put(&path, json!({ "content": "Late" }))
            .await
            .expect(409);
        let withdrawn = author.delete(&path).await.expect(200).json();
        assert_eq!(withdrawn["content"], "");
        assert!(withdrawn["withdrawnAt"].is_string(), "{withdrawn}");
        // The first withdrawal counts, and nothing changes after it.
        app.advance(Duration::seconds(1));
        assert_eq!(author.delete(&path).await.expect(200).json(), withdrawn);
        author
            .put(&path, json!({ "content": "Back" }))
            .await
            .expect(409);
    }
    assert_eq!(contents(&vera, idea).await, ["", ""]);
}

async fn comments_of_others_cannot_be_changed(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    let recipient = vera.agree(&link).await;
    willi.agree(&link).await;
    let by_vera = json!({ "recipientId": recipient, "content": "Vera's" });
    let (by_vera, _) = said(vera.post("/api/comments", by_vera).await).await;
    let by_ada = json!({ "ideaId": idea, "content": "Ada's" });
    let (by_ada, _) = said(ada.post("/api/comments", by_ada).await).await;
    let absent = "00000000-0000-4000-8000-000000000000".to_owned();
    let refused = async |browser: &Browser, id: &str, status: u16| {
        let path = format!("/api/comments/{id}");
        let edit = browser.put(&path, json!({ "content": "Mine" })).await;
        let withdraw = browser.delete(&path).await.expect(status);
        assert_eq!(edit.expect(status).body, withdraw.body);
        withdraw.body
    };
    for id in [&by_vera, &by_ada] {
        for browser in [&*willi, &*bob] {
            let absent = refused(browser, &absent, 404).await;
            assert_eq!(refused(browser, id, 404).await, absent);
        }
        refused(&app.browser(), id, 401).await;
    }
    refused(&ada, &by_vera, 404).await;
    refused(&vera, &by_ada, 404).await;
    assert_eq!(contents(&vera, idea).await, ["Vera's", "Ada's"]);
}

async fn a_reader_without_access_cannot_change_comments(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let closed = ada.share(idea, "full-access", json!({})).await;
    let revoked = ada.share(idea, "full-access", json!({})).await;
    for link in [&closed, &revoked] {
        let vera = app.visitor();
        let recipient = vera.agree(link).await;
        let comment = json!({ "recipientId": recipient, "content": "Still here" });
        let (id, _) = said(vera.post("/api/comments", comment).await).await;
        if link.id == closed.id {
            vera.close(link).await.expect(204);
        } else {
            let path = format!("/api/shares/{}", link.id);
            ada.delete(&path).await.expect(204);
        }
        let path = format!("/api/comments/{id}");
        let edit = vera.put(&path, json!({ "content": "Gone" })).await;
        edit.expect(404);
        vera.delete(&path).await.expect(404);
    }
    assert_eq!(contents(&ada, idea).await, ["Still here", "Still here"]);
}
