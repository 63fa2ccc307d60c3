//! Concurrent readers.

use std::sync::Arc;

use reqwest::Method;
use serde_json::json;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::harness::{App, Link, Visitor};

on_both_databases!(
    a_one_time_link_admits_one_of_200_readers,
    two_servers_on_one_database_admit_one_reader_in_total,
    a_limited_link_admits_exactly_its_number_of_views,
    concurrent_requests_of_one_browser_count_one_view,
    concurrent_agreements_record_one_acceptance,
    concurrent_registrations_leave_one_open,
    deleting_during_concurrent_reads_fails_no_request,
    no_content_is_served_after_a_revocation_has_returned,
);

mod torture {
    //! `just torture`.

    use crate::harness::App;

    #[tokio::test]
    #[ignore = "takes a minute: just torture"]
    async fn a_one_time_link_admits_one_of_200_readers_twenty_times_on_sqlite() {
        super::admit_one(App::on_sqlite().await, &[200; 20]).await;
    }

    #[tokio::test]
    #[ignore = "takes a minute: just torture"]
    async fn a_one_time_link_admits_one_of_200_readers_twenty_times_on_postgres() {
        super::admit_one(App::on_postgres().await, &[200; 20]).await;
    }
}

/// Content that must not reach anybody without access.
pub const CANARY: &str = "canary-90a1";

/// Readers who have agreed, so that each is one request away from the content.
pub async fn agreed(app: &App, link: &Link, count: usize) -> Vec<Visitor> {
    let mut readers = Vec::new();
    let mut running = JoinSet::new();
    for _ in 0..count {
        let visitor = app.visitor();
        let link = link.clone();
        readers.push(visitor.clone());
        running.spawn(async move { visitor.agree(&link).await });
        if running.len() >= 8 {
            running.join_next().await.unwrap().unwrap();
        }
    }
    running.join_all().await;
    readers
}

/// Opens the document for all at the same moment. Returns how many could read, and how many
/// found the link dead.
pub async fn open_at_once(readers: Vec<Visitor>, link: &Link) -> (usize, usize) {
    let barrier = Arc::new(Barrier::new(readers.len()));
    let mut running = JoinSet::new();
    for reader in readers {
        let (barrier, link) = (Arc::clone(&barrier), link.clone());
        running.spawn(async move {
            barrier.wait().await;
            reader.open_in_crowd(&link).await
        });
    }
    let (mut read, mut dead) = (0, 0);
    for answer in running.join_all().await {
        match answer.status {
            200 if answer.text().contains(CANARY) => read += 1,
            410 if !answer.text().contains(CANARY) => dead += 1,
            _ => panic!("{answer:?}"),
        }
    }
    (read, dead)
}

async fn a_one_time_link_admits_one_of_200_readers(app: App) {
    admit_one(app, &[200, 20, 20, 20]).await;
}

async fn admit_one(app: App, readers: &[usize]) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    for &count in readers {
        let link = ada.share(idea, "one-time", json!({})).await;
        let readers = agreed(&app, &link, count).await;
        assert_eq!(open_at_once(readers, &link).await, (1, count - 1));
        assert_eq!(ada.views(idea, &link).await, 1);
    }
}

async fn two_servers_on_one_database_admit_one_reader_in_total(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let other = app.another(&[]).await;
    for _ in 0..4 {
        let link = ada.share(idea, "one-time", json!({})).await;
        let mut readers = agreed(&app, &link, 16).await;
        for reader in readers.iter_mut().step_by(2) {
            *reader = Visitor::new(reader.at(&other.browser()));
        }
        assert_eq!(open_at_once(readers, &link).await, (1, 15));
        assert_eq!(ada.views(idea, &link).await, 1);
    }
}

async fn a_limited_link_admits_exactly_its_number_of_views(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    for share_type in ["one-time", "time-dependent"] {
        let link = ada.share(idea, share_type, json!({ "maxViews": 7 })).await;
        let readers = agreed(&app, &link, 30).await;
        assert_eq!(open_at_once(readers, &link).await, (7, 23));
        assert_eq!(ada.views(idea, &link).await, 7);
    }
}

