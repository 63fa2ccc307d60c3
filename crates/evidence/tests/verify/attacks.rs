use std::collections::BTreeMap;

use chrono::TimeDelta;
use ideavault_domain::evidence::{Delivery, EventBody, EventKind, timestamp};
use ideavault_evidence::bundle::{BundleReader, INDEX, Index, Limits, VERSION};
use ideavault_evidence::event;
use ideavault_evidence::proof::TlogProof;
use ideavault_evidence::verify::{Options, Verdict};
use ideavault_evidence::{canonical, tree};

use super::sample::*;

/// Asserts that the bundle is invalid even to somebody who knows nothing else, and that a
/// message names the file.
fn assert_found(zip: &[u8], path: &str) {
    let report = report(zip, &Options::default());
    let found: Vec<_> = report.failures().map(ToString::to_string).collect();
    assert!(
        found.iter().any(|line| line.contains(path)),
        "{path} is not named: {found:#?}"
    );
    assert_eq!(report.verdict().exit_code(), 1);
}

fn flipped(bytes: &[u8]) -> Vec<Vec<u8>> {
    [
        0,
        bytes.len() / 3,
        bytes.len() / 2,
        bytes.len() - 2,
        bytes.len() - 1,
    ]
    .into_iter()
    .map(|place| {
        let mut changed = bytes.to_vec();
        changed[place] ^= 1;
        changed
    })
    .collect()
}

#[test]
fn a_bit_that_flips_in_any_file_is_found() {
    let files = with_index(&sample().files);
    for (path, bytes) in &files {
        for changed in flipped(bytes) {
            let mut files = files.clone();
            files.insert(path.clone(), changed);
            assert_found(&pack_exactly(&files), path);
        }
    }
}

#[test]
fn a_bit_that_is_flipped_with_care_is_found() {
    // Whoever changes a file writes a bundle.json that fits.
    let files = sample().files;
    for (path, bytes) in &with_texts(&files, &Index::default()) {
        for changed in flipped(bytes) {
            let mut files = files.clone();
            files.insert(path.clone(), changed);
            assert_found(&pack(&files), path);
        }
    }
}

#[test]
fn every_bit_of_an_event_and_its_proofs_counts() {
    let files = sample().files;
    for path in ["events/8.json", "events/8.tlog-proof", "events/8.json.ots"] {
        let bytes = &files[path];
        for bit in (0..bytes.len() * 8).step_by(5) {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let mut files = files.clone();
            files.insert(path.to_owned(), changed);
            let found = failures(&pack(&files), &trusting());
            assert!(
                found.iter().any(|line| line.contains(path)),
                "{path}, bit {bit}: {found:#?}"
            );
        }
    }
}

#[test]
fn a_file_that_is_missing_is_found() {
    let complete = with_index(&sample().files);
    for path in complete.keys() {
        let mut files = complete.clone();
        files.remove(path);
        assert_found(&pack_exactly(&files), path);
    }
}

#[test]
fn a_file_that_is_removed_with_care_is_found() {
    for path in [
        "events/0.json",
        "events/8.json",
        "events/8.tlog-proof",
        "disclosures/12-origin.json",
        "log/checkpoint",
        "log/checkpoint.body",
        "log/checkpoint.sig",
        "log/key.pem",
        "log/vkey",
        "log/consistency-1-21.txt",
        "anchors/21-bitcoin.checkpoint",
        "anchors/21-bitcoin.ots",
    ] {
        let mut files = sample().files;
        files.remove(path).unwrap();
        assert_found(&pack(&files), path);
    }
}

#[test]
fn a_file_that_does_not_belong_is_found() {
    for path in [
        "run-me.sh",
        "events/8.txt",
        "events/08.json",
        "events/+8.json",
        "events/x/8.json",
        "disclosures/7-Person.json",
        "log/checkpoint-x",
        "log/key2.pem",
        "log1/events/1.json",
        "anchors/roots/a.crt",
        "anchors/1.tsr",
        "anchors/21-bitcoin.txt",
        "agreements/a.html",
        "idea/another.html",
        "agreements/another.txt",
    ] {
        let mut files = sample().files;
        files.insert(path.to_owned(), b"contents".to_vec());
        assert_found(&pack(&files), path);
    }
}

#[test]
fn an_index_that_lies_is_found() {
    let files = with_index(&sample().files);
    let index: Index = canonical::read_as(&files[INDEX]).unwrap();
    let with = |index: Vec<u8>| {
        let mut files = files.clone();
        files.insert(INDEX.to_owned(), index);
        pack_exactly(&files)
    };
    let mut other = index.clone();
    other.files.remove("idea/version-1.html");
    assert_found(
        &with(canonical::write(&other).unwrap()),
        "idea/version-1.html",
    );
    let mut other = index.clone();
    other
        .files
        .insert("idea/more.html".to_owned(), "0".repeat(64));
    assert_found(&with(canonical::write(&other).unwrap()), "idea/more.html");
    let mut other = index;
    other.v = VERSION + 1;
    assert_found(&with(canonical::write(&other).unwrap()), INDEX);
    for text in [
        "",
        "{}",
        "{\"files\":{},\"v\":1}\n",
        "{\"files\":{},\"files\":{},\"v\":1}",
    ] {
        assert_found(&with(text.as_bytes().to_vec()), INDEX);
    }
}

