//! A bundle of a plausible idea: published, shared, accepted, read and commented on, in a log
//! that holds events of others as well.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write as _;
use std::sync::LazyLock;

use chrono::{DateTime, TimeDelta, Utc};
use ideavault_domain::evidence::{
    AgreementFacts, CommentFacts, ContentFacts, Delivery, Disclosure, EventBody, EventKind,
    EventSubject, FileFacts, OriginFacts, OtherLog, PersonFacts, TermsFacts, encode_salt,
    timestamp,
};
use ideavault_domain::hex;
use ideavault_evidence::assets::{REPORT, readme};
use ideavault_evidence::bundle::{
    BundleReader, BundleWriter, INDEX, Index, LeftOut, Limits, ReportPage, VERSION,
};
use ideavault_evidence::checkpoint::{Checkpoint, LogKey, SignedCheckpoint};
use ideavault_evidence::event;
use ideavault_evidence::ots::{self, BlockHeader, CalendarTimestamp};
use ideavault_evidence::proof::{TlogProof, hashes_to_text};
use ideavault_evidence::tree::{self, NodeReader};
use ideavault_evidence::verify::{KnownHeader, Options, Report, verify};
use ideavault_evidence::{Digest, canonical, sha256};

pub const ORIGIN: &str = "vault.example.com/log1";
pub const IDEA: &str = "IV-2026-000042";
pub const HEIGHT: u64 = 900_000;

/// Size of the log when the reader had accepted.
pub const FIRST_ANCHOR: u64 = 16;

/// Files of a bundle by path, without `bundle.json`.
pub type Files = BTreeMap<String, Vec<u8>>;

const CONTENT: &[u8] = b"<h1>Self-watering pot</h1><p>A wick draws water from a lower chamber.</p>\
    <img src=\"/api/files/0b7d4c1e-58a2-4f43-9a57-6f0c2d3e4a11\">";
const SKETCH: &[u8] = b"\x89PNG\r\n\x1a\n not really a picture";
const TERMS: &str = "Bob Reader keeps secret what Ada Inventor shows him.\n";

pub struct Nodes(pub Vec<Digest>);

impl NodeReader for Nodes {
    type Error = Infallible;

    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<Digest>, Infallible> {
        Ok(positions
            .iter()
            .map(|position| self.0[usize::try_from(*position).unwrap()])
            .collect())
    }
}

pub fn key(seed: u8) -> LogKey {
    LogKey::from_seed(ORIGIN, &[seed; 32]).unwrap()
}

pub fn start() -> DateTime<Utc> {
    event::parse_time("2026-03-01T09:00:00.000000Z").unwrap()
}

/// A log under construction.
pub struct Log {
    pub key: LogKey,
    pub origin: String,
    /// The bytes of each event, or none for an event of another idea.
    pub events: Vec<Option<Vec<u8>>>,
    digests: Vec<Digest>,
    pub nodes: Nodes,
    salt: u8,
    pub files: Files,
}

impl Log {
    pub fn new(key: LogKey) -> Self {
        Self {
            origin: key.verifier().origin().to_owned(),
            key,
            events: Vec::new(),
            digests: Vec::new(),
            nodes: Nodes(Vec::new()),
            salt: 0,
            files: Files::new(),
        }
    }

    pub fn size(&self) -> u64 {
        self.digests.len() as u64
    }

    pub fn salt(&mut self) -> [u8; 32] {
        self.salt += 1;
        sha256(&[self.salt])
    }

    fn append(&mut self, digest: Digest) {
        let appended = tree::append(self.size(), &[digest], &mut self.nodes).unwrap();
        self.nodes
            .0
            .extend(appended.nodes.into_iter().map(|(_, node)| node));
        self.digests.push(digest);
    }

    /// Appends events of other ideas, which the bundle does not show.
    pub fn others(&mut self, count: u64) {
        for _ in 0..count {
            let digest = sha256(&self.size().to_be_bytes());
            self.append(digest);
            self.events.push(None);
        }
    }

