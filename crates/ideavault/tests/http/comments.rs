//! Comments: who may write them, under which name, and who reads them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{App, keys};

const KEYS: [&str; 8] = [
    "author",
    "content",
    "createdAt",
    "editedAt",
    "id",
    "recipientId",
    "replyTo",
    "withdrawnAt",
];

on_both_databases!(
    the_author_of_a_comment_cannot_be_forged,
    commenting_as_another_recipient_is_refused,
    blank_and_too_long_comments_are_refused,
    each_caller_lists_only_the_comments_they_may_read,
    a_creator_on_their_own_link_can_comment_as_recipient_or_owner,
    readers_of_one_link_do_not_see_readers_of_another,
    comments_are_listed_oldest_first,
    a_filter_that_is_not_a_number_is_refused,
);

async fn the_author_of_a_comment_cannot_be_forged(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    let text = "  Nice <b>idea</b> 🫖\nReally: שלום  ";
    let comment = json!({ "recipientId": recipient, "author": "CEO", "content": text });
    let comment = vera.post("/api/comments", comment).await.expect(201).json();
    assert_eq!(keys(&comment), KEYS);
    assert_eq!(comment["author"], "Vera");
    assert_eq!(comment["recipientId"], recipient);
    assert_eq!(comment["content"], text.trim());
    let reply = json!({ "ideaId": idea, "author": "CEO", "content": "Thanks" });
    let reply = ada.post("/api/comments", reply).await.expect(201).json();
    assert_eq!(keys(&reply), KEYS);
    assert_eq!(reply["author"], "ada");
    assert!(reply["recipientId"].is_null());
    let path = format!("/api/comments?ideaId={idea}");
    let both = json!([comment, reply]);
    assert_eq!(ada.get(&path).await.expect(200).json(), both);
    assert_eq!(vera.get(&path).await.expect(200).json(), both);
    assert_eq!(vera.get("/api/comments").await.expect(200).json(), both);
}

async fn commenting_as_another_recipient_is_refused(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    vera.agree(&link).await;
    let of_willi = willi.agree(&link).await;
    let absent = "00000000-0000-4000-8000-000000000000";
    let mut answers = Vec::new();
    for id in [of_willi.as_str(), absent, "willi", ""] {
        let comment = json!({ "recipientId": id, "content": "As Willi" });
        answers.push(
            vera.post("/api/comments", comment.clone())
                .await
                .expect(404)
                .body,
        );
        // An owner's session does not grant a recipient's name either.
        answers.push(ada.post("/api/comments", comment).await.expect(404).body);
    }
    assert!(answers.iter().all(|body| *body == answers[0]));
    // A valid recipient id does not apply to an idea that was not disclosed to it.
    let secret = ada.idea("Secret", "<p>Other</p>").await;
    let own = vera.agree(&link).await;
    let comment = json!({ "recipientId": own, "ideaId": secret, "content": "Hello" });
    vera.post("/api/comments", comment).await.expect(404);
    assert_eq!(ada.get("/api/comments").await.json(), json!([]));
}

async fn blank_and_too_long_comments_are_refused(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.agree(&link).await;
    let from_recipient = async |content: &str| {
        let comment = json!({ "recipientId": recipient, "content": content });
        vera.post("/api/comments", comment).await
    };
    let from_owner = async |content: &str| {
        let comment = json!({ "ideaId": idea, "content": content });
        ada.post("/api/comments", comment).await
    };
    for content in ["", " \n\t ", "a\0b", "a\u{7f}b", &"x".repeat(5_001)] {
        from_recipient(content).await.refuses("content");
        from_owner(content).await.refuses("content");
    }
    from_recipient(&"🫖".repeat(5_000)).await.expect(201);
    from_owner(&"🫖".repeat(5_000)).await.expect(201);
    let without_idea = json!({ "content": "About what?" });
    ada.post("/api/comments", without_idea)
        .await
        .refuses("ideaId");
}

