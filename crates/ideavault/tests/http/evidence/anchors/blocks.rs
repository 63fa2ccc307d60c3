//! Calendars, and a node of Bitcoin that has the blocks which they lead to.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use ideavault::cli::VerifyOptions;
use ideavault_anchors::bitcoin::Network;
use ideavault_evidence::bundle::BundleReader;
use ideavault_evidence::ots::{Attestation, BlockHeader, OtsFile};
use ideavault_evidence::verify::{KnownHeader, Options, Verdict};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::outsider::{Outsider, respond};
use super::{asked, downloaded, put_on_record, ready_says, states, until};
use crate::evidence::bundles::{checked, key_of};
use crate::evidence::commands::verified;
use crate::harness::{App, Browser};

on_both_databases!(a_promise_of_a_calendar_becomes_a_block);

/// A calendar that has a proof once it was asked for it twice.
fn calendar() -> Outsider {
    let asked = AtomicUsize::new(0);
    Outsider::start(move |request, mut stream| {
        // Append or prepend, hash, attestation.
        let body: &[u8] = if request.starts_with(b"POST /digest ") {
            b"\xf0\x04salt\x08\x00\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e\x0b\x0ahttp://a.b"
        } else {
            // A block of its own for each checkpoint.
            match asked.fetch_add(1, Ordering::SeqCst) {
                0 => b"",
                1 => b"\xf1\x01a\x08\x00\x05\x88\x96\x0d\x73\xd7\x19\x01\x03\xc2\x96\x35",
                _ => b"\xf1\x01a\x08\x00\x05\x88\x96\x0d\x73\xd7\x19\x01\x03\xc3\x96\x35",
            }
        };
        let status = if body.is_empty() {
            "404 Not Found"
        } else {
            "200 OK"
        };
        respond(
            &mut stream,
            status,
            "application/vnd.opentimestamps.v1",
            body,
        );
    })
}

async fn a_promise_of_a_calendar_becomes_a_block(app: App) {
    let calendars = [calendar(), calendar()];
    let urls = calendars.each_ref().map(Outsider::url).join(",");
    let app = app.restart(&["--ots-calendars", &urls]).await;
    for calendar in &calendars {
        asked(calendar, 1).await;
    }
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    put_on_record(&ada, idea).await;
    // One in ten minutes.
    app.advance(chrono::Duration::minutes(10));
    let all = |state: &'static str| {
        move |evidence: &Value| {
            let states = states(evidence);
            states.len() == 2 && states.iter().all(|(_, found)| *found == state)
        }
    };
    let evidence = until(&ada, idea, all("pending")).await;
    assert_eq!(evidence["state"], "submitted");
    assert_eq!(evidence["anchors"][0]["time"], Value::Null);
    let before: Vec<usize> = calendars.iter().map(Outsider::requests).collect();
    assert_eq!(before, [2, 2]);
    // Each is asked for both proofs: the first time in vain, then again after six hours.
    app.advance(chrono::Duration::hours(1));
    for calendar in &calendars {
        asked(calendar, 4).await;
    }
    app.advance(chrono::Duration::hours(6));
    // The calendars say so; this server has not checked it.
    let reported = |evidence: &Value| {
        let anchors = evidence["anchors"].as_array().unwrap();
        anchors.iter().all(|anchor| anchor["block"] == 871_234)
    };
    let evidence = until(&ada, idea, reported).await;
    assert_eq!(evidence["state"], "submitted");
    assert!(all("pending")(&evidence));
    assert_eq!(evidence["anchors"][1]["kind"], "ots");
    assert_eq!(evidence["anchors"][1]["time"], Value::Null);
    the_bundle_leads_to_the_block(&ada, idea).await;
    let blocks = a_node_decides_whether_the_block_is_so(&ada, idea).await;
    // Another block of that number does not count.
    let other = bitcoin_node(Chain::Has(vec![mined(871_234, [9; 32], 1_800_000_000)]));
    let (other_url, urls) = (other.url(), urls.as_str());
    let app = app
        .restart(&["--ots-calendars", urls, "--bitcoin-node", &other_url])
        .await;
    let ada = ada.at(&app.browser());
    asked(&other, 6).await;
    ready_says(&app, "belongs to another block").await;
    assert_eq!(until(&ada, idea, reported).await["state"], "submitted");
    // A node that has it, asked after the restart.
    let node = bitcoin_node(Chain::Has(blocks));
    let options = ["--ots-calendars", urls, "--bitcoin-node", &node.url()];
    let app = app.restart(&options).await;
    let ada = ada.at(&app.browser());
    app.advance(chrono::Duration::hours(1));
    let evidence = until(&ada, idea, all("confirmed")).await;
    assert_eq!(evidence["state"], "confirmed");
    let anchor = &evidence["anchors"][0];
    assert_eq!(anchor["block"], 871_234);
    assert!(anchor["time"].is_string(), "{anchor}");
}