    /// Appends an event a minute after the last one.
    pub fn event(&mut self, kind: EventKind, change: impl FnOnce(&mut EventBody)) -> u64 {
        let place = self.size();
        let minutes = i64::try_from(place).unwrap();
        let salt = self.salt();
        let at = start() + TimeDelta::minutes(minutes);
        let mut event = EventBody {
            log: self.origin.clone(),
            salt: encode_salt(&salt),
            ..EventBody::new(kind, at, EventSubject::default())
        };
        if kind.is_about_log() {
            event.vkey = Some(self.key.verifier().to_string());
        } else {
            event.idea = Some(IDEA.to_owned());
        }
        change(&mut event);
        self.written(event::write(&event).unwrap());
        place
    }

    /// Appends an event as somebody has written it.
    pub fn written(&mut self, json: Vec<u8>) {
        self.append(event::digest(&json));
        self.events.push(Some(json));
    }

    pub fn head(&mut self, size: u64) -> SignedCheckpoint {
        let root = tree::root(size, &mut self.nodes).unwrap();
        let checkpoint = Checkpoint::new(&self.origin, size, root).unwrap();
        self.key.sign(checkpoint).unwrap()
    }

    /// Adds everything that the log itself contributes to a bundle.
    pub fn write_log(&mut self, prefix: &str, heads: &[u64]) {
        let size = self.size();
        let checkpoint = self.head(size);
        let key = self.key.verifier().clone();
        let mut add = |path: &str, bytes: &[u8]| {
            self.files.insert(format!("{prefix}{path}"), bytes.to_vec());
        };
        add("log/checkpoint", checkpoint.bytes());
        add(
            "log/checkpoint.body",
            checkpoint.checkpoint().body().as_bytes(),
        );
        add("log/checkpoint.sig", &checkpoint.signature(&key).unwrap());
        add("log/key.pem", key.pem().as_bytes());
        add("log/vkey", format!("{key}\n").as_bytes());
        for place in 0..size {
            let Some(json) = self.events[usize::try_from(place).unwrap()].clone() else {
                continue;
            };
            let proof = TlogProof {
                index: place,
                hashes: tree::inclusion_proof(place, size, &mut self.nodes).unwrap(),
                checkpoint: checkpoint.clone(),
            };
            self.put(&format!("{prefix}events/{place}.json"), json);
            self.put(
                &format!("{prefix}events/{place}.tlog-proof"),
                proof.to_text(),
            );
        }
        for old in heads {
            let proof = tree::consistency_proof(*old, size, &mut self.nodes).unwrap();
            let head = self.head(*old);
            self.put(
                &format!("{prefix}log/checkpoint-{old}"),
                head.bytes().to_vec(),
            );
            self.put(
                &format!("{prefix}log/consistency-{old}-{size}.txt"),
                hashes_to_text(&proof).into_bytes(),
            );
        }
    }

    pub fn put(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.to_owned(), bytes.into());
    }

    /// Stamps a checkpoint and the events below it by a calendar that made a block of them.
    pub fn write_stamps(&mut self, size: u64) {
        let name = format!("{size}-bitcoin");
        let checkpoint = self.head(size);
        let digest = ots::calendar_digest(&checkpoint);
        let answers = [CalendarTimestamp::parse(&answer(), &digest).unwrap()];
        let file = ots::checkpoint_file(&checkpoint, &answers).unwrap();
        self.put(
            &format!("anchors/{name}.checkpoint"),
            checkpoint.bytes().to_vec(),
        );
        self.put(&format!("anchors/{name}.ots"), file);
        for place in 0..size {
            let index = usize::try_from(place).unwrap();
            if self.events[index].is_none() {
                continue;
            }
            let proof = tree::inclusion_proof(place, size, &mut self.nodes).unwrap();
            let file = ots::event_file(&self.digests[index], place, &proof, &checkpoint, &answers)
                .unwrap();
            self.put(&format!("events/{place}.json.ots"), file);
        }
    }

    /// The block in which [`Log::write_stamps`] put a checkpoint.
    pub fn block(&mut self, size: u64) -> KnownHeader {
        let digest = ots::calendar_digest(&self.head(size));
        let time = start() + TimeDelta::hours(3);
        KnownHeader {
            height: Some(HEIGHT),
            header: BlockHeader {
                merkle_root: sha256(&[digest.as_slice(), b"block"].concat()),
                time: u32::try_from(time.timestamp()).unwrap(),
            },
        }
    }
}

