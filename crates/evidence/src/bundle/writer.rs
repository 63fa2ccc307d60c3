//! Writes a bundle as a zip; the same content gives the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Read, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use ideavault_domain::hex;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter, ZipDataWriter};
use serde::{Serialize, Serializer};
use sha2::Digest as _;

use super::{BundleError, EntryProblem, INDEX, Paths};
use crate::Digest;

/// 1980-01-01, the first moment that a zip file can hold, in seconds since 1970. Equal
/// contents give equal bundles.
const MODIFIED: i64 = 315_532_800;

/// Folder whose files are stored as they are: most are compressed already, and none may look
/// like a bomb.
const STORED: &str = "idea/";

/// Bytes of `bundle.json` that are passed on at a time.
const CHUNK: usize = 8 * 1024;

/// Writes a bundle, holding no more in memory than paths and digests.
pub struct BundleWriter<W: Write> {
    zip: ZipArchiveWriter<W>,
    paths: Paths,
    index: WrittenIndex,
}

/// An [`Index`](super::Index) of what was written, in less memory.
#[derive(Default, Serialize)]
struct WrittenIndex {
    files: BTreeMap<Box<str>, HexDigest>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    missing: BTreeSet<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pending: Vec<String>,
    v: u64,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    withheld: BTreeSet<String>,
}

/// A digest that is written as hexadecimal digits.
struct HexDigest(Digest);

impl Serialize for HexDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(&self.0))
    }
}

impl<W: Write> BundleWriter<W> {
    /// Begins a bundle. Files follow in the order in which they are added.
    pub fn new(writer: W) -> Self {
        Self {
            zip: ZipArchiveWriter::new(writer),
            paths: Paths::default(),
            index: WrittenIndex {
                v: 1,
                ..WrittenIndex::default()
            },
        }
    }

    /// Adds a file and returns its SHA-256.
    ///
    /// # Errors
    ///
    /// Fails if the path is not safe or taken, and if reading or writing fails.
    pub fn add(&mut self, path: &str, mut contents: impl Read) -> Result<Digest, BundleError> {
        self.paths
            .add(path)
            .map_err(|problem| BundleError::entry(path, problem))?;
        if path == INDEX {
            return Err(BundleError::entry(path, EntryProblem::Duplicate));
        }
        let digest = self.write(path, |mut to| io::copy(&mut contents, &mut to).map(drop))?;
        self.index.files.insert(path.into(), HexDigest(digest));
        Ok(digest)
    }

    /// Returns the paths of the files so far, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.index.files.keys().map(AsRef::as_ref)
    }

    /// Notes that the bundle leaves out a disclosure that an event names.
    pub fn withhold(&mut self, path: &str) {
        self.index.withheld.insert(path.to_owned());
    }

    /// Notes that the bundle lacks a file, because the vault has lost it.
    pub fn note_missing(&mut self, path: &str) {
        self.index.missing.insert(path.to_owned());
    }

    /// Returns the paths of files that the bundle lacks, in order.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.index.missing.iter().map(String::as_str)
    }

    /// Notes that an event of this type had no place in the log yet.
    pub fn note_pending(&mut self, kind: &str) {
        self.index.pending.push(kind.to_owned());
    }

    /// Adds `bundle.json` and ends the bundle.
    ///
    /// # Errors
    ///
    /// Fails if writing does.
    pub fn finish(mut self) -> Result<W, BundleError> {
        self.paths = Paths::default();
        let index = std::mem::take(&mut self.index);
        self.write(INDEX, |to| {
            // Canonical as it is: paths are ASCII and sorted. Writing it by way of the canonical
            // form would take several times the memory.
            let mut buffered = BufWriter::with_capacity(CHUNK, to);
            serde_json::to_writer(&mut buffered, &index)?;
            // A flush would reach the compression, and change its bytes.
            buffered.into_inner().map(drop).map_err(Into::into)
        })?;
        let mut writer = self.zip.finish().map_err(failed)?;
        writer.flush()?;
        Ok(writer)
    }

    /// Adds a file of which `write` writes the contents.
    fn write(
        &mut self,
        path: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Digest, BundleError> {
        let stored = path.starts_with(STORED);
        let method = if stored {
            CompressionMethod::STORE
        } else {
            CompressionMethod::DEFLATE
        };
        let (mut entry, config) = self
            .zip
            .new_file(path)
            .compression_method(method)
            .last_modified(UtcDateTime::from_unix(MODIFIED))
            .unix_permissions(0o644)
            .start()
            .map_err(failed)?;
        let (digest, output) = if stored {
            let mut data = config.wrap(&mut entry);
            let digest = hashed(write, &mut data)?;
            (digest, data.finish().map_err(failed)?.1)
        } else {
            let encoder = DeflateEncoder::new(&mut entry, Compression::default());
            let mut data: ZipDataWriter<_> = config.wrap(encoder);
            let digest = hashed(write, &mut data)?;
            let (encoder, output) = data.finish().map_err(failed)?;
            encoder.finish()?;
            (digest, output)
        };
        entry.finish(output).map_err(failed)?;
        Ok(digest)
    }
}

/// Lets `write` write to `writer`, and returns the digest of what it wrote.
fn hashed(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    writer: &mut impl Write,
) -> io::Result<Digest> {
    let mut hashing = Hashing {
        hasher: sha2::Sha256::new(),
        writer,
    };
    write(&mut hashing)?;
    Ok(hashing.hasher.finalize().into())
}

struct Hashing<'a, W> {
    hasher: sha2::Sha256,
    writer: &'a mut W,
}

impl<W: Write> Write for Hashing<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write_all(bytes)?;
        self.hasher.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn failed(error: rawzip::Error) -> BundleError {
    BundleError::Io(io::Error::other(error))
}
