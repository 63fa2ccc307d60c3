//! The log of the real binary, and what it must not contain.

use reqwest::Method;
use serde_json::json;

use crate::commands::{binary, stderr};
use crate::harness::{App, Creator, Form, Process, Visitor, pdf, png};

on_both_databases!(
    no_secret_is_written_to_the_log,
    no_mailed_secret_and_no_file_content_is_written_to_the_log,
    a_damaged_idea_is_logged_and_the_others_are_listed,
    api_calls_are_logged_and_page_views_are_not,
    log_lines_can_be_json,
    what_is_wrong_with_the_environment_is_told,
);

const CANARY: &str = "canary-c0ffee";

/// Stops the server, checks its log for forbidden text, and returns the log.
#[track_caller]
fn assert_discreet(process: Process, secrets: &[String]) -> String {
    process.terminate();
    let log = process.end();
    assert!(
        log.contains("/api/share/{token}"),
        "requests are logged:\n{log}"
    );
    assert!(!log.contains('\u{1b}'), "a file is no terminal:\n{log}");
    for secret in secrets {
        let secret = secret.trim();
        assert!(
            secret.len() > 8 && !log.contains(secret),
            "{secret} in\n{log}"
        );
    }
    log
}

async fn a_damaged_idea_is_logged_and_the_others_are_listed(app: App) {
    let process = Process::start(&app);
    let ada = Creator::sign_up(process.browser(), "ada").await;
    let kept = ada.idea("Kettle", "<p>Waits</p>").await;
    let damaged = ada.idea("Lamp", "<p>Glows</p>").await;
    app.execute(&format!(
        "UPDATE ideas SET title = (SELECT title FROM ideas WHERE id = {kept}) WHERE id = {damaged}"
    ));
    let listed = ada.get("/api/ideas").await.expect(200).json();
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert_eq!(listed[1]["title"], "Kettle");
    process.terminate();
    let log = process.end();
    let line = log.lines().find(|line| line.contains("damaged value"));
    let line = line.unwrap_or_else(|| panic!("{log}"));
    for part in ["ERROR", "what=\"idea\"", &format!("id=\"{damaged}\"")] {
        assert!(line.contains(part), "{part}: {line}");
    }
}

async fn no_secret_is_written_to_the_log(app: App) {
    let process = Process::start(&app);
    let ada = Creator::sign_up(process.browser(), "ada").await;
    let title = format!("Kettle {CANARY}");
    let idea = ada.idea(&title, format!("<p>{CANARY}</p>")).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = Visitor::new(process.browser());
    let recipient = vera.agree(&link).await;
    vera.read(&link).await;
    let comment = json!({ "recipientId": recipient, "content": CANARY });
    vera.post("/api/comments", comment).await.expect(201);
    let mut secrets = vec![CANARY.to_owned(), link.token.clone()];
    secrets.extend(ada.secret_cookies());
    secrets.extend(vera.secret_cookies());
    secrets.extend([ada.password, "ada@example.org", "vera@example.org"].map(str::to_owned));

    // Failures are logged without the input.
    let path = format!("/api/share/{}", link.token);
    vera.close(&link).await.expect(204);
    for path in [
        format!("{path}/{CANARY}"),
        format!("/view/{}?{CANARY}", link.token),
        format!("/api/comments?ideaId={CANARY}"),
        format!("/api/ideas/{CANARY}"),
        format!("/{CANARY}"),
        format!("/api/{CANARY}"),
    ] {
        ada.get(&path).await;
        ada.post(&path, json!({ "agreed": CANARY })).await;
    }
    for path in [
        "/api/ideas",
        "/api/comments",
        "/api/recipients",
        "/api/auth/register",
    ] {
        ada.post(path, json!({ "title": [CANARY], "email": CANARY }))
            .await
            .expect(400);
        ada.raw(Method::POST, path, format!("{{\"{CANARY}"))
            .await
            .expect(400);
    }
    let forged = process.browser();
    forged.set_cookie("ideavault", &format!("{CANARY}={}", link.token));
    forged.get("/api/ideas").await.expect(401);
    let wrong = json!({ "email": "ada@example.org", "password": CANARY });
    forged.post("/api/auth/login", wrong).await.expect(401);
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    ada.post("/api/auth/logout", json!({})).await.expect(200);

    // The password of the database is not logged either.
    let database = app.database_url().to_owned();
    if let Some((_, rest)) = database.split_once("ideavault:") {
        secrets.push(rest.split('@').next().unwrap().to_owned());
    }
    secrets.push(std::fs::read_to_string(app.data_dir().join("secret.key")).unwrap());
    assert_discreet(process, &secrets);
}

