//! Reads the files of a bundle, within bounds, from a zip that anybody may have made.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Bound;

use flate2::bufread::DeflateDecoder;
use rawzip::{
    CompressionMethod, FileReader, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ReaderAt, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord, ZipLocator,
};
use sha2::Digest as _;

use super::{BundleError, EntryProblem, INDEX, Paths};
use crate::Digest;

/// The longest file that is read into memory.
const MAX_READ_BYTES: u64 = 16 * 1024 * 1024;

/// Bytes that `bundle.json` may have besides for each file: its path and digest take about 110,
/// and an event of two files may name four disclosures that are withheld.
const INDEX_BYTES_PER_FILE: u64 = 256;

/// Most bytes of an entry for each compressed one, unless the entry is short.
const MAX_RATIO: u64 = 200;

/// The longest entry whose compression ratio does not matter.
const RATIO_EXEMPT_BYTES: u64 = 1024 * 1024;

/// The longest header of an entry inside a zip file: name and extra fields.
const MAX_LOCAL_HEADER_BYTES: usize = 2 * 65_535;

/// The longest data descriptor: the record of sizes behind the contents of an entry.
const MAX_DATA_DESCRIPTOR_BYTES: u64 = 24;

/// How large a bundle may be.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Number of files.
    pub max_entries: usize,
    /// Bytes of all files together.
    pub max_total: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_entries: 1_000_000,
            max_total: 8 * 1024 * 1024 * 1024,
        }
    }
}

/// Reads a bundle that anybody may have made.
pub struct BundleReader {
    archive: ZipArchive<Source>,
    entries: BTreeMap<String, Entry>,
}

/// Where the bytes of a bundle are.
enum Source {
    File(FileReader),
    Memory(Vec<u8>),
}

impl ReaderAt for Source {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read_at(buffer, offset),
            Self::Memory(bytes) => {
                let rest = usize::try_from(offset)
                    .ok()
                    .and_then(|offset| bytes.get(offset..))
                    .unwrap_or_default();
                (&*rest).read(buffer)
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    wayfinder: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    length: u64,
    compressed: u64,
    local_header: u64,
}

impl BundleReader {
    /// Checks the list of files of a bundle in a file, without reading their contents.
    ///
    /// # Errors
    ///
    /// Fails if a limit is exceeded, the zip file is not a whole one, or an entry is refused,
    /// with the entry's path.
    pub fn open(file: File, limits: &Limits) -> Result<Self, BundleError> {
        let length = file.metadata()?.len();
        Self::from_source(Source::File(file.into()), length, limits)
    }

    /// Checks the list of files of a bundle in memory, without expanding their contents.
    ///
    /// # Errors
    ///
    /// Fails as [`Self::open`] does.
    pub fn from_bytes(bytes: Vec<u8>, limits: &Limits) -> Result<Self, BundleError> {
        let length = bytes.len() as u64;
        Self::from_source(Source::Memory(bytes), length, limits)
    }

    fn from_source(source: Source, length: u64, limits: &Limits) -> Result<Self, BundleError> {
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let archive = ZipLocator::new()
            .locate_in_reader(source, &mut buffer, length)
            .map_err(|(_, error)| incomplete(error))?;
        // Without a comment there is only one place to find the list of entries.
        if archive.end_offset() != length || archive.comment().remaining() != 0 {
            return Err(BundleError::Hidden);
        }
        let entries = list(&archive, length, limits, &mut buffer)?;
        check_places(&archive, &entries, &mut buffer)?;
        Ok(Self { archive, entries })
    }

    /// Returns the paths of all files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Returns the paths of the files that begin with `prefix`, in order.
    pub fn paths_below(&self, prefix: &str) -> impl Iterator<Item = &str> {
        self.entries
            .range::<str, _>((Bound::Included(prefix), Bound::Unbounded))
            .map(|(path, _)| path.as_str())
            .take_while(move |path| path.starts_with(prefix))
    }

