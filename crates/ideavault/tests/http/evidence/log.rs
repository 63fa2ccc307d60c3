//! The log: places, checkpoints, several servers, and databases that went back in time.

use ideavault_evidence::checkpoint::{SignedCheckpoint, VerifierKey};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{placed, reader};
use crate::harness::{App, Browser, Process, Visitor};

on_both_databases!(
    an_acceptance_comes_before_the_view_that_it_allowed,
    two_servers_fill_one_log,
    a_checkpoint_is_kept_beside_the_database,
    the_log_goes_on_after_a_restart,
    no_row_of_the_log_can_be_changed,
    a_database_that_lost_events_is_not_vouched_for,
    a_database_with_other_events_is_not_vouched_for,
);

/// Postgres has many writers.
mod sqlite_only {
    use crate::harness::App;

    #[tokio::test]
    async fn times_never_go_back_under_parallel_writers() {
        super::times_never_go_back_under_parallel_writers(App::on_sqlite().await).await;
    }
}

pub fn kept(app: &App) -> Option<String> {
    std::fs::read_to_string(app.data_dir().join("log-checkpoint")).ok()
}

async fn log_of(ada: &Browser, idea: i64) -> Value {
    let path = format!("/api/ideas/{idea}/evidence");
    ada.get(&path).await.expect(200).json()["log"].clone()
}

/// Waits until the kept checkpoint covers that many events, and returns its note.
pub async fn signed(app: &App, size: u64) -> String {
    let waiting = async {
        loop {
            let note = kept(app).filter(|note| {
                let signed = SignedCheckpoint::parse(note.as_bytes()).unwrap();
                signed.checkpoint().size() >= size
            });
            match note {
                Some(note) => return note,
                None => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            }
        }
    };
    let signed = tokio::time::timeout(std::time::Duration::from_secs(180), waiting).await;
    signed.unwrap()
}

async fn an_acceptance_comes_before_the_view_that_it_allowed(app: App) {
    let other = Process::beside(&app);
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    let mut readers = JoinSet::new();
    for number in 0..20 {
        let browser = match number % 2 {
            0 => app.browser(),
            _ => other.browser(),
        };
        let (visitor, link) = (Visitor::new(browser), link.clone());
        readers.spawn(async move {
            visitor.agree(&link).await;
            visitor.read(&link).await;
        });
    }
    readers.join_all().await;
    let events = placed(&ada, idea).await;
    let place = |recipient: &Value, kind: &str| {
        let mut of_kind = events.iter().filter(|event| event["type"] == kind);
        let found = of_kind.find(|event| event["recipient"] == *recipient);
        found.unwrap()["index"].as_u64().unwrap()
    };
    let views = events
        .iter()
        .filter(|event| event["type"] == "view.started");
    let readers: Vec<&Value> = views.map(|event| &event["recipient"]).collect();
    assert_eq!(readers.len(), 20);
    for recipient in readers {
        let accepted = place(recipient, "agreement.accepted");
        assert!(accepted < place(recipient, "view.started"));
        assert!(place(recipient, "agreement.offered") < accepted);
    }
}

async fn two_servers_fill_one_log(app: App) {
    let other = app.another(&[]).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let elsewhere = ada.at(&other.browser());
    let mut sharing = JoinSet::new();
    for number in 0..40 {
        let browser = match number % 2 {
            0 => ada.stolen(),
            _ => elsewhere.clone(),
        };
        sharing.spawn(async move {
            let share = json!({ "ideaId": idea, "shareType": "full-access" });
            browser.post("/api/shares", share).await.expect(201);
        });
    }
    sharing.join_all().await;
    let events = placed(&ada, idea).await;
    let mut places: Vec<u64> = events
        .iter()
        .map(|event| event["index"].as_u64().unwrap())
        .collect();
    places.sort_unstable();
    // The first place is that of the log's own beginning.
    assert_eq!(places, (1..=40).collect::<Vec<u64>>());
}

async fn times_never_go_back_under_parallel_writers(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let mut sharing = JoinSet::new();
    for _ in 0..64 {
        let browser = ada.stolen();
        sharing.spawn(async move {
            let share = json!({ "ideaId": idea, "shareType": "full-access" });
            browser.post("/api/shares", share).await.expect(201);
        });
    }
    sharing.join_all().await;
    let mut events = placed(&ada, idea).await;
    events.sort_by_key(|event| event["index"].as_u64());
    let times: Vec<&str> = events
        .iter()
        .map(|event| event["at"].as_str().unwrap())
        .collect();
    assert!(times.is_sorted(), "{times:?}");
}