/// Hash of the first block of networks for tests.
const GENESIS: &str = "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206";

/// A block as a node shows it.
#[derive(Clone)]
struct Block {
    height: u64,
    header: String,
    hash: String,
}

/// A block with this root of transactions, made like those of networks for tests.
fn mined(height: u64, merkle_root: [u8; 32], time: i64) -> Block {
    let digits = |bytes: &[u8]| -> String { bytes.iter().map(|b| format!("{b:02x}")).collect() };
    let time = u32::try_from(time).unwrap();
    (0_u32..)
        .find_map(|nonce| {
            let header = [
                &[0; 36][..],
                &merkle_root,
                &time.to_le_bytes(),
                &0x207f_ffff_u32.to_le_bytes(),
                &nonce.to_le_bytes(),
            ]
            .concat();
            let mut hash: [u8; 32] = Sha256::digest(Sha256::digest(&header)).into();
            hash.reverse();
            (hash[0] < 0x7f).then(|| Block {
                height,
                header: digits(&header),
                hash: digits(&hash),
            })
        })
        .unwrap()
}

/// How a node of Bitcoin answers.
enum Chain {
    Has(Vec<Block>),
    IsShorter,
    IsOther,
    SendsNumbers,
    SendsTooMuch,
}

fn bitcoin_node(chain: Chain) -> Outsider {
    Outsider::start(move |request, mut stream| {
        let end = request.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        let asked: Value = serde_json::from_slice(&request[end.unwrap() + 4..]).unwrap();
        let of = &asked["params"][0];
        let result = match (&chain, asked["method"].as_str().unwrap()) {
            (Chain::SendsNumbers, _) => json!(7),
            (Chain::SendsTooMuch, _) => json!("0".repeat(1_000_000)),
            (Chain::IsOther, _) => json!("00"),
            (_, "getblockhash") if *of == 0 => json!(GENESIS),
            (Chain::Has(blocks), "getblockhash") => {
                let found = blocks.iter().find(|block| *of == block.height);
                json!(found.map(|block| &block.hash))
            }
            (Chain::Has(blocks), "getblockheader") => {
                let found = blocks.iter().find(|block| *of == block.hash);
                json!(found.map(|block| &block.header))
            }
            _ => Value::Null,
        };
        let (status, error) = match result {
            Value::Null => ("500 Internal Server Error", json!({ "code": -8 })),
            _ => ("200 OK", Value::Null),
        };
        let body = json!({ "result": result, "error": error, "id": asked["id"] }).to_string();
        respond(&mut stream, status, "application/json", body.as_bytes());
    })
}

/// Runs `ideavault verify` with a node; returns the exit status and what was printed.
async fn verified_with_node(bundle: &Path, key: &str, node: &str) -> (u8, String) {
    let options = VerifyOptions {
        bundle: bundle.to_owned(),
        key: Some(key.to_owned()),
        roots: None,
        witness: Vec::new(),
        header: Vec::new(),
        bitcoin_node: Some(node.to_owned()),
        bitcoin_cookie: None,
        network: Network::Regtest,
        against: None,
    };
    let verifying = tokio::task::spawn_blocking(move || {
        let mut said = Vec::new();
        let verdict = ideavault::cli::verify(&options, &mut said).unwrap();
        (verdict.exit_code(), String::from_utf8(said).unwrap())
    });
    verifying.await.unwrap()
}

