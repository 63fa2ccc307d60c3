//! An authority for time stamps, made with `openssl`.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use ideavault_evidence::bundle::BundleReader;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::outsider::{Outsider, respond};
use super::{asked, borrowed, downloaded, put_on_record, states, until};
use crate::commands::{run, stdout};
use crate::evidence::bundles::key_of;
use crate::evidence::commands::verified;
use crate::harness::{App, Browser};

on_both_databases!(
    an_authority_confirms_what_is_recorded,
    what_proves_nothing_is_shown_and_delays_nothing,
    two_servers_send_a_checkpoint_once,
);

/// How an authority answers.
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

fn authority(manner: Manner) -> Outsider {
    Outsider::start(move |request, stream| stamp(request, stream, manner))
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

async fn an_authority_confirms_what_is_recorded(app: App) {
    let authority = authority(Manner::Honest);
    let app = app.restart(&borrowed(&authorities(&[&authority]))).await;
    asked(&authority, 1).await;
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    put_on_record(&ada, idea).await;
    // At most one a minute.
    app.advance(chrono::Duration::seconds(61));
    let evidence = until(&ada, idea, |evidence| evidence["state"] == "confirmed").await;
    assert_eq!(evidence["hasWitnesses"], true);
    let ready = app.browser().get("/readyz").await.expect(200).json();
    let witness = json!({ "name": authority.name(), "kind": "tsa" });
    assert_eq!(ready["witnesses"], json!([witness]), "{ready}");
    let anchor = &evidence["anchors"][0];
    assert_eq!(anchor["kind"], "tsa");
    assert_eq!(anchor["name"], authority.name());
    assert_eq!(anchor["state"], "confirmed");
    assert_eq!(anchor["block"], Value::Null);
    let time = chrono::DateTime::parse_from_rfc3339(anchor["time"].as_str().unwrap()).unwrap();
    let distance = app.now() - time.to_utc();
    assert!(distance.abs() < chrono::Duration::minutes(5), "{distance}");
    a_stranger_can_check_the_authority(&app, &ada, idea).await;
    // Later events are not confirmed by an earlier time.
    let edit = json!({ "title": "Kettle", "content": "<p>Boils</p>" });
    ada.put(&format!("/api/ideas/{idea}"), edit)
        .await
        .expect(200);
    put_on_record(&ada, idea).await;
    let evidence = until(&ada, idea, |_| true).await;
    assert_eq!(evidence["state"], "recorded");
    assert_eq!(evidence["anchors"], json!([]));
}

/// Verifies the bundle with the roots of the authority, and with those of another one.
async fn a_stranger_can_check_the_authority(app: &App, ada: &Browser, idea: i64) {
    let (folder, bundle) = downloaded(ada, idea).await;
    let key = key_of(ada, idea).await.to_string();
    let (status, said) = verified(&bundle, &["--key", &key, "--roots", &AUTHORITY.roots()]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("Confirmed by tsa at "), "{said}");
    assert_eq!(verified(&bundle, &["--roots", &AUTHORITY.roots()]).0, 3);
    // Nobody vouches for an answer that nobody verified.
    assert_eq!(verified(&bundle, &["--key", &key]).0, 3);
    // Its roots have the same names.
    let other = Certificates::make();
    let (status, said) = verified(&bundle, &["--key", &key, "--roots", &other.roots()]);
    assert_eq!(status, 3, "{said}");
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
    let outsiders = manners.map(|(manner, _)| authority(manner));
    let all: Vec<&Outsider> = outsiders.iter().collect();
    let app = app.restart(&borrowed(&authorities(&all))).await;
    for outsider in &outsiders {
        asked(outsider, 1).await;
    }
    // While the slow one is asked, everything else goes on.
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    put_on_record(&ada, idea).await;
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
    let ready = app.browser().get("/readyz").await.expect(200).json();
    let line = ready["failingAnchors"].to_string();
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
    let authority = authority(Manner::Honest);
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
        put_on_record(&ada, idea).await;
        app.advance(chrono::Duration::seconds(61));
        until(&ada, idea, |evidence| evidence["state"] == "confirmed").await;
    }
    assert_eq!(authority.requests(), 4);
}