async fn concurrent_requests_of_one_browser_count_one_view(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    for (share_type, terms) in [
        ("one-time", json!({ "maxViews": 5 })),
        ("time-dependent", json!({ "maxViews": 5 })),
        ("full-access", json!({})),
    ] {
        let link = ada.share(idea, share_type, terms).await;
        let vera = app.visitor();
        vera.agree(&link).await;
        // A browser that requests twice does not find the link dead.
        assert_eq!(open_at_once(vec![vera; 12], &link).await, (12, 0));
        assert_eq!(ada.views(idea, &link).await, 1);
    }
}

async fn concurrent_agreements_record_one_acceptance(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    let recipient = vera.register(&link).await;
    let mut running = JoinSet::new();
    for _ in 0..16 {
        let (vera, recipient) = (vera.clone(), recipient.clone());
        running.spawn(async move { vera.accept(&recipient).await });
    }
    let answers = running.join_all().await;
    // The first response sets a new key; a request with the former one is a stranger's.
    for answer in &answers {
        assert!(matches!(answer.status, 200 | 404), "{answer:?}");
    }
    assert!(answers.iter().any(|answer| answer.status == 200));
    vera.read(&link).await;
    let activity = ada.activity(idea).await;
    let agreed = activity.iter().filter(|event| event["type"] == "agreed");
    assert_eq!(agreed.count(), 1);
}

async fn concurrent_registrations_leave_one_open(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let vera = app.visitor();
    vera.register(&link).await;
    let mut running = JoinSet::new();
    for _ in 0..12 {
        let (vera, link) = (vera.clone(), link.clone());
        running.spawn(async move {
            let answer = vera.try_register(&link, "vera@example.org").await;
            answer.expect(201).json()["id"].as_str().unwrap().to_owned()
        });
    }
    let recipients = running.join_all().await;
    let mut open = 0;
    for recipient in recipients {
        let answer = vera.accept(&recipient).await;
        open += usize::from(answer.status == 200);
        assert!(matches!(answer.status, 200 | 404), "{answer:?}");
    }
    assert_eq!(open, 1);
}

async fn deleting_during_concurrent_reads_fails_no_request(app: App) {
    let ada = app.creator("ada").await;
    for _ in 0..6 {
        let idea = ada.idea("Kettle", CANARY).await;
        let link = ada.share(idea, "full-access", json!({})).await;
        let mut running = JoinSet::new();
        for reader in agreed(&app, &link, 8).await {
            let link = link.clone();
            running.spawn(async move {
                let answer = reader.open(&link).await;
                assert!(matches!(answer.status, 200 | 404), "{answer:?}");
                answer.status
            });
        }
        let owner = ada.stolen();
        running.spawn(async move {
            let path = format!("/api/ideas/{idea}");
            owner
                .send(Method::DELETE, &path, |delete| delete)
                .await
                .expect(204)
                .status
        });
        running.join_all().await;
        app.visitor().open(&link).await.expect(404);
    }
}

async fn no_content_is_served_after_a_revocation_has_returned(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", CANARY).await;
    // A hundred readers, each racing with the revocation.
    for _ in 0..25 {
        let link = ada.share(idea, "full-access", json!({})).await;
        let mut running = JoinSet::new();
        let mut readers = agreed(&app, &link, 4).await;
        readers[0].read(&link).await;
        let late = readers.clone();
        for reader in readers.drain(..) {
            let link = link.clone();
            running.spawn(async move { reader.open(&link).await.status });
        }
        ada.delete(&format!("/api/shares/{}", link.id))
            .await
            .expect(204);
        for reader in late {
            reader.open(&link).await.expect(410);
        }
        let statuses = running.join_all().await;
        assert!(statuses.iter().all(|status| matches!(status, 200 | 410)));
    }
}
