use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use ed25519_dalek::{Signer as _, SigningKey};
use ideavault_domain::evidence::{EventKind, OtherLog, encode_salt, timestamp};
use ideavault_domain::hex;
use ideavault_evidence::assets::VERIFY_PY;
use ideavault_evidence::bundle::BundleReader;
use ideavault_evidence::checkpoint::{LogKey, SignedCheckpoint};
use ideavault_evidence::cosignature::WitnessKey;
use ideavault_evidence::verify::{
    AuthorityTime, Claim, ClaimKind, Older, Options, Outcome, Report, TimestampError,
    TimestampVerifier, Verdict, bitcoin_heights,
};
use ideavault_evidence::{sha256, tree};

use super::sample::*;

fn verdict(zip: &[u8], options: &Options) -> Verdict {
    let report = report(zip, options);
    let failures: Vec<_> = report.failures().map(ToString::to_string).collect();
    assert_eq!(failures, [""; 0]);
    report.verdict()
}

fn unknown(report: &Report, kind: ClaimKind) -> Vec<String> {
    report
        .claims
        .iter()
        .filter(|claim| claim.kind == kind && matches!(claim.outcome, Outcome::Unknown { .. }))
        .map(|claim| claim.subject.clone())
        .collect()
}

#[test]
fn the_sample_holds_in_every_claim() {
    let zip = pack(&sample().files);
    let report = report(&zip, &trusting());
    for claim in &report.claims {
        assert_eq!(claim.outcome, Outcome::Holds, "{claim}");
    }
    assert_eq!(report.verdict(), Verdict::Confirmed);
    assert_eq!(report.verdict().exit_code(), 0);
    for kind in [
        ClaimKind::Files,
        ClaimKind::Signature,
        ClaimKind::Key,
        ClaimKind::Event,
        ClaimKind::Place,
        ClaimKind::Disclosure,
        ClaimKind::Content,
        ClaimKind::Terms,
        ClaimKind::Consistency,
        ClaimKind::Bitcoin,
    ] {
        assert!(
            report.claims.iter().any(|claim| claim.kind == kind),
            "{kind:?}"
        );
    }
    let block = format!("In Bitcoin block {HEIGHT}, at most 2026-03-01T12:00:00.000000Z.");
    assert!(
        report
            .claims
            .iter()
            .any(|claim| claim.note.as_ref() == Some(&block))
    );
    assert_eq!(bitcoin_heights(&open(&zip)), [HEIGHT].into());
}

#[test]
fn a_key_that_is_not_pinned_is_the_servers_own_word() {
    let options = Options {
        key: None,
        ..trusting()
    };
    let zip = pack(&sample().files);
    assert_eq!(verdict(&zip, &options).exit_code(), 3);
    assert_eq!(
        unknown(&report(&zip, &options), ClaimKind::Key),
        ["log/vkey"]
    );
}

#[test]
fn a_block_that_nobody_checked_is_pending() {
    let zip = pack(&sample().files);
    let options = Options {
        headers: Vec::new(),
        ..trusting()
    };
    let checked = report(&zip, &options);
    assert_eq!(checked.verdict().exit_code(), 2);
    assert!(unknown(&checked, ClaimKind::Bitcoin).contains(&"anchors/21-bitcoin.ots".to_owned()));
    let line = checked
        .claims
        .iter()
        .find(|claim| claim.subject == "events/0.json.ots" && claim.kind == ClaimKind::Bitcoin)
        .unwrap();
    assert!(
        line.to_string()
            .ends_with("Run: ots verify events/0.json.ots")
    );
}

#[test]
fn a_bundle_without_confirmations_is_the_servers_own_word() {
    let mut files = sample().files;
    files.retain(|path, _| !path.ends_with(".ots") && !path.starts_with("anchors/"));
    assert_eq!(verdict(&pack(&files), &trusting()).exit_code(), 3);
}

