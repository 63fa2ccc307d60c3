//! The bundle in the hands of somebody who has Python and OpenSSL and nothing of ours.

use std::path::Path;
use std::process::{Command, Output};

use chrono::TimeDelta;
use ideavault_domain::evidence::{Delivery, EventKind, OtherLog, timestamp};
use ideavault_domain::hex;
use ideavault_evidence::assets::{README, REPORT, REPORT_START, VERIFY_PY};
use ideavault_evidence::sha256;
use tempfile::TempDir;

use super::sample::*;

/// The sample with its script and instructions.
fn shipped() -> Files {
    ship(sample().files)
}

fn ship(mut files: Files) -> Files {
    files.insert("verify.py".to_owned(), VERIFY_PY.as_bytes().to_vec());
    files
}

fn unpack(files: &Files) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    folder
}

fn run(folder: &Path, command: &str, arguments: &[&str]) -> Output {
    Command::new(command)
        .args(arguments)
        .current_dir(folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONUTF8", "1")
        .output()
        .unwrap()
}

/// Runs the script and returns its exit code and what it printed.
fn script(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = run(folder, "python3", &[&["verify.py"], arguments].concat());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.code().unwrap(), printed)
}

/// Runs the script over the files of a bundle, `bundle.json` among them.
pub fn verify_files(files: &Files, arguments: &[&str]) -> (i32, String) {
    script(unpack(files).path(), arguments)
}

