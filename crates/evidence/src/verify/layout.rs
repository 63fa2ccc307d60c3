//! Which files a bundle has, and what they are.

use std::collections::BTreeSet;

use crate::bundle::{BundleReader, INDEX};

/// A file of the part of a bundle that belongs to one log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LogFile {
    /// One of the files with a fixed name in `log/`.
    Fixed,
    /// `log/checkpoint-A`.
    Head(u64),
    /// `log/consistency-A-B.txt`.
    Consistency(u64, u64),
    /// `events/N.json`.
    Event(u64),
    /// `events/N.tlog-proof`.
    Proof(u64),
    /// `events/N.json.ots`.
    EventStamp(u64),
    /// `disclosures/N-NAME.json`.
    Disclosure(u64, String),
    /// `anchors/X.checkpoint`.
    Anchored(String),
    /// `anchors/X.tsr`.
    Authority(String),
    /// `anchors/X.ots`.
    Calendar(String),
    /// `anchors/X.cosigned`.
    Cosigned(String),
    /// `anchors/roots/*.pem`.
    Root,
}

impl LogFile {
    /// Parses a path below the folder of its log.
    pub(super) fn parse(path: &str) -> Option<Self> {
        let (folder, name) = path.split_once('/')?;
        match folder {
            "log" => Self::parse_log(name),
            "events" => {
                if let Some(place) = name.strip_suffix(".json") {
                    Some(Self::Event(number(place)?))
                } else if let Some(place) = name.strip_suffix(".tlog-proof") {
                    Some(Self::Proof(number(place)?))
                } else {
                    Some(Self::EventStamp(number(name.strip_suffix(".json.ots")?)?))
                }
            }
            "disclosures" => {
                let (place, name) = name.strip_suffix(".json")?.split_once('-')?;
                crate::event::is_disclosure_name(name)
                    .then_some(Self::Disclosure(number(place)?, name.to_owned()))
            }
            "anchors" => {
                if let Some(name) = name.strip_prefix("roots/") {
                    return is_name(name.strip_suffix(".pem")?).then_some(Self::Root);
                }
                let (name, kind) = name.rsplit_once('.')?;
                let name = is_name(name).then(|| name.to_owned())?;
                match kind {
                    "checkpoint" => Some(Self::Anchored(name)),
                    "tsr" => Some(Self::Authority(name)),
                    "ots" => Some(Self::Calendar(name)),
                    "cosigned" => Some(Self::Cosigned(name)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn parse_log(name: &str) -> Option<Self> {
        if let Some(size) = name.strip_prefix("checkpoint-") {
            return Some(Self::Head(number(size)?));
        }
        if let Some(sizes) = name.strip_prefix("consistency-") {
            let (old, new) = sizes.strip_suffix(".txt")?.split_once('-')?;
            return Some(Self::Consistency(number(old)?, number(new)?));
        }
        let fixed = [
            "checkpoint",
            "checkpoint.body",
            "checkpoint.sig",
            "key.pem",
            "vkey",
        ];
        fixed.contains(&name).then_some(Self::Fixed)
    }
}

/// The files of a bundle.
#[derive(Debug)]
pub(super) struct Layout {
    /// Folders of logs, each with a slash at its end; that of the newest log is empty.
    pub(super) prefixes: Vec<String>,
    /// Files that no bundle has.
    pub(super) unknown: Vec<String>,
}

impl Layout {
    /// Older logs lie in folders that are named as the last part of their origins.
    pub(super) fn of(bundle: &BundleReader) -> Self {
        let mut prefixes = BTreeSet::from([String::new()]);
        for path in bundle.paths() {
            if let Some(folder) = path.strip_suffix("/log/checkpoint")
                && is_log_folder(folder)
            {
                prefixes.insert(format!("{folder}/"));
            }
        }
        let known = |path: &str| {
            matches!(path, INDEX | "README.txt" | "verify.py")
                || path.starts_with("idea/")
                || path
                    .strip_prefix("agreements/")
                    .and_then(|name| name.strip_suffix(".txt"))
                    .is_some_and(is_name)
                || LogFile::parse(path).is_some()
                || path.split_once('/').is_some_and(|(folder, rest)| {
                    prefixes.contains(&format!("{folder}/")) && LogFile::parse(rest).is_some()
                })
        };
        let unknown = bundle
            .paths()
            .filter(|path| !known(path))
            .map(str::to_owned)
            .collect();
        Self {
            prefixes: prefixes.into_iter().collect(),
            unknown,
        }
    }
}

/// Returns the files of one log with their paths.
pub(super) fn files_of<'a>(
    bundle: &'a BundleReader,
    prefix: &'a str,
) -> impl Iterator<Item = (&'a str, LogFile)> {
    bundle.paths_below(prefix).filter_map(move |path| {
        let file = LogFile::parse(path.strip_prefix(prefix)?)?;
        Some((path, file))
    })
}

fn is_log_folder(folder: &str) -> bool {
    folder
        .strip_prefix("log")
        .is_some_and(|number_of_log| number(number_of_log).is_some())
}

fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte);
    !name.is_empty() && name.bytes().all(allowed)
}

/// Parses a decimal number without leading zeros.
fn number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}
