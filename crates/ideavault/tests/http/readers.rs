//! The readers of a creator: who was offered, accepted and opened what.

use chrono::Duration;
use serde_json::{Value, json};

use crate::commands;
use crate::erasure::erase;
use crate::harness::{App, Creator, Link, Visitor};

on_both_databases!(
    who_saw_a_version_before_a_time_is_one_question,
    each_reader_is_listed_with_all_that_came_of_the_registration,
    readers_of_others_are_not_listed,
    a_deleted_draft_keeps_its_readers,
    a_reader_who_was_erased_is_listed_without_a_name,
    readers_come_in_pages_with_their_number,
    readers_are_exported_as_they_are_filtered,
    what_cannot_be_looked_for_is_refused_at_its_parameter,
);

async fn register(visitor: &Visitor, link: &Link, name: &str, email: &str) -> String {
    visitor.open(link).await.expect(200);
    let details = json!({ "name": name, "email": email, "accessToken": link.token });
    let registered = visitor.post("/api/recipients", details).await.expect(201);
    registered.json()["id"].as_str().unwrap().to_owned()
}

async fn reads(app: &App, link: &Link, name: &str, email: &str) -> (Visitor, String) {
    let visitor = app.visitor();
    let id = register(&visitor, link, name, email).await;
    visitor.accept(&id).await.expect(200);
    visitor.read(link).await;
    (visitor, id)
}

async fn save(ada: &Creator, idea: i64, content: &str, base: i64) {
    let path = format!("/api/ideas/{idea}");
    let change = json!({ "title": "Kettle", "content": content, "baseRevision": base });
    ada.put(&path, change).await.expect(200);
}

async fn found(ada: &Creator, query: &str) -> Vec<Value> {
    let answer = ada.get(&format!("/api/readers{query}")).await.expect(200);
    let answer = answer.json();
    let readers = answer["readers"].as_array().unwrap().clone();
    assert_eq!(answer["total"], readers.len());
    readers
}