/// Verifies a bundle with several nodes. Returns its blocks.
async fn a_node_decides_whether_the_block_is_so(ada: &Browser, idea: i64) -> Vec<Block> {
    let (_folder, bundle) = downloaded(ada, idea).await;
    let key = key_of(ada, idea).await.to_string();
    let reader = BundleReader::from_bytes(fs::read(&bundle).unwrap(), &Default::default());
    let reader = reader.unwrap();
    let stamps = reader.paths().filter(|path| path.ends_with(".json.ots"));
    let now = chrono::Utc::now().timestamp();
    // As the calendars say.
    let mut blocks = Vec::new();
    for stamp in stamps {
        let file = OtsFile::parse(&reader.read(stamp).unwrap()).unwrap();
        for found in file.attestations() {
            let Attestation::Bitcoin {
                height,
                merkle_root,
            } = found
            else {
                panic!("{found:?}");
            };
            blocks.push(mined(*height, *merkle_root, now));
        }
    }
    assert!(blocks.iter().any(|block| block.height == 871_234));
    let node = bitcoin_node(Chain::Has(blocks.clone()));
    let (status, said) = verified_with_node(&bundle, &key, &node.url()).await;
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("In Bitcoin block 871234, at most"), "{said}");
    for (chain, status, text) in [
        (
            Chain::Has(vec![mined(871_234, [9; 32], now)]),
            1,
            "Bitcoin block 871234 has another Merkle root.",
        ),
        (Chain::IsShorter, 2, "the Bitcoin node has no block 871234."),
        (
            Chain::IsOther,
            2,
            "the Bitcoin node follows another network.",
        ),
        (
            Chain::SendsNumbers,
            2,
            "the response is not one of a Bitcoin node.",
        ),
        (
            Chain::SendsTooMuch,
            2,
            "the response is larger than 16384 bytes.",
        ),
    ] {
        let node = bitcoin_node(chain);
        let (found, said) = verified_with_node(&bundle, &key, &node.url()).await;
        assert_eq!(found, status, "{text}: {said}");
        assert!(said.contains(text), "{text}: {said}");
    }
    let (status, said) = verified_with_node(&bundle, &key, "http://127.0.0.1:1").await;
    assert_eq!(status, 2, "{said}");
    assert!(
        said.contains("It was not checked: the server cannot be reached."),
        "{said}"
    );
    // The real program knows only the main network, and tells wrong usage from bad evidence.
    let url = node.url();
    let (status, said) = verified(&bundle, &["--key", &key, "--bitcoin-node", &url]);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("follows another network"), "{said}");
    for wrong in [
        &["--bitcoin-node", "localhost:8332"][..],
        &["--bitcoin-node", &url, "--header", "00"],
        &["--bitcoin-cookie", "/no/such/file"],
        &["--bitcoin-node", &url, "--bitcoin-cookie", "/no/such/file"],
    ] {
        assert_eq!(verified(&bundle, wrong).0, 64, "{wrong:?}");
    }
    blocks
}

/// Verifies the bundle with a header of the block, without it, and with another one.
async fn the_bundle_leads_to_the_block(ada: &Browser, idea: i64) {
    let path = format!("/api/ideas/{idea}/evidence.zip");
    let options = |headers| async move {
        Options {
            key: Some(key_of(ada, idea).await),
            headers,
            ..Options::default()
        }
    };
    let (bundle, report) = checked(ada, &path, &options(Vec::new()).await).await;
    assert_eq!(report.verdict(), Verdict::Pending);
    let stamps = bundle.paths().filter(|path| path.ends_with(".json.ots"));
    let stamps: Vec<String> = stamps.map(str::to_owned).collect();
    assert!(stamps.iter().any(|path| path.starts_with("events/")));
    let mut headers = Vec::new();
    for stamp in &stamps {
        let file = OtsFile::parse(&bundle.read(stamp).unwrap()).unwrap();
        let blocks: Vec<_> = file.attestations().collect();
        // One of each calendar.
        assert_eq!(blocks.len(), 2);
        for block in blocks {
            let Attestation::Bitcoin {
                height,
                merkle_root,
            } = block
            else {
                panic!("{block:?}");
            };
            headers.push(KnownHeader {
                height: Some(*height),
                header: BlockHeader {
                    merkle_root: *merkle_root,
                    time: u32::try_from(chrono::Utc::now().timestamp()).unwrap(),
                },
            });
        }
    }
    let (_, report) = checked(ada, &path, &options(headers.clone()).await).await;
    assert_eq!(report.verdict(), Verdict::Confirmed);
    for known in &mut headers {
        known.header.merkle_root[0] ^= 1;
    }
    let (_, report) = checked(ada, &path, &options(headers).await).await;
    assert_eq!(report.verdict(), Verdict::Invalid);
}
