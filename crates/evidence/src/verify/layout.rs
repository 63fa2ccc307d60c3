//! Which files a bundle has, and what they are.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::assets::{INSTRUCTIONS, REPORT, SCRIPT};
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
    /// `agreements/N.txt`.
    Agreement(u64),
    /// `anchors/SIZE-X.checkpoint`.
    Anchored(String),
    /// `anchors/SIZE-X.tsr`.
    Authority(String),
    /// `anchors/SIZE-X.ots`.
    Calendar(String),
    /// `anchors/SIZE-X.cosigned`.
    Cosigned(String),
    /// `anchors/roots/N.pem`.
    Root(u64),
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
            "agreements" => Some(Self::Agreement(number(name.strip_suffix(".txt")?)?)),
            "anchors" => {
                if let Some(name) = name.strip_prefix("roots/") {
                    return number(name.strip_suffix(".pem")?).map(Self::Root);
                }
                let (name, kind) = name.rsplit_once('.')?;
                anchored_size(name)?;
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

/// Returns the size in the name of an anchored checkpoint, with which it begins.
pub(super) fn anchored_size(name: &str) -> Option<u64> {
    number(name.split_once('-')?.0)
}

/// The numbers that versions, and files of them, can have.
const NUMBERS: RangeInclusive<u64> = 1..=999_999_999;

/// A file of the idea, by the name that it has in `idea/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdeaFile<'a> {
    /// `version-R.ENDING` or `version-R-K.ENDING`.
    Version {
        revision: &'a str,
        number: Option<u64>,
        ending: &'a str,
    },
    /// `revision-R.html` or `revision-R.json`, in version 1 of the format: number.
    Revision(&'a str),
    /// `ID.pdf`, `ID.png` or `ID.jpg`, in version 1 of the format: id and ending.
    Upload(&'a str, &'a str),
}

impl<'a> IdeaFile<'a> {
    /// Parses a path of a bundle.
    pub(super) fn parse(path: &'a str) -> Option<Self> {
        let (name, ending) = path.strip_prefix("idea/")?.split_once('.')?;
        match ending {
            "html" | "json" | "pdf" | "png" | "jpg" => Self::parse_stem(name, ending),
            _ => None,
        }
    }

    /// Parses a path of a bundle that may lack its ending: that of a lost content is not known, nor that
    /// of a lost file in version 1 of the format.
    pub(super) fn parse_lost(path: &'a str) -> Option<Self> {
        let name = path.strip_prefix("idea/")?;
        match name.contains('.') {
            true => Self::parse(path),
            // A content that is lost as a whole, or an upload of version 1.
            false => Self::parse_stem(name, "html").or_else(|| {
                let upload = Self::parse_stem(name, "pdf");
                upload.filter(|file| matches!(file, Self::Upload(..)))
            }),
        }
    }

    fn parse_stem(name: &'a str, ending: &'a str) -> Option<Self> {
        let is_text = matches!(ending, "html" | "json");
        if let Some(version) = name.strip_prefix("version-") {
            let (revision, file) = match version.split_once('-') {
                Some((revision, file)) => (revision, Some(file)),
                None => (version, None),
            };
            number(revision).filter(|number| NUMBERS.contains(number))?;
            let number = match file {
                Some(file) => {
                    Some(number(file).filter(|number| NUMBERS.contains(number) && !is_text)?)
                }
                None => None,
            };
            return Some(Self::Version {
                revision,
                number,
                ending,
            });
        }
        if let Some(revision) = name.strip_prefix("revision-") {
            number(revision)?;
            return is_text.then_some(Self::Revision(revision));
        }
        (!is_text && is_file_id(name)).then_some(Self::Upload(name, ending))
    }
}

/// Returns the registration in the path of an agreement, in version 1 of the format.
pub(super) fn agreement_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix("agreements/")?.strip_suffix(".txt")?;
    is_name(name).then_some(name)
}

/// Reports whether a path is that of an agreement.
pub(super) fn is_agreement(path: &str) -> bool {
    let below = path.split_once('/').map(|(_, file)| file);
    let is_of_log = |path| matches!(LogFile::parse(path), Some(LogFile::Agreement(_)));
    agreement_of(path).is_some() || below.is_some_and(is_of_log)
}

/// The files of a bundle.
#[derive(Debug)]
pub(super) struct Layout {
    /// Folders of logs, each with a slash at its end, from the oldest log to the newest one, whose
    /// folder is empty.
    pub(super) prefixes: Vec<String>,
    /// Files that no bundle has.
    pub(super) unknown: Vec<String>,
}

impl Layout {
    /// Older logs lie in folders that are named as the last part of their origins.
    pub(super) fn of(bundle: &BundleReader) -> Self {
        let mut older = BTreeMap::new();
        for path in bundle.paths() {
            if let Some(folder) = path.strip_suffix("/log/checkpoint")
                && let Some(log) = folder.strip_prefix("log").and_then(number)
            {
                older.insert(log, format!("{folder}/"));
            }
        }
        let prefixes: Vec<String> = older.into_values().chain([String::new()]).collect();
        let folders: BTreeSet<&str> = prefixes.iter().map(String::as_str).collect();
        let known = |path: &str| {
            [INDEX, INSTRUCTIONS, REPORT, SCRIPT].contains(&path)
                || IdeaFile::parse(path).is_some()
                || agreement_of(path).is_some()
                || LogFile::parse(path).is_some()
                || path.split_once('/').is_some_and(|(folder, rest)| {
                    folders.contains(format!("{folder}/").as_str())
                        && LogFile::parse(rest).is_some()
                })
        };
        let unknown = bundle
            .paths()
            .filter(|path| !known(path))
            .map(str::to_owned)
            .collect();
        Self { prefixes, unknown }
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

/// Reports whether a text is the id of an uploaded file: a UUID in lower-case digits.
pub(super) fn is_file_id(text: &str) -> bool {
    let fits = |(place, byte): (usize, u8)| match place {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}

fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte);
    !name.is_empty() && name.bytes().all(allowed)
}

/// Parses a decimal number without leading zeros.
pub(super) fn number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}