async fn names(ada: &Creator, query: &str) -> Vec<String> {
    let readers = found(ada, query).await;
    let names = readers.iter().map(|reader| &reader["name"]);
    names
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

async fn who_saw_a_version_before_a_time_is_one_question(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    reads(&app, &link, "Grace Hopper", "grace@example.org").await;
    let (peter, _) = reads(&app, &link, "Peter Smith", "peter@example.org").await;
    app.advance(Duration::minutes(1));
    save(&ada, idea, "<p>Sings</p>", 1).await;
    // A version that comes within a running view is opened, too.
    peter.read(&link).await;
    reads(&app, &link, "Žofie Nováková", "zofie@example.org").await;
    let newest = found(&ada, "?q=zofie").await;
    let until = newest[0]["firstOpenedAt"].as_str().unwrap();
    app.advance(Duration::minutes(1));
    reads(&app, &link, "Too Late", "late@example.org").await;

    let second = "?version=2&state=opened&sort=name";
    assert_eq!(
        names(&ada, second).await,
        ["Peter Smith", "Too Late", "Žofie Nováková"]
    );
    let before = format!("{second}&to={until}");
    assert_eq!(names(&ada, &before).await, ["Peter Smith"]);
    let after = format!("{second}&from={until}");
    assert_eq!(names(&ada, &after).await, ["Too Late", "Žofie Nováková"]);
    assert_eq!(
        names(&ada, "?version=1&sort=-name").await,
        ["Peter Smith", "Grace Hopper"]
    );
}

async fn each_reader_is_listed_with_all_that_came_of_the_registration(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada
        .share(idea, "full-access", json!({ "name": "Investors" }))
        .await;
    let (grace, id) = reads(&app, &link, "Grace Hopper", "grace@example.org").await;
    let comment = json!({ "recipientId": id, "content": "Which clay?" });
    grace.post("/api/comments", comment).await.expect(201);
    let download = format!("/api/share/{}/download", link.token);
    grace.get(&download).await.expect(200);
    let revisions = ada.get(&format!("/api/ideas/{idea}/revisions")).await;
    let digest = revisions.json()[0]["sha256"].clone();

    let readers = found(&ada, "").await;
    let reader = &readers[0];
    for (field, expected) in [
        ("recipientId", json!(id)),
        ("ideaId", json!(idea)),
        ("ideaTitle", json!("Kettle")),
        ("documentId", Value::Null),
        ("shareId", json!(link.id)),
        ("shareType", json!("full-access")),
        ("shareName", json!("Investors")),
        ("name", json!("Grace Hopper")),
        ("email", json!("grace@example.org")),
        ("identity", json!("selfDeclared")),
        ("acceptedVersion", json!(1)),
        ("views", json!(1)),
        ("downloads", json!(1)),
        ("comments", json!(1)),
        ("state", json!("opened")),
        ("receipt", json!(true)),
    ] {
        assert_eq!(reader[field], expected, "{field}");
    }
    assert_eq!(reader["agreement"]["version"], "1.1");
    assert_eq!(reader["versions"][0]["number"], 1);
    assert_eq!(reader["versions"][0]["sha256"], digest);
    assert_eq!(
        reader["versions"][0]["firstOpenedAt"],
        reader["firstOpenedAt"]
    );
    assert_eq!(reader["lastOpenedAt"], reader["firstOpenedAt"]);

    let declining = app.visitor();
    register(&declining, &link, "Peter Smith", "peter@example.org").await;
    let decline = format!("/api/share/{}/decline", link.token);
    declining.post(&decline, json!({})).await.expect(204);
    register(&app.visitor(), &link, "New Comer", "new@example.org").await;
    let for_one = ada
        .share(
            idea,
            "email",
            json!({ "recipientEmail": "mary@example.org" }),
        )
        .await;
    register(&app.visitor(), &for_one, "Mary Shaw", "mary@example.org").await;
    let once = ada.share(idea, "one-time", json!({})).await;
    let too_late = app.visitor();
    let late = register(&too_late, &once, "Too Late", "late@example.org").await;
    too_late.accept(&late).await.expect(200);
    reads(&app, &once, "The First", "first@example.org").await;
    assert_eq!(names(&ada, "?state=agreed").await, ["Too Late"]);
    too_late.open(&once).await.expect(410);
    for (state, name) in [
        ("declined", "Peter Smith"),
        ("registered", "New Comer"),
        ("unconfirmed", "Mary Shaw"),
        ("refused", "Too Late"),
    ] {
        assert_eq!(names(&ada, &format!("?state={state}")).await, [name]);
    }
    let of_link = format!("?shareId={}", for_one.id);
    assert_eq!(names(&ada, &of_link).await, ["Mary Shaw"]);
}

async fn readers_of_others_are_not_listed(app: App) {
    let (ada, bob) = (app.creator("ada").await, app.creator("bob").await);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let (grace, _) = reads(&app, &link, "Grace Hopper", "grace@example.org").await;
    for query in [
        String::new(),
        format!("?ideaId={idea}"),
        format!("?shareId={}", link.id),
        "?q=grace".into(),
    ] {
        assert_eq!(found(&bob, &query).await, [0; 0].map(|_: i32| Value::Null));
        let path = format!("/api/readers{query}");
        grace.get(&path).await.expect(401);
        app.browser().get(&path).await.expect(401);
    }
    grace
        .get("/api/readers/export?format=csv")
        .await
        .expect(401);
    let foreign = format!("/api/readers/export?format=csv&ideaId={idea}");
    let foreign = bob.get(&foreign).await.expect(200);
    assert_eq!(foreign.text().lines().count(), 1);
    let other = bob.idea("Boiler", "<p>Boils</p>").await;
    let of_bob = bob.share(other, "full-access", json!({})).await;
    reads(&app, &of_bob, "Peter Smith", "peter@example.org").await;
    assert_eq!(names(&bob, "").await, ["Peter Smith"]);
    assert_eq!(names(&ada, "").await, ["Grace Hopper"]);
    let export = bob.get("/api/readers/export?format=csv").await.expect(200);
    assert!(!export.text().contains("Grace"));
}

async fn a_deleted_draft_keeps_its_readers(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    reads(&app, &link, "Grace Hopper", "grace@example.org").await;
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    let readers = found(&ada, &format!("?ideaId={idea}")).await;
    assert_eq!(readers[0]["name"], "Grace Hopper");
    assert_eq!(readers[0]["ideaTitle"], "Kettle");
    assert_eq!(readers[0]["versions"][0]["number"], 1);
    assert_eq!(readers[0]["versions"][0]["sha256"], Value::Null);
}

async fn a_reader_who_was_erased_is_listed_without_a_name(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let (_, id) = reads(&app, &link, "Grace Hopper", "grace@example.org").await;
    erase(&ada, &id).await.expect(204);
    let readers = found(&ada, "?state=erased").await;
    assert_eq!(readers[0]["name"], Value::Null);
    assert_eq!(readers[0]["email"], Value::Null);
    assert_eq!(readers[0]["views"], 1);
    assert_eq!(found(&ada, "?q=erased").await.len(), 0);
}

async fn readers_come_in_pages_with_their_number(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    for name in ["Ada", "Bea", "Cleo"] {
        let email = format!("{name}@example.org");
        reads(&app, &link, &format!("{name} Smith"), &email).await;
    }
    let mut path = "/api/readers?sort=name&limit=2&q=smith".to_owned();
    let mut pages = Vec::new();
    loop {
        let answer = ada.get(&path).await.expect(200);
        let page = answer.json();
        assert_eq!(page["total"], 3);
        let readers = page["readers"].as_array().unwrap();
        pages.push(
            readers
                .iter()
                .map(|one| one["name"].clone())
                .collect::<Vec<_>>(),
        );
        if answer.headers.get("link").is_none() {
            break;
        }
        let link = answer.header("link");
        path = link[1..link.find('>').unwrap()].to_owned();
    }
    assert_eq!(
        json!(pages),
        json!([["Ada Smith", "Bea Smith"], ["Cleo Smith"]])
    );
}

async fn readers_are_exported_as_they_are_filtered(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada
        .share(idea, "full-access", json!({ "name": "=1+1" }))
        .await;
    reads(&app, &link, "Grace Hopper", "grace@example.org").await;
    let (_, zofie) = reads(&app, &link, "Žofie Nováková", "zofie@example.org").await;
    let listed = found(&ada, "?q=zofie").await;
    let json = ada.get("/api/readers/export?format=json&q=zofie").await;
    assert_eq!(json.expect(200).json(), json!(listed));
    let csv = ada
        .get("/api/readers/export?format=csv&q=zofie")
        .await
        .expect(200);
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let name = "attachment; filename=\"readers.csv\"";
    assert_eq!(csv.header("content-disposition"), name);
    let text = csv.text();
    assert!(text.starts_with("\u{feff}\"name\",\"email\""), "{text}");
    let rows: Vec<_> = text.lines().collect();
    assert_eq!(rows.len(), 2);
    assert!(
        rows[1].starts_with("\"Žofie Nováková\",\"zofie@example.org\""),
        "{text}"
    );
    assert!(
        rows[1].contains("\"'=1+1\"") && rows[1].contains(&zofie),
        "{text}"
    );
    let exports = commands::stdout(&commands::run(&app, &["audit", "--csv"]));
    assert_eq!(exports.matches("\"exported\"").count(), 2, "{exports}");
    for query in ["", "?format=xml", "?format=CSV"] {
        let answer = ada.get(&format!("/api/readers/export{query}")).await;
        answer.refuses("format");
    }
}

async fn what_cannot_be_looked_for_is_refused_at_its_parameter(app: App) {
    let ada = app.creator("ada").await;
    for (parameter, value) in [
        ("ideaId", "seven"),
        ("shareId", "7"),
        ("version", "0"),
        ("state", "read"),
        ("from", "yesterday"),
        ("to", "2026-05-03T10:00:00"),
        ("sort", "email"),
        ("limit", "0"),
        ("cursor", "nowhere"),
    ] {
        let answer = ada.get(&format!("/api/readers?{parameter}={value}")).await;
        answer.refuses(parameter);
    }
}