/// The calendar's answer: append `block`, SHA-256, and the attestation of a block.
fn answer() -> Vec<u8> {
    let mut answer = vec![0xf0, 5];
    answer.extend_from_slice(b"block");
    answer.extend_from_slice(&[0x08, 0x00]);
    answer.extend_from_slice(&[0x05, 0x88, 0x96, 0x0d, 0x73, 0xd7, 0x19, 0x01]);
    // 900,000 in groups of seven bits, the lowest first.
    answer.extend_from_slice(&[3, 0xa0, 0xf7, 0x36]);
    answer
}

/// Has the form of the answer of an authority: a SEQUENCE with the digest.
pub fn authority_answer(data: &[u8]) -> Vec<u8> {
    [[0x30, 34, 0x04, 32].as_slice(), &sha256(data)].concat()
}

/// A disclosure and its digest as events name it.
pub fn disclosure(log: &mut Log, facts: &Disclosure) -> (Vec<u8>, String) {
    let json = facts.encode(&log.salt()).unwrap().into_bytes();
    let digest = hex::encode(&sha256(&json));
    (json, digest)
}

/// A bundle's files, and the log that they come from.
pub struct Sample {
    pub files: Files,
    pub log: Log,
}

/// Builds the sample. Equal on each call.
pub fn sample() -> Sample {
    let mut log = Log::new(key(1));
    log.event(EventKind::LogStarted, |_| {});
    log.others(2);

    let content = ContentFacts {
        title: "Self-watering pot".to_owned(),
        creator: "Ada Inventor".to_owned(),
        sha256: hex::encode(&sha256(CONTENT)),
        document_id: None,
        files: vec![FileFacts {
            name: "Skizze für Bob.png".to_owned(),
            media_type: "image/png".to_owned(),
            sha256: hex::encode(&sha256(SKETCH)),
            original: None,
        }],
    };
    let (content, content_digest) = disclosure(&mut log, &Disclosure::Content(content));
    let recorded = log.event(EventKind::RevisionRecorded, |event| {
        event.revision = Some("1".to_owned());
        event
            .discloses
            .insert("content".to_owned(), content_digest.clone());
    });
    log.put(&format!("disclosures/{recorded}-content.json"), content);
    log.event(EventKind::IdeaPublished, |event| {
        event.revision = Some("1".to_owned());
        event
            .discloses
            .insert("content".to_owned(), content_digest.clone());
    });
    log.put("idea/version-1.html", CONTENT);
    log.put("idea/version-1-1.png", SKETCH);
    log.others(2);
    log.event(EventKind::ShareCreated, |event| {
        event.share = Some("share-1".to_owned());
    });
    accept(&mut log);
    comment(&mut log);

    let size = log.size();
    log.write_log("", &[1, FIRST_ANCHOR]);
    log.write_stamps(size);
    Sample {
        files: log.files.clone(),
        log,
    }
}

/// The key of the log that continues that of the sample.
pub fn resumed_key() -> LogKey {
    LogKey::from_seed("vault.example.com/log2", &[4; 32]).unwrap()
}

/// The sample, whose log had stopped and is continued by another one. That names the checkpoint
/// of the sample, or, if not `is_vouched_for`, a later one that was lost.
pub fn resumed(is_vouched_for: bool) -> Files {
    let mut files = Files::new();
    for (path, bytes) in sample().files {
        let is_shared = path.starts_with("idea/");
        let folder = if is_shared { "" } else { "log1/" };
        files.insert(format!("{folder}{path}"), bytes);
    }
    let last = match is_vouched_for {
        true => sha256(&files["log1/log/checkpoint"]),
        false => sha256(b"lost"),
    };
    let mut log = Log::new(resumed_key());
    log.event(EventKind::LogResumed, |event| {
        event.at = timestamp(start() + TimeDelta::days(2));
        event.previous = Some(OtherLog {
            log: ORIGIN.to_owned(),
            checkpoint: hex::encode(&last),
        });
    });
    // Recorded while the older log had stopped.
    log.event(EventKind::ShareRevoked, |event| {
        event.log = ORIGIN.to_owned();
        event.at = timestamp(start() + TimeDelta::days(1));
        event.share = Some("share-1".to_owned());
    });
    log.write_log("", &[]);
    files.extend(log.files);
    files
}

