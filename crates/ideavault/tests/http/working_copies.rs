//! Unsaved texts (docs/rules.md#working-copies).

use chrono::Duration;
use serde_json::{Value, json};

use crate::harness::{App, Browser, pdf};

on_both_databases!(
    unsaved_text_waits_in_every_browser_of_its_author,
    unsaved_text_is_no_version_and_no_reader_sees_it,
    one_session_takes_no_text_of_another_away,
    without_a_name_a_save_and_a_discard_take_all,
    unsaved_text_passes_the_checks_of_a_save,
    other_content_and_a_published_idea_take_none,
    nobody_else_reaches_it,
    it_is_limited,
);

fn of(id: impl ToString) -> String {
    format!("/api/ideas/{}/working-copy", id.to_string())
}

/// A text of a session, as the editor sends it.
fn text(html: &str, base: Option<i32>, session: &str) -> Value {
    json!({ "title": "Unsaved", "content": html, "baseRevision": base, "session": session })
}

async fn waiting(browser: &Browser, id: impl ToString) -> Value {
    browser.get(&of(id)).await.expect(200).json()
}

async fn content(browser: &Browser, id: impl ToString) -> Value {
    waiting(browser, id).await["content"].clone()
}

async fn unsaved_text_waits_in_every_browser_of_its_author(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Saved</p>").await;
    let elsewhere = app.browser();
    ada.log_in(&elsewhere).await.expect(200);
    assert_eq!(waiting(&elsewhere, idea).await, Value::Null);
    assert_eq!(waiting(&elsewhere, "new").await, Value::Null);
    let typed = text("<p>Typed</p>", Some(1), "a");
    for _ in 0..2 {
        ada.put(&of(idea), typed.clone()).await.expect(204);
    }
    let mut begun = text("<p>Begun</p>", None, "b");
    begun["title"] = "".into();
    ada.put(&of("new"), begun).await.expect(204);

    let mut found = waiting(&elsewhere, idea).await;
    let kept_at = found["keptAt"].take();
    assert!(kept_at.as_str().unwrap().ends_with('Z'), "{kept_at}");
    let expected = json!({
        "title": "Unsaved",
        "content": "<p>Typed</p>",
        "baseRevision": 1,
        "session": "a",
        "keptAt": null,
    });
    assert_eq!(found, expected);
    let begun = waiting(&elsewhere, "new").await;
    assert_eq!(begun["title"], "");
    assert_eq!(begun["content"], "<p>Begun</p>");
    assert_eq!(begun["baseRevision"], Value::Null);

    let discard = format!("{}?session=a", of(idea));
    for _ in 0..2 {
        elsewhere.delete(&discard).await.expect(204);
    }
    assert_eq!(waiting(&ada, idea).await, Value::Null);
    assert_ne!(waiting(&ada, "new").await, Value::Null);
}

async fn unsaved_text_is_no_version_and_no_reader_sees_it(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Saved</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let reader = app.visitor();
    reader.agree(&link).await;
    reader.read(&link).await;
    let seen = async || {
        let list = ada.get("/api/ideas").await.json();
        let one = ada.get(&format!("/api/ideas/{idea}")).await.json();
        let revisions = ada.list(&format!("/api/ideas/{idea}/revisions")).await;
        (list, one, revisions, reader.read(&link).await)
    };
    let before = seen().await;
    for (id, base) in [(idea.to_string(), Some(1)), ("new".into(), None)] {
        let unsaved = text("<p>Zqunsaved</p>", base, "a");
        ada.put(&of(id), unsaved).await.expect(204);
    }
    assert_eq!(seen().await, before);
    reader.get(&of(idea)).await.expect(401);
}

