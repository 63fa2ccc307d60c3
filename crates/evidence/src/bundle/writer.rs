//! Writes a bundle as a zip; the same content gives the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Read, Write};

use ideavault_domain::hex;
use serde::{Serialize, Serializer};
use sha2::Digest as _;

use super::{BundleError, EntryProblem, INDEX, LeftOut, Paths, ReportPage, VERSION};
use crate::Digest;
use crate::archive::{ArchiveWriter, Form};
use crate::assets::{INSTRUCTIONS, REPORT, SCRIPT, VERIFY_PY, readme};

/// Folder whose files are stored as they are: most are compressed already, and none may look
/// like a bomb.
const STORED: &str = "idea/";

/// Bytes of `bundle.json` that are passed on at a time.
const CHUNK: usize = 8 * 1024;

/// Writes a bundle, holding no more in memory than paths and digests.
pub struct BundleWriter<W: Write> {
    zip: ArchiveWriter<W>,
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
            zip: ArchiveWriter::new(writer),
            paths: Paths::default(),
            index: WrittenIndex {
                v: VERSION,
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
        self.reserve(path)?;
        let digest = self.write(path, |mut to| io::copy(&mut contents, &mut to).map(drop))?;
        self.index.files.insert(path.into(), HexDigest(digest));
        Ok(digest)
    }

    fn reserve(&mut self, path: &str) -> Result<(), BundleError> {
        self.paths
            .add(path)
            .map_err(|problem| BundleError::entry(path, problem))?;
        match path {
            INDEX => Err(BundleError::entry(path, EntryProblem::Duplicate)),
            _ => Ok(()),
        }
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

    /// Adds the report of the events, and the instructions for verification, which name the idea and
    /// the key of the log, and ends the bundle.
    ///
    /// # Errors
    ///
    /// Fails if writing does.
    pub fn finish_for(
        mut self,
        report: &ReportPage,
        idea: &str,
        vkey: &str,
    ) -> Result<W, BundleError> {
        let readme = readme(idea, vkey, self.paths(), self.missing());
        self.add_report(report)?;
        self.add(INSTRUCTIONS, readme.as_bytes())?;
        self.add(SCRIPT, VERIFY_PY.as_bytes())?;
        self.finish()
    }

    fn add_report(&mut self, report: &ReportPage) -> Result<(), BundleError> {
        self.reserve(REPORT)?;
        let index = std::mem::take(&mut self.index);
        let left_out = LeftOut {
            withheld: index.withheld.len(),
            missing: index.missing.len(),
            pending: index.pending.len(),
        };
        let written = self.write(REPORT, |to| {
            let mut buffered = BufWriter::with_capacity(CHUNK, to);
            report.write(
                &mut buffered,
                &|path| index.files.contains_key(path),
                left_out,
            )?;
            buffered.into_inner().map(drop).map_err(Into::into)
        });
        self.index = index;
        self.index.files.insert(REPORT.into(), HexDigest(written?));
        Ok(())
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
        Ok(self.zip.finish()?)
    }

    /// Adds a file of which `write` writes the contents.
    fn write(
        &mut self,
        path: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Digest, BundleError> {
        let form = match path.starts_with(STORED) {
            true => Form::Stored,
            false => Form::Deflated,
        };
        self.zip.add(path, form, |writer| {
            let mut hashing = Hashing {
                hasher: sha2::Sha256::new(),
                writer,
            };
            write(&mut hashing)?;
            Ok(hashing.hasher.finalize().into())
        })
    }
}

/// Returns the SHA-256 of what `write` writes.
///
/// # Errors
///
/// Fails if that does.
pub(crate) fn digest_of(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Digest> {
    let mut hashing = Hashing {
        hasher: sha2::Sha256::new(),
        writer: &mut io::sink(),
    };
    write(&mut hashing)?;
    Ok(hashing.hasher.finalize().into())
}

struct Hashing<'a> {
    hasher: sha2::Sha256,
    writer: &'a mut dyn Write,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write_all(bytes)?;
        self.hasher.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