/// The sample, continued by a log of which an event some minutes after its begin comes before one
/// that had waited for it.
pub fn resumed_late(minutes: i64) -> Files {
    let mut files = resumed(true);
    files.retain(|path, _| !path.starts_with("log/") && !path.starts_with("events/"));
    let mut log = Log::new(resumed_key());
    let began = start() + TimeDelta::days(2);
    let last = sha256(&files["log1/log/checkpoint"]);
    log.event(EventKind::LogResumed, |event| {
        event.at = timestamp(began);
        event.previous = Some(OtherLog {
            log: ORIGIN.to_owned(),
            checkpoint: hex::encode(&last),
        });
    });
    let mut revoked = |log_name: Option<&str>, at| {
        log.event(EventKind::ShareRevoked, |event| {
            if let Some(name) = log_name {
                event.log = name.to_owned();
            }
            event.at = timestamp(at);
            event.share = Some("share-1".to_owned());
        });
    };
    revoked(None, began + TimeDelta::minutes(minutes));
    revoked(Some(ORIGIN), start() + TimeDelta::days(1));
    log.write_log("", &[]);
    files.extend(log.files);
    files
}

/// A reader is offered an agreement, accepts it, and opens the idea.
fn accept(log: &mut Log) {
    let (agreement, agreement_digest) = disclosure(
        log,
        &Disclosure::Agreement(AgreementFacts {
            template: "Mutual secrecy".to_owned(),
            version: "3".to_owned(),
            sha256: hex::encode(&sha256(b"{reader} keeps secret what {owner} shows.\n")),
            kind: None,
            language: None,
        }),
    );
    let (terms, terms_digest) = disclosure(
        log,
        &Disclosure::Terms(TermsFacts {
            sha256: hex::encode(&sha256(TERMS.as_bytes())),
        }),
    );
    let (person, person_digest) = disclosure(
        log,
        &Disclosure::Person(PersonFacts {
            name: "Bob Reader".to_owned(),
            email: "bob@example.com".to_owned(),
            phone: None,
            identity: "email-confirmed".to_owned(),
            confirmed_at: Some("2026-11-22T12:00:00.000000Z".to_owned()),
            company: None,
            role: None,
            provider: None,
        }),
    );
    let (origin, origin_digest) = disclosure(
        log,
        &Disclosure::Origin(OriginFacts {
            address: "192.0.2.7".to_owned(),
            browser: Some("Firefox 145 on Linux".to_owned()),
        }),
    );
    let reader = |event: &mut EventBody| {
        event.share = Some("share-1".to_owned());
        event.recipient = Some("recipient-1".to_owned());
    };
    let offered = log.event(EventKind::AgreementOffered, |event| {
        reader(event);
        event
            .discloses
            .insert("agreement".to_owned(), agreement_digest.clone());
        event
            .discloses
            .insert("terms".to_owned(), terms_digest.clone());
    });
    log.put(&format!("disclosures/{offered}-agreement.json"), agreement);
    log.put(&format!("disclosures/{offered}-terms.json"), terms);
    log.event(EventKind::EmailConfirmed, |event| {
        reader(event);
        event
            .discloses
            .insert("person".to_owned(), person_digest.clone());
    });
    let confirmed = log.size() - 1;
    log.put(&format!("disclosures/{confirmed}-person.json"), person);
    log.put(&format!("agreements/{offered}.txt"), TERMS);
    let delivered = log.event(EventKind::AgreementDelivered, reader);
    let delivered = hex::encode(&log.digests[usize::try_from(delivered).unwrap()]);
    log.others(1);
    let accepted = log.event(EventKind::AgreementAccepted, |event| {
        reader(event);
        event.delivered = Some(Delivery::Event(delivered));
        event.discloses = BTreeMap::from([
            ("agreement".to_owned(), agreement_digest),
            ("terms".to_owned(), terms_digest),
            ("person".to_owned(), person_digest),
            ("origin".to_owned(), origin_digest),
        ]);
    });
    log.put(&format!("disclosures/{accepted}-origin.json"), origin);
    log.event(EventKind::ViewStarted, |event| {
        reader(event);
        event.revision = Some("1".to_owned());
        event.view = Some("view-1".to_owned());
    });
    log.event(EventKind::FileDelivered, |event| {
        reader(event);
        event.file = Some("file-1".to_owned());
        event.view = Some("view-1".to_owned());
    });
}