async fn a_checkpoint_is_kept_beside_the_database(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.share(idea, "full-access", json!({})).await;
    placed(&ada, idea).await;
    let note = signed(&app, 2).await;
    let log = log_of(&ada, idea).await;
    let key = VerifierKey::parse(log["vkey"].as_str().unwrap()).unwrap();
    let checkpoint = SignedCheckpoint::parse(note.as_bytes()).unwrap();
    checkpoint.verify(&key).unwrap();
    assert_eq!(checkpoint.checkpoint().origin(), log["origin"]);
    assert_eq!(log["origin"], "127.0.0.1/log1");
}

async fn the_log_goes_on_after_a_restart(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.share(idea, "full-access", json!({})).await;
    signed(&app, 2).await;
    let app = app.restart(&[]).await;
    let ada = ada.at(&app.browser());
    let share = json!({ "ideaId": idea, "shareType": "full-access" });
    ada.post("/api/shares", share).await.expect(201);
    signed(&app, 3).await;
    assert_eq!(log_of(&ada, idea).await["origin"], "127.0.0.1/log1");
    let ready = app.browser().get("/readyz").await.expect(200).json();
    assert_eq!(ready["recording"]["state"], "running", "{ready}");
}

async fn no_row_of_the_log_can_be_changed(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let link = ada.share(idea, "full-access", json!({})).await;
    reader(&app, &link).await;
    placed(&ada, idea).await;
    signed(&app, 6).await;
    for sql in [
        "DELETE FROM evidence_events",
        "UPDATE evidence_events SET body = '{}'",
        "UPDATE evidence_events SET place = place + 100",
        "UPDATE evidence_events SET log = NULL, place = NULL",
        "DELETE FROM evidence_disclosures",
        "UPDATE evidence_disclosures SET name = 'other'",
        "DELETE FROM evidence_nodes",
        "UPDATE evidence_nodes SET position = position + 100",
        "DELETE FROM evidence_checkpoints",
        "UPDATE evidence_checkpoints SET note = 'other'",
        "DELETE FROM evidence_log_keys",
        "UPDATE evidence_log_keys SET vkey = 'other'",
        "DELETE FROM evidence_logs",
        "UPDATE evidence_logs SET origin = 'other'",
    ] {
        assert!(!app.allows(sql), "{sql}");
    }
}

/// Waits until the server says why it has stopped.
pub async fn stopped(app: &App) -> String {
    let waiting = async {
        loop {
            let ready = app.browser().get("/readyz").await.expect(200).json();
            match ready["recording"]["reason"].as_str() {
                Some(reason) => return format!("stopped: {reason}"),
                None => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            }
        }
    };
    let stopped = tokio::time::timeout(std::time::Duration::from_secs(180), waiting).await;
    stopped.unwrap()
}

/// Makes the server believe that it has signed for something else.
pub async fn pretend(app: App, note: &str) -> App {
    let path = app.data_dir().join("log-checkpoint");
    let stopped = app.stop();
    std::fs::write(path, note).unwrap();
    stopped.start().await
}

async fn a_database_that_lost_events_is_not_vouched_for(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.share(idea, "full-access", json!({})).await;
    let note = signed(&app, 2).await;
    let ahead = note.replacen("\n2\n", "\n2000\n", 1);
    let app = pretend(app, &ahead).await;
    let reason = stopped(&app).await;
    assert!(reason.contains("only 2 of the 2000 events"), "{reason}");
    // Serving goes on, and events wait.
    let ada = ada.at(&app.browser());
    let share = json!({ "ideaId": idea, "shareType": "full-access" });
    ada.post("/api/shares", share).await.expect(201);
    let path = format!("/api/ideas/{idea}/evidence");
    let evidence = ada.get(&path).await.expect(200).json();
    assert_eq!(evidence["state"], "stopped");
    assert_eq!(evidence["events"][0]["index"], Value::Null);
    assert_eq!(kept(&app).as_deref(), Some(ahead.as_str()));
}

async fn a_database_with_other_events_is_not_vouched_for(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    ada.share(idea, "full-access", json!({})).await;
    let note = signed(&app, 2).await;
    let root = note.lines().nth(2).unwrap();
    let other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let app = pretend(app, &note.replacen(root, other, 1)).await;
    let reason = stopped(&app).await;
    assert!(
        reason.contains("the first 2 events are not those"),
        "{reason}"
    );
}