    /// Reports whether there is such a file.
    pub fn contains(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    /// Reads a file of at most 16 MiB; `bundle.json` may have 256 bytes more for each file.
    ///
    /// # Errors
    ///
    /// Fails if there is no such file, if it is longer or damaged, and if reading fails.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, BundleError> {
        let entry = self.entry(path)?;
        let longest = match path {
            INDEX => MAX_READ_BYTES + INDEX_BYTES_PER_FILE * self.entries.len() as u64,
            _ => MAX_READ_BYTES,
        };
        if entry.length > longest {
            return Err(BundleError::entry(path, EntryProblem::TooLong));
        }
        let mut contents = Vec::new();
        self.stream(path, |chunk| contents.extend_from_slice(chunk))?;
        Ok(contents)
    }

    /// Returns the SHA-256 of a file of any length.
    ///
    /// # Errors
    ///
    /// Fails if there is no such file, if it is damaged, and if reading fails.
    pub fn digest(&self, path: &str) -> Result<Digest, BundleError> {
        let mut hasher = sha2::Sha256::new();
        self.stream(path, |chunk| hasher.update(chunk))?;
        Ok(hasher.finalize().into())
    }

    fn entry(&self, path: &str) -> Result<&Entry, BundleError> {
        self.entries
            .get(path)
            .ok_or_else(|| BundleError::entry(path, EntryProblem::Missing))
    }

