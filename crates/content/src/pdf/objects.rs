//! Reads the values of PDF objects (ISO 32000-2, 7.3).
//!
//! Invariant: reads each byte a bounded number of times, and recurses at most
//! [`NESTING_MAX`] deep.

/// Deepest nesting of arrays and dictionaries.
const NESTING_MAX: usize = 32;
/// Most values that are kept of one object; the others are read and dropped.
const VALUES_MAX: usize = 256 * 1024;

/// A value. Strings, numbers with a fraction and keywords tell nothing about pages.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Integer(usize),
    Name(&'a [u8]),
    /// The number of the object that is meant, without its generation.
    Reference(u32),
    Array(Vec<Value<'a>>),
    Dictionary(Dictionary<'a>),
    Other,
}

/// The entries of a dictionary, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dictionary<'a>(Vec<(&'a [u8], Value<'a>)>);

impl<'a> Dictionary<'a> {
    /// Returns the value of an entry.
    pub(super) fn get(&self, key: &[u8]) -> Option<&Value<'a>> {
        self.0
            .iter()
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value)
    }

    /// Returns whether the entry has this name as its value.
    pub(super) fn is(&self, key: &[u8], name: &[u8]) -> bool {
        matches!(self.get(key), Some(Value::Name(value)) if *value == name)
    }
}

/// Reads values from a place in a file.
pub(super) struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    kept: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, kept: 0 }
    }

    /// Returns the place after what was read.
    pub(super) fn place(&self) -> usize {
        self.at.min(self.bytes.len())
    }

    /// Reads the next value; `None` if there is none that is complete.
    pub(super) fn value(&mut self) -> Option<Value<'a>> {
        self.nested_value(NESTING_MAX)
    }

    /// Reads an integer that is not negative.
    pub(super) fn integer(&mut self) -> Option<usize> {
        self.skip_space();
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    /// Skips white space, then the keyword if it is next.
    pub(super) fn keyword(&mut self, word: &[u8]) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn nested_value(&mut self, depth: usize) -> Option<Value<'a>> {
        self.skip_space();
        match self.rest() {
            [b'<', b'<', ..] => self.dictionary(depth.checked_sub(1)?),
            [b'[', ..] => self.array(depth.checked_sub(1)?),
            [b'<', ..] => {
                let end = memchr::memchr(b'>', self.rest());
                self.at = end.map_or(self.bytes.len(), |end| self.at + end + 1);
                end.map(|_| Value::Other)
            }
            [b'(', ..] => self.string(),
            [b'/', ..] => Some(Value::Name(self.name())),
            [b'0'..=b'9', ..] => Some(self.number_or_reference()),
            [] => None,
            _ => {
                let word = self.take_while(is_regular);
                // An object that has no end must not swallow the next one.
                let ends = matches!(word, b"" | b"obj" | b"endobj" | b"stream" | b"endstream");
                (!ends).then_some(Value::Other)
            }
        }
    }

    fn dictionary(&mut self, depth: usize) -> Option<Value<'a>> {
        self.at += 2;
        let mut entries = Vec::new();
        loop {
            self.skip_space();
            match self.rest() {
                [b'>', b'>', ..] => {
                    self.at += 2;
                    return Some(Value::Dictionary(Dictionary(entries)));
                }
                [b'/', ..] => {
                    let key = self.name();
                    self.skip_space();
                    if self.rest().starts_with(b">>") {
                        continue;
                    }
                    let value = self.nested_value(depth)?;
                    if value != Value::Other && self.keep() {
                        entries.push((key, value));
                    }
                }
                _ => return None,
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value<'a>> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_space();
            if self.rest().first() == Some(&b']') {
                self.at += 1;
                return Some(Value::Array(items));
            }
            let value = self.nested_value(depth)?;
            // Only references, names and dictionaries lead anywhere.
            if !matches!(value, Value::Other | Value::Integer(_)) && self.keep() {
                items.push(value);
            }
        }
    }

    fn keep(&mut self) -> bool {
        self.kept += 1;
        self.kept <= VALUES_MAX
    }

    fn string(&mut self) -> Option<Value<'a>> {
        let (mut depth, mut escaped) = (0_usize, false);
        for (read, byte) in self.rest().iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += read + 1;
                        return Some(Value::Other);
                    }
                }
                _ => {}
            }
        }
        self.at = self.bytes.len();
        None
    }

    fn name(&mut self) -> &'a [u8] {
        self.at += 1;
        self.take_while(is_regular)
    }

    fn number_or_reference(&mut self) -> Value<'a> {
        let word = self.take_while(is_regular);
        let Some(number) = integer(word) else {
            return Value::Other;
        };
        let after_number = self.at;
        self.skip_space();
        if integer(self.take_while(is_regular)).is_some() {
            self.skip_space();
            if self.take_while(is_regular) == b"R" {
                return u32::try_from(number).map_or(Value::Other, Value::Reference);
            }
        }
        self.at = after_number;
        Value::Integer(number)
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) {
        loop {
            self.take_while(is_space);
            if self.rest().first() != Some(&b'%') {
                return;
            }
            self.take_while(|byte| !matches!(byte, b'\r' | b'\n'));
        }
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let length = rest
            .iter()
            .position(|byte| !wanted(*byte))
            .unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }
}

/// Returns whether the byte is white space between values.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// Returns whether the byte is part of a word.
pub(super) fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !b"()<>[]{}/%".contains(&byte)
}

fn integer(word: &[u8]) -> Option<usize> {
    if !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}
