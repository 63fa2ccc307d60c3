//! Collects the objects of a page tree from a PDF.
//!
//! Reads the file from its beginning to its end, as viewers do where the cross-reference
//! table is damaged; of two objects with one number, the later counts.
//! Invariant: neither reads more than [`READ_MAX`] times the file's length nor keeps more
//! than [`NODES_MAX`] nodes.

use memchr::memmem;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::objects::{Dictionary, Parser, Value, is_regular, is_space};
use super::pages::{Node, PageTree};

/// Most bytes that the compressed objects of one file may inflate to.
pub(super) const INFLATED_MAX: usize = 64 * 1024 * 1024;
/// Most nodes of page trees and references between them that one file may have.
const NODES_MAX: usize = 1024 * 1024;
/// How often each byte of the file may be read, on average: again only after an object that
/// has no end.
const READ_MAX: usize = 8;
/// Most digits of the number or the generation of an object, and white space after each.
const HEAD_PART_MAX: usize = 10;

/// Collects the objects of a file; `None` if these exceed a limit. With `locked`, compressed
/// objects are not inspected.
pub(super) fn page_tree(file: &[u8], locked: bool) -> Option<PageTree> {
    let mut reader = Reader {
        file,
        locked,
        last_stream_end: memmem::rfind(file, b"endstream").unwrap_or(0),
        bytes_left: file.len().saturating_mul(READ_MAX),
        inflated_left: INFLATED_MAX,
        nodes_left: NODES_MAX,
        tree: PageTree::default(),
    };
    reader.read()?;
    Some(reader.tree)
}

struct Reader<'a> {
    file: &'a [u8],
    locked: bool,
    last_stream_end: usize,
    bytes_left: usize,
    inflated_left: usize,
    nodes_left: usize,
    tree: PageTree,
}

impl<'a> Reader<'a> {
    /// Reads the whole file; `None` if it exceeds a limit.
    fn read(&mut self) -> Option<()> {
        let file = self.file;
        let mut objects = memmem::find_iter(file, b"obj").peekable();
        let mut trailers = memmem::find_iter(file, b"trailer").peekable();
        let mut from = 0;
        loop {
            let is_trailer = match (objects.peek(), trailers.peek()) {
                (Some(object), Some(trailer)) => trailer < object,
                (None, Some(_)) => true,
                (Some(_), None) => false,
                (None, None) => return Some(()),
            };
            let next = if is_trailer {
                trailers.next()
            } else {
                objects.next()
            };
            let Some(at) = next.filter(|at| *at >= from) else {
                continue;
            };
            from = if is_trailer {
                self.trailer(at + b"trailer".len())?
            } else if let Some(number) = object_number(file.get(..at)?) {
                self.object(number, at + b"obj".len())?
            } else {
                at
            };
        }
    }

    /// Reads a trailer and returns where to go on.
    fn trailer(&mut self, at: usize) -> Option<usize> {
        let mut parser = Parser::new(self.file, at);
        let value = parser.value();
        self.spend(parser.place() - at)?;
        match value {
            Some(Value::Dictionary(dictionary)) => {
                self.keep_root(&dictionary)?;
                Some(parser.place())
            }
            _ => Some(at),
        }
    }

    /// Reads an object, with its stream, and returns where to go on.
    fn object(&mut self, number: u32, at: usize) -> Option<usize> {
        let mut parser = Parser::new(self.file, at);
        let value = parser.value();
        self.spend(parser.place() - at)?;
        let Some(value) = value else {
            return Some(at);
        };
        self.keep(number, &value)?;
        let end = parser.place();
        match value {
            Value::Dictionary(dictionary) if parser.keyword(b"stream") => {
                self.stream(&dictionary, parser.place())
            }
            _ => Some(end),
        }
    }

    /// Reads a stream and returns where to go on.
    fn stream(&mut self, dictionary: &Dictionary<'a>, keyword_end: usize) -> Option<usize> {
        let after = self.file.get(keyword_end..)?;
        let begin = keyword_end
            + match after {
                [b'\r', b'\n', ..] => 2,
                [b'\r' | b'\n', ..] => 1,
                _ => 0,
            };
        if dictionary.is(b"Type", b"XRef") {
            self.keep_root(dictionary)?;
        }
        let Some(end) = self.stream_end(dictionary, begin) else {
            return Some(keyword_end);
        };
        if dictionary.is(b"Type", b"ObjStm") {
            self.compressed(dictionary, self.file.get(begin..end)?)?;
        }
        Some(end)
    }

    /// Returns where a stream ends: after its /Length, if the keyword follows there, or else
    /// at the next keyword.
    fn stream_end(&self, dictionary: &Dictionary<'_>, begin: usize) -> Option<usize> {
        if let Some(Value::Integer(length)) = dictionary.get(b"Length")
            && let Some(end) = begin.checked_add(*length)
            && Parser::new(self.file, end).keyword(b"endstream")
        {
            return Some(end);
        }
        if begin > self.last_stream_end {
            return None;
        }
        memmem::find(self.file.get(begin..)?, b"endstream").map(|length| begin + length)
    }

