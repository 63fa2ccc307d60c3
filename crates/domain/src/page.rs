//! Cursor pagination. A page begins after the last row of the previous one, wherever
//! that row is by now: rows added or removed meanwhile cause no repetitions or gaps.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::DateTime;

use crate::Timestamp;
use crate::failure::Invalid;

/// Largest page size.
pub const PAGE_MAX: u16 = 1_000;
/// Page size when none is requested.
pub const PAGE_DEFAULT: u16 = 200;

/// A page size, 1 to [`PAGE_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize(u16);

impl PageSize {
    /// [`PAGE_MAX`].
    pub const LARGEST: Self = Self(PAGE_MAX);

    /// Returns how many rows to read: one more than the page has, to know whether
    /// others follow.
    #[must_use]
    pub fn rows_to_read(self) -> i64 {
        i64::from(self.0) + 1
    }
}

impl Default for PageSize {
    fn default() -> Self {
        Self(PAGE_DEFAULT)
    }
}

impl FromStr for PageSize {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        text.parse()
            .ok()
            .filter(|rows| (1..=PAGE_MAX).contains(rows))
            .map(Self)
            .ok_or_else(|| {
                let message = format!("limit must be a whole number from 1 to {PAGE_MAX}");
                Invalid::new("limit", message)
            })
    }
}

/// The position of a row in its list. Grants no access: the list and the caller's
/// permission are determined anew for each page. Its text form (base64url) is opaque
/// to clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    /// Time of the row.
    pub at: Timestamp,
    /// Kind of the event, in lists that order simultaneous events by kind.
    pub step: i32,
    /// Tie-breaker for rows that are otherwise equal.
    pub row: i64,
}

/// The end of the year 9999: later times are written with a sign and would not sort
/// as text.
const END_OF_TIME: Timestamp = match DateTime::from_timestamp(253_402_300_799, 999_999_000) {
    Some(time) => time,
    None => DateTime::UNIX_EPOCH,
};

impl Cursor {
    /// The position before all rows of a list sorted oldest first.
    pub const OLDEST: Self = Self {
        at: DateTime::UNIX_EPOCH,
        step: 0,
        row: 0,
    };
    /// The position before all rows of a list sorted newest first.
    pub const NEWEST: Self = Self {
        at: END_OF_TIME,
        step: i32::MAX,
        row: i64::MAX,
    };
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [
            self.at.timestamp_micros().to_be_bytes().as_slice(),
            &self.step.to_be_bytes(),
            &self.row.to_be_bytes(),
        ]
        .concat();
        f.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl FromStr for Cursor {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        read(text).ok_or_else(|| Invalid::new("cursor", "cursor is not one of a next page"))
    }
}

fn read(text: &str) -> Option<Cursor> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (at, rest) = bytes.split_first_chunk()?;
    let (step, rest) = rest.split_first_chunk()?;
    let at = DateTime::from_timestamp_micros(i64::from_be_bytes(*at))?;
    (DateTime::UNIX_EPOCH..=END_OF_TIME)
        .contains(&at)
        .then_some(Cursor {
            at,
            step: i32::from_be_bytes(*step),
            row: i64::from_be_bytes(rest.try_into().ok()?),
        })
}

/// A request for one page of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paging {
    /// Most rows in the page.
    pub size: PageSize,
    /// The row after which the page begins; by default, the start of the list.
    pub after: Option<Cursor>,
}

/// A page of a list, in the list's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    rows: Vec<(Cursor, T)>,
    /// The last row, also if it was left out.
    last: Option<Cursor>,
    has_more: bool,
}

impl<T> Default for Page<T> {
    /// Returns the page of an empty list.
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            last: None,
            has_more: false,
        }
    }
}

impl<T> Page<T> {
    /// Creates a page from the first of `rows`, which are in order and were read with
    /// a limit of [`PageSize::rows_to_read`].
    #[must_use]
    pub fn new(mut rows: Vec<(Cursor, T)>, size: PageSize) -> Self {
        let has_more = rows.len() > usize::from(size.0);
        rows.truncate(size.0.into());
        let last = rows.last().map(|(cursor, _)| *cursor);
        Self {
            rows,
            last,
            has_more,
        }
    }

    /// Creates a page as [`Page::new`] does, but leaves out the rows without an item. Such a
    /// page may be shorter than its size, and even empty, with others after it.
    #[must_use]
    pub fn of_readable(rows: Vec<(Cursor, Option<T>)>, size: PageSize) -> Self {
        let page = Page::new(rows, size);
        let readable = page.rows.into_iter();
        Self {
            rows: readable
                .filter_map(|(cursor, item)| Some((cursor, item?)))
                .collect(),
            last: page.last,
            has_more: page.has_more,
        }
    }

    /// Merges the pages of several lists into one, oldest first.
    #[must_use]
    pub fn merged(parts: impl IntoIterator<Item = Self>, size: PageSize) -> Self {
        let mut rows = Vec::new();
        let mut has_more = false;
        for part in parts {
            rows.extend(part.rows);
            has_more |= part.has_more;
        }
        rows.sort_by_key(|(cursor, _)| *cursor);
        let page = Self::new(rows, size);
        Self {
            has_more: has_more || page.has_more,
            ..page
        }
    }

    /// Returns the cursor of the next page, if there is one.
    #[must_use]
    pub fn next(&self) -> Option<Cursor> {
        self.last.filter(|_| self.has_more)
    }

    /// Converts each item.
    ///
    /// # Errors
    /// The first error of `convert`.
    pub fn try_map<U, E>(self, mut convert: impl FnMut(T) -> Result<U, E>) -> Result<Page<U>, E> {
        let rows = self.rows.into_iter();
        Ok(Page {
            rows: rows
                .map(|(cursor, item)| Ok((cursor, convert(item)?)))
                .collect::<Result<_, E>>()?,
            last: self.last,
            has_more: self.has_more,
        })
    }

    /// Returns whether the page has no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the items of the page.
    #[must_use]
    pub fn items(&self) -> Vec<&T> {
        self.rows.iter().map(|(_, item)| item).collect()
    }

    /// Returns the items of the page.
    #[must_use]
    pub fn into_items(self) -> Vec<T> {
        self.rows.into_iter().map(|(_, item)| item).collect()
    }
}

#[cfg(test)]
mod tests;
