//! Confirmations by outsiders, on loopback.

mod authority;
mod blocks;
mod outsider;
mod witnesses;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use self::outsider::Outsider;
use super::placed;
use crate::harness::{App, Browser};

on_both_databases!(nobody_is_asked_without_a_setting);

fn borrowed(options: &[String]) -> Vec<&str> {
    options.iter().map(String::as_str).collect()
}

/// Waits for evidence of which `holds`.
async fn until(ada: &Browser, idea: i64, holds: impl Fn(&Value) -> bool) -> Value {
    let path = format!("/api/ideas/{idea}/evidence");
    let waiting = async {
        loop {
            let evidence = ada.get(&path).await.expect(200).json();
            if holds(&evidence) {
                return evidence;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let found = tokio::time::timeout(Duration::from_secs(180), waiting).await;
    match found {
        Ok(found) => found,
        Err(_) => panic!("{}", ada.get(&path).await.text()),
    }
}

/// Puts the idea on record, and waits until every event of it has a place.
async fn put_on_record(ada: &Browser, idea: i64) {
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    placed(ada, idea).await;
}

/// Downloads the evidence of the idea. Returns the path of the bundle, and its folder.
async fn downloaded(ada: &Browser, idea: i64) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("evidence.zip");
    let export = ada.get(&format!("/api/ideas/{idea}/evidence.zip")).await;
    fs::write(&bundle, &export.expect(200).body).unwrap();
    (folder, bundle)
}

fn states(evidence: &Value) -> Vec<(&str, &str)> {
    let anchors = evidence["anchors"].as_array().unwrap().iter();
    anchors
        .map(|anchor| {
            let name = anchor["name"].as_str().unwrap();
            (name, anchor["state"].as_str().unwrap())
        })
        .collect()
}

/// Waits until an outsider was sent the beginning of the log.
async fn asked(outsider: &Outsider, times: usize) {
    let waiting = async {
        while outsider.requests() < times {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(180), waiting)
        .await
        .unwrap();
}

/// Waits until `/readyz` says `text`: a job may have heard something and not recorded it yet.
async fn ready_says(app: &App, text: &str) {
    let saying = async {
        while !app
            .browser()
            .get("/readyz")
            .await
            .expect(200)
            .text()
            .contains(text)
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(180), saying)
        .await
        .unwrap();
}

async fn nobody_is_asked_without_a_setting(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    put_on_record(&ada, idea).await;
    app.advance(chrono::Duration::hours(1));
    let ready = app.browser().get("/readyz").await.expect(200).json();
    assert_eq!(ready["failingAnchors"], json!([]), "{ready}");
    assert_eq!(ready["witnesses"], json!([]), "{ready}");
    let evidence = until(&ada, idea, |_| true).await;
    assert_eq!(evidence["state"], "recorded");
    assert_eq!(evidence["anchors"], json!([]));
    assert_eq!(evidence["hasWitnesses"], false);
    assert!(
        !app.cells()
            .iter()
            .any(|cell| cell.table == "evidence_anchors")
    );
}
