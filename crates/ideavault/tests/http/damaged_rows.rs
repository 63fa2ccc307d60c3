//! A row that cannot be read does not take the others with it.

use std::fmt::Display;

use serde_json::json;

use crate::commands::run;
use crate::evidence::commands::tamper;
use crate::harness::{App, Creator, Link};

on_both_databases!(
    lists_leave_out_what_cannot_be_read,
    a_link_to_a_damaged_idea_can_be_revoked,
    an_erasure_names_what_may_be_of_the_person,
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
