//! The result of the verification of a bundle.

use std::fmt;

/// The subject of a claim.
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
    /// The kind of claim.
    pub kind: ClaimKind,
    /// Path of the file.
    pub subject: String,
    /// Whether it is true.
    pub outcome: Outcome,
    /// Further facts for people, such as a confirmed time and who confirms it.
    pub note: Option<String>,
}

/// Writes one line: outcome, path, and reason or note. What a terminal would not show as it is, in
/// names that a forger chose, is written as code points.
impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = &self.subject;
        let mut line = match &self.outcome {
            Outcome::Holds => format!("holds    {subject}: {}", self.kind.statement()),
            Outcome::Fails(reason) => format!("FAILS    {subject}: {reason}"),
            Outcome::Unknown { reason, command } => {
                let command = command.iter().map(|command| format!(" Run: {command}"));
                format!(
                    "unknown  {subject}: {reason}{}",
                    command.collect::<String>()
                )
            }
        };
        if let Some(note) = &self.note {
            line.push(' ');
            line.push_str(note);
        }
        formatter.write_str(&escaped(&line))
    }
}

/// Replaces each character that has no look of its own, or changes that of others, by its code
/// point, such as `\u{1b}`: control and format characters, bidirectional ones among them, and
/// separators of lines.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_hidden(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// The categories Cc, Cf, Zl and Zp of Unicode, and letters without a look.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{600}'..='\u{605}'
                | '\u{61c}'
                | '\u{6dd}'
                | '\u{70f}'
                | '\u{890}'..='\u{891}'
                | '\u{8e2}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{110bd}'
                | '\u{110cd}'
                | '\u{13430}'..='\u{1343f}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e007f}'
        )
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

/// The result of the verification of a bundle.
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
    /// All is true, but the key is not pinned, nobody whom the caller trusts confirms the time, or
    /// nothing connects the bundle with the older evidence.
    OwnWord,
    /// All is true, and the time is promised to be in Bitcoin, or is in a block that nobody
    /// checked.
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
        let is_unknown = |claim: &Claim| matches!(claim.outcome, Outcome::Unknown { .. });
        let is_connected = !any(&|claim| claim.kind == ClaimKind::Older && is_unknown(claim));
        let outside = [ClaimKind::Authority, ClaimKind::Bitcoin, ClaimKind::Witness];
        let confirms =
            |claim: &Claim| outside.contains(&claim.kind) && claim.outcome == Outcome::Holds;
        if !pinned || !is_connected {
            Verdict::OwnWord
        } else if any(&confirms) {
            Verdict::Confirmed
        } else if any(&|claim| claim.kind == ClaimKind::Bitcoin && is_unknown(claim)) {
            // Anybody can make up a signature of an authority or a witness. So it
            // counts for nothing until it is verified.
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