async fn no_mailed_secret_and_no_file_content_is_written_to_the_log(app: App) {
    let process = Process::start(&app);
    let ada = Creator::sign_up(process.browser(), "ada").await;
    let name = format!("{CANARY}.pdf");
    let content = [&pdf(1_000)[..], CANARY.as_bytes()].concat();
    let form = Form::default().file("file", &name, "application/pdf", &content);
    let idea = ada.upload("/api/ideas/pdf", &form).await.expect(201).json();
    ada.get(&crate::uploads::path_of(&idea)).await.expect(200);
    ada.image(&format!("{CANARY}.png"), &png()).await;
    let form = Form::default().file("file", &name, "application/pdf", CANARY.as_bytes());
    ada.upload("/api/ideas/pdf", &form).await.expect(400);

    let to_vera = json!({ "recipientEmail": "vera@example.org" });
    let idea = idea["id"].as_i64().unwrap();
    let link = ada.share(idea, "email", to_vera).await;
    let vera = Visitor::new(process.browser());
    let recipient = vera.register(&link).await;
    let code = app.mailed_code().await;
    vera.verify(&recipient, "wrong!").await.expect(400);
    vera.verify(&recipient, &code).await.expect(200);
    vera.verify(&recipient, &code).await.expect(400);
    vera.accept(&recipient).await.expect(200);
    vera.read(&link).await;

    let forgotten = json!({ "email": ada.email });
    ada.post("/api/auth/forgot-password", forgotten)
        .await
        .expect(200);
    let token = app.mailed(|mail| link_to("/reset-password/", mail)).await;
    ada.get(&format!("/reset-password/{token}"))
        .await
        .expect(200);
    let reset = json!({ "token": token, "newPassword": format!("new {CANARY}") });
    ada.post("/api/auth/reset-password", reset.clone())
        .await
        .expect(200);
    ada.post("/api/auth/reset-password", reset)
        .await
        .expect(400);
    let secrets = [CANARY, &token, &link.token, "vera@example.org"].map(str::to_owned);
    let log = assert_discreet(process, &secrets);
    // Six digits can be part of a time; as a separate word they are the code.
    let is_within = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == ':';
    let mut words = log.split(|c| !is_within(c));
    assert!(words.all(|word| word != code), "{code} in\n{log}");
}

/// Returns the text after `path` in a link of that mail.
fn link_to(path: &str, mail: &str) -> Option<String> {
    let (_, rest) = mail.split_once(path)?;
    rest.split_whitespace().next().map(str::to_owned)
}

/// Requests pages, files and one API call, and returns their log lines.
async fn log_of(process: Process) -> Vec<String> {
    let browser = process.browser();
    for path in ["/", "/favicon.svg", "/theme.js", "/readyz", "/healthz"] {
        browser.get(path).await;
    }
    browser.get("/nowhere").await;
    browser
        .get(&format!("/api/share/{CANARY}"))
        .await
        .expect(404);
    process.terminate();
    let log = process.end();
    log.lines()
        .filter(|line| line.contains("answered"))
        .map(str::to_owned)
        .collect()
}

async fn api_calls_are_logged_and_page_views_are_not(app: App) {
    let lines = log_of(Process::with(&app, &[("RUST_LOG", "info")])).await;
    assert_eq!(lines.len(), 1, "{lines:?}");
    for part in [
        "method=GET",
        "route=\"/api/share/{token}\"",
        "status=404",
        "took_seconds=",
        "client=127.0.0.1",
    ] {
        assert!(lines[0].contains(part), "{part}: {}", lines[0]);
    }
}

async fn log_lines_can_be_json(app: App) {
    let lines = log_of(Process::with(&app, &[("IDEAVAULT_LOG", "json")])).await;
    assert_eq!(lines.len(), 1, "{lines:?}");
    let line: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(line["fields"]["status"], 404);
    assert!(line["fields"]["took_seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(line["fields"]["client"], "127.0.0.1");
    assert_eq!(line["span"]["route"], "/api/share/{token}");
}

async fn what_is_wrong_with_the_environment_is_told(app: App) {
    for (filter, told) in [
        ("debgu", "RUST_LOG hides errors"),
        ("foo=bar=baz", "RUST_LOG cannot be used"),
        ("", "IDEAVAULT_REGISTRATON is not a setting"),
        ("warn", "IDEAVAULT_REGISTRATON is not a setting"),
    ] {
        // With a view window that ends the start after what is tested here.
        let output = binary(&["serve", "--view-window", "0s"])
            .env("IDEAVAULT_DATABASE_URL", app.database_url())
            .env("IDEAVAULT_DATA_DIR", app.data_dir())
            .env("RUST_LOG", filter)
            .env("IDEAVAULT_REGISTRATON", "closed")
            .output()
            .unwrap();
        let log = stderr(&output);
        assert!(log.contains(told), "{filter}: {log}");
    }
}