#[test]
fn another_pinned_key_header_or_time_fails() {
    let zip = pack(&sample().files);
    let other = Options {
        key: Some(key(2).verifier().clone()),
        ..trusting()
    };
    let failed = failures(&zip, &other);
    assert_eq!(failed.len(), 1);
    assert!(failed[0].starts_with("FAILS    log/vkey: The key is not the one you gave"));

    let mut options = trusting();
    options.headers[0].header.merkle_root = [0; 32];
    let failed = failures(&zip, &options);
    assert!(
        failed.contains(
            &"FAILS    anchors/21-bitcoin.ots: Bitcoin block 900000 has another Merkle root."
                .to_owned()
        )
    );

    let mut options = trusting();
    options.headers[0].header.time = u32::try_from(start().timestamp() - 7201).unwrap();
    let failed = failures(&zip, &options);
    assert!(failed.iter().any(
        |line| line.starts_with("FAILS    anchors/21-bitcoin.ots: events/")
            && line.ends_with("claims to be later than this confirmation, which covers it.")
    ));

    let options = Options {
        now: Some(start()),
        ..trusting()
    };
    let failed = failures(&zip, &options);
    assert!(failed.contains(&"FAILS    events/7.json: Its time is in the future.".to_owned()));
}

/// Knows one authority and one root.
struct Fake;

impl TimestampVerifier for Fake {
    fn verify(
        &self,
        answer: &[u8],
        data: &[u8],
        roots: &[String],
    ) -> Result<AuthorityTime, TimestampError> {
        if answer != authority_answer(data) {
            return Err(TimestampError::Invalid("it is over other data".to_owned()));
        }
        if roots.iter().any(|root| root == "root") {
            Ok(AuthorityTime {
                time: start() + TimeDelta::hours(1),
                authority: "Time Ltd".to_owned(),
            })
        } else {
            Err(TimestampError::Untrusted("no root signed it".to_owned()))
        }
    }
}

#[test]
fn an_authority_is_trusted_only_by_roots_that_were_given() {
    let mut files = sample().files;
    files.retain(|path, _| !path.ends_with(".ots"));
    files.insert(
        "anchors/21-bitcoin.tsr".to_owned(),
        authority_answer(&files["anchors/21-bitcoin.checkpoint"]),
    );
    files.insert("anchors/roots/1.pem".to_owned(), b"root".to_vec());
    let zip = pack(&files);
    let with = |roots: &[&str], timestamps: Option<&'static dyn TimestampVerifier>| Options {
        roots: roots.iter().map(ToString::to_string).collect(),
        timestamps,
        ..trusting()
    };
    assert_eq!(verdict(&zip, &with(&["root"], Some(&Fake))).exit_code(), 0);
    for options in [
        with(&["root"], None),
        with(&[], Some(&Fake)),
        with(&["other"], Some(&Fake)),
    ] {
        // Anybody can make up an answer that nobody vouches for.
        let checked = report(&zip, &options);
        assert_eq!(checked.verdict().exit_code(), 3);
        let line = checked
            .claims
            .iter()
            .find(|claim| claim.kind == ClaimKind::Authority)
            .unwrap()
            .to_string();
        assert!(
            line.ends_with(
                "Run: openssl ts -verify -data anchors/21-bitcoin.checkpoint -in anchors/21-bitcoin.tsr \
                 -CAfile ROOTS.pem"
            ),
            "{line}"
        );
    }
    let mut other = authority_answer(&files["anchors/21-bitcoin.checkpoint"]);
    other[1] += 2;
    other.extend([0x05, 0x00]);
    files.insert("anchors/21-bitcoin.tsr".to_owned(), other);
    let failed = failures(&pack(&files), &with(&["root"], Some(&Fake)));
    assert_eq!(
        failed,
        ["FAILS    anchors/21-bitcoin.tsr: It is over other data."]
    );
}

const WITNESS: &str = "witness.example.org/w1";

