//! Responses and sessions that a server keeps in memory are never those of an earlier state: each
//! test first reads what it changes, so that it is cached.

use chrono::Duration;
use serde_json::{Value, json};

use crate::commands::{run, stdout};
use crate::harness::{App, Browser, Creator, Link, Process, Visitor};
use crate::metrics::{ANYWHERE, metrics, value};

on_both_databases!(
    what_is_read_again_is_found_in_memory,
    a_change_is_in_the_next_response,
    a_change_on_another_server_is_in_the_next_response,
    a_link_that_has_ended_is_not_shown_again,
    a_link_that_ended_on_another_server_is_not_shown_again,
    time_alone_ends_what_is_shown_again,
    a_view_after_the_first_has_ended_is_counted,
    a_session_that_has_ended_signs_nobody_in,
    a_session_that_ended_in_another_process_signs_nobody_in,
    time_alone_ends_a_session,
    nobody_is_shown_what_another_was,
    what_a_command_erases_is_in_no_response,
    each_page_of_a_list_is_its_own,
    a_code_shows_the_time_that_is_left,
);

const TEXT: &str = "<p>A second spout</p>";

/// A creator, their idea, a link to it, and somebody who reads there.
async fn scene(app: &App) -> (Creator, i64, Link, Visitor) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", TEXT).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = reader(app, &link).await;
    (ada, idea, link, vera)
}

async fn reader(app: &App, link: &Link) -> Visitor {
    let vera = app.visitor();
    vera.agree(link).await;
    reads(&vera, link).await;
    vera
}

/// Reads the content until it is cached: the first time records the view.
async fn reads(vera: &Visitor, link: &Link) {
    for _ in 0..3 {
        assert_eq!(vera.read(link).await, TEXT);
    }
}

/// Reads until it is cached, and returns the response.
async fn cached(browser: &Browser, path: &str) -> Value {
    let first = browser.get(path).await.expect(200).json();
    assert_eq!(browser.get(path).await.expect(200).json(), first);
    first
}

/// Returns the paths of an owner's cached reads.
fn owner_paths(idea: i64) -> [String; 4] {
    [
        "/api/auth/me".into(),
        "/api/ideas".into(),
        format!("/api/comments?ideaId={idea}"),
        format!("/api/ideas/{idea}/activity"),
    ]
}

async fn what_is_read_again_is_found_in_memory(app: App) {
    let app = app.restart(&ANYWHERE).await;
    let (ada, idea, link, vera) = scene(&app).await;
    let hits = async |cache: &str| {
        let series = format!("ideavault_cache_lookups_total{{cache=\"{cache}\",result=\"hit\"}}");
        value(&metrics(&app).await, &series)
    };
    let mut paths = owner_paths(idea).map(|path| (&*ada, path)).to_vec();
    paths.push((&*vera, format!("/api/comments?ideaId={idea}")));
    paths.push((&*vera, format!("/api/share/{}", link.token)));
    for (browser, path) in paths {
        let before = (hits("responses").await, hits("sessions").await);
        // Other tests commit on the same Postgres meanwhile.
        let mut first = browser.get(&path).await.expect(200);
        loop {
            let again = browser.get(&path).await.expect(200);
            assert_eq!(again.json(), first.json(), "{path}");
            for header in ["content-type", "cache-control"] {
                assert_eq!(again.header(header), first.header(header), "{path}");
            }
            let names = |cookies: Vec<String>| -> Vec<String> {
                let names = cookies.iter().map(|cookie| cookie.split('=').next());
                names.map(|name| name.unwrap().to_owned()).collect()
            };
            assert_eq!(names(again.cookies()), names(first.cookies()), "{path}");
            let is_signed_in = std::ptr::eq(browser, &*ada);
            let sessions = hits("sessions").await;
            if hits("responses").await > before.0 && (!is_signed_in || sessions > before.1) {
                break;
            }
            first = again;
        }
    }
}

async fn a_change_is_in_the_next_response(app: App) {
    let (ada, idea, link, vera) = scene(&app).await;
    let here = app.browser();
    each_change_is_seen(&ada, idea, &link, &vera, &here).await;
}