#[test]
fn disclosures_that_are_swapped_or_doubled_are_found() {
    let good = sample().files;
    let mut swapped = good.clone();
    let person = good["disclosures/9-person.json"].clone();
    let origin = good["disclosures/12-origin.json"].clone();
    swapped.insert("disclosures/9-person.json".to_owned(), origin.clone());
    swapped.insert("disclosures/12-origin.json".to_owned(), person.clone());
    assert_found(&pack(&swapped), "disclosures/9-person.json");
    assert_found(&pack(&swapped), "disclosures/12-origin.json");

    let mut doubled = good.clone();
    doubled.insert("disclosures/12-person.json".to_owned(), person.clone());
    assert_found(&pack(&doubled), "disclosures/9-person.json");
    assert_found(&pack(&doubled), "disclosures/12-person.json");

    for path in [
        "disclosures/8-origin.json",
        "disclosures/2-person.json",
        "disclosures/99-person.json",
    ] {
        let mut moved = good.clone();
        moved.remove("disclosures/9-person.json");
        moved.insert(path.to_owned(), person.clone());
        assert_found(&pack(&moved), path);
        assert_found(&pack(&moved), "disclosures/9-person.json");
    }
}

#[test]
fn another_place_or_another_ideas_proof_is_found() {
    let good = sample().files;
    for (path, other) in [
        ("events/8.tlog-proof", "events/9.tlog-proof"),
        ("events/8.json.ots", "events/9.json.ots"),
        ("events/8.json.ots", "anchors/21-bitcoin.ots"),
        ("anchors/21-bitcoin.ots", "events/8.json.ots"),
        ("log/checkpoint-1", "log/checkpoint-16"),
        ("anchors/21-bitcoin.checkpoint", "log/checkpoint-16"),
    ] {
        let mut files = good.clone();
        files.insert(path.to_owned(), good[other].clone());
        assert_found(&pack(&files), path);
    }
    // An honest event of the same log with an honest proof, but of another idea.
    let mut log = Log::new(key(1));
    log.event(EventKind::LogStarted, |_| {});
    log.event(EventKind::IdeaPublished, |_| {});
    log.event(EventKind::IdeaPublished, |event| {
        event.idea = Some("IV-2026-000043".to_owned());
    });
    log.write_log("", &[]);
    assert_found(&pack(&log.files), "events/2.json");
}

#[test]
fn events_that_are_removed_added_or_reordered_are_found() {
    let good = sample().files;
    // The delivery that the acceptance names.
    let mut removed = good.clone();
    removed.retain(|path, _| !path.starts_with("events/10."));
    assert_found(&pack(&removed), "events/12.json");

    // The event that began the log and names its key.
    let mut removed = good.clone();
    removed.retain(|path, _| !path.starts_with("events/0."));
    assert_found(&pack(&removed), "events/0.json");

    let mut reordered = good.clone();
    for kind in ["json", "json.ots"] {
        let path = |place| format!("events/{place}.{kind}");
        reordered.insert(path(8), good[&path(9)].clone());
        reordered.insert(path(9), good[&path(8)].clone());
    }
    assert_found(&pack(&reordered), "events/8.json");
    assert_found(&pack(&reordered), "events/9.json");

    // An event that the log does not hold, at a place of somebody else's.
    let mut added = good.clone();
    added.insert("events/1.json".to_owned(), good["events/4.json"].clone());
    let mut proof = TlogProof::parse(&good["events/4.tlog-proof"]).unwrap();
    proof.index = 1;
    added.insert("events/1.tlog-proof".to_owned(), proof.to_text());
    assert_found(&pack(&added), "events/1.json");
}

#[test]
fn a_log_that_contradicts_itself_is_found() {
    let build = |change: &dyn Fn(&mut Log)| {
        let mut log = Log::new(key(1));
        log.event(EventKind::LogStarted, |_| {});
        log.event(EventKind::IdeaPublished, |_| {});
        change(&mut log);
        log.write_log("", &[]);
        pack(&log.files)
    };
    assert_eq!(failures(&build(&|_| {}), &Options::default()), [""; 0]);
    let back = build(&|log| {
        log.event(EventKind::IdeaDeleted, |event| {
            // Clocks of servers may differ by five minutes.
            event.at = timestamp(start() - TimeDelta::minutes(5));
        });
    });
    assert_found(&back, "events/2.json");
    let again = build(&|log| {
        log.event(EventKind::LogStarted, |_| {});
    });
    assert_found(&again, "events/2.json");
    let foreign = build(&|log| {
        log.event(EventKind::IdeaDeleted, |event| {
            event.log = "vault.example.com/log9".to_owned();
        });
    });
    assert_found(&foreign, "events/2.json");
    let late = build(&|log| {
        let bob = |event: &mut EventBody| event.recipient = Some("bob".to_owned());
        log.event(EventKind::ViewStarted, |event| {
            bob(event);
            event.view = Some("view-1".to_owned());
        });
        log.event(EventKind::AgreementAccepted, |event| {
            bob(event);
            event.delivered = Some(Delivery::None(false));
        });
    });
    assert_found(&late, "events/2.json");
    // A key that the log announces but that did not sign it.
    let rotated = build(&|log| {
        log.event(EventKind::KeyRotated, |event| {
            event.vkey = Some(key(2).verifier().to_string());
        });
    });
    assert_found(&rotated, "log/vkey");
}