#[test]
fn the_script_is_short_enough_to_be_read() {
    assert!(VERIFY_PY.lines().count() <= 770);
    assert!(VERIFY_PY.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn the_script_knows_what_is_the_same_in_all_bundles() {
    for text in [README, REPORT_START] {
        let digest = hex::encode(&sha256(text.as_bytes()));
        assert!(VERIFY_PY.contains(&digest), "{digest}");
    }
}

#[test]
fn the_script_verifies_the_sample_alone() {
    let files = with_index(&shipped());
    let vkey = key(1).verifier().to_string();
    let (code, printed) = verify_files(&files, &[]);
    assert_eq!(code, 3, "{printed}");
    let (code, printed) = verify_files(&files, &["--key", &vkey]);
    assert_eq!(code, 2, "{printed}");
    assert!(!printed.contains("FAILS"), "{printed}");
    for line in [
        "holds    events/12.tlog-proof: The log holds events/12.json.",
        "holds    events/12.json: 2026-03-01T09:12:00.000000Z agreement.accepted",
        "holds    log/checkpoint: log/key.pem signed it.",
        "holds    log/checkpoint-16: The log has only grown since.",
        "holds    idea/version-1.html: A disclosure names it.",
        "unknown  anchors/21-bitcoin.ots: Bitcoin is not checked. Run: ots verify -f anchors/21-bitcoin.checkpoint anchors/21-bitcoin.ots",
    ] {
        assert!(printed.contains(line), "{line} is missing: {printed}");
    }
    let other = key(2).verifier().to_string();
    assert_eq!(verify_files(&files, &["--key", &other]).0, 1);
    for wrong in [
        &["--key"][..],
        &["bundle.zip"],
        &["--pin", "x"],
        &["--report", "no/such/folder.html"],
    ] {
        assert_eq!(verify_files(&files, wrong).0, 64);
    }
    let mut files = shipped();
    files.retain(|path, _| !path.ends_with(".ots") && !path.starts_with("anchors/"));
    assert_eq!(verify_files(&with_index(&files), &["--key", &vkey]).0, 3);
}

#[test]
fn the_commands_of_the_instructions_work_as_they_stand() {
    let files = with_index(&shipped());
    let folder = unpack(&files);
    let readme = String::from_utf8(files["README.txt"].clone()).unwrap();
    let commands = |start: &str| -> Vec<String> {
        readme
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .filter(|line| line.starts_with(start))
            .map(str::to_owned)
            .collect()
    };
    let sums = commands("sha256sum ");
    assert_eq!(sums.len(), 3 + 6);
    for command in &sums {
        let output = run(folder.path(), "sh", &["-c", command]);
        assert!(output.status.success(), "{command}: {output:?}");
        let sum = String::from_utf8(output.stdout).unwrap()[..64].to_owned();
        let named = files.iter().any(|(path, bytes)| {
            (path.starts_with("events/") || path.starts_with("disclosures/"))
                && String::from_utf8_lossy(bytes).contains(&sum)
        });
        assert!(named, "{command}");
    }
    let signature = commands("openssl pkeyutl ");
    assert_eq!(signature.len(), 1);
    let output = run(folder.path(), "sh", &["-c", &signature[0]]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(commands("ots verify ").len(), 1 + 12);
    assert!(readme.contains(&key(1).verifier().to_string()));
}

#[test]
fn the_script_accepts_an_authority_that_is_trusted() {
    let authority = Authority::new();
    let mut files = sample().files;
    let answer = authority.stamp(&files["anchors/21-bitcoin.checkpoint"]);
    files.insert("anchors/21-bitcoin.tsr".to_owned(), answer);
    let folder = unpack(&with_index(&ship(files.clone())));
    let vkey = key(1).verifier().to_string();
    let roots = authority.folder.path().join("root.pem");
    let roots = roots.to_str().unwrap();
    let (code, printed) = script(folder.path(), &["--key", &vkey, "--roots", roots]);
    assert_eq!(code, 0, "{printed}");
    assert!(
        printed.contains("holds    anchors/21-bitcoin.tsr: An authority confirms"),
        "{printed}"
    );
    let (code, printed) = script(folder.path(), &["--roots", roots]);
    assert_eq!(code, 3, "{printed}");
    let (code, printed) = script(folder.path(), &["--key", &vkey]);
    assert_eq!(code, 2, "{printed}");

    let other = Authority::new();
    let roots = other.folder.path().join("root.pem");
    let roots = roots.to_str().unwrap();
    let (code, printed) = script(folder.path(), &["--key", &vkey, "--roots", roots]);
    assert_eq!(code, 1, "{printed}");
    assert!(
        printed.contains("FAILS    anchors/21-bitcoin.tsr"),
        "{printed}"
    );
}

#[test]
fn the_script_refuses_a_confirmation_before_an_event_that_it_covers() {
    let authority = Authority::new();
    let roots = authority.folder.path().join("root.pem");
    let roots = roots.to_str().unwrap();
    let vkey = key(1).verifier().to_string();
    for (size, code) in [(2, 0), (3, 1)] {
        let mut log = Log::new(key(1));
        log.event(EventKind::LogStarted, |_| {});
        log.event(EventKind::ShareCreated, |event| {
            event.idea = Some("7".into());
            event.share = Some("share".into());
        });
        log.event(EventKind::ShareRevoked, |event| {
            event.idea = Some("7".into());
            event.share = Some("share".into());
            event.at = "2999-01-01T00:00:00.000000Z".into();
        });
        let earlier = [size].into_iter().filter(|size| *size < 3);
        log.write_log("", &earlier.collect::<Vec<u64>>());
        let checkpoint = log.head(size).bytes().to_vec();
        let name = format!("anchors/{size}-tsa-1");
        log.put(&format!("{name}.tsr"), authority.stamp(&checkpoint));
        log.put(&format!("{name}.checkpoint"), checkpoint);
        let files = with_index(&ship(log.files));
        let arguments = ["--key", &vkey, "--roots", roots];
        let (found, printed) = verify_files(&files, &arguments);
        assert_eq!(found, code, "{printed}");
    }
}

#[test]
fn the_script_makes_the_report_of_what_holds() {
    let files = with_index(&shipped());
    let made = tempfile::tempdir().unwrap();
    let made = made.path().join("report.html");
    let arguments = ["--report", made.to_str().unwrap()];
    let (code, printed) = verify_files(&files, &arguments);
    assert_eq!(code, 3, "{printed}");
    assert_eq!(std::fs::read(&made).unwrap(), files[REPORT]);
    std::fs::remove_file(&made).unwrap();
    // What the reader names may lie in the folder, from the last time for instance; nothing else may.
    let mut more = files.clone();
    for path in ["ROOTS.pem", "checked.html"] {
        more.insert(path.to_owned(), b"from elsewhere".to_vec());
    }
    let both = ["--roots", "ROOTS.pem", "--report", "checked.html"];
    let (code, printed) = verify_files(&more, &both);
    assert_eq!(code, 3, "{printed}");
    assert_eq!(verify_files(&more, &both[..2]).0, 1);
    let mut files = shipped();
    files.insert("idea/version-1.html".to_owned(), b"forged".to_vec());
    assert_eq!(verify_files(&with_index(&files), &arguments).0, 1);
    assert!(!made.exists());
}

/// A time-stamping authority for an afternoon.
struct Authority {
    folder: TempDir,
}

impl Authority {
    fn new() -> Self {
        let authority = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let config = "[req]\ndistinguished_name=dn\n[dn]\n\
            [root]\nbasicConstraints=critical,CA:true\nsubjectKeyIdentifier=hash\n\
            [leaf]\nextendedKeyUsage=critical,timeStamping\n\
            [tsa]\ndefault_tsa=one\n\
            [one]\nserial=serial\ncrypto_device=builtin\nsigner_cert=tsa.pem\n\
            signer_key=tsa.key\nsigner_digest=sha256\ndefault_policy=1.2.3.4\n\
            digests=sha256\ness_cert_id_alg=sha256\n";
        std::fs::write(authority.folder.path().join("config"), config).unwrap();
        for command in [
            "req -x509 -newkey ed25519 -nodes -keyout root.key -out root.pem -subj /CN=Root \
             -days 30 -config config -extensions root",
            "req -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.csr -subj /CN=Time \
             -config config",
            "x509 -req -in tsa.csr -CA root.pem -CAkey root.key -CAcreateserial -out tsa.pem \
             -days 30 -extfile config -extensions leaf",
        ] {
            authority.openssl(command);
        }
        authority
    }

    fn openssl(&self, command: &str) {
        let arguments: Vec<_> = command.split_whitespace().collect();
        let output = run(self.folder.path(), "openssl", &arguments);
        assert!(output.status.success(), "{command}: {output:?}");
    }

    fn stamp(&self, data: &[u8]) -> Vec<u8> {
        std::fs::write(self.folder.path().join("data"), data).unwrap();
        self.openssl("ts -query -data data -sha256 -cert -out query");
        self.openssl("ts -reply -config config -queryfile query -out answer");
        std::fs::read(self.folder.path().join("answer")).unwrap()
    }
}

#[test]
fn the_script_verifies_the_logs_of_before_a_resumption() {
    let vkey = resumed_key().verifier().to_string();
    let files = with_index(&ship(resumed(true)));
    let (code, printed) = verify_files(&files, &["--key", &vkey]);
    assert_eq!(code, 2, "{printed}");
    for line in [
        "holds    events/0.json: It continues log1/log/checkpoint.",
        "holds    log1/log/checkpoint: Another log continues it.",
        "holds    log1/log/checkpoint: log1/log/key.pem signed it.",
        "holds    log1/events/12.tlog-proof: The log holds log1/events/12.json.",
        "holds    log1/log/checkpoint-16: The log has only grown since.",
        "holds    log1/disclosures/9-person.json: Its event names it.",
        "holds    idea/version-1.html: A disclosure names it.",
        "Run: ots verify -f log1/anchors/21-bitcoin.checkpoint log1/anchors/21-bitcoin.ots",
    ] {
        assert!(printed.contains(line), "{line} is missing: {printed}");
    }
    assert!(!printed.contains("FAILS"), "{printed}");
    // An older log that nothing vouches for.
    let lost = with_index(&ship(resumed(false)));
    let (code, printed) = verify_files(&lost, &["--key", &vkey]);
    assert_eq!(code, 3, "{printed}");
    let unknown = "unknown  log1/log/checkpoint: events/0.json continues a later state";
    assert!(printed.contains(unknown), "{printed}");
    let mut foreign = ship(resumed(true));
    let moved: Files = foreign
        .iter()
        .filter_map(|(path, bytes)| {
            let rest = path.strip_prefix("log1/")?;
            Some((format!("log7/{rest}"), bytes.clone()))
        })
        .collect();
    foreign.extend(moved);
    assert_found(&with_index(&foreign), "log7/");
    for path in files.keys().filter(|path| path.starts_with("log1/")) {
        // Following an OpenTimestamps file is left to its own client.
        if path.ends_with(".ots") {
            continue;
        }
        let mut changed = ship(resumed(true));
        let bytes = changed.get_mut(path).unwrap();
        let place = match path.starts_with("log1/log/checkpoint-") {
            true => 30,
            false => bytes.len() / 2,
        };
        bytes[place] ^= 1;
        assert_found(&with_index(&changed), path);
    }
}

/// Asserts that the script refuses the files and names the path.
fn assert_found(files: &Files, path: &str) {
    let (code, printed) = verify_files(files, &[]);
    assert_eq!(code, 1, "{path}: {printed}");
    let named = printed
        .lines()
        .filter(|line| line.starts_with("FAILS"))
        .any(|line| line.contains(path));
    assert!(named, "{path} is not named: {printed}");
}

#[test]
fn the_script_finds_a_bit_that_flips_in_any_file() {
    let files = with_index(&shipped());
    for (path, bytes) in files.iter().filter(|(path, _)| *path != "verify.py") {
        let mut changed = bytes.clone();
        changed[bytes.len() / 2] ^= 1;
        let mut files = files.clone();
        files.insert(path.clone(), changed);
        assert_found(&files, path);
    }
}

#[test]
fn the_script_finds_a_bit_that_is_flipped_with_care() {
    let files = shipped();
    // Following an OpenTimestamps file is left to its own client.
    let left_out = |path: &str| path.ends_with(".ots");
    for (path, bytes) in files
        .iter()
        .filter(|(path, _)| !left_out(path) && *path != "verify.py")
    {
        // The newest checkpoint vouches for the text of older ones, whatever their signatures.
        let place = if path.starts_with("log/checkpoint-") {
            30
        } else {
            bytes.len() / 2
        };
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        let mut files = files.clone();
        files.insert(path.clone(), changed);
        assert_found(&with_index(&files), path);
    }
}

#[test]
fn the_script_finds_what_is_swapped_removed_or_added() {
    let good = shipped();
    let changed = |change: &dyn Fn(&mut Files)| {
        let mut files = good.clone();
        change(&mut files);
        with_index(&files)
    };
    let swap = |files: &mut Files, one: &str, other: &str| {
        files.insert(one.to_owned(), good[other].clone());
        files.insert(other.to_owned(), good[one].clone());
    };
    let files = changed(&|files| {
        swap(
            files,
            "disclosures/9-person.json",
            "disclosures/12-origin.json",
        );
    });
    assert_found(&files, "disclosures/9-person.json");
    let files = changed(&|files| {
        let person = good["disclosures/9-person.json"].clone();
        files.insert("disclosures/12-person.json".to_owned(), person);
    });
    assert_found(&files, "disclosures/9-person.json");
    let files = changed(&|files| swap(files, "events/8.json", "events/9.json"));
    assert_found(&files, "events/8.json");
    let files = changed(&|files| swap(files, "events/8.tlog-proof", "events/9.tlog-proof"));
    assert_found(&files, "events/8.tlog-proof");
    let files = changed(&|files| files.retain(|path, _| !path.starts_with("events/0.")));
    assert_found(&files, "events/0.json");
    let files = changed(&|files| files.retain(|path, _| !path.starts_with("events/10.")));
    assert_found(&files, "events/12.json");
    let files = changed(&|files| {
        files.insert("idea/more.html".to_owned(), b"more".to_vec());
    });
    assert_found(&files, "idea/more.html");
    let mut files = with_index(&good);
    files.insert("more.txt".to_owned(), b"more".to_vec());
    assert_found(&files, "more.txt");
    files.remove("more.txt");
    files.remove("idea/version-1.html");
    assert_found(&files, "idea/version-1.html");
}

#[test]
fn the_script_finds_an_acceptance_after_the_first_view() {
    let mut log = Log::new(key(1));
    log.event(EventKind::LogStarted, |_| {});
    log.event(EventKind::ViewStarted, |event| {
        event.recipient = Some("bob".to_owned());
        event.view = Some("view-1".to_owned());
    });
    log.event(EventKind::AgreementAccepted, |event| {
        event.recipient = Some("bob".to_owned());
        event.delivered = Some(Delivery::None(false));
    });
    log.write_log("", &[]);
    assert_found(&with_index(&ship(log.files)), "events/1.json");
}

#[test]
fn the_script_compares_times_of_events_that_waited_with_each_other_only() {
    let resumed_log = |waited: [i64; 2]| {
        let mut log = Log::new(resumed_key());
        log.event(EventKind::LogResumed, |event| {
            event.previous = Some(OtherLog {
                log: ORIGIN.to_owned(),
                checkpoint: "0".repeat(64),
            });
        });
        for hours in waited {
            log.event(EventKind::ShareRevoked, |event| {
                event.log = ORIGIN.to_owned();
                event.at = timestamp(start() - TimeDelta::hours(hours));
                event.share = Some("share-1".to_owned());
            });
        }
        log.write_log("", &[]);
        with_index(&ship(log.files))
    };
    let (code, printed) = verify_files(&resumed_log([5, 4]), &[]);
    assert_eq!(code, 3, "{printed}");
    assert_found(&resumed_log([4, 5]), "events/2.json");
}

#[test]
fn the_script_finds_a_file_that_is_no_stamp() {
    for path in [
        "anchors/21-bitcoin.ots",
        "anchors/21-bitcoin.tsr",
        "anchors/21-bitcoin.cosigned",
        "events/8.json.ots",
    ] {
        let mut files = shipped();
        files.insert(path.to_owned(), vec![b'x'; 100]);
        assert_found(&with_index(&files), path);
    }
    // The checkpoint alone, without a signature of a witness.
    let mut files = shipped();
    let note = files["anchors/21-bitcoin.checkpoint"].clone();
    files.insert("anchors/21-bitcoin.cosigned".to_owned(), note);
    assert_found(&with_index(&files), "anchors/21-bitcoin.cosigned");
}
