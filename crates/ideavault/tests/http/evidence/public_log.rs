//! The log as files, for monitors that nobody here wrote.

use ideavault_evidence::checkpoint::SignedCheckpoint;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::log::signed;
use super::placed;
use crate::harness::{App, Browser, Creator};

on_both_databases!(
    whoever_is_signed_in_can_rebuild_the_log,
    the_operator_can_open_the_log_to_everybody,
    other_paths_are_not_found,
);

pub type Hash = [u8; 32];

/// The root of a tree, as RFC 9162 defines it in section 2.1.1.
pub fn root(leaves: &[Hash]) -> Hash {
    match leaves {
        [leaf] => *leaf,
        _ => {
            let left = leaves.len().next_power_of_two() / 2;
            let (left, right) = leaves.split_at(left);
            let node = [&[1][..], &root(left), &root(right)].concat();
            Sha256::digest(node).into()
        }
    }
}

pub fn hashes(tile: &[u8]) -> Vec<Hash> {
    let hashes = tile.chunks(32);
    hashes.map(|hash| hash.try_into().unwrap()).collect()
}

/// An idea with recorded events.
async fn scene(app: &App) -> (Creator, i64) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>It waits</p>").await;
    for _ in 0..3 {
        ada.share(idea, "full-access", json!({})).await;
    }
    let events = placed(&ada, idea).await;
    signed(app, events.len() as u64 + 1).await;
    (ada, idea)
}

/// Rebuilds the log from its files; returns the digests of the events.
async fn rebuilt(browser: &Browser) -> Vec<Hash> {
    let note = browser.get("/log1/checkpoint").await.expect(200);
    let checkpoint = SignedCheckpoint::parse(&note.body).unwrap();
    let head = checkpoint.checkpoint();
    assert_eq!(head.origin(), "127.0.0.1/log1");
    let part = format!("000.p/{}", head.size());
    let tile = browser.get(&format!("/log1/tile/0/{part}")).await;
    let leaves = hashes(&tile.expect(200).body);
    assert_eq!(root(&leaves), *head.root());
    let entries = browser.get(&format!("/log1/tile/entries/{part}")).await;
    let entries: Vec<Hash> = entries
        .expect(200)
        .body
        .chunks(34)
        .map(|entry| {
            assert_eq!(entry[..2], [0, 32]);
            entry[2..].try_into().unwrap()
        })
        .collect();
    for (entry, leaf) in entries.iter().zip(&leaves) {
        let expected: Hash = Sha256::digest([&[0][..], entry].concat()).into();
        assert_eq!(expected, *leaf);
    }
    entries
}

async fn whoever_is_signed_in_can_rebuild_the_log(app: App) {
    let (ada, idea) = scene(&app).await;
    let own: Vec<String> = placed(&ada, idea)
        .await
        .iter()
        .map(|event| event["digest"].as_str().unwrap().to_owned())
        .collect();
    let grace = app.creator("grace").await;
    let entries = rebuilt(&grace).await;
    let known: Vec<String> = entries
        .iter()
        .map(|entry| entry.iter().map(|byte| format!("{byte:02x}")).collect())
        .collect();
    assert!(own.iter().all(|digest| known.contains(digest)), "{known:?}");
    for path in ["/log1/checkpoint", "/log1/tile/0/000.p/1"] {
        app.visitor().get(path).await.expect(401);
    }
}

async fn the_operator_can_open_the_log_to_everybody(app: App) {
    scene(&app).await;
    let app = app.restart(&["--public-log"]).await;
    assert!(rebuilt(&app.browser()).await.len() > 3);
}

async fn other_paths_are_not_found(app: App) {
    let (ada, _) = scene(&app).await;
    for path in [
        "/log2/checkpoint",
        "/log999999999/checkpoint",
        "/log9999999999999/checkpoint",
        "/log0/checkpoint",
        "/log1",
        "/log1/",
        "/log1/other",
        "/log1/tile/0/000",
        "/log1/tile/0/000.p/0",
        "/log1/tile/0/000.p/200",
        "/log1/tile/64/000",
        "/log1/tile/0/x001/000",
        "/log1/tile/0/999999999999999999999999",
        "/log1/tile/0/..%2f..%2fkeys",
        "/log1/tile/entries/001",
    ] {
        ada.get(path).await.expect(404);
    }
    ada.post("/log1/checkpoint", json!({})).await.expect(404);
}