async fn a_change_on_another_server_is_in_the_next_response(app: App) {
    let (ada, idea, link, vera) = scene(&app).await;
    let other = Process::beside(&app);
    each_change_is_seen(&ada, idea, &link, &vera, &other.browser()).await;
}

/// Changes at `there` what `ada` and `vera` have read, and reads it again where they were.
async fn each_change_is_seen(
    ada: &Creator,
    idea: i64,
    link: &Link,
    vera: &Visitor,
    there: &Browser,
) {
    let [me, ideas, comments, activity] = owner_paths(idea);
    let ada_there = ada.at(there);
    let vera_there = Visitor::new(vera.at(there));

    cached(ada, &me).await;
    let renamed = ada_there.put("/api/profile", json!({ "name": "Countess" }));
    renamed.await.expect(200);
    assert_eq!(cached(ada, &me).await["name"], "Countess");
    // Her name is in what her readers see.
    let page = format!("/api/share/{}", link.token);
    assert_eq!(
        cached(vera, &page).await["idea"]["user"]["name"],
        "Countess"
    );

    cached(ada, &ideas).await;
    let body = json!({ "title": "Samovar", "content": "<p>Newer</p>" });
    let path = format!("/api/ideas/{idea}");
    ada_there.put(&path, body).await.expect(200);
    assert_eq!(cached(ada, &ideas).await[0]["title"], "Samovar");
    assert_eq!(vera.read(link).await, "<p>Newer</p>");

    for reading in [&**ada, &**vera] {
        let before = cached(reading, &comments).await.as_array().unwrap().len();
        let body = json!({ "ideaId": idea, "content": "Noted." });
        let added = ada_there.post("/api/comments", body).await.expect(201);
        let after = cached(reading, &comments).await;
        assert_eq!(after.as_array().unwrap().len(), before + 1);
        let id = added.json()["id"].clone();
        let path = format!("/api/comments/{}", id.as_str().unwrap());
        let body = json!({ "content": "Changed." });
        ada_there.put(&path, body).await.expect(200);
        let after = cached(reading, &comments).await;
        assert_eq!(after[before]["content"], "Changed.");
        ada_there.delete(&path).await.expect(200);
        let after = cached(reading, &comments).await;
        assert_ne!(after[before]["content"], "Changed.");
    }

    let before = cached(ada, &activity).await;
    vera_there.close(link).await.expect(204);
    assert_ne!(cached(ada, &activity).await, before);
    cached(ada, &ideas).await;
    ada_there.delete(&path).await.expect(204);
    assert_eq!(cached(ada, &ideas).await, json!([]));
}

async fn a_link_that_has_ended_is_not_shown_again(app: App) {
    let here = app.browser();
    each_end_is_seen(&app, &here).await;
}

async fn a_link_that_ended_on_another_server_is_not_shown_again(app: App) {
    let other = Process::beside(&app);
    each_end_is_seen(&app, &other.browser()).await;
}

/// Ends at `there` what is being read at `app`.
async fn each_end_is_seen(app: &App, there: &Browser) {
    let (ada, idea, revoked, at_revoked) = scene(app).await;
    let ada_there = ada.at(there);
    let closed = ada.share(idea, "full-access", json!({})).await;
    let deleted = ada.share(idea, "full-access", json!({})).await;
    let (at_closed, at_deleted) = (reader(app, &closed).await, reader(app, &deleted).await);
    let newcomer = app.visitor();
    newcomer.open(&revoked).await.expect(200);
    newcomer.open(&revoked).await.expect(200);
    let undecided = app.visitor();
    undecided.register(&revoked).await;
    for _ in 0..3 {
        assert_eq!(undecided.open(&revoked).await.json()["stage"], "nda");
    }
    let comments = format!("/api/comments?ideaId={idea}");
    cached(&at_revoked, &comments).await;

    reads(&at_revoked, &revoked).await;
    let path = format!("/api/shares/{}", revoked.id);
    ada_there.delete(&path).await.expect(204);
    at_revoked.open(&revoked).await.expect(410);
    for visitor in [&newcomer, &undecided] {
        visitor.open(&revoked).await.expect(404);
    }
    at_revoked.get(&comments).await.expect(404);

    reads(&at_closed, &closed).await;
    let closing = Visitor::new(at_closed.at(there));
    closing.close(&closed).await.expect(204);
    at_closed.open(&closed).await.expect(410);

    reads(&at_deleted, &deleted).await;
    cached(&at_deleted, &comments).await;
    let path = format!("/api/ideas/{idea}");
    ada_there.delete(&path).await.expect(204);
    at_deleted.open(&deleted).await.expect(404);
    at_deleted.get(&comments).await.expect(404);
}

