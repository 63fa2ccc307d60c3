//! Tags of ideas, and their archive.

use serde_json::{Value, json};

use crate::harness::{App, Creator};

on_both_databases!(
    a_creator_tags_and_archives_ideas,
    an_archived_idea_goes_on_being_shared,
    invalid_tags_are_refused_and_change_nothing,
);

async fn titles(creator: &Creator, query: &str) -> Vec<String> {
    let path = format!("/api/ideas{query}");
    let list = creator.get(&path).await.expect(200).json();
    let list = list.as_array().unwrap().iter();
    list.map(|idea| idea["title"].as_str().unwrap().to_owned())
        .collect()
}

async fn a_creator_tags_and_archives_ideas(app: App) {
    let ada = app.creator("ada").await;
    let kettle = ada.idea("Kettle", "<p>It waits.</p>").await;
    ada.idea("Lamp", "<p>It shines.</p>").await;
    ada.publish(kettle).await;
    let path = format!("/api/ideas/{kettle}/organize");
    let organize = async |change: Value| ada.put(&path, change).await.expect(200).json();

    let nothing = organize(json!({})).await;
    assert_eq!(nothing, json!({ "tags": [], "archived": false }));
    let tags = json!({ "tags": [" steam ", "Küche", "Steam"] });
    // As often as it is sent.
    for _ in 0..2 {
        let tagged = organize(tags.clone()).await;
        assert_eq!(
            tagged,
            json!({ "tags": ["steam", "Küche"], "archived": false })
        );
    }
    let archived = organize(json!({ "archived": true })).await;
    assert_eq!(
        archived,
        json!({ "tags": ["steam", "Küche"], "archived": true })
    );

    assert_eq!(titles(&ada, "").await, ["Lamp"]);
    assert_eq!(titles(&ada, "?archived=false").await, ["Lamp"]);
    assert_eq!(titles(&ada, "?archived=true").await, ["Kettle", "Lamp"]);
    let list = ada
        .get("/api/ideas?archived=true&limit=1")
        .await
        .expect(200);
    assert_eq!(list.json()[0]["tags"], json!(["steam", "Küche"]));
    assert_eq!(list.json()[0]["archived"], true);
    assert!(list.header("link").contains("archived=true"));
    let refused = ada.get("/api/ideas?archived=yes").await.expect(400).json();
    assert_eq!(refused["field"], "archived");

    organize(json!({ "archived": false })).await;
    assert_eq!(titles(&ada, "").await, ["Kettle", "Lamp"]);
}

async fn an_archived_idea_goes_on_being_shared(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits.</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let change = json!({ "archived": true, "tags": ["canary-tag"] });
    ada.put(&format!("/api/ideas/{idea}/organize"), change)
        .await
        .expect(200);
    let visitor = app.visitor();
    visitor.agree(&link).await;
    let shown = visitor.open(&link).await.expect(200);
    assert!(shown.text().contains("It waits."));
    assert!(!shown.text().contains("canary-tag"));
    ada.get(&format!("/api/ideas/{idea}")).await.expect(200);
}

async fn invalid_tags_are_refused_and_change_nothing(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits.</p>").await;
    let path = format!("/api/ideas/{idea}/organize");
    let before = ada
        .put(&path, json!({ "tags": ["steam"] }))
        .await
        .expect(200);
    let eleven: Vec<String> = (0..11).map(|number| number.to_string()).collect();
    for (tags, why) in [
        (json!(eleven), "Please use at most 10 tags"),
        (json!(["é".repeat(31)]), "Please use at most 30 characters"),
        (json!([""]), "Please remove empty tags"),
        (json!(["a\u{0}b"]), "Please remove control characters"),
    ] {
        let change = json!({ "tags": tags, "archived": true });
        let refused = ada.put(&path, change).await.expect(400).json();
        assert_eq!(refused["field"], "tags");
        assert_eq!(refused["message"], why);
    }
    for unreadable in [json!({ "tags": "steam" }), json!({ "archived": "yes" })] {
        ada.put(&path, unreadable).await.expect(400);
    }
    let after = ada.put(&path, json!({})).await.expect(200);
    assert_eq!(after.json(), before.json());
}
