//! Bundles: zip files of evidence, written as a stream and read without trust.
//!
//! A bundle is read only as a whole that every reader of zip files understands in the same
//! way: each entry is a file with a safe relative path that occurs once, in any spelling of
//! upper and lower case, and lies where nothing else lies.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::sha256;

pub mod paths;
mod reader;
mod report;
#[cfg(test)]
mod tests;
mod writer;

pub use reader::{BundleReader, Limits};
pub use report::{LeftOut, ReportPage};
pub use writer::BundleWriter;
pub(crate) use writer::digest_of;

/// Name of the file that lists the digests of all others.
pub const INDEX: &str = "bundle.json";

/// Version of the format.
pub const VERSION: u64 = 2;

/// The longest path, in bytes.
const MAX_PATH: usize = 240;

/// `bundle.json`. Its members are in the order of canonical JSON (RFC 8785).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    /// SHA-256 of each file but this one, in lower-case hexadecimal digits.
    pub files: BTreeMap<String, String>,
    /// Paths of files that the vault had lost, or could not decrypt, when it made the bundle.
    /// That of the content of a version as a whole lacks its ending.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub missing: BTreeSet<String>,
    /// Types of events that had no place in the log yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<String>,
    /// [`VERSION`], or 1.
    pub v: u64,
    /// Paths of disclosures that events name but the bundle's holder does not get, or that
    /// were erased.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub withheld: BTreeSet<String>,
}

/// Refused a bundle, or failed to read or write it.
#[derive(Debug, Error)]
pub enum BundleError {
    /// Reading or writing failed.
    #[error("reading or writing the bundle failed")]
    Io(#[from] io::Error),
    /// Not a zip file, or not a whole one.
    #[error("the bundle is not a complete zip file")]
    Incomplete(#[source] rawzip::Error),
    /// Data before, between or after the entries, where readers of zip files differ.
    #[error("the bundle holds data outside its files")]
    Hidden,
    /// More entries than the limit.
    #[error("the bundle has more than {0} files")]
    TooManyEntries(usize),
    /// More bytes than the limit, declared or real.
    #[error("the bundle holds more than {0} bytes")]
    TooLarge(u64),
    /// An entry was refused.
    #[error("{path}: {problem}")]
    Entry {
        /// Path of the entry, with what is not text replaced.
        path: String,
        /// Reason.
        problem: EntryProblem,
    },
}

impl BundleError {
    /// Reports whether the file could not be read, which says nothing about the bundle.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, Self::Io(_))
    }

    fn entry(path: impl Into<String>, problem: EntryProblem) -> Self {
        Self::Entry {
            path: path.into(),
            problem,
        }
    }
}

/// Reason why an entry of a bundle was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EntryProblem {
    /// Absolute, leading out of the folder, for some system only, or not text.
    #[error("the path is not safe")]
    Path,
    /// The same path twice, also in another spelling of upper and lower case, or a file where
    /// another entry has a folder.
    #[error("another file has the same path")]
    Duplicate,
    /// Encrypted.
    #[error("the file is encrypted")]
    Encrypted,
    /// A link, folder or device.
    #[error("this is not a regular file")]
    NotAFile,
    /// Neither stored nor compressed by Deflate.
    #[error("the file is compressed by another method than Deflate")]
    Method,
    /// Shares bytes with another entry.
    #[error("the file overlaps with another one")]
    Overlap,
    /// The two headers of the entry differ.
    #[error("the headers of the file contradict each other")]
    Headers,
    /// Claims to expand more than real files do.
    #[error("the file is compressed too well to be real")]
    Ratio,
    /// Longer than is read into memory.
    #[error("the file is too long")]
    TooLong,
    /// Truncated, damaged, or of another size than declared.
    #[error("the file is damaged or not of its declared size")]
    Damaged,
    /// No such file.
    #[error("the file is missing")]
    Missing,
}

/// Reports whether a path is relative, leads nowhere else, and names the same file on every
/// system.
fn is_safe_path(path: &str) -> bool {
    let safe_segment = |segment: &str| {
        !segment.is_empty()
            && !segment.ends_with(['.', ' '])
            && !segment.starts_with(' ')
            && !segment
                .chars()
                .any(|c| c.is_control() || "\\:*?\"<>|".contains(c))
    };
    path.len() <= MAX_PATH && path.split('/').all(safe_segment)
}

/// The paths of a bundle, none of which hides another one: for each, and each of its folders,
/// whether it is a file. A bundle may have so many that their digests take less memory.
#[derive(Debug, Default)]
struct Paths(BTreeMap<[u8; 16], bool>);

impl Paths {
    /// Adds a path, or reports that the path or one of its folders is taken.
    fn add(&mut self, path: &str) -> Result<(), EntryProblem> {
        if !is_safe_path(path) {
            return Err(EntryProblem::Path);
        }
        let folded = path.to_lowercase();
        for (end, _) in folded.match_indices('/') {
            let folder = folded.get(..end).unwrap_or_default();
            let is_file = self.0.entry(half_digest(folder)).or_insert(false);
            if *is_file {
                return Err(EntryProblem::Duplicate);
            }
        }
        match self.0.insert(half_digest(&folded), true) {
            None => Ok(()),
            Some(_) => Err(EntryProblem::Duplicate),
        }
    }
}

/// Returns the first half of the SHA-256 of a path. Two paths with the same one, which take about
/// 2^64 attempts to find, only have a bundle refused.
fn half_digest(path: &str) -> [u8; 16] {
    let [half @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = sha256(path.as_bytes());
    half
}