fn comment(log: &mut Log) {
    log.others(3);
    let (comment, digest) = disclosure(
        log,
        &Disclosure::Comment(CommentFacts {
            author: "Bob Reader".to_owned(),
            sha256: hex::encode(&sha256(b"How long does the water last?")),
        }),
    );
    let place = log.event(EventKind::CommentAdded, |event| {
        event.share = Some("share-1".to_owned());
        event.recipient = Some("recipient-1".to_owned());
        event.comment = Some("comment-1".to_owned());
        event.discloses.insert("comment".to_owned(), digest);
    });
    log.put(&format!("disclosures/{place}-comment.json"), comment);
    log.others(1);
    log.event(EventKind::VisitClosed, |event| {
        event.share = Some("share-1".to_owned());
        event.recipient = Some("recipient-1".to_owned());
    });
}

/// Returns the files with the report and the instructions that fit, unless they have some.
pub fn with_texts(files: &Files, lists: &Index) -> Files {
    let mut files = files.clone();
    if !files.contains_key(REPORT) {
        let report = report_of(&files, lists);
        files.insert(REPORT.to_owned(), report);
    }
    if !files.contains_key("README.txt") {
        let text = |path: &str| {
            let bytes = files.get(path).map(Vec::as_slice).unwrap_or_default();
            String::from_utf8_lossy(bytes).into_owned()
        };
        let events = files.keys().filter(|path| path.contains("events/"));
        let idea = events
            .filter_map(|path| Some(text(path).split_once("\"idea\":\"")?.1.to_owned()))
            .find_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
        let vkey = text("log/vkey");
        let paths = files
            .keys()
            .map(String::as_str)
            .filter(|path| ![REPORT, "verify.py"].contains(path));
        let missing = lists.missing.iter().map(String::as_str);
        let readme = readme(&idea.unwrap_or_default(), vkey.trim_end(), paths, missing);
        files.insert("README.txt".to_owned(), readme.into_bytes());
    }
    files
}

/// Returns the report of the files, as far as they can be told.
fn report_of(files: &Files, lists: &Index) -> Vec<u8> {
    let facts: BTreeMap<String, Disclosure> = files
        .iter()
        .filter_map(|(path, json)| {
            let (_, name) = path.strip_suffix(".json")?.rsplit_once('-')?;
            let fact = ideavault_evidence::disclosure::parse(name, json)
                .ok()
                .flatten()?;
            Some((hex::encode(&sha256(json)), fact))
        })
        .collect();
    let mut report = ReportPage::default();
    let heads = files
        .keys()
        .filter_map(|path| path.strip_suffix("log/checkpoint"));
    let mut prefixes: Vec<&str> = heads.filter(|prefix| !prefix.is_empty()).collect();
    prefixes.push("");
    for prefix in prefixes {
        let checkpoint = files.get(&format!("{prefix}log/checkpoint"));
        let checkpoint = checkpoint.and_then(|bytes| SignedCheckpoint::parse(bytes).ok());
        let Some(checkpoint) = checkpoint else {
            continue;
        };
        report.begin_log(prefix, &checkpoint);
        let place = |path: &str| {
            let name = path.strip_prefix(prefix)?.strip_prefix("events/")?;
            name.strip_suffix(".json")?.parse::<u64>().ok()
        };
        let events = files
            .iter()
            .filter_map(|(path, json)| Some((place(path)?, json)));
        for (place, json) in BTreeMap::from_iter(events) {
            let Ok(event) = event::parse(json) else {
                continue;
            };
            let named = event.discloses.iter();
            let told = named
                .filter_map(|(name, digest)| facts.get(digest).filter(|fact| fact.name() == name));
            report.add((place, &sha256(json)), &event, told);
        }
    }
    let left_out = LeftOut {
        withheld: lists.withheld.len(),
        missing: lists.missing.len(),
        pending: lists.pending.len(),
    };
    let mut html = Vec::new();
    let has = |path: &str| files.contains_key(path);
    report.write(&mut html, &has, left_out).unwrap();
    html
}

