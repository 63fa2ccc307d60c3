//! The real binary beside another server, on one database.

use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::{App, Process, Visitor};
use crate::races::{CANARY, agreed, open_at_once};

on_both_databases!(
    both_servers_serve_the_same_sessions_and_links,
    a_one_time_link_admits_one_of_200_readers_across_both_servers,
    access_ended_on_one_server_is_ended_on_the_other,
    guesses_at_both_servers_get_five_attempts_in_total,
    concurrent_saves_at_both_servers_have_one_winner,
    a_password_changed_on_one_server_is_refused_on_the_other,
);

async fn both_servers_serve_the_same_sessions_and_links(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let link = ada.share(idea, "one-time", json!({})).await;
    let vera = app.visitor();
    vera.agree(&link).await;
    let elsewhere = Visitor::new(vera.at(&other.browser()));
    assert_eq!(elsewhere.read(&link).await, CANARY);
    vera.read(&link).await;
    assert_eq!(ada.views(idea, &link).await, 1);
    ada.at(&other.browser())
        .get("/api/auth/me")
        .await
        .expect(200);
}

async fn a_one_time_link_admits_one_of_200_readers_across_both_servers(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let link = ada.share(idea, "one-time", json!({})).await;
    let mut readers = agreed(&app, &link, 200).await;
    for reader in readers.iter_mut().step_by(2) {
        *reader = Visitor::new(reader.at(&other.browser()));
    }
    assert_eq!(open_at_once(readers, &link).await, (1, 199));
    assert_eq!(ada.views(idea, &link).await, 1);
}

async fn access_ended_on_one_server_is_ended_on_the_other(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let [revoked, closed, erased] = ["full-access"; 3].map(|kind| ada.share(idea, kind, json!({})));
    let (revoked, closed, erased) = (revoked.await, closed.await, erased.await);
    let vera = app.visitor();
    let elsewhere = Visitor::new(vera.at(&other.browser()));
    for link in [&revoked, &closed, &erased] {
        elsewhere.agree(link).await;
        elsewhere.read(link).await;
    }
    let vera = Visitor::new(elsewhere.at(&app.browser()));
    ada.delete(&format!("/api/shares/{}", revoked.id))
        .await
        .expect(204);
    elsewhere.open(&revoked).await.expect(410);
    vera.close(&closed).await.expect(204);
    elsewhere.open(&closed).await.expect(410);
    elsewhere.read(&erased).await;
    ada.delete(&format!("/api/ideas/{idea}")).await.expect(204);
    elsewhere.open(&erased).await.expect(404);

    let ada_elsewhere = ada.at(&other.browser());
    ada_elsewhere
        .post("/api/auth/logout", json!({}))
        .await
        .expect(200);
    ada.get("/api/auth/me").await.expect(401);
}

async fn guesses_at_both_servers_get_five_attempts_in_total(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let to_vera = json!({ "recipientEmail": "vera@example.org" });
    let link = ada.share(idea, "email", to_vera).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let code = app.mailed_code().await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let elsewhere = Visitor::new(vera.at(&other.browser()));
    let mut running = JoinSet::new();
    let guessers = [vera.clone(), elsewhere.clone()];
    for guesser in guessers.into_iter().cycle().take(20) {
        let recipient = recipient.clone();
        running.spawn(async move {
            let refused = guesser.verify(&recipient, wrong).await.refuses("code");
            refused.text().contains("left")
        });
    }
    let guesses = running.join_all().await;
    // The fifth counted attempt reports that none is left.
    assert_eq!(guesses.iter().filter(|left| **left).count(), 4);
    elsewhere.verify(&recipient, &code).await.refuses("code");
    vera.accept(&recipient).await.expect(403);
}

async fn concurrent_saves_at_both_servers_have_one_winner(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let path = format!("/api/ideas/{}", ada.idea("Kettle", "<p>0</p>").await);
    let browsers = [ada.stolen(), ada.at(&other.browser())];
    for base in 1..=5 {
        let mut running = JoinSet::new();
        for (number, browser) in browsers.iter().cycle().take(8).cloned().enumerate() {
            let path = path.clone();
            let text = format!("<p>{base}-{number}</p>");
            let draft = json!({ "title": "Kettle", "content": text, "baseRevision": base });
            running.spawn(async move { (browser.put(&path, draft).await.status, text) });
        }
        let mut answers = running.join_all().await;
        answers.sort_unstable();
        let statuses: Vec<_> = answers.iter().map(|(status, _)| *status).collect();
        assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
        let kept = ada.get(&path).await.json();
        assert_eq!(kept["revision"], base + 1);
        assert_eq!(kept["content"], answers[0].1);
    }
}

async fn a_password_changed_on_one_server_is_refused_on_the_other(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let phone = ada.at(&other.browser());
    phone.get("/api/ideas").await.expect(200);
    let new = "another horse battery";
    let change = json!({
        "currentPassword": ada.password, "newPassword": new, "confirmPassword": new
    });
    ada.post("/api/auth/change-password", change)
        .await
        .expect(200);
    phone.get("/api/ideas").await.expect(401);
    ada.log_in(&phone).await.expect(401);
    ada.at(&phone).get("/api/ideas").await.expect(200);
}
