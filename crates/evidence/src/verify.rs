//! Verifies a bundle, claim by claim, without the server that made it.
//!
//! A bundle is whatever somebody hands over. Nothing in it vouches for itself: its key is
//! trusted only if the caller pinned it, its authorities only by roots and its witnesses only
//! by keys that the caller gives, and Bitcoin only by headers that the caller has.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};

use crate::assets::{INSTRUCTIONS, REPORT, SCRIPT, VERIFY_PY, readme, readme_of_version_1};
use crate::bundle::{
    BundleError, BundleReader, INDEX, Index, LeftOut, ReportPage, VERSION, digest_of,
};
use crate::canonical;
use crate::checkpoint::{SignedCheckpoint, VerifierKey};
use crate::cosignature::WitnessKey;
use crate::ots::BlockHeader;
use crate::{Digest, sha256};

mod anchors;
mod contents;
mod history;
mod layout;
mod log;
mod names;
mod older;
mod report;
mod told;

pub use anchors::{AuthorityTime, TimestampError, TimestampVerifier, bitcoin_heights};
pub use report::{Claim, ClaimKind, Outcome, Report, Verdict, escaped};

use ideavault_domain::evidence::EventKind;
use ideavault_domain::hex;
use layout::Layout;
use log::Log;
use names::Facts;

/// Texts that `bundle.json` may hold, and more of them for each file: its path and digest, and
/// two paths of disclosures that are withheld. Short texts take far more memory than space in
/// the file.
const INDEX_TEXTS: usize = 1_000_000;
const INDEX_TEXTS_PER_FILE: usize = 4;

/// How far clocks may differ.
const CLOCK_SLACK: TimeDelta = TimeDelta::minutes(5);

/// Trusted keys and facts from outside of the bundle.
#[derive(Default)]
pub struct Options<'a> {
    /// The log's key, from a source other than the bundle.
    pub key: Option<VerifierKey>,
    /// Certificates of time-stamping authorities, as PEM.
    pub roots: Vec<String>,
    /// Verifies answers of time-stamping authorities.
    pub timestamps: Option<&'a dyn TimestampVerifier>,
    /// Keys of witnesses of the log.
    pub witnesses: Vec<WitnessKey>,
    /// Headers of Bitcoin blocks.
    pub headers: Vec<KnownHeader>,
    /// Why the caller has no header of a block at that height, as a sentence.
    pub missing_headers: BTreeMap<u64, String>,
    /// Evidence of the same log from before.
    pub older: Option<Older<'a>>,
    /// The time, if events of the future are to be refused.
    pub now: Option<DateTime<Utc>>,
}

/// A header of a Bitcoin block that the caller trusts.
#[derive(Debug, Clone, Copy)]
pub struct KnownHeader {
    /// Height of the block, if it is known.
    pub height: Option<u64>,
    /// The header.
    pub header: BlockHeader,
}

/// Evidence of the same log from before.
pub enum Older<'a> {
    /// A checkpoint.
    Checkpoint(SignedCheckpoint),
    /// A bundle.
    Bundle(&'a BundleReader),
}

/// Verifies all claims of a bundle.
///
/// # Errors
///
/// Fails only if the bundle cannot be read, which says nothing about it.
pub fn verify(bundle: &BundleReader, options: &Options<'_>) -> Result<Report, BundleError> {
    let mut verifier = Verifier {
        bundle,
        options,
        index: Index {
            v: VERSION,
            ..Index::default()
        },
        left_out: LeftOut::default(),
        claims: Vec::new(),
    };
    verifier.files()?;
    let layout = Layout::of(bundle);
    for path in &layout.unknown {
        verifier.fails(ClaimKind::Files, path, "A bundle has no such file.");
    }
    let mut logs = Vec::new();
    for prefix in &layout.prefixes {
        if let Some(log) = log::verify(&mut verifier, prefix)? {
            logs.push(log);
        }
    }
    let idea = verifier.same_idea(&logs);
    history::verify(&mut verifier, &logs);
    log::verify_links(&mut verifier, &logs);
    verifier.readme(&idea, &logs)?;
    let facts = contents::verify(&mut verifier, &logs)?;
    told::verify(&mut verifier, &logs, &facts);
    verifier.report(&logs, &facts)?;
    for log in &logs {
        anchors::verify(&mut verifier, log)?;
    }
    older::verify(&mut verifier, &logs)?;
    Ok(Report {
        claims: verifier.claims,
    })
}