/// Two computers.
async fn one_session_takes_no_text_of_another_away(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Saved</p>").await;
    let path = of(idea);
    for session in ["a", "b"] {
        let typed = text(&format!("<p>Of {session}</p>"), Some(1), session);
        ada.put(&path, typed).await.expect(204);
        app.advance(Duration::seconds(1));
    }
    assert_eq!(content(&ada, idea).await, "<p>Of b</p>");
    let save = |session: &str, content: &str| json!({ "title": "Kettle", "content": content, "baseRevision": 1, "session": session });
    let idea_path = format!("/api/ideas/{idea}");
    let refused = json!({ "title": "", "content": "", "session": "b" });
    ada.put(&idea_path, refused).await.expect(400);
    assert_eq!(content(&ada, idea).await, "<p>Of b</p>");
    for _ in 0..2 {
        let saved = save("b", "<p>Of b</p>");
        ada.put(&idea_path, saved).await.expect(200);
        assert_eq!(content(&ada, idea).await, "<p>Of a</p>");
    }
    ada.delete(&format!("{path}?session=b")).await.expect(204);
    assert_eq!(content(&ada, idea).await, "<p>Of a</p>");
    ada.delete(&format!("{path}?session=a")).await.expect(204);
    assert_eq!(waiting(&ada, idea).await, Value::Null);

    for session in ["a", "b"] {
        let begun = text(&format!("<p>Of {session}</p>"), None, session);
        ada.put(&of("new"), begun).await.expect(204);
    }
    let new = json!({ "title": "Lamp", "content": "<p>Of b</p>", "session": "b" });
    ada.post("/api/ideas", new).await.expect(201);
    assert_eq!(content(&ada, "new").await, "<p>Of a</p>");
}

async fn without_a_name_a_save_and_a_discard_take_all(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Saved</p>").await;
    let unnamed = json!({ "title": "Kettle", "content": "<p>Typed</p>" });
    let keep = async |id: String| {
        ada.put(&of(&id), unnamed.clone()).await.expect(204);
        let named = text("<p>Named</p>", (id != "new").then_some(1), "a");
        ada.put(&of(&id), named).await.expect(204);
    };
    keep(idea.to_string()).await;
    ada.delete(&of(idea)).await.expect(204);
    assert_eq!(waiting(&ada, idea).await, Value::Null);
    keep(idea.to_string()).await;
    ada.put(&format!("/api/ideas/{idea}"), unnamed.clone())
        .await
        .expect(200);
    assert_eq!(waiting(&ada, idea).await, Value::Null);
    keep("new".into()).await;
    ada.idea("Lamp", "<p>Lit</p>").await;
    assert_eq!(waiting(&ada, "new").await, Value::Null);
    ada.put(&of(idea), text("<p>Named</p>", Some(1), "a"))
        .await
        .expect(204);
    app.advance(Duration::seconds(1));
    ada.put(&of(idea), unnamed.clone()).await.expect(204);
    let found = waiting(&ada, idea).await;
    assert_eq!(
        (&found["baseRevision"], &found["session"]),
        (&json!(2), &json!(""))
    );
    // As the editor does with what it was given.
    ada.delete(&format!("{}?session=", of(idea)))
        .await
        .expect(204);
    assert_eq!(content(&ada, idea).await, "<p>Named</p>");
}