    /// Passes on the contents in chunks. They are verified only when this returns.
    fn stream(&self, path: &str, mut receive: impl FnMut(&[u8])) -> Result<(), BundleError> {
        let entry = self.entry(path)?;
        let zip_entry = self
            .archive
            .get_entry(entry.wayfinder)
            .map_err(|error| in_entry(path, error))?;
        let compressed = BufReader::new(zip_entry.reader());
        let damaged = |error| contents_error(path, error);
        if entry.method == CompressionMethod::STORE {
            let mut verified = zip_entry.verifying_reader(compressed);
            return copy(&mut verified, &mut receive).map_err(damaged);
        }
        let mut verified = zip_entry.verifying_reader(DeflateDecoder::new(compressed));
        copy(&mut verified, &mut receive).map_err(damaged)?;
        if verified.into_inner().total_in() == entry.compressed {
            Ok(())
        } else {
            Err(BundleError::entry(path, EntryProblem::Damaged))
        }
    }
}

fn copy(reader: &mut impl Read, receive: &mut impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => receive(buffer.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn list(
    archive: &ZipArchive<Source>,
    length: u64,
    limits: &Limits,
    buffer: &mut [u8],
) -> Result<BTreeMap<String, Entry>, BundleError> {
    let expected = archive.entries_hint();
    if expected > limits.max_entries as u64 {
        return Err(BundleError::TooManyEntries(limits.max_entries));
    }
    let mut paths = Paths::default();
    let mut listed = BTreeMap::new();
    let mut total: u64 = 0;
    let mut entries = archive.entries(buffer);
    while let Some(record) = entries.next_entry().map_err(incomplete)? {
        if listed.len() >= limits.max_entries {
            return Err(BundleError::TooManyEntries(limits.max_entries));
        }
        let path = record.file_path();
        let shown = String::from_utf8_lossy(path.as_bytes()).into_owned();
        let refused = |problem| BundleError::entry(&shown, problem);
        let entry = check_record(&record).map_err(refused)?;
        if str::from_utf8(path.as_bytes()).is_err() {
            return Err(refused(EntryProblem::Path));
        }
        if entry.local_header.saturating_add(entry.compressed) > length {
            return Err(refused(EntryProblem::Damaged));
        }
        paths.add(&shown).map_err(refused)?;
        total = total.saturating_add(entry.length);
        if total > limits.max_total {
            return Err(BundleError::TooLarge(limits.max_total));
        }
        listed.insert(shown, entry);
    }
    if listed.len() as u64 == expected {
        Ok(listed)
    } else {
        Err(BundleError::Hidden)
    }
}

fn check_record(record: &ZipFileHeaderRecord<'_>) -> Result<Entry, EntryProblem> {
    let flags = record.flags();
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
        return Err(EntryProblem::Encrypted);
    }
    // Type bits of Unix: none, or a regular file.
    let kind = record.external_attributes() >> 28;
    if record.is_dir() || record.mode().is_symlink() || (kind != 0 && kind != 0o10) {
        return Err(EntryProblem::NotAFile);
    }
    let method = record.compression_method();
    let length = record.uncompressed_size_hint();
    let compressed = record.compressed_size_hint();
    match method {
        CompressionMethod::STORE if length == compressed => {}
        CompressionMethod::STORE => return Err(EntryProblem::Headers),
        CompressionMethod::DEFLATE => {}
        _ => return Err(EntryProblem::Method),
    }
    if length > RATIO_EXEMPT_BYTES && length > compressed.saturating_mul(MAX_RATIO) {
        return Err(EntryProblem::Ratio);
    }
    Ok(Entry {
        wayfinder: record.wayfinder(),
        method,
        length,
        compressed,
        local_header: record.local_header_offset(),
    })
}

/// Checks that each entry says of itself what the list says, and that entries follow each
/// other from the first byte without overlap.
fn check_places(
    archive: &ZipArchive<Source>,
    entries: &BTreeMap<String, Entry>,
    buffer: &mut Vec<u8>,
) -> Result<(), BundleError> {
    buffer.resize(MAX_LOCAL_HEADER_BYTES, 0);
    let mut places = Vec::with_capacity(entries.len());
    for (path, entry) in entries {
        let refused = |problem| BundleError::entry(path, problem);
        let found = archive
            .get_entry(entry.wayfinder)
            .map_err(|error| in_entry(path, error))?;
        let header = found
            .local_header(buffer)
            .map_err(|error| in_entry(path, error))?;
        if header.file_path().as_bytes() != path.as_bytes()
            || header.compression_method() != entry.method
        {
            return Err(refused(EntryProblem::Headers));
        }
        // With a record of sizes behind the contents, the entry itself names none.
        if !header.flags().has_data_descriptor()
            && (
                header.uncompressed_size_hint(),
                header.compressed_size_hint(),
            ) != (entry.length, entry.compressed)
        {
            return Err(refused(EntryProblem::Headers));
        }
        if header.flags().is_encrypted() {
            return Err(refused(EntryProblem::Encrypted));
        }
        let (_, end) = found.compressed_data_range();
        places.push((entry.local_header, end, path));
    }
    places.sort_unstable();
    let mut free = 0;
    for (start, end, path) in &places {
        if *start < free {
            return Err(BundleError::entry(*path, EntryProblem::Overlap));
        }
        check_gap(free, *start)?;
        free = *end;
    }
    check_gap(free, archive.directory_offset())
}

/// Checks that nothing but the sizes of an entry lies behind it.
fn check_gap(end: u64, next: u64) -> Result<(), BundleError> {
    let longest = if end == 0 {
        0
    } else {
        MAX_DATA_DESCRIPTOR_BYTES
    };
    match next.checked_sub(end) {
        Some(gap) if gap <= longest => Ok(()),
        _ => Err(BundleError::Hidden),
    }
}

fn incomplete(error: rawzip::Error) -> BundleError {
    match error.into_kind() {
        rawzip::ErrorKind::IO(error) if !is_damage(&error) => BundleError::Io(error),
        kind => BundleError::Incomplete(kind.into()),
    }
}

fn in_entry(path: &str, error: rawzip::Error) -> BundleError {
    match error.into_kind() {
        rawzip::ErrorKind::IO(error) => contents_error(path, error),
        _ => BundleError::entry(path, EntryProblem::Damaged),
    }
}

fn contents_error(path: &str, error: io::Error) -> BundleError {
    if is_damage(&error) {
        BundleError::entry(path, EntryProblem::Damaged)
    } else {
        BundleError::Io(error)
    }
}

/// Reports whether the bytes are at fault and not the reading of them.
fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof
    )
}
