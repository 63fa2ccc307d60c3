//! The tree as tiles of 256 hashes (<https://c2sp.org/tlog-tiles>), which clients fetch and
//! keep.

use tlog_tiles::Tile;

use super::{MAX_SIZE, NodeReader, TreeError, read_then};
use crate::Digest;

/// Hashes in a full tile.
const FULL: u64 = 256;

/// Levels of tree in one level of tiles.
const HEIGHT: u8 = 8;

/// The highest level that the format allows.
const MAX_LEVEL: u8 = 63;

/// The highest level with a tile in a tree of [`MAX_SIZE`].
const MAX_LEVEL_IN_TREE: u8 = 6;

/// Reads what tiles consist of.
pub trait TileReader: NodeReader {
    /// Returns the SHA-256 of `count` events from the one at `first`, in the log's order.
    ///
    /// # Errors
    ///
    /// Fails if one cannot be read or is missing.
    fn events(&mut self, first: u64, count: u64) -> Result<Vec<Digest>, Self::Error>;
}

/// Contents of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Hashes { level: u8 },
    Entries,
}

/// The name of a tile: `tile/<L>/<N>[.p/<W>]` or `tile/entries/<N>[.p/<W>]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TilePath {
    content: Content,
    number: u64,
    width: u64,
}

impl TilePath {
    /// Parses the one spelling that the format allows; nothing stands before `tile`.
    pub fn parse(path: &str) -> Option<Self> {
        let rest = path.strip_prefix("tile/")?;
        let (kind, rest) = rest.split_once('/')?;
        let content = if kind == "entries" {
            Content::Entries
        } else {
            let level = u8::try_from(decimal(kind)?).ok()?;
            (level <= MAX_LEVEL).then_some(Content::Hashes { level })?
        };
        let (number, width) = match rest.split_once(".p/") {
            Some((number, width)) => {
                let width = decimal(width)?;
                ((1..FULL).contains(&width)).then_some((number, width))?
            }
            None => (rest, FULL),
        };
        Some(Self {
            content,
            number: parse_number(number)?,
            width,
        })
    }

    /// Reports whether the tile is full and never changes its name.
    pub fn is_full(&self) -> bool {
        self.width == FULL
    }
}

/// Returns the bytes of a tile of a tree of `size`.
///
/// # Errors
///
/// Fails with [`TreeError::OutOfRange`] if a tree of this size has no such tile, and if the
/// reader does.
pub fn tile<R: TileReader>(
    path: TilePath,
    size: u64,
    reader: &mut R,
) -> Result<Vec<u8>, TreeError<R::Error>> {
    let level = match path.content {
        Content::Hashes { level } if level <= MAX_LEVEL_IN_TREE => level,
        Content::Hashes { .. } => return Err(TreeError::OutOfRange),
        Content::Entries => 0,
    };
    let first = path.number.checked_mul(FULL);
    let end = first.and_then(|first| first.checked_add(path.width));
    let (Some(first), Some(end)) = (first, end) else {
        return Err(TreeError::OutOfRange);
    };
    if size > MAX_SIZE || end > size >> (level * HEIGHT) {
        return Err(TreeError::OutOfRange);
    }
    if path.content == Content::Entries {
        return entries(first, path.width, reader);
    }
    let width = u32::try_from(path.width).map_err(|_| TreeError::OutOfRange)?;
    let tile = Tile::new(HEIGHT, level, path.number, width, false);
    read_then(reader, |nodes| tile.read_data(nodes))
}

/// Writes each entry behind its length, two bytes, the highest first.
fn entries<R: TileReader>(
    first: u64,
    count: u64,
    reader: &mut R,
) -> Result<Vec<u8>, TreeError<R::Error>> {
    let events = reader.events(first, count).map_err(TreeError::Read)?;
    let asked = usize::try_from(count).map_err(|_| TreeError::OutOfRange)?;
    if events.len() != asked {
        return Err(TreeError::WrongCount {
            asked,
            returned: events.len(),
        });
    }
    let mut bytes = Vec::with_capacity(events.len() * 34);
    for event in events {
        bytes.extend_from_slice(&[0, 32]);
        bytes.extend_from_slice(&event);
    }
    Ok(bytes)
}

/// Parses `x001/x234/067`: groups of three digits, all but the last one behind an `x`.
fn parse_number(text: &str) -> Option<u64> {
    let (leading, last) = match text.rsplit_once('/') {
        Some((leading, last)) => (Some(leading), last),
        None => (None, text),
    };
    let mut number = 0;
    if let Some(leading) = leading {
        for (place, group) in leading.split('/').enumerate() {
            let group = three_digits(group.strip_prefix('x')?)?;
            if place == 0 && group == 0 {
                return None;
            }
            number = append_group(number, group)?;
        }
    }
    append_group(number, three_digits(last)?)
}

fn append_group(number: u64, group: u64) -> Option<u64> {
    number.checked_mul(1000)?.checked_add(group)
}

fn three_digits(text: &str) -> Option<u64> {
    let digits = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// Parses a decimal number without leading zeros.
fn decimal(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = digits && (text == "0" || !text.starts_with('0'));
    canonical.then(|| text.parse().ok())?
}
