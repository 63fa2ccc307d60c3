//! Exports of activity as files.

use ideavault_domain::failure::{Failure, Invalid};
use serde::Serialize;
use serde_json::Value;

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
    ///
    /// # Errors
    /// [`Failure::Internal`] if they cannot be written.
    pub fn part<T: Exported>(
        self,
        entries: &[T],
        is_first: bool,
        is_last: bool,
    ) -> Result<String, Failure> {
        match self {
            Self::Csv => {
                let rows = entries.iter().map(T::row).collect::<Result<Vec<_>, _>>();
                let rows = rows.map_err(internal)?;
                Ok(csv::of_entries(T::COLUMNS, &rows, is_first))
            }
            Self::Json => json_part(entries, is_first, is_last),
        }
    }
}

/// An entry of an export.
pub trait Exported: Serialize {
    /// Columns of the CSV.
    const COLUMNS: &[Column];

    /// Returns the values of the columns, as JSON.
    ///
    /// # Errors
    /// If it cannot be written.
    fn row(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }
}

impl Exported for ActivityView {
    const COLUMNS: &[Column] = &[
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
        ("revision", "/revision"),
        ("revisionSha256", "/revisionSha256"),
        ("endsAt", "/endsAt"),
        ("ip", "/ip"),
        ("userAgent", "/userAgent"),
        ("reason", "/reason"),
    ];
}

fn json_part<T: Serialize>(
    entries: &[T],
    is_first: bool,
    is_last: bool,
) -> Result<String, Failure> {
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
