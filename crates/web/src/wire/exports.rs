//! Exports of activity as files.

use ideavault_domain::failure::{Failure, Invalid};

use super::activity::ActivityView;
use crate::csv::{self, Column};

/// File format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// CSV, for spreadsheets.
    Csv,
    /// JSON, for programs.
    Json,
}

/// Columns of the CSV, and the path of each value in the JSON of an entry.
const COLUMNS: [Column; 17] = [
    ("at", "/at"),
    ("type", "/type"),
    ("name", "/recipient/name"),
    ("email", "/recipient/email"),
    ("phone", "/recipient/phone"),
    ("identity", "/recipient/identity"),
    ("emailConfirmedAt", "/recipient/emailConfirmedAt"),
    ("linkName", "/shareName"),
    ("linkType", "/shareType"),
    ("linkId", "/shareId"),
    ("recipientId", "/recipient/id"),
    ("ndaVersion", "/ndaVersion"),
    ("ndaSha256", "/ndaSha256"),
    ("revisionSha256", "/revisionSha256"),
    ("endsAt", "/endsAt"),
    ("ip", "/ip"),
    ("userAgent", "/userAgent"),
];

impl ExportFormat {
    /// Parses the name of a format.
    ///
    /// # Errors
    /// [`Invalid`] on `format`.
    pub fn parse(name: &str) -> Result<Self, Invalid> {
        [Self::Csv, Self::Json]
            .into_iter()
            .find(|format| format.extension() == name)
            .ok_or_else(|| Invalid::new("format", "format must be csv or json"))
    }

    /// Returns the file name extension.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    /// Returns the media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/json",
        }
    }

    /// Formats entries as a part of the file.
    pub fn part(
        self,
        entries: &[ActivityView],
        is_first: bool,
        is_last: bool,
    ) -> Result<String, Failure> {
        match self {
            Self::Csv => csv_part(entries, is_first),
            Self::Json => json_part(entries, is_first, is_last),
        }
    }
}

fn csv_part(entries: &[ActivityView], is_first: bool) -> Result<String, Failure> {
    let entries = entries.iter().map(serde_json::to_value);
    let entries: Vec<_> = entries.collect::<Result<_, _>>().map_err(internal)?;
    Ok(csv::of_entries(&COLUMNS, &entries, is_first))
}

fn json_part(entries: &[ActivityView], is_first: bool, is_last: bool) -> Result<String, Failure> {
    let mut part = String::from(if is_first { "[" } else { "" });
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 || !is_first {
            part.push(',');
        }
        part.push_str(&serde_json::to_string(entry).map_err(internal)?);
    }
    if is_last {
        part.push(']');
    }
    Ok(part)
}

pub(super) fn internal(error: serde_json::Error) -> Failure {
    Failure::Internal(Box::new(error))
}