async fn time_alone_ends_what_is_shown_again(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", TEXT).await;
    let comments = format!("/api/comments?ideaId={idea}");
    // The view, the link, and the browser's key.
    for (share_type, lasts) in [
        ("one-time", Duration::minutes(30)),
        ("time-dependent", Duration::minutes(10)),
        ("full-access", Duration::days(30)),
    ] {
        let terms = match share_type {
            "time-dependent" => json!({ "expiresAt": app.now() + lasts }),
            _ => json!({}),
        };
        let link = ada.share(idea, share_type, terms).await;
        let begun = app.now();
        let vera = reader(&app, &link).await;
        app.advance(lasts - Duration::seconds(30) - (app.now() - begun));
        reads(&vera, &link).await;
        cached(&vera, &comments).await;
        app.advance(Duration::seconds(60));
        let opened = vera.open(&link).await;
        if share_type == "full-access" {
            assert_eq!(opened.expect(200).json()["stage"], "collect");
        } else {
            opened.expect(410);
        }
        let refused = vera.get(&comments).await;
        assert!([401, 404].contains(&refused.status), "{lasts}");
    }
}

async fn a_view_after_the_first_has_ended_is_counted(app: App) {
    let (ada, idea, link, vera) = scene(&app).await;
    assert_eq!(ada.views(idea, &link).await, 1);
    app.advance(Duration::minutes(29));
    reads(&vera, &link).await;
    assert_eq!(ada.views(idea, &link).await, 1);
    app.advance(Duration::minutes(2));
    reads(&vera, &link).await;
    assert_eq!(ada.views(idea, &link).await, 2);
}

async fn a_session_that_has_ended_signs_nobody_in(app: App) {
    let here = app.browser();
    each_session_ends(&app, &here).await;
}

async fn a_session_that_ended_in_another_process_signs_nobody_in(app: App) {
    let other = Process::beside(&app);
    each_session_ends(&app, &other.browser()).await;
}

/// Ends at `there` sessions that are being used at `app`.
async fn each_session_ends(app: &App, there: &Browser) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", TEXT).await;
    let used = async |browser: &Browser| {
        for path in owner_paths(idea) {
            cached(browser, &path).await;
        }
    };
    let ended = async |browser: &Browser| {
        for path in owner_paths(idea) {
            browser.get(&path).await.expect(401);
        }
    };
    let [logged_out, revoked, changed] = [(); 3].map(|()| app.browser());
    for browser in [&logged_out, &revoked, &changed] {
        ada.log_in(browser).await.expect(200);
        used(browser).await;
    }
    used(&ada).await;

    let stolen = logged_out.stolen();
    used(&stolen).await;
    let leaving = stolen.at(there);
    leaving
        .post("/api/auth/logout", json!({}))
        .await
        .expect(200);
    ended(&stolen).await;
    used(&ada).await;

    let sessions = ada.get("/api/auth/sessions").await.expect(200).json();
    let others = sessions.as_array().unwrap().len() - 1;
    assert_eq!(others, 2);
    ada.at(there).delete("/api/auth/sessions").await.expect(204);
    ended(&revoked).await;
    ended(&changed).await;
    used(&ada).await;

    ada.log_in(&changed).await.expect(200);
    used(&changed).await;
    let passwords = json!({
        "currentPassword": ada.password,
        "newPassword": "quite another password",
        "confirmPassword": "quite another password",
    });
    ada.at(there)
        .post("/api/auth/change-password", passwords)
        .await
        .expect(200);
    ended(&changed).await;
    ended(&ada.stolen()).await;
}