/// Writes a bundle with a `bundle.json` that fits, as somebody who changes files would.
pub fn pack(files: &Files) -> Vec<u8> {
    pack_without(files, &[])
}

/// Writes a bundle that says which disclosures it leaves out.
pub fn pack_without(files: &Files, withheld: &[&str]) -> Vec<u8> {
    let mut writer = BundleWriter::new(Vec::new());
    let lists = Index {
        withheld: withheld.iter().map(ToString::to_string).collect(),
        ..Index::default()
    };
    for (path, bytes) in with_texts(files, &lists) {
        writer.add(&path, bytes.as_slice()).unwrap();
    }
    for path in withheld {
        writer.withhold(path);
    }
    writer.finish().unwrap()
}

/// Writes a bundle that says which files the vault has lost.
pub fn pack_lacking(files: &Files, missing: &[&str]) -> Vec<u8> {
    let mut writer = BundleWriter::new(Vec::new());
    let lists = Index {
        missing: missing.iter().map(ToString::to_string).collect(),
        ..Index::default()
    };
    for (path, bytes) in with_texts(files, &lists) {
        writer.add(&path, bytes.as_slice()).unwrap();
    }
    for path in missing {
        writer.note_missing(path);
    }
    writer.finish().unwrap()
}

/// Writes a zip file of exactly these files, `bundle.json` among them.
pub fn pack_exactly(files: &Files) -> Vec<u8> {
    let mut zip = rawzip::ZipArchiveWriter::new(Vec::new());
    for (path, bytes) in files {
        let (mut entry, config) = zip.new_file(path.as_str()).start().unwrap();
        let mut data = config.wrap(&mut entry);
        data.write_all(bytes).unwrap();
        let (_, output) = data.finish().unwrap();
        entry.finish(output).unwrap();
    }
    zip.finish().unwrap()
}

/// The files of the sample with its `bundle.json`.
pub fn with_index(files: &Files) -> Files {
    let mut all = with_texts(files, &Index::default());
    let digests = all
        .iter()
        .map(|(path, bytes)| (path.clone(), hex::encode(&sha256(bytes))));
    let index = Index {
        v: VERSION,
        files: digests.collect(),
        ..Index::default()
    };
    all.insert(INDEX.to_owned(), canonical::write(&index).unwrap());
    all
}

pub fn open(zip: &[u8]) -> BundleReader {
    BundleReader::from_bytes(zip.to_vec(), &Limits::default()).unwrap()
}

pub fn report(zip: &[u8], options: &Options) -> Report {
    verify(&open(zip), options).unwrap()
}

/// Returns options that trust the key of the sample's log and know the block.
pub fn trusting() -> Options<'static> {
    static BLOCK: LazyLock<KnownHeader> = LazyLock::new(|| {
        let mut sample = sample();
        let size = sample.log.size();
        sample.log.block(size)
    });
    Options {
        key: Some(key(1).verifier().clone()),
        headers: vec![*BLOCK],
        now: Some(start() + TimeDelta::days(1)),
        ..Options::default()
    }
}

/// The failures of a bundle as lines `path: reason`.
pub fn failures(zip: &[u8], options: &Options) -> Vec<String> {
    report(zip, options)
        .failures()
        .map(ToString::to_string)
        .collect()
}
