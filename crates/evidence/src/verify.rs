//! Verifies a bundle, claim by claim, without the server that made it.
//!
//! A bundle is whatever somebody hands over. Nothing in it vouches for itself: its key is
//! trusted only if the caller pinned it, its authorities only by roots and its witnesses only
//! by keys that the caller gives, and Bitcoin only by headers that the caller has.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};

use crate::assets::VERIFY_PY;
use crate::bundle::{BundleError, BundleReader, INDEX, Index};
use crate::checkpoint::{SignedCheckpoint, VerifierKey};
use crate::cosignature::WitnessKey;
use crate::ots::BlockHeader;
use crate::{canonical, hex};

mod anchors;
mod contents;
mod layout;
mod log;
mod older;

pub use anchors::{AuthorityTime, TimestampError, TimestampVerifier, bitcoin_heights};

use layout::Layout;
use log::Log;

/// Path of the script that a bundle brings along.
const SCRIPT: &str = "verify.py";

/// How far clocks may differ.
const CLOCK_SLACK: TimeDelta = TimeDelta::minutes(5);

/// What the caller knows from elsewhere.
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

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimKind {
    /// The bundle has the files that it should have, unchanged.
    Files,
    /// The log's key signed the checkpoint.
    Signature,
    /// The key is the one that the caller knows.
    Key,
    /// An event is well-formed and fits the others.
    Event,
    /// An event is in the log at its place.
    Place,
    /// A disclosure is the one that its event names.
    Disclosure,
    /// A file of the idea is the one that a disclosure names.
    Content,
    /// The text of an agreement is the one that a disclosure names.
    Terms,
    /// The log only grew.
    Consistency,
    /// A time-stamping authority confirms the time.
    Authority,
    /// Bitcoin confirms the time.
    Bitcoin,
    /// A witness of the log confirms the time.
    Witness,
    /// The log still holds what older evidence shows.
    Older,
}

/// Result for a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The claim is true.
    Holds,
    /// The claim is false.
    Fails(String),
    /// The claim cannot be decided here.
    Unknown {
        /// Reason.
        reason: String,
        /// Command that decides it.
        command: Option<String>,
    },
}

/// A claim about a file of the bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What is claimed.
    pub kind: ClaimKind,
    /// Path of the file.
    pub subject: String,
    /// Whether it is true.
    pub outcome: Outcome,
    /// What else is known, such as who confirms which time.
    pub note: Option<String>,
}

/// Writes one line: outcome, path, and reason or note.
impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.statement();
        match &self.outcome {
            Outcome::Holds => write!(formatter, "holds    {}: {kind}", self.subject)?,
            Outcome::Fails(reason) => write!(formatter, "FAILS    {}: {reason}", self.subject)?,
            Outcome::Unknown { reason, command } => {
                write!(formatter, "unknown  {}: {reason}", self.subject)?;
                if let Some(command) = command {
                    write!(formatter, " Run: {command}")?;
                }
            }
        }
        match &self.note {
            Some(note) => write!(formatter, " {note}"),
            None => Ok(()),
        }
    }
}

impl ClaimKind {
    /// Returns the claim as a sentence.
    pub fn statement(self) -> &'static str {
        match self {
            Self::Files => "The file is part of the bundle and unchanged.",
            Self::Signature => "The log's key signed it.",
            Self::Key => "The key is the one that you trust.",
            Self::Event => "The event is well-formed and fits the others.",
            Self::Place => "The log holds the event at this place.",
            Self::Disclosure => "The event names exactly this disclosure.",
            Self::Content => "This is the content that the log recorded.",
            Self::Terms => "This is the text that the log recorded.",
            Self::Consistency => "The log has only grown since.",
            Self::Authority => "A time-stamping authority confirms the time.",
            Self::Bitcoin => "Bitcoin confirms the time.",
            Self::Witness => "A witness saw the log grow up to here, and confirms the time.",
            Self::Older => "The log still holds what the older evidence shows.",
        }
    }
}

/// What the verification of a bundle came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// All claims, in the order of verification.
    pub claims: Vec<Claim>,
}

/// Result for a whole bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Something is false.
    Invalid,
    /// All is true, but the key is not pinned, or only the server itself says the time.
    OwnWord,
    /// All is true, and a confirmation of the time is pending or unchecked.
    Pending,
    /// All is true, and outsiders confirm the time.
    Confirmed,
}

impl Verdict {
    /// Returns the exit code of `ideavault verify`.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Confirmed => 0,
            Self::Invalid => 1,
            Self::Pending => 2,
            Self::OwnWord => 3,
        }
    }
}

impl Report {
    /// Returns the result for the whole bundle.
    pub fn verdict(&self) -> Verdict {
        let any = |test: &dyn Fn(&Claim) -> bool| self.claims.iter().any(test);
        let outside = |claim: &Claim| {
            let kinds = [ClaimKind::Authority, ClaimKind::Bitcoin, ClaimKind::Witness];
            kinds.contains(&claim.kind)
        };
        if any(&|claim| matches!(claim.outcome, Outcome::Fails(_))) {
            return Verdict::Invalid;
        }
        // An older log may have a key that nothing vouches for.
        let of_keys = || {
            self.claims
                .iter()
                .filter(|claim| claim.kind == ClaimKind::Key)
        };
        let pinned = of_keys().any(|claim| claim.outcome == Outcome::Holds)
            && of_keys().all(|claim| claim.outcome == Outcome::Holds);
        if pinned && any(&|claim| outside(claim) && claim.outcome == Outcome::Holds) {
            Verdict::Confirmed
        } else if pinned && any(&outside) {
            Verdict::Pending
        } else {
            Verdict::OwnWord
        }
    }

    /// Returns the claims that are false.
    pub fn failures(&self) -> impl Iterator<Item = &Claim> {
        self.claims
            .iter()
            .filter(|claim| matches!(claim.outcome, Outcome::Fails(_)))
    }
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
            v: 1,
            ..Index::default()
        },
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
    verifier.same_idea(&logs);
    log::verify_links(&mut verifier, &logs);
    contents::verify(&mut verifier, &logs)?;
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
        match canonical::read_as::<Index>(&json) {
            Ok(index) if index.v == 1 => self.index = index,
            Ok(_) => {
                self.fails(kind, INDEX, "This version of the format is unknown.");
                return Ok(());
            }
            Err(error) => {
                self.fails(kind, INDEX, sentence(&error.to_string()));
                return Ok(());
            }
        }
        self.holds(kind, INDEX);
        let bundle = self.bundle;
        let present: BTreeSet<&str> = bundle.paths().filter(|path| *path != INDEX).collect();
        let files = self.index.files.clone();
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
        for pending in self.index.pending.clone() {
            let reason = format!("An event {pending} had no place in the log yet.");
            self.unknown(ClaimKind::Place, INDEX, &reason, None);
        }
        Ok(())
    }

    /// Checks that all events are of one idea.
    fn same_idea(&mut self, logs: &[Log]) {
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
    }
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