/// Returns the key of a witness, and its line over a text at a time.
fn cosignature(body: &str, time: i64) -> (WitnessKey, String) {
    let secret = SigningKey::from_bytes(&[9; 32]);
    let typed = [&[4], secret.verifying_key().as_bytes().as_slice()].concat();
    let id = &sha256(&[WITNESS.as_bytes(), b"\n", &typed].concat())[..4];
    let key = format!(
        "{WITNESS}+{}+{}",
        hex::encode(id),
        BASE64_STANDARD.encode(&typed)
    );
    let message = format!("cosignature/v1\ntime {time}\n{body}");
    let signature = secret.sign(message.as_bytes()).to_bytes();
    let signed = [id, &time.to_be_bytes(), &signature].concat();
    let line = format!("\u{2014} {WITNESS} {}\n", BASE64_STANDARD.encode(signed));
    (WitnessKey::parse(&key).unwrap(), line)
}

#[test]
fn a_witness_is_trusted_only_by_its_key() {
    let mut files = sample().files;
    files.retain(|path, _| !path.ends_with(".ots"));
    let note = files["anchors/21-bitcoin.checkpoint"].clone();
    let body = SignedCheckpoint::parse(&note).unwrap().checkpoint().body();
    let now = (start() + TimeDelta::days(1)).timestamp();
    let (key, line) = cosignature(&body, now);
    let with = |witnesses: &[&WitnessKey]| Options {
        witnesses: witnesses.iter().copied().cloned().collect(),
        ..trusting()
    };
    let mut cosigned = |lines: &str| {
        let bytes = [note.as_slice(), lines.as_bytes()].concat();
        files.insert("anchors/21-bitcoin.cosigned".to_owned(), bytes);
        pack(&files)
    };
    let zip = cosigned(&line);
    let confirmed = report(&zip, &with(&[&key]));
    assert_eq!(confirmed.verdict().exit_code(), 0);
    let mut claims = confirmed.claims.iter();
    let told = claims.find(|claim| claim.kind == ClaimKind::Witness);
    let told = told.unwrap().note.clone().unwrap();
    assert!(
        told.starts_with("Confirmed by witness.example.org/w1 at "),
        "{told}"
    );
    let unchecked = report(&zip, &with(&[]));
    assert_eq!(unchecked.verdict().exit_code(), 3);
    assert_eq!(
        unknown(&unchecked, ClaimKind::Witness),
        ["anchors/21-bitcoin.cosigned"]
    );
    for (lines, reason) in [
        (
            cosignature("other\n", now).1,
            "The signature of the witness is wrong.",
        ),
        (
            cosignature(&body, (start() - TimeDelta::days(1)).timestamp()).1,
            "claims to be later than this confirmation, which covers it.",
        ),
        (
            "nonsense\n".to_owned(),
            "This is not a line with a signature.",
        ),
        (
            String::new(),
            "It is not its checkpoint with signatures of witnesses.",
        ),
    ] {
        let failed = failures(&cosigned(&lines), &with(&[&key]));
        assert_eq!(failed.len(), 1, "{failed:?}");
        assert!(failed[0].ends_with(reason), "{failed:?}");
    }
}

/// An authority whose answers are all of one time.
struct Authority(DateTime<Utc>);

impl TimestampVerifier for Authority {
    fn verify(&self, _: &[u8], _: &[u8], _: &[String]) -> Result<AuthorityTime, TimestampError> {
        Ok(AuthorityTime {
            time: self.0,
            authority: "Time Ltd".to_owned(),
        })
    }
}

