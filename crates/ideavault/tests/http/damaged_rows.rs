//! A row that cannot be read does not take the others with it.

use std::fmt::Display;

use serde_json::json;

use crate::commands::{run, stdout};
use crate::erasure::erase;
use crate::evidence::commands::tamper;
use crate::harness::{App, Creator, Link, pdf};

on_both_databases!(
    lists_leave_out_what_cannot_be_read,
    a_link_to_a_damaged_idea_can_be_revoked,
    a_damaged_draft_can_be_deleted,
    a_damaged_idea_is_told_to_its_owner_alone,
    a_reader_of_a_damaged_idea_reads_the_others,
    a_link_to_a_damaged_text_ends_as_others_do,
    an_erasure_names_what_may_be_of_the_person,
    a_reader_whose_values_are_damaged_is_erased,
);

/// An idea of which a comment and the details of one of its two readers cannot be read.
pub struct Scene {
    pub ada: Creator,
    pub idea: i64,
    pub link: Link,
    /// The comment.
    pub damaged: String,
}

/// Gives a row the value of another one, which is encrypted for that one.
pub fn replace<T: Display>(app: &App, table: &str, column: &str, key: &str, rows: (&T, &T)) {
    let (into, from) = rows;
    let value = format!("SELECT {column} FROM {table} WHERE {key} = '{from}'");
    let sql = format!("UPDATE {table} SET {column} = ({value}) WHERE {key} = '{into}'");
    tamper(app, table, &sql);
}

impl Scene {
    pub async fn damaged(app: &App) -> Self {
        let ada = app.creator("ada").await;
        let idea = ada.idea("Kettle", "<p>It waits</p>").await;
        let link = ada.share(idea, "full-access", json!({})).await;
        let mut readers = Vec::new();
        for _ in 0..2 {
            let reader = app.visitor();
            readers.push(reader.agree(&link).await);
            reader.read(&link).await;
        }
        replace(
            app,
            "recipients",
            "details",
            "id",
            (&readers[1], &readers[0]),
        );
        let mut comments = Vec::new();
        for text in ["Splendid", "Very splendid"] {
            let comment = json!({ "ideaId": idea, "content": text });
            let added = ada.post("/api/comments", comment).await.expect(201).json();
            comments.push(added["id"].as_str().unwrap().to_owned());
        }
        replace(
            app,
            "comments",
            "sealed",
            "id",
            (&comments[1], &comments[0]),
        );
        Self {
            ada,
            idea,
            link,
            damaged: comments.remove(1),
        }
    }
}

async fn lists_leave_out_what_cannot_be_read(app: App) {
    let Scene { ada, idea, .. } = Scene::damaged(&app).await;
    let comments = ada.get(&format!("/api/comments?ideaId={idea}")).await;
    let comments = comments.expect(200).text();
    assert!(comments.contains("\"Splendid\""), "{comments}");
    assert!(!comments.contains("Very splendid"), "{comments}");
    let activity = ada.activity(idea).await;
    // One of two readers has registered, agreed and viewed.
    assert_eq!(activity.len(), 3, "{activity:?}");
    let news = ada.get("/api/notices").await.expect(200).json();
    assert_eq!(news.as_array().map(Vec::len), Some(2), "{news}");
    for list in [
        format!("/api/ideas/{idea}/shares"),
        format!("/api/ideas/{idea}/revisions"),
        "/api/ideas".to_owned(),
        "/api/assets".to_owned(),
    ] {
        ada.get(&list).await.expect(200);
    }
}

async fn a_link_to_a_damaged_idea_can_be_revoked(app: App) {
    let Scene {
        ada, idea, link, ..
    } = Scene::damaged(&app).await;
    let other = ada.idea("Lamp", "<p>Glows</p>").await;
    replace(&app, "ideas", "title", "id", (&idea, &other));
    let path = format!("/api/shares/{}", link.id);
    let bob = app.creator("bob").await;
    bob.delete(&path).await.expect(404);
    ada.delete(&path).await.expect(204);
    let cells = app.cells();
    let mut of_links = cells.iter().filter(|cell| cell.table == "shares");
    assert!(of_links.any(|cell| cell.column == "revoked_at"));
}

const DAMAGED: &str = "This cannot be read: its stored data is damaged. Please ask the operator of \
                       this vault to restore it from a backup.";

async fn a_damaged_draft_can_be_deleted(app: App) {
    let ada = app.creator("ada").await;
    let imported = ada.pdf_idea(&pdf(300)).await;
    let file = app.stored(imported["content"]["pdfPath"].as_str().unwrap());
    let pdf = imported["id"].as_i64().unwrap();
    let html = ada.idea("Kettle", "<p>It waits</p>").await;
    let other = ada.idea("Lamp", "<p>Glows</p>").await;
    replace(&app, "ideas", "title", "id", (&html, &other));
    replace(&app, "idea_keys", "content", "idea_id", (&html, &other));
    replace(&app, "idea_keys", "content", "idea_id", (&pdf, &other));
    assert!(file.exists());
    let bob = app.creator("bob").await;
    for idea in [html, pdf] {
        let path = format!("/api/ideas/{idea}");
        bob.delete(&path).await.expect(404);
        ada.delete(&path).await.expect(204);
        ada.get(&path).await.expect(404);
    }
    assert!(!file.exists());
    let list = ada.get("/api/ideas").await.expect(200).json();
    assert_eq!(list.as_array().map(Vec::len), Some(1), "{list}");
}

