//! Confirmations by outsiders: an authority made with `openssl`, and calendars, on loopback.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signer as _, SigningKey};
use ideavault::cli::VerifyOptions;
use ideavault_anchors::bitcoin::Network;
use ideavault_evidence::bundle::BundleReader;
use ideavault_evidence::checkpoint::SignedCheckpoint;
use ideavault_evidence::ots::{Attestation, BlockHeader, OtsFile};
use ideavault_evidence::tree::{EMPTY_ROOT, verify_consistency};
use ideavault_evidence::verify::{KnownHeader, Options, Verdict};
use ideavault_evidence::{hex, sha256};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::bundles::{assert_valid_in_python, checked, key_of};
use super::commands::verified;
use super::placed;
use crate::commands::{run, stdout};
use crate::harness::{App, Browser};

on_both_databases!(
    an_authority_confirms_what_is_recorded,
    what_proves_nothing_is_shown_and_delays_nothing,
    two_servers_send_a_checkpoint_once,
    a_promise_of_a_calendar_becomes_a_block,
    witnesses_follow_the_log_of_two_servers,
    a_witness_that_has_seen_more_reveals_a_restored_database,
    nobody_is_asked_without_a_setting,
);

/// How an outsider answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Honest,
    Down,
    Slow,
    OtherImprint,
    OtherNonce,
    Redirecting,
    Huge,
}

/// A server on loopback that counts its requests.
struct Outsider {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

impl Outsider {
    fn start(answer: impl Fn(&[u8], TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&requests);
        let answer = Arc::new(answer);
        // It ends with the tests.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, answer) = (stream.unwrap(), Arc::clone(&answer));
                counted.fetch_add(1, Ordering::SeqCst);
                thread::spawn(move || {
                    let request = read(&mut stream);
                    answer(&request, stream);
                });
            }
        });
        Self { address, requests }
    }

    fn authority(manner: Manner) -> Self {
        Self::start(move |request, stream| stamp(request, stream, manner))
    }

    /// A calendar that has a proof once it was asked for it twice.
    fn calendar() -> Self {
        let asked = AtomicUsize::new(0);
        Self::start(move |request, mut stream| {
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

    fn name(&self) -> String {
        self.address.to_string()
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn read(stream: &mut TcpStream) -> Vec<u8> {
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        if let Some(end) = request.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&request[..end]).to_lowercase();
            let mut lines = head.lines();
            let length = lines.find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            if request.len() >= end + 4 + length {
                return request;
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return request,
            Ok(count) => request.extend_from_slice(&buffer[..count]),
        }
    }
}

/// A client may have hung up.
fn respond(stream: &mut TcpStream, status: &str, media_type: &str, body: &[u8]) {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\
         Location: http://127.0.0.1:1/\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(&[head.as_bytes(), body].concat());
}

fn stamp(request: &[u8], mut stream: TcpStream, manner: Manner) {
    const REPLY: &str = "application/timestamp-reply";
    let end = request.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    let Some(end) = end else { return };
    let mut query = request[end + 4..].to_vec();
    // Positions in the request of RFC 3161 that is sent: the imprint, and the nonce.
    match manner {
        Manner::OtherImprint => query[30] ^= 1,
        Manner::OtherNonce => query[62] ^= 1,
        Manner::Slow => thread::sleep(Duration::from_secs(3_600)),
        _ => {}
    }
    match manner {
        Manner::Down => respond(&mut stream, "503 Away", "text/plain", b""),
        Manner::Redirecting => respond(&mut stream, "302 Found", REPLY, b""),
        Manner::Huge => respond(&mut stream, "200 OK", REPLY, &vec![0x30; 1_000_000]),
        _ => respond(&mut stream, "200 OK", REPLY, &AUTHORITY.reply(&query)),
    }
}

/// A root and an authority under it.
struct Certificates(TempDir);

static AUTHORITY: LazyLock<Certificates> = LazyLock::new(Certificates::make);

fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    let output = command
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "openssl {arguments}: {said}");
}

