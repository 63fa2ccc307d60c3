//! Implements the port for archives: zip files.

use std::error::Error;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use ideavault_domain::ports::{ArchiveWriter, Archives, EntryWriter, PortError};
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter, ZipDataWriter};

use super::ZipBundles;

/// 1980-01-01, the first moment that a zip file can hold, in seconds since 1970. The files say
/// themselves when they were made.
const MODIFIED: i64 = 315_532_800;

struct ZipArchive<'w>(ZipArchiveWriter<Box<dyn Write + 'w>>);

fn failed(error: impl Error + Send + Sync + 'static) -> PortError {
    PortError {
        operation: "write an archive",
        source: Box::new(error),
    }
}

fn not_written(error: rawzip::Error) -> PortError {
    failed(io::Error::other(error))
}

impl Archives for ZipBundles {
    fn begin_archive<'w>(&self, to: Box<dyn Write + 'w>) -> Box<dyn ArchiveWriter + 'w> {
        Box::new(ZipArchive(ZipArchiveWriter::new(to)))
    }
}

impl ZipArchive<'_> {
    fn add(
        &mut self,
        path: &str,
        method: CompressionMethod,
        write: EntryWriter<'_>,
    ) -> Result<(), PortError> {
        let (mut entry, config) = self
            .0
            .new_file(path)
            .compression_method(method)
            .last_modified(UtcDateTime::from_unix(MODIFIED))
            .unix_permissions(0o644)
            .start()
            .map_err(not_written)?;
        let output = if method == CompressionMethod::STORE {
            let mut data = config.wrap(&mut entry);
            write(&mut data).map_err(failed)?;
            data.finish().map_err(not_written)?.1
        } else {
            let encoder = DeflateEncoder::new(&mut entry, Compression::default());
            let mut data: ZipDataWriter<_> = config.wrap(encoder);
            write(&mut data).map_err(failed)?;
            let (encoder, output) = data.finish().map_err(not_written)?;
            encoder.finish().map_err(failed)?;
            output
        };
        entry.finish(output).map_err(not_written)?;
        Ok(())
    }
}

impl ArchiveWriter for ZipArchive<'_> {
    fn add_file(&mut self, path: &str, content: &mut dyn Read) -> Result<(), PortError> {
        self.add(path, CompressionMethod::STORE, &mut |to| {
            io::copy(content, to)?;
            Ok(())
        })
    }

    fn add_text(&mut self, path: &str, write: EntryWriter<'_>) -> Result<(), PortError> {
        self.add(path, CompressionMethod::DEFLATE, write)
    }

    fn add_archive(&mut self, path: &str, write: EntryWriter<'_>) -> Result<(), PortError> {
        self.add(path, CompressionMethod::STORE, write)
    }

    fn finish(self: Box<Self>) -> Result<(), PortError> {
        let mut writer = self.0.finish().map_err(not_written)?;
        writer.flush().map_err(failed)
    }
}
