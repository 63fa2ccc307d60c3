//! The audit trail: what it records, and what it never contains.

use std::time::Duration as Wait;

use chrono::{Duration, SecondsFormat};
use serde_json::json;

use crate::commands::{run, stderr, stdout};
use crate::harness::{App, Browser};

on_both_databases!(
    actions_of_a_creator_are_recorded,
    denials_are_recorded_without_changing_the_response,
    a_refused_code_is_recorded,
    a_reached_rate_limit_is_recorded_once_a_minute,
    the_audit_log_contains_no_secret,
    entries_are_printed_oldest_first_and_can_be_limited_by_time,
    an_empty_audit_log_prints_a_message,
    addresses_are_shown_only_on_request,
);

/// Returns the entries of the CSV export, by lines.
pub fn entries(app: &App) -> Vec<Vec<String>> {
    let csv = stdout(&run(app, &["audit", "--csv", "--limit", "1000"]));
    csv.split("\r\n")
        .skip(1)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let line = line.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
            let cells = line.split("\",\"");
            cells.map(str::to_owned).collect()
        })
        .collect()
}

pub fn kinds(app: &App) -> Vec<String> {
    entries(app)
        .into_iter()
        .map(|cells| cells[1].clone())
        .collect()
}

/// Waits for an entry of that kind and returns it.
pub async fn recorded(app: &App, kind: &str) -> Vec<String> {
    recorded_such(app, kind, |_| true).await
}

/// Waits for an entry of that kind that is `wanted`. Denials are recorded after the
/// response.
pub async fn recorded_such(
    app: &App,
    kind: &str,
    wanted: impl Fn(&[String]) -> bool,
) -> Vec<String> {
    let wanted = |cells: &[String]| cells[1] == kind && wanted(cells);
    let looking = async {
        let mut looks = tokio::time::interval(Wait::from_millis(50));
        loop {
            looks.tick().await;
            let found = entries(app).into_iter().find(|cells| wanted(cells));
            if let Some(found) = found {
                return found;
            }
        }
    };
    match tokio::time::timeout(Wait::from_secs(180), looking).await {
        Ok(found) => found,
        Err(_) => panic!("no {kind} in {:?}", entries(app)),
    }
}

async fn try_password(browser: &Browser, email: &str, password: &str) {
    let credentials = json!({ "email": email, "password": password });
    let login = browser.post("/api/auth/login", credentials).await;
    login.expect(401);
}

async fn actions_of_a_creator_are_recorded(app: App) {
    let ada = app.creator("ada").await;
    let id = ada.get("/api/auth/me").await.json()["id"].clone();
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let path = format!("/api/shares/{}", link.id);
    for allowed in [true, false, false, true] {
        let change = json!({ "allowDownload": allowed });
        ada.put(&path, change).await.expect(204);
    }
    ada.delete(&path).await.expect(204);
    let path = format!("/api/ideas/{idea}");
    ada.delete(&path).await.expect(204);
    let published = ada.idea("Lamp", "<p>Glows</p>").await;
    for _ in 0..2 {
        ada.publish(published).await;
    }
    let change = json!({
        "currentPassword": ada.password,
        "newPassword": "another one",
        "confirmPassword": "another one",
    });
    ada.post("/api/auth/change-password", change)
        .await
        .expect(200);

    let entries = entries(&app);
    let seen: Vec<_> = entries
        .iter()
        .map(|cells| (cells[1].as_str(), cells[3].clone()))
        .collect();
    let share = format!("share {}", link.id);
    assert_eq!(
        seen,
        [
            ("registered", String::new()),
            ("login", String::new()),
            ("share-created", share.clone()),
            ("downloads-forbidden", share.clone()),
            ("downloads-allowed", share.clone()),
            ("share-revoked", share),
            ("draft-deleted", format!("idea {idea}")),
            ("published", format!("idea {published}")),
            ("password-changed", String::new()),
        ]
    );
    for cells in entries {
        assert_eq!(cells[2], id.as_str().unwrap());
        assert_eq!(cells[4], "127.0.0.1");
    }
}

async fn denials_are_recorded_without_changing_the_response(app: App) {
    let ada = app.creator("ada").await;
    let id = ada.get("/api/auth/me").await.json()["id"].clone();
    try_password(&app.browser(), &ada.email, "not the one").await;
    let failed = recorded(&app, "login-failed").await;
    assert_eq!(failed[2], id.as_str().unwrap());
    try_password(&app.browser(), "nobody@example.org", "whatever").await;

    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let terms = json!({ "recipientEmail": "grace@example.org" });
    let link = ada.share(idea, "email", terms).await;
    let visitor = app.visitor();
    visitor
        .try_register(&link, "eve@example.org")
        .await
        .expect(403);
    let refused = recorded(&app, "address-refused").await;
    assert_eq!(refused[3], format!("share {}", link.id));

    let path = format!("/api/shares/{}", link.id);
    ada.delete(&path).await.expect(204);
    let dead = visitor.open(&link).await.expect(404);
    let entry = recorded(&app, "link-dead").await;
    assert_eq!(entry[3], format!("share {}", link.id));
    let unknown = visitor.get("/api/share/none").await.expect(404);
    assert_eq!(dead.body, unknown.body);
}