impl Certificates {
    fn make() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path();
        let extensions = "[req]\ndistinguished_name=dn\n[dn]\n[ca]\nbasicConstraints=critical,CA:TRUE\n\
             keyUsage=critical,keyCertSign\n[tsa]\nbasicConstraints=critical,CA:FALSE\n\
             keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\n";
        fs::write(path.join("x.cnf"), extensions).unwrap();
        for (name, section, issuer) in [("root", "ca", None), ("tsa", "tsa", Some("root"))] {
            openssl(
                path,
                &format!("ecparam -genkey -noout -name prime256v1 -out {name}.key"),
            );
            openssl(
                path,
                &format!("req -new -config x.cnf -key {name}.key -subj /CN={name} -out {name}.csr"),
            );
            let signer = match issuer {
                None => format!("-signkey {name}.key"),
                Some(issuer) => format!("-CA {issuer}.pem -CAkey {issuer}.key -CAcreateserial"),
            };
            openssl(
                path,
                &format!(
                    "x509 -req -in {name}.csr {signer} -days 30 -sha256 -extfile x.cnf \
                     -extensions {section} -out {name}.pem"
                ),
            );
        }
        Self(folder)
    }

    fn roots(&self) -> String {
        self.0.path().join("root.pem").to_str().unwrap().to_owned()
    }

    fn reply(&self, query: &[u8]) -> Vec<u8> {
        let folder = TempDir::new().unwrap();
        let (path, keys) = (folder.path(), self.0.path().display());
        fs::write(path.join("query"), query).unwrap();
        fs::write(path.join("serial"), "0a1b\n").unwrap();
        let config = format!(
            "[tsa]\ndefault_tsa=t\n[t]\nserial=serial\nsigner_cert={keys}/tsa.pem\n\
             signer_key={keys}/tsa.key\nsigner_digest=sha256\ndefault_policy=1.2.3.4\n\
             digests=sha256\ness_cert_id_alg=sha256\n"
        );
        fs::write(path.join("tsa.cnf"), config).unwrap();
        openssl(
            path,
            "ts -reply -config tsa.cnf -queryfile query -out reply",
        );
        fs::read(path.join("reply")).unwrap()
    }
}

fn authorities(outsiders: &[&Outsider]) -> [String; 4] {
    let urls: Vec<String> = outsiders.iter().map(|outsider| outsider.url()).collect();
    let [tsa, roots] = ["--tsa", "--tsa-roots"].map(str::to_owned);
    [tsa, urls.join(","), roots, AUTHORITY.roots()]
}

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
    let found = tokio::time::timeout(Duration::from_secs(60), waiting).await;
    match found {
        Ok(found) => found,
        Err(_) => panic!("{}", ada.get(&path).await.text()),
    }
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
    tokio::time::timeout(Duration::from_secs(60), waiting)
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
    tokio::time::timeout(Duration::from_secs(60), saying)
        .await
        .unwrap();
}

async fn an_authority_confirms_what_is_recorded(app: App) {
    let authority = Outsider::authority(Manner::Honest);
    let app = app.restart(&borrowed(&authorities(&[&authority]))).await;
    asked(&authority, 1).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    placed(&ada, idea).await;
    // At most one a minute.
    app.advance(chrono::Duration::seconds(61));
    let evidence = until(&ada, idea, |evidence| evidence["state"] == "confirmed").await;
    let anchor = &evidence["anchors"][0];
    assert_eq!(anchor["kind"], "tsa");
    assert_eq!(anchor["name"], authority.name());
    assert_eq!(anchor["state"], "confirmed");
    assert_eq!(anchor["block"], Value::Null);
    let time = chrono::DateTime::parse_from_rfc3339(anchor["time"].as_str().unwrap()).unwrap();
    let distance = app.now() - time.to_utc();
    assert!(distance.abs() < chrono::Duration::minutes(5), "{distance}");
    a_stranger_can_check_the_authority(&app, &ada, idea).await;
    // What is recorded later is not confirmed by an earlier time.
    let edit = json!({ "title": "Kettle", "content": "<p>Boils</p>" });
    ada.put(&format!("/api/ideas/{idea}"), edit)
        .await
        .expect(200);
    ada.post(&record, json!({})).await.expect(200);
    placed(&ada, idea).await;
    let evidence = until(&ada, idea, |_| true).await;
    assert_eq!(evidence["state"], "recorded");
    assert_eq!(evidence["anchors"], json!([]));
}

