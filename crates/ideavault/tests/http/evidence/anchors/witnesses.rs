//! Witnesses of the log.

use std::fs;
use std::sync::Mutex;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signer as _, SigningKey};
use ideavault_domain::hex;
use ideavault_evidence::bundle::BundleReader;
use ideavault_evidence::checkpoint::SignedCheckpoint;
use ideavault_evidence::sha256;
use ideavault_evidence::tree::{EMPTY_ROOT, verify_consistency};
use serde_json::json;

use super::outsider::{Outsider, respond};
use super::{asked, borrowed, downloaded, put_on_record, states, until};
use crate::commands::{run, stdout};
use crate::evidence::bundles::{assert_valid_in_python, key_of};
use crate::evidence::commands::verified;
use crate::harness::App;

on_both_databases!(
    witnesses_follow_the_log_of_two_servers,
    a_witness_that_has_seen_more_reveals_a_restored_database,
);

const WITNESS: &str = "witness.example.org/w1";

fn witness_secret() -> SigningKey {
    SigningKey::from_bytes(&[9; 32])
}

/// Id and verifier key of the witness.
fn witness_key() -> ([u8; 4], String) {
    let typed = [&[4], witness_secret().verifying_key().as_bytes().as_slice()].concat();
    let digest = sha256(&[WITNESS.as_bytes(), b"\n", &typed].concat());
    let id = [digest[0], digest[1], digest[2], digest[3]];
    let key = format!(
        "{WITNESS}+{}+{}",
        hex::encode(&id),
        BASE64_STANDARD.encode(typed)
    );
    (id, key)
}

/// A witness of the log, as C2SP tlog-witness and tlog-cosignature say.
fn witness() -> Outsider {
    let seen = Mutex::new((0, EMPTY_ROOT));
    Outsider::start(move |request, mut stream| {
        let text = String::from_utf8(request.to_vec()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("POST /add-checkpoint "), "{head}");
        let (proof, note) = body.split_once("\n\n").unwrap();
        let mut lines = proof.split('\n');
        let old = lines.next().and_then(|line| line.strip_prefix("old "));
        let old: u64 = old.unwrap().parse().unwrap();
        let proof: Vec<[u8; 32]> = lines
            .map(|hash| BASE64_STANDARD.decode(hash).unwrap().try_into().unwrap())
            .collect();
        let signed = SignedCheckpoint::parse(note.as_bytes()).unwrap();
        let head = signed.checkpoint();
        let mut seen = seen.lock().unwrap();
        if old != seen.0 {
            let size = format!("{}\n", seen.0);
            let media_type = "text/x.tlog.size";
            respond(&mut stream, "409 Conflict", media_type, size.as_bytes());
            return;
        }
        if verify_consistency(old, &seen.1, head.size(), head.root(), &proof).is_err() {
            respond(&mut stream, "422 Unprocessable Entity", "text/plain", b"");
            return;
        }
        *seen = (head.size(), *head.root());
        let time = chrono::Utc::now().timestamp();
        let message = format!("cosignature/v1\ntime {time}\n{}", head.body());
        let signature = witness_secret().sign(message.as_bytes()).to_bytes();
        let (id, _) = witness_key();
        let bytes = [id.as_slice(), &time.to_be_bytes(), &signature].concat();
        let line = format!("\u{2014} {WITNESS} {}\n", BASE64_STANDARD.encode(bytes));
        respond(&mut stream, "200 OK", "text/plain", line.as_bytes());
    })
}

fn witnesses(outsider: &Outsider) -> [String; 2] {
    let witness = format!("{}@{}", witness_key().1, outsider.url());
    ["--witnesses".to_owned(), witness]
}

async fn witnesses_follow_the_log_of_two_servers(app: App) {
    let witness = witness();
    let options = witnesses(&witness);
    let app = app.restart(&borrowed(&options)).await;
    let _other = app.another(&borrowed(&options)).await;
    asked(&witness, 1).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    for round in 0..3 {
        let edit = json!({ "title": "Kettle", "content": format!("<p>{round}</p>") });
        ada.put(&format!("/api/ideas/{idea}"), edit)
            .await
            .expect(200);
        put_on_record(&ada, idea).await;
        app.advance(chrono::Duration::seconds(61));
        let evidence = until(&ada, idea, |evidence| evidence["state"] == "confirmed").await;
        let anchor = &evidence["anchors"][0];
        assert_eq!(anchor["kind"], "witness");
        assert_eq!(anchor["name"], WITNESS);
    }
    assert_eq!(witness.requests(), 4);

    let (_folder, bundle) = downloaded(&ada, idea).await;
    let key = key_of(&ada, idea).await.to_string();
    let (status, said) = verified(&bundle, &["--key", &key, "--witness", &witness_key().1]);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains(&format!("Confirmed by {WITNESS} at ")),
        "{said}"
    );
    let (status, said) = verified(&bundle, &["--key", &key]);
    assert_eq!(status, 3, "{said}");
    let reader = BundleReader::from_bytes(fs::read(&bundle).unwrap(), &Default::default());
    assert_valid_in_python(&reader.unwrap());
}

/// The server itself notices it only with its own note of the log.
async fn a_witness_that_has_seen_more_reveals_a_restored_database(app: App) {
    let witness = Outsider::start(|_, mut stream| {
        respond(&mut stream, "409 Conflict", "text/x.tlog.size", b"2000\n");
    });
    let app = app.restart(&borrowed(&witnesses(&witness))).await;
    asked(&witness, 1).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    let evidence = until(&ada, idea, |evidence| {
        states(evidence) == [(WITNESS, "refused")]
    })
    .await;
    assert_eq!(evidence["state"], "recorded");
    let status = stdout(&run(&app, &["status"]));
    assert!(status.contains("restored from a backup"), "{status}");
}