async fn a_refused_code_is_recorded(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let terms = json!({ "recipientEmail": "vera@example.org" });
    let link = ada.share(idea, "email", terms).await;
    let visitor = app.visitor();
    let recipient = visitor.register(&link).await;
    let code = app.mailed_code().await;
    let wrong = if code == "000000" { "111111" } else { "000000" };
    for _ in 0..2 {
        visitor.verify(&recipient, wrong).await.refuses("code");
    }
    let entries: Vec<_> = entries(&app)
        .into_iter()
        .filter(|cells| cells[1] == "code-refused")
        .collect();
    // Once in that minute, with the attempt that was used up.
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0][3], format!("recipient {recipient}"));
}

async fn a_reached_rate_limit_is_recorded_once_a_minute(app: App) {
    let app = app.restart(&["--rate-limit-scale", "1"]).await;
    let browser = app.browser();
    let mut refused = 0;
    for _ in 0..45 {
        if browser.get("/api/share/none").await.status == 429 {
            refused += 1;
        }
    }
    assert!(refused > 1);
    let entry = recorded(&app, "limit-reached").await;
    assert_eq!(entry[3], "route GET /api/share/{token}");
    let limits = kinds(&app)
        .into_iter()
        .filter(|kind| kind == "limit-reached");
    assert_eq!(limits.count(), 1);
}

async fn the_audit_log_contains_no_secret(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("CANARY title", "<p>CANARY</p>").await;
    let link = ada.share(idea, "one-time", json!({})).await;
    let visitor = app.visitor();
    visitor.agree(&link).await;
    visitor.read(&link).await;
    app.visitor().open(&link).await.expect(404);
    recorded(&app, "link-dead").await;
    // A password in the wrong field is not recorded either.
    try_password(&app.browser(), &ada.email, "CANARY password").await;
    recorded(&app, "login-failed").await;
    let forgotten = json!({ "email": ada.email });
    app.browser()
        .post("/api/auth/forgot-password", forgotten)
        .await
        .expect(200);
    recorded(&app, "reset-requested").await;

    let table = stdout(&run(&app, &["audit"]));
    assert!(table.contains("share-created"), "{table}");
    let session = ada.cookies()["ideavault"].clone();
    let viewer = visitor.cookies()["ideavault-viewer"].clone();
    for secret in [
        "CANARY",
        "@example.org",
        ada.password,
        &link.token,
        &session,
        &viewer,
    ] {
        assert!(!table.contains(secret), "{secret}: {table}");
    }
}

async fn entries_are_printed_oldest_first_and_can_be_limited_by_time(app: App) {
    let ada = app.creator("ada").await;
    app.advance(Duration::hours(1));
    let since = app.now().to_rfc3339_opts(SecondsFormat::Secs, true);
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.share(idea, "full-access", json!({})).await;
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);

    let printed = |arguments: &[&str]| -> Vec<String> {
        let table = stdout(&run(&app, &[&["audit"], arguments].concat()));
        let rows = table.lines().skip(1);
        rows.map(|row| row.split_whitespace().nth(1).unwrap().to_owned())
            .collect()
    };
    let all = ["registered", "login", "share-created", "draft-deleted"];
    assert_eq!(printed(&[]), all);
    assert_eq!(printed(&["--since", &since]), all[2..]);
    assert_eq!(printed(&["--limit", "1"]), all[3..]);
    let refused = run(&app, &["audit", "--since", "yesterday"]);
    assert_eq!(refused.status.code(), Some(2));
}

async fn an_empty_audit_log_prints_a_message(app: App) {
    assert_eq!(stdout(&run(&app, &["audit"])), "Nothing has happened.\n");
    let refused = run(&app, &["audit", "--database-url", "mysql://user:hush@db/x"]);
    assert!(!stderr(&refused).contains("hush"));
}

async fn addresses_are_shown_only_on_request(app: App) {
    let ada = app.creator("ada").await;
    try_password(&app.browser(), &ada.email, "guesswork").await;
    recorded(&app, "login-failed").await;
    let plain = stdout(&run(&app, &["audit", "--csv"]));
    assert!(!plain.contains("ada@example.org"), "{plain}");
    let named = stdout(&run(&app, &["audit", "--csv", "--names"]));
    let lines: Vec<_> = named.lines().collect();
    assert!(lines[0].ends_with(",\"email\""), "{named}");
    let failed = lines.iter().find(|line| line.contains("login-failed"));
    assert!(failed.unwrap().ends_with(",\"ada@example.org\""), "{named}");
    let table = stdout(&run(&app, &["audit", "--names"]));
    assert!(table.contains("ada@example.org"), "{table}");
}