#[test]
fn a_time_is_compared_with_events_of_servers_whose_clocks_differ() {
    let mut log = Log::new(key(1));
    log.event(EventKind::LogStarted, |_| {});
    for minutes in [3, 9, 6, 8] {
        log.event(EventKind::ShareRevoked, |event| {
            event.at = timestamp(start() + TimeDelta::minutes(minutes));
            event.share = Some("share-1".to_owned());
        });
    }
    log.write_log("", &[2]);
    // Authorities may be five minutes behind.
    for (size, minutes, later) in [
        (5, -3, Some("events/1.json")),
        (5, -1, Some("events/2.json")),
        (5, 3, Some("events/2.json")),
        (5, 4, None),
        (2, -3, Some("events/1.json")),
        (2, -2, None),
    ] {
        let mut files = log.files.clone();
        let checkpoint = log.head(size).bytes().to_vec();
        let name = format!("anchors/{size}-tsa-1");
        files.insert(format!("{name}.tsr"), authority_answer(&checkpoint));
        files.insert(format!("{name}.checkpoint"), checkpoint);
        let authority = Authority(start() + TimeDelta::minutes(minutes));
        let options = Options {
            timestamps: Some(&authority),
            ..trusting()
        };
        let expected = later.map(|path| {
            format!(
                "FAILS    {name}.tsr: {path} claims to be later than this confirmation, which \
                 covers it."
            )
        });
        assert_eq!(
            failures(&pack(&files), &options),
            Vec::from_iter(expected),
            "{size} {minutes}"
        );
    }
}

#[test]
fn a_time_before_the_events_that_it_covers_fails() {
    let mut files = sample().files;
    let answer = authority_answer(&files["anchors/21-bitcoin.checkpoint"]);
    files.insert("anchors/21-bitcoin.tsr".to_owned(), answer);
    let options = Options {
        timestamps: Some(&Authority(start())),
        ..trusting()
    };
    let failed = failures(&pack(&files), &options);
    assert_eq!(
        failed,
        [
            "FAILS    anchors/21-bitcoin.tsr: events/7.json claims to be later than this confirmation, which covers it."
        ]
    );
}

#[test]
fn what_was_withheld_is_unknown_and_what_is_missing_fails() {
    let mut files = sample().files;
    files.remove("disclosures/9-person.json").unwrap();
    let failed = failures(&pack(&files), &trusting());
    assert_eq!(
        failed,
        [
            "FAILS    disclosures/9-person.json: events/9.json names it, but it is missing.",
            "FAILS    disclosures/12-person.json: events/12.json names it, but it is missing.",
        ]
    );
    let withheld = ["disclosures/9-person.json", "disclosures/12-person.json"];
    let zip = pack_without(&files, &withheld);
    assert_eq!(verdict(&zip, &trusting()).exit_code(), 0);
    let checked = report(&zip, &trusting());
    let mut told = unknown(&checked, ClaimKind::Disclosure);
    told.sort_by_key(String::len);
    assert_eq!(told, withheld);
}

#[test]
fn what_the_vault_has_lost_is_unknown() {
    let mut files = sample().files;
    let lost: Vec<String> = files
        .keys()
        .filter(|path| path.starts_with("idea/") || *path == "disclosures/9-person.json")
        .cloned()
        .collect();
    assert!(lost.len() > 1);
    for path in &lost {
        files.remove(path).unwrap();
    }
    let mut missing: Vec<&str> = lost.iter().map(String::as_str).collect();
    missing.push("disclosures/12-person.json");
    let zip = pack_lacking(&files, &missing);
    assert_eq!(verdict(&zip, &trusting()).exit_code(), 0);
    let checked = report(&zip, &trusting());
    let told: Vec<&str> = checked
        .claims
        .iter()
        .filter(|claim| {
            matches!(&claim.outcome, Outcome::Unknown { reason, .. } if reason.starts_with("It was lost"))
        })
        .map(|claim| claim.subject.as_str())
        .collect();
    missing.sort_unstable();
    assert_eq!(told, missing);
}

#[test]
fn a_script_that_is_not_ours_is_pointed_out() {
    let mut files = sample().files;
    let script = |files: &Files| unknown(&report(&pack(files), &trusting()), ClaimKind::Files);
    files.insert("verify.py".to_owned(), VERIFY_PY.as_bytes().to_vec());
    assert_eq!(script(&files), [""; 0]);
    files.insert("verify.py".to_owned(), b"print('valid')".to_vec());
    assert_eq!(script(&files), ["verify.py"]);
}

