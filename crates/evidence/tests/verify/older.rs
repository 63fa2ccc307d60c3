//! Comparison with older evidence (`--against`).

use ideavault_domain::evidence::{EventKind, encode_salt, timestamp};
use ideavault_evidence::bundle::BundleReader;
use ideavault_evidence::checkpoint::SignedCheckpoint;
use ideavault_evidence::verify::{ClaimKind, Older, Options, Outcome, Report, Verdict};

use super::sample::*;

fn compared(files: &Files, older: Older<'_>, options: Options<'static>) -> Report {
    let bundle = open(&pack(files));
    let options = Options {
        key: options.key,
        headers: options.headers,
        older: Some(older),
        ..Options::default()
    };
    ideavault_evidence::verify::verify(&bundle, &options).unwrap()
}

/// Returns what is found of the older evidence: `holds`, `unknown` or `fails`.
fn outcomes(report: &Report) -> Vec<&'static str> {
    let claims = report.claims.iter();
    claims
        .filter(|claim| claim.kind == ClaimKind::Older)
        .map(|claim| match claim.outcome {
            Outcome::Holds => "holds",
            Outcome::Unknown { .. } => "unknown",
            Outcome::Fails(_) => "fails",
        })
        .collect()
}

fn resumed_options() -> Options<'static> {
    Options {
        key: Some(resumed_key().verifier().clone()),
        ..trusting()
    }
}

fn checkpoint(bytes: &[u8]) -> SignedCheckpoint {
    SignedCheckpoint::parse(bytes).unwrap()
}

#[test]
fn older_evidence_that_nothing_connects_is_never_confirmed() {
    let mut sample = sample();
    let older = sample.log.head(5);
    let report = compared(&sample.files, Older::Checkpoint(older), trusting());
    assert_eq!(outcomes(&report), ["unknown"]);
    assert_eq!(report.verdict(), Verdict::OwnWord);
    // Newer than the bundle.
    let size = sample.log.size();
    sample.log.others(3);
    let newer = sample.log.head(size + 3);
    let report = compared(&sample.files, Older::Checkpoint(newer), trusting());
    assert_eq!(outcomes(&report), ["unknown"]);
    assert_eq!(report.verdict(), Verdict::OwnWord);
}

#[test]
fn a_bundle_from_after_this_one_may_show_the_connection() {
    let mut log = Log::new(key(1));
    log.event(EventKind::LogStarted, |_| {});
    log.event(EventKind::IdeaPublished, |_| {});
    log.write_log("", &[]);
    let files = log.files.clone();
    log.others(2);
    log.write_log("", &[2]);
    let newer = open(&pack(&log.files));
    let report = compared(&files, Older::Bundle(&newer), trusting());
    assert_eq!(outcomes(&report), ["holds"]);
    // By somebody else, who continues the log.
    log.key = key(9);
    log.write_log("", &[2]);
    let forged = open(&pack(&log.files));
    let report = compared(&files, Older::Bundle(&forged), trusting());
    assert_eq!(outcomes(&report), ["unknown"]);
}

/// A log with an event at a place that many others lead to.
fn moved(others: u64) -> BundleReader {
    let mut log = Log::new(key(1));
    log.event(EventKind::LogStarted, |_| {});
    log.others(others);
    log.event(EventKind::IdeaPublished, |event| {
        event.at = timestamp(start());
        event.salt = encode_salt(&[7; 32]);
    });
    log.write_log("", &[]);
    open(&pack(&log.files))
}

#[test]
fn the_same_event_at_another_place_is_found() {
    let (older, newer) = (moved(2), moved(5));
    let options = Options {
        key: Some(key(1).verifier().clone()),
        older: Some(Older::Bundle(&older)),
        ..Options::default()
    };
    let report = ideavault_evidence::verify::verify(&newer, &options).unwrap();
    let failures: Vec<_> = report.failures().map(ToString::to_string).collect();
    assert_eq!(
        failures,
        ["FAILS    events/6.json: The older bundle has this event at place 3."]
    );
}

#[test]
fn evidence_from_before_a_resumption_agrees_only_where_it_is_connected() {
    let stopped = sample();
    let own = open(&pack(&stopped.files));
    let last = checkpoint(&stopped.files["log/checkpoint"]);
    // The log is there, and the one that continues it names its state.
    for older in [Older::Bundle(&own), Older::Checkpoint(last.clone())] {
        let report = compared(&resumed(true), older, resumed_options());
        assert_eq!(outcomes(&report), ["holds"]);
        assert_eq!(report.verdict(), Verdict::Confirmed);
    }
    // It names another one.
    let report = compared(&resumed(false), Older::Bundle(&own), resumed_options());
    assert_eq!(outcomes(&report), ["unknown"]);
    assert_eq!(report.verdict(), Verdict::OwnWord);
    // The log is not there.
    let without = |is_vouched_for| {
        let mut files = resumed(is_vouched_for);
        let older = ["log1/", "idea/", "agreements/"];
        files.retain(|path, _| !older.iter().any(|folder| path.starts_with(folder)));
        files
    };
    let report = compared(&without(true), Older::Bundle(&own), resumed_options());
    assert_eq!(outcomes(&report), ["holds"]);
    let report = compared(&without(false), Older::Bundle(&own), resumed_options());
    assert_eq!(outcomes(&report), ["unknown"]);
    assert_eq!(report.failures().count(), 0);
    // More of it was signed than the vault knew after it was restored.
    let mut longer = sample();
    longer.log.others(4);
    let size = longer.log.size();
    let head = longer.log.head(size);
    let report = compared(&resumed(true), Older::Checkpoint(head), resumed_options());
    assert_eq!(outcomes(&report), ["unknown"]);
    assert_eq!(report.verdict(), Verdict::OwnWord);
}

#[test]
fn each_log_of_an_older_bundle_is_compared() {
    let older = open(&pack(&resumed(true)));
    let report = compared(&resumed(true), Older::Bundle(&older), resumed_options());
    assert_eq!(outcomes(&report), ["holds", "holds"]);
    // The bundle is from before the resumption, which is no contradiction.
    let report = compared(&sample().files, Older::Bundle(&older), trusting());
    assert_eq!(outcomes(&report), ["holds", "unknown"]);
    assert_eq!(report.verdict(), Verdict::OwnWord);
}