async fn a_damaged_idea_is_told_to_its_owner_alone(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let other = ada.idea("Lamp", "<p>Glows</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    replace(&app, "ideas", "title", "id", (&idea, &other));
    let list = ada.get("/api/ideas").await.expect(200).json();
    let shown = |row: &serde_json::Value| {
        let title = row["title"].as_str().map(ToOwned::to_owned);
        (row["id"].as_i64(), title, row["isDamaged"].as_bool())
    };
    let list: Vec<_> = list.as_array().unwrap().iter().map(shown).collect();
    let lamp = (Some(other), Some("Lamp".to_owned()), Some(false));
    let kettle = (Some(idea), Some(String::new()), Some(true));
    assert_eq!(list, [lamp, kettle]);
    let bob = app.creator("bob").await;
    for path in ["", "/evidence"] {
        let path = format!("/api/ideas/{idea}{path}");
        let told = ada.get(&path).await.expect(500).json();
        assert_eq!(told["message"], DAMAGED, "{path}");
        bob.get(&path).await.expect(404);
    }
    let links = ada.get(&format!("/api/ideas/{idea}/shares")).await;
    assert_eq!(links.expect(200).json()[0]["id"], link.id.as_str());
}

async fn a_reader_of_a_damaged_idea_reads_the_others(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let other = ada.idea("Lamp", "<p>Glows</p>").await;
    let first = ada.share(idea, "full-access", json!({})).await;
    let second = ada.share(other, "full-access", json!({})).await;
    let reader = app.visitor();
    for link in [&first, &second] {
        reader.agree(link).await;
        reader.read(link).await;
    }
    replace(&app, "ideas", "title", "id", (&idea, &other));
    reader.read(&second).await;
    let comment = json!({ "ideaId": other, "content": "Splendid" });
    reader.post("/api/comments", comment).await.expect(201);
    reader.get("/api/comments").await.expect(200);
}

async fn a_link_to_a_damaged_text_ends_as_others_do(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let other = ada.idea("Lamp", "<p>Glows</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let [first, second] = [app.visitor(), app.visitor()];
    for reader in [&first, &second] {
        reader.agree(&link).await;
        reader.read(&link).await;
    }
    replace(
        &app,
        "idea_revisions",
        "content",
        "idea_id",
        (&idea, &other),
    );
    first.open(&link).await.expect(500);
    first.close(&link).await.expect(204);
    first.open(&link).await.expect(410);
    ada.delete(&format!("/api/shares/{}", link.id))
        .await
        .expect(204);
    second.open(&link).await.expect(410);
}

async fn an_erasure_names_what_may_be_of_the_person(app: App) {
    Scene::damaged(&app).await;
    let output = run(&app, &["erase-person", "vera@example.org", "--yes"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("is erased: 1 registration,"), "{said}");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.contains("\n  registration "), "{complaint}");
    let other = run(&app, &["erase-person", "nobody@example.org", "--yes"]);
    assert_eq!(other.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(complaint.contains("nobody knows whether"), "{complaint}");
}

async fn a_reader_whose_values_are_damaged_is_erased(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let mut readers = Vec::new();
    for _ in 0..2 {
        let reader = app.visitor();
        let id = reader.agree(&link).await;
        reader.read(&link).await;
        let comment = json!({ "recipientId": id, "content": "Splendid" });
        let comment = reader.post("/api/comments", comment).await.expect(201);
        let comment = comment.json()["id"].as_str().unwrap().to_owned();
        readers.push((id, comment));
    }
    let [(first, noted), (second, remarked)] = &readers[..] else {
        panic!("{readers:?}");
    };
    replace(&app, "comments", "sealed", "id", (noted, remarked));
    replace(&app, "recipients", "details", "id", (first, second));
    let key = "recipient_id";
    replace(&app, "nda_acceptances", "details", key, (first, second));
    let bob = app.creator("bob").await;
    // The damaged one names nobody, so that it is erased alone.
    for id in [first, second] {
        erase(&bob, id).await.expect(404);
        erase(&ada, id).await.expect(204);
    }
    let comments = ada.get("/api/comments").await.expect(200).json();
    let of = |comment: &serde_json::Value| {
        let text = |field: &str| comment[field].as_str().map(ToOwned::to_owned).unwrap();
        (text("author"), text("content"))
    };
    let comments: Vec<_> = comments.as_array().unwrap().iter().map(of).collect();
    let erased = |text: &str| ("An erased person".to_owned(), text.to_owned());
    let damaged = "The text of this comment was damaged.";
    assert_eq!(comments, [erased(damaged), erased("Splendid")]);
    let said = stdout(&run(&app, &["erase-person", "vera@example.org", "--yes"]));
    assert!(said.contains("has nothing of vera@example.org"), "{said}");
}