struct Verifier<'a> {
    bundle: &'a BundleReader,
    options: &'a Options<'a>,
    index: Index,
    left_out: LeftOut,
    claims: Vec<Claim>,
}

impl Verifier<'_> {
    fn claim(&mut self, kind: ClaimKind, subject: &str, outcome: Outcome) {
        self.note(kind, subject, outcome, None);
    }

    fn note(&mut self, kind: ClaimKind, subject: &str, outcome: Outcome, note: Option<String>) {
        self.claims.push(Claim {
            kind,
            subject: subject.to_owned(),
            outcome,
            note,
        });
    }

    fn holds(&mut self, kind: ClaimKind, subject: &str) {
        self.claim(kind, subject, Outcome::Holds);
    }

    fn fails(&mut self, kind: ClaimKind, subject: &str, reason: impl Into<String>) {
        self.claim(kind, subject, Outcome::Fails(reason.into()));
    }

    fn unknown(&mut self, kind: ClaimKind, subject: &str, reason: &str, command: Option<String>) {
        let reason = reason.to_owned();
        self.claim(kind, subject, Outcome::Unknown { reason, command });
    }

    /// Adds that a claim holds, or why it fails.
    fn check<E: fmt::Display>(
        &mut self,
        kind: ClaimKind,
        subject: &str,
        result: Result<(), E>,
    ) -> bool {
        match result {
            Ok(()) => self.holds(kind, subject),
            Err(error) => {
                self.fails(kind, subject, sentence(&error.to_string()));
                return false;
            }
        }
        true
    }

    /// Reads a file, or adds why it cannot be.
    fn read(&mut self, kind: ClaimKind, path: &str) -> Result<Option<Vec<u8>>, BundleError> {
        match self.bundle.read(path) {
            Ok(contents) => Ok(Some(contents)),
            Err(error) => self.refused(kind, path, error).map(|()| None),
        }
    }

    fn refused(
        &mut self,
        kind: ClaimKind,
        path: &str,
        error: BundleError,
    ) -> Result<(), BundleError> {
        if error.is_unreadable() {
            return Err(error);
        }
        let reason = match error {
            BundleError::Entry { problem, .. } => problem.to_string(),
            other => other.to_string(),
        };
        self.fails(kind, path, sentence(&reason));
        Ok(())
    }

    /// Compares `bundle.json` with the files.
    fn files(&mut self) -> Result<(), BundleError> {
        let kind = ClaimKind::Files;
        let Some(json) = self.read(kind, INDEX)? else {
            return Ok(());
        };
        if count_texts(&json) > INDEX_TEXTS + INDEX_TEXTS_PER_FILE * self.bundle.paths().count() {
            self.fails(kind, INDEX, "It lists more than a bundle can have.");
            return Ok(());
        }
        match canonical::read_as::<Index>(&json) {
            Ok(index) if (1..=VERSION).contains(&index.v) => self.index = index,
            Ok(_) => {
                self.fails(kind, INDEX, "This version of the format is unknown.");
                return Ok(());
            }
            Err(error) => {
                self.fails(kind, INDEX, sentence(&error.to_string()));
                return Ok(());
            }
        }
        // It may be the longest text of the bundle.
        drop(json);
        self.left_out = LeftOut {
            withheld: self.index.withheld.len(),
            missing: self.index.missing.len(),
            pending: self.index.pending.len(),
        };
        self.holds(kind, INDEX);
        let bundle = self.bundle;
        let present: BTreeSet<&str> = bundle.paths().filter(|path| *path != INDEX).collect();
        let files = std::mem::take(&mut self.index.files);
        for path in files.keys().filter(|path| !present.contains(path.as_str())) {
            self.fails(kind, path, "bundle.json lists the file, but it is missing.");
        }
        for path in present {
            let digest = match bundle.digest(path) {
                Ok(digest) => hex::encode(&digest),
                Err(error) => {
                    self.refused(kind, path, error)?;
                    continue;
                }
            };
            match files.get(path) {
                Some(listed) if *listed == digest => self.holds(kind, path),
                Some(_) => self.fails(kind, path, "The file is not the one in bundle.json."),
                None => self.fails(kind, path, "bundle.json does not list the file."),
            }
        }
        if let Ok(script) = bundle.read(SCRIPT)
            && script != VERIFY_PY.as_bytes()
        {
            let reason = "It is not the script that comes with this program. Read it before \
                          you run it.";
            self.unknown(kind, SCRIPT, reason, None);
        }
        for pending in std::mem::take(&mut self.index.pending) {
            let reason = format!("An event {pending} had no place in the log yet.");
            if pending.parse::<EventKind>().is_ok() {
                self.unknown(ClaimKind::Place, INDEX, &reason, None);
            } else {
                self.fails(kind, INDEX, format!("There are no events {pending}."));
            }
        }
        Ok(())
    }

    /// Checks that the instructions are those that the other files ask for. Nobody signs them, but
    /// people run their commands.
    fn readme(&mut self, idea: &str, logs: &[Log]) -> Result<(), BundleError> {
        let Some(newest) = logs.iter().find(|log| log.prefix.is_empty()) else {
            return Ok(());
        };
        let others = |path: &&str| ![INDEX, INSTRUCTIONS, REPORT, SCRIPT].contains(path);
        let paths = self.bundle.paths().filter(others);
        let missing = self.index.missing.iter().map(String::as_str);
        let expected = match self.index.v {
            1 => readme_of_version_1(idea, &newest.vkey, paths, missing),
            _ => readme(idea, &newest.vkey, paths, missing),
        };
        let problem = "These are not the instructions for these files.";
        self.same(INSTRUCTIONS, sha256(expected.as_bytes()), problem)
    }

    /// Compares a file with the digest that it has to have.
    fn same(&mut self, path: &str, expected: Digest, problem: &str) -> Result<(), BundleError> {
        match self.bundle.digest(path) {
            Ok(found) => {
                let result = (found == expected).then_some(()).ok_or(problem);
                self.check(ClaimKind::Files, path, result);
                Ok(())
            }
            Err(error) => self.refused(ClaimKind::Files, path, error),
        }
    }

    /// Checks that the report says what the events say. Nobody signs it, but it is what people read.
    fn report(&mut self, logs: &[Log], facts: &Facts) -> Result<(), BundleError> {
        let kind = ClaimKind::Files;
        if self.index.v == 1 {
            if self.bundle.contains(REPORT) {
                self.fails(kind, REPORT, "A bundle has no such file.");
            }
            return Ok(());
        }
        let is_false = |claim: &Claim| matches!(claim.outcome, Outcome::Fails(_));
        if self.claims.iter().any(is_false) {
            return Ok(());
        }
        let mut report = ReportPage::default();
        for log in logs {
            report.begin_log(&log.prefix, &log.checkpoint);
            for (place, recorded) in &log.events {
                let facts = facts.told_by(&recorded.event).map(|(_, fact)| fact);
                report.add((*place, &recorded.digest), &recorded.event, facts);
            }
        }
        let has = |path: &str| self.bundle.contains(path);
        let left_out = self.left_out;
        let expected = digest_of(|to| report.write(to, &has, left_out))?;
        self.same(REPORT, expected, "It does not say what the events say.")
    }

    /// Checks that all events are of one idea, and returns its number.
    fn same_idea(&mut self, logs: &[Log]) -> String {
        let mut known: Option<String> = None;
        for recorded in logs.iter().flat_map(|log| log.events.values()) {
            let Some(idea) = &recorded.event.idea else {
                continue;
            };
            match &known {
                None => known = Some(idea.clone()),
                Some(known) if known == idea => {}
                Some(known) => {
                    let reason = format!("The event is of the idea {idea}, others of {known}.");
                    self.fails(ClaimKind::Event, &recorded.path, reason);
                }
            }
        }
        known.unwrap_or_default()
    }
}

/// Returns the number of texts in JSON, or more if they have quotation marks in them.
fn count_texts(json: &[u8]) -> usize {
    json.iter().filter(|byte| **byte == b'"').count() / 2
}

/// Begins with a capital letter and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    let rest = characters.as_str();
    let full_stop = if text.ends_with('.') { "" } else { "." };
    format!(
        "{}{rest}{full_stop}",
        first.map(String::from_iter).unwrap_or_default()
    )
}
