//! Zip files, written as a stream in bounded memory; the same content gives the same bytes.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter, ZipDataWriter};

/// 1980-01-01, the first moment that a zip file can hold, in seconds since 1970. The files say
/// themselves when they were made.
const MODIFIED: i64 = 315_532_800;

/// How a file lies in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As it is; for what is compressed already.
    Stored,
    /// Compressed.
    Deflated,
}

/// Writes an archive. Files follow in the order in which they are added.
pub struct ArchiveWriter<W: Write>(ZipArchiveWriter<W>);

impl<W: Write> ArchiveWriter<W> {
    /// Begins an archive.
    pub fn new(writer: W) -> Self {
        Self(ZipArchiveWriter::new(writer))
    }

    /// Adds a file that `write` writes, and returns what that returns. The path is relative, with
    /// `/`, and new.
    ///
    /// # Errors
    ///
    /// Fails if `write` or writing does.
    pub fn add<T, E: From<io::Error>>(
        &mut self,
        path: &str,
        form: Form,
        write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    ) -> Result<T, E> {
        let method = match form {
            Form::Stored => CompressionMethod::STORE,
            Form::Deflated => CompressionMethod::DEFLATE,
        };
        let (mut entry, config) = self
            .0
            .new_file(path)
            .compression_method(method)
            .last_modified(UtcDateTime::from_unix(MODIFIED))
            .unix_permissions(0o644)
            .start()
            .map_err(io::Error::other)?;
        let (written, output) = match form {
            Form::Stored => {
                let mut data = config.wrap(&mut entry);
                let written = write(&mut data)?;
                (written, data.finish().map_err(io::Error::other)?.1)
            }
            Form::Deflated => {
                let encoder = DeflateEncoder::new(&mut entry, Compression::default());
                let mut data: ZipDataWriter<_> = config.wrap(encoder);
                let written = write(&mut data)?;
                let (encoder, output) = data.finish().map_err(io::Error::other)?;
                encoder.finish()?;
                (written, output)
            }
        };
        entry.finish(output).map_err(io::Error::other)?;
        Ok(written)
    }

    /// Ends the archive.
    ///
    /// # Errors
    ///
    /// Fails if writing does.
    pub fn finish(self) -> io::Result<W> {
        let mut writer = self.0.finish().map_err(io::Error::other)?;
        writer.flush()?;
        Ok(writer)
    }
}