    /// Reads the objects in a compressed stream.
    fn compressed(&mut self, dictionary: &Dictionary<'_>, stream: &[u8]) -> Option<()> {
        let inflated;
        let contents = match dictionary.get(b"Filter") {
            _ if self.locked || dictionary.get(b"DecodeParms").is_some() => {
                self.tree.incomplete = true;
                return Some(());
            }
            None => stream,
            Some(filter) if is_flate(filter) => {
                inflated = match decompress_to_vec_zlib_with_limit(stream, self.inflated_left) {
                    Ok(inflated) => inflated,
                    Err(error) => error.output,
                };
                self.inflated_left = self.inflated_left.saturating_sub(inflated.len());
                if self.inflated_left == 0 {
                    return None;
                }
                &inflated
            }
            // Other filters are rare: the file is accepted without a check.
            Some(_) => {
                self.tree.incomplete = true;
                return Some(());
            }
        };
        let Some(Value::Integer(first)) = dictionary.get(b"First") else {
            return Some(());
        };
        let mut places = Vec::new();
        let mut head = Parser::new(contents.get(..*first).unwrap_or(contents), 0);
        while let (Some(number), Some(offset)) = (head.integer(), head.integer()) {
            if let (Ok(number), Some(place)) = (u32::try_from(number), first.checked_add(offset)) {
                places.push((place, number));
            }
            if places.len() > self.nodes_left {
                return None;
            }
        }
        // No byte belongs to two objects, and so none is read twice.
        places.sort_unstable();
        places.dedup_by_key(|(place, _)| *place);
        let ends = places.iter().skip(1).map(|(place, _)| *place);
        for ((place, number), end) in places.iter().zip(ends.chain([contents.len()])) {
            let object = contents.get(*place..end.min(contents.len()));
            if let Some(value) = object.and_then(|object| Parser::new(object, 0).value()) {
                self.keep(*number, &value)?;
            }
        }
        Some(())
    }

    /// Keeps what an object is to the page tree in place of an earlier one of its number.
    fn keep(&mut self, number: u32, value: &Value<'_>) -> Option<()> {
        match self.node(value)? {
            Some(node) => self.tree.nodes.insert(number, node),
            None => self.tree.nodes.remove(&number),
        };
        Some(())
    }

    fn keep_root(&mut self, dictionary: &Dictionary<'_>) -> Option<()> {
        if let Some(Value::Reference(root)) = dictionary.get(b"Root") {
            self.nodes_left = self.nodes_left.checked_sub(1)?;
            self.tree.roots.push(*root);
        }
        Some(())
    }

    /// Returns what a value is to the page tree; the outer `None` if there are too many.
    fn node(&mut self, value: &Value<'_>) -> Option<Option<Node>> {
        let node = match value {
            Value::Reference(number) => Node::Reference(*number),
            Value::Array(items) => Node::Children(self.children(items)?),
            Value::Dictionary(dictionary) => {
                if let Some(kids) = dictionary.get(b"Kids") {
                    Node::Children(self.children(std::slice::from_ref(kids))?)
                } else if is_page(dictionary) {
                    Node::Page
                } else if let Some(pages) = dictionary.get(b"Pages") {
                    Node::Catalog(self.node(pages)?.map(Box::new))
                } else {
                    return Some(None);
                }
            }
            Value::Integer(_) | Value::Name(_) | Value::Other => return Some(None),
        };
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        Some(Some(node))
    }

    fn children(&mut self, items: &[Value<'_>]) -> Option<Vec<Node>> {
        let mut children = Vec::new();
        for item in items {
            children.extend(self.node(item)?);
        }
        Some(children)
    }

    fn spend(&mut self, bytes: usize) -> Option<()> {
        self.bytes_left = self.bytes_left.checked_sub(bytes)?;
        Some(())
    }
}

/// Returns whether a dictionary without children is a page; some writers leave its type out.
fn is_page(dictionary: &Dictionary<'_>) -> bool {
    let has = |key| dictionary.get(key).is_some();
    dictionary.is(b"Type", b"Page")
        || !has(b"Type") && has(b"Parent") && (has(b"MediaBox") || has(b"Contents"))
}

fn is_flate(filter: &Value<'_>) -> bool {
    let filter = match filter {
        Value::Array(filters) => match filters.as_slice() {
            [filter] => filter,
            _ => return false,
        },
        filter => filter,
    };
    matches!(filter, Value::Name(b"FlateDecode" | b"Fl"))
}

/// Returns the number in the head `12 0 ` that ends here.
fn object_number(before: &[u8]) -> Option<u32> {
    let (before, _) = split_integer(before)?;
    let (before, number) = split_integer(before)?;
    let separate = before.last().is_none_or(|byte| !is_regular(*byte));
    // Some writers put nothing between the end of one object and the next.
    (separate || before.ends_with(b"endobj")).then_some(number)
}

/// Splits an integer and the white space after it off the end.
fn split_integer(bytes: &[u8]) -> Option<(&[u8], u32)> {
    let bytes = trim_end(bytes, is_space)?;
    let before = trim_end(bytes, |byte| byte.is_ascii_digit())?;
    let digits = bytes.get(before.len()..)?;
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((before, number))
}

/// Cuts at most [`HEAD_PART_MAX`] bytes off the end; `None` if there is none to cut.
fn trim_end(bytes: &[u8], cut: impl Fn(u8) -> bool) -> Option<&[u8]> {
    let count = bytes
        .iter()
        .rev()
        .take(HEAD_PART_MAX)
        .take_while(|byte| cut(**byte))
        .count();
    let left = bytes.len().checked_sub(count)?;
    bytes.get(..left).filter(|_| count > 0)
}