#[test]
fn content_that_is_not_part_of_the_bundle_is_unknown() {
    let mut files = sample().files;
    files.retain(|path, _| !path.starts_with("idea/") && !path.starts_with("agreements/"));
    let checked = report(&pack(&files), &trusting());
    assert_eq!(checked.verdict(), Verdict::Confirmed);
    assert_eq!(unknown(&checked, ClaimKind::Content).len(), 2);
    assert_eq!(unknown(&checked, ClaimKind::Terms).len(), 1);
}

#[test]
fn older_evidence_of_the_same_log_agrees() {
    let mut sample = sample();
    let zip = pack(&sample.files);
    let size = sample.log.size();
    for older in [1, FIRST_ANCHOR, size] {
        let options = Options {
            older: Some(Older::Checkpoint(sample.log.head(older))),
            ..trusting()
        };
        assert_eq!(verdict(&zip, &options), Verdict::Confirmed);
    }
    // Without a proof of that size nobody can tell.
    let options = Options {
        older: Some(Older::Checkpoint(sample.log.head(5))),
        ..trusting()
    };
    assert_eq!(
        unknown(&report(&zip, &options), ClaimKind::Older),
        ["log/checkpoint"]
    );
    let same = open(&zip);
    let options = Options {
        older: Some(Older::Bundle(&same)),
        ..trusting()
    };
    assert_eq!(verdict(&zip, &options), Verdict::Confirmed);
}

#[test]
fn a_log_that_was_rewritten_contradicts_older_evidence() {
    let sample = sample();
    let zip = pack(&sample.files);
    let size = sample.log.size();
    let mut rewritten = Log::new(key(1));
    rewritten.event(EventKind::LogStarted, |event| {
        event.salt = encode_salt(&[0; 32]);
    });
    rewritten.others(size - 1);
    for older in [1, FIRST_ANCHOR, size] {
        let options = Options {
            older: Some(Older::Checkpoint(rewritten.head(older))),
            ..trusting()
        };
        assert_eq!(
            failures(&zip, &options),
            ["FAILS    log/checkpoint: The log has another root at this size: it was rewritten."]
        );
    }
    rewritten.write_log("", &[]);
    let older = open(&pack(&rewritten.files));
    let options = Options {
        older: Some(Older::Bundle(&older)),
        ..trusting()
    };
    assert!(failures(&zip, &options).contains(
        &"FAILS    events/0.json: The older bundle has another event at this place.".to_owned()
    ));
    let foreign = LogKey::from_seed("other.example/log1", &[1; 32]).unwrap();
    let mut foreign = Log::new(foreign);
    foreign.others(1);
    let options = Options {
        older: Some(Older::Checkpoint(foreign.head(1))),
        ..trusting()
    };
    assert_eq!(
        failures(&zip, &options),
        ["FAILS    log/checkpoint: The older evidence is of other.example/log1."]
    );
}

/// A log whose key was rotated after an event, with checkpoints before and after.
fn rotated(cosign: bool) -> BundleReader {
    let mut log = Log::new(key(1));
    log.event(EventKind::LogStarted, |_| {});
    log.event(EventKind::IdeaPublished, |_| {});
    let new = key(2);
    let name = new.verifier().to_string();
    log.event(EventKind::KeyRotated, |event| event.vkey = Some(name));
    log.others(2);
    let old = std::mem::replace(&mut log.key, new);
    log.write_log("", &[3]);
    if cosign {
        let head = log.head(3);
        let both = old.cosign(&head).unwrap();
        log.put("log/checkpoint-3", both.bytes().to_vec());
    }
    open(&pack(&log.files))
}