/// Verifies the bundle with the roots of the authority, and with those of another one.
async fn a_stranger_can_check_the_authority(app: &App, ada: &Browser, idea: i64) {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("evidence.zip");
    let export = ada.get(&format!("/api/ideas/{idea}/evidence.zip")).await;
    fs::write(&bundle, &export.expect(200).body).unwrap();
    let key = key_of(ada, idea).await.to_string();
    let (status, said) = verified(&bundle, &["--key", &key, "--roots", &AUTHORITY.roots()]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("Confirmed by tsa at "), "{said}");
    assert_eq!(verified(&bundle, &["--roots", &AUTHORITY.roots()]).0, 3);
    assert_eq!(verified(&bundle, &["--key", &key]).0, 2);
    // Its roots have the same names.
    let other = Certificates::make();
    let (status, said) = verified(&bundle, &["--key", &key, "--roots", &other.roots()]);
    assert_eq!(status, 2, "{said}");
    // Without our code.
    let reader = BundleReader::from_bytes(fs::read(&bundle).unwrap(), &Default::default());
    let reader = reader.unwrap();
    let answers: Vec<&str> = reader
        .paths()
        .filter(|path| path.ends_with(".tsr"))
        .collect();
    assert!(!answers.is_empty());
    for answer in answers {
        let checkpoint = answer.replace(".tsr", ".checkpoint");
        for (name, path) in [("answer", answer), ("checkpoint", &checkpoint)] {
            fs::write(folder.path().join(name), reader.read(path).unwrap()).unwrap();
        }
        let roots = AUTHORITY.roots();
        openssl(
            folder.path(),
            &format!("ts -verify -data checkpoint -in answer -CAfile {roots}"),
        );
    }
    // The server and its operator tell the same.
    let exported = folder.path().join("exported.zip");
    let path = exported.to_str().unwrap();
    stdout(&run(app, &["evidence", "export", &idea.to_string(), path]));
    let (status, said) = verified(&exported, &["--key", &key, "--roots", &AUTHORITY.roots()]);
    assert_eq!(status, 0, "{said}");
}

async fn what_proves_nothing_is_shown_and_delays_nothing(app: App) {
    let manners = [
        (Manner::Honest, "confirmed"),
        (Manner::Slow, "submitted"),
        (Manner::Down, "queued"),
        (Manner::OtherImprint, "refused"),
        (Manner::OtherNonce, "refused"),
        (Manner::Redirecting, "refused"),
        (Manner::Huge, "refused"),
    ];
    let outsiders = manners.map(|(manner, _)| Outsider::authority(manner));
    let all: Vec<&Outsider> = outsiders.iter().collect();
    let app = app.restart(&borrowed(&authorities(&all))).await;
    for outsider in &outsiders {
        asked(outsider, 1).await;
    }
    // While the slow one is asked, everything else goes on.
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    placed(&ada, idea).await;
    let bad = |evidence: &Value| {
        let states = states(evidence);
        manners
            .iter()
            .zip(&outsiders)
            .skip(1)
            .all(|((_, state), outsider)| states.contains(&(outsider.name().as_str(), *state)))
    };
    let evidence = until(&ada, idea, bad).await;
    assert_eq!(evidence["state"], "recorded");
    let ready = app.browser().get("/readyz").await.expect(200).text();
    let line = ready
        .lines()
        .find(|line| line.starts_with("anchors"))
        .unwrap();
    for (outsider, reason) in outsiders.iter().skip(2).zip([
        "status 503",
        "of other data",
        "answers another request",
        "status 302",
        "larger than 65536 bytes",
    ]) {
        let name = outsider.name();
        let part = line.split("; ").find(|part| part.contains(&name)).unwrap();
        assert!(part.contains(reason), "{part}");
    }
    assert!(!line.contains(&outsiders[0].name()), "{line}");
    // The honest one is asked again once the slow one was given up.
    app.advance(chrono::Duration::seconds(80));
    let evidence = until(&ada, idea, |evidence| evidence["state"] == "confirmed").await;
    let confirmed: Vec<_> = states(&evidence)
        .into_iter()
        .filter(|(_, state)| *state == "confirmed")
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(confirmed, [outsiders[0].name()]);
    assert!(!app.cells().iter().any(|cell| {
        // Only what was verified is kept.
        let huge = [0x30; 1_000];
        cell.bytes.windows(1_000).any(|bytes| bytes == huge)
    }));
}

