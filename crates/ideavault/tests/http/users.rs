//! `ideavault user`: the operator's commands on accounts.

use ideavault_mail::testing::SmtpSink;
use serde_json::json;

use crate::audit::{kinds, recorded};
use crate::commands::{run, stderr, stdout};
use crate::harness::App;

on_both_databases!(
    accounts_are_listed_and_shown,
    a_disabled_account_and_its_links_are_inaccessible,
    reenabling_an_account_restores_everything_but_its_sessions,
    deleting_an_account_keeps_its_evidence,
    deleting_an_account_requires_confirmation,
    an_absent_account_is_reported_by_its_address,
);

async fn accounts_are_listed_and_shown(app: App) {
    assert_eq!(
        stdout(&run(&app, &["user", "list"])),
        "There are no accounts.\n"
    );
    let ada = app.creator("ada").await;
    app.creator("bob").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.publish(idea).await;
    let long = format!("<p>{}</p>", "x".repeat(2_500));
    ada.idea("Lamp", long).await;
    ada.share(idea, "full-access", json!({})).await;
    let list = stdout(&run(&app, &["user", "list"]));
    let lines: Vec<Vec<&str>> = list
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let heading = [
        "email",
        "name",
        "registered",
        "confirmed",
        "state",
        "ideas",
        "links",
    ];
    assert_eq!(lines[0], heading);
    assert_eq!(lines[1][..2], [ada.email.as_str(), "ada"]);
    assert_eq!(lines[1][3..], ["-", "active", "2", "1"]);
    assert_eq!(lines[2][0], "bob@example.org");
    assert_eq!(lines[2][3..], ["-", "active", "0", "0"]);
    let shown = stdout(&run(&app, &["user", "show", "ADA@example.org"]));
    for line in [
        "email:      ada@example.org\n",
        "confirmed:  no\n",
        "state:      active\n",
        "two-step:   off\n",
        "ideas:      2 (1 published)\n",
        "links:      1\n",
        "stored:     2.5 kB\n",
        "quota:      as much as the server allows every account\n",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    run(&app, &["user", "quota", "ada@example.org", "500MB"]);
    let shown = stdout(&run(&app, &["user", "show", "ada@example.org"]));
    assert!(shown.contains("quota:      500 MB\n"), "{shown}");
    assert!(
        !shown.contains("Kettle") && !shown.contains("argon2"),
        "{shown}"
    );
}

async fn a_disabled_account_and_its_links_are_inaccessible(app: App) {
    let sink = SmtpSink::start();
    let app = app.mailing_to(&sink).await;
    let ada = app.creator("ada").await;
    let image = ada.image("me.png", &crate::harness::png()).await;
    let content = format!("<p>Waits</p><p><img src=\"{image}\"></p>");
    let idea = ada.idea("Kettle", content).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let reader = app.visitor();
    reader.agree(&link).await;
    reader.read(&link).await;
    reader.get(&image).await.expect(200);

    let done = stdout(&run(&app, &["user", "disable", "ada@example.org"]));
    assert!(done.starts_with("ada@example.org is disabled"), "{done}");

    ada.get("/api/auth/me").await.expect(401);
    ada.get("/api/ideas").await.expect(401);
    // A login fails as with a wrong password.
    let wrong = json!({ "email": ada.email, "password": "not the one" });
    let wrong = app
        .browser()
        .post("/api/auth/login", wrong)
        .await
        .expect(401);
    let right = ada.log_in(&app.browser()).await.expect(401);
    assert_eq!(right.body, wrong.body);
    assert!(right.cookies().is_empty());
    let entry = recorded(&app, "disabled-login").await;
    assert_eq!(entry[4], "127.0.0.1");
    // A password reset is no way around it.
    let forgotten = json!({ "email": ada.email });
    app.browser()
        .post("/api/auth/forgot-password", forgotten)
        .await
        .expect(200);
    // Its links look as if they never existed.
    let unknown = app.browser().get("/api/share/unknown").await.expect(404);
    for visitor in [&reader, &app.visitor()] {
        let dead = visitor.open(&link).await.expect(404);
        assert_eq!(dead.body, unknown.body);
    }
    reader.get(&image).await.expect(404);
    let path = format!("/api/comments?ideaId={idea}");
    let comments = reader.get(&path).await;
    assert!(matches!(comments.status, 401 | 403 | 404), "{comments:?}");
    app.visitor()
        .try_register(&link, "vera@example.org")
        .await
        .expect(404);
    assert_eq!(sink.try_next(), None);
    let complaint = stderr(&run(&app, &["user", "disable", "ada@example.org"]));
    assert!(complaint.contains("is disabled already"), "{complaint}");
}

async fn reenabling_an_account_restores_everything_but_its_sessions(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    stdout(&run(&app, &["user", "disable", "ada@example.org"]));
    stdout(&run(&app, &["user", "enable", "ada@example.org"]));
    ada.get("/api/auth/me").await.expect(401);
    ada.log_in(&ada).await.expect(200);
    assert_eq!(ada.list("/api/ideas").await.len(), 1);
    app.visitor().open(&link).await.expect(200);
    let complaint = stderr(&run(&app, &["user", "enable", "ada@example.org"]));
    assert!(complaint.contains("is not disabled"), "{complaint}");
    let recorded = kinds(&app);
    let changes: Vec<_> = recorded
        .iter()
        .filter(|kind| kind.starts_with("account-"))
        .collect();
    assert_eq!(changes, ["account-disabled", "account-enabled"]);
}

async fn deleting_an_account_keeps_its_evidence(app: App) {
    let ada = app.creator("ada").await;
    let image = ada.image("me.png", &crate::harness::png()).await;
    let content = format!("<p>Waits</p><p><img src=\"{image}\"></p>");
    let published = ada.idea("Kettle", content.clone()).await;
    ada.publish(published).await;
    ada.idea("Lamp", content).await;
    ada.pdf_idea(&crate::harness::pdf(1_000)).await;
    let link = ada.share(published, "full-access", json!({})).await;
    let reader = app.visitor();
    reader.agree(&link).await;
    reader.read(&link).await;
    let comment = json!({ "ideaId": published, "content": "Good" });
    ada.post("/api/comments", comment).await.expect(201);

    let done = stdout(&run(&app, &["user", "delete", "--yes", "ada@example.org"]));
    assert!(done.starts_with("ada@example.org is deleted"), "{done}");

    ada.get("/api/ideas").await.expect(401);
    ada.log_in(&app.browser()).await.expect(401);
    reader.open(&link).await.expect(404);
    reader.get(&image).await.expect(404);
    assert_eq!(
        stdout(&run(&app, &["user", "list"])),
        "There are no accounts.\n"
    );
    assert!(kinds(&app).iter().any(|kind| kind == "account-deleted"));

    // The remaining data can be backed up, restored and verified.
    let folder = app.data_dir().join("backup");
    stdout(&run(&app, &["backup", folder.to_str().unwrap()]));

    // Registering again with the address starts with an empty account.
    let again = app.creator("ada").await;
    assert_eq!(again.list("/api/ideas").await.len(), 0);
    assert_eq!(again.list("/api/assets").await.len(), 0);
    let path = format!("/api/ideas/{published}/activity");
    again.get(&path).await.expect(404);
}

async fn deleting_an_account_requires_confirmation(app: App) {
    let ada = app.creator("ada").await;
    let complaint = stderr(&run(&app, &["user", "delete", "ada@example.org"]));
    assert!(complaint.contains("--yes"), "{complaint}");
    ada.get("/api/auth/me").await.expect(200);
}

async fn an_absent_account_is_reported_by_its_address(app: App) {
    for command in ["show", "disable", "enable"] {
        let complaint = stderr(&run(&app, &["user", command, "eve@example.org"]));
        let expected = "error: no account has the address eve@example.org\n";
        assert_eq!(complaint, expected);
    }
    let complaint = stderr(&run(&app, &["user", "delete", "--yes", "eve@example.org"]));
    assert!(complaint.contains("eve@example.org"), "{complaint}");
    let complaint = stderr(&run(&app, &["user", "show", "nobody"]));
    assert_eq!(complaint, "error: Please enter a valid email address\n");
}