async fn each_caller_lists_only_the_comments_they_may_read(app: App) {
    let ada = app.creator("ada").await;
    let bob = app.creator("bob").await;
    let kettle = ada.idea("Kettle", "<p>Waits</p>").await;
    let teapot = ada.idea("Teapot", "<p>Pours</p>").await;
    let mill = bob.idea("Mill", "<p>Grinds</p>").await;
    let say = async |idea: i64, who: &crate::harness::Creator| {
        let comment = json!({ "ideaId": idea, "content": format!("about {idea}") });
        who.post("/api/comments", comment).await.expect(201);
    };
    say(kettle, &ada).await;
    say(teapot, &ada).await;
    say(mill, &bob).await;
    let about = |answer: Value| -> Vec<String> {
        let list = answer.as_array().unwrap().iter();
        list.map(|comment| comment["content"].as_str().unwrap().to_owned())
            .collect()
    };
    let to_kettle = ada.share(kettle, "full-access", json!({})).await;
    let to_mill = bob.share(mill, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.agree(&to_kettle).await;
    assert_eq!(
        about(vera.get("/api/comments").await.json()),
        [format!("about {kettle}")]
    );
    vera.get(&format!("/api/comments?ideaId={teapot}"))
        .await
        .expect(404);
    vera.get(&format!("/api/comments?ideaId={mill}"))
        .await
        .expect(404);
    vera.agree(&to_mill).await;
    let both = [format!("about {kettle}"), format!("about {mill}")];
    assert_eq!(about(vera.get("/api/comments").await.json()), both);
    vera.close(&to_kettle).await.expect(204);
    assert_eq!(
        about(vera.get("/api/comments").await.json()),
        [format!("about {mill}")]
    );
    bob.delete(&format!("/api/shares/{}", to_mill.id))
        .await
        .expect(204);
    vera.get("/api/comments").await.expect(404);

    let own = [format!("about {kettle}"), format!("about {teapot}")];
    assert_eq!(about(ada.get("/api/comments").await.json()), own);
    ada.get(&format!("/api/comments?ideaId={mill}"))
        .await
        .expect(404);
}

async fn a_creator_on_their_own_link_can_comment_as_recipient_or_owner(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let as_guest = crate::harness::Visitor::new((*ada).clone());
    let recipient = as_guest.agree(&link).await;
    let comment = json!({ "recipientId": recipient, "content": "As a guest" });
    let comment = ada.post("/api/comments", comment).await.expect(201).json();
    assert_eq!(comment["author"], "Vera");
    let comment = json!({ "ideaId": idea, "content": "As the owner" });
    let comment = ada.post("/api/comments", comment).await.expect(201).json();
    assert_eq!(comment["author"], "ada");
    let all = ada.get("/api/comments").await.json();
    assert_eq!(all.as_array().unwrap().len(), 2, "{all}");
}

async fn readers_of_one_link_do_not_see_readers_of_another(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let one = ada.share(idea, "full-access", json!({})).await;
    let allowed = json!({ "showsOtherReaders": true });
    let two = ada.share(idea, "full-access", allowed.clone()).await;
    let (vera, willi) = (app.visitor(), app.visitor());
    for (visitor, link, text) in [(&vera, &one, "from one"), (&willi, &two, "from two")] {
        visitor.agree(link).await;
        let comment = json!({ "ideaId": idea, "content": text });
        visitor.post("/api/comments", comment).await.expect(201);
    }
    let comment = json!({ "ideaId": idea, "content": "for all" });
    ada.post("/api/comments", comment).await.expect(201);
    let seen = async |browser: &crate::harness::Browser| -> Vec<String> {
        let mut lists = Vec::new();
        for path in [
            "/api/comments".to_owned(),
            format!("/api/comments?ideaId={idea}"),
        ] {
            let list = browser.list(&path).await.into_iter();
            let texts = list.map(|comment| comment["content"].as_str().unwrap().to_owned());
            lists.push(texts.collect::<Vec<_>>());
        }
        assert_eq!(lists[0], lists[1]);
        lists.remove(0)
    };
    assert_eq!(seen(&ada).await, ["from one", "from two", "for all"]);
    assert_eq!(seen(&vera).await, ["from one", "for all"]);
    // With the setting on one link only, its readers do not see those of the other.
    assert_eq!(seen(&willi).await, ["from two", "for all"]);

    let path = format!("/api/shares/{}", one.id);
    ada.put(&path, allowed).await.expect(204);
    assert_eq!(ada.look_at(idea, &one).await["showsOtherReaders"], true);
    // Changing the name only leaves the setting as it is.
    ada.put(&path, json!({ "name": "One" })).await.expect(204);
    for reader in [&vera, &willi] {
        assert_eq!(seen(reader).await, ["from one", "from two", "for all"]);
    }
    let forbidden = json!({ "showsOtherReaders": false });
    ada.put(&path, forbidden).await.expect(204);
    assert_eq!(seen(&willi).await, ["from two", "for all"]);
}

async fn comments_are_listed_oldest_first(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    for number in 0..5 {
        let comment = json!({ "ideaId": idea, "content": number.to_string() });
        ada.post("/api/comments", comment).await.expect(201);
    }
    for path in [
        "/api/comments".to_owned(),
        format!("/api/comments?ideaId={idea}"),
    ] {
        let list = ada.get(&path).await.json();
        let list = list.as_array().unwrap();
        let texts: Vec<_> = list
            .iter()
            .map(|comment| comment["content"].clone())
            .collect();
        assert_eq!(texts, ["0", "1", "2", "3", "4"]);
        assert!(list.is_sorted_by_key(|comment| comment["createdAt"].to_string()));
    }
}

async fn a_filter_that_is_not_a_number_is_refused(app: App) {
    let ada = app.creator("ada").await;
    for query in [
        "ideaId=",
        "ideaId=one",
        "ideaId=1.5",
        "ideaId=1e3",
        "ideaId=+1",
        "ideaId=99999999999999999999",
        "ideaId=%FF",
        "ideaId=%00",
        "ideaId=1&ideaId=2",
        "ideaId[]=1",
    ] {
        let answer = ada
            .send(Method::GET, &format!("/api/comments?{query}"), |ask| ask)
            .await;
        // Unknown parameters are ignored, as everywhere.
        let expected = if query.starts_with("ideaId[]") {
            200
        } else {
            400
        };
        answer.expect(expected);
    }
    ada.get("/api/comments?ideaId=-1").await.expect(404);
}
