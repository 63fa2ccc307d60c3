//! Exports of activity as files.

use ideavault_domain::failure::Failure;
use serde_json::Value;

use super::activity::ActivityView;
use crate::csv;

/// File format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// CSV, for spreadsheets.
    Csv,
    /// JSON, for programs.
    Json,
}

/// Columns of the CSV, and the path of each value in the JSON of an entry.
const COLUMNS: [(&str, &str); 17] = [
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
    let heading = COLUMNS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut rows: Vec<Vec<String>> = if is_first { vec![heading] } else { Vec::new() };
    for entry in entries {
        let entry = serde_json::to_value(entry).map_err(internal)?;
        let cell = |place: &str| match entry.pointer(place) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        rows.push(COLUMNS.iter().map(|(_, place)| cell(place)).collect());
    }
    Ok(csv::format(&rows))
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

fn internal(error: serde_json::Error) -> Failure {
    Failure::Internal(Box::new(error))
}