#[test]
fn trust_in_an_older_key_leads_to_the_one_that_it_announced() {
    let options = |seed| Options {
        key: Some(key(seed).verifier().clone()),
        ..Options::default()
    };
    let failures = |cosign, seed| {
        let report = ideavault_evidence::verify::verify(&rotated(cosign), &options(seed)).unwrap();
        report.failures().count()
    };
    assert_eq!(failures(true, 1), 0);
    assert_eq!(failures(true, 2), 0);
    // The old key has not signed a checkpoint with the rotation.
    assert_eq!(failures(false, 1), 1);
    assert_eq!(failures(true, 3), 1);
}

#[test]
fn a_log_that_continues_another_one_names_its_last_checkpoint() {
    let mut old = Log::new(key(1));
    old.event(EventKind::LogStarted, |_| {});
    old.event(EventKind::IdeaPublished, |_| {});
    old.write_log("log1/", &[]);
    let last = old.files["log1/log/checkpoint"].clone();
    let checkpoint = hex::encode(&sha256(&last));
    let build = |checkpoint: &str| {
        let key = LogKey::from_seed("vault.example.com/log2", &[1; 32]).unwrap();
        let mut new = Log::new(key);
        new.event(EventKind::LogResumed, |event| {
            event.previous = Some(OtherLog {
                log: ORIGIN.to_owned(),
                checkpoint: checkpoint.to_owned(),
            });
        });
        new.event(EventKind::IdeaDeleted, |_| {});
        new.write_log("", &[]);
        let mut files = new.files.clone();
        files.extend(old.files.clone());
        let options = Options {
            key: Some(new.key.verifier().clone()),
            older: Some(Older::Checkpoint(SignedCheckpoint::parse(&last).unwrap())),
            ..Options::default()
        };
        let bundle = open(&pack(&files));
        let report = ideavault_evidence::verify::verify(&bundle, &options).unwrap();
        assert_eq!(report.failures().count(), 0);
        let is_unknown = report.claims.iter().any(|claim| {
            claim.subject == "log1/log/vkey" && matches!(claim.outcome, Outcome::Unknown { .. })
        });
        assert_eq!(is_unknown, checkpoint.starts_with("00000000"));
        let mut claims = report.claims.into_iter();
        let is_link = |claim: &Claim| {
            claim.kind == ClaimKind::Consistency && claim.subject == "events/0.json"
        };
        claims.find(is_link).unwrap().outcome
    };
    assert_eq!(build(&checkpoint), Outcome::Holds);
    // The database had lost the last events of the older log.
    let lost = build(&"0".repeat(64));
    assert!(matches!(lost, Outcome::Unknown { .. }), "{lost:?}");
}

#[test]
fn a_resumed_bundle_is_confirmed_only_if_the_newest_log_vouches_for_the_older_one() {
    let options = || Options {
        key: Some(resumed_key().verifier().clone()),
        headers: trusting().headers,
        ..Options::default()
    };
    let zip = pack(&resumed(true));
    assert_eq!(failures(&zip, &options()), [""; 0]);
    assert_eq!(verdict(&zip, &options()), Verdict::Confirmed);
    let zip = pack(&resumed(false));
    assert_eq!(failures(&zip, &options()), [""; 0]);
    assert_eq!(verdict(&zip, &options()), Verdict::OwnWord);
}

#[test]
fn what_waited_for_a_log_stands_before_what_the_log_recorded() {
    assert_eq!(
        failures(&pack(&resumed_late(4)), &Options::default()),
        [""; 0]
    );
    let failed = failures(&pack(&resumed_late(6)), &Options::default());
    assert_eq!(
        failed,
        [
            "FAILS    events/2.json: It is of the log that had stopped, but follows events of \
             this one."
        ]
    );
}

#[test]
fn the_sample_is_built_from_a_tree_of_others_as_well() {
    let mut sample = sample();
    let size = sample.log.size();
    let shown = sample.log.events.iter().flatten().count() as u64;
    assert!(shown < size);
    assert_eq!(
        tree::root(size, &mut sample.log.nodes).unwrap(),
        *sample.log.head(size).checkpoint().root()
    );
}