async fn unsaved_text_passes_the_checks_of_a_save(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Saved</p>").await;
    let hostile = text(
        "<p onclick=\"x()\">Typed<script>y()</script></p>",
        Some(1),
        "a",
    );
    ada.put(&of(idea), hostile).await.expect(204);
    assert_eq!(content(&ada, idea).await, "<p>Typed</p>");
    let refused = [
        ("title", json!("é".repeat(201))),
        ("title", json!("a\u{0}b")),
        ("content", json!(7)),
        ("content", json!("<b>".repeat(300))),
        ("baseRevision", json!(2)),
        ("session", json!("a.b")),
    ];
    for (field, value) in refused {
        let mut body = text("<p>Refused</p>", Some(1), "a");
        body[field] = value;
        ada.put(&of(idea), body).await.expect(400).refuses(field);
    }
    let based = text("<p>Refused</p>", Some(1), "a");
    ada.put(&of("new"), based)
        .await
        .expect(400)
        .refuses("baseRevision");
    let discard = format!("{}?session=a.b", of(idea));
    ada.delete(&discard).await.expect(400).refuses("session");
    assert_eq!(content(&ada, idea).await, "<p>Typed</p>");
    for session in ["b", "c", "d"] {
        let more = text("<p>Typed</p>", Some(1), session);
        ada.put(&of(idea), more).await.expect(204);
    }
    let fifth = text("<p>Refused</p>", Some(1), "e");
    ada.put(&of(idea), fifth)
        .await
        .expect(400)
        .refuses("session");

    let app = app.restart(&["--account-quota", "1KiB"]).await;
    let ada = ada.at(&app.browser());
    let long = text(&format!("<p>{}</p>", "x".repeat(2_000)), Some(1), "a");
    ada.put(&of(idea), long).await.expect(413);
    assert_eq!(content(&ada, idea).await, "<p>Typed</p>");
}

async fn other_content_and_a_published_idea_take_none(app: App) {
    let ada = app.creator("ada").await;
    let imported = ada.pdf_idea(&pdf(1_000)).await;
    ada.put(&of(&imported["id"]), text("<p>x</p>", Some(1), "a"))
        .await
        .expect(400)
        .refuses("content");
    let canvas = ada.idea("Drawing", json!({ "elements": [] })).await;
    ada.put(&of(canvas), text("<p>x</p>", Some(1), "a"))
        .await
        .expect(400)
        .refuses("content");
    let idea = ada.idea("Kettle", "<p>Saved</p>").await;
    ada.publish(idea).await;
    let late = text("<p>Late</p>", Some(1), "a");
    ada.put(&of(idea), late.clone()).await.expect(409);
    assert_eq!(waiting(&ada, idea).await, Value::Null);
    let gone = ada.idea("Lamp", "<p>Saved</p>").await;
    ada.put(&of(gone), late.clone()).await.expect(204);
    ada.delete(&format!("/api/ideas/{gone}")).await.expect(204);
    ada.put(&of(gone), late).await.expect(404);
    ada.get(&of(gone)).await.expect(404);
}

async fn nobody_else_reaches_it(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Saved</p>").await;
    let typed = text("<p>Typed</p>", Some(1), "a");
    ada.put(&of(idea), typed.clone()).await.expect(204);
    ada.put(&of("new"), text("<p>Begun</p>", None, "a"))
        .await
        .expect(204);
    let eve = app.creator("eve").await;
    let discard = |id: String| format!("{}?session=a", of(id));
    eve.get(&of(idea)).await.expect(404);
    eve.put(&of(idea), typed).await.expect(404);
    eve.delete(&discard(idea.to_string())).await.expect(404);
    assert_eq!(waiting(&eve, "new").await, Value::Null);
    eve.delete(&discard("new".into())).await.expect(204);
    eve.put(&of("new"), text("<p>Hers</p>", None, "a"))
        .await
        .expect(204);
    assert_eq!(content(&ada, idea).await, "<p>Typed</p>");
    assert_eq!(content(&ada, "new").await, "<p>Begun</p>");
    for id in ["0", "-1", "01", "NEW", "x"] {
        ada.get(&of(id)).await.expect(404);
    }
}

async fn it_is_limited(app: App) {
    let ada = app.creator("ada").await;
    let app = app.restart(&["--rate-limit-scale", "1"]).await;
    let ada = ada.at(&app.browser());
    let begun = || text("<p>x</p>", None, "a");
    let discard = format!("{}?session=a", of("new"));
    for _ in 0..30 {
        ada.put(&of("new"), begun()).await.expect(204);
        ada.delete(&discard).await.expect(204);
    }
    ada.put(&of("new"), begun()).await.expect(429);
    ada.delete(&discard).await.expect(429);
    let other = json!({ "title": "Kettle", "content": "<p>x</p>" });
    ada.post("/api/ideas", other).await.expect(201);
}