async fn two_servers_send_a_checkpoint_once(app: App) {
    let authority = Outsider::authority(Manner::Honest);
    let options = authorities(&[&authority]);
    let app = app.restart(&borrowed(&options)).await;
    let other = app.another(&borrowed(&options)).await;
    asked(&authority, 1).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    for round in 0..3 {
        ada.share(idea, "full-access", json!({})).await;
        let share = json!({ "ideaId": idea, "shareType": "full-access" });
        let elsewhere = ada.at(&other.browser());
        elsewhere.post("/api/shares", share).await.expect(201);
        ada.put(
            &format!("/api/ideas/{idea}"),
            json!({ "title": "Kettle", "content": format!("<p>{round}</p>") }),
        )
        .await
        .expect(200);
        let record = format!("/api/ideas/{idea}/evidence/record");
        ada.post(&record, json!({})).await.expect(200);
        placed(&ada, idea).await;
        app.advance(chrono::Duration::seconds(61));
        until(&ada, idea, |evidence| evidence["state"] == "confirmed").await;
    }
    assert_eq!(authority.requests(), 4);
}

async fn a_promise_of_a_calendar_becomes_a_block(app: App) {
    let calendars = [Outsider::calendar(), Outsider::calendar()];
    let urls = calendars.each_ref().map(Outsider::url).join(",");
    let app = app.restart(&["--ots-calendars", &urls]).await;
    for calendar in &calendars {
        asked(calendar, 1).await;
    }
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    placed(&ada, idea).await;
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
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("evidence.zip");
    let export = ada.get(&format!("/api/ideas/{idea}/evidence.zip")).await;
    fs::write(&bundle, &export.expect(200).body).unwrap();
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
        let record = format!("/api/ideas/{idea}/evidence/record");
        ada.post(&record, json!({})).await.expect(200);
        placed(&ada, idea).await;
        app.advance(chrono::Duration::seconds(61));
        let evidence = until(&ada, idea, |evidence| evidence["state"] == "confirmed").await;
        let anchor = &evidence["anchors"][0];
        assert_eq!(anchor["kind"], "witness");
        assert_eq!(anchor["name"], WITNESS);
    }
    assert_eq!(witness.requests(), 4);

    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("evidence.zip");
    let export = ada.get(&format!("/api/ideas/{idea}/evidence.zip")).await;
    fs::write(&bundle, &export.expect(200).body).unwrap();
    let key = key_of(&ada, idea).await.to_string();
    let (status, said) = verified(&bundle, &["--key", &key, "--witness", &witness_key().1]);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains(&format!("Confirmed by {WITNESS} at ")),
        "{said}"
    );
    let (status, said) = verified(&bundle, &["--key", &key]);
    assert_eq!(status, 2, "{said}");
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

async fn nobody_is_asked_without_a_setting(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let record = format!("/api/ideas/{idea}/evidence/record");
    ada.post(&record, json!({})).await.expect(200);
    placed(&ada, idea).await;
    app.advance(chrono::Duration::hours(1));
    let ready = app.browser().get("/readyz").await.expect(200).text();
    assert!(ready.contains("anchors: none is failing"), "{ready}");
    let evidence = until(&ada, idea, |_| true).await;
    assert_eq!(evidence["state"], "recorded");
    assert_eq!(evidence["anchors"], json!([]));
    assert!(
        !app.cells()
            .iter()
            .any(|cell| cell.table == "evidence_anchors")
    );
}