async fn time_alone_ends_a_session(app: App) {
    let ada = app.creator("ada").await;
    for _ in 0..3 {
        cached(&ada, "/api/auth/me").await;
        app.advance(Duration::hours(11));
    }
    cached(&ada, "/api/auth/me").await;
    app.advance(Duration::hours(13));
    ada.get("/api/auth/me").await.expect(401);
}

async fn nobody_is_shown_what_another_was(app: App) {
    let (ada, idea, link, vera) = scene(&app).await;
    let eve = app.creator("eve").await;
    let registered = app.visitor();
    registered.register(&link).await;
    for path in owner_paths(idea) {
        cached(&ada, &path).await;
    }
    let [me, ideas, comments, activity] = owner_paths(idea);
    cached(&vera, &comments).await;
    assert_eq!(cached(&eve, &me).await["name"], "eve");
    assert_eq!(cached(&eve, &ideas).await, json!([]));
    for browser in [&*eve, &*registered, &app.browser()] {
        let refused = browser.get(&comments).await;
        let status = refused.status;
        assert!([401, 403, 404].contains(&status), "{status}");
        let refused = browser.get(&activity).await;
        assert!([401, 404].contains(&refused.status));
        let opened = browser.get(&format!("/api/share/{}", link.token)).await;
        assert_eq!(opened.expect(200).json()["idea"]["content"], Value::Null);
    }
    for browser in [&*vera, &*registered, &app.browser()] {
        browser.get(&me).await.expect(401);
        browser.get(&ideas).await.expect(401);
        browser.get(&activity).await.expect(401);
    }
    // A browser that is both is neither alone.
    let both = app.visitor();
    eve.log_in(&both).await.expect(200);
    both.agree(&link).await;
    cached(&both, "/api/comments").await;
    assert_eq!(cached(&both, &me).await["name"], "eve");
    assert_eq!(cached(&both, &comments).await, json!([]));
}

async fn what_a_command_erases_is_in_no_response(app: App) {
    let (ada, idea, link, vera) = scene(&app).await;
    let body = json!({ "ideaId": idea, "content": "Noted." });
    vera.post("/api/comments", body).await.expect(201);
    let paths = owner_paths(idea);
    for path in &paths {
        cached(&ada, path).await;
    }
    reads(&vera, &link).await;
    stdout(&run(&app, &["erase-person", "--yes", "vera@example.org"]));
    for path in &paths {
        let after = cached(&ada, path).await.to_string();
        assert!(
            !after.contains("Vera") && !after.contains("vera@"),
            "{after}"
        );
    }
    let opened = vera.open(&link).await.expect(200).json();
    assert_eq!(opened["stage"], "collect");
    assert_eq!(opened["idea"]["content"], Value::Null);
    stdout(&run(&app, &["user", "disable", "ada@example.org"]));
    for path in &paths {
        ada.get(path).await.expect(401);
    }
}

async fn each_page_of_a_list_is_its_own(app: App) {
    let ada = app.creator("ada").await;
    for title in ["One", "Two", "Three"] {
        ada.idea(title, TEXT).await;
    }
    for _ in 0..2 {
        let mut path = Some("/api/ideas?limit=1".to_owned());
        let mut titles = Vec::new();
        while let Some(page) = path {
            let page = ada.get(&page).await.expect(200);
            titles.push(page.json()[0]["title"].as_str().unwrap().to_owned());
            path = page.next_page();
        }
        assert_eq!(titles, ["Three", "Two", "One"]);
    }
}

async fn a_code_shows_the_time_that_is_left(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", TEXT).await;
    let terms = json!({ "recipientEmail": "vera@example.org" });
    let link = ada.share(idea, "email", terms).await;
    let vera = app.visitor();
    vera.try_register(&link, "vera@example.org")
        .await
        .expect(201);
    let left = async || {
        let opened = vera.open(&link).await.expect(200).json();
        assert_eq!(opened["stage"], "verify", "{opened}");
        opened["verification"]["expiresIn"].as_i64().unwrap()
    };
    let before = left().await;
    left().await;
    app.advance(Duration::seconds(30));
    assert!(left().await <= before - 30);
}