/// The sample as a forger builds it who has no key of the log.
fn forged() -> Files {
    let mut forger = Log::new(key(9));
    let original = sample().log;
    let own = key(9).verifier().to_string();
    for json in &original.events {
        match json {
            None => forger.others(1),
            Some(json) => {
                let parsed = event::parse(json).unwrap();
                let kind = parsed.kind;
                forger.event(kind, |event| {
                    *event = parsed;
                    if kind.is_about_log() {
                        event.vkey = Some(own.clone());
                    }
                });
            }
        }
    }
    let size = forger.size();
    forger.files = original.files;
    forger.write_log("", &[1, FIRST_ANCHOR]);
    forger.write_stamps(size);
    forger.files
}

#[test]
fn a_bundle_with_every_key_replaced_is_never_trusted() {
    let zip = pack(&forged());
    // It is consistent in itself, so nothing fails without a pinned key ...
    let unpinned = report(&zip, &Options::default());
    assert_eq!(unpinned.verdict(), Verdict::OwnWord);
    // ... and with one it does.
    let found = failures(&zip, &trusting());
    assert!(
        found.iter().any(|line| line.contains("log/vkey")),
        "{found:#?}"
    );

    // Only the files with the key replaced.
    let forged = forged();
    for path in ["log/vkey", "log/key.pem"] {
        let mut files = sample().files;
        files.insert(path.to_owned(), forged[path].clone());
        let found = failures(&pack(&files), &Options::default());
        assert!(!found.is_empty(), "{path}");
    }
    let mut files = sample().files;
    for path in [
        "log/vkey",
        "log/key.pem",
        "log/checkpoint",
        "log/checkpoint.sig",
    ] {
        files.insert(path.to_owned(), forged[path].clone());
    }
    assert_found(&pack(&files), "log/vkey");
}

#[test]
fn a_truncated_bundle_is_refused() {
    let zip = pack(&sample().files);
    for length in (0..zip.len()).step_by(101).chain([zip.len() - 1]) {
        let opened = BundleReader::from_bytes(zip[..length].to_vec(), &Limits::default());
        assert!(opened.is_err(), "{length}");
    }
}

#[test]
fn files_that_are_endless_or_empty_are_refused_and_not_followed() {
    let huge = vec![b'['; 1024 * 1024];
    for path in [
        "events/8.json",
        "events/8.tlog-proof",
        "events/8.json.ots",
        "log/checkpoint",
        "log/vkey",
        "log/checkpoint-1",
        "log/consistency-1-21.txt",
        "anchors/21-bitcoin.ots",
        "disclosures/9-person.json",
    ] {
        for contents in [huge.clone(), Vec::new()] {
            let mut files = sample().files;
            files.insert(path.to_owned(), contents);
            assert_found(&pack_exactly(&with_index(&files)), path);
        }
    }
}

#[test]
fn the_sizes_that_tests_name_are_those_of_the_sample() {
    let sample = sample();
    assert_eq!(sample.log.size(), 21);
    assert_eq!(tree::node_count(21), sample.log.nodes.0.len() as u64);
}

#[test]
fn a_second_log_of_the_same_name_is_found() {
    // Signed by somebody else, who claims the name of the older log.
    let mut forged = Log::new(key(9));
    forged.event(EventKind::LogStarted, |_| {});
    forged.event(EventKind::ShareRevoked, |event| {
        event.share = Some("share-1".to_owned());
    });
    for folder in ["log0/", "log9/"] {
        forged.write_log(folder, &[]);
        let mut files = resumed(true);
        files.extend(std::mem::take(&mut forged.files));
        assert_found(
            &pack(&files),
            "Another log of the bundle has the same name.",
        );
    }
}

#[test]
fn an_index_of_endless_short_texts_is_refused() {
    let refused = |pending: usize| {
        let mut files = sample().files;
        let index = Index {
            v: 1,
            files: BTreeMap::new(),
            pending: vec![String::new(); pending],
            ..Index::default()
        };
        files.insert(INDEX.to_owned(), serde_json::to_vec(&index).unwrap());
        let found = failures(&pack_exactly(&files), &Options::default());
        found.contains(&"FAILS    bundle.json: It lists more than a bundle can have.".to_owned())
    };
    assert!(!refused(900_000));
    assert!(refused(1_100_000));
}
